//! Lowers descriptors to documents.

use manifest_core::descriptor::{Acquisition, Auth, Kind, Origin, Package, Sandbox, Step};
use manifest_core::format::{CallSupport, Context, IdGrammar, ToolContext, Writer, fit};
use manifest_core::json::{Number, Raw};
use manifest_core::{
    Diagnostic, Place, Sourced, Text, ToolDescriptor, is_plain_text, quoted, url, version,
};

use super::seconds::from_milliseconds;
use super::{call, permissions};
use crate::{grammar, rules};

/// The ids that a manifest accepts: any visible characters.
static ID: IdGrammar = IdGrammar {
    fits: |id| !id.is_empty() && is_plain_text(id),
    keeps: |c| c.is_ascii_graphic(),
    digest_separator: '-',
    replacement: Some('-'),
    prefix: "",
    max_bytes: 200,
};

pub(super) fn write_tool(
    w: &mut Writer<'_>,
    lowered: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    let ToolContext { tool, says, context } = lowered;
    let ToolDescriptor {
        kind,
        invocation,
        chain,
        timeout_ms,
        auth,
        sandbox,
        origin,
        trust,
        enabled,
        channel,
        package,
        // These are written together with other fields.
        id: _,
        permissions: _,
        input_schema: _,
        output_schema: _,
        // The description is one of these.
        name: _,
        title: _,
        summary: _,
        description: _,
        // Their permissions are part of the tool's risk profile.
        implementations: _,
        scopes_used: _,
        // The format has no members for these.
        at: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        example_files: _,
        test_files: _,
        side_effects: _,
        idempotent: _,
        requires_approval: _,
    } = tool;
    let own = context.same_format;
    write_id(w, tool, context);
    write_kind(w, kind.as_ref(), chain);
    write_version(w, package, context)?;
    write_description(w, tool);
    w.member("origin").object(|w| write_origin(w, origin, package, context));
    w.member("interfaces").object(|w| write_interfaces(w, tool, context));
    w.member("permissions").object(|w| permissions::write_permissions(w, lowered));
    w.member("runtime").object(|w| write_runtime(w, sandbox, package, timeout_ms.as_ref()));
    match trust {
        Some(trust) => w.member("trust_level").copy(trust),
        None => w.member("trust_level").assume("untrusted", "trust is the reader's to give"),
    }
    w.copy("enabled", enabled.as_ref());
    write_oauth(w, auth, context);
    w.object_if_any("execution", |w| w.copy("channel", channel.as_ref()));
    permissions::write_secrets(w, tool, own);
    match invocation {
        Some(invocation) if *says == CallSupport::Exact => call::write(w, invocation),
        _ => call::write_gateway(w, lowered),
    }
    Ok(())
}

fn write_id(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    match fit(&tool.id, &ID) {
        Text::Owned(fitted) if !context.same_format => {
            let why = "an id has only characters that show";
            w.member("id").approximate(&fitted, &tool.id_places(), why);
        }
        _ => w.member("id").id(tool),
    }
}

fn write_kind(w: &mut Writer<'_>, kind: Option<&Sourced<Kind>>, chain: &[Step<'_>]) {
    let word = |kind| match kind {
        Kind::Tool => "tool",
        Kind::McpServer => "mcp_server",
        Kind::SkillPack => "skill_pack",
        Kind::A2aPeer => "a2a_peer",
        Kind::Workflow => "agent_workflow",
    };
    let slot = w.member("type");
    match kind {
        Some(kind) if kind.at.is_some_and(|at| !at.exact) => {
            slot.approximate(word(kind.value), kind.at.as_slice(), "several kinds are one type");
        }
        Some(kind) if kind.at.is_none() => {
            slot.assume(word(kind.value), "it follows from the format of the source");
        }
        Some(kind) => slot.equivalent(word(kind.value), kind.at.as_slice()),
        // The presence of steps decides the kind, so no single step does.
        None if !chain.is_empty() => {
            let steps: Vec<Place> = chain.iter().filter_map(|step| step.tool.at).collect();
            slot.approximate_joint("agent_workflow", &steps, "it calls other tools in turn");
        }
        None => slot.assume("tool", "the source describes one callable tool"),
    }
}

/// Writes the version. Fails if it is not an exact one.
fn write_version(
    w: &mut Writer<'_>,
    package: &Package<'_>,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    let said = package.version.as_ref();
    let text = said.map_or(context.defaults.version.as_str(), |version| version.as_ref());
    if version::parse_exact(text).is_err() {
        let message =
            format!("{} is not a SemVer version, and a capability takes no other", quoted(text));
        return Err(context.error_at(&rules::VERSION, said.and_then(|said| said.at), message));
    }
    match said {
        Some(version) => w.member("version").copy(version),
        None => w.member("version").assume(text, "the source has no version"),
    }
    Ok(())
}

/// Writes the first text that is not empty, otherwise the id.
fn write_description(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let package = &tool.package;
    let texts = [
        (&tool.description, ""),
        (&tool.summary, "the tool itself has no description: this is its summary"),
        (&package.description, "the tool itself has no description: this is that of the package"),
        (
            &package.summary,
            "the tool itself has no description: this is the summary of the package",
        ),
        (&tool.title, "the tool itself has no description: this is the title"),
        (&package.title, "the tool itself has no description: this is the title of the package"),
        (&tool.name, "the tool itself has no description: this is the name"),
    ];
    let mut found = texts.iter().filter_map(|(text, why)| Some((text.as_ref()?, *why)));
    match found.find(|(text, _)| !text.is_empty()) {
        Some((text, "")) => w.member("description").copy(text),
        Some((text, why)) => {
            w.member("description").approximate(&text.value, text.at.as_slice(), why);
        }
        None => {
            let why = "the tool itself has no description: this is the id";
            w.member("description").approximate(&tool.id.value, &tool.id_places(), why);
        }
    }
}

