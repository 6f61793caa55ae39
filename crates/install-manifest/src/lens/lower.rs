//! Lowers descriptors to manifests.

use manifest_core::descriptor::{Command, CommandInput, Http, Invocation, Package, SideEffects};
use manifest_core::format::{BridgeArg, Context, ToolContext, ToolGroup, Writer};
use manifest_core::json::Raw;
use manifest_core::{Diagnostic, Place, Sourced, ToolDescriptor};

use super::call::{self, CallEncoding, encode_call, has_no_actions, is_from_manifest};
use super::fit::limit_unless_own;
use super::lift::NO_INPUT;
use super::runtime::Runtime;
use super::tool::{action_name, check_version, write_summary, write_tool_member};
use super::{checks, fit, parts, runtime, scopes};
use crate::enums::Version;

/// Writes a manifest.
pub(super) fn write_document(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
) -> Result<(), Diagnostic> {
    let Some(first) = unit.tools.first() else { return Ok(()) };
    let shared = Runtime::collect(unit, first)?;
    check_version(unit, first)?;
    let version = runtime::version(unit);
    let own = unit.context.same_format;
    let Package {
        env,
        cost,
        support,
        verify,
        data_boundary,
        // Written below "tool".
        id: _,
        namespace: _,
        title: _,
        summary: _,
        description: _,
        version: _,
        tags: _,
        labels: _,
        publisher: _,
        homepage: _,
        license: _,
        // Written below "runtime".
        acquisition: _,
        command: _,
        cwd: _,
        url: _,
        // Written with the scopes that permissions and the call imply.
        scopes: _,
        // Written as far as the actions and the version allow.
        smoke: _,
        revocation: _,
        // This format has no member for it.
        at: _,
    } = first.package.as_ref();
    write_version(w, unit, version);
    w.member("tool").object(|w| write_tool_member(w, unit, first, version));
    shared.write(w);
    parts::write_env(w, env, first, version, own);
    let bounded = own || version >= Version::V0_3;
    scopes::write(w, first, bounded);
    if !has_no_actions(first) {
        w.member("actions").list(|w| {
            for tool in unit.tools {
                w.item().object(|w| {
                    write_action(w, tool, shared.encode_action(tool), unit.context, bounded);
                });
            }
        });
    }
    if version >= Version::V0_3 {
        w.copy("verify", verify.as_ref());
        let private = scopes::is_private(first);
        checks::write_boundary(w, unit.context, data_boundary.as_ref(), private, version);
    }
    checks::write_smoke(w, unit, &shared, version);
    checks::write_kill_switch(w, unit, first, version);
    parts::write_cost(w, cost);
    parts::write_support(w, support);
    Ok(())
}

fn write_version(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>, version: Version) {
    let ToolGroup { tools, context } = unit;
    let slot = w.member("manifest_version");
    if context.same_format
        && let Some(first) = tools.first()
        && let Some(at) = first.package.at
        && let Some(node) = context.node(at)
        && let Some(stated) = node.get("manifest_version")
    {
        slot.equivalent(version.word(), &[at.with_node(stated)]);
    } else if context.same_format || context.version.is_some() {
        slot.equivalent(version.word(), &[]);
    } else {
        slot.assume(version.word(), "no version was asked for: this is the newest");
    }
}

/// Writes an action by itself. In a manifest, it also depends on the parts that actions
/// share.
#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
pub(super) fn write_tool(
    w: &mut Writer<'_>,
    ToolContext { tool, says: _, context }: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    write_action(w, tool, encode_call(tool, context.same_format), *context, true);
    Ok(())
}

fn write_action(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    way: CallEncoding<'_, '_>,
    context: Context<'_>,
    bounded: bool,
) {
    let own = context.same_format;
    let ToolDescriptor {
        summary,
        description,
        input_schema,
        output_schema,
        output_format,
        error_envelope,
        examples,
        invocation,
        side_effects,
        idempotent,
        requires_approval,
        // Written as the name if there is no other.
        id: _,
        name: _,
        // Written as scopes.
        auth: _,
        permissions: _,
        scopes_used: _,
        // Written outside of the actions.
        package: _,
        title: _,
        kind: _,
        // The bridge selects an implementation, and calls the tools of a chain.
        implementations: _,
        chain: _,
        // This format has no members for these.
        at: _,
        example_files: _,
        test_files: _,
        timeout_ms: _,
        sandbox: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
    } = tool;
    action_name(tool, own).write(w, "name");
    write_summary(w, summary.as_ref(), tool, own);
    if let Some(description) = description {
        fit::write_text(w, "description", description, limit_unless_own(4000, own));
    }
    let at = invocation.as_ref().and_then(|call| call.at);
    w.member("invocation").object(|w| write_call(w, tool, (way, context), at));
    write_arguments(w, context, input_schema.as_ref(), &tool.package);
    // Programs of `capability` write any text, which their host wraps in an object.
    let free = matches!(
        invocation.as_deref(),
        Some(Invocation::Command(Command { argv: _, cwd: _, input: CommandInput::Extra }))
    );
    let json = match invocation.as_deref() {
        _ if own || free || is_from_manifest(&tool.package) => None,
        // The result of an MCP tool may contain several kinds of content.
        Some(Invocation::McpTool(_)) | None if output_schema.is_some() => None,
        Some(Invocation::McpTool(_)) | None => Some("the source does not say what comes back"),
        Some(_) => Some("results are JSON in the source's format"),
    };
    parts::write_output(w, output_format.as_ref(), output_schema.as_ref(), json);
    write_effects(w, side_effects.as_ref(), requires_approval.as_ref());
    w.copy("idempotent", idempotent.as_ref());
    scopes::write_used(w, tool, bounded);
    w.copy("error_envelope", error_envelope.as_ref());
    parts::write_examples(w, examples, own);
}

