//! Lowers calls, and decides which calls this format supports.

use manifest_core::descriptor::{
    Body, Command, CommandInput, Http, Implementation, Invocation, Step,
};
use manifest_core::format::{
    BridgeArg, CallSupport, Context, Contract, HostRules, OutcomeRules, ProgramSearch, ToolContext,
    Writer,
};
use manifest_core::json::Number;
use manifest_core::path::{PathStyle, is_absolute};
use manifest_core::rules::{BRIDGE, VERSION};
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor, url};

use super::header::sole_credential;
use crate::semantics::check_command_line;

/// Returns exact support if this format can express every way to call a tool, and the
/// bridge otherwise.
pub(super) fn call_support(tool: &ToolDescriptor<'_>) -> CallSupport {
    if tool.invocation.is_none() && tool.implementations.is_empty() && tool.chain.is_empty() {
        return CallSupport::Bridge;
    }
    if let Some(call) = &tool.invocation
        && !supports_call(tool, call)
    {
        return CallSupport::Bridge;
    }
    for implementation in &tool.implementations {
        match &implementation.invocation {
            Some(call) if supports_call(tool, call) => {}
            _ => return CallSupport::Bridge,
        }
    }
    CallSupport::Exact
}

/// Returns the request of a tool, if this format supports the tool's calls exactly.
pub(super) fn request<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t Http<'a>> {
    match tool.invocation.as_deref() {
        Some(Invocation::Http(http)) if call_support(tool) == CallSupport::Exact => Some(http),
        _ => None,
    }
}

fn supports_call(tool: &ToolDescriptor<'_>, call: &Invocation<'_>) -> bool {
    match call {
        // No other format has command lines, so the line is written back as it was.
        Invocation::CommandLine(_) => true,
        Invocation::Http(http) => {
            sends_all_arguments(http)
                && (http.headers.is_empty() || sole_credential(tool, http).is_some())
        }
        Invocation::Command(Command { argv, cwd: None, input: CommandInput::Argument }) => {
            let Some(program) = argv.first() else { return false };
            let is_found = is_absolute(program, PathStyle::Posix) || !program.contains(['/', '\\']);
            is_found && check_command_line(&join(argv)).is_ok()
        }
        Invocation::Command(Command { argv: _, cwd: _, input: _ })
        | Invocation::McpTool(_)
        | Invocation::RegistryTool(_)
        | Invocation::Python(_)
        | Invocation::Node(_)
        | Invocation::A2a(_) => false,
    }
}

/// Returns true if the body of a request is all of the arguments, and its URL does not
/// depend on them. Headers are checked elsewhere.
fn sends_all_arguments(http: &Http<'_>) -> bool {
    let Http { method, url: _, path: _, headers: _, body } = http;
    let sends_all = match body {
        Body::Whole => true,
        Body::Rest => matches!(method.as_ref(), "POST" | "PUT" | "PATCH"),
    };
    sends_all && address(http).is_some()
}

/// Returns the whole URL of a request, if it is the same in every call. One slash separates
/// URL and path.
fn address<'h>(http: &'h Http<'_>) -> Option<Text<'h>> {
    let whole = match &http.path {
        None => Text::Borrowed(http.url.as_ref()),
        Some(path) if path.starts_with('/') && !http.url.contains(['?', '#']) => {
            let base = http.url.strip_suffix('/').unwrap_or(&http.url);
            Text::Owned(format!("{base}{path}", path = path.value))
        }
        Some(_) => return None,
    };
    if whole.contains("${") || url::check_http(&whole).is_err() {
        return None;
    }
    Some(whole)
}

/// Returns the host rules of a request, of a local program (also the bridge), of a chain,
/// or of a choice of implementations. A choice has the rules that all of its
/// implementations share.
pub(super) fn contract(tool: &ToolDescriptor<'_>) -> Contract {
    let (mut has_request, mut has_program) = (false, false);
    let implementations = tool.implementations.iter().map(|one| &one.invocation);
    for call in [&tool.invocation].into_iter().chain(implementations).flatten() {
        match call.value {
            Invocation::Http(_) => has_request = true,
            _ => has_program = true,
        }
    }
    match (has_request, has_program) {
        (false, false) => CHAIN,
        (true, false) => REQUEST,
        (false, true) => PROGRAM,
        (true, true) => CHOICE,
    }
}

