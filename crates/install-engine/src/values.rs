//! Values that may be secret, and are masked wherever they are printed.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

/// Text that may hold secrets.
///
/// [`expose`](Self::expose) gives the text. Everything else, printing,
/// debugging and serialising, shows it with the secrets masked.
///
/// ```
/// use install_engine::env::Sensitive;
///
/// let token = Sensitive::secret("hunter2");
/// assert_eq!(token.expose(), "hunter2");
/// assert_eq!(token.to_string(), "<secret, 7 chars>");
/// assert_eq!(format!("{token:?}"), "\"<secret, 7 chars>\"");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Sensitive {
    text: String,
    /// The text as it may be seen, when that differs.
    shown: Option<String>,
}

impl Sensitive {
    /// Text that everybody may see.
    pub fn public(text: impl Into<String>) -> Self {
        Self { text: text.into(), shown: None }
    }

    /// Text that is a secret as a whole.
    pub fn secret(text: impl Into<String>) -> Self {
        let text = text.into();
        let shown = Some(format!("<secret, {} chars>", text.chars().count()));
        Self { text, shown }
    }

    /// The text itself, secrets and all: for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Whether there is a secret in it.
    pub const fn is_secret(&self) -> bool {
        self.shown.is_some()
    }

    fn shown(&self) -> &str {
        self.shown.as_deref().unwrap_or(&self.text)
    }
}

impl fmt::Display for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.shown())
    }
}

impl fmt::Debug for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.shown())
    }
}

impl Serialize for Sensitive {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.shown())
    }
}

/// The values of environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, Sensitive>);

impl Values {
    /// Sets a value. A second one of the same name takes the place of the first.
    pub fn insert(&mut self, name: impl Into<String>, value: Sensitive) {
        self.0.insert(name.into(), value);
    }

    /// The value of that name.
    pub fn get(&self, name: &str) -> Option<&Sensitive> {
        self.0.get(name)
    }

    /// Names and values, in the order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Sensitive)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}
