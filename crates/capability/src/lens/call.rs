//! Calls: how Unison can express them, and the host rules of Unison.
//!
//! A Unison command gets no arguments. Its standard input is empty, and only `argv_extra`
//! reaches its command line. So a command is expressed exactly only if its tool takes no
//! arguments.

use manifest_core::descriptor::{Command, CommandInput, Invocation, RegistryTool};
use manifest_core::format::{
    CallSupport, Contract, HostRules, OutcomeRules, ProgramSearch, ToolContext, Writer, file_name,
};
use manifest_core::path::{PathStyle, is_absolute};
use manifest_core::{Limits, Sourced, Text, ToolDescriptor, has_control, is_plain_text, url};

use crate::grammar;

const NO_ARGUMENTS: CallSupport = CallSupport::Gateway("a Unison command is given no arguments");
const NO_INPUT: CallSupport =
    CallSupport::Gateway("a Unison command is given nothing on standard input");

/// Returns how Unison can express the call of a tool.
pub(super) fn call_support(tool: &ToolDescriptor<'_>) -> CallSupport {
    let Some(call) = tool.invocation.as_deref() else {
        return match (tool.chain.is_empty(), tool.implementations.is_empty()) {
            (false, _) => CallSupport::Gateway("Unison runs no chains"),
            (true, false) => CallSupport::Gateway("Unison does not choose between implementations"),
            (true, true) => CallSupport::Unsupported("no call could be read from the source"),
        };
    };
    let exact = |fits: bool, why| if fits { CallSupport::Exact } else { CallSupport::Gateway(why) };
    match call {
        Invocation::Command(command) => command_support(tool, command),
        Invocation::CommandLine(_) => NO_ARGUMENTS,
        Invocation::Http(_) => CallSupport::Gateway("Unison makes no HTTP calls of this kind"),
        Invocation::McpTool(_) => CallSupport::Gateway("only a gateway could call it from Unison"),
        Invocation::Node(_) => CallSupport::Gateway("Unison runs no Node modules"),
        Invocation::Python(callable) => {
            exact(grammar::is_callable(callable), "it is no function of a Python module")
        }
        Invocation::RegistryTool(RegistryTool { registry, tool, server }) => {
            let named = !tool.is_empty() && is_plain_text(tool);
            let server = server.as_ref().is_none_or(|server| is_plain_text(server));
            let fits = url::check_http(registry).is_ok() && named && server;
            exact(fits, "Unison takes no such registry, tool or server")
        }
        Invocation::A2a(endpoint) => {
            exact(url::check_http(endpoint).is_ok(), "Unison takes no such address")
        }
    }
}

fn command_support(tool: &ToolDescriptor<'_>, command: &Command<'_>) -> CallSupport {
    let Some(line) = constant_words(command) else {
        let nothing = tool.takes_no_arguments() && !matches!(command.input, CommandInput::Argument);
        return if nothing { NO_INPUT } else { NO_ARGUMENTS };
    };
    let program = command.argv.first();
    if command.cwd.is_some() {
        return CallSupport::Gateway("Unison has no word for the folder that a program runs in");
    }
    if !tool.package.env.is_empty() {
        return CallSupport::Gateway("a Unison command is given no variables");
    }
    if !program.is_some_and(|program| is_absolute(program, PathStyle::Posix)) {
        return CallSupport::Gateway("only a program with an absolute path is the same in Unison");
    }
    let plain = line.iter().all(|word| !word.contains('\0'));
    let shown = program.is_some_and(|program| !has_control(program));
    if !plain || !shown || line.len() > Limits::default().arguments {
        return CallSupport::Gateway("Unison takes no such command line");
    }
    if tool.takes_no_arguments() { CallSupport::Exact } else { NO_ARGUMENTS }
}

/// Returns the words of a command, if they are the same in every call and there is no other
/// input.
fn constant_words<'c, 'a>(command: &'c Command<'a>) -> Option<Vec<&'c Sourced<Text<'a>>>> {
    let Command { argv, cwd: _, input } = command;
    let more: &[_] = match input {
        CommandInput::Extra => &[],
        CommandInput::Templates(words) if words.iter().all(|word| !word.contains("${")) => words,
        CommandInput::Templates(_)
        | CommandInput::Stdin
        | CommandInput::Argument
        | CommandInput::TemplatesAndStdin(_) => return None,
    };
    Some(argv.iter().chain(more).collect())
}

