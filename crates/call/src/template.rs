//! Text with placeholders, which the host fills in last.

use std::fmt;

use manifest_core::percent;

use serde::{Deserialize, Serialize};

/// A text with placeholders for the values of variables.
///
/// A plan never contains the value of a variable, only its name. So a plan can be printed,
/// stored and sent.
///
/// ```
/// use toolglot_call::{PlaceholderPosition, Template};
///
/// let mut header = Template::from("Bearer ");
/// header.push_placeholder("STRIPE_KEY", PlaceholderPosition::Header);
/// assert_eq!(header.to_string(), "Bearer ${STRIPE_KEY}");
/// let filled = header.fill(&|name| (name == "STRIPE_KEY").then_some("sk_1"));
/// assert_eq!(filled.as_deref(), Ok("Bearer sk_1"));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "SerializedTemplate", into = "SerializedTemplate")]
pub struct Template {
    parts: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum Piece {
    Text(String),
    Placeholder { variable: String, at: PlaceholderPosition },
}

/// The position of a placeholder, which decides how its value is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum PlaceholderPosition {
    /// An argument of a program, or a body. The value is written as it is.
    Plain,
    /// A path or a query. The value is percent-encoded, and must not be empty.
    Url,
    /// A part of a host name. The value must not be empty, and must not need
    /// percent-encoding.
    Host,
    /// The value of a header. The value must be printable ASCII without blanks at its ends.
    Header,
}

/// The serialised form of a template: a plain string if there is no placeholder.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum SerializedTemplate {
    Text(String),
    Parts(Vec<Piece>),
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Template {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Template".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        SerializedTemplate::json_schema(generator)
    }
}

impl From<SerializedTemplate> for Template {
    fn from(written: SerializedTemplate) -> Self {
        match written {
            SerializedTemplate::Text(text) => Self::from(text),
            SerializedTemplate::Parts(parts) => Self { parts },
        }
    }
}

impl From<Template> for SerializedTemplate {
    fn from(template: Template) -> Self {
        match template.fixed_text() {
            Some(text) => Self::Text(text),
            None => Self::Parts(template.parts),
        }
    }
}

impl From<&str> for Template {
    fn from(text: &str) -> Self {
        Self::from(text.to_owned())
    }
}

impl From<String> for Template {
    fn from(text: String) -> Self {
        Self { parts: if text.is_empty() { Vec::new() } else { vec![Piece::Text(text)] } }
    }
}

/// The error for a text that cannot be filled. Only [`Url`](Self::Url) may contain a value,
/// as a part of the URL.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FillError {
    /// A variable has no value.
    Missing(String),
    /// The value of a variable is not allowed in this position.
    InvalidValue(String, &'static str),
    /// No request can be sent to the filled URL.
    Url(String),
    /// A header of this name is not for a manifest to set.
    Header(String),
    /// An argument contains a NUL, which no program can be given.
    Nul,
}

impl fmt::Display for FillError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(name) => write!(f, "{name} has no value"),
            Self::InvalidValue(name, why) => write!(f, "the value of {name} {why}"),
            Self::Url(why) => f.write_str(why),
            Self::Header(name) => write!(f, "{name} is not for a manifest to set"),
            Self::Nul => f.write_str("an argument holds a NUL"),
        }
    }
}

impl std::error::Error for FillError {}

impl Template {
    /// Appends a text.
    pub fn push_text(&mut self, text: &str) {
        match self.parts.last_mut() {
            _ if text.is_empty() => {}
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.parts.push(Piece::Text(text.to_owned())),
        }
    }

    /// Appends a placeholder for the value of a variable.
    pub fn push_placeholder(&mut self, variable: &str, at: PlaceholderPosition) {
        self.parts.push(Piece::Placeholder { variable: variable.to_owned(), at });
    }

    /// Appends another template with its placeholders.
    pub fn append(&mut self, other: Self) {
        for part in other.parts {
            match part {
                Piece::Text(text) => self.push_text(&text),
                hole @ Piece::Placeholder { .. } => self.parts.push(hole),
            }
        }
    }

    /// Returns true if the template contains a placeholder.
    pub fn has_placeholder(&self) -> bool {
        self.variables().next().is_some()
    }

    /// Returns the variables that the template needs, in order.
    pub fn variables(&self) -> impl Iterator<Item = &str> {
        self.parts.iter().filter_map(|part| match part {
            Piece::Text(_) => None,
            Piece::Placeholder { variable, .. } => Some(variable.as_str()),
        })
    }

    /// Returns the whole text if there is no placeholder.
    pub fn fixed_text(&self) -> Option<String> {
        (!self.has_placeholder()).then(|| self.to_string())
    }

    /// Checks that the whole text is allowed in a position, including the parts that its
    /// author wrote. Values are checked when they are filled in.
    pub fn check(&self, at: PlaceholderPosition) -> Result<(), &'static str> {
        let shown = self.to_string();
        match at {
            PlaceholderPosition::Plain if shown.contains('\0') => {
                Err("an argument must not hold a NUL")
            }
            PlaceholderPosition::Header if !is_header_value(&shown) => {
                Err("a header takes printable ASCII without blanks at its ends")
            }
            PlaceholderPosition::Plain
            | PlaceholderPosition::Header
            | PlaceholderPosition::Url
            | PlaceholderPosition::Host => Ok(()),
        }
    }

    /// Returns the text with its values, which only the program or server should see. Fails
    /// if a value is missing or not allowed in its position.
    pub fn fill<'v>(&self, value: &dyn Fn(&str) -> Option<&'v str>) -> Result<String, FillError> {
        let mut out = String::new();
        for part in &self.parts {
            match part {
                Piece::Text(text) => out.push_str(text),
                Piece::Placeholder { variable, at } => {
                    let value =
                        value(variable).ok_or_else(|| FillError::Missing(variable.clone()))?;
                    match at.encode(value) {
                        Ok(encoded) => out.push_str(&encoded),
                        Err(why) => return Err(FillError::InvalidValue(variable.clone(), why)),
                    }
                }
            }
        }
        Ok(out)
    }
}

impl PlaceholderPosition {
    /// Returns a value as it is written in this position, or the reason why it is not
    /// allowed.
    pub(crate) fn encode(self, value: &str) -> Result<String, &'static str> {
        match self {
            Self::Plain if value.contains('\0') => Err("holds a NUL"),
            Self::Header if !is_header_value(value) => {
                Err("is not printable ASCII without blanks at its ends, which a header takes")
            }
            Self::Url if value.is_empty() => Err("is empty, and would leave a segment out"),
            Self::Url => Ok(percent::encode_segment(value)),
            Self::Host if value.is_empty() || percent::encode_segment(value) != value => {
                Err("cannot be a part of a host name")
            }
            Self::Plain | Self::Header | Self::Host => Ok(value.to_owned()),
        }
    }
}

/// Returns true if a text can be sent as the value of a header.
fn is_header_value(value: &str) -> bool {
    value.bytes().all(|b| matches!(b, b' '..=b'~' | b'\t')) && value.trim() == value
}

/// Shows placeholders as `${NAME}`.
impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                Piece::Text(text) => f.write_str(text)?,
                Piece::Placeholder { variable, .. } => write!(f, "${{{variable}}}")?,
            }
        }
        Ok(())
    }
}
