//! The output of a conversion: documents, and the outcome of each tool.

use std::borrow::Cow;

use json_text::{Document, ParsedEntries, canonical};
use manifest_core::sha256_hex;
use serde::{Deserialize, Serialize};

/// A document that a conversion wrote.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OutputDocument {
    /// A file name, unique within the conversion.
    pub name: String,
    /// The text of the document.
    pub text: String,
    pub(crate) tape: ParsedEntries,
}

impl OutputDocument {
    /// Returns the parsed document without parsing the text again.
    pub fn open(&self) -> Document<'_> {
        Document::from_tape(&self.text, &self.tape)
    }

    pub(crate) fn digest(&self) -> String {
        digest(&self.open())
    }
}

/// How a converted tool runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(tag = "runs", content = "why", rename_all = "kebab-case")]
pub enum RunMode {
    /// The target makes the source's call itself.
    AsItIs,
    /// Through the bridge, which makes the call of the source.
    ThroughTheBridge,
    /// It does not run, for this reason.
    Not(Cow<'static, str>),
}

/// The outcome of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct ToolOutcome {
    /// Its id in the source.
    pub id: String,
    /// Its id in the target.
    pub target: String,
    /// The index of the document that contains it.
    pub document: usize,
    /// How it runs.
    #[serde(flatten)]
    pub runs: RunMode,
}

/// A difference between the hosts of both formats that neither document declares.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct HostDifference {
    /// The subject, for example `result`.
    pub about: Cow<'static, str>,
    /// The behaviour of the source's host.
    pub source: Cow<'static, str>,
    /// The behaviour of the target's host.
    pub target: Cow<'static, str>,
    /// The tools that it affects, by their ids in the source.
    pub tools: Vec<String>,
}

/// Returns a digest of a document's content, which ignores layout and spelling.
pub(crate) fn digest(document: &Document<'_>) -> String {
    let digest = sha256_hex(canonical(document.root()).as_bytes());
    digest.get(..32).unwrap_or_default().to_owned()
}
