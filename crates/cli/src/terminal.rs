//! What people read: standard output, standard error, and colours.
//!
//! Everything that is said goes through [`Terminal::print`] and [`Terminal::say`], which
//! let no secret through. Documents do not: they keep every byte.

use std::io::{self, IsTerminal, Write};

use clap::ValueEnum;
use toolglot::Report;
use toolglot::call::Answer;
use toolglot::core::{SourceText, is_plain, render_from, secret};
use toolglot::json::Position;

/// Why a verb failed. The reason has been shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// A document is invalid, not known, or cannot be converted.
    Invalid,
    /// Wrong usage, or a file that cannot be read or written.
    Trouble,
    /// A call that was not made: not approved, or something is missing.
    Refused,
    /// A call that was made, and failed.
    Failed,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless the environment sets `NO_COLOR`
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

/// The two streams of the program.
pub(crate) struct Terminal {
    out: io::Stdout,
    err: io::Stderr,
    /// Whether standard error is coloured.
    colour: bool,
}

impl Terminal {
    pub(crate) fn new(colour: Colour) -> Self {
        let wanted = || std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
        let (out, err) = (io::stdout(), io::stderr());
        let colour = match colour {
            Colour::Auto => err.is_terminal() && wanted(),
            Colour::Always => true,
            Colour::Never => false,
        };
        Self { out, err, colour }
    }

    /// Text in an ANSI style, when standard error is coloured.
    pub(crate) fn paint(&self, style: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Writes to standard output, without secrets. A reader that has gone away is no
    /// failure.
    pub(crate) fn print(&self, text: &str) -> Result<(), Failure> {
        self.print_bytes(secret::masked(text).as_bytes())
    }

    /// Writes something to standard output that is for this person alone, and for no file.
    pub(crate) fn print_secret(&self, text: &str) {
        if self.out.is_terminal() {
            let _ = self.print_bytes(text.as_bytes());
        }
    }

    /// Writes bytes to standard output, as they are.
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.print_to_reader(bytes).map(|_| ())
    }

    /// Writes bytes to standard output, and says whether anybody reads them.
    fn print_to_reader(&self, bytes: &[u8]) -> Result<bool, Failure> {
        let mut out = self.out.lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => Err(self.trouble(&format!("cannot write to standard output: {error}"))),
        }
    }

    /// Writes a JSON document to standard output, byte for byte. On a terminal,
    /// it is the same JSON value without characters that act on the terminal.
    pub(crate) fn print_document(&self, text: &str) -> Result<(), Failure> {
        self.print_part(text).map(|_| ())
    }

    /// Writes JSON documents to standard output, and says whether anybody reads them.
    pub(crate) fn print_part(&self, text: &str) -> Result<bool, Failure> {
        if self.out.is_terminal() {
            return self.print_to_reader(escape_json(text).as_bytes());
        }
        self.print_to_reader(text.as_bytes())
    }

    /// Writes the answer of a tool to standard output: as it is, and on a terminal without
    /// characters that act on it.
    pub(crate) fn print_answer(&self, answer: Answer) -> Result<(), Failure> {
        match answer.text() {
            Some(text) if self.out.is_terminal() => {
                self.print_bytes(escape_json(&with_line_end(text)).as_bytes())
            }
            Some(text) => self.print_bytes(with_line_end(text).as_bytes()),
            None => self.print_bytes(&answer.into_bytes()),
        }
    }

    /// Writes to standard error, without secrets.
    pub(crate) fn say(&self, text: &str) {
        // Nobody is left to tell when this fails.
        let _ = self.err.lock().write_all(secret::masked(text).as_bytes());
    }

    /// Says how many remarks the texts of a file deserve, if they deserve any.
    pub(crate) fn warn_of_texts(&self, file: &str, remarks: usize) {
        if remarks > 0 {
            let what = if remarks == 1 { "a remark" } else { "remarks" };
            self.say(&format!(
                "warning: the texts of {file} deserve {what}: see `toolglot lint {file}`\n"
            ));
        }
    }

    /// Shows what is being done, when somebody is looking. The next text takes its
    /// place; nothing clears it.
    pub(crate) fn progress(&self, text: &str) {
        if self.err.is_terminal() {
            self.say(&format!("\r\u{1b}[2K{text}"));
        }
    }

    /// Says what went wrong.
    pub(crate) fn error(&self, message: &str) {
        let head = self.paint("1;31", "error");
        self.say(&format!("{head}: {message}\n"));
    }

    /// Says what went wrong with the usage, or with a file.
    #[must_use]
    pub(crate) fn trouble(&self, message: &str) -> Failure {
        self.error(message);
        Failure::Trouble
    }

    /// Shows diagnostics, with the text that they are about.
    pub(crate) fn show(&self, report: &Report, source: Option<&SourceText<'_>>) {
        self.show_from(report, source, Position { line: 1, column: 1 });
    }

    /// Shows diagnostics about a text that begins at some place of a longer one.
    pub(crate) fn show_from(
        &self,
        report: &Report,
        source: Option<&SourceText<'_>>,
        start: Position,
    ) {
        for diagnostic in &report.diagnostics {
            self.say(&format!("{}\n", render_from(diagnostic, source, start, self.colour)));
        }
        if report.left_out > 0 {
            self.say(&format!("… and {} more\n\n", report.left_out));
        }
    }
}

/// A text that ends its line.
pub(crate) fn with_line_end(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The same JSON value in characters that show as themselves.
///
/// What is not plain can only stand inside strings, where an escape means the
/// same, except for white space between values.
pub(crate) fn escape_json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => out.push(c),
            '\r' => {}
            c if is_plain(c) => out.push(c),
            c => {
                let mut units = [0; 2];
                let units = c.encode_utf16(&mut units).iter();
                out.extend(units.map(|unit| format!("\\u{unit:04x}")));
            }
        }
    }
    out
}

/// A report of one diagnostic.
pub(crate) fn report_of(diagnostic: toolglot::Diagnostic) -> Report {
    let mut report = Report::new(toolglot::Profile::Spec, 1);
    report.push(diagnostic);
    report
}

#[cfg(test)]
mod tests {
    use super::escape_json;

    #[test]
    fn a_terminal_gets_the_same_value_in_plain_characters() {
        let text = "{\r\n\t\"a\": \"\u{9b}2J \u{202e}x\u{7f} \u{e0041} é 🚀\"\r}";
        let escaped = "{\n\t\"a\": \"\\u009b2J \\u202ex\\u007f \\udb40\\udc41 é 🚀\"}";
        assert_eq!(escape_json(text), escaped);
        assert_eq!(escape_json(escaped), escaped);
        let value = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(text), value(escaped));
    }
}
