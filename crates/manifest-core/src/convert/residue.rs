//! What a target cannot say, as data.

use serde::{Deserialize, Serialize};

use super::{Op, rules};
use crate::diagnostic::Diagnostic;
use crate::json::{Document, Node, compact};
use crate::{Limits, Pointer};

/// What a conversion could not express in its target, and what it takes to give
/// back the very bytes of the source.
///
/// Its first part is meaning: for each tool, the operations that turn what the
/// target says into what the source said. Its second part is spelling: the text
/// of the source. An edit to the target wins over both.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Residue {
    /// The version of this format: 1.
    pub residue: u32,
    /// What was converted.
    pub source: Source,
    /// What it became.
    pub target: Target,
    /// What belongs to the document as a whole.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub document: Vec<Op>,
    /// What belongs to single tools, in the order of the target.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<ToolResidue>,
}

/// The source of a conversion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Source {
    /// Its format.
    pub format: String,
    /// Its text. Without it, restoring gives the same tree in our own layout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// The target of a conversion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Target {
    /// Its format.
    pub format: String,
    /// SHA-256 of the document without white space, as `sha256:` and hexadecimal
    /// digits. A document with another digest was edited.
    pub digest: String,
}

/// What the target cannot say about one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct ToolResidue {
    /// The tool's id in the target.
    pub id: String,
    /// What it is known by if an edit changes its name.
    #[serde(default, skip_serializing_if = "Marks::is_empty")]
    pub marks: Marks,
    /// Operations on its descriptor.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ops: Vec<Op>,
}

/// What a target says of a tool, as far as that tells names that are changed later.
/// Texts are kept as the beginning of their SHA-256.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Marks {
    /// Its summary and description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub texts: Option<String>,
    /// The schema of its arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub input: Option<String>,
    /// How it is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The names of its variables, where there is something to say of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The names of its scopes, where there is something to say of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scopes: Vec<String>,
}

impl Marks {
    /// The digests. No two kinds of them are the same.
    pub(super) fn prints(&self) -> impl Iterator<Item = &str> {
        [&self.texts, &self.input, &self.call].into_iter().flatten().map(String::as_str)
    }

    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

impl Residue {
    /// Reads a residue.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, Diagnostic> {
        // It holds the source twice, once escaped, and what surrounds it.
        let room = limits.document_bytes.saturating_mul(16);
        let limits = Limits {
            document_bytes: room,
            string_bytes: room,
            nodes: limits.nodes.saturating_mul(4),
            depth: limits.depth.saturating_add(16),
            ..limits.clone()
        };
        let document = Document::parse(bytes, &limits)?;
        Self::from_node(document.root())
    }

    pub(super) fn from_node(node: Node<'_>) -> Result<Self, Diagnostic> {
        let wrong = |message: String| rules::RESIDUE.at_pointer(Pointer::root(), message);
        let residue: Self = serde_json::from_str(node.raw()).map_err(|error| {
            wrong(format!("not a residue: {}", crate::printable(&error.to_string(), 200)))
        })?;
        match residue.residue {
            1 => Ok(residue),
            other => Err(wrong(format!("residue version {other} is not known; this is version 1"))),
        }
    }

    /// The residue as JSON, laid out for people.
    pub fn to_json(&self) -> String {
        // Strings, numbers and JSON values: serialising them cannot fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// Whether the target says all that the source said.
    pub fn is_empty(&self) -> bool {
        self.document.is_empty() && self.tools.iter().all(|tool| tool.ops.is_empty())
    }
}

/// The digest that binds a residue to its target.
pub(super) fn digest(document: &Document<'_>) -> String {
    format!("sha256:{}", sha256_hex(compact(document.root()).as_bytes()))
}

/// SHA-256 as lower-case hexadecimal digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| DIGITS.get(usize::from(nibble)).copied().map_or('0', char::from);
    hmac_sha256::Hash::hash(bytes)
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)])
        .collect()
}
