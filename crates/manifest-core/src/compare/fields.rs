//! Every field of a descriptor, and who compares it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::{Class, Findings, Places, call, environment, reach, schemas, texts};
use crate::convert::Op;
use crate::descriptor::{ErrorEnvelope, SideEffects};
use crate::json::{Document, Raw};
use crate::{Limits, ToolDescriptor, align::last_part, canonical, quoted, secret};

/// Compares two tools. Both are taken apart without `..`: a new field does not
/// compile until someone has decided what a change of it means.
pub(super) fn tool(old: &ToolDescriptor<'_>, new: &ToolDescriptor<'_>, found: &mut Findings<'_>) {
    found.tool = new.id.clone().into_owned();
    let ToolDescriptor {
        source: _, // where it stands is not what it is
        id,
        name,
        title,
        package,
        kind,
        version,
        summary,
        description,
        tags,
        labels,
        publisher,
        homepage,
        license,
        support,
        input_schema,
        output_schema,
        output_format,
        error_envelope,
        examples,
        example_files,
        test_files,
        invocation,
        implementations,
        chain,
        acquisition,
        timeout_ms,
        env,
        auth,
        permissions,
        scopes,
        sandbox,
        side_effects,
        idempotent,
        requires_approval,
        origin,
        trust,
        enabled,
        channel,
        smoke,
        verify,
        revocation,
        cost,
        data_boundary,
        extras,
    } = old;
    identity((id, name.as_deref()), (&new.id, new.name.as_deref()), found);
    texts::package(package.as_ref(), new.package.as_ref(), found);
    texts::changed("title", title != &new.title, found);
    texts::changed("summary", summary != &new.summary, found);
    texts::changed("description", description != &new.description, found);
    texts::list("tags", tags, &new.tags, found);
    texts::list("labels", labels, &new.labels, found);
    texts::publisher(publisher.as_ref(), new.publisher.as_ref(), found);
    texts::changed("homepage", homepage != &new.homepage, found);
    if license != &new.license {
        let message = "the licence is another one";
        found.additive("licence-changed", "/license", message).ask();
    }
    texts::changed("support", support != &new.support, found);
    let other_kind = *kind != new.kind;
    if other_kind && kind.is_some() && new.kind.is_some() {
        found.breaking("kind-changed", "/kind", "it is another kind of resource");
    } else if other_kind {
        found.cosmetic("kind-stated", "/kind", "it says something else of its kind");
    }
    schemas::input(input_schema.as_ref(), new.input_schema.as_ref(), found);
    schemas::output(output_schema.as_ref(), new.output_schema.as_ref(), found);
    match (output_format, &new.output_format) {
        (before, after) if before == after => {}
        (None, Some(_)) => {
            found.additive("output-format-stated", "/output_format", "it says what comes back");
        }
        (Some(_), None) => {
            let message = "it does not say any more what comes back";
            found.undecided("output-format-changed", "/output_format", message);
        }
        _ => {
            let message = "something else comes back";
            found.breaking("output-format-changed", "/output_format", message);
        }
    }
    let standard = |envelope: &Option<_>| *envelope == Some(ErrorEnvelope::Standard);
    if standard(error_envelope) != standard(&new.error_envelope) {
        let message = "errors are reported in another way";
        found.breaking("error-envelope-changed", "/error_envelope", message);
    } else if error_envelope != &new.error_envelope {
        let message = "it says something else of its errors";
        found.cosmetic("error-envelope-stated", "/error_envelope", message);
    }
    texts::changed("examples", !same(examples, &new.examples), found);
    texts::changed("example_files", example_files != &new.example_files, found);
    texts::changed("test_files", test_files != &new.test_files, found);
    call::invocation(invocation.as_ref(), new.invocation.as_ref(), found);
    call::implementations(implementations, &new.implementations, found);
    call::chain(chain, &new.chain, found);
    call::acquisition(acquisition.as_ref(), new.acquisition.as_ref(), found);
    call::timeout(timeout_ms.as_ref(), new.timeout_ms.as_ref(), found);
    environment::variables(env, &new.env, found);
    environment::auth(auth.as_ref(), new.auth.as_ref(), found);
    reach::permissions(permissions.as_ref(), new.permissions.as_ref(), found);
    reach::scopes(scopes, &new.scopes, found);
    reach::sandbox(sandbox.as_ref(), new.sandbox.as_ref(), found);
    effects(*side_effects, new.side_effects, found);
    match (idempotent.unwrap_or(false), new.idempotent.unwrap_or(false)) {
        (true, false) => {
            let message = "it must not be called twice any more";
            found.breaking("idempotence-lost", "/idempotent", message);
        }
        (false, true) => {
            found.additive("idempotence-gained", "/idempotent", "it can be called twice");
        }
        _ if idempotent != &new.idempotent => {
            let message = "it says something else of calling twice";
            found.cosmetic("idempotence-stated", "/idempotent", message);
        }
        _ => {}
    }
    approval(*requires_approval, new.requires_approval, found);
    reach::origin(origin.as_ref(), new.origin.as_ref(), found);
    reach::trust(*trust, new.trust, found);
    match (enabled.unwrap_or(true), new.enabled.unwrap_or(true)) {
        (true, false) => {
            found.breaking("disabled", "/enabled", "it may not run any more");
        }
        (false, true) => found.additive("enabled", "/enabled", "it may run now").ask(),
        _ if enabled != &new.enabled => {
            found.cosmetic(
                "enabled-stated",
                "/enabled",
                "it says that it may run, or not any more",
            );
        }
        _ => {}
    }
    if channel != &new.channel {
        found.breaking("channel-changed", "/channel", "it is driven in another way");
    }
    for (field, kind, class, old, new) in [
        // What checks an installation is run there.
        ("/smoke", "smoke-changed", Class::Cosmetic, smoke, &new.smoke),
        ("/verify", "verify-changed", Class::Cosmetic, verify, &new.verify),
        ("/revocation", "revocation-changed", Class::Undecided, revocation, &new.revocation),
        ("/cost", "cost-changed", Class::Undecided, cost, &new.cost),
        (
            "/data_boundary",
            "data-boundary-changed",
            Class::Undecided,
            data_boundary,
            &new.data_boundary,
        ),
    ] {
        if !same_raw(old.as_ref(), new.as_ref()) {
            let message = match (old, new) {
                (None, _) => "it is said now",
                (_, None) => "it is not said any more",
                _ => "something else is said",
            };
            found.push(class, kind, field, message).ask();
        }
    }
    self::extras(extras, &new.extras, found);
    // Last, because it depends on what else was found.
    self::version(version.as_deref(), new.version.as_deref(), found);
}

