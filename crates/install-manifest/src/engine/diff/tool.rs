//! Compares identity, texts, runtime, smoke test, kill switch and cost.

use crate::{Install, KillSwitch, Manifest};
use compare::{Class, Record, SupplyChange, compare_supply};
use manifest_core::descriptor::Acquisition;
use manifest_core::{Sourced, Text, quoted};

use super::change::Diff;

pub(super) fn tool(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let (before, after) = (&old.tool, &new.tool);
    if old.canonical_id() != new.canonical_id() {
        let message = format!("{} to {}", quoted(&old.canonical_id()), quoted(&new.canonical_id()));
        diff.breaking("tool-id-changed", "/tool/id", message).require_consent();
    }
    if before.summary != after.summary {
        diff.prompt("tool-summary-changed", "/tool/summary", "the summary is another one");
    }
    if before.name != after.name || before.description != after.description {
        let message = "name or description are others, which models read";
        diff.prompt("tool-docs-changed", "/tool", message);
    } else if before.homepage != after.homepage
        || before.author != after.author
        || before.tags != after.tags
    {
        let message = "homepage, author or tags are others";
        diff.cosmetic("tool-docs-changed", "/tool", message);
    }
    if before.license != after.license {
        diff.additive("licence-changed", "/tool/license", "the licence is another one")
            .require_consent();
    }
    match (&old.verify, &new.verify) {
        (None, Some(_)) => {
            diff.additive("verify-added", "/verify", "there is verification over time");
        }
        (Some(_), None) => {
            diff.breaking("verify-removed", "/verify", "there is no verification over time");
        }
        (old, new) if old != new => {
            diff.cosmetic("verify-changed", "/verify", "verification over time is another one");
        }
        _ => {}
    }
    if old.support != new.support {
        diff.cosmetic("support-changed", "/support", "support is somewhere else");
    }
}

pub(super) fn runtime(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let (before, after) = (&old.runtime, &new.runtime);
    if before.kind != after.kind {
        let message = format!("{} to {}", before.kind.word(), after.kind.word());
        diff.breaking("runtime-kind-changed", "/runtime/kind", message);
    }
    if before.install != after.install {
        compare_install(&before.install, &after.install, diff);
    }
    if before.entrypoint != after.entrypoint {
        let message = "another program is run";
        diff.breaking("entrypoint-changed", "/runtime/entrypoint", message);
    }
    if before.endpoint_url != after.endpoint_url {
        let message = "requests go somewhere else";
        diff.breaking("endpoint-changed", "/runtime/endpoint_url", message).require_consent();
    }
}

/// Reports a change of the installation.
fn compare_install(old: &Install<'_>, new: &Install<'_>, diff: &mut Diff) {
    let supply = match (acquisition(old), acquisition(new)) {
        (Some(old), Some(new)) => compare_supply(&old, &new),
        _ => SupplyChange::OtherSource,
    };
    let (kind, message) = supply.describe();
    let newer = supply == SupplyChange::Newer;
    let class = if newer { Class::Additive } else { Class::Breaking };
    diff.push(class, kind, "/runtime/install", message).set_consent(!newer);
}

/// Returns the acquisition, or `None` for a preinstalled tool, which has no version to
/// compare.
fn acquisition<'a>(install: &Install<'a>) -> Option<Acquisition<'a>> {
    Some(match install.clone() {
        Install::Pip { package, version_spec } => {
            Acquisition::Pip { package: package.into(), version_spec: sourced(version_spec) }
        }
        Install::Npm { package, version_spec } => {
            Acquisition::Npm { package: package.into(), version_spec: sourced(version_spec) }
        }
        Install::Git { url, reference, subpath, layout } => Acquisition::Git {
            url: url.into(),
            reference: reference.into(),
            subpath: sourced(subpath),
            layout: layout.map(|layout| Text::Borrowed(layout.word()).into()),
        },
        Install::Container { image } => Acquisition::Container { image: image.into() },
        Install::Url { url, sha256 } => {
            Acquisition::Download { url: url.into(), sha256: sha256.into() }
        }
        Install::Preinstalled { locator: _ } => return None,
    })
}

fn sourced(text: Option<Text<'_>>) -> Option<Sourced<Text<'_>>> {
    text.map(Into::into)
}

pub(super) fn smoke(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    if old.smoke.kind != new.smoke.kind {
        let message = "the installation is checked by other means";
        diff.additive("smoke-changed", "/smoke", message).require_consent();
    }
    if old.smoke.success != new.smoke.success {
        let message = "the conditions of success are others";
        diff.cosmetic("smoke-conditions-changed", "/smoke/success", message);
    }
    if old.smoke.timeout_seconds() != new.smoke.timeout_seconds() {
        let message = "the smoke test may take another time";
        diff.cosmetic("smoke-timeout-changed", "/smoke/timeout_seconds", message);
    }
}

pub(super) fn kill_switch(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let at = "/kill_switch";
    let [was, is] = [&old.kill_switch, &new.kill_switch].map(|switch| match switch {
        KillSwitch::None {} => 0,
        KillSwitch::Manual { .. } => 1,
        KillSwitch::Url { .. } | KillSwitch::Shell { .. } => 2,
    });
    let message = format!("{} to {}", old.kill_switch.as_str(), new.kill_switch.as_str());
    match (was, is) {
        (1.., 0) => diff.breaking("kill-switch-removed", at, message).require_consent(),
        (2, 1) => diff.breaking("kill-switch-weakened", at, message).require_consent(),
        (0, 1..) => {
            diff.additive("kill-switch-added", at, message);
        }
        (1, 2) => {
            diff.additive("kill-switch-strengthened", at, message);
        }
        _ if old.kill_switch != new.kill_switch => {
            diff.additive("kill-switch-changed", at, "it is revoked in another way");
        }
        _ => {}
    }
}

pub(super) fn cost(old: &Manifest<'_>, new: &Manifest<'_>, diff: &mut Diff) {
    let none = crate::Cost::default();
    let (before, after) = (old.cost.as_ref().unwrap_or(&none), new.cost.as_ref().unwrap_or(&none));
    for (name, before, after) in [
        ("install_fee_cents", &before.install_fee_cents, &after.install_fee_cents),
        ("monthly_fee_cents", &before.monthly_fee_cents, &after.monthly_fee_cents),
    ] {
        let zero = manifest_core::json::Number::from(0);
        let (before, after) = (before.as_ref().unwrap_or(&zero), after.as_ref().unwrap_or(&zero));
        let at = format!("/cost/{name}");
        let message = format!("{} to {} cents", quoted(before.as_str()), quoted(after.as_str()));
        if after > before {
            diff.breaking("cost-raised", &at, message).require_consent();
        } else if after < before {
            diff.additive("cost-lowered", &at, message);
        }
    }
    if before.usage_model != after.usage_model {
        let message = "use is billed in another way";
        diff.breaking("usage-model-changed", "/cost/usage_model", message).require_consent();
    }
    if before.estimate_url != after.estimate_url {
        let message = "estimates are somewhere else";
        diff.cosmetic("estimate-changed", "/cost/estimate_url", message);
    }
}
