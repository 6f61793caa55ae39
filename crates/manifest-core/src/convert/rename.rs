//! Names that an edit of a target changed: of tools, variables and scopes.
//!
//! A name that is gone and one that is new may be the same thing. What the target said
//! when it was written tells, and follows from the source in the residue.

use std::collections::BTreeSet;

use super::op::Op;
use super::residue::{self, Residue, ToolResidue};
use super::{Options, to_json};
use crate::align::{align, last_part};
use crate::json::{Document, Edit, Raw, apply, quote};
use crate::{Format, Lifted, Limits, Pointer, ToolDescriptor};

/// What a target said when it was written, where the residue has the source.
pub(super) fn written(
    residue: &Residue,
    from: &Format,
    to: &Format,
    options: &Options,
) -> Option<Lifted<'static>> {
    let limits = &options.limits;
    let source = Document::parse(residue.source.text.as_ref()?.as_bytes(), limits).ok()?;
    let lifted = from.lift(&source, limits).ok()?;
    let text = to.lower(&lifted, &options.defaults, limits).ok()?;
    let target = Document::parse(text.as_bytes(), limits).ok()?;
    // With other defaults, it was another one.
    if residue::digest(&target) != residue.target.digest {
        return None;
    }
    serde_json::from_str(&to_json(&to.lift(&target, limits).ok()?)).ok()
}

/// For each tool, which part of the residue is its own: by its id, and else by what it
/// says.
pub(super) fn pair(
    tools: &[ToolDescriptor<'_>],
    residues: &[ToolResidue],
    written: Option<&Lifted<'_>>,
) -> Vec<Option<usize>> {
    let ids: Vec<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
    let known: Vec<&str> = residues.iter().map(|residue| residue.id.as_str()).collect();
    let mut pairs = align(&ids, &known);
    let Some(written) = written.filter(|written| written.tools.len() == residues.len()) else {
        return pairs;
    };
    let taken: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
    let mut left: Vec<usize> = (0..residues.len()).filter(|index| !taken.contains(index)).collect();
    // Those that say the most of the same are the same, and of equals, the first.
    for least in (1..=LIKENESS).rev() {
        for (pair, tool) in pairs.iter_mut().zip(tools).filter(|(pair, _)| pair.is_none()) {
            let like = |index: &usize| {
                written.tools.get(*index).is_some_and(|before| likeness(before, tool) >= least)
            };
            if let Some(place) = left.iter().position(like) {
                *pair = Some(left.remove(place));
            }
        }
    }
    pairs
}

/// What [`likeness`] is at most.
const LIKENESS: usize = 3;

/// How much two tools say the same, of what tells one tool from the others.
fn likeness(before: &ToolDescriptor<'_>, now: &ToolDescriptor<'_>) -> usize {
    let texts = |tool: &ToolDescriptor<'_>| {
        (tool.summary.as_deref().map(str::to_owned), tool.description.as_deref().map(str::to_owned))
    };
    let described = texts(before) != (None, None) && texts(before) == texts(now);
    // Nothing, and any object, say nothing.
    let long = |schema: &Raw<'_>| schema.as_str().len() > r#"{"type":"object"}"#.len();
    let takes = before.input_schema.as_ref().is_some_and(long)
        && before.input_schema.as_ref().map(Raw::as_str)
            == now.input_schema.as_ref().map(Raw::as_str);
    let called = before.invocation.is_some() && before.invocation == now.invocation;
    usize::from(described) + usize::from(takes) + usize::from(called)
}

/// Operations on a tool, with the new name of a variable or a scope that is the only one
/// to have lost its name where only one has got one.
pub(super) fn keys(ops: &[Op], before: &ToolDescriptor<'_>, now: &ToolDescriptor<'_>) -> Vec<Op> {
    let env =
        |tool: &ToolDescriptor<'_>| tool.env.iter().map(|(name, _)| name.to_string()).collect();
    let scopes =
        |tool: &ToolDescriptor<'_>| tool.scopes.iter().map(|(name, _)| name.to_string()).collect();
    let renamed = [
        ("env", renamed(&env(before), &env(now))),
        ("scopes", renamed(&scopes(before), &scopes(now))),
    ];
    let rename = |op: &Op| {
        let mut at = Pointer::root();
        let mut list = None;
        for (index, token) in op.at.tokens().enumerate() {
            let new = match index {
                1 => renamed.iter().find(|(name, _)| Some(*name) == list.as_deref()),
                _ => None,
            };
            at = match new {
                Some((_, Some((old, new)))) if *old == token => at.push(new),
                _ => at.push(&token),
            };
            list = Some(token.into_owned());
        }
        Op { at, ..op.clone() }
    };
    ops.iter().map(rename).collect()
}

/// The name that is gone and the one that is new, if there is one of each.
pub(super) fn renamed(
    before: &BTreeSet<String>,
    now: &BTreeSet<String>,
) -> Option<(String, String)> {
    let mut gone = before.difference(now);
    let mut new = now.difference(before);
    let pair = gone.next().zip(new.next())?;
    (gone.next().is_none() && new.next().is_none()).then(|| (pair.0.clone(), pair.1.clone()))
}

/// Lets checks of an installation go on calling the tools they called: they name them by
/// the last part of their id.
pub(super) fn references(
    tools: &mut [ToolDescriptor<'static>],
    names: &[(&str, &str)],
    limits: &Limits,
) {
    let new = |action: &str| {
        let mut names = names.iter().map(|(old, new)| (last_part(old), last_part(new)));
        // Unless there is one of that name still.
        let (_, new) = names.clone().find(|(old, new)| *old == action && old != new)?;
        (!names.any(|(_, other)| other == action)).then_some(new)
    };
    for tool in tools {
        let Some(smoke) = &tool.smoke else { continue };
        let Ok(document) = Document::parse(smoke.as_str().as_bytes(), limits) else { continue };
        let action = document.root().get("action").and_then(crate::json::Node::text);
        let Some(new) = action.as_deref().and_then(new) else { continue };
        let edit = Edit::Set(Pointer::root().push("action"), quote(new));
        if let Ok(text) = apply(&document, &[edit]) {
            tool.smoke = Some(Raw::from_built(text));
        }
    }
}
