//! The rules of calls.

use diagnostic::{Depth, Rule, Severity};

/// Every rule of a call.
pub static RULES: &[&Rule] = &[
    &UNKNOWN_TOOL,
    &ARGUMENTS,
    &UNKNOWN_ARGUMENT,
    &NO_CALL,
    &IMPLEMENTATION,
    &SHELL,
    &TEMPLATE,
    &MISSING_ARGUMENT,
    &VALUE,
    &SECRET_PLACE,
    &SIZE,
    &URL,
    &NETWORK,
    &OPTION_VALUE,
    &UNSENT,
    &INSECURE,
    &CREDENTIAL,
    &OUTPUT,
];

const fn rule(
    code: &'static str,
    severity: Severity,
    summary: &'static str,
    explanation: &'static str,
) -> Rule {
    Rule { code, severity, depth: Depth::Semantics, summary, explanation }
}

/// A tool that is not in the manifest.
pub static UNKNOWN_TOOL: Rule = rule(
    "call/unknown-tool",
    Severity::Error,
    "a call must name a tool that the manifest has",
    "Tools are found by their id, or by the name that models call them by.",
);

/// Arguments that do not match the schema.
pub static ARGUMENTS: Rule = rule(
    "call/arguments",
    Severity::Error,
    "the arguments of a call must match the tool's schema",
    "Where the tool's host fills in defaults, they are filled in first.",
);

/// An argument that the schema does not permit.
pub static UNKNOWN_ARGUMENT: Rule = rule(
    "call/unknown-argument",
    Severity::Error,
    "a call must not have arguments that the schema does not permit",
    "The tool's host refuses them, though JSON Schema would let them through: they are permitted by \
     `additionalProperties`, `patternProperties` or `unevaluatedProperties`.",
);

/// A tool without an implementation for this machine.
pub static IMPLEMENTATION: Rule = rule(
    "call/implementation",
    Severity::Error,
    "a tool with several implementations must have one that fits the machine",
    "An implementation fits when its platform, its runtime and all that it requires are there. Each \
     problem says what one of them lacks.",
);

/// A tool whose manifest declares no call.
pub static NO_CALL: Rule = rule(
    "call/no-call",
    Severity::Error,
    "a tool that is called must say how",
    "Its manifest names no program, URL, server or module, or none that fits this host.",
);

/// A command that needs a shell.
pub static SHELL: Rule = rule(
    "call/shell",
    Severity::Error,
    "a command must be a program and its arguments",
    "Nothing is run by a shell. A line that a shell would do more with than split it into words is \
     not run.",
);

/// A text that is not a valid template.
pub static TEMPLATE: Rule = rule(
    "call/template",
    Severity::Error,
    "a template must refer to arguments and variables in full",
    "References are `${input.path}` and `${env.NAME}`. What is not a reference is an error, never \
     text that happens to be passed on.",
);

/// A missing argument that a template refers to.
pub static MISSING_ARGUMENT: Rule = rule(
    "call/missing-argument",
    Severity::Error,
    "every argument that a template refers to must be given",
    "A missing value is never an empty text: a command with a hole in it is another command. Give \
     the value, or a `default` in the schema.",
);

/// A value that is not allowed in its position.
pub static VALUE: Rule = rule(
    "call/value",
    Severity::Error,
    "a value must fit the place that a template puts it into",
    "Strings, numbers and booleans can be put into templates; `null`, arrays and objects cannot. A \
     path begins with one slash and takes no empty value and no `..`, a header no line breaks, an \
     argument no NUL.",
);

/// A secret in a position that others can see.
pub static SECRET_PLACE: Rule = rule(
    "call/secret-place",
    Severity::Error,
    "a secret must not stand in an argument or a URL",
    "Arguments of programs and URLs are seen by others and kept in logs. Secrets go into headers \
     and environment variables.",
);

/// A call that exceeds a limit.
pub static SIZE: Rule = rule(
    "call/size",
    Severity::Error,
    "a call must stay within its limits",
    "There are limits on the number of arguments, on the bytes of a template, on its references, \
     and on what it grows to.",
);

/// A URL that no request can be sent to.
pub static URL: Rule = rule(
    "call/url",
    Severity::Error,
    "a request must go to an absolute http or https URL",
    "It has a host, and no user name or password. What a path is appended to has no query and no \
     fragment.",
);

/// A URL that the manifest does not allow.
pub static NETWORK: Rule = rule(
    "call/network",
    Severity::Error,
    "a call must go where its manifest lets requests go",
    "The manifest denies the network, or has a list of the hosts that may be reached. The rule holds \
     for every request of a call: for the registry, and for the server that the registry names.",
);

/// A value that may be taken for an option.
pub static OPTION_VALUE: Rule = rule(
    "call/option-value",
    Severity::Warning,
    "a value should not look like an option",
    "It begins with a hyphen and there is no `--` before it, so the program may take it for an \
     option. Put `--` into the template, or write `--name=${input.name}`.",
);

/// An argument that is not sent.
pub static UNSENT: Rule = rule(
    "call/unsent",
    Severity::Warning,
    "all arguments should be part of the call",
    "GET and DELETE requests have no body, and some hosts hand a program no arguments at all. What \
     the call does not refer to is not sent.",
);

/// A secret that is sent without encryption.
pub static INSECURE: Rule = rule(
    "call/insecure",
    Severity::Warning,
    "a secret should not be sent without encryption",
    "The URL begins with http, and a header holds a secret.",
);

/// A credential that the host has to obtain.
pub static CREDENTIAL: Rule = rule(
    "call/credential",
    Severity::Warning,
    "a request that asks for OAuth 2 should be given its credential by the host",
    "The manifest says that there is one, and not how it is obtained. The request goes out without \
     it, as the tool's own host sends it, and the server will most likely refuse it.",
);

/// An answer that does not match its declaration.
pub static OUTPUT: Rule = rule(
    "call/output",
    Severity::Error,
    "the answer of a tool must be what it declares",
    "The manifest says what it is written in, and what it must match. The pointer leads into the \
     answer.",
);
