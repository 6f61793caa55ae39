//! How this format expresses calls.

use manifest_core::descriptor::{
    Body, Command, CommandInput, Credential, Http, Invocation, McpTool, Package, is_plain_argv,
};
use manifest_core::format::CallSupport;
use manifest_core::json::Node;
use manifest_core::path::{PathStyle, is_absolute};
use manifest_core::{Place, Sourced, Text, ToolDescriptor, url};

use super::fit::MAX_VARIABLES;
use crate::installer::is_program;
use crate::{grammar, http};

/// How to write a call.
#[derive(Clone, Copy, Debug)]
pub(super) enum CallEncoding<'t, 'a> {
    /// A program: the command that all calls of the manifest share, and the arguments of
    /// this one.
    Program {
        command: &'t [Sourced<Text<'a>>],
        cwd: Option<&'t Sourced<Text<'a>>>,
        template: &'t [Sourced<Text<'a>>],
        stdin: bool,
    },
    /// A request whose path is separate from the URL.
    Request(&'t Http<'a>),
    /// A request whose URL is split into a base that paths are appended to, and a path.
    SplitRequest { http: &'t Http<'a>, base: &'t str, path: &'t str },
    /// A tool of an MCP server.
    ServerTool(&'t McpTool<'a>),
    /// No call: the source is a manifest without actions, and so is the target.
    NoCall,
    /// The invocation of the source, because this format cannot express the edited one.
    SourceInvocation(Node<'t>, Place),
    /// The bridge, because this format cannot express the call.
    Bridge,
    /// The bridge for one of several tools. All share the bridge command, and each call
    /// names its tool.
    SharedBridge,
}

/// Returns true if a package was lifted from a manifest. Every manifest declares these
/// three values, and no other format declares all of them.
pub(super) const fn is_from_manifest(package: &Package<'_>) -> bool {
    package.id.is_some() && package.smoke.is_some() && package.revocation.is_some()
}

/// Returns true if a tool is a manifest without actions.
pub(super) fn has_no_actions(tool: &ToolDescriptor<'_>) -> bool {
    is_from_manifest(&tool.package) && tool.name.is_none()
}

pub(super) fn call_support(tool: &ToolDescriptor<'_>) -> CallSupport {
    match encode_call(tool, false) {
        CallEncoding::Bridge => CallSupport::Bridge,
        _ => CallSupport::Exact,
    }
}

/// Returns how to write the call of a tool. In the source's own format (`own`), it only
/// matters whether the format can express the call.
pub(super) fn encode_call<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> CallEncoding<'t, 'a> {
    let ToolDescriptor { package, invocation, implementations, chain, .. } = tool;
    let portable = own || (implementations.is_empty() && chain.is_empty());
    if !portable {
        return CallEncoding::Bridge;
    }
    match invocation.as_deref() {
        // A request gets only the variables that it names.
        Some(Invocation::Http(http)) => encode_request(tool, http, own),
        _ if !(own || has_variables(package)) => CallEncoding::Bridge,
        Some(Invocation::Command(command)) => encode_program(tool, command, own),
        Some(Invocation::McpTool(server)) if own || can_write_server(server, package) => {
            CallEncoding::ServerTool(server)
        }
        None if has_no_actions(tool) => CallEncoding::NoCall,
        None
        | Some(
            Invocation::McpTool(_)
            | Invocation::CommandLine(_)
            | Invocation::RegistryTool(_)
            | Invocation::Python(_)
            | Invocation::Node(_)
            | Invocation::A2a(_),
        ) => CallEncoding::Bridge,
    }
}

/// Returns true if this format can name all variables of a tool.
fn has_variables(package: &Package<'_>) -> bool {
    let named = package.env.iter().all(|variable| grammar::ENV_NAME.matches(&variable.name));
    named && package.env.len() <= MAX_VARIABLES
}

/// Returns true if the package was lifted from a manifest, or if any host can reach the
/// server: its program, if it has one, has a valid name, and it needs no working directory.
fn can_write_server(
    McpTool { tool: _, argv, cwd, url: _ }: &McpTool<'_>,
    package: &Package<'_>,
) -> bool {
    let found = program_name(argv).is_none_or(is_program) && argv.is_plain();
    is_from_manifest(package) || (found && cwd.is_none())
}

