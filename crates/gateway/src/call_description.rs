//! Descriptions of calls, for people.

use toolglot::ToolDescriptor;
use toolglot::core::{Sourced, Text, printable};
use toolglot::descriptor::{CommandInput, Invocation};

/// The description of a call is cut to this many bytes.
const MAX_CALL_BYTES: usize = 400;

/// Describes all calls of a tool, and the references of its secrets, for a person who
/// decides about it. Safe to print.
pub fn describe_calls(tool: &ToolDescriptor<'_>) -> String {
    let calls: Vec<String> =
        tool.invocations().map(|call| printable(&describe_call(call), MAX_CALL_BYTES)).collect();
    let calls = if calls.is_empty() { "calls other tools".to_owned() } else { calls.join(", or ") };
    let mut references = Vec::new();
    for variable in &tool.package.env {
        if let Some(reference) = &variable.reference {
            references.push(printable(reference, MAX_CALL_BYTES));
        }
    }
    if references.is_empty() {
        return calls;
    }
    format!("{calls}, with {}", references.join(" and "))
}

fn describe_call(call: &Invocation<'_>) -> String {
    match call {
        Invocation::Command(command) => {
            let templates = match &command.input {
                CommandInput::Templates(all) | CommandInput::TemplatesAndStdin(all) => {
                    all.as_slice()
                }
                CommandInput::Extra | CommandInput::Stdin | CommandInput::Argument => &[],
            };
            format!("runs {}", join_words(command.argv.iter().chain(templates)))
        }
        Invocation::CommandLine(line) => format!("runs {}", line.value),
        Invocation::Http(http) => format!("sends {} {}", http.method.value, http.full_url()),
        Invocation::McpTool(tool) => {
            let server = match &tool.url {
                Some(url) => url.to_string(),
                None => join_words(tool.argv.iter()),
            };
            format!("calls {} of the MCP server {server}", tool.tool.value)
        }
        Invocation::RegistryTool(tool) => {
            format!("calls {}, which the registry {} knows", tool.tool.value, tool.registry.value)
        }
        Invocation::Python(function) => format!("calls the Python function {}", function.value),
        Invocation::Node(module) => format!("calls the Node module {}", module.main.value),
        Invocation::A2a(url) => format!("asks the agent at {}", url.value),
    }
}

fn join_words<'w, 'a: 'w>(words: impl IntoIterator<Item = &'w Sourced<Text<'a>>>) -> String {
    words.into_iter().map(|word| word.value.as_ref()).collect::<Vec<&str>>().join(" ")
}
