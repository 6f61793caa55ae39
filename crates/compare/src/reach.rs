//! Compares permissions, scopes, sandboxes, origins and trust.

use std::collections::BTreeMap;

use super::change::{Findings, Record};
use super::texts::as_set;
use diagnostic::{Pointer, quoted};
use manifest_core::descriptor::{
    Filesystem, Network, Origin, Permissions, RiskProfile, Sandbox, Scope, ToolDescriptor,
};

/// Compares permissions. A missing permission is wider than any declared one.
pub(super) fn compare_permissions(
    old: &Permissions<'_>,
    after: &Permissions<'_>,
    found: &mut Findings<'_>,
) {
    let Permissions { network, hosts, filesystem, devices } = old;
    let networks = [network, &after.network].map(|network| match network.as_deref() {
        Some(Network::Deny) => 0,
        Some(Network::Allowlist) => 1,
        None => 2,
    });
    let files = [filesystem, &after.filesystem].map(|files| match files.as_deref() {
        Some(Filesystem::None) => 0,
        Some(Filesystem::Read) => 1,
        Some(Filesystem::Write) => 2,
        None => 3,
    });
    for (field, what, [before, after]) in [
        ("/permissions/network", "the network", networks),
        ("/permissions/filesystem", "files", files),
    ] {
        if after > before {
            let message = format!("it may do more with {what}");
            found.additive("permission-widened", field, message).require_consent();
        } else if after < before {
            let message = format!("it may do less with {what}");
            found.undecided("permission-narrowed", field, message);
        }
    }
    // A missing list counts as an empty one.
    for (field, before, after) in [
        ("/permissions/hosts", hosts, &after.hosts),
        ("/permissions/devices", devices, &after.devices),
    ] {
        let (before, after) = (as_set(before), as_set(after));
        for name in after.difference(&before) {
            let message = format!("it may reach {}", quoted(name));
            found.additive("permission-widened", field, message).require_consent();
        }
        for name in before.difference(&after) {
            let message = format!("it may not reach {} any more", quoted(name));
            found.undecided("permission-narrowed", field, message);
        }
    }
}

/// Compares the resources of a package, and the actions on each.
pub(super) fn compare_scopes(old: &[Scope<'_>], new: &[Scope<'_>], found: &mut Findings<'_>) {
    let (before, after) = (by_resource(old), by_resource(new));
    for scope in old {
        let name = &*scope.resource.value;
        if !after.contains_key(name) {
            let message = format!("{} is gone", quoted(name));
            found.breaking("scope-removed", &scope_pointer(name), message);
        }
    }
    for scope in new {
        let name = &*scope.resource.value;
        let (at, shown) = (scope_pointer(name), quoted(name));
        let Some(before) = before.get(name) else {
            found.additive("scope-added", &at, format!("{shown} is new")).require_consent();
            continue;
        };
        let Scope { resource: _, actions, rationale, provider_scope } = before;
        let (was, is) = (as_set(actions), as_set(&scope.actions));
        for verb in is.difference(&was) {
            let message = format!("{shown} is for {} now", quoted(verb));
            found.additive("scope-verb-added", &at, message).require_consent();
        }
        for verb in was.difference(&is) {
            let message = format!("{shown} is no longer for {}", quoted(verb));
            found.breaking("scope-verb-removed", &at, message);
        }
        if provider_scope != &scope.provider_scope {
            let message = format!("{shown} is another scope to its provider");
            found.undecided("provider-scope-changed", &at, message).require_consent();
        }
        if rationale != &scope.rationale {
            let message = format!("{shown} is asked for in other words");
            found.cosmetic("scope-text-changed", &at, message);
        }
    }
}

fn scope_pointer(name: &str) -> String {
    Pointer::root().push("scopes").push(name).to_string()
}

fn by_resource<'l, 'a>(scopes: &'l [Scope<'a>]) -> BTreeMap<&'l str, &'l Scope<'a>> {
    scopes.iter().map(|scope| (scope.resource.as_ref(), scope)).collect()
}

/// Compares the resources of its package that a tool uses.
pub(super) fn compare_used_scopes(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    found: &mut Findings<'_>,
) {
    let at = "/scopes_used";
    if as_set(&old.scopes_used) == as_set(&new.scopes_used) {
        return;
    }
    let (before, after) = (old.used_resources(), new.used_resources());
    for name in after.difference(&before) {
        found.additive("scope-used", at, format!("it uses {} now", quoted(name))).require_consent();
    }
    for name in before.difference(&after) {
        found.cosmetic("scope-unused", at, format!("it does not use {} any more", quoted(name)));
    }
    if before == after {
        found.cosmetic("scope-use-stated", at, "it says in another way which scopes it uses");
    }
}

pub(super) fn compare_sandboxes(old: &Sandbox<'_>, new: &Sandbox<'_>, found: &mut Findings<'_>) {
    let Sandbox { kind, cpu, memory } = old;
    if kind != &new.kind {
        let message = "it runs in another kind of sandbox";
        found.undecided("sandbox-changed", "/sandbox/kind", message).require_consent();
    }
    if (cpu, memory) != (&new.cpu, &new.memory) {
        let message = "it may use more or less of the machine";
        found.undecided("resources-changed", "/sandbox", message);
    }
}

pub(super) fn compare_origins(old: &Origin<'_>, new: &Origin<'_>, found: &mut Findings<'_>) {
    let Origin { source, url, path, digest, signature } = old;
    if (source, url, path) != (&new.source, &new.url, &new.path) {
        found
            .undecided("origin-changed", "/origin", "it comes from somewhere else")
            .require_consent();
    }
    match (digest, &new.digest) {
        (before, after) if before == after => {}
        (None, Some(_)) => {
            found.cosmetic("digest-stated", "/origin/digest", "it says what its digest is");
        }
        _ => {
            let message = "what it stands for has another digest, or none";
            found.undecided("digest-changed", "/origin/digest", message).require_consent();
        }
    }
    match (signature, &new.signature) {
        (before, after) if before == after => {}
        (Some(_), None) => {
            found
                .undecided("signature-removed", "/origin/signature", "it is not signed any more")
                .require_consent();
        }
        _ => {
            found.cosmetic("signature-changed", "/origin/signature", "it is signed anew");
        }
    }
}

pub(super) fn compare_trust(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    [was, is]: &[RiskProfile; 2],
    found: &mut Findings<'_>,
) {
    let (before, after) = (was.trust_or_worst(), is.trust_or_worst());
    if after > before {
        found.additive("trust-raised", "/trust", "it is to be trusted more").require_consent();
    } else if after < before {
        found.breaking("trust-lowered", "/trust", "it is to be trusted less");
    } else if old.trust != new.trust {
        found.cosmetic("trust-stated", "/trust", "it says something else of trust");
    }
}
