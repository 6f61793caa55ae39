//! What can keep a plan from being made, and what can be wrong with an outcome.
//!
//! These rules are about calls, not about documents: the manifest is valid, and
//! the input, the values or the answer is at fault. Pointers lead into the
//! manifest, unless the rule says otherwise.

use manifest_core::{Depth, Rule, Severity};

/// Every rule of plans and outcomes.
pub static RULES: &[&Rule] = &[
    &UNKNOWN_ACTION,
    &INPUT,
    &UNKNOWN_INPUT,
    &MISSING_VALUE,
    &VALUE,
    &TEMPLATE_SIZE,
    &OPTION_VALUE,
    &UNSENT_INPUT,
    &VERSION_SPEC,
    &ENDPOINT,
    &OUTPUT,
    &SMOKE_FAILED,
    &SMOKE_SKIPPED,
];

const fn rule(
    code: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
) -> Rule {
    Rule { code, severity, depth: Depth::Meaning, summary, explanation }
}

/// An action that the manifest does not have.
pub static UNKNOWN_ACTION: Rule = rule(
    "install-manifest/unknown-action",
    Severity::Error,
    "a call must name an action that the manifest has",
    "Actions are found by their `name`.",
);
/// Input that the action does not take. The pointer leads into the input.
pub static INPUT: Rule = rule(
    "install-manifest/input",
    Severity::Error,
    "the input of a call must match the action's schema",
    "Defaults are filled in first. An action without `input` takes an empty object.",
);
/// Input that the schema does not declare. The pointer leads into the input.
pub static UNKNOWN_INPUT: Rule = rule(
    "install-manifest/unknown-input",
    Severity::Error,
    "the input of a call must not have properties that the schema does not permit",
    "The specification asks for it, though JSON Schema would let them through: unknown properties \
     are refused unless the schema permits them in so many words, with `additionalProperties`, \
     `patternProperties` or `unevaluatedProperties`.",
);
/// A reference without a value.
pub static MISSING_VALUE: Rule = rule(
    "install-manifest/missing-value",
    Severity::Error,
    "every reference of a template must have a value",
    "A missing value is never an empty text: a command with a hole in it is another command. Give \
     the value, or a `default` in the schema.",
);
/// A value that cannot stand where the template puts it.
pub static VALUE: Rule = rule(
    "install-manifest/value",
    Severity::Error,
    "a value must fit the place that a template puts it into",
    "Strings, numbers and booleans can be put into templates; `null`, arrays and objects cannot. A \
     segment of a path must not be empty, `.` or `..`. A header takes printable ASCII without line \
     breaks. An argument takes no NUL.",
);
/// A template or a result that is too long.
pub static TEMPLATE_SIZE: Rule = rule(
    "install-manifest/template-size",
    Severity::Error,
    "a template must stay within its limits",
    "There are limits on the bytes of a template, on its references, and on what it grows to.",
);
/// A value that the program may take for an option.
pub static OPTION_VALUE: Rule = rule(
    "install-manifest/option-value",
    Severity::Warning,
    "a value should not look like an option",
    "It begins with a hyphen and there is no `--` before it, so the program may take it for an \
     option. Put `--` into the template, or write `--name=${input.name}`.",
);
/// Input that is not part of the request. The pointer leads into the input.
pub static UNSENT_INPUT: Rule = rule(
    "install-manifest/unsent-input",
    Severity::Warning,
    "all of the input should be part of the request",
    "GET and DELETE requests have no body. What the path does not refer to is not sent.",
);
/// A version specifier that is none.
pub static VERSION_SPEC: Rule = rule(
    "install-manifest/version-spec",
    Severity::Error,
    "`version_spec` must be a specifier of its package manager",
    "For pip it is a list such as `>=1.2,<2` (PEP 440), for npm a range such as `^1.2.3`. Tags such \
     as `latest` say nothing about what is installed.",
);
/// A server that paths cannot be appended to.
pub static ENDPOINT: Rule = rule(
    "install-manifest/endpoint",
    Severity::Error,
    "`endpoint_url` must end where an action's path begins",
    "The path of an HTTP action is appended to it, so it must not have a query or a fragment.",
);
/// Output that is not what the action declares.
pub static OUTPUT: Rule = rule(
    "install-manifest/output",
    Severity::Error,
    "the output of an action must be what it declares",
    "`output.format` says what it is written in, and `output.schema` what it must match. The \
     pointer leads into the output.",
);
/// A smoke test that did not pass.
pub static SMOKE_FAILED: Rule = rule(
    "install-manifest/smoke-failed",
    Severity::Error,
    "every condition of a smoke test must hold",
    "The pointer names the condition. The installation cannot be trusted: revoke it.",
);
/// A condition that was not looked at.
pub static SMOKE_SKIPPED: Rule = rule(
    "install-manifest/smoke-skipped",
    Severity::Info,
    "a condition of a smoke test that needs a value which nobody gave was skipped",
    "The host asked for it. Without that, the condition fails.",
);
