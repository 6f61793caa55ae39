//! The residue: the data to restore a source from its targets.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use diagnostic::{Diagnostic, Pointer, ok_or_bug, quoted};
use json_text::{Document, Node, Raw, canonical};
use manifest_core::format::{AcceptedLoss, Derivation};
use manifest_core::{Defaults, Format, Formats, Limits, rules, sha256_hex};
use serde::{Deserialize, Serialize};

use crate::ledger::Ledger;
use crate::options::{Options, ToolFilter};
use crate::output::{OutputDocument, digest};

/// The version of the residue format.
const VERSION: u32 = 2;

/// The number of digits of a fingerprint.
const FINGERPRINT_DIGITS: usize = 16;

/// The source of a conversion, and how it was converted.
///
/// The residue contains the source as it was written. Restoring converts the source again
/// to find the edits of a target, so no other data is kept. Approximated and assumed values
/// have fingerprints, because later versions of this program may approximate or assume
/// differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Residue {
    /// The version of the residue format: 2.
    pub residue: u32,
    /// The version of the program that wrote it.
    pub program: String,
    /// The format of the source.
    pub from: String,
    /// The format of the target.
    pub to: String,
    /// The options of the conversion, if they differ from the defaults.
    #[serde(default, skip_serializing_if = "SavedOptions::is_default")]
    pub options: SavedOptions,
    /// The documents that were written: their names, and digests of their content.
    pub documents: BTreeMap<String, String>,
    /// Fingerprints of the approximated and assumed values of the target: sixteen
    /// hexadecimal digits each, concatenated.
    #[serde(
        default,
        skip_serializing_if = "String::is_empty",
        serialize_with = "write_fingerprints",
        deserialize_with = "read_fingerprints"
    )]
    pub fingerprints: String,
    /// White space before and after the source.
    #[serde(default, skip_serializing_if = "no_margins")]
    pub around: [String; 2],
    /// The source, as it was written.
    pub source: Raw<'static>,
}

/// Reads fingerprints: one base64url string, or a list of hexadecimal strings as earlier
/// versions wrote it.
fn read_fingerprints<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Written {
        Joined(String),
        List(Vec<String>),
    }
    let bytes = match Written::deserialize(deserializer)? {
        Written::Joined(text) => BASE64URL_NOPAD.decode(text.as_bytes()),
        Written::List(texts) => HEXLOWER.decode(texts.concat().as_bytes()),
    };
    bytes.map(|bytes| HEXLOWER.encode(&bytes)).map_err(serde::de::Error::custom)
}

fn write_fingerprints<S: serde::Serializer>(text: &str, serializer: S) -> Result<S::Ok, S::Error> {
    // Text that is not hexadecimal is written as no fingerprints.
    let bytes = HEXLOWER.decode(text.as_bytes()).unwrap_or_default();
    serializer.serialize_str(&BASE64URL_NOPAD.encode(&bytes))
}

fn no_margins(around: &[String; 2]) -> bool {
    around.iter().all(String::is_empty)
}

/// The options that affect the output of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct SavedOptions {
    /// The ids of the selected tools. Empty for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tools: Vec<String>,
    /// The kinds of tools that were left out.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<ToolFilter>,
    /// The losses that were accepted by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub accept: Vec<AcceptedLoss>,
    /// The version of the target's format.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Values for members that the source lacks, if they differ from the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub defaults: Option<Defaults>,
}

impl SavedOptions {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }

    pub(crate) fn new(options: &Options) -> Self {
        Self {
            tools: options.tools.clone(),
            without: options.without.iter().copied().collect(),
            accept: options.accept.iter().copied().collect(),
            version: options.version.clone(),
            defaults: Some(options.defaults.clone()).filter(|own| *own != Defaults::default()),
        }
    }

    /// Returns options that repeat the conversion.
    pub(crate) fn to_options(&self, limits: &Limits) -> Options {
        Options {
            strict: false,
            tools: self.tools.clone(),
            without: self.without.iter().copied().collect(),
            accept: self.accept.iter().copied().collect(),
            version: self.version.clone(),
            in_band: false,
            defaults: self.defaults.clone().unwrap_or_default(),
            limits: limits.clone(),
        }
    }
}

impl Residue {
    /// Parses a residue.
    pub fn parse(bytes: &[u8], limits: &Limits) -> Result<Self, Diagnostic> {
        let room = limits.document_bytes.saturating_mul(4);
        let limits = Limits {
            document_bytes: room,
            nodes: limits.nodes.saturating_mul(4),
            depth: limits.depth.saturating_add(16),
            ..limits.clone()
        };
        let document = Document::parse(bytes, &limits)?;
        Self::from_node(document.root())
    }

