//! The folders in which games keep their recordings on this system.

mod table;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A folder that exists, and whose recordings are in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownFolder {
    /// The game's name for people.
    pub game: &'static str,
    /// Where it is.
    pub path: PathBuf,
}

/// The games' folders that exist here, in the order of `data/folders/folders.tsv`.
///
/// A folder that two paths lead to is listed once.
pub fn folders() -> Vec<KnownFolder> {
    existing(std::env::consts::OS, &|name| std::env::var_os(name))
}

/// Every folder that is looked for on this system, as the table writes it, for messages.
pub fn searched() -> impl Iterator<Item = (&'static str, &'static str)> {
    let of_system = table::FOLDERS
        .iter()
        .filter(|row| row.0 == std::env::consts::OS);
    of_system.map(|(_, game, folder)| (*game, *folder))
}

fn existing(system: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<KnownFolder> {
    let mut found: Vec<KnownFolder> = Vec::new();
    let mut seen = Vec::new();
    for (_, game, folder) in table::FOLDERS.iter().filter(|row| row.0 == system) {
        let Some(path) = resolved(folder, variable).filter(|path| path.is_dir()) else {
            continue;
        };
        // Steam's folder in the home folder is often a link to the one in `.local`.
        let identity = path.canonicalize().unwrap_or_else(|_| path.clone());
        if !seen.contains(&identity) {
            seen.push(identity);
            found.push(KnownFolder { game, path });
        }
    }
    found
}

/// A folder of the table with its variables replaced; `None` if one of them is not set.
fn resolved(folder: &str, variable: &dyn Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    if let Some(rest) = folder.strip_prefix("~/") {
        return Some(Path::new(&variable("HOME")?).join(rest));
    }
    let (name, rest) = folder.strip_prefix('%')?.split_once("%/")?;
    Some(Path::new(&variable(name)?).join(rest))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn folders_that_exist_are_found_once() {
        let home = tempfile::tempdir().unwrap();
        let slippi = home.path().join("Slippi");
        std::fs::create_dir(&slippi).unwrap();
        let saves = "steamapps/compatdata/526870/pfx/drive_c/users/steamuser/AppData/Local/FactoryGame/Saved/SaveGames";
        let steam = home.path().join(".local/share/Steam");
        std::fs::create_dir_all(steam.join(saves)).unwrap();
        std::fs::create_dir(home.path().join(".steam")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(&steam, home.path().join(".steam/steam")).unwrap();
        let variable = |name: &str| (name == "HOME").then(|| home.path().as_os_str().to_owned());
        let found = existing("linux", &variable);
        let paths: Vec<&Path> = found.iter().map(|folder| folder.path.as_path()).collect();
        assert_eq!(paths, [slippi.as_path(), &steam.join(saves)]);
        assert_eq!(found[1].game, "Satisfactory");
    }

    #[test]
    fn variables_of_windows_are_replaced() {
        let variable = |name: &str| {
            (name == "LOCALAPPDATA").then(|| OsString::from("C:/Users/Ada/AppData/Local"))
        };
        let path = resolved("%LOCALAPPDATA%/FactoryGame/Saved/SaveGames", &variable);
        assert_eq!(
            path,
            Some(PathBuf::from(
                "C:/Users/Ada/AppData/Local/FactoryGame/Saved/SaveGames"
            ))
        );
        assert_eq!(resolved("%USERPROFILE%/Documents/Slippi", &variable), None);
    }

    #[test]
    fn every_folder_of_the_table_can_be_resolved() {
        let variable = |_: &str| Some(OsString::from("root"));
        for (system, game, folder) in table::FOLDERS {
            assert!(
                resolved(folder, &variable).is_some(),
                "{system} {game} {folder}"
            );
        }
        let systems: BTreeSet<&str> = table::FOLDERS.iter().map(|row| row.0).collect();
        assert_eq!(systems, BTreeSet::from(["linux", "macos", "windows"]));
    }
}
