//! Compares calls, and how programs are installed.

use std::collections::BTreeMap;

use super::change::Findings;
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
    let told = calls.map(|call| call.as_deref().map(|call| lines.with_digest(call)));
    let [old, new] = told.each_ref().map(Option::as_ref);
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
    // An implementation without an id is identified by its index.
    let named = |list: &[Implementation<'_>]| -> BTreeMap<String, usize> {
        let name = |(index, one): (usize, &Implementation<'_>)| {
            let name = one.id.as_ref().map_or_else(|| format!("#{index}"), |id| id.to_string());
            (name, index)
        };
        list.iter().enumerate().map(name).collect()
    };
    let (before, after) = (named(old), named(new));
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        found.breaking("implementation-removed", field, format!("{} is gone", quoted(name)));
    }
    for (name, index) in &after {
        let known = before.get(name).and_then(|index| old.get(*index));
        match known {
            None => {
                let message = format!("{} is new", quoted(name));
                found.additive("implementation-added", field, message).require_consent();
            }
            Some(known) if new.get(*index).is_some_and(|new| !is_equal(known, new)) => {
                let message = format!("{} is another one", quoted(name));
                found.undecided("implementation-changed", field, message).require_consent();
            }
            Some(_) => {}
        }
    }
    // Order counts because hosts use the first implementation that fits.
    let order = |list: &[Implementation<'_>]| -> Vec<Option<String>> {
        list.iter().map(|one| one.id.as_ref().map(|id| id.to_string())).collect()
    };
    if before.len() == after.len() && before.keys().eq(after.keys()) && order(old) != order(new) {
        let message = "another implementation comes first";
        found.undecided("implementations-reordered", field, message).require_consent();
    }
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
    let at = "/acquisition";
    let supply =
        old.zip(new).map_or(SupplyChange::OtherSource, |(old, new)| compare_supply(old, new));
    match supply {
        SupplyChange::Newer => {
            found.additive("install-version-changed", at, "a newer version is installed");
        }
        SupplyChange::Older => {
            found
                .breaking("install-version-lowered", at, "an older version is installed")
                .require_consent();
        }
        SupplyChange::OtherBytes => {
            let message = "the same name stands for something else";
            found.undecided("install-content-changed", at, message).require_consent();
        }
        SupplyChange::Unclear => {
            let message = "another version is installed, newer or older";
            found.undecided("install-version-unclear", at, message).require_consent();
        }
        SupplyChange::OtherSource => {
            let message = "what is installed comes from somewhere else";
            found.undecided("install-source-changed", at, message).require_consent();
        }
    }
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
