//! The rules of a package, in addition to those of its archive and its manifest.

use manifest_core::Rule;

/// Every rule in this module.
pub static RULES: &[&Rule] = &[
    &FILE_MISSING,
    &FILE_NAME,
    &UNLISTED_FILE,
    &SENSITIVE_FILE,
    &ODD_FILE_NAME,
    &EXAMPLE_TEXT,
    &TEST_INPUT,
    &TEST_EMPTY,
    &ASSERTION,
    &ASSERTION_PATH,
    &OPENAPI,
    &META_EMPTY,
    &PUBLISHER_MISMATCH,
    &COMMIT,
    &BUILT_AT,
    &BUILT_IN_FUTURE,
    &SIGNATURE,
    &SIGNATURE_SIZE,
    &SIGNATURE_MISSING,
    &SIGNATURE_COVERAGE,
    &CHAIN_TOOL,
    &CHAIN_INPUT,
    &CHAIN_RISK,
];

/// The manifest lists a file that is not there.
pub static FILE_MISSING: Rule = Rule::semantics(
    "mcpkg/file-missing",
    "every test and example that the manifest lists must be in the package",
    "Paths are relative to the root of the package, and case counts. Add the file, or take it off \
     the list.",
);
/// The package has an unusual file name.
pub static FILE_NAME: Rule = Rule::advice(
    "mcpkg/file-name",
    "a package should be named after its tool and version",
    "The specification names packages `<toolId>-<version>.mcpkg`. The published tool writes dashes \
     for the dots of the id; that is accepted too.",
);
/// A file that the manifest does not list.
pub static UNLISTED_FILE: Rule = Rule::remark(
    "mcpkg/unlisted-file",
    "a file should be listed in the manifest, or have a place in the specification",
    "Tests that are not listed do not run, and examples that are not listed are not \
     shown. Files that a system left behind can go.",
);
/// A file that other programs act on.
pub static SENSITIVE_FILE: Rule = Rule::advice(
    "mcpkg/sensitive-file",
    "a package should not have files that configure other programs",
    "Names such as `.git`, `.npmrc` or `.env` are read by programs that happen to run in the folder \
     that a package is unpacked to.",
);
/// A file whose name means another file to other programs.
pub static ODD_FILE_NAME: Rule = Rule::advice(
    "mcpkg/odd-file-name",
    "the name of a file should be the same to every program",
    "Shells make something else of a name that begins with `~` or has `$` in it. `PROGRA~1` is how \
     Windows writes the short name of another file.",
);
/// An example or a README that is not text.
pub static EXAMPLE_TEXT: Rule = Rule::advice(
    "mcpkg/example-text",
    "an example or a README should be text",
    "They are given to people and models, as Markdown or plain text in UTF-8.",
);
/// An `openapi.json` that is not an `OpenAPI` document.
pub static OPENAPI: Rule = Rule::advice(
    "mcpkg/openapi",
    "openapi.json should be an OpenAPI document",
    "It has the version of OpenAPI as `openapi` (or `swagger`, for 2.0), `info` with a title and a \
     version, and says what there is under `paths`; since 3.1 `components` or `webhooks` will do.",
);
/// A file in `meta` without useful members.
pub static META_EMPTY: Rule = Rule::advice(
    "mcpkg/meta-empty",
    "a file in meta should say what it is for",
    "`meta/publisher.json` names the publisher by `id` and `name`; `meta/provenance.json` says at \
     least one of `sourceRepo`, `commit`, `builtAt` and `builtBy`.",
);
/// A test whose input does not match the tool's input schema.
pub static TEST_INPUT: Rule = Rule::semantics(
    "mcpkg/test-input",
    "the input of a test must match the tool's input_schema",
    "A test shows how to call the tool. One that the tool would refuse shows nothing.",
);
/// A test that any result passes.
pub static TEST_EMPTY: Rule = Rule::advice(
    "mcpkg/test-empty",
    "a test should have assertions, or say what it expects",
    "Without either, any result passes.",
);
/// An assertion without an operator, or with several.
pub static ASSERTION: Rule = Rule::semantics(
    "mcpkg/assertion",
    "an assertion must have exactly one of equals, notEquals, exists and notExists",
    "`exists` and `notExists` are true or false. `equals` and `notEquals` take any value, also \
     null: that the member is there is what counts.",
);
/// An assertion whose path is not a JSONPath query.
pub static ASSERTION_PATH: Rule = Rule::semantics(
    "mcpkg/assertion-path",
    "the path of an assertion must be a JSONPath query",
    "Queries are read by RFC 9535: `$.status`, `$.items[0]['a b']`, `$..id`.",
);
/// The files of a package name different publishers.
pub static PUBLISHER_MISMATCH: Rule = Rule::advice(
    "mcpkg/publisher-mismatch",
    "meta/publisher.json, the manifest and the tool id should name one publisher",
    "Hosts decide by the publisher whom to trust. One that is named in two ways could be two.",
);
/// A commit that is not a whole hash.
pub static COMMIT: Rule = Rule::advice(
    "mcpkg/provenance-commit",
    "the commit should be a whole hash",
    "A name such as `HEAD` moves, and a shortened hash can come to mean another commit. Use all 40 \
     or 64 hexadecimal digits.",
);
/// An invalid time.
pub static BUILT_AT: Rule = Rule::semantics(
    "mcpkg/provenance-time",
    "builtAt must be a date and time by RFC 3339",
    "For example `2025-11-21T10:00:00Z`.",
);
/// A time in the future.
pub static BUILT_IN_FUTURE: Rule = Rule::advice(
    "mcpkg/provenance-future",
    "builtAt should not be in the future",
    "The host gives the time. A package from the future was built by a wrong clock, or says what is \
     not so.",
);
/// An invalid signature.
pub static SIGNATURE: Rule = Rule::semantics(
    "mcpkg/signature",
    "a signature must be good, and cover at least the manifest",
    "The package was changed after it was signed, or signed by someone else.",
);
/// A signature that is too large.
pub static SIGNATURE_SIZE: Rule = Rule::semantics(
    "mcpkg/signature-size",
    "a signature must not be longer than the limit",
    "The limit is `Limits::signature_bytes`.",
);
/// A required signature is missing.
pub static SIGNATURE_MISSING: Rule = Rule::semantics(
    "mcpkg/signature-missing",
    "a package must be signed where the host asks for it",
    "A signature can be stripped by whoever changes the package, so a host that relies on signatures \
     refuses packages without.",
);
/// A file that the signature does not cover.
pub static SIGNATURE_COVERAGE: Rule = Rule::advice(
    "mcpkg/signature-coverage",
    "a signature should cover every file of the package",
    "What is not covered can be changed by anyone.",
);
/// A step whose tool is unknown.
pub static CHAIN_TOOL: Rule = Rule::advice(
    "mcpkg/chain-tool",
    "the tools that a chain calls should be known to the host",
    "What such a tool takes, gives and changes cannot be checked, so the chain counts as risky as \
     can be. Install the tool first.",
);
/// A step whose input the tool would refuse.
pub static CHAIN_INPUT: Rule = Rule::semantics(
    "mcpkg/chain-input",
    "the input mapping of a step must give its tool what it asks for",
    "Every required input without a default must be mapped, mapped inputs must be ones that the tool \
     takes, and their types must fit.",
);
/// A chain that is declared less risky than its steps.
pub static CHAIN_RISK: Rule = Rule::semantics(
    "mcpkg/chain-risk",
    "a chain must be declared at least as risky as its riskiest step",
    "Calling a chain is calling all of its tools. One that is not known, or does not say what it \
     changes, counts as destructive.",
);
