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
use manifest_core::{
    Limits, Place, Sourced, Text, ToolDescriptor, has_control, is_plain_text, url,
};

use crate::grammar;

const NO_ARGUMENTS: CallSupport = CallSupport::Gateway("a Unison command is given no arguments");
const NO_INPUT: CallSupport =
    CallSupport::Gateway("a Unison command is given nothing on standard input");

/// Returns how Unison can express the call of a tool.
pub(super) fn call_support(tool: &ToolDescriptor<'_>) -> CallSupport {
    let Some(call) = tool.invocation.as_deref() else {
        return if !tool.chain.is_empty() {
            CallSupport::Gateway("Unison runs no chains")
        } else if !tool.implementations.is_empty() {
            CallSupport::Gateway("Unison does not choose between implementations")
        } else {
            CallSupport::Unsupported("no call could be read from the source")
        };
    };
    match call {
        Invocation::Command(command) => command_support(tool, command),
        Invocation::CommandLine(_) => NO_ARGUMENTS,
        Invocation::Http(_) => CallSupport::Gateway("Unison makes no HTTP calls of this kind"),
        Invocation::McpTool(_) => CallSupport::Gateway("only a gateway could call it from Unison"),
        Invocation::Node(_) => CallSupport::Gateway("Unison runs no Node modules"),
        Invocation::Python(callable) => {
            exact_if(grammar::is_callable(callable), "it is no function of a Python module")
        }
        Invocation::RegistryTool(RegistryTool { registry, tool, server }) => {
            let has_name = !tool.is_empty() && is_plain_text(tool);
            let has_server = server.as_ref().is_none_or(|server| is_plain_text(server));
            let fits = url::check_http(registry).is_ok() && has_name && has_server;
            exact_if(fits, "Unison takes no such registry, tool or server")
        }
        Invocation::A2a(endpoint) => {
            exact_if(url::check_http(endpoint).is_ok(), "Unison takes no such address")
        }
    }
}

fn exact_if(fits: bool, reason: &'static str) -> CallSupport {
    if fits { CallSupport::Exact } else { CallSupport::Gateway(reason) }
}

fn command_support(tool: &ToolDescriptor<'_>, command: &Command<'_>) -> CallSupport {
    let takes_nothing = tool.takes_no_arguments();
    let Some(words) = constant_words(command) else {
        let is_argument = matches!(command.input, CommandInput::Argument);
        return if takes_nothing && !is_argument { NO_INPUT } else { NO_ARGUMENTS };
    };
    if command.cwd.is_some() {
        return CallSupport::Gateway("Unison has no word for the folder that a program runs in");
    }
    if !tool.package.env.is_empty() {
        return CallSupport::Gateway("a Unison command is given no variables");
    }
    let Some(program) = command.argv.first().filter(|text| is_absolute(text, PathStyle::Posix))
    else {
        return CallSupport::Gateway("only a program with an absolute path is the same in Unison");
    };
    let has_nul = words.iter().any(|word| word.contains('\0'));
    if has_nul || has_control(program) || words.len() > Limits::default().arguments {
        return CallSupport::Gateway("Unison takes no such command line");
    }
    if takes_nothing { CallSupport::Exact } else { NO_ARGUMENTS }
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
            let Some(words) = constant_words(command) else { return };
            write_block(w, "command", "command", at, |w| w.copy_all("argv", words));
        }
        Invocation::Python(callable) => {
            write_block(w, "python", "python", at, |w| w.member("callable").copy(callable));
        }
        Invocation::RegistryTool(RegistryTool { registry, tool, server }) => {
            write_block(w, "mcp_tool", "mcp", at, |w| {
                w.member("registry_url").copy(registry);
                w.member("tool_name").copy(tool);
                w.copy("server_id", server.as_ref());
            });
        }
        Invocation::A2a(endpoint) => {
            write_block(w, "a2a_rpc", "a2a", at, |w| w.member("endpoint").copy(endpoint));
        }
        Invocation::CommandLine(_)
        | Invocation::Http(_)
        | Invocation::McpTool(_)
        | Invocation::Node(_) => {}
    }
}

/// Writes an implementation: its kind, and the block for the kind.
fn write_block(
    w: &mut Writer<'_>,
    kind: &str,
    block: &'static str,
    at: &[Place],
    members: impl FnOnce(&mut Writer<'_>),
) {
    w.member("implementation").object(|w| {
        w.member("kind").equivalent(kind, at);
        w.member(block).object(members);
    });
}

/// Writes a call of the gateway, which Unison treats as a registry with one server for each
/// source.
pub(super) fn write_gateway(
    w: &mut Writer<'_>,
    ToolContext { tool, says, context }: &ToolContext<'_, '_>,
) {
    if *says != CallSupport::Bridge {
        return;
    }
    let Some(gateway) = context.defaults.gateway.as_deref() else { return };
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
    let request = Contract {
        environment: "nothing of it is sent",
        directory: "no program runs",
        timeout: "15 seconds, whatever is said",
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
        Some(Invocation::RegistryTool(_) | Invocation::McpTool(_)) => Contract {
            timeout: "5 seconds for the registry and 10 for the call, whatever is said",
            ..request
        },
        Some(Invocation::A2a(_) | Invocation::Http(_)) => request,
    }
}
