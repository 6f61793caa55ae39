//! What a tool may reach, where it comes from, and how far it is trusted.

use std::collections::{BTreeMap, BTreeSet};

use super::Findings;
use crate::descriptor::{Filesystem, Network, Origin, Permissions, Sandbox, Scope, Trust};
use crate::read::Text;
use crate::{Keyed, Pointer, quoted};

/// What is not said may be anything: it is wider than all that can be said.
pub(super) fn permissions(
    old: Option<&Permissions<'_>>,
    new: Option<&Permissions<'_>>,
    found: &mut Findings<'_>,
) {
    let none = Permissions::default();
    let Permissions { network, hosts, filesystem, devices } = old.unwrap_or(&none);
    let after = new.unwrap_or(&none);
    let net = |network: Option<Network>| match network {
        Some(Network::Deny) => 0,
        Some(Network::Allowlist) => 1,
        None => 2,
    };
    let files = |files: Option<Filesystem>| match files {
        Some(Filesystem::None) => 0,
        Some(Filesystem::Read) => 1,
        Some(Filesystem::Write) => 2,
        None => 3,
    };
    for (field, what, before, after) in [
        ("/permissions/network", "the network", net(*network), net(after.network)),
        ("/permissions/filesystem", "files", files(*filesystem), files(after.filesystem)),
    ] {
        if after > before {
            let message = format!("it may do more with {what}");
            found.additive("permission-widened", field, message).ask();
        } else if after < before {
            let message = format!("it may do less with {what}");
            found.undecided("permission-narrowed", field, message);
        }
    }
    // The lists count only where somebody says what is allowed.
    for (field, before, after) in [
        ("/permissions/hosts", hosts, &after.hosts),
        ("/permissions/devices", devices, &after.devices),
    ] {
        let (before, after) = (set(before), set(after));
        for name in after.difference(&before) {
            let message = format!("it may reach {}", quoted(name));
            found.additive("permission-widened", field, message).ask();
        }
        for name in before.difference(&after) {
            let message = format!("it may not reach {} any more", quoted(name));
            found.undecided("permission-narrowed", field, message);
        }
    }
}

fn set<'l>(list: &'l [Text<'_>]) -> BTreeSet<&'l str> {
    list.iter().map(AsRef::as_ref).collect()
}

pub(super) fn scopes(
    old: &Keyed<'_, Scope<'_>>,
    new: &Keyed<'_, Scope<'_>>,
    found: &mut Findings<'_>,
) {
    let before: BTreeMap<&str, &Scope<'_>> = old.iter().collect();
    let after: BTreeMap<&str, &Scope<'_>> = new.iter().collect();
    let place = |name: &str| Pointer::root().push("scopes").push(name).to_string();
    for (name, _) in old.iter().filter(|(name, _)| !after.contains_key(name)) {
        found.breaking("scope-removed", &place(name), format!("{} is gone", quoted(name)));
    }
    for (name, scope) in new.iter() {
        let (at, shown) = (place(name), quoted(name));
        let Some(before) = before.get(name) else {
            found.additive("scope-added", &at, format!("{shown} is new")).ask();
            continue;
        };
        let Scope { actions, rationale, provider_scope, used } = before;
        let (was, is) = (set(actions), set(&scope.actions));
        for verb in is.difference(&was) {
            let message = format!("{shown} is for {} now", quoted(verb));
            found.additive("scope-verb-added", &at, message).ask();
        }
        for verb in was.difference(&is) {
            let message = format!("{shown} is no longer for {}", quoted(verb));
            found.breaking("scope-verb-removed", &at, message);
        }
        if provider_scope != &scope.provider_scope {
            let message = format!("{shown} is another scope to its provider");
            found.undecided("provider-scope-changed", &at, message).ask();
        }
        if rationale != &scope.rationale {
            let message = format!("{shown} is asked for in other words");
            found.cosmetic("scope-text-changed", &at, message);
        }
        // Not to say is to use it.
        match (used.unwrap_or(true), scope.used.unwrap_or(true)) {
            (false, true) => {
                found.additive("scope-used", &at, format!("it uses {shown} now")).ask();
            }
            (true, false) => {
                found.cosmetic("scope-unused", &at, format!("it does not use {shown} any more"));
            }
            _ => {}
        }
    }
}

pub(super) fn sandbox(
    old: Option<&Sandbox<'_>>,
    new: Option<&Sandbox<'_>>,
    found: &mut Findings<'_>,
) {
    let none = Sandbox::default();
    let Sandbox { kind, cpu, memory } = old.unwrap_or(&none);
    let new = new.unwrap_or(&none);
    if kind != &new.kind {
        let message = "it runs in another kind of sandbox";
        found.undecided("sandbox-changed", "/sandbox/kind", message).ask();
    }
    if (cpu, memory) != (&new.cpu, &new.memory) {
        let message = "it may use more or less of the machine";
        found.undecided("resources-changed", "/sandbox", message);
    }
}

pub(super) fn origin(old: Option<&Origin<'_>>, new: Option<&Origin<'_>>, found: &mut Findings<'_>) {
    let none = Origin::default();
    let Origin { source, url, path, digest, signature } = old.unwrap_or(&none);
    let new = new.unwrap_or(&none);
    if (source, url, path) != (&new.source, &new.url, &new.path) {
        found.undecided("origin-changed", "/origin", "it comes from somewhere else").ask();
    }
    match (digest, &new.digest) {
        (before, after) if before == after => {}
        (None, Some(_)) => {
            found.cosmetic("digest-stated", "/origin/digest", "it says what its digest is");
        }
        _ => {
            let message = "what it stands for has another digest, or none";
            found.undecided("digest-changed", "/origin/digest", message).ask();
        }
    }
    match (signature, &new.signature) {
        (before, after) if before == after => {}
        (Some(_), None) => {
            found
                .undecided("signature-removed", "/origin/signature", "it is not signed any more")
                .ask();
        }
        _ => {
            found.cosmetic("signature-changed", "/origin/signature", "it is signed anew");
        }
    }
}

pub(super) fn trust(old: Option<Trust>, new: Option<Trust>, found: &mut Findings<'_>) {
    let (before, after) = (old.unwrap_or_default(), new.unwrap_or_default());
    if after > before {
        found.additive("trust-raised", "/trust", "it is to be trusted more").ask();
    } else if after < before {
        found.breaking("trust-lowered", "/trust", "it is to be trusted less");
    } else if old != new {
        found.cosmetic("trust-stated", "/trust", "it says something else of trust");
    }
}
