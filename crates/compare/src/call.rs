//! Compares calls, and how programs are installed.

use std::collections::BTreeMap;

use super::change::{Class, Findings, Record};
use super::equality::is_equal;
use super::line_digests::LineDigests;
use super::supply::{SupplyChange, compare_supply};
use diagnostic::quoted;
use json_text::Number;
use manifest_core::Sourced;
use manifest_core::descriptor::{Acquisition, Implementation, Invocation, Step};

/// Compares calls. Only the owner can judge whether another program does the same.
pub(super) fn compare_invocations(
    calls: [&Option<Sourced<Invocation<'_>>>; 2],
    lines: &mut LineDigests,
    found: &mut Findings<'_>,
) {
    let [old, new] = calls.map(|call| Some(lines.with_digest(call.as_deref()?)));
    let (old, new) = (old.as_ref(), new.as_ref());
    if is_equal(&old, &new) {
        return;
    }
    let (kind, message) = match (old, new) {
        (None, _) => ("call-stated", "it says how it is called"),
        (_, None) => ("call-unstated", "it does not say any more how it is called"),
        (Some(Invocation::Http(_)), Some(Invocation::Http(_))) => {
            ("endpoint-changed", "requests are others, or go somewhere else")
        }
        _ => ("program-changed", "something else is run"),
    };
    let field = match new.or(old) {
        Some(Invocation::Command(_)) => "/invocation/command",
        Some(Invocation::CommandLine(_)) => "/invocation/command_line",
        Some(Invocation::Http(_)) => "/invocation/http",
        Some(Invocation::McpTool(_)) => "/invocation/mcp_tool",
        Some(Invocation::RegistryTool(_)) => "/invocation/registry_tool",
        Some(Invocation::Python(_)) => "/invocation/python",
        Some(Invocation::Node(_)) => "/invocation/node",
        Some(Invocation::A2a(_)) => "/invocation/a2a",
        None => "/invocation",
    };
    // The field names the kind of call only if both calls are of that kind.
    let one = old.map(std::mem::discriminant) == new.map(std::mem::discriminant);
    found.undecided(kind, if one { field } else { "/invocation" }, message).require_consent();
}

pub(super) fn compare_implementations(
    old: &[Implementation<'_>],
    new: &[Implementation<'_>],
    found: &mut Findings<'_>,
) {
    let field = "/implementations";
    let (before, after) = (implementations_by_name(old), implementations_by_name(new));
    for name in before.keys() {
        if !after.contains_key(name) {
            found.breaking("implementation-removed", field, format!("{} is gone", quoted(name)));
        }
    }
    for (name, new) in &after {
        match before.get(name) {
            None => {
                let message = format!("{} is new", quoted(name));
                found.additive("implementation-added", field, message).require_consent();
            }
            Some(old) if !is_equal(old, new) => {
                let message = format!("{} is another one", quoted(name));
                found.undecided("implementation-changed", field, message).require_consent();
            }
            Some(_) => {}
        }
    }
    // Order counts because hosts use the first implementation that fits.
    if before.keys().eq(after.keys())
        && !old.iter().map(|one| one.id.as_deref()).eq(new.iter().map(|one| one.id.as_deref()))
    {
        let message = "another implementation comes first";
        found.undecided("implementations-reordered", field, message).require_consent();
    }
}

/// Maps implementations by id. One without an id is identified by its index.
fn implementations_by_name<'l, 'a>(
    list: &'l [Implementation<'a>],
) -> BTreeMap<String, &'l Implementation<'a>> {
    let mut named = BTreeMap::new();
    for (index, one) in list.iter().enumerate() {
        let name = match &one.id {
            Some(id) => id.to_string(),
            None => format!("#{index}"),
        };
        named.insert(name, one);
    }
    named
}

pub(super) fn compare_chains(old: &[Step<'_>], new: &[Step<'_>], found: &mut Findings<'_>) {
    if !is_equal(&old, &new) {
        let message = "it calls other tools, or in another way";
        found.undecided("chain-changed", "/chain", message).require_consent();
    }
}

pub(super) fn compare_acquisitions(
    old: Option<&Acquisition<'_>>,
    new: Option<&Acquisition<'_>>,
    found: &mut Findings<'_>,
) {
    if is_equal(&old, &new) {
        return;
    }
    let supply = match (old, new) {
        (Some(old), Some(new)) => compare_supply(old, new),
        _ => SupplyChange::OtherSource,
    };
    let (kind, message) = supply.describe();
    let class = match supply {
        SupplyChange::Newer => Class::Additive,
        SupplyChange::Older => Class::Breaking,
        SupplyChange::OtherBytes | SupplyChange::Unclear | SupplyChange::OtherSource => {
            Class::Undecided
        }
    };
    found.push(class, kind, "/acquisition", message).set_consent(supply != SupplyChange::Newer);
}

pub(super) fn compare_timeouts(
    old: Option<&Number<'_>>,
    new: Option<&Number<'_>>,
    found: &mut Findings<'_>,
) {
    let at = "/timeout_ms";
    match (old, new) {
        (Some(old), Some(new)) if new < old => {
            found.breaking("timeout-lowered", at, "a call may take less time");
        }
        (Some(old), Some(new)) if new > old => {
            found.additive("timeout-raised", at, "a call may take more time");
        }
        (None, Some(_)) => {
            found.undecided("timeout-stated", at, "it says how long a call may take");
        }
        (Some(_), None) => {
            let message = "it does not say any more how long a call may take";
            found.undecided("timeout-unstated", at, message);
        }
        _ => {}
    }
}
