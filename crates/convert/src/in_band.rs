//! A residue inside the target.
//!
//! The only place that all formats share is the input schema of a tool, where an unknown
//! keyword is an annotation. The first document contains the residue; the others contain
//! its digest.

use diagnostic::{Diagnostic, Pointer, Report};
use json_text::{self, Document, Edit, Node};
use manifest_core::format::{Derivation, Format, Record};
use manifest_core::{Limits, rules, secret, sha256_hex};

use crate::conversion::Conversion;
use crate::ledger::Insertion;
use crate::output::OutputDocument;
use crate::residue::Residue;
use crate::restored::Target;

/// The schema keyword that contains the residue.
const KEYWORD: &str = "x-toolglot-residue";

/// Puts the residue into the documents of a conversion. Fails if the source contains a
/// secret, because models see the residue, or if there is no input schema to put it into.
pub(crate) fn embed_residue(mut conversion: Conversion) -> Result<Conversion, Report> {
    if !secret::scan(conversion.source().root(), 1).is_empty() {
        let found = in_band_error("the source holds a secret, and models would see the residue");
        return Err(Report::from(found.help("keep the residue in a file of its own")));
    }
    let to = conversion.to();
    let residue = conversion.residue().to_json();
    let residue = residue.trim_end();
    let digest = json_text::quote(&format!("sha256:{}", sha256_hex(residue.as_bytes())));
    if conversion.documents.is_empty() {
        return Err(Report::from(in_band_error("there is no tool to carry the residue")));
    }
    let Conversion { documents, ledger, options, .. } = &mut conversion;
    let mut inserted = Vec::new();
    for (number, output) in documents.iter_mut().enumerate() {
        let value = if number == 0 { residue } else { &digest };
        let insertion = insert_residue(output, number, value, to, &options.limits);
        inserted.push(insertion.map_err(Report::from)?);
    }
    ledger.insert_records(&inserted);
    Ok(conversion)
}

fn in_band_error(message: &str) -> Diagnostic {
    rules::IN_BAND.at_pointer(Pointer::root(), message)
}

/// Inserts a residue, or the digest of one, into a document.
fn insert_residue(
    output: &mut OutputDocument,
    number: usize,
    value: &str,
    to: &'static Format,
    limits: &Limits,
) -> Result<Insertion, Diagnostic> {
    let document = output.open();
    let Some(schema) = first_input_schema(&document, to) else {
        let message = "the target has a tool without an input schema to carry the residue";
        return Err(in_band_error(message));
    };
    let place = schema.pointer().push(KEYWORD);
    let edit = Edit::Insert(place.clone(), value.to_owned());
    let text =
        json_text::apply(&document, &[edit]).map_err(|error| in_band_error(&error.to_string()))?;
    let document = Document::parse(text.as_bytes(), limits)
        .map_err(|error| in_band_error(&format!("with the residue inside: {}", error.message)))?;
    let start = document.root().at(&place).map_or(0, |node| node.span().start);
    let insertion = Insertion {
        offset: count(first_difference(&output.text, &text)),
        length: count(text.len().saturating_sub(output.text.len())),
        record: Record {
            document: count(number),
            start: count(start),
            derivation: Derivation::Seal,
            reason: "it carries the residue, or names it by its digest",
            places: (0, 0),
            joint: false,
        },
    };
    output.tape = document.tape();
    output.text = text;
    Ok(insertion)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn first_difference(before: &str, after: &str) -> usize {
    before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count()
}

/// Returns the input schema of the first tool of a document, if it is an object.
fn first_input_schema<'d>(document: &'d Document<'d>, format: &Format) -> Option<Node<'d>> {
    let lifted = format.lift_valid(document, 0);
    let at = lifted.tools.first()?.input_schema.as_ref()?.at?;
    document.node(at.entry).filter(|schema| schema.is_object())
}

/// Returns the residue, or the digest of one, in a document.
fn embedded<'d>(document: &'d Document<'d>, format: &Format) -> Option<Node<'d>> {
    first_input_schema(document, format)?.get(KEYWORD)
}

/// Returns true if a document contains the residue of the conversion that wrote it, or the
/// digest of that residue. A residue that was copied from the source belongs to another
/// conversion.
pub fn has_residue(document: &Document<'_>, format: &Format) -> bool {
    let Some(carried) = embedded(document, format) else { return false };
    match carried.text() {
        Some(digest) => digest.starts_with("sha256:"),
        None => carried.get("to").and_then(Node::text).is_some_and(|to| to == format.name),
    }
}

/// Returns the residue inside a document, or `None` if it contains none, or only the digest
/// of one. Of the documents of a conversion, the first contains the residue.
pub fn carried_residue(
    document: &Document<'_>,
    format: &Format,
) -> Result<Option<Residue>, Diagnostic> {
    match embedded(document, format) {
        Some(carried) => parse_carried(carried),
        None => Ok(None),
    }
}

/// Parses the residue that a document contains. Returns `None` if it is the digest of one.
fn parse_carried(carried: Node<'_>) -> Result<Option<Residue>, Diagnostic> {
    if carried.is_object() { Residue::from_node(carried).map(Some) } else { Ok(None) }
}

/// Returns the text of a document without its residue, or `None` if it contains none. Fails
/// if the residue cannot be read.
pub fn strip_residue(
    document: &Document<'_>,
    format: &Format,
) -> Result<Option<String>, Diagnostic> {
    let Some(carried) = embedded(document, format) else { return Ok(None) };
    parse_carried(carried)?;
    let text = json_text::apply(document, &[Edit::Remove(carried.pointer())]);
    text.map(Some).map_err(|error| in_band_error(&error.to_string()))
}

/// Returns the texts without residues of those targets that carry one.
pub(crate) fn strip_residues(
    targets: &[Target<'_>],
    to: &Format,
) -> Result<Vec<Option<String>>, Diagnostic> {
    targets.iter().map(|target| strip_residue(target.document, to)).collect()
}

/// Parses the texts without residues.
pub(crate) fn parse_texts<'t>(
    texts: &'t [Option<String>],
    limits: &Limits,
) -> Result<Vec<Option<Document<'t>>>, Diagnostic> {
    let mut documents = Vec::new();
    for text in texts {
        documents.push(match text {
            Some(text) => Some(Document::parse(text.as_bytes(), limits)?),
            None => None,
        });
    }
    Ok(documents)
}

/// Replaces the documents of targets that carry a residue.
pub(crate) fn with_documents<'t>(
    targets: &[Target<'t>],
    documents: &'t [Option<Document<'t>>],
) -> Vec<Target<'t>> {
    let mut replaced = targets.to_vec();
    for (target, document) in replaced.iter_mut().zip(documents) {
        if let Some(document) = document {
            target.document = document;
        }
    }
    replaced
}
