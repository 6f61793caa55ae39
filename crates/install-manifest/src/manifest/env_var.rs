//! What a tool asks the owner for.

use manifest_core::Text;
use manifest_core::json::Node;
use serde::Serialize;

use super::take;

/// An environment variable to collect.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct EnvVar<'a> {
    /// Its name.
    pub name: Text<'a>,
    /// What to ask the user.
    pub prompt: Text<'a>,
    /// Whether the value is secret.
    pub secret: bool,
    /// Whether the tool needs it. Absent means that it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// ECMAScript pattern of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub validation_regex: Option<Text<'a>>,
    /// The value when the user gives none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Text<'a>>,
    /// Where to get a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<Text<'a>>,
}

impl<'a> EnvVar<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let names =
            ["name", "prompt", "secret", "required", "validation_regex", "default", "obtain_url"];
        let [name, prompt, secret, required, regex, default, obtain_url] =
            take::members(node, &names)?;
        Some(Self {
            name: name?.text()?,
            prompt: prompt?.text()?,
            secret: secret?.bool()?,
            required: take::maybe(required, Node::bool)?,
            validation_regex: take::text(regex)?,
            default: take::text(default)?,
            obtain_url: take::text(obtain_url)?,
        })
    }

    /// Whether the tool needs the variable.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(true)
    }
}
