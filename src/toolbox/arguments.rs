//! The arguments of a call, in the forms that hosts have them in.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

/// Arguments as a model sent them: JSON as text, a JSON value, or a map.
///
/// A JSON value may also be a string with the arguments as text, because chat completions
/// send them so. An empty text and `null` are no arguments.
pub trait ToolArguments: sealed::Sealed {
    /// Returns the arguments as JSON.
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error>;
}

mod sealed {
    pub trait Sealed {}
}

impl<T: ToolArguments + ?Sized> sealed::Sealed for &T {}
impl<T: ToolArguments + ?Sized> ToolArguments for &T {
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        (**self).to_json()
    }
}

impl sealed::Sealed for str {}
impl ToolArguments for str {
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        Ok(Cow::Borrowed(self))
    }
}

impl sealed::Sealed for String {}
impl ToolArguments for String {
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        Ok(Cow::Borrowed(self))
    }
}

impl sealed::Sealed for Value {}
impl ToolArguments for Value {
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        match self {
            Self::Null => Ok(Cow::Borrowed("")),
            Self::String(text) => Ok(Cow::Borrowed(text)),
            _ => serde_json::to_string(self).map(Cow::Owned),
        }
    }
}

impl sealed::Sealed for Map<String, Value> {}
impl ToolArguments for Map<String, Value> {
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        serde_json::to_string(self).map(Cow::Owned)
    }
}

impl<V: Serialize> sealed::Sealed for BTreeMap<String, V> {}
impl<V: Serialize> ToolArguments for BTreeMap<String, V> {
    fn to_json(&self) -> Result<Cow<'_, str>, serde_json::Error> {
        serde_json::to_string(self).map(Cow::Owned)
    }
}
