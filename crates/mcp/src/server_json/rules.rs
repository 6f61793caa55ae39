//! The rules of this format. The checks are in `table.rs` and `semantics.rs`.

use manifest_core::{Rule, command_line};

/// The rules of a `server.json`.
pub static RULES: &[&Rule] = &[
    &STRUCTURE,
    &COMMAND_LENGTH,
    &NAME,
    &FILE_SHA256,
    &ARGUMENT,
    &VERSION,
    &TOOL,
    &DUPLICATE_VARIABLE,
    &VARIABLE,
    &URI,
    &NO_SCHEMA,
    &SECRET,
];

/// The hint of [`SECRET`].
pub(crate) const SECRET_HELP: &str = "ask for it: an input with `isSecret` and without a `value`";

/// A value that the table does not allow.
pub static STRUCTURE: Rule = Rule::structure(
    "server-json/structure",
    "write what the format has a word for",
    "Transports, formats of inputs, themes and types of icons are fixed words. A title \
     and a description have up to 100 characters, a version up to 255. Digests, URLs \
     of servers and sizes of icons have a form.",
);

/// The name is malformed.
pub static NAME: Rule = Rule::structure(
    "server-json/name",
    "write a name as namespace/name, such as com.example/notes",
    "The namespace is in reverse DNS, and belongs to whoever publishes the server. \
     There is one slash. Letters, digits, points and dashes stand before it; behind \
     it, underscores may, too.",
);

/// A bundle without its digest.
pub static FILE_SHA256: Rule = Rule::structure(
    "server-json/file-sha256",
    "give a package of the type mcpb its `fileSha256`",
    "A bundle is downloaded from a URL. Clients check that it is the one that was \
     published by its SHA-256.",
);

/// A positional argument without value and hint.
pub static ARGUMENT: Rule = Rule::structure(
    "server-json/argument",
    "give a positional argument a `value` or a `valueHint`",
    "A value is written into the command line. A hint is what the argument is called \
     where a user is asked for it.",
);

/// The version is missing, or is a range.
pub static VERSION: Rule = Rule::semantics(
    "server-json/version",
    "write one version, such as 1.2.0",
    "A registry has each version of a server once, and never changes it. Ranges and \
     `latest` are refused, for servers and for their packages. In the date 2025-07-09 \
     the version may stand in `version_detail`.",
);

/// The name of a listed tool is not unique, or has control characters.
pub static TOOL: Rule = Rule::semantics(
    "server-json/tool",
    "the tools that are listed must have different names, without control characters",
    "A converted server lists its tools in `_meta`. A server has one tool of a name, and \
     names are shown to people.",
);

/// Two environment variables have the same name.
pub static DUPLICATE_VARIABLE: Rule = Rule::semantics(
    "server-json/duplicate-variable",
    "name each environment variable of a package once",
    "A program gets one value under a name. Of two that are said to be different \
     things, one secret and the other not, say, nobody knows which one counts.",
);

/// A variable is not described.
pub static VARIABLE: Rule = Rule::warning(
    "server-json/variable",
    "describe each {variable} in `variables`",
    "A client puts the value of a variable where its name stands between braces. What \
     it does not know stays as it is written. The URL of a package may name its \
     arguments and its environment variables.",
);

/// A text that should be a URI.
pub static URI: Rule = Rule::advice(
    "server-json/uri",
    "write a URI, such as https://example.com/",
    "The schema names the format of pages, and validators may leave it unchecked.",
);

/// `$schema` has no known date.
pub static NO_SCHEMA: Rule = Rule::advice(
    "server-json/no-schema",
    "name the schema in `$schema`, with its date",
    "A document that names no known date is taken for one of the newest, or of \
     2025-07-09 where its members are in snake case.",
);

/// A secret in plain text.
pub static SECRET: Rule = Rule::advice(
    "server-json/secret",
    "a server.json should not hold a secret",
    "A registry shows it to everybody.",
);

/// The command of the server has too many arguments.
pub static COMMAND_LENGTH: Rule = command_line::rule("server-json/command-length");
