//! Compares the actions of two manifests.

use std::collections::BTreeSet;

use crate::{Action, Manifest};
use compare::{Record, equal_raw};
use manifest_core::descriptor::{ErrorEnvelope, SideEffects};
use manifest_core::json::Raw;
use manifest_core::{Limits, quoted};

use super::change::{Diff, by_name};
use super::schema;

pub(super) fn actions(old: &Manifest<'_>, new: &Manifest<'_>, limits: &Limits, diff: &mut Diff) {
    let before = by_name(&old.actions, |action| action.name.as_ref());
    let after = by_name(&new.actions, |action| action.name.as_ref());
    for (index, gone) in old.actions.iter().enumerate() {
        if !after.contains_key(gone.name.as_ref()) {
            let message = format!("{} is gone", quoted(&gone.name));
            diff.breaking("action-removed", &format!("/actions/{index}"), message);
        }
    }
    for (index, action) in new.actions.iter().enumerate() {
        let at = format!("/actions/{index}");
        match before.get(action.name.as_ref()) {
            None => {
                let message = format!("{} is new", quoted(&action.name));
                let strong = action.side_effects == SideEffects::Destructive;
                diff.additive("action-added", &at, message).set_consent(strong);
            }
            Some(before) => compare_action(before, action, &at, limits, diff),
        }
    }
}

fn compare_action(old: &Action<'_>, new: &Action<'_>, at: &str, limits: &Limits, diff: &mut Diff) {
    let name = quoted(&new.name);
    if old.invocation != new.invocation {
        let message = format!("{name} is called in another way");
        diff.breaking("invocation-changed", &format!("{at}/invocation"), message);
    }
    schema::compare_input(
        old.input.as_ref(),
        new.input.as_ref(),
        &format!("{at}/input"),
        limits,
        diff,
    );
    compare_output(old, new, &format!("{at}/output"), limits, diff);
    let effects = format!("{at}/side_effects");
    if new.side_effects > old.side_effects {
        let message = format!("{name} does more harm");
        diff.breaking("side-effects-raised", &effects, message).require_consent();
    } else if new.side_effects < old.side_effects {
        diff.additive("side-effects-lowered", &effects, format!("{name} does less harm"));
    }
    match (old.idempotent.unwrap_or(false), new.idempotent.unwrap_or(false)) {
        (true, false) => {
            let message = format!("{name} must not be called twice any more");
            diff.breaking("idempotence-lost", &format!("{at}/idempotent"), message);
        }
        (false, true) => {
            let message = format!("{name} can be called twice");
            diff.additive("idempotence-gained", &format!("{at}/idempotent"), message);
        }
        _ => {}
    }
    let standard = Some(ErrorEnvelope::Standard);
    if (old.error_envelope == standard) != (new.error_envelope == standard) {
        let message = format!("{name} reports errors in another way");
        diff.breaking("error-envelope-changed", &format!("{at}/error_envelope"), message);
    }
    compare_scopes_used(old, new, at, diff);
    let examples = old.examples.len() != new.examples.len()
        || old.examples.iter().zip(&new.examples).any(|(old, new)| {
            old.description != new.description
                || !equal_raw(old.input.as_ref(), new.input.as_ref())
                || !equal_raw(old.output.as_ref(), new.output.as_ref())
        });
    if old.summary != new.summary
        || old.description != new.description
        || old.docs != new.docs
        || examples
    {
        let message = format!("{name} is described in other words");
        diff.prompt("docs-text-changed", at, message);
    }
    if !equal_raw(old.runtime_telemetry.as_ref(), new.runtime_telemetry.as_ref()) {
        let message = format!("{name} is measured in another way");
        diff.cosmetic("telemetry-changed", &format!("{at}/runtime_telemetry"), message);
    }
}

fn compare_scopes_used(old: &Action<'_>, new: &Action<'_>, at: &str, diff: &mut Diff) {
    let name = quoted(&new.name);
    let before: BTreeSet<&str> = old.scopes_used.iter().map(AsRef::as_ref).collect();
    let after: BTreeSet<&str> = new.scopes_used.iter().map(AsRef::as_ref).collect();
    for resource in &new.scopes_used {
        if !before.contains(resource.as_ref()) {
            let message = format!("{name} uses {}", quoted(resource));
            diff.additive("action-scope-added", &format!("{at}/scopes_used"), message);
        }
    }
    for resource in &old.scopes_used {
        if !after.contains(resource.as_ref()) {
            let message = format!("{name} does not use {} any more", quoted(resource));
            diff.cosmetic("action-scope-removed", &format!("{at}/scopes_used"), message);
        }
    }
}

fn compare_output(old: &Action<'_>, new: &Action<'_>, at: &str, limits: &Limits, diff: &mut Diff) {
    match (&old.output, &new.output) {
        (None, None) => {}
        (None, Some(_)) => {
            diff.additive("output-declared", at, "it says what comes back");
        }
        (Some(old), Some(new)) if old.format == new.format => {}
        _ => {
            diff.breaking("output-format-changed", at, "something else comes back");
        }
    }
    match (output_schema(old), output_schema(new)) {
        (None, None) => {}
        (None, Some(_)) => {
            diff.additive("output-schema-added", at, "it says what the output looks like");
        }
        (Some(_), None) => {
            let message = "it does not say any more what the output looks like";
            diff.breaking("output-schema-removed", at, message);
        }
        (Some(before), Some(after)) => {
            if !schema::equal_schemas(before, after, limits) {
                diff.breaking("output-schema-changed", at, "the output looks different");
            }
        }
    }
}

fn output_schema<'s, 'a>(action: &'s Action<'a>) -> Option<&'s Raw<'a>> {
    action.output.as_ref()?.schema.as_ref()
}
