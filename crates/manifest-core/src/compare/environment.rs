//! Variables, secrets and credentials.

use std::collections::{BTreeMap, BTreeSet};

use super::Findings;
use crate::descriptor::{Auth, EnvVar};
use crate::{Keyed, Pointer, quoted};

/// Whether a variable is secret. Not to know is to treat it as one.
fn is_secret(variable: &EnvVar<'_>) -> bool {
    variable.secret != Some(false)
}

/// Whether the tool does not work without it. Not to say so is to need it.
fn is_needed(variable: &EnvVar<'_>) -> bool {
    variable.required != Some(false) && (variable.default.is_none() || is_secret(variable))
}

pub(super) fn variables(
    old: &Keyed<'_, EnvVar<'_>>,
    new: &Keyed<'_, EnvVar<'_>>,
    found: &mut Findings<'_>,
) {
    let before: BTreeMap<&str, &EnvVar<'_>> = old.iter().collect();
    let after: BTreeMap<&str, &EnvVar<'_>> = new.iter().collect();
    for (name, _) in old.iter().filter(|(name, _)| !after.contains_key(name)) {
        found.breaking("env-removed", &place(name), format!("{} is gone", quoted(name)));
    }
    for (name, variable) in new.iter() {
        let Some(before) = before.get(name) else {
            let message = format!("{} is new", quoted(name));
            if is_needed(variable) {
                found.breaking("env-required-added", &place(name), message)
            } else {
                found.additive("env-added", &place(name), message)
            }
            .ask_if(is_secret(variable));
            continue;
        };
        changed(name, before, variable, found);
    }
}

fn place(name: &str) -> String {
    Pointer::root().push("env").push(name).to_string()
}

fn changed(name: &str, old: &EnvVar<'_>, new: &EnvVar<'_>, found: &mut Findings<'_>) {
    let (at, name) = (place(name), quoted(name));
    let EnvVar { prompt, secret, required, pattern, default, obtain_url, reference } = old;
    match (is_needed(old), is_needed(new)) {
        (false, true) => {
            found.breaking("env-now-required", &at, format!("{name} must be given now"));
        }
        (true, false) => {
            found.additive("env-now-optional", &at, format!("{name} may be left out now"));
        }
        _ => {}
    }
    match (is_secret(old), is_secret(new)) {
        (false, true) => {
            found.additive("env-now-secret", &at, format!("{name} is secret now")).ask();
        }
        (true, false) => {
            found.breaking("env-no-longer-secret", &at, format!("{name} is shown now")).ask();
        }
        _ => {}
    }
    if pattern != &new.pattern {
        found.undecided("env-pattern-changed", &at, format!("other values of {name} are taken"));
    }
    if default != &new.default {
        found.undecided("env-default-changed", &at, format!("{name} has another default"));
    }
    if reference != &new.reference {
        let message = format!("{name} is taken from somewhere else");
        found.undecided("env-reference-changed", &at, message).ask();
    }
    if (prompt, obtain_url) != (&new.prompt, &new.obtain_url) {
        found.cosmetic("env-text-changed", &at, format!("{name} is asked for in other words"));
    }
    let same = is_needed(old) == is_needed(new) && is_secret(old) == is_secret(new);
    if same && (secret, required) != (&new.secret, &new.required) {
        found.cosmetic("env-stated", &at, format!("{name} is written in another way"));
    }
}

pub(super) fn auth(old: Option<&Auth<'_>>, new: Option<&Auth<'_>>, found: &mut Findings<'_>) {
    let none = Auth::default();
    let Auth { scheme, scopes, docs_url } = old.unwrap_or(&none);
    let new = new.unwrap_or(&none);
    match (scheme, &new.scheme) {
        (before, after) if before == after => {}
        (None, Some(_)) => {
            found.undecided("auth-stated", "/auth/scheme", "it says how calls are authenticated");
        }
        (Some(_), None) => {
            let message = "it does not say any more how calls are authenticated";
            found.undecided("auth-unstated", "/auth/scheme", message);
        }
        _ => {
            let message = "calls are authenticated in another way";
            found.breaking("auth-changed", "/auth/scheme", message).ask();
        }
    }
    let before: BTreeSet<&str> = scopes.iter().map(AsRef::as_ref).collect();
    let after: BTreeSet<&str> = new.scopes.iter().map(AsRef::as_ref).collect();
    for scope in after.difference(&before) {
        let message = format!("credentials must grant {}", quoted(scope));
        found.breaking("auth-scope-added", "/auth/scopes", message).ask();
    }
    for scope in before.difference(&after) {
        let message = format!("credentials need not grant {} any more", quoted(scope));
        found.additive("auth-scope-removed", "/auth/scopes", message);
    }
    if docs_url != &new.docs_url {
        found.cosmetic(
            "auth-text-changed",
            "/auth/docs_url",
            "credentials are explained elsewhere",
        );
    }
}
