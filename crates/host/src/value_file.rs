//! Values in a file: a JSON object, or lines of `NAME=value`.

use std::fmt;
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
#[derive(Debug)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is larger than 1 MiB.
    TooLarge,
    /// The file contains the secret of this name, and others can read it or write to it.
    Exposed(String),
    /// This line is not `NAME=value`, or names a variable for a second time.
    Line(usize),
    /// The file is not a JSON object of strings, numbers and booleans.
    Json(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "the file cannot be read: {error}"),
            Self::TooLarge => write!(f, "the file has more than {MAX_FILE_BYTES} bytes"),
            Self::Exposed(name) => write!(
                f,
                "the file has the secret {}, and others can read it or write to it: make it \
                 yours alone with chmod 600",
                quoted(name)
            ),
            Self::Line(line) => {
                write!(f, "line {line} is not NAME=value, or names a variable for a second time")
            }
            Self::Json(why) => write!(f, "the file is no JSON object of values: {why}"),
        }
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
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
        let wrong = FileError::Line(index + 1);
        let Some((name, value)) = line.split_once('=') else { return Err(wrong) };
        let name = name.trim_end();
        let is_name = |name: &str| {
            let mut bytes = name.bytes();
            bytes.next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_')
                && bytes.all(|b| b.is_ascii_alphanumeric() || b == b'_')
        };
        if !is_name(name) || values.has(name) {
            return Err(wrong);
        }
        values.set(name, unquoted(value.trim_start()));
    }
    Ok(values)
}

fn unquoted(value: &str) -> &str {
    let within = |quote| value.strip_prefix(quote).and_then(|rest| rest.strip_suffix(quote));
    within('"').or_else(|| within('\'')).unwrap_or(value)
}
