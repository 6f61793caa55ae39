//! Names that an edit of a target changed: of tools, variables and scopes.
//!
//! A name that is gone and one that is new may be the same thing. What else the target
//! said when it was written tells, and the residue has marks of that.

use std::collections::BTreeSet;

use super::op::Op;
use super::residue::{Marks, ToolResidue, sha256_hex};
use super::to_json;
use crate::align::{align, last_part};
use crate::json::{Document, Edit, Node, Raw, apply, quote};
use crate::{Keyed, Limits, Pointer, ToolDescriptor};

/// What a tool of a target is known by, where there are operations on it.
pub(super) fn marks(tool: &ToolDescriptor<'_>, ops: &[Op]) -> Marks {
    let about = |list: &str| ops.iter().any(|op| op.at.tokens().next().as_deref() == Some(list));
    let print = |text: String| sha256_hex(text.as_bytes()).chars().take(16).collect();
    // Nothing, and any object, say nothing.
    let long = |schema: &&Raw<'_>| schema.as_str().len() > r#"{"type":"object"}"#.len();
    let said = tool.summary.is_some() || tool.description.is_some();
    Marks {
        texts: said.then(|| print(to_json(&(&tool.summary, &tool.description)))),
        input: tool.input_schema.as_ref().filter(long).map(|schema| print(to_json(schema))),
        call: tool.invocation.as_ref().map(|call| print(to_json(call))),
        env: if about("env") { names(&tool.env) } else { Vec::new() },
        scopes: if about("scopes") { names(&tool.scopes) } else { Vec::new() },
    }
}

fn names<T>(list: &Keyed<'_, T>) -> Vec<String> {
    list.iter().map(|(name, _)| name.to_string()).collect()
}

/// For each tool, which part of the residue is its own: by its id, and else by what it
/// says.
pub(super) fn pair(tools: &[ToolDescriptor<'_>], residues: &[ToolResidue]) -> Vec<Option<usize>> {
    let ids: Vec<&str> = tools.iter().map(|tool| tool.id.as_ref()).collect();
    let known: Vec<&str> = residues.iter().map(|residue| residue.id.as_str()).collect();
    let mut pairs = align(&ids, &known);
    let taken: BTreeSet<usize> = pairs.iter().flatten().copied().collect();
    let mut left: Vec<usize> = (0..residues.len()).filter(|index| !taken.contains(index)).collect();
    if left.is_empty() || pairs.iter().all(Option::is_some) {
        return pairs;
    }
    let tools: Vec<Marks> = tools.iter().map(|tool| marks(tool, &[])).collect();
    // Those that say the most of the same are the same, and of equals, the first.
    for least in [3, 2, 1] {
        for (pair, tool) in pairs.iter_mut().zip(&tools).filter(|(pair, _)| pair.is_none()) {
            let like = |index: &usize| {
                residues.get(*index).is_some_and(|before| likeness(&before.marks, tool) >= least)
            };
            if let Some(place) = left.iter().position(like) {
                *pair = Some(left.remove(place));
            }
        }
    }
    pairs
}

/// How much two tools say the same, of what tells one tool from the others.
fn likeness(before: &Marks, now: &Marks) -> usize {
    let pairs =
        [(&before.texts, &now.texts), (&before.input, &now.input), (&before.call, &now.call)];
    pairs.iter().filter(|(before, now)| before.is_some() && before == now).count()
}

/// The operations on a tool, with the new name of a variable or a scope that is the only
/// one to have lost its name where only one has got one.
pub(super) fn keys(residue: &ToolResidue, now: &ToolDescriptor<'_>) -> Vec<Op> {
    let set = |names: &[String]| names.iter().cloned().collect();
    let renamed = [
        ("env", renamed(&set(&residue.marks.env), &set(&names(&now.env)))),
        ("scopes", renamed(&set(&residue.marks.scopes), &set(&names(&now.scopes)))),
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
    let new = |action: &str| {
        let mut names = names.iter().map(|(old, new)| (last_part(old), last_part(new)));
        // Unless there is one of that name still.
        let (_, new) = names.clone().find(|(old, new)| *old == action && old != new)?;
        (!names.any(|(_, other)| other == action)).then_some(new)
    };
    for tool in tools {
        let Some(smoke) = &tool.smoke else { continue };
        let Ok(document) = Document::parse(smoke.as_str().as_bytes(), limits) else { continue };
        let action = document.root().get("action").and_then(Node::text);
        let Some(new) = action.as_deref().and_then(new) else { continue };
        let edit = Edit::Set(Pointer::root().push("action"), quote(new));
        if let Ok(text) = apply(&document, &[edit]) {
            tool.smoke = Some(Raw::from_built(text));
        }
    }
}
