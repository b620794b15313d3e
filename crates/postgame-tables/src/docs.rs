//! `docs/tables.md`, generated from the schemas.

use crate::ALL;

/// A column's kind as named in the documentation.
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
    let mut page = include_str!("docs_head.md").to_owned();
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