fn encode_program<'t, 'a>(
    tool: &'t ToolDescriptor<'a>,
    Command { argv, cwd, input }: &'t Command<'a>,
    own: bool,
) -> CallEncoding<'t, 'a> {
    let package = &tool.package;
    let shared = package.command.len();
    // In the source's own format, the call begins with the entrypoint even if it was
    // edited.
    let belongs = shared > 0
        && argv.len() >= shared
        && (own || (argv.begins_with(&package.command) && *cwd == package.cwd));
    let (command, added) = argv.split_at_checked(shared).unwrap_or((argv, &[]));
    let cwd = cwd.as_ref();
    match input {
        CommandInput::Templates(template) if belongs && !template.is_empty() => {
            CallEncoding::Program { command: argv, cwd, template, stdin: false }
        }
        CommandInput::TemplatesAndStdin(template) if belongs => {
            CallEncoding::Program { command: argv, cwd, template, stdin: true }
        }
        CommandInput::Stdin if belongs && is_plain_argv(added) => {
            CallEncoding::Program { command, cwd, template: added, stdin: true }
        }
        CommandInput::Stdin if own || (argv.is_plain() && runs_anywhere(argv, cwd)) => {
            CallEncoding::Program { command: argv, cwd, template: &[], stdin: true }
        }
        // The tool takes no arguments, so standard input is empty in both formats. The
        // source's host passes no variables to such a program, but this format passes the
        // named ones, so there must be none.
        CommandInput::Extra
            if package.env.is_empty()
                && tool.takes_no_arguments()
                && argv.is_plain()
                && runs_anywhere(argv, cwd) =>
        {
            match argv.split_at_checked(1) {
                Some((command, template)) if !template.is_empty() => {
                    CallEncoding::Program { command, cwd, template, stdin: false }
                }
                _ => CallEncoding::Bridge,
            }
        }
        CommandInput::Templates(_)
        | CommandInput::TemplatesAndStdin(_)
        | CommandInput::Stdin
        | CommandInput::Extra
        | CommandInput::Argument => CallEncoding::Bridge,
    }
}

/// Returns true if a call is the same in any folder: both paths are absolute.
fn runs_anywhere(argv: &[Sourced<Text<'_>>], cwd: Option<&Sourced<Text<'_>>>) -> bool {
    let (Some(program), Some(name)) = (argv.first(), program_name(argv)) else { return false };
    is_absolute(program, PathStyle::Posix)
        && is_program(name)
        && cwd.is_none_or(|cwd| is_absolute(cwd, PathStyle::Posix))
}

/// Returns the last part of the program's path.
pub(super) fn program_name<'t>(argv: &'t [Sourced<Text<'_>>]) -> Option<&'t str> {
    argv.first()?.rsplit('/').next()
}

fn encode_request<'t, 'a>(
    tool: &'t ToolDescriptor<'a>,
    request: &'t Http<'a>,
    own: bool,
) -> CallEncoding<'t, 'a> {
    let Http { method, url, path, headers, body } = request;
    let belongs = own || tool.package.url.as_ref() == Some(url);
    if belongs && path.is_some() && *body == Body::Rest {
        return CallEncoding::Request(request);
    }
    let bodied = matches!(method.as_ref(), "POST" | "PUT" | "PATCH");
    let plain = path.is_none() && headers.is_empty() && *body == Body::Whole;
    let known = own || can_write_credential(tool);
    match split_url(url, tool.package.url.as_deref().map(AsRef::as_ref)) {
        Some((base, path)) if bodied && plain && known => {
            CallEncoding::SplitRequest { http: request, base, path }
        }
        _ => CallEncoding::Bridge,
    }
}

/// Returns true if a request needs no credential, or if this format can write its header.
/// It cannot if there are several variables, because the first with a value counts.
fn can_write_credential(tool: &ToolDescriptor<'_>) -> bool {
    let Some(credential) = tool.credential() else { return true };
    match credential.variables.as_slice() {
        [] => true,
        [variable] => grammar::ENV_NAME.matches(variable),
        [..] => false,
    }
}

/// Splits a URL into a base and a path, which together are the URL. The base is `known` if
/// the URL begins with it. Returns `None` if a part is not valid in this format.
fn split_url<'u>(text: &'u str, known: Option<&str>) -> Option<(&'u str, &'u str)> {
    let host = text.find("://")? + 3;
    let slash = host + text.get(host..)?.find('/')?;
    let (base, path) = match known.and_then(|known| text.strip_prefix(known)) {
        Some(path) if path.starts_with('/') => text.split_at_checked(text.len() - path.len())?,
        _ => text.split_at_checked(slash)?,
    };
    if text.contains("${") || !http::is_path(path) || base.contains(['?', '#']) {
        return None;
    }
    if url::check_http(text).is_ok() { Some((base, path)) } else { None }
}

/// Returns the header that authenticates a request and its variable, if it has exactly one.
pub(super) fn credential<'t, 'a>(
    tool: &'t ToolDescriptor<'a>,
) -> Option<(Credential<'t, 'a>, &'t Sourced<Text<'a>>)> {
    let credential = tool.credential()?;
    let [variable] = credential.variables.as_slice() else { return None };
    let variable = *variable;
    Some((credential, variable))
}
