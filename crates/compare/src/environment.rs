//! Compares variables, secrets and credentials.

use std::collections::BTreeMap;

use super::change::{Findings, Record};
use super::texts::as_set;
use diagnostic::{Pointer, quoted};
use manifest_core::descriptor::{Auth, EnvVar};

/// Returns true if the tool does not work unless a value is given: the variable is not
/// declared optional, and has no default or is secret.
fn is_needed(variable: &EnvVar<'_>) -> bool {
    let optional = variable.required.as_deref() == Some(&false);
    !optional && (variable.default.is_none() || variable.is_secret())
}

pub(super) fn compare_variables(old: &[EnvVar<'_>], new: &[EnvVar<'_>], found: &mut Findings<'_>) {
    let (before, after) = (by_name(old), by_name(new));
    for variable in old {
        let name = &*variable.name.value;
        if !after.contains_key(name) {
            found.breaking(
                "env-removed",
                &variable_pointer(name),
                format!("{} is gone", quoted(name)),
            );
        }
    }
    for variable in new {
        let name = &*variable.name.value;
        let Some(before) = before.get(name) else {
            let message = format!("{} is new", quoted(name));
            if is_needed(variable) {
                found.breaking("env-required-added", &variable_pointer(name), message)
            } else {
                found.additive("env-added", &variable_pointer(name), message)
            }
            .set_consent(variable.is_secret());
            continue;
        };
        compare_variable(name, before, variable, found);
    }
}

fn by_name<'l, 'a>(variables: &'l [EnvVar<'a>]) -> BTreeMap<&'l str, &'l EnvVar<'a>> {
    variables.iter().map(|variable| (variable.name.as_ref(), variable)).collect()
}

fn variable_pointer(name: &str) -> String {
    Pointer::root().push("env").push(name).to_string()
}

fn compare_variable(name: &str, old: &EnvVar<'_>, new: &EnvVar<'_>, found: &mut Findings<'_>) {
    let (at, name) = (variable_pointer(name), quoted(name));
    let EnvVar { name: _, prompt, secret, required, pattern, default, obtain_url, reference } = old;
    match (is_needed(old), is_needed(new)) {
        (false, true) => {
            found.breaking("env-now-required", &at, format!("{name} must be given now"));
        }
        (true, false) => {
            found.additive("env-now-optional", &at, format!("{name} may be left out now"));
        }
        _ => {}
    }
    match (old.is_secret(), new.is_secret()) {
        (false, true) => {
            found
                .additive("env-now-secret", &at, format!("{name} is secret now"))
                .require_consent();
        }
        (true, false) => {
            found
                .breaking("env-no-longer-secret", &at, format!("{name} is shown now"))
                .require_consent();
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
        found.undecided("env-reference-changed", &at, message).require_consent();
    }
    if (prompt, obtain_url) != (&new.prompt, &new.obtain_url) {
        found.prompt("env-text-changed", &at, format!("{name} is asked for in other words"));
    }
    let same = is_needed(old) == is_needed(new) && old.is_secret() == new.is_secret();
    if same && (secret, required) != (&new.secret, &new.required) {
        found.cosmetic("env-stated", &at, format!("{name} is written in another way"));
    }
}

pub(super) fn compare_auth(old: &Auth<'_>, new: &Auth<'_>, found: &mut Findings<'_>) {
    let Auth { scheme, scopes, docs_url } = old;
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
            found.breaking("auth-changed", "/auth/scheme", message).require_consent();
        }
    }
    let (before, after) = (as_set(scopes), as_set(&new.scopes));
    for scope in after.difference(&before) {
        let message = format!("credentials must grant {}", quoted(scope));
        found.breaking("auth-scope-added", "/auth/scopes", message).require_consent();
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