/// What the tool is called: its id, and its name where that is not the id's end.
fn identity(
    (old, old_name): (&str, Option<&str>),
    (new, new_name): (&str, Option<&str>),
    found: &mut Findings<'_>,
) {
    let message = format!("{} to {}", quoted(old), quoted(new));
    // An id that names no owner says nothing against one that does.
    let owned = |id: &str| id.contains('.');
    if old == new {
    } else if last_part(old) != last_part(new) {
        found.breaking("tool-renamed", "/id", message).ask();
    } else if owned(old) && owned(new) {
        found.breaking("owner-changed", "/id", message).ask();
    } else {
        found.cosmetic("owner-stated", "/id", message);
    }
    let (before, after) =
        (old_name.unwrap_or_else(|| last_part(old)), new_name.unwrap_or_else(|| last_part(new)));
    if before != after {
        // A part of a secret does not look like one.
        let shown = |part: &str, id: &str| match secret::masked(id) {
            Cow::Owned(_) => quoted("…"),
            Cow::Borrowed(_) => quoted(part),
        };
        let message = format!("{} to {}", shown(before, old), shown(after, new));
        found.breaking("name-changed", "/name", message);
    }
}

fn version(old: Option<&str>, new: Option<&str>, found: &mut Findings<'_>) {
    let at = "/version";
    let shown = |version: Option<&str>| version.map_or("none".to_owned(), quoted);
    let message = format!("{} to {}", shown(old), shown(new));
    match (old, new) {
        (old, new) if old == new => {
            let same_format = found.places.as_ref().is_none_or(Places::same_format);
            let stated = found.changes.iter().filter(|change| change.unsaid.is_none());
            let worst = stated.map(|change| change.class).min();
            if let (Some(version), Some(worst)) = (new.filter(|_| same_format), worst) {
                let class = if worst == Class::Cosmetic { worst } else { Class::Breaking };
                let message = format!("{} is now something else", quoted(version));
                found.push(class, "version-reused", at, message);
            }
        }
        (Some(old), Some(new)) => {
            let parse = |text| crate::version::parse_exact(text).ok();
            match parse(old).zip(parse(new)) {
                Some((old, new)) if new < old => found.breaking("version-lowered", at, message),
                Some(_) => found.cosmetic("version-raised", at, message),
                None => found.undecided("version-changed", at, message),
            };
        }
        _ => {
            found.cosmetic("version-stated", at, message);
        }
    }
}

