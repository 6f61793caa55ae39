//! Names that an edit of a target changed: of tools, variables and scopes.
//!
//! A name that is gone and one that is new may be the same thing. What else the target
//! said when it was written tells, and the residue has marks of that.

use std::collections::{BTreeMap, BTreeSet};

use super::op::Op;
use super::residue::{Marks, ToolResidue, sha256_hex};
use super::to_json;
use crate::align::{align, last_part};
use crate::json::{Document, Edit, Node, Raw, apply, quote};
use crate::{Keyed, Limits, Pointer, ToolDescriptor, canonical, did_you_mean};

/// What a tool of a target is known by, where there are operations on it.
pub(super) fn marks(tool: &ToolDescriptor<'_>, ops: &[Op]) -> Marks {
    let about = |list: &str| ops.iter().any(|op| op.at.tokens().next().as_deref() == Some(list));
    let print = |text: String| sha256_hex(text.as_bytes()).chars().take(16).collect();
    // Nothing, and any object, say nothing.
    let long = |schema: &String| schema.len() > r#"{"type":"object"}"#.len();
    let said = tool.summary.is_some() || tool.description.is_some();
    Marks {
        texts: said.then(|| print(to_json(&(&tool.summary, &tool.description)))),
        input: tool.input_schema.as_ref().map(spelled).filter(long).map(print),
        call: tool.invocation.as_ref().map(|call| print(to_json(call))),
        env: if about("env") { names(&tool.env) } else { Vec::new() },
        scopes: if about("scopes") { names(&tool.scopes) } else { Vec::new() },
    }
}

/// A value in the only spelling that it has: an edit may lay it out anew.
fn spelled(value: &Raw<'_>) -> String {
    let document = Document::parse(value.as_str().as_bytes(), &Limits::read_before());
    document.map(|document| canonical(document.root())).unwrap_or_default()
}

fn names<T>(list: &Keyed<'_, T>) -> Vec<String> {
    list.iter().map(|(name, _)| name.to_string()).collect()
}

/// For each tool, which part of the residue is its own: by its id, unless it says what
/// another did, and else by what it says. What a tool that is new does not say must not be
/// taken from one that is gone.
pub(super) fn pair(tools: &[ToolDescriptor<'_>], residues: &[ToolResidue]) -> Vec<Option<usize>> {
    let ids: Vec<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
    let known: Vec<&str> = residues.iter().map(|residue| residue.id.as_str()).collect();
    let mut pairs = align(&ids, &known);
    let marks: Vec<Marks> = tools.iter().map(|tool| marks(tool, &[])).collect();
    let telling = telling(residues);
    // How much a tool says the same as another did.
    let like = |tool: usize, residue: usize| {
        let (now, before) = (marks.get(tool), telling.get(residue));
        let pair = now.zip(before);
        pair.map_or(0, |(now, before)| now.prints().filter(|mark| before.contains(mark)).count())
    };
    for tool in 0..pairs.len() {
        let Some(paired) = pairs.get(tool).copied().flatten() else { continue };
        let marked = residues.get(paired).is_some_and(|residue| !residue.marks.is_empty());
        if !marked || like(tool, paired) > 0 {
            continue;
        }
        let named =
            ids.get(tool).map(|id| last_part(id)) == known.get(paired).map(|id| last_part(id));
        // It says what another did, and nobody else does.
        let holder = |other: usize| pairs.iter().position(|pair| *pair == Some(other));
        let is_another = (0..residues.len()).any(|other| {
            like(tool, other) > 0 && holder(other).is_none_or(|holder| like(holder, other) == 0)
        });
        if (is_another || !named)
            && let Some(pair) = pairs.get_mut(tool)
        {
            *pair = None;
        }
    }
    let taken: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
    let mut left: Vec<usize> = (0..residues.len()).filter(|index| !taken.contains(index)).collect();
    // Those that say the most of the same are the same, and of equals, the first.
    for least in [3, 2, 1] {
        for (tool, pair) in pairs.iter_mut().enumerate().filter(|(_, pair)| pair.is_none()) {
            if let Some(place) = left.iter().position(|residue| like(tool, *residue) >= least) {
                *pair = Some(left.remove(place));
            }
        }
    }
    pairs
}

/// What tells one tool from the others: not what several say.
fn telling(residues: &[ToolResidue]) -> Vec<Vec<&str>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for mark in residues.iter().flat_map(|residue| residue.marks.prints()) {
        *counts.entry(mark).or_default() += 1;
    }
    let alone = |mark: &&str| counts.get(mark) == Some(&1);
    residues.iter().map(|residue| residue.marks.prints().filter(alone).collect()).collect()
}

/// The operations on a tool, with the new name of a variable or a scope that is the only
/// one to have lost its name where only one has got one, much like it: what another may
/// do or hides is not what this one does.
pub(super) fn keys(residue: &ToolResidue, now: &ToolDescriptor<'_>) -> Vec<Op> {
    let set = |names: &[String]| names.iter().cloned().collect();
    let alike = |before: &[String], now: &[String]| {
        let pair = renamed(&set(before), &set(now));
        pair.filter(|(old, new)| did_you_mean(new, [old.as_str()]).is_some())
    };
    let renamed = [
        ("env", alike(&residue.marks.env, &names(&now.env))),
        ("scopes", alike(&residue.marks.scopes, &names(&now.scopes))),
    ];
    let rename = |op: &Op| {
        let tokens: Vec<_> = op.at.tokens().collect();
        let [list, name, rest @ ..] = tokens.as_slice() else { return op.clone() };
        let new = renamed.iter().find_map(|(known, pair)| {
            let (old, new) = pair.as_ref()?;
            (list == known && name == old).then_some(new)
        });
        let Some(new) = new else { return op.clone() };
        let place = Pointer::root().push(list).push(new);
        Op { at: rest.iter().fold(place, |place, token| place.push(token)), ..op.clone() }
    };
    residue.ops.iter().map(rename).collect()
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
    let package = |id: &str| id.rsplit_once('.').map(|(package, _)| package.to_owned());
    let new = |action: &str, own: Option<String>| {
        let names = names.iter().filter(|(_, new)| package(new) == own);
        let mut names = names.map(|(old, new)| (last_part(old), last_part(new)));
        // Unless there is one of that name still.
        let (_, new) = names.clone().find(|(old, new)| *old == action && old != new)?;
        (!names.any(|(_, other)| other == action)).then_some(new)
    };
    for tool in tools {
        let Some(smoke) = &tool.smoke else { continue };
        let Ok(document) = Document::parse(smoke.as_str().as_bytes(), limits) else { continue };
        let action = document.root().get("action").and_then(Node::text);
        let own = package(&tool.id);
        let Some(new) = action.as_deref().and_then(|action| new(action, own)) else { continue };
        let edit = Edit::Set(Pointer::root().push("action"), quote(new));
        if let Ok(text) = apply(&document, &[edit]) {
            tool.smoke = Some(Raw::from_built(text));
        }
    }
}
