//! Environment variables that the user provides.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::decode;

/// An environment variable to collect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EnvVar<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// The text that asks the user for the value.
    pub prompt: Text<'a>,
    /// True if the value is secret.
    pub secret: bool,
    /// Whether the tool needs the variable. Absent means `true`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// ECMAScript pattern that the value must match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_regex: Option<Text<'a>>,
    /// The value if the user gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Text<'a>>,
    /// The URL where a user gets a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<Text<'a>>,
}

impl<'a> EnvVar<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let names =
            ["name", "prompt", "secret", "required", "validation_regex", "default", "obtain_url"];
        let [name, prompt, secret, required, regex, default, obtain_url] =
            decode::members(node, &names)?;
        Some(Self {
            name: name?.text()?,
            prompt: prompt?.text()?,
            secret: secret?.bool()?,
            required: decode::optional(required, Node::bool)?,
            validation_regex: decode::text(regex)?,
            default: decode::text(default)?,
            obtain_url: decode::text(obtain_url)?,
        })
    }

    /// Returns true if the tool needs the variable.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(true)
    }
}
