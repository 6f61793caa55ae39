//! Output for people: standard output, standard error, and colours.
//!
//! [`Terminal::print`] and [`Terminal::status`] mask secrets. Documents are not masked: in
//! files and pipes they keep every byte.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use clap::ValueEnum;
use toolglot::Report;
use toolglot::call::Answer;
use toolglot::core::{SourceText, is_plain, render_from, secret};
use toolglot::json::Position;

use crate::terminal::flags;

/// The maximum number of times that the same advice is shown.
const MAX_REPEATED: usize = 3;

/// The reason why a verb failed. Its message has already been shown. Later variants are
/// worse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// A document is invalid, in an unknown format, or cannot be converted.
    Invalid,
    /// The usage is wrong, or a file cannot be read or written.
    Usage,
    /// A call was not made, because it was not approved or something is missing.
    Refused,
    /// A call was made and failed.
    Failed,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Colour {
    /// On a terminal, unless `NO_COLOR`, `CLICOLOR=0` or `TERM=dumb` is set; with
    /// `CLICOLOR_FORCE`, everywhere
    Auto,
    /// Also in files and pipes
    Always,
    /// Nowhere
    Never,
}

/// Standard output and standard error.
pub(crate) struct Terminal {
    out: io::Stdout,
    err: io::Stderr,
    /// True if standard error is coloured.
    colour: bool,
    /// The buffered output. `None` if output is written at once.
    buffer: Option<Mutex<Buffered>>,
}

/// Buffered output in its order.
type Buffered = Vec<(Stream, Vec<u8>)>;

#[derive(Clone, Copy)]
enum Stream {
    Out,
    Err,
}

impl Terminal {
    /// Creates a terminal for the streams of this process.
    pub(crate) fn new(colour: Colour) -> Self {
        let (out, err) = (io::stdout(), io::stderr());
        let colour = match colour {
            Colour::Auto => wants_colour(|name| std::env::var(name).ok(), err.is_terminal()),
            Colour::Always => true,
            Colour::Never => false,
        };
        Self { out, err, colour, buffer: None }
    }

    /// Creates a terminal that buffers its output until it is [released](Self::release).
    #[must_use]
    pub(crate) fn buffered(&self) -> Self {
        let kept = Some(Mutex::default());
        Self { out: io::stdout(), err: io::stderr(), colour: self.colour, buffer: kept }
    }

    /// Writes the output that another terminal has buffered.
    pub(crate) fn release(&self, other: Self) -> Result<(), Failure> {
        let Some(buffer) = other.buffer else { return Ok(()) };
        // After a panic, the output before it is still worth showing.
        for (stream, bytes) in buffer.into_inner().unwrap_or_else(PoisonError::into_inner) {
            match stream {
                Stream::Out => self.print_bytes(&bytes)?,
                // There is no other stream to report this error to.
                Stream::Err => drop(self.err.lock().write_all(&bytes)),
            }
        }
        Ok(())
    }

    /// Buffers some output. Returns false if this terminal does not buffer.
    fn push_buffered(&self, stream: Stream, bytes: &[u8]) -> bool {
        let Some(kept) = &self.buffer else { return false };
        kept.lock().unwrap_or_else(PoisonError::into_inner).push((stream, bytes.to_vec()));
        true
    }

