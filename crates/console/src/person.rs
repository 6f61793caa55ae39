//! The person at the terminal, if there is one.

use std::io::{IsTerminal, Write, stderr, stdin};

use crate::terminal::Terminal;

/// Whether somebody reads what is said, and can answer.
pub fn is_there() -> bool {
    stdin().is_terminal() && stderr().is_terminal()
}

/// Whether they say yes. Where there is nobody, nobody does.
pub fn says_yes(question: &str, terminal: &Terminal) -> bool {
    if !is_there() {
        return false;
    }
    let answer = answers(&format!("{question} [y/N] "), terminal);
    matches!(answer.as_deref().map(str::trim), Some("y" | "Y" | "yes"))
}

/// The line that they answer with. Nothing, at the end of their input.
pub fn answers(question: &str, terminal: &Terminal) -> Option<String> {
    terminal.say(question);
    stderr().flush().ok()?;
    let mut line = String::new();
    // Input that cannot be read is at its end.
    let read = stdin().read_line(&mut line).is_ok_and(|count| count > 0);
    read.then(|| line.trim_end_matches(['\r', '\n']).to_owned())
}