const REQUEST: Contract = Contract {
    extra_arguments: "passed on",
    examples: "in files beside the manifest, which no conversion reads or writes",
    fills_defaults: false,
    keeps_timeout: true,
    environment: "nothing of it is sent",
    directory: "no program runs",
    timeout: "30 seconds",
    result: "the body as JSON; {} where it is empty; wrapped with the status where it is not JSON",
    failure: "no answer in time; the status is not looked at",
    host_rules: HostRules {
        outcome_rules: OutcomeRules::AnyStatus,
        program_search: ProgramSearch::Folder,
        default_timeout_ms: Some(30_000),
        ..HostRules::PLAIN
    },
};

const PROGRAM: Contract = Contract {
    environment: "that of the host",
    directory: "that of the package",
    timeout: Contract::UNSPECIFIED,
    result: "standard output as JSON",
    failure: "an exit code other than 0",
    ..REQUEST
};

const CHOICE: Contract = Contract {
    environment: "as the chosen implementation is called",
    directory: "as the chosen implementation is called",
    timeout: "as the chosen implementation is called",
    result: "as the chosen implementation is called",
    failure: "as the chosen implementation is called",
    ..REQUEST
};

const CHAIN: Contract = Contract {
    fills_defaults: true,
    environment: "that of each step",
    directory: "that of each step",
    timeout: "that of each step",
    result: "the output of the last step",
    failure: "the failure of a step",
    ..REQUEST
};

/// The reason that the ledger gives for the URL of a gateway.
const GATEWAY_REASON: &str = "it names the gateway, the source by its digest, and the tool";

/// Writes the calls of a tool: `endpoint`, `implementations` and `chain`.
pub(super) fn write(
    w: &mut Writer<'_>,
    ToolContext { tool, says: _, context }: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    let (implementations, chain) = (&tool.implementations, &tool.chain);
    let at = match &tool.invocation {
        Some(Sourced { at: Some(at), .. }) => Some(*at),
        _ => tool.at,
    };
    if context.same_format {
        // An edit can introduce any call.
        if let Some(call) = &tool.invocation
            && !is_writable(tool, call)
        {
            let message = "mcpkg has no words for this call";
            return Err(context.error_at(&BRIDGE, at, message));
        }
    } else {
        let is_0_1 = request(tool).is_some() && implementations.is_empty() && chain.is_empty();
        if !context.since(1) && !is_0_1 {
            let message =
                "mcpkg 0.1 has no word for this call: it knows requests whose body is JSON";
            return Err(context.error_at(&VERSION, at, message));
        }
        if call_support(tool) != CallSupport::Exact {
            write_bridge(w, tool, context);
            return Ok(());
        }
    }
    if let Some(call) = &tool.invocation {
        write_endpoint(w, call, tool.timeout_ms.as_ref(), context.same_format);
    }
    if !implementations.is_empty() {
        w.member("implementations").list(|w| {
            for one in implementations {
                w.item().object(|w| write_implementation(w, one, context.same_format));
            }
        });
    }
    if !chain.is_empty() {
        w.member("chain").list(|w| {
            for step in chain {
                w.item().object(|w| write_step(w, step));
            }
        });
    }
    Ok(())
}

/// Returns true if an endpoint can be written for a call of an edited manifest. Parts of a
/// request that an endpoint cannot express are left out, and the comparison of the readings
/// reports them.
fn is_writable(tool: &ToolDescriptor<'_>, call: &Invocation<'_>) -> bool {
    match call {
        Invocation::Http(http) => address(http).is_some(),
        call => supports_call(tool, call),
    }
}