/// Writes the origin of the manifest. If it is unknown, the source document is the origin.
fn write_origin(
    w: &mut Writer<'_>,
    origin: &Origin<'_>,
    package: &Package<'_>,
    context: &Context<'_>,
) {
    let Origin { source, url, path, digest, signature } = origin;
    let fits = |url: &&Sourced<Text<'_>>| context.same_format || url::check_http(url).is_ok();
    match source.as_ref().filter(|source| matches!(source.as_ref(), "url" | "local")) {
        Some(source) => w.member("source").copy(source),
        None => w.member("source").assume("local", "it was made from a document at hand"),
    }
    match digest.as_ref().filter(|digest| grammar::is_digest(digest)) {
        Some(digest) => w.member("digest").copy(digest),
        None => w.member("digest").seal(context.digest),
    }
    w.copy("signature", signature.as_ref());
    match (url.as_ref().filter(fits), package_url(package).filter(fits)) {
        (Some(url), _) => w.member("url").copy(url),
        (None, Some(url)) if !context.same_format => {
            let why = "it is where the program comes from, not the manifest";
            w.member("url").approximate(&url.value, url.at.as_slice(), why);
        }
        (None, _) => {}
    }
    w.copy("path", path.as_ref().filter(|path| context.same_format || is_plain_text(path)));
}

/// Returns the URL that a package is fetched from.
fn package_url<'p, 'a>(package: &'p Package<'a>) -> Option<&'p Sourced<Text<'a>>> {
    match package.acquisition.as_deref()? {
        Acquisition::Git { url, reference: _, subpath: _, layout: _ }
        | Acquisition::Download { url, sha256: _ } => Some(url),
        Acquisition::Pip { package: _, version_spec: _ }
        | Acquisition::Npm { package: _, version_spec: _ }
        | Acquisition::Container { image: _ }
        | Acquisition::Preinstalled { locator: _ } => None,
    }
}

fn write_interfaces(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    let none = "the source has no such schema: any object is taken";
    write_schema(w, "inputs", tool.input_schema.as_ref(), none);
    let none = "the source does not say what comes back: any object";
    match (tool.non_json_output_reason().filter(|_| !context.same_format), &tool.output_schema) {
        (Some(why), Some(schema)) if schema.as_str().starts_with('{') => {
            w.member("outputs").approximate(&schema.value, schema.at.as_slice(), why);
        }
        (why, schema) => write_schema(w, "outputs", schema.as_ref(), why.unwrap_or(none)),
    }
}

/// Writes a schema. It must be an object, so `true` and `false` are written as equivalent
/// objects.
fn write_schema(
    w: &mut Writer<'_>,
    name: &str,
    schema: Option<&Sourced<Raw<'_>>>,
    none: &'static str,
) {
    let slot = w.member(name);
    match schema.map(|schema| (schema, schema.as_str())) {
        Some((schema, text)) if text.starts_with('{') => slot.copy(schema),
        Some((schema, "true")) => slot.equivalent(&Raw::from_static("{}"), schema.at.as_slice()),
        Some((schema, "false")) => {
            slot.equivalent(&Raw::from_static(r#"{"not":{}}"#), schema.at.as_slice());
        }
        _ => slot.assume(&Raw::from_static(r#"{"type":"object"}"#), none),
    }
}

fn write_oauth(w: &mut Writer<'_>, auth: &Auth<'_>, context: &Context<'_>) {
    let Auth { scheme, scopes: _, docs_url: _ } = auth;
    let Some(scheme) = scheme.as_ref().filter(|scheme| scheme.value == grammar::OAUTH) else {
        return;
    };
    let slot = w.member("requires_oauth");
    if context.same_format {
        slot.equivalent(true, scheme.at.as_slice());
    } else {
        let why = "the scheme of a call is here something to set up before the first one";
        slot.approximate(true, scheme.at.as_slice(), why);
    }
}

fn write_runtime(
    w: &mut Writer<'_>,
    Sandbox { kind, cpu, memory }: &Sandbox<'_>,
    package: &Package<'_>,
    timeout_ms: Option<&Sourced<Number<'_>>>,
) {
    let slot = w.member("sandbox");
    let kind = kind.as_ref().filter(|kind| matches!(kind.as_ref(), "process" | "container"));
    match (kind, &package.acquisition) {
        (Some(kind), _) => slot.copy(kind),
        (None, Some(Sourced { value: Acquisition::Container { image: _ }, at })) => {
            slot.approximate("container", at.as_slice(), "it is installed as a container");
        }
        (None, _) => slot.assume("process", "the source does not say which sandbox it runs in"),
    }
    w.member("resources").object(|w| {
        for (name, limit) in [("cpu", cpu), ("memory", memory)] {
            match limit.as_ref().filter(|limit| grammar::is_resource(limit)) {
                Some(limit) => w.member(name).copy(limit),
                None => w.member(name).assume("default", "the source has no such limit"),
            }
        }
    });
    let seconds = timeout_ms.filter(|ms| ms.is_positive());
    let seconds = seconds.and_then(|ms| Some((from_milliseconds(ms)?, ms.at)));
    if let Some((seconds, at)) = seconds.filter(|(seconds, _)| seconds.to_f64().is_some()) {
        w.member("timeout_seconds").equivalent(&seconds, at.as_slice());
    }
}
