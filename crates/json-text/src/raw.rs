//! JSON values that are kept as text.

use std::borrow::Cow;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Document, Node, Number};
use crate::Limits;
use diagnostic::{Diagnostic, ok_or_bug};

/// A JSON value kept exactly as written, for example an embedded schema or a member that
/// the specification does not define.
///
/// ```
/// use toolglot_json_text::Raw;
///
/// let raw = Raw::parse(r#"{"maximum": 1e2}"#)?;
/// assert_eq!(serde_json::to_string(&[&raw])?, r#"[{"maximum": 1e2}]"#);
/// // Two of them are equal if they are the same value, however they are written.
/// assert_eq!(raw, Raw::parse(r#"{ "maximum": 100 }"#)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Raw<'a>(Cow<'a, str>);

impl<'a> Raw<'a> {
    /// Checks that a text is one JSON value within the default limits.
    pub fn parse(text: &'a str) -> Result<Self, Diagnostic> {
        let document = Document::parse(text.as_bytes(), Limits::default())?;
        Ok(Self(Cow::Borrowed(document.root().span().slice(text))))
    }

    /// Returns the text of a value in a document.
    pub fn from_node(node: Node<'a>) -> Self {
        Self(Cow::Borrowed(node.raw()))
    }

    /// Wraps a literal of the program, which must be JSON.
    pub const fn from_static(text: &'static str) -> Self {
        Self(Cow::Borrowed(text))
    }

    /// Wraps a text that this library has built and that is therefore known to be JSON.
    pub const fn from_trusted(text: String) -> Self {
        Self(Cow::Owned(text))
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Parses the value. Returns `None` if a [built](Self::from_trusted) or
    /// [literal](Self::from_static) text is not JSON. That is a bug, so a debug build panics.
    ///
    /// ```
    /// use toolglot_json_text::Raw;
    ///
    /// let raw = Raw::parse(r#"{"maximum": 1e2}"#)?;
    /// assert!(raw.document().is_some_and(|value| value.root().get("maximum").is_some()));
    /// # Ok::<(), diagnostic::Diagnostic>(())
    /// ```
    pub fn document(&self) -> Option<Document<'_>> {
        ok_or_bug(Document::parse(self.0.as_bytes(), Limits::none()))
    }

    /// Returns the same value with its own copy of the text.
    pub fn into_owned(self) -> Raw<'static> {
        Raw(Cow::Owned(self.0.into_owned()))
    }
}

impl PartialEq for Raw<'_> {
    fn eq(&self, other: &Self) -> bool {
        let same = |(own, other): (Document<'_>, Document<'_>)| own.root().same_value(other.root());
        self.0 == other.0 || self.document().zip(other.document()).is_some_and(same)
    }
}

impl Eq for Raw<'_> {}

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_verbatim(&self.0, serializer)
    }
}

impl<'de> Deserialize<'de> for Raw<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        // `serde_json` accepts duplicate keys and lone surrogates.
        Document::parse(raw.get().as_bytes(), Limits::none()).map_err(serde::de::Error::custom)?;
        Ok(Self(Cow::Owned(String::from(Box::<str>::from(raw)))))
    }
}

/// Deserializes an optional member that may be `null`: `null` becomes `Some`, so that it
/// differs from a missing member.
pub fn deserialize_present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

impl Serialize for Number<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_verbatim(self.as_str(), serializer)
    }
}

impl<'de> Deserialize<'de> for Number<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        Number::parse(raw.get())
            .map(Number::into_owned)
            .ok_or_else(|| serde::de::Error::custom("expected a number"))
    }
}

fn serialize_verbatim<S: Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    let raw: &RawValue = serde_json::from_str(text).map_err(serde::ser::Error::custom)?;
    raw.serialize(serializer)
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Raw<'_> {
    fn schema_name() -> Cow<'static, str> {
        "AnyJson".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!(true)
    }
}

#[cfg(feature = "schemars")]
impl schemars::JsonSchema for Number<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Number".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "number" })
    }
}