/// Writes a call through the gateway, if there is one, and otherwise through the bridge.
fn write_bridge(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    w.member("endpoint").object(|w| {
        if let Some(url) = context.gateway_url(tool) {
            w.member("type").bridge("http");
            w.member("method").bridge("POST");
            w.member("url").seal_from(&url, &tool.id_places(), GATEWAY_REASON);
        } else {
            let words = context.bridge_argv(tool);
            let line = shell_words::join(words.iter().map(|word| word.text.as_str()));
            w.member("type").bridge("local");
            BridgeArg::write_line(&words, &line, w.member("command"));
        }
        write_timeout(w, tool.timeout_ms.as_ref(), false);
    });
}

/// Writes a call that this format supports.
fn write_endpoint(
    w: &mut Writer<'_>,
    call: &Sourced<Invocation<'_>>,
    timeout: Option<&Sourced<Number<'_>>>,
    own: bool,
) {
    let at = call.at.as_slice();
    w.member("endpoint").object(|w| {
        match &call.value {
            Invocation::Http(http) => {
                w.member("type").equivalent("http", at);
                w.member("method").copy(&http.method);
                write_url(w, http);
            }
            Invocation::CommandLine(line) => {
                w.member("type").equivalent("local", at);
                w.member("command").copy(line);
            }
            Invocation::Command(Command { argv, cwd: _, input: _ }) => {
                let why = "local is the word for every program, the bridge among them";
                w.member("type").approximate("local", at, why);
                let places: Vec<Place> = argv.iter().filter_map(|word| word.at).collect();
                w.member("command").equivalent(&join(argv), &places);
            }
            // The caller has handled unsupported calls.
            Invocation::McpTool(_)
            | Invocation::RegistryTool(_)
            | Invocation::Python(_)
            | Invocation::Node(_)
            | Invocation::A2a(_) => {}
        }
        write_timeout(w, timeout, own);
    });
}

fn write_url(w: &mut Writer<'_>, http: &Http<'_>) {
    let (Some(path), Some(whole)) = (&http.path, address(http)) else {
        w.member("url").copy(&http.url);
        return;
    };
    let places: Vec<Place> = http.url.at.into_iter().chain(path.at).collect();
    let why = "the URL and the path, with one slash between them";
    w.member("url").approximate(&whole, &places, why);
}

/// Writes whole milliseconds, up to the maximum of the published tool.
fn write_timeout(w: &mut Writer<'_>, timeout: Option<&Sourced<Number<'_>>>, own: bool) {
    let Some(ms) = timeout else { return };
    if !own && !ms.is_positive() {
        return;
    }
    let slot = w.member("timeoutMs");
    if own || ms.as_str().parse::<i32>().is_ok() {
        return slot.copy(ms);
    }
    let most = i64::from(i32::MAX);
    let at = ms.at.as_slice();
    match ms.ceil() {
        Some(whole) if whole <= most && Number::from(whole) == ms.value => {
            slot.equivalent(whole, at);
        }
        Some(whole) if whole <= most => {
            slot.approximate(whole, at, "only whole milliseconds, rounded up");
        }
        _ => slot.approximate(most, at, "at most 2147483647 milliseconds"),
    }
}

fn write_implementation(w: &mut Writer<'_>, implementation: &Implementation<'_>, own: bool) {
    let Implementation { id, language, runtime, platforms, requirements, invocation, timeout_ms } =
        implementation;
    w.copy("id", id.as_ref());
    w.copy("language", language.as_ref());
    w.copy("runtime", runtime.as_ref());
    w.copy_all("platforms", platforms);
    if let Some(call) = invocation {
        write_endpoint(w, call, timeout_ms.as_ref(), own);
    }
    w.copy("requirements", requirements.as_ref());
}

fn write_step(w: &mut Writer<'_>, step: &Step<'_>) {
    let Step { step, tool, input_mapping, output_key } = step;
    w.copy("step", step.as_ref());
    w.member("tool").copy(tool);
    w.object_if_any("inputMapping", |w| {
        for (name, path) in input_mapping.iter() {
            w.member(name).copy(path);
        }
    });
    w.copy("outputKey", output_key.as_ref());
}

/// Returns the line that splits into these words.
fn join(argv: &[Sourced<Text<'_>>]) -> String {
    shell_words::join(argv.iter().map(|word| word.as_ref()))
}
