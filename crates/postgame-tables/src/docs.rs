//! `docs/tables.md`, generated from the schemas.

use crate::ALL;

/// A column's kind as the documentation names it.
fn kind_name(kind: &str) -> String {
    match kind {
        "Name" | "Text" | "Flag" => kind.to_lowercase(),
        _ => {
            let long = match kind.get(..1) {
                Some("U") => "uint",
                Some("I") => "int",
                _ => "float",
            };
            format!("{long}{}", kind.get(1..).unwrap_or_default())
        }
    }
}

/// The whole page.
pub fn page() -> String {
    let mut page = String::from(
        "# Tables\n\nGenerated from the schemas by `cargo xtask gen`; do not edit. Names are stable, units are in the \
         column names, what is\nabsent is null. A *name* is text that many rows share (dictionary-encoded where the file \
         format can).\n\nIn a data set (`postgame ingest`) each table is a folder, with folders `game=…/month=…` \
         in it; `game` and `month` are told\nby these and not by the files. Whoever reads folders as tables (DuckDB, Polars, \
         pyarrow, Spark) finds them as columns of every\ntable.\n\nEvery row has its recording's id and a time in seconds, on the \
         recording's own clock. A recording that lies about twice is in a\ndata set once; whoever asks files \
         themselves (`postgame export`, `postgame sql` without a data set) gets the rows of every file\nthat was \
         named, and tells copies by their `recording_id`.\n",
    );
    for table in ALL {
        let mut games: Vec<&str> = table.formats().iter().map(|format| format.game()).collect();
        games.dedup();
        let game = match games.as_slice() {
            [] => "all games".to_owned(),
            games => games.join(", "),
        };
        page.push_str(&format!(
            "\n## {}\n\n{} ({game})\n\n| column | type | |\n|---|---|---|\n",
            table.name(),
            table.doc().trim()
        ));
        for column in table.columns() {
            page.push_str(&format!(
                "| `{}` | {} | {} |\n",
                column.name,
                kind_name(column.kind),
                column.doc.trim()
            ));
        }
    }
    page
}
