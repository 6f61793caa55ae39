//! Rules for installations, in addition to those for manifests and for calls of any tool
//! ([`call::rules`]). Pointers lead into the manifest.

use manifest_core::{Rule, Severity};

/// All rules for installations.
pub static RULES: &[&Rule] = &[&VERSION_SPEC, &SMOKE_FAILED, &SMOKE_SKIPPED];

/// An invalid version specifier.
pub static VERSION_SPEC: Rule = Rule::semantics(
    "install-manifest/version-spec",
    "`version_spec` must be a specifier of its package manager",
    "For pip it is a list such as `>=1.2,<2` (PEP 440), for npm a range such as `^1.2.3`. Tags such \
     as `latest` say nothing about what is installed.",
);
/// A failed condition of a smoke test.
pub static SMOKE_FAILED: Rule = Rule::semantics(
    "install-manifest/smoke-failed",
    "every condition of a smoke test must hold",
    "The pointer names the condition. The installation cannot be trusted: revoke it.",
);
/// A skipped condition of a smoke test.
pub static SMOKE_SKIPPED: Rule = Rule {
    severity: Severity::Info,
    ..Rule::semantics(
        "install-manifest/smoke-skipped",
        "a condition of a smoke test that needs a value which nobody gave was skipped",
        "The host asked for it. Without that, the condition fails.",
    )
};