fn effects(old: Option<SideEffects>, new: Option<SideEffects>, found: &mut Findings<'_>) {
    let at = "/side_effects";
    // Not to know is the worst.
    let worst = |effects: Option<_>| effects.unwrap_or(SideEffects::Destructive);
    let (before, after) = (worst(old), worst(new));
    if after > before {
        found.breaking("side-effects-raised", at, "it may do more harm").ask();
    } else if after < before {
        found.additive("side-effects-lowered", at, "it does less harm");
    } else if old != new {
        found.cosmetic("side-effects-stated", at, "it says something else of its side effects");
    }
}

fn approval(old: Option<bool>, new: Option<bool>, found: &mut Findings<'_>) {
    let at = "/requires_approval";
    match (old, new) {
        (old, new) if old == new => {}
        (_, Some(true)) => {
            found.breaking("approval-required", at, "a person must approve each call now");
        }
        (_, Some(false)) | (Some(true), None) => {
            found.additive("approval-dropped", at, "calls need no approval any more").ask();
        }
        _ => {
            found.cosmetic("approval-unstated", at, "it does not say whether to ask any more");
        }
    }
}

/// Compares what the descriptor has no word for. Order and spelling do not count.
pub(super) fn extras(
    old: &BTreeMap<String, Vec<Op>>,
    new: &BTreeMap<String, Vec<Op>>,
    found: &mut Findings<'_>,
) {
    // What another format has no word for says nothing here.
    let formats = |extras: &BTreeMap<String, _>| -> BTreeSet<String> {
        extras.keys().map(|name| name.trim_end_matches('^').to_owned()).collect()
    };
    let (before, after) = (formats(old), formats(new));
    let foreign = !before.is_empty() && !after.is_empty() && before.is_disjoint(&after);
    if foreign || !found.places.as_ref().is_none_or(Places::same_format) {
        return;
    }
    let values = |extras: &BTreeMap<String, Vec<Op>>, name: &str| -> BTreeMap<String, String> {
        let ops = extras.get(name).into_iter().flatten();
        ops.filter(|op| op.was.is_some() || op.value.is_some())
            .map(|op| (op.at.to_string(), essence(op)))
            .filter(|(_, essence)| !essence.is_empty())
            .collect()
    };
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    for name in names {
        let (before, after) = (values(old, name), values(new, name));
        let places: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        for at in places.into_iter().filter(|at| before.get(*at) != after.get(*at)) {
            let message = format!("{} says something else, and has no meaning here", quoted(at));
            found.undecided("other-changed", "/extras", message);
        }
    }
}

/// What an operation does to the value; nothing if it only spells it another way.
fn essence(op: &Op) -> String {
    let text = |raw: &Option<Raw<'_>>| {
        raw.as_ref().map_or(String::new(), |raw| canonical_text(raw.as_str()))
    };
    let (was, value) = (text(&op.was), text(&op.value));
    if was == value { String::new() } else { format!("{was} {value}") }
}

/// The canonical form of a JSON text.
pub(super) fn canonical_text(text: &str) -> String {
    Document::parse(text.as_bytes(), &Limits::read_before())
        .map_or_else(|_| text.to_owned(), |document| canonical(document.root()))
}

/// Whether two parts of descriptors say the same, whatever the spelling.
pub(super) fn same<T: serde::Serialize + PartialEq>(old: &T, new: &T) -> bool {
    let text = |value: &T| serde_json::to_string(value).map(|text| canonical_text(&text));
    old == new || text(old).ok().is_some_and(|old| text(new).is_ok_and(|new| new == old))
}

fn same_raw(old: Option<&Raw<'_>>, new: Option<&Raw<'_>>) -> bool {
    let text = |raw: &Raw<'_>| canonical_text(raw.as_str());
    old.map(text) == new.map(text)
}
