//! A residue that travels inside the target.
//!
//! The only place that all formats share is the input schema of a tool, where an
//! unknown keyword is an annotation. Each tool carries its own part there; the
//! first one also carries what belongs to the document.

use super::{Residue, rules};
use crate::diagnostic::Diagnostic;
use crate::json::{Document, Edit, Raw, apply};
use crate::{Lifted, Limits, Pointer};

/// The keyword.
const KEYWORD: &str = "x-toolglot-residue";

fn place() -> Pointer {
    Pointer::root().push(KEYWORD)
}

/// Gives every tool an input schema to carry its part in.
pub(super) fn prepare(mut lifted: Lifted<'_>) -> Result<Lifted<'_>, Diagnostic> {
    let refuse =
        |pointer: &Pointer, message: &str| Err(rules::IN_BAND.at_pointer(pointer.clone(), message));
    if lifted.tools.is_empty() {
        return refuse(&Pointer::root(), "there is no tool to carry the residue");
    }
    for tool in &mut lifted.tools {
        let schema = tool.input_schema.get_or_insert_with(|| Raw::from_built("{}".to_owned()));
        if !schema.as_str().starts_with('{') {
            return refuse(&tool.source, "the input schema is not an object");
        }
    }
    Ok(lifted)
}

/// Puts each part of the residue into the schema of its tool.
pub(super) fn annotate<'a>(
    mut lifted: Lifted<'a>,
    residue: &Residue,
) -> Result<Lifted<'a>, Diagnostic> {
    for (index, tool) in lifted.tools.iter_mut().enumerate() {
        let mut part = residue.clone();
        part.source.text = None;
        part.tools = residue.tools.get(index).cloned().into_iter().collect();
        if index > 0 {
            part.document = Vec::new();
        }
        if let Some(schema) = &tool.input_schema {
            let edit = Edit::Insert(place(), serde_json::to_string(&part).unwrap_or_default());
            tool.input_schema = Some(edited(schema, &[edit])?);
        }
    }
    Ok(lifted)
}

/// A document that would be too large or too deep with the residue inside.
pub(super) fn too_much(error: &Diagnostic) -> Diagnostic {
    let message = format!("with the residue inside: {}", error.message);
    rules::IN_BAND.at_pointer(error.pointer.clone(), message)
}

/// Checks that every part of the residue has arrived: some targets have tools
/// without an input schema.
pub(super) fn arrived(carrying: Lifted<'_>, residue: &Residue) -> Result<(), Diagnostic> {
    let (_, carried) = take(carrying)?;
    match carried {
        Some(carried) if carried.tools.len() == residue.tools.len() => Ok(()),
        _ => {
            let message = "the target has a tool without an input schema to carry the residue";
            Err(rules::IN_BAND.at_pointer(Pointer::root(), message))
        }
    }
}

/// Takes the residue out of the schemas again, if there is one.
pub(super) fn take(mut lifted: Lifted<'_>) -> Result<(Lifted<'_>, Option<Residue>), Diagnostic> {
    let mut whole: Option<Residue> = None;
    for tool in &mut lifted.tools {
        let Some(schema) = &tool.input_schema else {
            continue;
        };
        let text = schema.as_str().to_owned();
        let document = Document::parse(text.as_bytes(), &Limits::read_before())?;
        let Some(node) = document.root().get(KEYWORD) else {
            continue;
        };
        let part = Residue::from_node(node)?;
        tool.input_schema = Some(edited(schema, &[Edit::Remove(place())])?);
        match &mut whole {
            Some(whole) => {
                whole.tools.extend(part.tools);
                // A tool that was copied brings what belongs to the document twice.
                if whole.document.is_empty() {
                    whole.document = part.document;
                }
            }
            None => whole = Some(part),
        }
    }
    Ok((lifted, whole))
}

fn edited(schema: &Raw<'_>, edits: &[Edit]) -> Result<Raw<'static>, Diagnostic> {
    let document = Document::parse(schema.as_str().as_bytes(), &Limits::read_before())?;
    let text = apply(&document, edits)
        .map_err(|error| rules::IN_BAND.at_pointer(Pointer::root(), error.to_string()))?;
    Ok(Raw::from_built(text))
}