/// Writes a call that Unison can make.
pub(super) fn write(w: &mut Writer<'_>, call: &Sourced<Invocation<'_>>) {
    let at = call.at.as_slice();
    match &call.value {
        Invocation::Command(command) => {
            let Some(line) = constant_words(command) else { return };
            w.member("implementation").object(|w| {
                w.member("kind").equivalent("command", at);
                w.member("command").object(|w| w.copy_all("argv", line));
            });
        }
        Invocation::Python(callable) => w.member("implementation").object(|w| {
            w.member("kind").equivalent("python", at);
            w.member("python").object(|w| w.member("callable").copy(callable));
        }),
        Invocation::RegistryTool(RegistryTool { registry, tool, server }) => {
            w.member("implementation").object(|w| {
                w.member("kind").equivalent("mcp_tool", at);
                w.member("mcp").object(|w| {
                    w.member("registry_url").copy(registry);
                    w.member("tool_name").copy(tool);
                    w.copy("server_id", server.as_ref());
                });
            });
        }
        Invocation::A2a(endpoint) => w.member("implementation").object(|w| {
            w.member("kind").equivalent("a2a_rpc", at);
            w.member("a2a").object(|w| w.member("endpoint").copy(endpoint));
        }),
        Invocation::CommandLine(_)
        | Invocation::Http(_)
        | Invocation::McpTool(_)
        | Invocation::Node(_) => {}
    }
}

/// Writes a call of the gateway, which Unison treats as a registry with one server for each
/// source.
pub(super) fn write_gateway(
    w: &mut Writer<'_>,
    ToolContext { tool, says, context }: &ToolContext<'_, '_>,
) {
    let Some(gateway) =
        context.defaults.gateway.as_deref().filter(|_| *says == CallSupport::Bridge)
    else {
        return;
    };
    w.member("implementation").object(|w| {
        w.member("kind").bridge("mcp_tool");
        w.member("mcp").object(|w| {
            let registry = format!("{}/unison", gateway.trim_end_matches('/'));
            w.member("registry_url").bridge(&registry);
            w.member("tool_name").bridge_from(&*file_name(&tool.id), &tool.id_places());
            w.member("server_id").seal(&format!("sha256:{}", context.digest));
        });
    });
}

/// Returns the host rules of Unison. It obeys the declared time-out only for commands.
pub(super) fn contract(tool: &ToolDescriptor<'_>) -> Contract {
    let function = Contract {
        extra_arguments: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "that of the host",
        directory: "that of the host",
        timeout: "none, whatever is said",
        result: "what the function returns",
        failure: "an exception",
        host_rules: HostRules {
            outcome_rules: OutcomeRules::Json,
            inherited_env: &["LANG", "LC_ALL", "TZ"],
            sign_in_prefix: Some(grammar::SIGN_IN),
            ..HostRules::PLAIN
        },
    };
    let request = |timeout| Contract {
        environment: "nothing of it is sent",
        directory: "no program runs",
        timeout,
        result: "the JSON of the answer",
        failure: "a status other than 2xx",
        host_rules: HostRules {
            default_timeout_ms: Some(15_000),
            max_timeout_ms: Some(15_000),
            ..function.host_rules
        },
        ..function
    };
    match tool.invocation.as_deref() {
        // `None`: a tool without a call is never called.
        None | Some(Invocation::Command(_) | Invocation::CommandLine(_)) => Contract {
            environment: "LANG, LC_ALL and TZ",
            keeps_timeout: true,
            timeout: "30 seconds; never more than 300",
            result: "an object with the exit code, standard output and standard error",
            failure: "only that it does not start, or takes too long",
            host_rules: HostRules {
                outcome_rules: OutcomeRules::Process,
                program_search: ProgramSearch::System,
                default_timeout_ms: Some(30_000),
                max_timeout_ms: Some(300_000),
                ..function.host_rules
            },
            ..function
        },
        Some(Invocation::Python(_) | Invocation::Node(_)) => function,
        Some(Invocation::RegistryTool(_) | Invocation::McpTool(_)) => {
            request("5 seconds for the registry and 10 for the call, whatever is said")
        }
        Some(Invocation::A2a(_) | Invocation::Http(_)) => request("15 seconds, whatever is said"),
    }
}
