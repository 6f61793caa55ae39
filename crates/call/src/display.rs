//! Describes steps for people.

use std::fmt;

use diagnostic::printable;

use crate::step::{Program, Server, Step, ToolCall};

/// The maximum length of a line in bytes.
const MAX_LINE_BYTES: usize = 1000;

/// Writes one printable line. Variables appear by name.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match self {
            Self::Run(program) => format!("runs {}", quote_words(program)),
            Self::Send(request) => format!("sends {} to {}", request.method, request.url),
            Self::CallTool(ToolCall { server: Server::Stdio(program), tool, .. }) => {
                format!("calls {tool} of the MCP server {}", quote_words(program))
            }
            Self::CallTool(ToolCall { server: Server::Http { url }, tool, .. }) => {
                format!("calls {tool} of the MCP server at {url}")
            }
            Self::Node(module) => format!("calls a function of the Node module {}", module.module),
            Self::Python(module) => {
                let function = module.exports.first().map_or("", String::as_str);
                format!("calls the Python function {}:{function}", module.module)
            }
            Self::Call(nested) => format!("calls the tool {}", nested.tool),
            Self::Fetch(file) => format!("fetches {}", file.url),
            Self::Find(sought) => format!("looks for {}", sought.name),
            Self::Ask(_) => "asks a person to do something".to_owned(),
        };
        f.write_str(&printable(&line, MAX_LINE_BYTES))
    }
}

impl Step {
    /// Returns what the step passes on besides its line, or `None` if there is nothing.
    /// Variables appear by name.
    pub(crate) fn input(&self) -> Option<String> {
        match self {
            Self::Run(program) => program.stdin.clone(),
            Self::Send(request) => request.body.as_ref().map(ToString::to_string),
            Self::CallTool(call) => Some(call.arguments.clone()),
            Self::Node(module) | Self::Python(module) => Some(module.arguments.clone()),
            Self::Call(nested) => Some(nested.arguments.clone()),
            Self::Ask(instructions) => instructions.text.clone(),
            Self::Fetch(_) | Self::Find(_) => None,
        }
    }
}

/// Returns the words of a command, in quotes if they are empty or contain white space.
fn quote_words(program: &Program) -> String {
    let mut words = Vec::new();
    for word in &program.argv {
        let text = word.to_string();
        let is_plain = !text.is_empty() && !text.contains(char::is_whitespace);
        words.push(if is_plain { text } else { diagnostic::quoted(&text) });
    }
    words.join(" ")
}
