//! `cargo xtask docs`: the site made of `docs/`, with the reference of the command from its own help.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tools::{Result, root, step, target, tool};

/// The version of mdBook that `book.toml` was written for.
const MDBOOK: &str = "0.5.4";
/// The page that is made of the command's help; `docs/SUMMARY.md` names it.
const COMMANDS: &str = "commands.md";

/// Builds the site into `target/book` with the command that the tests have built.
pub fn build() -> Result {
    check_links()?;
    let mdbook = tool("mdbook", MDBOOK)?;
    let source = target().join("book-source");
    drop(std::fs::remove_dir_all(&source));
    copy(&root().join("docs"), &source.join("docs"))?;
    let commands = source.join("docs").join(COMMANDS);
    std::fs::write(&commands, commands_page()?).map_err(|error| format!("{COMMANDS}: {error}"))?;
    let book = root().join("book.toml");
    std::fs::copy(&book, source.join("book.toml"))
        .map_err(|error| format!("book.toml: {error}"))?;
    let mut build = Command::new(mdbook);
    build
        .arg("build")
        .arg(&source)
        .arg("--dest-dir")
        .arg(root().join("target/book"));
    step("building the site", &mut build)
}

/// The help of every subcommand, as a page.
fn commands_page() -> Result<String> {
    let program = target().join(format!("debug/postgame{}", std::env::consts::EXE_SUFFIX));
    let help = |arguments: &[&str]| {
        let output = Command::new(&program).args(arguments).output();
        let output = output
            .map_err(|error| format!("{}: {error}: run `cargo build` first", program.display()))?;
        Ok::<_, String>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let all = help(&["--help"])?;
    let mut page = format!("# Commands\n\n```text\n{all}```\n");
    for name in subcommands(&all) {
        page.push_str(&format!(
            "\n## {name}\n\n```text\n{}```\n",
            help(&[&name, "--help"])?
        ));
    }
    Ok(page)
}

/// The names of the subcommands in clap's help.
fn subcommands(help: &str) -> Vec<String> {
    let list = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let list = list.take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    names.map(str::to_owned).collect()
}

/// Fails if a link in `docs/`, README.md and their neighbours leads to a file or a heading that is not there.
pub fn check_links() -> Result {
    let mut pages: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut folders = vec![root(), root().join("docs")];
    while let Some(folder) = folders.pop() {
        let failed = |error: std::io::Error| format!("{}: {error}", folder.display());
        for entry in std::fs::read_dir(&folder).map_err(failed)? {
            let path = entry.map_err(failed)?.path();
            if path.is_dir() && folder != root() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                let text = std::fs::read_to_string(&path).map_err(failed)?;
                pages.insert(path, text);
            }
        }
    }
    for (path, text) in &pages {
        for link in links(text) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let at = path.parent().unwrap_or(path).join(file);
            let to = if file.is_empty() {
                path.clone()
            } else {
                clean(&at)
            };
            // Made when the site is built.
            if to.ends_with(Path::new("docs").join(COMMANDS)) {
                continue;
            }
            let shown = path
                .strip_prefix(root())
                .unwrap_or(path)
                .display()
                .to_string();
            if !to.exists() {
                return Err(format!("{shown}: the link {link} leads nowhere"));
            }
            let has = |page: &String| headings(page).any(|name| name == heading);
            if !heading.is_empty() && !pages.get(&to).is_some_and(has) {
                return Err(format!(
                    "{shown}: the link {link} names a heading that is not there"
                ));
            }
        }
    }
    Ok(())
}

/// The targets of a page's links within the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    let targets = prose.flat_map(|part| part.split("](").skip(1));
    let targets = targets.filter_map(|rest| rest.split([')', ' ']).next());
    targets.filter(|target| !target.contains("://") && !target.is_empty())
}

/// The names of a page's headings in links.
fn headings(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().filter(|line| line.starts_with('#'));
    lines.map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title
            .chars()
            .filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
        kept.map(|letter| if letter == ' ' { '-' } else { letter })
            .collect()
    })
}

/// A path without `..` in it.
fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::ParentDir => drop(cleaned.pop()),
            std::path::Component::CurDir => {}
            part => cleaned.push(part),
        }
    }
    cleaned
}

fn copy(from: &Path, to: &Path) -> Result {
    let failed = |error: std::io::Error| format!("{}: {error}", from.display());
    std::fs::create_dir_all(to).map_err(failed)?;
    for entry in std::fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let to = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &to)?;
        } else {
            std::fs::copy(&path, &to).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_headings_are_found() {
        let text = "# A *first* page\n[a](b.md#c-d), ![p](p.png \"t\"), [web](https://example.org)\n```\n[no](no.md)\n```\n[d](#a-first-page)";
        let found: Vec<&str> = links(text).collect();
        assert_eq!(found, ["b.md#c-d", "p.png", "#a-first-page"]);
        assert_eq!(headings(text).next().unwrap(), "a-first-page");
    }

    #[test]
    fn every_link_leads_somewhere() {
        check_links().unwrap();
    }

    #[test]
    fn subcommands_are_listed() {
        let help = "Reads\n\nCommands:\n  info   Show\n         more\n  check  Report\n  help   Print\n\nOptions:\n";
        assert_eq!(subcommands(help), ["info", "check"]);
    }
}
