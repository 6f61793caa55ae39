//! What a conversion gives: documents, and what became of each tool.

use json_text::{Document, Tape, canonical};
use manifest_core::sha256_hex;
use serde::Serialize;

/// One document that a conversion gives.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Emitted {
    /// A name for its file. No other document of the conversion has it.
    pub name: String,
    /// Its text.
    pub text: String,
    pub(crate) tape: Tape,
}

impl Emitted {
    /// The document, without reading its text again.
    pub fn open(&self) -> Document<'_> {
        Document::open(&self.text, &self.tape)
    }

    /// A digest of what it says.
    pub(crate) fn digest(&self) -> String {
        digest(&self.open())
    }
}

/// How a converted tool runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "runs", content = "why", rename_all = "kebab-case")]
pub enum Runs {
    /// As the source says.
    AsItIs,
    /// Through the bridge, which makes the call of the source.
    ThroughTheBridge,
    /// It does not, and why.
    Not(&'static str),
}

/// What became of one tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Outcome {
    /// Its id in the source.
    pub id: String,
    /// Its id in the target.
    pub target: String,
    /// The document that holds it.
    pub document: usize,
    /// How it runs.
    #[serde(flatten)]
    pub runs: Runs,
}

/// What the hosts of both formats do otherwise although neither document says it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Implied {
    /// What it is about.
    pub about: &'static str,
    /// What the source's host does.
    pub source: &'static str,
    /// What the target's host does.
    pub target: &'static str,
    /// The tools that it is about, by their ids in the source.
    pub tools: Vec<String>,
}

/// A digest of what a document says, whatever its layout and spelling.
pub(crate) fn digest(document: &Document<'_>) -> String {
    let digest = sha256_hex(canonical(document.root()).as_bytes());
    digest.get(..32).unwrap_or_default().to_owned()
}