    pub(crate) fn from_node(node: Node<'_>) -> Result<Self, Diagnostic> {
        if let Some(version) = node.get("residue").and_then(Node::number)
            && let Some(other) = version.to_i64()
            && other != i64::from(VERSION)
        {
            let message = format!(
                "this residue has version {other}, and this program reads version {VERSION}"
            );
            let help = "convert the source again, or restore with the source at hand";
            return Err(rules::RESIDUE.at_pointer(Pointer::root(), message).help(help));
        }
        // The source is already parsed as a part of the residue. Serde gets `null` in its
        // place.
        let source = node.get("source");
        let mut text = Cow::Borrowed(node.raw());
        if let Some(source) = source {
            let (start, inside) = (node.span().start, source.span());
            if let Some(before) = text.get(..inside.start - start)
                && let Some(after) = text.get(inside.end - start..)
            {
                text = Cow::Owned([before, "null", after].concat());
            }
        }
        let mut residue: Self = serde_json::from_str(&text).map_err(|error| {
            let error = diagnostic::printable(&error.to_string(), 200);
            rules::RESIDUE.at_pointer(Pointer::root(), format!("not a residue: {error}"))
        })?;
        if let Some(source) = source {
            residue.source = Raw::from_node(source).into_owned();
        }
        Ok(residue)
    }

    /// Returns the residue as JSON, with the source as it was written.
    pub fn to_json(&self) -> String {
        // Strings, numbers and JSON values always serialise.
        ok_or_bug(serde_json::to_string(self)).unwrap_or_default() + "\n"
    }

    /// Returns the text of the source.
    pub fn source_text(&self) -> String {
        let [before, after] = &self.around;
        [before, self.source.as_str(), after].concat()
    }

    pub(crate) fn new(
        source: &Document<'_>,
        [from, to]: [&'static Format; 2],
        options: &Options,
        documents: &[OutputDocument],
        ledger: &Ledger,
    ) -> Self {
        let (text, span) = (source.text(), source.root().span());
        let margins = [text.get(..span.start), text.get(span.end..)];
        Self {
            residue: VERSION,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            from: from.name.to_owned(),
            to: to.name.to_owned(),
            options: SavedOptions::new(options),
            documents: documents.iter().map(|one| (one.name.clone(), one.digest())).collect(),
            fingerprints: fingerprints(documents, ledger),
            around: margins.map(|margin| margin.unwrap_or_default().to_owned()),
            source: Raw::from_node(source.root()).into_owned(),
        }
    }

    /// Returns the formats of the source and of the target. Fails if one of them is not in the
    /// set.
    pub(crate) fn formats(&self, formats: Formats<'_>) -> Result<[&'static Format; 2], Diagnostic> {
        Ok([find_format(&self.from, formats)?, find_format(&self.to, formats)?])
    }

    /// Returns the fingerprints as a set.
    pub(crate) fn fingerprint_set(&self) -> BTreeSet<&[u8]> {
        self.fingerprints.as_bytes().chunks(FINGERPRINT_DIGITS).collect()
    }

    /// Returns the digest of a document's content, as [`documents`](Self::documents) lists
    /// it. It ignores layout and spelling.
    pub fn digest_of(document: &Document<'_>) -> String {
        digest(document)
    }

    /// Returns true if a document of this content was written with the residue.
    pub fn records(&self, document: &Document<'_>) -> bool {
        let digest = digest(document);
        self.documents.values().any(|written| *written == digest)
    }
}

/// Returns the format with a name that a residue records.
fn find_format(name: &str, formats: Formats<'_>) -> Result<&'static Format, Diagnostic> {
    if let Some(format) = formats.by_name(name) {
        return Ok(format);
    }
    let known: Vec<&str> = formats.iter().map(|format| format.name).collect();
    let message = format!("the residue names the format {}, which is unknown", quoted(name));
    let found = rules::RESIDUE.at_pointer(Pointer::root(), message);
    Err(found.help(format!("known formats: {}", known.join(", "))))
}

/// Returns the fingerprints of all approximated and assumed leaves, each once.
fn fingerprints(documents: &[OutputDocument], ledger: &Ledger) -> String {
    let mut found = BTreeSet::new();
    let invented = |how: Derivation| matches!(how, Derivation::Approximated | Derivation::Assumed);
    for (index, document) in documents.iter().enumerate() {
        let parsed = document.open();
        for (pointer, node) in ledger.target_values(index, &parsed, invented) {
            for (below, leaf) in node.leaves() {
                found.insert(fingerprint(&pointer.clone().join(&below), leaf));
            }
        }
    }
    found.into_iter().collect()
}

/// Returns the first 64 bits of SHA-256 over the member names of the path and the value.
/// Indices are left out, because elements may move.
pub(crate) fn fingerprint(pointer: &Pointer, value: Node<'_>) -> String {
    let mut text = String::new();
    for token in pointer.tokens() {
        if token.parse::<usize>().is_err() {
            text.push('/');
            text.push_str(&token);
        }
    }
    text.push('=');
    text.push_str(&canonical(value));
    let digest = sha256_hex(text.as_bytes());
    digest.get(..FINGERPRINT_DIGITS).unwrap_or_default().to_owned()
}
