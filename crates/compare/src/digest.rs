//! Digests of tools, to store and compare.

use std::sync::Arc;

use serde::Serialize;

use super::line_digests::LineDigests;
use json_text::Text;
use json_text::canonical;
use json_text::{Document, Raw, quote};
use manifest_core::descriptor::{Package, RiskProfile};
use manifest_core::{Sourced, ToolDescriptor, sha256_hex};

/// Two digests of one tool, each `sha256:` and hexadecimal digits.
///
/// Neither depends on the format of the tool, its place in the document, or its spelling.
/// The order of members, the spelling of numbers and strings, and the order of `type`,
/// `required`, `enum`, tags, hosts, devices, variables, scopes and the scopes of
/// credentials do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[non_exhaustive]
pub struct Digest {
    /// The digest of everything that a model or a host sees before a call: the name that
    /// the tool is called by, its description (or its summary, if it has none), both
    /// schemas with all their texts, its side effects, whether it can be called twice, and
    /// whether a person must approve. Missing values of the last three count as the worst
    /// case, and a missing schema as that of any object. So a format that requires one of
    /// them and gets a default does not change the digest.
    ///
    /// It is the same for a tool in two formats that both declare all of this.
    pub interface: String,
    /// The digest of all fields of the descriptor, without their places.
    ///
    /// It is the same for a document that was converted and restored.
    pub whole: String,
}

/// Computes the digests of a tool.
///
/// ```
/// use toolglot_compare::digest;
/// use json_text::{Raw, Text};
/// use manifest_core::ToolDescriptor;
///
/// let tool = |id, schema| ToolDescriptor {
///     id: Text::Borrowed(id).into(),
///     input_schema: Some(Raw::from_static(schema).into()),
///     ..ToolDescriptor::default()
/// };
/// let here = digest(&tool("acme.echo", r#"{"type": "object", "required": ["a", "b"]}"#));
/// let there = digest(&tool("echo", r#"{"required": ["b", "a"], "type": "object"}"#));
/// assert_eq!(here.interface, there.interface);
/// assert_ne!(here.whole, there.whole);
/// ```
pub fn digest(tool: &ToolDescriptor<'_>) -> Digest {
    digest_with_package(
        tool,
        &hash("package", &package_text(&tool.package)),
        &mut LineDigests::default(),
    )
}

/// Computes the digests of several tools. Adjacent tools of one package share its digest.
pub fn digests(tools: &[ToolDescriptor<'_>]) -> Vec<Digest> {
    let packages = tools.chunk_by(|one, next| Arc::ptr_eq(&one.package, &next.package));
    let (mut lines, mut found) = (LineDigests::default(), Vec::with_capacity(tools.len()));
    for tools in packages {
        let [first, ..] = tools else { continue };
        let shared = hash("package", &package_text(&first.package));
        for tool in tools {
            found.push(digest_with_package(tool, &shared, &mut lines));
        }
    }
    found
}

fn digest_with_package(
    tool: &ToolDescriptor<'_>,
    package: &str,
    lines: &mut LineDigests,
) -> Digest {
    let whole = format!("{package}\n{}", tool_text(tool, lines));
    Digest { interface: hash("interface", &interface_text(tool)), whole: hash("whole", &whole) }
}

fn hash(level: &str, text: &str) -> String {
    // The prefix keeps digests of different kinds and versions apart.
    let version = if level == "whole" { 3 } else { 1 };
    format!("sha256:{}", sha256_hex(format!("toolglot-{level}-{version}\n{text}").as_bytes()))
}

/// The schema that a missing one counts as. Formats that require a schema get this one.
const ANY_OBJECT: &str = r#"{"type":"object"}"#;

/// Returns the canonical text of the interface.
fn interface_text(tool: &ToolDescriptor<'_>) -> String {
    let description = tool.description.as_deref().or(tool.summary.as_deref());
    let caution = RiskProfile::of(tool);
    format!(
        r#"{{"approval":{},"description":{},"effects":{},"idempotent":{},"input":{},"name":{},"output":{}}}"#,
        caution.needs_approval(),
        match description {
            Some(text) => quote(text),
            None => "null".to_owned(),
        },
        caution.effects_or_worst() as u8,
        caution.is_idempotent(),
        schema_or_any(tool.input_schema.as_deref()),
        quote(tool.callable_name().value),
        schema_or_any(tool.output_schema.as_deref()),
    )
}

fn schema_or_any(schema: Option<&Raw<'_>>) -> String {
    match schema {
        Some(schema) => schema_text(schema),
        None => ANY_OBJECT.to_owned(),
    }
}

/// Returns the canonical text of the fields that a tool does not share.
fn tool_text(tool: &ToolDescriptor<'_>, lines: &mut LineDigests) -> String {
    let mut tool = ToolDescriptor { package: Arc::default(), ..tool.clone() };
    if let Some(call) = &mut tool.invocation {
        call.value = lines.with_digest(&call.value);
    }
    for schema in [&mut tool.input_schema, &mut tool.output_schema].into_iter().flatten() {
        schema.value = Raw::from_trusted(schema_text(schema));
    }
    sort(&mut tool.permissions.hosts);
    sort(&mut tool.permissions.devices);
    sort(&mut tool.auth.scopes);
    sort(&mut tool.scopes_used);
    canonical_text(&tool)
}

/// Returns the canonical text of the fields that the tools of a package share.
fn package_text(package: &Package<'_>) -> String {
    let mut package = package.clone();
    sort(&mut package.tags);
    sort(&mut package.labels);
    package.env.sort_by(|one, other| one.name.value.cmp(&other.name.value));
    package.scopes.sort_by(|one, other| one.resource.value.cmp(&other.resource.value));
    package.scopes.iter_mut().for_each(|scope| sort(&mut scope.actions));
    canonical_text(&package)
}

fn sort(list: &mut [Sourced<Text<'_>>]) {
    list.sort_unstable_by(|one, other| one.value.cmp(&other.value));
}

/// Returns the canonical form of a part of a descriptor, without places.
fn canonical_text(part: &impl Serialize) -> String {
    let text = json_text::to_json(part);
    match Document::parse(text.as_bytes(), json_text::Limits::none()) {
        // `canonical` keeps the order of arrays. Those of schemas are already sorted.
        Ok(document) => canonical(document.root()),
        Err(_) => text,
    }
}

fn schema_text(raw: &Raw<'_>) -> String {
    match raw.document() {
        Some(document) => json_schema::canonical(document.root()),
        None => raw.as_str().to_owned(),
    }
}
