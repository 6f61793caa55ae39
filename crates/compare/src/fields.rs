//! Compares all fields of two tools.

use std::borrow::Cow;

use super::change::{Findings, Record};
use super::equality::is_equal;
use super::line_digests::LineDigests;
use super::{call, environment, reach, schemas, texts};
use diagnostic::quoted;
use manifest_core::descriptor::{ErrorEnvelope, Kind, OutputFormat, RiskProfile};
use manifest_core::last_part;
use manifest_core::{ToolDescriptor, secret};

/// Compares the fields of two tools, without those of the package. Destructures without
/// `..`, so that a new field does not compile until someone decides the effect of its
/// changes.
pub(super) fn compare_tools(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    lines: &mut LineDigests,
    found: &mut Findings<'_>,
) {
    let ToolDescriptor {
        at: _,      // a place is not a property
        package: _, // compared once for all its tools
        id: _,
        name: _, // `identity` looks at both
        title,
        kind,
        summary,
        description,
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
        timeout_ms,
        auth,
        permissions,
        scopes_used: _, // `reach::scopes_used` looks at the package, too
        sandbox,
        side_effects: _, // these five are compared by the risk profile
        idempotent: _,
        requires_approval: _,
        trust: _,
        enabled: _,
        origin,
        channel,
    } = old;
    let cautions = [RiskProfile::of(old), RiskProfile::of(new)];
    compare_identity(old, new, found);
    texts::report_text("title", title != &new.title, found);
    texts::report_text("summary", summary != &new.summary, found);
    texts::report_text("description", description != &new.description, found);
    self::compare_kinds(kind.as_deref(), new.kind.as_deref(), found);
    schemas::compare_input(input_schema.as_deref(), new.input_schema.as_deref(), found);
    schemas::compare_output(output_schema.as_deref(), new.output_schema.as_deref(), found);
    self::compare_output_formats(output_format.as_deref(), new.output_format.as_deref(), found);
    self::compare_error_envelopes(error_envelope.as_deref(), new.error_envelope.as_deref(), found);
    texts::report_text("examples", !is_equal(examples, &new.examples), found);
    texts::report_text("example_files", example_files != &new.example_files, found);
    texts::report_text("test_files", test_files != &new.test_files, found);
    call::compare_invocations([invocation, &new.invocation], lines, found);
    call::compare_implementations(implementations, &new.implementations, found);
    call::compare_chains(chain, &new.chain, found);
    call::compare_timeouts(timeout_ms.as_deref(), new.timeout_ms.as_deref(), found);
    environment::compare_auth(auth, &new.auth, found);
    reach::compare_permissions(permissions, &new.permissions, found);
    reach::compare_used_scopes(old, new, found);
    reach::compare_sandboxes(sandbox, &new.sandbox, found);
    compare_risks(old, new, &cautions, found);
    reach::compare_origins(origin, &new.origin, found);
    reach::compare_trust(old, new, &cautions, found);
    compare_enabled(old, new, &cautions, found);
    if channel != &new.channel {
        found.breaking("channel-changed", "/channel", "it is driven in another way");
    }
}

fn compare_risks(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    cautions: &[RiskProfile; 2],
    found: &mut Findings<'_>,
) {
    compare_effects(old, new, cautions, found);
    compare_idempotence(old, new, cautions, found);
    compare_approval(old, new, cautions, found);
}

/// Compares the ids, and the names that the tools are called by.
fn compare_identity(old: &ToolDescriptor<'_>, new: &ToolDescriptor<'_>, found: &mut Findings<'_>) {
    let (before, after) = (&*old.id, &*new.id);
    let (before_name, after_name) = (old.callable_name().value, new.callable_name().value);
    let message = format!("{} to {}", quoted(before), quoted(after));
    if before == after {
    } else if last_part(before) != last_part(after) {
        found.breaking("tool-renamed", "/id", message).require_consent();
    } else if before.contains('.') && after.contains('.') {
        found.breaking("owner-changed", "/id", message).require_consent();
    } else {
        // An id without an owner does not contradict one with an owner.
        found.cosmetic("owner-stated", "/id", message);
    }
    if before_name != after_name {
        let (old, new) = (masked_name(before_name, before), masked_name(after_name, after));
        found.breaking("name-changed", "/name", format!("{old} to {new}"));
    }
}

