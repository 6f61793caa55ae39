//! Values of variables. Secret ones are masked when they are printed.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Serialize, Serializer};

/// A text that may be secret.
///
/// [`expose`](Self::expose) returns the text. `Display`, `Debug` and `Serialize` mask it if
/// it is secret.
///
/// ```
/// use toolglot_install_manifest::engine::env::Sensitive;
///
/// let token = Sensitive::secret("hunter2");
/// assert_eq!(token.expose(), "hunter2");
/// assert_eq!(token.to_string(), "<secret, 7 chars>");
/// assert_eq!(format!("{token:?}"), "\"<secret, 7 chars>\"");
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Sensitive {
    text: String,
    /// The masked text, if the text is secret.
    masked: Option<String>,
}

impl Sensitive {
    /// Creates a text that is not secret.
    pub fn public(text: impl Into<String>) -> Self {
        Self { text: text.into(), masked: None }
    }

    /// Creates a secret text.
    pub fn secret(text: impl Into<String>) -> Self {
        let text = text.into();
        let shown = Some(format!("<secret, {} chars>", text.chars().count()));
        Self { text, masked: shown }
    }

    /// Returns the text unmasked, for the one place that needs it.
    pub fn expose(&self) -> &str {
        &self.text
    }

    /// Returns true if the text is secret.
    pub const fn is_secret(&self) -> bool {
        self.masked.is_some()
    }

    fn display_text(&self) -> &str {
        self.masked.as_deref().unwrap_or(&self.text)
    }
}

impl fmt::Display for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.display_text())
    }
}

impl fmt::Debug for Sensitive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.display_text())
    }
}

impl Serialize for Sensitive {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.display_text())
    }
}

/// The values of environment variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<String, Sensitive>);

impl Values {
    /// Sets a value. Replaces an earlier value of the same name.
    pub fn insert(&mut self, name: impl Into<String>, value: Sensitive) {
        self.0.insert(name.into(), value);
    }

    /// Returns the value with this name.
    pub fn get(&self, name: &str) -> Option<&Sensitive> {
        self.0.get(name)
    }

    /// Returns the names and values, sorted by name.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Sensitive)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// Returns true if there are no values.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Values {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(&self.0)
    }
}
