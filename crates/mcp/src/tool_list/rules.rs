//! The rules of this format. The checks are in `table.rs` and `semantics.rs`.

use manifest_core::{Depth, Rule, Severity, command_line};

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
pub static STRUCTURE: Rule = Rule {
    code: "tool-list/structure",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "write what the format has a word for",
    explanation: "A list has `tools`, or is an answer that has them in its `result`. `server` has \
                  `command` and `cwd`, or `url`, and nothing else. A command has a word at least.",
};

/// The entry is not a tool in a known shape.
pub static SHAPE: Rule = Rule {
    code: "tool-list/shape",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "write each tool with its name and its schema, as MCP or a model provider has it",
    explanation: "A tool of MCP has `inputSchema`, one of Anthropic `input_schema`, a function of \
                  OpenAI `type` or `function`; those of Gemini are in `functionDeclarations`. \
                  Tools that a provider runs itself have no schema: leave them out.",
};

/// `server` does not have exactly one of `command` and `url`.
pub static SERVER: Rule = Rule {
    code: "tool-list/server",
    severity: Severity::Error,
    depth: Depth::Structure,
    summary: "say either the `command` that starts the server, or its `url`",
    explanation: "`server` stands beside the list and is no part of what MCP answers: it says how \
                  the server is reached that has these tools.",
};

/// The URL of the server is invalid.
pub static URL: Rule = Rule {
    code: "tool-list/url",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "write the address of the server, such as https://example.com/mcp",
    explanation: "An MCP server that is not started by its client is reached over HTTP.",
};

/// The name is empty or has control characters.
pub static NAME: Rule = Rule {
    code: "tool-list/name",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "a name must not be empty, and has no control characters",
    explanation: "Names are shown to people, and tools are called by them.",
};

/// Two tools have the same name.
pub static DUPLICATE_TOOL: Rule = Rule {
    code: "tool-list/duplicate-tool",
    severity: Severity::Error,
    depth: Depth::Semantics,
    summary: "the tools of a list must have different names",
    explanation: "A tool is called by its name. Of two with one name only one can be called.",
};

/// Clients of MCP may refuse the name.
pub static MCP_NAME: Rule = Rule {
    code: "tool-list/mcp-name",
    severity: Severity::Warning,
    depth: Depth::Advice,
    summary: "name a tool with up to 128 letters, digits, `_`, `-` and `.`",
    explanation: "MCP says that names should be so, since its revision 2025-11-25.",
};

/// A secret in plain text.
pub static SECRET: Rule = Rule {
    code: "tool-list/secret",
    severity: Severity::Warning,
    depth: Depth::Advice,
    summary: "a list should not hold a secret",
    explanation: "A list of tools is shown to models, and handed to everybody who asks for it.",
};

/// The command of the server has too many arguments.
pub static COMMAND_LENGTH: Rule = command_line::rule("tool-list/command-length");
