//! Lift and lower.
//!
//! | descriptor | `tools[]` | note |
//! |---|---|---|
//! | `id` | `name` | fitted to the names that model providers accept |
//! | `description` | `description` | |
//! | `input_schema` | `schema` | as written |
//! | `invocation` | `command` | a program that reads JSON from standard input; otherwise the bridge |
//! | `timeout_ms` | `timeoutSec` | whole seconds, rounded up |
//! | `package.env` | `envPassthrough` | names only, fitted |
//!
//! This format lacks members for everything else.

use std::sync::Arc;

use manifest_core::descriptor::{Command, CommandInput, EnvVar, Invocation, Package};
use manifest_core::format;
use manifest_core::format::{
    BridgeArg, CallSupport, Cardinality, Context, Contract, HostRules, IdGrammar, OutcomeRules,
    ProgramSearch, Reader, SafetyFeatures, ToolContext, ToolGroup, Writer, fit,
};
use manifest_core::json::{Node, Number, Raw};
use manifest_core::{
    Catalog, Detection, Diagnostic, Format, LiftedDocument, Limits, Sourced, Text, ToolDescriptor,
    table,
};

use crate::table::{MANIFEST, TOOL};
use crate::{check, command, env, rules};

/// The definition of this format, for conversion.
pub static FORMAT: Format = Format {
    name: "tools-json",
    versions: &[],
    tables: &[&crate::table::TABLE],
    rules: rules::RULES,
    cardinality: Cardinality::Tools,
    catalog: Some(Catalog { member: "tools", frame: ["{\"tools\":[", "]}"], is_document: false }),
    keys: &["name"],
    safety_features: SafetyFeatures::NONE,
    detect,
    look_alike,
    check: check::validate,
    read,
    call_support,
    contract,
    // Variables are passed on by name, and invalid names are fitted.
    undeclared_secrets: |_| Vec::new(),
    file_name: |_| "tools".to_owned(),
    write_document,
    write_tool,
    bridge_needs: "the launcher `./tools/bin/toolglot-bridge`",
    host_needs: "",
};

/// Returns the host rules, which are the same for all calls of this format.
fn contract(_: &ToolDescriptor<'_>) -> Contract {
    Contract {
        extra_arguments: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: true,
        environment: "PATH and HOME, and the variables that are named",
        directory: "that of the host",
        timeout: "30 seconds, unless the agent is told otherwise",
        result: "standard output on one line, white space collapsed; {} where it is empty",
        failure: "an exit code other than 0",
        host_rules: HostRules {
            outcome_rules: OutcomeRules::OneLine,
            program_search: ProgramSearch::Folder,
            inherited_env: &["PATH", "HOME"],
            default_timeout_ms: Some(30_000),
            max_timeout_ms: None,
            variables_required: false,
            sign_in_prefix: None,
        },
    }
}

fn detect(root: Node<'_>) -> Option<Detection> {
    let tools = root.get("tools").filter(|tools| tools.is_array())?;
    // Any type counts here. Validation reports a `command` that is not a list.
    let commands = tools.elements().all(|tool| tool.get("command").is_some());
    let other =
        ["manifest_version", "dxt_version", "server"].iter().any(|name| root.get(name).is_some());
    (commands && !other).then(|| Detection {
        version: None,
        evidence: vec!["`tools` is an array", "each of its elements has a `command`"],
    })
}

/// No other document is easily mistaken for a manifest of this format.
fn look_alike(_: Node<'_>) -> Option<&'static str> {
    None
}

fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let [tools] = table::member_values(reader.root(), &MANIFEST);
    let tools = tools.into_iter().flat_map(Node::elements);
    let tools = tools.map(|tool| lift_tool(reader, tool)).collect();
    LiftedDocument { tools, is_list: true, ..LiftedDocument::default() }
}

