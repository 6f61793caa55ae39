//! Compares the values that the tools of a package share.

use super::change::Class::{Cosmetic, Undecided};
use super::change::{Change, Findings, Record};
use super::equality::{equal_raw, is_equal};
use super::texts::REORDERED;
use super::{call, environment, reach, texts};
use diagnostic::quoted;
use manifest_core::descriptor::{Cost, Package};
use manifest_core::version::parse_exact;

/// Compares two packages. Destructures without `..`, for the same reason as `fields::tool`.
pub(super) fn compare_packages(old: &Package<'_>, new: &Package<'_>, found: &mut Findings<'_>) {
    let Package {
        at: _, // a place is not a property
        id: _,
        namespace: _, // `identity` looks at these
        title: _,
        summary: _,
        description: _,
        command: _,
        cwd: _,
        url: _,
        version: _, // compared last of all
        tags,
        labels,
        publisher,
        homepage,
        license,
        support,
        acquisition,
        env,
        scopes,
        smoke,
        verify,
        revocation,
        cost,
        data_boundary,
    } = old;
    compare_identity(old, new, found);
    texts::compare_word_lists("tags", tags, &new.tags, found);
    texts::compare_word_lists("labels", labels, &new.labels, found);
    texts::compare_publishers(publisher, &new.publisher, found);
    texts::report_text("homepage", homepage != &new.homepage, found);
    if license != &new.license {
        let message = "the licence is another one";
        found.additive("licence-changed", "/license", message).require_consent();
    }
    texts::report_text("support", support != &new.support, found);
    call::compare_acquisitions(acquisition.as_deref(), new.acquisition.as_deref(), found);
    environment::compare_variables(env, &new.env, found);
    reach::compare_scopes(scopes, &new.scopes, found);
    for (field, kind, class, old, new) in [
        // All of these need consent. Checks of an installation run on the user's machine.
        ("/smoke", "smoke-changed", Cosmetic, smoke, &new.smoke),
        ("/verify", "verify-changed", Cosmetic, verify, &new.verify),
        ("/revocation", "revocation-changed", Undecided, revocation, &new.revocation),
        ("/data_boundary", "data-boundary-changed", Undecided, data_boundary, &new.data_boundary),
    ] {
        if !equal_raw(old.as_deref(), new.as_deref()) {
            let message = change_message(old.is_none(), new.is_none());
            found.push(class, kind, field, message).require_consent();
        }
    }
    if !is_equal(cost, &new.cost) {
        let none = Cost::default();
        let message = change_message(*cost == none, new.cost == none);
        found.undecided("cost-changed", "/cost", message).require_consent();
    }
}

/// Returns the message for a changed value. One of the two may be absent.
const fn change_message(was_absent: bool, is_absent: bool) -> &'static str {
    match (was_absent, is_absent) {
        (true, _) => "it is said now",
        (_, true) => "it is not said any more",
        _ => "something else is said",
    }
}

/// Compares ids, texts and calls of two packages.
fn compare_identity(old: &Package<'_>, new: &Package<'_>, found: &mut Findings<'_>) {
    if (&old.id, &old.namespace) != (&new.id, &new.namespace) {
        if old.id.is_some() && new.id.is_some() {
            let message = "it is part of another package";
            found.breaking("package-changed", "/package/id", message).require_consent();
        } else {
            let message = "it says something else of its package";
            found.cosmetic("package-stated", "/package", message);
        }
    }
    let texts = (&old.title, &old.summary, &old.description);
    if texts != (&new.title, &new.summary, &new.description) {
        let message = "its package is described in other words";
        found.cosmetic("package-text-changed", "/package", message);
    }
    if (&old.command, &old.url, &old.cwd) != (&new.command, &new.url, &new.cwd) {
        let message = "its package is called in another way";
        found.undecided("package-call-changed", "/package", message).require_consent();
    }
}

/// Returns true if a change requires a new version. The order of tags and labels does not,
/// and neither does a value that the other format lacks.
pub(super) fn requires_version(change: &Change) -> bool {
    change.unsaid.is_none() && change.kind != REORDERED
}

/// Reports a version that stayed the same although something changed.
pub(super) fn report_version_reuse(old: &Package<'_>, new: &Package<'_>, found: &mut Findings<'_>) {
    if found.places.as_ref().is_some_and(|places| !places.same_format()) {
        return;
    }
    if let (Some(old), Some(new)) = (&old.version, &new.version)
        && old.value == new.value
    {
        let message = format!("{} is now something else", quoted(new));
        found.breaking("version-reused", "/version", message);
    }
}

/// Compares the versions.
pub(super) fn compare_versions(old: &Package<'_>, new: &Package<'_>, found: &mut Findings<'_>) {
    let at = "/version";
    match (old.version.as_deref(), new.version.as_deref()) {
        (old, new) if old == new => {}
        (Some(old), Some(new)) => {
            let message = format!("{} to {}", quoted(old), quoted(new));
            match (parse_exact(old), parse_exact(new)) {
                (Ok(old), Ok(new)) if new < old => found.breaking("version-lowered", at, message),
                (Ok(_), Ok(_)) => found.cosmetic("version-raised", at, message),
                _ => found.undecided("version-changed", at, message),
            };
        }
        (Some(old), None) => {
            found.cosmetic("version-stated", at, format!("{} to none", quoted(old)));
        }
        (None, Some(new)) => {
            found.cosmetic("version-stated", at, format!("none to {}", quoted(new)));
        }
        (None, None) => {}
    }
}
