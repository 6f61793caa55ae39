//! Compares variables, scopes and data boundaries.

use std::collections::{BTreeMap, BTreeSet};

use crate::{DataBoundary, EnvVar, Manifest, Place, ThirdPartyRetention, Transmits};
use compare::Record;
use manifest_core::quoted;

use super::change::{Diff, by_name};

pub(super) fn env(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let before = by_name(&old.env, |variable| variable.name.as_ref());
    let after = by_name(&new.env, |variable| variable.name.as_ref());
    for (index, gone) in old.env.iter().enumerate() {
        if !after.contains_key(gone.name.as_ref()) {
            let message = format!("{} is gone", quoted(&gone.name));
            diff.breaking("env-removed", &format!("/env/{index}"), message);
        }
    }
    for (index, variable) in new.env.iter().enumerate() {
        let at = format!("/env/{index}");
        let name = quoted(&variable.name);
        let Some(before) = before.get(variable.name.as_ref()) else {
            // A variable without `required` is required, and the default of a secret is not
            // used.
            let message = format!("{name} is new");
            if variable.is_required() && (variable.default.is_none() || variable.secret) {
                diff.breaking("env-added-required", &at, message)
            } else {
                diff.additive("env-added-optional", &at, message)
            }
            .set_consent(variable.secret);
            continue;
        };
        compare_variable(before, variable, &at, diff);
    }
}

fn compare_variable(old: &EnvVar<'_>, new: &EnvVar<'_>, at: &str, diff: &mut Diff) {
    let name = quoted(&new.name);
    let [was_needed, is_needed] =
        [old, new].map(|variable| variable.is_required() && variable.default.is_none());
    if is_needed && !was_needed {
        diff.breaking("env-now-required", at, format!("{name} must be given now"));
    } else if was_needed && !is_needed {
        diff.additive("env-now-optional", at, format!("{name} may be left out now"));
    }
    match (old.secret, new.secret) {
        (false, true) => {
            diff.additive("env-now-secret", at, format!("{name} is secret now")).require_consent();
        }
        (true, false) => {
            diff.breaking("env-no-longer-secret", at, format!("{name} is shown now"))
                .require_consent();
        }
        _ => {}
    }
    if old.validation_regex != new.validation_regex {
        let message = format!("other values of {name} are taken");
        diff.breaking("env-pattern-changed", at, message);
    }
    if old.default.is_some() && new.default.is_some() && old.default != new.default {
        diff.additive("env-default-changed", at, format!("{name} has another default"));
    }
    if old.prompt != new.prompt || old.obtain_url != new.obtain_url {
        diff.prompt("docs-text-changed", at, format!("{name} is asked for in other words"));
    }
}

pub(super) fn scopes(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let before = by_name(&old.scopes, |scope| scope.resource.as_ref());
    let after = by_name(&new.scopes, |scope| scope.resource.as_ref());
    for (index, gone) in old.scopes.iter().enumerate() {
        if !after.contains_key(gone.resource.as_ref()) {
            let message = format!("{} is gone", quoted(&gone.resource));
            diff.breaking("scope-removed", &format!("/scopes/{index}"), message);
        }
    }
    for (index, scope) in new.scopes.iter().enumerate() {
        let at = format!("/scopes/{index}");
        let name = quoted(&scope.resource);
        let Some(before) = before.get(scope.resource.as_ref()) else {
            diff.additive("scope-added", &at, format!("{name} is new")).require_consent();
            continue;
        };
        for verb in &before.actions {
            if !scope.actions.contains(verb) {
                let message = format!("{name} is no longer for {}", verb.word());
                diff.breaking("scope-verb-removed", &at, message);
            }
        }
        for verb in &scope.actions {
            if !before.actions.contains(verb) {
                let message = format!("{name} is for {} now", verb.word());
                diff.additive("scope-verb-added", &at, message).require_consent();
            }
        }
        if before.provider_scope != scope.provider_scope {
            let message = format!("{name} is another scope to its provider");
            diff.additive("provider-scope-changed", &at, message).require_consent();
        }
        if before.rationale != scope.rationale {
            let message = format!("{name} is asked for in other words");
            diff.cosmetic("docs-text-changed", &at, message);
        }
    }
}