fn lift_tool<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let [name, description, schema, command, timeout, env] = table::member_values(node, &TOOL);
    let at = Some(reader.place(node));
    ToolDescriptor {
        at,
        id: reader.required_text(name),
        name: None,
        title: None,
        kind: None,
        summary: None,
        description: reader.text(description),
        input_schema: reader.raw(schema),
        output_schema: None,
        output_format: None,
        error_envelope: None,
        examples: Vec::new(),
        example_files: Vec::new(),
        test_files: Vec::new(),
        invocation: lift_command(reader, command),
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: lift_timeout(reader, timeout),
        auth: <_>::default(),
        permissions: <_>::default(),
        scopes_used: Vec::new(),
        sandbox: <_>::default(),
        side_effects: None,
        idempotent: None,
        requires_approval: None,
        origin: <_>::default(),
        trust: None,
        enabled: None,
        channel: None,
        package: Arc::new(Package { at, env: lift_env(reader, env), ..Package::default() }),
    }
}

fn lift_command<'a>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
) -> Option<Sourced<Invocation<'a>>> {
    let argv = reader.texts(node);
    let call = Command { argv: argv.into(), cwd: None, input: CommandInput::Stdin };
    (!call.argv.is_empty()).then(|| Invocation::Command(call).into())
}

/// Lifts the time-out. Zero and negative values mean the caller's default, so they are not
/// lifted.
fn lift_timeout<'a>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
) -> Option<Sourced<Number<'a>>> {
    let seconds = node?.number().filter(Number::is_positive)?;
    Some(reader.derived(node?, seconds.shift(3)))
}

/// Lifts the variables, under the names that the host looks up. If two spellings normalise
/// to the same name, they are one variable that comes from both places.
fn lift_env<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Vec<EnvVar<'a>> {
    let named = |element: Node<'a>| {
        let name = env::normalise(&element.text()?).ok()?.into_owned();
        Some((element, Text::Owned(name)))
    };
    let names = reader.deduplicate(node.into_iter().flat_map(Node::elements).filter_map(named));
    let variable = |(element, name, by)| {
        let name = match reader.text(Some(element)) {
            Some(own) if own.value == name => own,
            _ => reader.derived(element, name),
        };
        EnvVar { name: name.with_influence(by), ..EnvVar::default() }
    };
    names.into_iter().map(variable).collect()
}

/// Returns `Exact` for a program with an absolute path that reads JSON from standard input
/// and needs no working directory. A relative path is not exact, because each format
/// resolves it against a different folder.
fn call_support(tool: &ToolDescriptor<'_>) -> CallSupport {
    let Some(Invocation::Command(Command { argv, cwd: None, input: CommandInput::Stdin })) =
        tool.invocation.as_deref()
    else {
        return CallSupport::Bridge;
    };
    // Only the bridge can select one of several calls.
    let single = tool.implementations.is_empty() && tool.chain.is_empty();
    // A variable is passed on by name, so its value must come from the agent's user. There
    // are no defaults.
    let passed =
        |variable: &EnvVar<'_>| env::is_valid(&variable.name) && variable.default.is_none();
    let exact = single
        && argv.first().is_some_and(|program| command::is_location_independent(program))
        && argv.len() <= Limits::default().arguments
        && argv.iter().all(|word| !word.contains('\0'))
        && tool.package.env.iter().all(passed);
    if exact { CallSupport::Exact } else { CallSupport::Bridge }
}

fn write_document(writer: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    unit.write_list(writer, "tools")
}

/// The names that every model provider accepts.
static NAME: IdGrammar = IdGrammar {
    fits: |id| {
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        (1..=64).contains(&id.len()) && id.bytes().all(plain)
    },
    keeps: |c| c.is_ascii_alphanumeric() || c == '_' || c == '-',
    digest_separator: '_',
    replacement: Some('_'),
    prefix: "",
    max_bytes: 64,
};

