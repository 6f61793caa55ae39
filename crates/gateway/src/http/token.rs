//! The token for the routes that list or call the gateway's tools.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::Path;

use toolglot::core::sha256_hex;

/// The shortest token in characters, and the most bytes that are read from a file.
const MIN_LENGTH: usize = 32;
const MAX_FILE_BYTES: u64 = 512;

/// A token. Only [`Token::reveal`] shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

impl Token {
    /// Creates a token of 256 random bits.
    pub fn random() -> io::Result<Self> {
        Ok(Self(format!("{}{}", disk::random_name()?, disk::random_name()?)))
    }

    /// Reads the token in a file, and creates the file with a new token if it is missing.
    /// Fails if others can access the file.
    pub fn in_file(path: &Path) -> io::Result<Self> {
        match Self::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            read => return read,
        }
        let mut beside = path.as_os_str().to_owned();
        beside.push(format!(".{}", disk::random_name()?));
        let token = Self::random()?;
        let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
        let written = file.write_all(format!("{}\n", token.0).as_bytes());
        // A hard link makes the file appear complete, and does not replace a file that
        // another process has created meanwhile.
        let made =
            written.and_then(|()| file.sync_all()).and_then(|()| fs::hard_link(&beside, path));
        let _ = fs::remove_file(&beside);
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Self::read(path),
            made => made.map(|()| token),
        }
    }

    fn read(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let about = file.metadata()?;
        if !about.is_file() {
            return Err(unusable("it is no file"));
        }
        if about.mode() & 0o077 != 0 {
            return Err(unusable("others can reach it: make it yours alone with chmod 600"));
        }
        let mut text = String::new();
        file.take(MAX_FILE_BYTES).read_to_string(&mut text)?;
        let text = text.trim();
        let is_plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_'));
        if text.len() < MIN_LENGTH || !is_plain {
            return Err(unusable(
                "a token has at least 32 letters, digits, - and _: remove the file for a new one",
            ));
        }
        Ok(Self(text.to_owned()))
    }

    /// Returns the token itself, for its owner.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns true if a text is the token. The time that this takes reveals nothing about
    /// the token.
    pub(super) fn matches(&self, text: &str) -> bool {
        let (given, ours) = (sha256_hex(text.as_bytes()), sha256_hex(self.0.as_bytes()));
        let differences = given.bytes().zip(ours.bytes()).fold(0, |all, (a, b)| all | (a ^ b));
        differences == 0 && given.len() == ours.len()
    }
}

fn unusable(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, message)
}
