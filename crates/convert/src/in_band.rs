//! A residue inside the target.
//!
//! The only place that all formats share is the input schema of a tool, where an unknown
//! keyword is an annotation. The first document contains the residue; the others contain
//! its digest.

use diagnostic::{Diagnostic, Pointer, Report};
use json_text::{self, Edit, Node};
use manifest_core::format::{Derivation, Format, Record};
use manifest_core::{Limits, rules, secret, sha256_hex};

use crate::conversion::Conversion;
use crate::ledger::Insertion;
use crate::output::OutputDocument;
use crate::residue::Residue;

/// The schema keyword that contains the residue.
const KEYWORD: &str = "x-toolglot-residue";

/// Puts the residue into the documents of a conversion. Fails if the source contains a
/// secret, because models see the residue, or if there is no input schema to put it into.
pub(crate) fn embed_residue(
    mut conversion: Conversion,
    source: &json_text::Document<'_>,
    to: &'static Format,
) -> Result<Conversion, Report> {
    if !secret::scan(source.root(), 1).is_empty() {
        let found = in_band_error("the source holds a secret, and models would see the residue");
        return Err(Report::from(found.help("keep the residue in a file of its own")));
    }
    let residue = conversion.residue(source).to_json();
    let residue = residue.trim_end();
    let digest = json_text::quote(&format!("sha256:{}", sha256_hex(residue.as_bytes())));
    if conversion.documents.is_empty() {
        return Err(Report::from(in_band_error("there is no tool to carry the residue")));
    }
    let Conversion { documents, ledger, options, .. } = &mut conversion;
    let mut inserted = Vec::new();
    for (number, emitted) in documents.iter_mut().enumerate() {
        let value = if number == 0 { residue } else { &digest };
        inserted.push(
            insert_residue(emitted, number, value, to, &options.limits).map_err(Report::from)?,
        );
    }
    ledger.insert_records(&inserted);
    Ok(conversion)
}

fn in_band_error(message: &str) -> Diagnostic {
    rules::IN_BAND.at_pointer(Pointer::root(), message)
}

fn insert_residue(
    emitted: &mut OutputDocument,
    number: usize,
    value: &str,
    to: &'static Format,
    limits: &Limits,
) -> Result<Insertion, Diagnostic> {
    let (text, place) = {
        let document = emitted.open();
        let schema = first_input_schema(&document, to).ok_or_else(|| {
            in_band_error("the target has a tool without an input schema to carry the residue")
        })?;
        let place = schema.pointer().push(KEYWORD);
        let edit = Edit::Insert(place.clone(), value.to_owned());
        let text = json_text::apply(&document, &[edit]);
        (text.map_err(|error| in_band_error(&error.to_string()))?, place)
    };
    let too_much =
        |error: Diagnostic| in_band_error(&format!("with the residue inside: {}", error.message));
    let (tape, inserted) = {
        let document = json_text::Document::parse(text.as_bytes(), limits).map_err(too_much)?;
        let start = document.root().at(&place).map_or(0, |node| node.span().start);
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let record = Record {
            document: count(number),
            start: count(start),
            derivation: Derivation::Seal,
            reason: "it carries the residue, or names it by its digest",
            places: (0, 0),
            joint: false,
        };
        let inserted = Insertion {
            offset: count(first_difference(&emitted.text, &text)),
            length: count(text.len().saturating_sub(emitted.text.len())),
            record,
        };
        (document.tape(), inserted)
    };
    *emitted = OutputDocument { name: std::mem::take(&mut emitted.name), text, tape };
    Ok(inserted)
}

fn first_difference(before: &str, after: &str) -> usize {
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b);
    same.count()
}

/// Returns the input schema of the first tool of a document, if it is an object.
fn first_input_schema<'d>(
    document: &'d json_text::Document<'d>,
    format: &Format,
) -> Option<Node<'d>> {
    let lifted = format.lift_valid(document, 0);
    let at = lifted.tools.first()?.input_schema.as_ref()?.at?;
    document.node(at.entry).filter(|schema| schema.is_object())
}

/// Returns true if a document contains the residue of the conversion that wrote it, or the
/// digest of that residue. A residue that was copied from the source belongs to another
/// conversion.
pub fn has_residue(document: &json_text::Document<'_>, format: &Format) -> bool {
    let Some(carried) = first_input_schema(document, format).and_then(|schema| schema.get(KEYWORD))
    else {
        return false;
    };
    match carried.text() {
        Some(digest) => digest.starts_with("sha256:"),
        None => carried.get("to").and_then(Node::text).is_some_and(|to| to == format.name),
    }
}

/// Returns the text of a document without its residue, or `None` if it contains none.
pub fn strip_residue(
    document: &json_text::Document<'_>,
    format: &Format,
) -> Result<Option<String>, Diagnostic> {
    Ok(extract_residue(document, format)?.map(|(text, _)| text))
}

/// Returns the text of a document without its residue, and the residue unless the document
/// contains only the digest.
pub(crate) fn extract_residue(
    document: &json_text::Document<'_>,
    format: &Format,
) -> Result<Option<(String, Option<Residue>)>, Diagnostic> {
    let Some(carried) = first_input_schema(document, format).and_then(|schema| schema.get(KEYWORD))
    else {
        return Ok(None);
    };
    let residue = if carried.is_object() { Some(Residue::from_node(carried)?) } else { None };
    let text = json_text::apply(document, &[Edit::Remove(carried.pointer())]);
    let text = text.map_err(|error| in_band_error(&error.to_string()))?;
    Ok(Some((text, residue)))
}
