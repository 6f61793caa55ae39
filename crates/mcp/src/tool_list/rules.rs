//! The rules of this format. The checks are in `table.rs` and `semantics.rs`.

use manifest_core::{Rule, command_line};

/// The rules of a list.
pub static RULES: &[&Rule] = &[
    &STRUCTURE,
    &SHAPE,
    &SERVER,
    &URL,
    &COMMAND_LENGTH,
    &NAME,
    &DUPLICATE_TOOL,
    &MCP_NAME,
    &SECRET,
];

/// The hint of [`SECRET`].
pub(crate) const SECRET_HELP: &str = "give it to the server in its environment";

/// A value that the table does not allow.
pub static STRUCTURE: Rule = Rule::structure(
    "tool-list/structure",
    "write what the format has a word for",
    "A list has `tools`, or is an answer that has them in its `result`. `server` has \
     `command` and `cwd`, or `url`, and nothing else. A command has a word at least.",
);

/// The entry is not a tool in a known shape.
pub static SHAPE: Rule = Rule::structure(
    "tool-list/shape",
    "write each tool with its name and its schema, as MCP or a model provider has it",
    "A tool of MCP has `inputSchema`, one of Anthropic `input_schema`, a function of \
     OpenAI `type` or `function`; those of Gemini are in `functionDeclarations`. \
     Tools that a provider runs itself have no schema: leave them out.",
);

/// `server` does not have exactly one of `command` and `url`.
pub static SERVER: Rule = Rule::structure(
    "tool-list/server",
    "say either the `command` that starts the server, or its `url`",
    "`server` stands beside the list and is no part of what MCP answers: it says how \
     the server is reached that has these tools.",
);

/// The URL of the server is invalid.
pub static URL: Rule = Rule::semantics(
    "tool-list/url",
    "write the address of the server, such as https://example.com/mcp",
    "An MCP server that is not started by its client is reached over HTTP.",
);

/// The name is empty or has control characters.
pub static NAME: Rule = Rule::semantics(
    "tool-list/name",
    "a name must not be empty, and has no control characters",
    "Names are shown to people, and tools are called by them.",
);

/// Two tools have the same name.
pub static DUPLICATE_TOOL: Rule = Rule::semantics(
    "tool-list/duplicate-tool",
    "the tools of a list must have different names",
    "A tool is called by its name. Of two with one name only one can be called.",
);

/// Clients of MCP may refuse the name.
pub static MCP_NAME: Rule = Rule::advice(
    "tool-list/mcp-name",
    "name a tool with up to 128 letters, digits, `_`, `-` and `.`",
    "MCP says that names should be so, since its revision 2025-11-25.",
);

/// A secret in plain text.
pub static SECRET: Rule = Rule::advice(
    "tool-list/secret",
    "a list should not hold a secret",
    "A list of tools is shown to models, and handed to everybody who asks for it.",
);

/// The command of the server has too many arguments.
pub static COMMAND_LENGTH: Rule = command_line::rule("tool-list/command-length");
