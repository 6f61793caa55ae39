//! The rules of a manifest. The checks are in `structure.rs` and `semantics.rs`.

use manifest_core::Rule;

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &TOOL_ID,
    &TOOL_ID_SEGMENTS,
    &BLANK,
    &VERSION,
    &CAPABILITIES_EMPTY,
    &NO_ENDPOINT,
    &SEVERAL_ENDPOINTS,
    &ENDPOINT_TYPE,
    &ENDPOINT_METHOD,
    &ENDPOINT_URL,
    &ENDPOINT_COMMAND,
    &TIMEOUT,
    &AUTH_TYPE,
    &SCHEMA_TYPE,
    &FILE_PATH,
    &DUPLICATE_FILE,
    &DUPLICATE_IMPLEMENTATION,
    &CHAIN_LENGTH,
    &CHAIN_PATH,
    &CHAIN_NAME,
    &CHAIN_REFERENCE,
    &CHAIN_CYCLE,
    &CONTROL_CHARACTER,
    &UNUSUAL_METHOD,
    &INSECURE_URL,
    &PRIVATE_URL,
    &SHELL_SYNTAX,
    &FRACTIONAL_TIMEOUT,
    &UNTYPED_SCHEMA,
    &UNKNOWN_PLATFORM,
    &NO_TESTS,
    &NO_EXAMPLES,
    &NO_META,
    &REFERENCE,
    &SECRET,
];

/// The values of `auth.type`.
pub(crate) const AUTH_TYPES: &[&str] = &["none", "bearer", "api_key", "oauth2"];

/// The usual HTTP methods.
pub(crate) const METHODS: &[&str] = &["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS"];

/// The message for a time-out that is not positive or too large.
pub(crate) const INVALID_TIMEOUT: &str =
    "the time-out must be greater than zero and not beyond all bounds";

/// Returns true if a text is an exact SemVer version.
pub(crate) fn is_version(text: &str) -> bool {
    manifest_core::version::parse_exact(text).is_ok()
}

