//! The rules of this format.

use manifest_core::Rule;

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &NAME_REQUIRED,
    &DUPLICATE_NAME,
    &COMMAND_EMPTY,
    &ENV_NAME,
    &COMMAND_ESCAPE,
    &COMMAND_PREFIX,
    &COMMAND_LENGTH,
    &COMMAND_TRAILING,
    &CONTROL_CHARACTER,
    &SCHEMA_TYPE,
    &NO_TOOLS,
    &FUNCTION_NAME,
    &NEGATIVE_TIMEOUT,
    &ABSOLUTE_COMMAND,
    &UNUSUAL_PATH,
    &DANGEROUS_ENV,
    &SECRET,
];

/// A tool has no name.
pub static NAME_REQUIRED: Rule = Rule::structure(
    "tools-json/name-required",
    "a tool must have a name",
    "The name is what the model calls. Give every tool one that is not empty.",
);
/// Two tools have the same name.
pub static DUPLICATE_NAME: Rule = Rule::semantics(
    "tools-json/duplicate-name",
    "two tools must not have the same name",
    "The model calls a tool by its name, so the name must decide which tool runs.",
);
/// A tool has no command.
pub static COMMAND_EMPTY: Rule = Rule::structure(
    "tools-json/command-empty",
    "a tool must have a command with at least a program",
    "`command` is a list: the program first, then its fixed arguments.",
);
/// An environment variable has an invalid name.
pub static ENV_NAME: Rule = Rule::semantics(
    "tools-json/env-name",
    "a passed environment variable must be named [A-Z_][A-Z0-9_]*",
    "Names are trimmed and put into upper case first. Only ASCII letters, digits and the \
     underscore may be in them.",
);
/// A relative program path leaves the folder of programs.
pub static COMMAND_ESCAPE: Rule = Rule::semantics(
    "tools-json/command-escape",
    "a relative program must be inside ./tools/bin",
    "After `.` and `..` are resolved, and backslashes are read as slashes, the path must name \
     something inside ./tools/bin: otherwise a manifest could run any program of the host.",
);
/// A relative program path is not in the folder of programs.
pub static COMMAND_PREFIX: Rule = Rule::semantics(
    "tools-json/command-prefix",
    "a relative program must be written as ./tools/bin/NAME",
    "Programs are found in ./tools/bin beside the manifest, never on the search path. Under the \
     `reference` profile other spellings of the same place pass.",
);
/// A command is too long.
pub static COMMAND_LENGTH: Rule = Rule::structure(
    "tools-json/command-length",
    "a command must not have more elements than the limit",
    "The limit is `Limits::arguments`.",
);
/// A control or invisible character that would mislead a program or a reader.
pub static CONTROL_CHARACTER: Rule = Rule::semantics(
    "tools-json/control-character",
    "names, programs and arguments must not hold control characters, nor programs invisible ones",
    "A NUL ends a string for the operating system, and characters that do not show make one path \
     look like another.",
);
/// A program whose name ends with a dot or a space.
pub static COMMAND_TRAILING: Rule = Rule::semantics(
    "tools-json/command-trailing",
    "a program must not end with a dot or a space",
    "Some file systems drop them, so that the path would name another file there.",
);
/// A schema is not an object.
pub static SCHEMA_TYPE: Rule = Rule::structure(
    "tools-json/schema-type",
    "a schema must be an object",
    "The schema is given to the model as the parameters of a function. Providers take objects only.",
);
/// There are no tools.
pub static NO_TOOLS: Rule = Rule::advice(
    "tools-json/no-tools",
    "a manifest should have at least one tool",
    "The manifest loads and offers nothing.",
);
/// A name that model providers refuse.
pub static FUNCTION_NAME: Rule = Rule::advice(
    "tools-json/function-name",
    "a name should match [a-zA-Z0-9_-]{1,64}",
    "The name is sent to the model's provider as the name of a function, and providers refuse \
     others.",
);
/// A time-out below zero.
pub static NEGATIVE_TIMEOUT: Rule = Rule::advice(
    "tools-json/negative-timeout",
    "a time-out should not be negative",
    "Zero and less mean the caller's default. Leave the member out instead.",
);
/// A program outside the manifest's folder.
pub static ABSOLUTE_COMMAND: Rule = Rule::advice(
    "tools-json/absolute-command",
    "a program should be inside ./tools/bin",
    "An absolute path runs a program that the manifest's author did not ship, and works on some \
     hosts only.",
);
/// A path that is not written the shortest way.
pub static UNUSUAL_PATH: Rule = Rule::advice(
    "tools-json/unusual-path",
    "a program path should be written the shortest way",
    "`//`, `.`, `..` and backslashes are resolved before use. Write the path that comes out.",
);
/// An environment variable that changes what runs.
pub static DANGEROUS_ENV: Rule = Rule::advice(
    "tools-json/dangerous-env",
    "variables that change what code runs should not be passed on",
    "Whoever sets the variable decides what the tool loads. `PATH` is set anyway.",
);
/// A secret in plain text.
pub static SECRET: Rule = Rule::advice(
    "tools-json/secret",
    "a manifest should not hold a secret",
    "Whoever reads the manifest has the secret, and so has the model where it stands in a \
     description or a schema. Withdraw it, and pass it on from the host by `envPassthrough`.",
);