/// Returns a name in quotes. The last part of a secret id is masked, too: alone, it would
/// not be recognised as a secret.
fn masked_name(name: &str, id: &str) -> String {
    match secret::mask(id) {
        Cow::Owned(_) => quoted("…"),
        Cow::Borrowed(_) => quoted(name),
    }
}

fn compare_kinds(old: Option<&Kind>, new: Option<&Kind>, found: &mut Findings<'_>) {
    match (old, new) {
        (old, new) if old == new => {}
        (Some(_), Some(_)) => {
            found.breaking("kind-changed", "/kind", "it is another kind of resource");
        }
        _ => {
            found.cosmetic("kind-stated", "/kind", "it says something else of its kind");
        }
    }
}

fn compare_output_formats(
    old: Option<&OutputFormat>,
    new: Option<&OutputFormat>,
    found: &mut Findings<'_>,
) {
    let at = "/output_format";
    match (old, new) {
        (before, after) if before == after => {}
        (None, Some(_)) => {
            found.additive("output-format-stated", at, "it says what comes back");
        }
        (Some(_), None) => {
            let message = "it does not say any more what comes back";
            found.undecided("output-format-changed", at, message);
        }
        _ => {
            found.breaking("output-format-changed", at, "something else comes back");
        }
    }
}

fn compare_error_envelopes(
    old: Option<&ErrorEnvelope>,
    new: Option<&ErrorEnvelope>,
    found: &mut Findings<'_>,
) {
    let standard = Some(&ErrorEnvelope::Standard);
    if (old == standard) != (new == standard) {
        let message = "errors are reported in another way";
        found.breaking("error-envelope-changed", "/error_envelope", message);
    } else if old != new {
        let message = "it says something else of its errors";
        found.cosmetic("error-envelope-stated", "/error_envelope", message);
    }
}

fn compare_effects(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    [was, is]: &[RiskProfile; 2],
    found: &mut Findings<'_>,
) {
    let at = "/side_effects";
    let (before, after) = (was.effects_or_worst(), is.effects_or_worst());
    if after > before {
        found.breaking("side-effects-raised", at, "it may do more harm").require_consent();
    } else if after < before {
        found.additive("side-effects-lowered", at, "it does less harm");
    } else if old.side_effects != new.side_effects {
        found.cosmetic("side-effects-stated", at, "it says something else of its side effects");
    }
}

fn compare_idempotence(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    [was, is]: &[RiskProfile; 2],
    found: &mut Findings<'_>,
) {
    let at = "/idempotent";
    match (was.is_idempotent(), is.is_idempotent()) {
        (true, false) => {
            found.breaking("idempotence-lost", at, "it must not be called twice any more");
        }
        (false, true) => {
            found.additive("idempotence-gained", at, "it can be called twice");
        }
        _ if old.idempotent != new.idempotent => {
            let message = "it says something else of calling twice";
            found.cosmetic("idempotence-stated", at, message);
        }
        _ => {}
    }
}

/// Compares declared approval. Approval that effects imply is compared with the effects.
fn compare_approval(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    [was, is]: &[RiskProfile; 2],
    found: &mut Findings<'_>,
) {
    let at = "/requires_approval";
    if old.requires_approval == new.requires_approval {
        return;
    }
    // Hosts act on the declaration, so its loss counts even if approval is then unknown.
    let lost = was.declares_approval() && !is.declares_approval();
    match (was.needs_approval(), is.needs_approval()) {
        (false, true) => {
            found.breaking("approval-required", at, "a person must approve each call now");
        }
        (true, false) => {
            found
                .additive("approval-dropped", at, "calls need no approval any more")
                .require_consent();
        }
        _ if lost => {
            let message = "it does not say any more that calls need approval";
            found.additive("approval-dropped", at, message).require_consent();
        }
        _ => {
            found.cosmetic("approval-stated", at, "it says something else of approval");
        }
    }
}

fn compare_enabled(
    old: &ToolDescriptor<'_>,
    new: &ToolDescriptor<'_>,
    [was, is]: &[RiskProfile; 2],
    found: &mut Findings<'_>,
) {
    let at = "/enabled";
    match (was.is_enabled(), is.is_enabled()) {
        (true, false) => {
            found.breaking("disabled", at, "it may not run any more");
        }
        (false, true) => found.additive("enabled", at, "it may run now").require_consent(),
        _ if old.enabled != new.enabled => {
            found.cosmetic("enabled-stated", at, "it says that it may run, or not any more");
        }
        _ => {}
    }
}
