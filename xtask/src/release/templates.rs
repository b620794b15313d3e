//! Descriptions for package managers, filled with the version and the checksums of a release.

use std::path::Path;

use crate::tools::{Result, root};

/// Templates in `packaging/`, and the files made of them.
const TEMPLATES: &[(&str, &str)] = &[
    ("install.sh", "install.sh"),
    ("homebrew/postgame.rb", "postgame.rb"),
    ("scoop/postgame.json", "postgame.scoop.json"),
    ("winget/postgame.yaml", "postgame.winget.yaml"),
];

/// Where the project is published; the workflow that publishes it knows.
#[derive(clap::Args)]
pub struct Addresses {
    /// The project's page
    #[arg(long, default_value = "https://postgame.example")]
    homepage: String,
    /// Where the archives of a release are, without the last part, `/vVERSION`
    #[arg(long, default_value = "https://postgame.example/releases")]
    releases: String,
}

/// Stands for a checksum of an archive that is made on another system.
const UNKNOWN: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Writes every template into a folder, with the version, the addresses and `@SHA256 FILE@` replaced.
pub fn fill(
    version: &str,
    addresses: &Addresses,
    sums: &[(String, String)],
    folder: &Path,
) -> Result {
    for (template, name) in TEMPLATES {
        let path = root().join("packaging").join(template);
        let text = std::fs::read_to_string(path).map_err(|error| format!("{template}: {error}"))?;
        let text = filled(&text, version, addresses, sums)
            .map_err(|error| format!("{template}: {error}"))?;
        std::fs::write(folder.join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(())
}

fn filled(
    template: &str,
    version: &str,
    addresses: &Addresses,
    sums: &[(String, String)],
) -> Result<String> {
    let mut text = template
        .replace("@VERSION@", version)
        .replace("@HOMEPAGE@", &addresses.homepage)
        .replace("@RELEASES@", &addresses.releases);
    while let Some((before, rest)) = text.split_once("@SHA256 ") {
        let (file, after) = rest.split_once('@').ok_or("@SHA256 is not closed")?;
        let found = sums.iter().find(|(_, name)| name == file);
        let digest = found.map_or(UNKNOWN, |(digest, _)| digest.as_str());
        text = format!("{before}{digest}{after}");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses() -> Addresses {
        Addresses {
            homepage: "https://a.example".to_owned(),
            releases: "https://b.example".to_owned(),
        }
    }

    #[test]
    fn versions_and_checksums_are_filled_in() {
        let sums = [("ab".to_owned(), "a-1.tar.gz".to_owned())];
        let template = "@RELEASES@/v@VERSION@ @SHA256 a-@VERSION@.tar.gz@ @SHA256 b@";
        let text = filled(template, "1", &addresses(), &sums);
        assert_eq!(text, Ok(format!("https://b.example/v1 ab {UNKNOWN}")));
        assert!(filled("@SHA256 a", "1", &addresses(), &[]).is_err());
    }

    #[test]
    fn every_template_is_filled_completely() {
        for (template, _) in TEMPLATES {
            let text = std::fs::read_to_string(root().join("packaging").join(template)).unwrap();
            assert!(text.contains("@VERSION@"), "{template}");
            let filled = filled(&text, "1.2.3", &addresses(), &[]).unwrap();
            let is_left = |word: &str| filled.contains(word);
            assert!(
                !["@VERSION", "@SHA256", "@RELEASES", "@HOMEPAGE"]
                    .into_iter()
                    .any(is_left),
                "{template}"
            );
        }
    }
}
