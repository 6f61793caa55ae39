//! Values in a file: a JSON object, or lines of `NAME=value`.

use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use call::Variable;
use diagnostic::quoted;
use json_text::{Document, Kind};

use crate::values::Values;

/// The largest file that is read, in bytes.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// The reason why a file cannot be used. It never contains a value.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
    /// The file is larger than 1 MiB.
    #[error("the file has more than {MAX_FILE_BYTES} bytes")]
    TooLarge,
    /// The file contains the secret of this name, and others can read it or write to it.
    #[error(
        "the file has the secret {}, and others can read it or write to it: make it yours alone \
         with chmod 600",
        quoted(.0)
    )]
    Exposed(String),
    /// This line is not `NAME=value`, or names a variable for a second time.
    #[error("line {0} is not NAME=value, or names a variable for a second time")]
    Line(usize),
    /// The file is not a JSON object of strings, numbers and booleans.
    #[error("the file is no JSON object of values: {0}")]
    Json(String),
}

impl Values {
    /// Reads the values of these variables from a file.
    ///
    /// The file is a JSON object, or has lines of `NAME=value`. Blank lines and lines that
    /// begin with `#` are skipped, and one pair of quotes around a value is removed. There
    /// is no other syntax. Fails if the file contains a secret and others can access it.
    pub fn from_file(path: &Path, variables: &[Variable]) -> Result<Self, FileError> {
        let mut file = File::open(path)?;
        let about = file.metadata()?;
        let mut text = String::new();
        (&mut file).take(MAX_FILE_BYTES + 1).read_to_string(&mut text)?;
        if text.len() as u64 > MAX_FILE_BYTES {
            return Err(FileError::TooLarge);
        }
        let all = if text.trim_start().starts_with('{') { json(&text)? } else { lines(&text)? };
        let ours = about.uid() == rustix::process::geteuid().as_raw() || about.uid() == 0;
        let is_exposed = about.mode() & 0o077 != 0 || !ours;
        let secret = variables.iter().find(|variable| variable.secret && all.has(&variable.name));
        match secret {
            Some(variable) if is_exposed => Err(FileError::Exposed(variable.name.clone())),
            _ => Ok(all.subset(variables.iter().map(|variable| variable.name.as_str()))),
        }
    }
}

fn json(text: &str) -> Result<Values, FileError> {
    // The message of the diagnostic might quote a value.
    let document = Document::parse(text.as_bytes(), json_text::Limits::default())
        .map_err(|error| FileError::Json(error.rule.summary.to_owned()))?;
    let mut values = Values::new();
    for member in document.root().members() {
        let value = match member.value.kind() {
            Kind::String => member.value.text().unwrap_or_default().into_owned(),
            Kind::Number | Kind::Bool => member.value.raw().to_owned(),
            kind => {
                let name = quoted(&member.name());
                return Err(FileError::Json(format!("{name} is {}", kind.with_article())));
            }
        };
        values.set(&member.name(), value);
    }
    Ok(values)
}

fn lines(text: &str) -> Result<Values, FileError> {
    let mut values = Values::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let Some((name, value)) = line.split_once('=') else {
            return Err(FileError::Line(index + 1));
        };
        let name = name.trim_end();
        if !is_name(name) || values.has(name) {
            return Err(FileError::Line(index + 1));
        }
        values.set(name, unquoted(value.trim_start()));
    }
    Ok(values)
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Removes one pair of quotes.
fn unquoted(value: &str) -> &str {
    for quote in ['"', '\''] {
        if let Some(rest) = value.strip_prefix(quote)
            && let Some(inside) = rest.strip_suffix(quote)
        {
            return inside;
        }
    }
    value
}
