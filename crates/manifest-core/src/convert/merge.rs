//! What a source says now: its target, with the residue where that still applies.

use super::op::{Op, apply_ops, same_thing};
use super::residue::{Residue, ToolResidue};
use super::{ESSENCE, rename, roomy, rules, to_json};
use crate::descriptor::Invocation;
use crate::json::Document;
use crate::{Diagnostic, Lifted, Limits, Pointer, ToolDescriptor};

/// See [`merge`].
pub(super) struct Merged {
    pub(super) lifted: Lifted<'static>,
    /// The tools of the residue that are not in the target any more.
    pub(super) removed: Vec<String>,
    /// How the source calls each tool, where the target says it in another way.
    calls: Vec<Option<Invocation<'static>>>,
}

/// Applies the residue to a target.
pub(super) fn merge(
    target: Lifted<'_>,
    residue: &Residue,
    limits: &Limits,
) -> Result<Merged, Diagnostic> {
    let pairs = rename::pair(&target.tools, &residue.tools);
    let mut tools = Vec::with_capacity(target.tools.len());
    let mut calls = Vec::with_capacity(target.tools.len());
    let mut names = Vec::new();
    for (tool, pair) in target.tools.iter().zip(&pairs) {
        let paired = pair.and_then(|index| residue.tools.get(index));
        let ops = paired.map(|paired| rename::keys(paired, tool)).unwrap_or_default();
        tools.push(apply_to(tool, &ops, limits)?);
        calls.push(paired.and_then(call));
        names.extend(paired.map(|paired| (paired.id.as_str(), tool.id.as_ref())));
    }
    rename::references(&mut tools, &names, limits);
    let known = |index: usize| pairs.contains(&Some(index));
    let gone = residue.tools.iter().enumerate().filter(|(index, _)| !known(*index));
    let removed = gone.map(|(_, tool)| tool.id.clone()).collect();
    let whole = Lifted { tools: Vec::new(), ..target };
    let lifted = Lifted { tools, ..apply_to(&whole, &residue.document, limits)? };
    Ok(Merged { lifted, removed, calls })
}

/// The call that a residue puts in the place of the one in the target.
fn call(residue: &ToolResidue) -> Option<Invocation<'static>> {
    let op = residue.ops.iter().find(|op| op.at.as_str() == "/invocation" && op.was.is_some())?;
    serde_json::from_str(op.value.as_ref()?.as_str()).ok()
}

/// The same with the calls of the source, for tools whose edited call the source could
/// not say: it says something else altogether in `mirror`.
pub(super) fn keep_calls(
    merged: &Merged,
    mirror: &Lifted<'_>,
    limits: &Limits,
) -> Option<Lifted<'static>> {
    let mut kept = merged.lifted.clone();
    let mut any = false;
    for ((tool, said), call) in kept.tools.iter_mut().zip(&mirror.tools).zip(&merged.calls) {
        let Some(call) = call.as_ref().filter(|_| !says(said, tool, limits)) else { continue };
        any = true;
        tool.invocation = Some(call.clone());
    }
    any.then_some(kept)
}

/// Whether a tool is called as another one is.
fn says(said: &ToolDescriptor<'_>, meant: &ToolDescriptor<'_>, limits: &Limits) -> bool {
    let (said, meant) = (to_json(&said.invocation), to_json(&meant.invocation));
    let roomy = roomy(limits);
    let parse = |text| Document::parse(text, &roomy).ok();
    parse(said.as_bytes())
        .zip(parse(meant.as_bytes()))
        .is_none_or(|(said, meant)| same_thing(said.root(), meant.root(), ESSENCE))
}

fn apply_to<T: serde::Serialize, U: serde::de::DeserializeOwned>(
    value: &T,
    ops: &[Op],
    limits: &Limits,
) -> Result<U, Diagnostic> {
    let wrong = |message: String| rules::RESIDUE.at_pointer(Pointer::root(), message);
    let text = to_json(value);
    let roomy = roomy(limits);
    let document = Document::parse(text.as_bytes(), &roomy)?;
    let fits = |text: &str| serde_json::from_str::<U>(text).is_ok();
    let kept: Vec<Op> = ops.iter().filter(|op| !is_orphan(op, &document)).cloned().collect();
    let applied = apply_ops(&document, &kept, &roomy, fits);
    let applied = applied.map_err(|error| wrong(error.to_string()))?;
    serde_json::from_str(&applied).map_err(|error| {
        wrong(format!("the residue does not fit: {}", crate::printable(&error.to_string(), 200)))
    })
}

/// Whether an operation is about a variable or a scope that the target does not
/// have any more: taking it away is an edit.
fn is_orphan(op: &Op, document: &Document<'_>) -> bool {
    let tokens: Vec<_> = op.at.tokens().take(3).collect();
    match tokens.as_slice() {
        [list, name, _] if list == "env" || list == "scopes" => {
            let entry = document.root().get(list).and_then(|list| list.get(name));
            entry.is_none()
        }
        _ => false,
    }
}