fn write_tool(
    w: &mut Writer<'_>,
    ToolContext { tool, says, context }: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    let ToolDescriptor {
        description,
        input_schema,
        timeout_ms,
        package,
        // Written as the name.
        id: _,
        // Written as the command.
        invocation: _,
        at: _,
        // The bridge selects an implementation, and calls the tools of a chain.
        implementations: _,
        chain: _,
        // This format has no members for these.
        name: _,
        title: _,
        kind: _,
        summary: _,
        output_schema: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        example_files: _,
        test_files: _,
        auth: _,
        permissions: _,
        scopes_used: _,
        sandbox: _,
        side_effects: _,
        idempotent: _,
        requires_approval: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
    } = tool;
    write_name(w, tool, context.same_format);
    w.copy("description", description.as_ref());
    write_schema(w, input_schema.as_ref(), context.same_format);
    write_command(w, tool, *says, context)?;
    if let Some(ms) = timeout_ms {
        write_timeout(w, ms, context.same_format);
    }
    write_env(w, &package.env, context.same_format);
    Ok(())
}

fn write_name(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    match fit(&tool.id, &NAME) {
        Text::Owned(fitted) if !own => {
            let why = "model providers take letters, digits, _ and -, at most 64";
            w.member("name").approximate(&fitted, &tool.id_places(), why);
        }
        _ => w.member("name").id(tool),
    }
}

fn write_command(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    says: CallSupport,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    match tool.invocation.as_deref() {
        Some(Invocation::Command(Command { argv, cwd: None, input: CommandInput::Stdin }))
            if says == CallSupport::Exact =>
        {
            w.copy_all("command", argv.iter());
        }
        // The edited call cannot be expressed, and must not become a bridge.
        _ if context.same_format => {
            let at = tool.invocation.as_ref().and_then(|call| call.at).or(tool.at);
            let message = "tools.json has no words for this call";
            return Err(context.error_at(&manifest_core::rules::BRIDGE, at, message));
        }
        _ => {
            let line = context.launcher_argv("./tools/bin/", tool);
            w.member("command").list(|w| BridgeArg::write_all(&line, w));
        }
    }
    Ok(())
}

const FITTED_SECRET: &str = "a name that is made to fit, and not that its value is secret";

/// Writes the variables by name. Invalid names are fitted instead of dropped, because the
/// program must get the variables that the source declares. This format cannot mark a value
/// as secret.
fn write_env(w: &mut Writer<'_>, env: &[EnvVar<'_>], own: bool) {
    if env.is_empty() {
        return;
    }
    w.member("envPassthrough").list(|w| {
        for EnvVar { name, secret, .. } in env {
            let at = name.at.as_slice();
            match secret.as_deref() {
                _ if own => w.item().copy(name),
                _ if !env::is_valid(name) => {
                    let known = secret.is_some();
                    let plain = "names have upper-case letters, digits and underscores";
                    let why = if known { FITTED_SECRET } else { plain };
                    w.item().approximate(&format::variable_name(name), at, why);
                }
                Some(true) => {
                    let why = "a name, and not that its value is secret";
                    w.item().approximate(&name.value, at, why);
                }
                _ => w.item().copy(name),
            }
        }
    });
}

/// Writes a schema. This format requires an object, so a boolean becomes the equivalent
/// object.
fn write_schema(w: &mut Writer<'_>, schema: Option<&Sourced<Raw<'_>>>, own: bool) {
    let Some(schema) = schema else { return };
    let at = schema.at.as_slice();
    match schema.as_str() {
        "true" if !own => w.member("schema").equivalent(&Raw::from_static("{}"), at),
        "false" if !own => w.member("schema").equivalent(&Raw::from_static(r#"{"not": {}}"#), at),
        text if own || text.starts_with('{') => w.member("schema").copy(schema),
        _ => {}
    }
}

/// Writes whole seconds, rounded up. Other times may round to the same value, so even a
/// whole one is approximated, unless the source has this format.
fn write_timeout(w: &mut Writer<'_>, ms: &Sourced<Number<'_>>, own: bool) {
    let Some(seconds) = ms.shift(-3).ceil().filter(|seconds| *seconds > 0) else { return };
    let at = ms.at.as_slice();
    if own && Number::from(seconds).shift(3) == ms.value {
        w.member("timeoutSec").equivalent(seconds, at);
    } else {
        let whole = Number::from(seconds).shift(3) == ms.value;
        let rounded = "only whole seconds, rounded up";
        let why = if whole { "only whole seconds" } else { rounded };
        w.member("timeoutSec").approximate(seconds, at, why);
    }
}
