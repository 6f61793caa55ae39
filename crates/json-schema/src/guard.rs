//! The guard: all checks of a schema that do not run it.

use super::graph::Graph;
use super::walk::Walk;
use super::{Dialect, cost, plain, rules};
use crate::Limits;
use diagnostic::{Diagnostic, quoted};
use json_text::Node;

/// Checks the keywords, references, patterns and cost of a schema.
///
/// Nothing is compiled or run. A schema without diagnostics is safe to pass to an engine
/// that fetches nothing. Returns at most `limits.diagnostics` diagnostics.
///
/// ```
/// use json_schema::Limits;
/// use json_text::Document;
///
/// let text = br#"{"properties": {"a": {"$ref": "file:///etc/passwd"}, "b": {"type": "strnig"}}}"#;
/// let document = Document::parse(text, json_text::Limits::default())?;
/// let found = json_schema::check(document.root(), Limits::default());
/// let found: Vec<_> = found.iter().map(|d| (d.rule.code, d.pointer.as_str())).collect();
/// assert_eq!(found, [
///     ("schema/invalid", "/properties/b/type"),
///     ("schema/remote-ref", "/properties/a/$ref"),
/// ]);
/// # Ok::<(), diagnostic::Diagnostic>(())
/// ```
pub fn check(schema: Node<'_>, limits: impl Into<Limits>) -> Vec<Diagnostic> {
    let limits = &limits.into();
    if schema.raw().len() <= limits.schema_bytes && plain::is_plain(schema, limits) {
        return Vec::new();
    }
    match graph(schema, limits) {
        Ok(_) => Vec::new(),
        Err(diagnostics) => diagnostics,
    }
}

/// Reads a schema into a graph. Fails with all diagnostics if there are any.
pub(super) fn graph<'a>(schema: Node<'a>, limits: &Limits) -> Result<Graph<'a>, Vec<Diagnostic>> {
    let length = schema.raw().len();
    if length > limits.schema_bytes {
        let limit = limits.schema_bytes;
        let message = format!("{length} bytes, more than the {limit} allowed");
        return Err(vec![rules::SIZE.at(schema, message)]);
    }
    let Some(dialect) = Dialect::of(schema) else {
        return Err(vec![unknown_dialect(schema)]);
    };
    let mut walk = Walk::new(schema, dialect, limits);
    walk.read_pending();
    walk.resolve();
    if !walk.stopped
        && let Some(diagnostic) = cost::check(&walk.graph, limits)
    {
        walk.report(diagnostic);
    }
    let (graph, diagnostics) = walk.into_parts();
    if diagnostics.is_empty() { Ok(graph) } else { Err(diagnostics) }
}

fn unknown_dialect(schema: Node<'_>) -> Diagnostic {
    let named = schema.get("$schema").unwrap_or(schema);
    match named.text() {
        Some(uri) => rules::DIALECT.at(named, format!("unknown dialect {}", quoted(&uri))),
        None => rules::INVALID.at(named, "$schema takes a URI"),
    }
}