/// The id does not follow the grammar.
pub static TOOL_ID: Rule = Rule::semantics(
    "mcpkg/tool-id",
    "toolId must be segments of [a-z0-9_-] between dots, at least two",
    "Each segment begins and ends with a letter or a digit. The id becomes a folder and a key in \
     registries, so slashes, `..` and empty segments are never allowed. The `reference` profile asks \
     for three segments without underscores or hyphens, as the published tool does.",
);
/// The id has an unusual number of segments.
pub static TOOL_ID_SEGMENTS: Rule = Rule::advice(
    "mcpkg/tool-id-segments",
    "toolId should have three or four segments",
    "The convention is `publisher.domain.capability.name`; the specification's own examples have two \
     to four segments.",
);
/// A required text is blank.
pub static BLANK: Rule = Rule::semantics(
    "mcpkg/blank",
    "name, description and the like must not be blank",
    "People and models choose tools by these texts.",
);
/// The version is not SemVer.
pub static VERSION: Rule = Rule::semantics(
    "mcpkg/version",
    "version must be an exact SemVer 2.0.0 version",
    "Ranges, a leading `v`, leading zeros and missing parts are not versions: `1.0.0`, \
     `1.0.0-rc.1` and `1.0.0+build.5` are.",
);
/// There are no capabilities.
pub static CAPABILITIES_EMPTY: Rule = Rule::semantics(
    "mcpkg/capabilities-empty",
    "capabilities must have at least one entry",
    "Registries find tools by their capabilities.",
);
/// There is no way to call the tool.
pub static NO_ENDPOINT: Rule = Rule::semantics(
    "mcpkg/no-endpoint",
    "there must be an endpoint, implementations or a chain",
    "0.1 requires `endpoint`; 0.2 allows `implementations` or `chain` in its place.",
);
/// There is more than one way to call the tool.
pub static SEVERAL_ENDPOINTS: Rule = Rule::advice(
    "mcpkg/several-endpoints",
    "only one of endpoint, implementations and chain should be there",
    "The specification does not say which of them counts when there are several.",
);
/// An endpoint of an unknown type.
pub static ENDPOINT_TYPE: Rule = Rule::semantics(
    "mcpkg/endpoint-type",
    "the type of an endpoint must be http or local",
    "0.1 knows `http`; the implementations of 0.2 add `local`. `grpc` is named for the future and has \
     no members yet.",
);
/// An HTTP endpoint has no method, or an invalid one.
pub static ENDPOINT_METHOD: Rule = Rule::semantics(
    "mcpkg/endpoint-method",
    "an http endpoint must have a method",
    "A method is a word such as GET or POST.",
);
/// An HTTP endpoint has no URL, or an invalid one.
pub static ENDPOINT_URL: Rule = Rule::semantics(
    "mcpkg/endpoint-url",
    "an http endpoint must have an absolute http or https URL",
    "Other schemes, missing hosts, and user names or passwords inside the URL are refused.",
);
/// A local endpoint has no command, or one that leaves the package.
pub static ENDPOINT_COMMAND: Rule = Rule::semantics(
    "mcpkg/endpoint-command",
    "a local endpoint must have a command that stays inside the package",
    "The command is one line: a program and its arguments. No argument may be a path with `..` in it, \
     and a NUL is not allowed.",
);
/// A time-out is not greater than zero, or too large.
pub static TIMEOUT: Rule = Rule::semantics(
    "mcpkg/timeout",
    "timeoutMs must be greater than zero",
    "Leave the member out for the host's default.",
);
/// An unknown authentication scheme.
pub static AUTH_TYPE: Rule = Rule::semantics(
    "mcpkg/auth-type",
    "auth.type must be none, bearer, api_key or oauth2",
    "A host that does not know the scheme cannot send the credentials.",
);
/// A schema that is neither an object nor a boolean.
pub static SCHEMA_TYPE: Rule = Rule::structure(
    "mcpkg/schema-type",
    "a JSON Schema must be an object or a boolean",
    "Everything else is not a schema.",
);
/// A file path that does not stay in the package.
pub static FILE_PATH: Rule = Rule::semantics(
    "mcpkg/file-path",
    "tests and examples must be relative paths inside the package",
    "Paths use `/`, name a file, and mean the same on every system: no `..`, no drive letters, no \
     backslashes, no characters that some file systems refuse.",
);
/// A file that is listed twice.
pub static DUPLICATE_FILE: Rule = Rule::semantics(
    "mcpkg/duplicate-file",
    "a file must not be listed twice",
    "Each test runs once, and each example is shown once.",
);
/// Two implementations with the same id.
pub static DUPLICATE_IMPLEMENTATION: Rule = Rule::semantics(
    "mcpkg/duplicate-implementation",
    "two implementations must not have the same id",
    "The id is how hosts and reports name an implementation.",
);
/// A chain that is too long.
pub static CHAIN_LENGTH: Rule = Rule::semantics(
    "mcpkg/chain-length",
    "a chain must not have more steps than the limit",
    "The limit is `Limits::chain_steps`.",
);
/// An input mapping is not a JSONPath that names one place.
pub static CHAIN_PATH: Rule = Rule::semantics(
    "mcpkg/chain-path",
    "an input mapping must be a JSONPath that names one place",
    "Only names and indices may be in it, as in `$.input.path` or `$.pages[0]['text']`: wildcards, \
     slices, filters and `..` can match many places, and cost more than their length.",
);
/// The name of an output in a chain is taken or missing.
pub static CHAIN_NAME: Rule = Rule::semantics(
    "mcpkg/chain-name",
    "the outputs of a chain must have different names, and none may be input",
    "The name is `outputKey`, or `step` where that is missing. `input` is the tool's own input.",
);
/// An input mapping refers to a value that no earlier step gives.
pub static CHAIN_REFERENCE: Rule = Rule::semantics(
    "mcpkg/chain-reference",
    "an input mapping must refer to the input or to an earlier step",
    "Steps run in order. A mapping that refers to a later step, to its own, or to none at all can \
     never find its value.",
);
/// A chain that calls itself.
pub static CHAIN_CYCLE: Rule = Rule::semantics(
    "mcpkg/chain-cycle",
    "a chain must not call the tool that it belongs to",
    "It would never end.",
);
/// A control character in the name.
pub static CONTROL_CHARACTER: Rule = Rule::semantics(
    "mcpkg/control-character",
    "names must not hold control characters",
    "A name is shown in terminals and logs, where control characters can hide or forge text.",
);
/// An unusual method.
pub static UNUSUAL_METHOD: Rule = Rule::advice(
    "mcpkg/unusual-method",
    "the method should be GET, POST, PUT, DELETE, PATCH, HEAD or OPTIONS",
    "Hosts may refuse others.",
);
/// A URL without encryption.
pub static INSECURE_URL: Rule = Rule::advice(
    "mcpkg/insecure-url",
    "the URL should be https",
    "Arguments and credentials travel in the clear.",
);
/// A URL on this machine or a private network.
pub static PRIVATE_URL: Rule = Rule::advice(
    "mcpkg/private-url",
    "the URL should not point into a private network",
    "A package from a stranger could reach services of the host, or a cloud's metadata, this way.",
);
/// A command that needs a shell.
pub static SHELL_SYNTAX: Rule = Rule::advice(
    "mcpkg/shell-syntax",
    "a command should not need a shell",
    "The line holds characters that only a shell acts on, such as `;`, `|` or `$`. Hosts that split \
     the line into words pass them on as they are.",
);
/// A time-out that is not a whole number.
pub static FRACTIONAL_TIMEOUT: Rule = Rule::advice(
    "mcpkg/fractional-timeout",
    "timeoutMs should be a whole number",
    "Other readers take whole milliseconds only.",
);
/// A schema without a type.
pub static UNTYPED_SCHEMA: Rule = Rule::advice(
    "mcpkg/untyped-schema",
    "a schema should say what type it describes",
    "Other readers refuse a schema without a `type` member.",
);
/// A platform that is not written as `<os>-<architecture>`.
pub static UNKNOWN_PLATFORM: Rule = Rule::advice(
    "mcpkg/unknown-platform",
    "a platform should be `<os>-<architecture>`, with linux, win or darwin",
    "Hosts compare platforms as text: `windows-x64` never matches where `win-x64` is expected.",
);
/// The manifest lists no tests.
pub static NO_TESTS: Rule = Rule::remark(
    "mcpkg/no-tests",
    "a package should have tests",
    "Tests show how to call the tool, and notice when its behaviour changes.",
);
/// The manifest lists no examples.
pub static NO_EXAMPLES: Rule = Rule::remark(
    "mcpkg/no-examples",
    "a package should have examples",
    "Hosts give examples to the model as context.",
);
/// The manifest has no `meta`.
pub static NO_META: Rule = Rule::remark(
    "mcpkg/no-meta",
    "a package should say who publishes it",
    "`meta` holds publisher, licence and homepage.",
);
/// The published tool refuses the manifest or the test.
pub static REFERENCE: Rule = Rule::structure(
    "mcpkg/reference",
    "under the reference profile, the published tool must accept the manifest",
    "The published tool knows 0.1 only, takes ids of three or more segments without underscores and \
     hyphens, and asks every schema for a `type`. The message is its own.",
);
/// A secret in plain text.
pub static SECRET: Rule = Rule::advice(
    "mcpkg/secret",
    "a package should not hold a secret",
    "Everybody who has the package can read it: in the manifest, a test, an example or any other \
     file. Withdraw it, and say in `auth` how the tool is called with a secret of the user's own.",
);

/// The help text of [`SECRET`].
pub(crate) const SECRET_HELP: &str = "withdraw the secret, and let the host supply it";
