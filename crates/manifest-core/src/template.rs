//! Templates: text with `${…}` in it.
//!
//! Actions refer to their input and to environment variables as `${input.path}` and
//! `${env.NAME}`. Smoke tests, which are older, refer to variables as `${NAME}`. Both are
//! parsed completely before any value is filled in. A `${` that is not a reference is an
//! error, and is never passed on as text.
//!
//! ```
//! use toolglot_manifest_core::template::{TemplatePart, parse};
//!
//! let parts = parse("--to=${input.to.name}")?;
//! assert_eq!(parts, [TemplatePart::Text("--to="), TemplatePart::Input("to.name")]);
//! assert!(parse("${input.to").is_err());
//! # Ok::<(), toolglot_manifest_core::template::TemplateError>(())
//! ```

/// A part of a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplatePart<'t> {
    /// Text that stays as it is.
    Text(&'t str),
    /// A value of the input: property names, with dots between them.
    Input(&'t str),
    /// The value of an environment variable.
    Env(&'t str),
}

/// The error for a `${` that is not a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"${{\" at byte {offset}: {reason}")]
#[non_exhaustive]
pub struct TemplateError {
    /// The offset of the `${` in bytes.
    pub offset: usize,
    /// The reason why it is not a reference.
    pub reason: &'static str,
}

/// Parses a template of an action: `${input.path}` and `${env.NAME}`.
pub fn parse(template: &str) -> Result<Vec<TemplatePart<'_>>, TemplateError> {
    parts(template).collect()
}

/// Returns the parts of a template of an action, with an error for each invalid reference.
pub fn parts(template: &str) -> impl Iterator<Item = Result<TemplatePart<'_>, TemplateError>> {
    split(template, |reference| match reference.split_once('.') {
        // Most paths are one name.
        Some(("input", path)) if is_word(path) || path.split('.').all(is_property) => {
            Ok(TemplatePart::Input(path))
        }
        Some(("input", _)) => {
            Err("expected property names with dots between them after \"input.\"")
        }
        Some(("env", name)) if is_variable(name) => Ok(TemplatePart::Env(name)),
        Some(("env", _)) => Err("expected the name of a variable in upper case after \"env.\""),
        Some(_) => Err("only \"input\" and \"env\" can be referred to"),
        None => Err("expected ${input.path} or ${env.NAME}"),
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
    let mut windows = template.as_bytes().windows(3);
    windows.any(|three| matches!(three, [b'$' | b'\\', b'$', b'{']))
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
        let offset = template.len() - rest.len();
        let (part, after) = match tail.split_once('}') {
            None => (Err("there is no \"}\""), ""),
            Some((inside, after)) if split_at_reference(inside).is_some() => {
                (Err("a reference inside a reference"), after)
            }
            Some((inside, after)) => (reference(inside), after),
        };
        rest = after;
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
    let is_syntax = |c: char| c.is_whitespace() || c.is_control() || "${[".contains(c);
    is_word(name) || (!name.is_empty() && !name.contains(is_syntax))
}

/// Returns true for ASCII letters, digits and underscores.
fn is_word(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Returns true if a text is the name of an environment variable: upper-case letters,
/// digits and underscores, with a letter first.
pub fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.bytes().all(|b| matches!(b, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
}
