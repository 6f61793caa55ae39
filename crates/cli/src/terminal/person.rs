//! The person at the terminal, if there is one.

use std::io::{IsTerminal, Write, stderr, stdin};

use crate::terminal::console::Terminal;

/// Returns true if a person can read messages and answer.
pub(crate) fn is_present() -> bool {
    stdin().is_terminal() && stderr().is_terminal()
}

/// Asks a question, and returns true if the answer is yes. Returns false if no person is
/// there.
pub(crate) fn confirm(question: &str, terminal: &Terminal) -> bool {
    if !is_present() {
        return false;
    }
    let answer = ask(&format!("{question} [y/N] "), terminal);
    matches!(answer.as_deref().map(str::trim), Some("y" | "Y" | "yes"))
}

/// Asks a question, and returns the answer without its line end. Returns `None` at the end
/// of the input.
pub(crate) fn ask(question: &str, terminal: &Terminal) -> Option<String> {
    terminal.status(question);
    stderr().flush().ok()?;
    let mut line = String::new();
    // Input that cannot be read counts as ended.
    let read = stdin().read_line(&mut line).is_ok_and(|count| count > 0);
    read.then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}
