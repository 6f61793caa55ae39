//! What a tool is, in one value that can be kept and compared.

use crate::align::last_part;
use crate::descriptor::SideEffects;
use crate::json::{Document, Raw, quote};
use crate::read::Text;
use crate::{Limits, ToolDescriptor, canonical, schema, sha256_hex};

/// Two digests of one tool. Each is `sha256:` and hexadecimal digits.
///
/// Neither depends on the format that the tool was read from, on where it stands
/// there, or on how it is written: the order of members, the spelling of numbers
/// and strings, and the order of `type`, `required`, `enum`, tags, hosts, devices
/// and what credentials grant do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize)]
#[non_exhaustive]
pub struct Digest {
    /// What a model or a host sees before a call: the name that the tool is called
    /// by, its description (its summary, where it has none), both schemas with all
    /// their texts, its side effects, whether it can be called twice, and whether a
    /// person must approve. What is not said of the last three counts as the worst,
    /// and a schema that is not there as that of any object: so a format that needs
    /// one of them, and is given none, does not make it another tool.
    ///
    /// It is the same for a tool in two formats that both say all of this.
    pub interface: String,
    /// Every field of the descriptor but where it was read, and what it has no
    /// word for.
    ///
    /// It is the same for a document that was converted and restored.
    pub whole: String,
}

/// Digests a tool.
///
/// ```
/// use std::borrow::Cow;
///
/// use manifest_core::{ToolDescriptor, compare::digest, json::Raw};
///
/// let tool = |id, schema| ToolDescriptor {
///     id: Cow::Borrowed(id),
///     input_schema: Some(Raw::constant(schema)),
///     ..ToolDescriptor::default()
/// };
/// let here = digest(&tool("acme.echo", r#"{"type": "object", "required": ["a", "b"]}"#));
/// let there = digest(&tool("echo", r#"{"required": ["b", "a"], "type": "object"}"#));
/// assert_eq!(here.interface, there.interface);
/// assert_ne!(here.whole, there.whole);
/// ```
pub fn digest(tool: &ToolDescriptor<'_>) -> Digest {
    Digest { interface: hash("interface", &interface(tool)), whole: hash("whole", &whole(tool)) }
}

fn hash(level: &str, text: &str) -> String {
    // The text begins with what it is, so that no other digest is taken for it.
    format!("sha256:{}", sha256_hex(format!("toolglot-{level}-1\n{text}").as_bytes()))
}

/// The schema that a format which needs one is given for none.
const ANY_OBJECT: &str = r#"{"type":"object"}"#;

/// What a model or a host sees.
fn interface(tool: &ToolDescriptor<'_>) -> String {
    let name = tool.name.as_deref().unwrap_or_else(|| last_part(&tool.id));
    let description = tool.description.as_deref().or(tool.summary.as_deref());
    let effects = tool.side_effects.unwrap_or(SideEffects::Destructive);
    // Where nothing is said, what only reads needs no approval.
    let approval = tool.requires_approval.unwrap_or(effects > SideEffects::Read);
    let schema = |raw: Option<&Raw<'_>>| raw.map_or(ANY_OBJECT.to_owned(), schema_text);
    format!(
        r#"{{"approval":{approval},"description":{},"effects":{},"idempotent":{},"input":{},"name":{},"output":{}}}"#,
        description.map_or("null".to_owned(), quote),
        effects as u8,
        tool.idempotent.unwrap_or(false),
        schema(tool.input_schema.as_ref()),
        quote(name),
        schema(tool.output_schema.as_ref()),
    )
}

/// Everything that the descriptor has a word for.
fn whole(tool: &ToolDescriptor<'_>) -> String {
    let mut tool = ToolDescriptor {
        source: crate::Pointer::root(),
        extras: std::collections::BTreeMap::new(),
        ..tool.clone()
    };
    for schema in [&mut tool.input_schema, &mut tool.output_schema].into_iter().flatten() {
        *schema = Raw::from_built(schema_text(schema));
    }
    tool.tags.sort_unstable();
    tool.labels.sort_unstable();
    let lists: [Option<&mut Vec<Text<'_>>>; 3] = match &mut tool.permissions {
        Some(reach) => [
            Some(&mut reach.hosts),
            Some(&mut reach.devices),
            tool.auth.as_mut().map(|a| &mut a.scopes),
        ],
        None => [None, None, tool.auth.as_mut().map(|auth| &mut auth.scopes)],
    };
    lists.into_iter().flatten().for_each(|list| list.sort_unstable());
    // Descriptors hold strings, numbers and JSON values: this cannot fail.
    let text = serde_json::to_string(&tool).unwrap_or_default();
    match Document::parse(text.as_bytes(), &Limits::read_before()) {
        // A schema's own order is kept by `canonical`: its lists are sorted already.
        Ok(document) => canonical(document.root()),
        Err(_) => text,
    }
}

fn schema_text(raw: &Raw<'_>) -> String {
    let document = Document::parse(raw.as_str().as_bytes(), &Limits::read_before());
    document.map_or_else(|_| raw.as_str().to_owned(), |document| schema::canonical(document.root()))
}