pub(super) fn boundary(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let none = DataBoundary::default();
    if old.data_boundary.is_some() && new.data_boundary.is_none() {
        let message = "it does not say any more where data goes";
        diff.breaking("data-boundary-removed", "/data_boundary", message).require_consent();
        return;
    }
    let before = old.data_boundary.as_ref().unwrap_or(&none);
    let Some(after) = &new.data_boundary else { return };
    if old.data_boundary.is_none() {
        diff.additive("data-boundary-added", "/data_boundary", "it says where data goes");
    }
    let mut reads = BTreeMap::new();
    for read in &before.reads {
        let most = reads.entry(read.resource.as_ref()).or_insert(read.sensitivity);
        *most = read.sensitivity.max(*most);
    }
    for (index, read) in after.reads.iter().enumerate() {
        let at = format!("/data_boundary/reads/{index}");
        if reads.get(read.resource.as_ref()) < Some(&read.sensitivity) {
            let message = format!("it reads {}", quoted(&read.resource));
            diff.additive("read-added", &at, message).require_consent();
        }
    }
    compare_transmits(before, after, diff);
    compare_persists(before, after, diff);
    if before.retention != after.retention && old.data_boundary.is_some() {
        let message = "it keeps data for another time";
        diff.additive("retention-changed", "/data_boundary/retention", message).require_consent();
    }
}

/// Returns how long a recipient keeps the data. Unknown counts as the worst case.
fn retention(sent: &Transmits<'_>) -> ThirdPartyRetention {
    match sent.third_party_retention {
        ThirdPartyRetention::Unknown => ThirdPartyRetention::PersistentIndefinite,
        other => other,
    }
}

/// Reports recipients that are new, get more fields, use them for another purpose, or keep
/// them longer. A manifest may list a recipient several times, so each field is compared
/// with all entries of its recipient.
fn compare_transmits(before: &DataBoundary<'_>, after: &DataBoundary<'_>, diff: &mut Diff) {
    // The longest retention of each field of a recipient, for any purpose and for each
    // purpose. The field `None` represents the recipient as a whole.
    let (mut fields, mut purposes) = (BTreeMap::new(), BTreeMap::new());
    for sent in &before.transmits {
        for field in sent_fields(sent) {
            let of_any = fields.entry((recipient(sent), field)).or_insert(retention(sent));
            *of_any = retention(sent).max(*of_any);
            let of_this = purposes.entry((recipient(sent), field, purpose(sent)));
            let of_this = of_this.or_insert(retention(sent));
            *of_this = retention(sent).max(*of_this);
        }
    }
    for (index, sent) in after.transmits.iter().enumerate() {
        let at = format!("/data_boundary/transmits/{index}");
        let to = match &sent.to {
            Some(to) => quoted(to),
            None => "whom the agent chooses".to_owned(),
        };
        if !fields.contains_key(&(recipient(sent), None)) {
            let message = format!("it sends data to {to}");
            diff.breaking("external-transmit-added", &at, message).require_consent();
            continue;
        }
        let [mut more, mut other, mut longer] = [false; 3];
        for field in sent_fields(sent) {
            let of_any = fields.get(&(recipient(sent), field));
            let of_this = purposes.get(&(recipient(sent), field, purpose(sent)));
            more |= of_any.is_none();
            other |= of_any.is_some() && of_this.is_none();
            longer |= of_this.or(of_any).is_some_and(|known| *known < retention(sent));
        }
        if more {
            let message = format!("it sends more to {to}");
            diff.breaking("transmit-fields-added", &at, message).require_consent();
        }
        if other {
            let message = format!("it sends data to {to} for something else");
            diff.additive("transmit-purpose-changed", &at, message).require_consent();
        }
        if longer {
            let message = format!("{to} keeps it for longer");
            diff.breaking("transmit-retention-raised", &at, message).require_consent();
        }
    }
}

/// Returns the fields that are sent, and `None` for the recipient as a whole.
fn sent_fields<'t>(sent: &'t Transmits<'_>) -> impl Iterator<Item = Option<&'t str>> {
    sent.fields.iter().map(|field| Some(field.as_ref())).chain([None])
}

/// Reports fields that the old manifest did not keep in that place.
fn compare_persists(before: &DataBoundary<'_>, after: &DataBoundary<'_>, diff: &mut Diff) {
    let mut fields: BTreeSet<(Place, &str)> = BTreeSet::new();
    for kept in &before.persists {
        for field in &kept.fields {
            fields.insert((kept.location, field));
        }
    }
    for (index, kept) in after.persists.iter().enumerate() {
        if kept.fields.iter().any(|field| !fields.contains(&(kept.location, field.as_ref()))) {
            let at = format!("/data_boundary/persists/{index}");
            let message = format!("it keeps more ({})", kept.location.word());
            diff.additive("persist-added", &at, message).require_consent();
        }
    }
}

fn purpose<'t>(sent: &'t Transmits<'_>) -> (&'t str, Option<&'t str>) {
    (sent.purpose.as_ref(), sent.to_constraint.as_deref())
}

fn recipient<'t>(sent: &'t Transmits<'_>) -> (Option<&'t str>, Option<&'t str>) {
    (sent.to.as_deref(), sent.to_kind.as_deref())
}
