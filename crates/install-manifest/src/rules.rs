//! Every rule of this format.

use manifest_core::{Depth, Rule, Severity};

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &MANIFEST_VERSION,
    &UNKNOWN_MEMBER,
    &LENGTH,
    &PATTERN,
    &WORD,
    &TAG,
    &COUNT,
    &INTEGER,
    &RANGE,
    &EXACTLY_ONE,
    &TERMS_URL,
    &ACTIONS_REQUIRED,
    &BOUNDARY_REQUIRED,
    &NOTHING_TO_REVOKE,
    &URI,
    &EMAIL,
];

const fn structure(code: &'static str, summary: &'static str, explanation: &'static str) -> Rule {
    Rule { code, severity: Severity::Error, depth: Depth::Structure, summary, explanation }
}

const fn advice(code: &'static str, summary: &'static str, explanation: &'static str) -> Rule {
    Rule { code, severity: Severity::Warning, depth: Depth::Advice, summary, explanation }
}

/// The version of the specification is missing or unknown.
pub static MANIFEST_VERSION: Rule = structure(
    "install-manifest/manifest-version",
    "`manifest_version` must be \"0.1\", \"0.2\", \"0.3\", \"0.3.1\" or \"0.4\"",
    "Every version has its own members, so nothing else can be checked before the version is \
     known. It is a string: 0.2 without quotes is a number, and \"0.2.0\" is no version of the \
     specification.",
);
/// A member that the version does not have.
pub static UNKNOWN_MEMBER: Rule = structure(
    "install-manifest/unknown-member",
    "an object must not have members that the version does not name",
    "The specification closes every object. A member from a later version needs that version in \
     `manifest_version`; the help says which.",
);
/// A text is too short or too long.
pub static LENGTH: Rule = structure(
    "install-manifest/length",
    "a text must have a length within its bounds",
    "Lengths are counted in characters (Unicode code points), not in bytes.",
);
/// A text does not match its pattern.
pub static PATTERN: Rule = structure(
    "install-manifest/pattern",
    "an id, a name, a version, a tag or a digest must match its pattern",
    "The message says in words what matches. Patterns are matched as ECMAScript does: a line \
     break at the end is part of the text.",
);
/// A word is not one of a closed set.
pub static WORD: Rule = structure(
    "install-manifest/word",
    "a value from a closed set must be one of the set",
    "The message lists the words. Case matters.",
);
/// The member that says which kind of object this is does not name one.
pub static TAG: Rule = structure(
    "install-manifest/tag",
    "`kind` and `method` must name a kind of object that the version has",
    "Which members an object has depends on its kind. Later versions have more kinds; the help \
     says which version is needed.",
);
/// A list has too few or too many elements.
pub static COUNT: Rule = structure(
    "install-manifest/count",
    "a list must have a number of elements within its bounds",
    "The message names the bounds.",
);
/// A number has a fraction.
pub static INTEGER: Rule = structure(
    "install-manifest/integer",
    "a count, a code or a time must be a whole number",
    "`2.0` is a whole number, as JSON Schema counts; `2.5` is not.",
);
/// A number is out of its range.
pub static RANGE: Rule = structure(
    "install-manifest/range",
    "a number must be within its range",
    "The message names the range.",
);
/// None or both of two members that exclude each other.
pub static EXACTLY_ONE: Rule = structure(
    "install-manifest/exactly-one",
    "one of two members must be there, and not both",
    "Manual revocation is described either here or at a URL. Data is sent either to a recipient \
     that the manifest names or to one that the agent supplies.",
);
/// A claim about terms of service without a link to them.
pub static TERMS_URL: Rule = structure(
    "install-manifest/terms-url",
    "a recipient that keeps nothing by its terms must have a link to them",
    "`none-per-vendor-tos` is a claim that others must be able to check. Add `vendor_tos_url`, or \
     say `unknown`.",
);
/// No actions where the runtime does not tell what they are.
pub static ACTIONS_REQUIRED: Rule = structure(
    "install-manifest/actions-required",
    "a tool must list its actions, unless it is an MCP server over standard input and output",
    "Only such a server is asked for its tools. For every other runtime the list is all that an \
     agent knows.",
);
/// Private data without a word on where it goes.
pub static BOUNDARY_REQUIRED: Rule = structure(
    "install-manifest/boundary-required",
    "a tool that uses private data must say where data goes",
    "From 0.3 on, a scope on mail, calendars, files, health, money and the like needs \
     `data_boundary`. The schema asks for it whatever the verbs of the scope are.",
);
/// A tool that cannot be revoked, but has something to revoke.
pub static NOTHING_TO_REVOKE: Rule = structure(
    "install-manifest/nothing-to-revoke",
    "a tool without a kill switch must not hold credentials or keep data",
    "`kill_switch` may be `none` only if the manifest collects no environment variables and its \
     data boundary persists nothing. Say `manual`, `url` or `shell` otherwise.",
);
/// A text that should be a URI is none.
pub static URI: Rule = advice(
    "install-manifest/uri",
    "a link should be an absolute URI",
    "The schema's `format` is advice to most validators. A link that is none leads nowhere.",
);
/// A text that should be an e-mail address is none.
pub static EMAIL: Rule = advice(
    "install-manifest/email",
    "an address should be an e-mail address",
    "The schema's `format` is advice to most validators. An address that is none reaches nobody.",
);