    /// Returns text in an ANSI style if standard error is coloured, otherwise as it is.
    pub(crate) fn paint(&self, style: &str, text: &str) -> String {
        if self.colour { format!("\u{1b}[{style}m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Writes to standard output, and masks secrets. Succeeds even if the reader has gone
    /// away.
    pub(crate) fn print(&self, text: &str) -> Result<(), Failure> {
        self.print_bytes(secret::mask(text).as_bytes())
    }

    /// Writes a secret to standard output if that is a terminal. Otherwise writes nothing,
    /// so that it reaches no file.
    pub(crate) fn print_secret(&self, text: &str) {
        if self.out.is_terminal() {
            let _ = self.print_bytes(text.as_bytes());
        }
    }

    /// Writes bytes to standard output, as they are.
    pub(crate) fn print_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.print_to_reader(bytes).map(|_| ())
    }

    /// Writes bytes to standard output. Returns false if the reader has gone away.
    fn print_to_reader(&self, bytes: &[u8]) -> Result<bool, Failure> {
        if self.push_buffered(Stream::Out, bytes) {
            return Ok(true);
        }
        let mut out = self.out.lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(false),
            Err(error) => {
                Err(self.usage_error(&format!("cannot write to standard output: {error}")))
            }
        }
    }

    /// Writes a JSON document to standard output, byte for byte. On a terminal, escapes
    /// control and invisible characters.
    pub(crate) fn print_document(&self, text: &str) -> Result<(), Failure> {
        self.print_documents(text).map(|_| ())
    }

    /// Writes JSON documents to standard output. Returns false if the reader has gone away.
    pub(crate) fn print_documents(&self, text: &str) -> Result<bool, Failure> {
        if self.out.is_terminal() {
            return self.print_to_reader(escape_json(text).as_bytes());
        }
        self.print_to_reader(text.as_bytes())
    }

    /// Writes the answer of a tool to standard output. On a terminal, escapes control and
    /// invisible characters in text.
    pub(crate) fn print_answer(&self, answer: Answer) -> Result<(), Failure> {
        match answer.text() {
            Some(text) if self.out.is_terminal() => {
                self.print_bytes(escape_json(&with_line_end(text)).as_bytes())
            }
            Some(text) => self.print_bytes(with_line_end(text).as_bytes()),
            None => self.print_bytes(&answer.into_bytes()),
        }
    }

    /// Writes to standard error, and masks secrets.
    pub(crate) fn status(&self, text: &str) {
        let masked = secret::mask(text);
        if !self.push_buffered(Stream::Err, masked.as_bytes()) {
            // There is no other stream to report this error to.
            let _ = self.err.lock().write_all(masked.as_bytes());
        }
    }

    /// Warns of suspicious texts in a file, if `remarks` is not zero.
    pub(crate) fn warn_of_texts(&self, file: &str, remarks: usize) {
        if remarks > 0 {
            let what = if remarks == 1 { "a remark" } else { "remarks" };
            self.status(&format!(
                "warning: the texts of {file} deserve {what}: see `toolglot lint {file}`\n"
            ));
        }
    }

    /// Shows progress if standard error is a terminal. The next text replaces it, and an
    /// empty text clears it.
    pub(crate) fn progress(&self, text: &str) {
        if self.err.is_terminal() {
            self.status(&format!("\r\u{1b}[2K{text}"));
        }
    }

    /// Writes an error message.
    pub(crate) fn error(&self, message: &str) {
        let head = self.paint("1;31", "error");
        self.status(&format!("{head}: {message}\n"));
    }

    /// Writes an error message about the usage or a file, and returns the failure.
    #[must_use]
    pub(crate) fn usage_error(&self, message: &str) -> Failure {
        self.error(message);
        Failure::Usage
    }

    /// Writes an error message about a document, and returns the failure.
    #[must_use]
    pub(crate) fn document_error(&self, message: &str) -> Failure {
        self.error(message);
        Failure::Invalid
    }

    /// Shows diagnostics, with the source lines that they point to.
    pub(crate) fn show(&self, report: &Report, source: Option<&SourceText<'_>>) {
        self.show_from(report, source, Position { line: 1, column: 1 });
    }

    /// Shows diagnostics about a text that begins at `start` in a longer one.
    pub(crate) fn show_from(
        &self,
        report: &Report,
        source: Option<&SourceText<'_>>,
        start: Position,
    ) {
        // Repeated advice is shown at most `MAX_REPEATED` times.
        let mut advice: BTreeMap<&str, usize> = BTreeMap::new();
        for diagnostic in &report.diagnostics {
            if !diagnostic.is_error() {
                let count = advice.entry(diagnostic.rule.code).or_default();
                *count += 1;
                if *count > MAX_REPEATED {
                    continue;
                }
            }
            let diagnostic = flags::with_flags(diagnostic);
            self.status(&format!("{}\n", render_from(&diagnostic, source, start, self.colour)));
        }
        for (code, count) in advice.into_iter().filter(|(_, count)| *count > MAX_REPEATED) {
            let more = count - MAX_REPEATED;
            let all = "`toolglot validate --format json` lists them all";
            self.status(&format!("… and {more} more of {code}: {all}\n\n"));
        }
        if report.left_out > 0 {
            self.status(&format!("… and {} more\n\n", report.left_out));
        }
    }
}

/// Returns true if the output is to be coloured. `NO_COLOR` forbids it and `CLICOLOR_FORCE`
/// forces it. Otherwise a terminal has colour, unless `CLICOLOR` is 0 or `TERM` is `dumb`.
fn wants_colour(variable: impl Fn(&str) -> Option<String>, is_terminal: bool) -> bool {
    let is_set = |name: &str| variable(name).is_some_and(|value| !value.is_empty());
    if is_set("NO_COLOR") {
        return false;
    }
    if variable("CLICOLOR_FORCE").is_some_and(|value| !value.is_empty() && value != "0") {
        return true;
    }
    let plain = variable("TERM").is_some_and(|kind| kind == "dumb");
    is_terminal && !plain && variable("CLICOLOR").is_none_or(|value| value != "0")
}

/// Adds a line end if the text lacks one and is not empty.
pub(crate) fn with_line_end(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Escapes the control and invisible characters of JSON.
///
/// Inside strings, an escape means the same character. Outside of them there is only white
/// space: line feeds and tabs stay, carriage returns are removed.
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

/// Creates a report of one diagnostic.
pub(crate) fn single_report(diagnostic: toolglot::Diagnostic) -> Report {
    let mut report = Report::new(toolglot::Profile::Spec, 1);
    report.push(diagnostic);
    report
}

#[cfg(test)]
mod tests {
    use super::{escape_json, wants_colour};

    /// Follows <https://no-color.org> and <https://bixense.com/clicolors>.
    #[test]
    fn the_environment_says_whether_there_is_colour() {
        let with = |set: &[(&str, &str)], is_terminal| {
            let value = |name: &str| set.iter().find(|(own, _)| *own == name);
            wants_colour(|name| value(name).map(|(_, value)| (*value).to_owned()), is_terminal)
        };
        assert!(with(&[], true) && !with(&[], false));
        assert!(!with(&[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")], true));
        assert!(with(&[("NO_COLOR", "")], true));
        assert!(with(&[("CLICOLOR_FORCE", "1")], false));
        assert!(!with(&[("CLICOLOR_FORCE", "0")], false));
        assert!(!with(&[("CLICOLOR", "0")], true) && with(&[("CLICOLOR", "1")], true));
        assert!(!with(&[("TERM", "dumb")], true) && with(&[("TERM", "xterm")], true));
    }

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
