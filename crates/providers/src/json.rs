//! Writes JSON.

use json_text::{quote, quote_into};

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

    pub(crate) fn optional_text(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.text(name, value);
        }
    }

    pub(crate) fn flag(&mut self, name: &str, value: bool) {
        self.json(name, if value { "true" } else { "false" });
    }

    pub(crate) fn finish(mut self) -> String {
        self.0.push_str(if self.0.is_empty() { "{}" } else { "}" });
        self.0
    }
}

/// Writes the comma before an element or a member, unless it is the first.
pub(crate) fn write_comma(index: usize, out: &mut String) {
    if index > 0 {
        out.push(',');
    }
}

/// Writes a list of JSON texts.
pub(crate) fn write_list(items: &[impl AsRef<str>], out: &mut String) {
    out.push('[');
    for (index, item) in items.iter().enumerate() {
        write_comma(index, out);
        out.push_str(item.as_ref());
    }
    out.push(']');
}

/// Writes a list of strings.
pub(crate) fn write_strings(strings: impl IntoIterator<Item = impl AsRef<str>>, out: &mut String) {
    out.push('[');
    for (index, string) in strings.into_iter().enumerate() {
        write_comma(index, out);
        quote_into(string.as_ref(), out);
    }
    out.push(']');
}
