//! Templates: text with `${…}` in it.
//!
//! Actions refer to their input and to environment variables as `${input.path}` and
//! `${env.NAME}`. Smoke tests, which are older, refer to variables as `${NAME}`. Both are
//! parsed completely before any value is filled in. A `${` that is not a reference is an
//! error, and is never passed on as text.
//!
//! ```
//! use manifest_core::template::{TemplatePart, parse};
//!
//! let parts = parse("--to=${input.to.name}")?;
//! assert_eq!(parts, [TemplatePart::Text("--to="), TemplatePart::Input("to.name")]);
//! assert!(parse("${input.to").is_err());
//! # Ok::<(), manifest_core::template::TemplateError>(())
//! ```

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // the grammar is complete
pub enum TemplatePart<'t> {
    /// Text that stays as it is.
    Text(&'t str),
    /// A value of the input: property names, with dots between them.
    Input(&'t str),
    /// The value of an environment variable.
    Env(&'t str),
}

/// The error for a `${` that is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TemplateError {
    /// The offset of the `${` in bytes.
    pub offset: usize,
    /// The reason why it is not a reference.
    pub reason: &'static str,
}

impl std::fmt::Display for TemplateError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"${{\" at byte {}: {}", self.offset, self.reason)
    }
}

impl std::error::Error for TemplateError {}

/// Parses a template of an action: `${input.path}` and `${env.NAME}`.
pub fn parse(template: &str) -> Result<Vec<TemplatePart<'_>>, TemplateError> {
    parts(template).collect()
}

/// Returns the parts of a template of an action, with an error for each invalid reference.
pub fn parts(template: &str) -> impl Iterator<Item = Result<TemplatePart<'_>, TemplateError>> {
    split(template, |reference| {
        if let Some(path) = reference.strip_prefix("input.") {
            // Most paths are one name.
            let fits = is_word(path) || path.split('.').all(is_property);
            fits.then_some(TemplatePart::Input(path))
                .ok_or("expected property names with dots between them after \"input.\"")
        } else if let Some(name) = reference.strip_prefix("env.") {
            is_variable(name)
                .then_some(TemplatePart::Env(name))
                .ok_or("expected the name of a variable in upper case after \"env.\"")
        } else if reference.contains('.') {
            Err("only \"input\" and \"env\" can be referred to")
        } else {
            Err("expected ${input.path} or ${env.NAME}")
        }
    })
}

/// Parses a template of a smoke test: `${NAME}`.
pub fn parse_smoke(template: &str) -> Result<Vec<TemplatePart<'_>>, TemplateError> {
    let parts = split(template, |reference| {
        if is_variable(reference) {
            Ok(TemplatePart::Env(reference))
        } else {
            Err("expected the name of a variable in upper case")
        }
    });
    parts.collect()
}

/// Returns true if a dollar sign or backslash before a reference looks like an escape.
/// Templates have no escapes.
pub fn looks_escaped(template: &str) -> bool {
    let escaped = |three: &[u8]| matches!(three, [b'$' | b'\\', b'$', b'{']);
    template.as_bytes().windows(3).any(escaped)
}

/// Returns true if a text contains `${`.
pub fn has_reference(text: &str) -> bool {
    text.as_bytes().contains(&b'$') && split_at_reference(text).is_some()
}

fn split<'t>(
    template: &'t str,
    reference: impl Fn(&'t str) -> Result<TemplatePart<'t>, &'static str>,
) -> impl Iterator<Item = Result<TemplatePart<'t>, TemplateError>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        let (before, tail) = split_at_reference(rest).unwrap_or((rest, ""));
        if !before.is_empty() {
            rest = rest.get(before.len()..)?;
            return Some(Ok(TemplatePart::Text(before)));
        }
        if rest.is_empty() {
            return None;
        }
        let end = tail.bytes().position(|b| b == b'}');
        let inside = end.and_then(|end| tail.get(..end));
        let part = match inside {
            None => Err("there is no \"}\""),
            Some(inside) if split_at_reference(inside).is_some() => {
                Err("a reference inside a reference")
            }
            Some(inside) => reference(inside),
        };
        let offset = template.len() - rest.len();
        rest = end.and_then(|end| tail.get(end + 1..)).unwrap_or_default();
        Some(part.map_err(|reason| TemplateError { offset, reason }))
    })
}

/// Splits a text at its first `${`.
fn split_at_reference(text: &str) -> Option<(&str, &str)> {
    // For two bytes in a short text, a general search takes longer to set up than
    // to run.
    let mut pairs = text.as_bytes().windows(2);
    let at = pairs.position(|pair| pair == b"${")?;
    Some((text.get(..at)?, text.get(at + 2..)?))
}

/// Returns true if a property name cannot be confused with the syntax around it.
fn is_property(name: &str) -> bool {
    let other = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '$' | '{' | '[');
    is_word(name) || (!name.is_empty() && !name.contains(other))
}

/// Returns true for ASCII letters, digits and underscores.
fn is_word(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    !name.is_empty() && name.bytes().all(plain)
}

/// Returns true if a text is the name of an environment variable: upper-case letters,
/// digits and underscores, with a letter first.
pub fn is_variable(name: &str) -> bool {
    let rest = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let bytes = name.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_uppercase) && bytes.iter().all(rest)
}
