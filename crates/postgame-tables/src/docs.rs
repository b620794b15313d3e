//! `docs/tables.md`, generated from the schemas.

use crate::ALL;
use crate::features::{DEFAULT, GROUPS};

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
    page.push_str(include_str!("docs_features.md"));
    for group in GROUPS {
        let name = match group.name {
            "PlayerEvent:" => "PlayerEvent:KIND",
            "LabelNextGoal:" => "LabelNextGoal:SECONDS",
            name => name,
        };
        let is_default = if DEFAULT.contains(&group.name) {
            "yes"
        } else {
            ""
        };
        page.push_str(&format!(
            "| `{name}` | {} | {is_default} | {} |\n",
            group.width, group.meaning
        ));
    }
    page
}
