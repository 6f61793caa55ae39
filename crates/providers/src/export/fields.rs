//! Writes JSON objects member by member.

use json_text::{quote, quote_into};
use manifest_core::ToolDescriptor;

/// An object that is being written.
#[derive(Default)]
pub(crate) struct ObjectText(String);

impl ObjectText {
    /// Adds a member whose value is JSON already.
    pub(crate) fn json(&mut self, name: &str, value: &str) {
        self.0.push(if self.0.is_empty() { '{' } else { ',' });
        quote_into(name, &mut self.0);
        self.0.push(':');
        self.0.push_str(value);
    }

    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.json(name, &quote(value));
    }

    pub(super) fn optional_text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    pub(super) fn flag(&mut self, name: &str, value: bool) {
        self.json(name, if value { "true" } else { "false" });
    }

    pub(crate) fn finish(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        self.0
    }
}

/// Returns the text for the model: the description or, if that is missing or blank, the
/// summary.
pub(super) fn description<'t>(tool: &'t ToolDescriptor<'_>) -> Option<&'t str> {
    let texts = [&tool.description, &tool.summary];
    let mut texts = texts.into_iter().flatten().map(|text| text.value.as_ref());
    texts.find(|text: &&str| !text.trim().is_empty())
}