/// Writes the schema of arguments. An action without one takes no arguments; in other
/// formats, such a tool takes any.
fn write_arguments(
    w: &mut Writer<'_>,
    context: Context<'_>,
    schema: Option<&Sourced<Raw<'_>>>,
    package: &Package<'_>,
) {
    match schema {
        // A manifest expresses this schema by omitting it.
        Some(schema) if is_from_manifest(package) && is_default_schema(schema) => {}
        Some(schema) if context.same_format || parts::is_schema(schema) => {
            parts::write_input(w, context, schema, package);
        }
        _ if is_from_manifest(package) => {}
        _ => {
            let any = Raw::from_static(r#"{"type":"object","additionalProperties":true}"#);
            let why = "the source has no schema, and an action without one takes no arguments";
            w.member("input").assume(&any, why);
        }
    }
}

/// Returns true if a schema represents a missing one, which has no place.
fn is_default_schema(schema: &Sourced<Raw<'_>>) -> bool {
    schema.at.is_none() && schema.as_str() == NO_INPUT
}

/// Writes the side effects. A host asks before destructive calls, so required approval is
/// written as `destructive`, and so are unknown effects.
fn write_effects(
    w: &mut Writer<'_>,
    effects: Option<&Sourced<SideEffects>>,
    approval: Option<&Sourced<bool>>,
) {
    let slot = w.member("side_effects");
    let approval = approval.filter(|approval| approval.value);
    match (effects, approval) {
        (Some(effects), None) => slot.copy(effects),
        (Some(effects), Some(_)) if effects.value == SideEffects::Destructive => slot.copy(effects),
        (Some(effects), Some(approval)) => {
            let places: Vec<Place> = [effects.at, approval.at].into_iter().flatten().collect();
            let why = "the one word here that makes a host ask";
            slot.approximate(&SideEffects::Destructive, &places, why);
        }
        (None, Some(approval)) => {
            // Unknown effects alone are destructive too, so approval is not the only
            // reason.
            let why = "a person must be asked: destructive is the word that makes a host ask";
            slot.approximate_joint(&SideEffects::Destructive, approval.at.as_slice(), why);
        }
        (None, None) => {
            slot.assume(&SideEffects::Destructive, "the source does not say what it changes");
        }
    }
}

fn write_call(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    (way, context): (CallEncoding<'_, '_>, Context<'_>),
    at: Option<Place>,
) {
    let mut kind = |word: &str| match at {
        Some(at) => w.member("kind").equivalent(word, &[at]),
        None => w.member("kind").assume(word, "it follows from the format of the source"),
    };
    match way {
        CallEncoding::Program { command: _, cwd: _, template, stdin } => {
            kind(if stdin { "stdin-json" } else { "subcommand" });
            w.copy_all("argv_template", template);
        }
        CallEncoding::Request(Http { method, url: _, path, headers, body: _ }) => {
            kind("http");
            w.member("method").copy(method);
            w.copy("path", path.as_ref());
            w.object_if_any("headers", |w| {
                for (name, value) in headers.iter() {
                    w.member(name).copy(value);
                }
            });
        }
        CallEncoding::SplitRequest {
            http: Http { method, url, path: _, headers: _, body: _ },
            base: _,
            path,
        } => {
            kind("http");
            w.member("method").copy(method);
            w.member("path").approximate(path, url.at.as_slice(), "the URL from its path on");
            write_credential(w, tool);
        }
        CallEncoding::ServerTool(server) => {
            kind("mcp-tool");
            w.member("tool_name").copy(&server.tool);
        }
        CallEncoding::SourceInvocation(node, at) => {
            for one in node.members() {
                let value =
                    Sourced { value: Raw::from_node(one.value), at: Some(at.with_node(one.value)) };
                w.member(&one.name()).copy(&value);
            }
        }
        // A manifest without actions has no invocation. An empty one would not be valid.
        CallEncoding::NoCall => {}
        CallEncoding::Bridge => w.member("kind").bridge("stdin-json"),
        CallEncoding::SharedBridge => {
            // This tool may lack a call although others have one, so each gives its own
            // reason.
            let before = w.set_bridge_reason(tool.bridge_reason());
            w.member("kind").bridge("stdin-json");
            let words = context.bridge_tool(tool);
            w.member("argv_template").list(|w| BridgeArg::write_all(&words, w));
            w.set_bridge_reason(before);
        }
    }
}

/// Writes the header that authenticates a request.
fn write_credential(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let Some((credential, variable)) = call::credential(tool) else { return };
    let mut places: Vec<Place> = Vec::new();
    if let Some(scheme) = &tool.auth.scheme {
        places.extend(scheme.at);
    }
    places.extend(variable.at);
    let value = format!("{}${{env.{}}}", credential.prefix, variable.value);
    w.member("headers").object(|w| w.member(credential.header).equivalent(&value, &places));
}
