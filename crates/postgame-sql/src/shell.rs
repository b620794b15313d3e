//! The interactive shell.

use std::path::PathBuf;

use rustyline::DefaultEditor;
use rustyline::error::ReadlineError;

/// The shell's help.
const HELP: &str = "\
  A query ends with a semicolon and may go over several lines.
  .tables          the tables
  .columns TABLE   a table's columns
  .quit            the end; Ctrl-D too";

/// The path of the history.
fn history() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_STATE_HOME")
        .map(PathBuf::from)
        .or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".local/state")))?
        .join("postgame");
    std::fs::create_dir_all(&folder).ok()?;
    Some(folder.join("sql-history"))
}

/// Reads queries until the end of input, and passes each to a function that also reports its errors.
///
/// # Errors
/// When the terminal cannot be read.
pub fn run(mut answer: impl FnMut(&str)) -> Result<(), ReadlineError> {
    let mut editor = DefaultEditor::new()?;
    let history = history();
    if let Some(history) = &history {
        // The first time there is no history.
        drop(editor.load_history(history));
    }
    let mut query = String::new();
    loop {
        let prompt = if query.is_empty() { "sql> " } else { "...> " };
        let line = match editor.readline(prompt) {
            Ok(line) => line,
            Err(ReadlineError::Interrupted) => {
                query.clear();
                continue;
            }
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error),
        };
        match (query.is_empty(), line.trim()) {
            (true, "") => continue,
            (true, ".quit" | ".exit" | "exit" | "quit") => break,
            (true, ".help") => answer(HELP),
            (true, command) if command.starts_with('.') => match command_query(command) {
                Some(query) => answer(&query),
                None => answer(HELP),
            },
            (_, line) => {
                query.push_str(line);
                query.push('\n');
                if line.ends_with(';') {
                    let whole = query.trim().to_owned();
                    // A history that cannot save a line is still usable.
                    drop(editor.add_history_entry(&whole));
                    if let Some(history) = &history {
                        drop(editor.save_history(history));
                    }
                    answer(&whole);
                    query.clear();
                }
            }
        }
    }
    Ok(())
}

/// True for a request for the help instead of a query.
pub fn is_help(text: &str) -> bool {
    text == HELP
}

/// The query in a command.
fn command_query(command: &str) -> Option<String> {
    let mut words = command.split_whitespace();
    match (words.next()?, words.next()) {
        (".tables", None) => Some(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' ORDER BY 1".to_owned(),
        ),
        (".columns", Some(table)) => Some(format!(
            "SELECT column_name, data_type FROM information_schema.columns WHERE table_name = '{}' \
             ORDER BY ordinal_position",
            table.replace('\'', "''")
        )),
        _ => None,
    }
}
