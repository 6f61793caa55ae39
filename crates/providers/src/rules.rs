//! The rules for exports and calls.

use diagnostic::Rule;

/// All rules of this crate.
pub static RULES: &[&Rule] = &[
    &NAME_CLASH,
    &PROPERTY_CLASH,
    &SWITCHED_OFF,
    &SCHEMA,
    &UNSATISFIABLE,
    &LIMIT,
    &REQUEST_LIMIT,
    &HEADER,
    &SERVER,
    &ARGUMENTS,
    &RESULT,
];

/// Two tools would have one name.
pub static NAME_CLASH: Rule = Rule::semantics(
    "providers/name-clash",
    "every tool of a catalog must have a name of its own",
    "Two tools have one id, or ids that become one name. A call could mean either, so both are \
     left out. Give one of them another id, or offer them apart.",
);
/// Two properties would have one name.
pub static PROPERTY_CLASH: Rule = Rule::semantics(
    "providers/property",
    "every property must have a name that the target takes, or that can be changed",
    "The target restricts the names of properties. One that does not fit is renamed on the way to \
     the model and back, unless the schema says something of names by pattern, or lists whole \
     objects as values: then a renamed property would not mean the same.",
);
/// The tool is disabled.
pub static SWITCHED_OFF: Rule = Rule::semantics(
    "providers/switched-off",
    "a tool that is switched off must not be offered",
    "The manifest says that the tool may not run, and no target has a word for that. Enable it, \
     or leave it out.",
);
/// The schema cannot be taken apart, as the target requires.
pub static SCHEMA: Rule = Rule::semantics(
    "providers/schema",
    "a schema must be in one piece, with references that lead to a place in it",
    "The target takes less than JSON Schema, so the schema has to be taken apart. References by \
     pointer and by anchor are followed. Give the schema without identifiers inside, and without \
     dynamic references.",
);
/// The lowered schema is unsatisfiable.
pub static UNSATISFIABLE: Rule = Rule::semantics(
    "providers/unsatisfiable",
    "a schema must take something in the words of the target",
    "What the target cannot say is left out, and nothing that could be sent remains: probably the \
     schema takes nothing in the first place.",
);
/// The schema exceeds a limit of the target.
pub static LIMIT: Rule = Rule::semantics(
    "providers/limit",
    "a schema must be within the limits of the target",
    "Strict modes limit how many properties and enum values a schema has, how deep it goes and \
     how long its names are. The pointer is the first place past the limit. What the target has \
     fewer words for can grow, too: it must be said within `Limits::work`. Make the schema \
     smaller, or do not ask for the strict mode.",
);
/// All tools of a request together exceed a limit of the target.
pub static REQUEST_LIMIT: Rule = Rule::warning(
    "providers/request-limit",
    "the strict tools of one request must be within the limits of the target",
    "The target limits strict tools, optional parameters and parameters of several types in \
     one request. Send fewer tools at once, or some of them without the strict mode.",
);
/// The schema names an invalid MCP header.
pub static HEADER: Rule = Rule::semantics(
    "providers/mcp-header",
    "x-mcp-header must name a header, once, on a plain property",
    "A client must leave out a tool that breaks this: the name is a token of HTTP, no other \
     property has it in any case, the property is a string, an integer or a boolean, and it is \
     reached through `properties` alone.",
);
/// The manifest cannot be served.
pub static SERVER: Rule = Rule::semantics(
    "providers/server",
    "a manifest in a configuration must be one that a server can read again",
    "What is no MCP server itself is served by `toolglot mcp FILE`, which is started later and \
     elsewhere. Name a file, with a path that has no `${` in it.",
);
/// The model sent arguments that the tool does not accept.
pub static ARGUMENTS: Rule = Rule::semantics(
    "providers/arguments",
    "the arguments of a call must be what the schema of the tool takes",
    "The message tells the model what to correct. Send it back as the result of the call.",
);
/// The tool returned a result that its output schema does not accept.
pub static RESULT: Rule = Rule::semantics(
    "providers/result",
    "the result of a call must be what the output schema of the tool takes",
    "The tool answered something else than it promises.",
);
