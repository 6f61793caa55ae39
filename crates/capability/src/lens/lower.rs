//! Lowers descriptors to documents.

use manifest_core::descriptor::{Acquisition, Auth, Kind, Origin, Package, Sandbox, Step};
use manifest_core::format::{CallSupport, Context, IdGrammar, ToolContext, Writer, fit};
use manifest_core::json::{Number, Raw};
use manifest_core::{
    Diagnostic, Place, Sourced, Text, ToolDescriptor, is_plain_text, quoted, url, version,
};

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
    let slot = w.member("type");
    let Some(kind) = kind else {
        if chain.is_empty() {
            return slot.assume("tool", "the source describes one callable tool");
        }
        // The presence of steps decides the kind, so no single step does.
        let steps: Vec<Place> = chain.iter().filter_map(|step| step.tool.at).collect();
        return slot.approximate_joint("agent_workflow", &steps, "it calls other tools in turn");
    };
    let word = match kind.value {
        Kind::Tool => "tool",
        Kind::McpServer => "mcp_server",
        Kind::SkillPack => "skill_pack",
        Kind::A2aPeer => "a2a_peer",
        Kind::Workflow => "agent_workflow",
    };
    match kind.at {
        None => slot.assume(word, "it follows from the format of the source"),
        Some(at) if at.exact => slot.equivalent(word, kind.at.as_slice()),
        Some(_) => slot.approximate(word, kind.at.as_slice(), "several kinds are one type"),
    }
}

/// Writes the version. Fails if it is not an exact one.
fn write_version(
    w: &mut Writer<'_>,
    package: &Package<'_>,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    let text = match &package.version {
        Some(version) => version.as_ref(),
        None => context.defaults.version.as_str(),
    };
    if version::parse_exact(text).is_err() {
        let message =
            format!("{} is not a SemVer version, and a capability takes no other", quoted(text));
        let at = package.version.as_ref().and_then(|version| version.at);
        return Err(context.error_at(&rules::VERSION, at, message));
    }
    match &package.version {
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
    let slot = w.member("description");
    for (text, why) in texts {
        let Some(text) = text else { continue };
        if text.is_empty() {
            continue;
        }
        if why.is_empty() {
            return slot.copy(text);
        }
        return slot.approximate(&text.value, text.at.as_slice(), why);
    }
    let why = "the tool itself has no description: this is the id";
    slot.approximate(&tool.id.value, &tool.id_places(), why);
}

/// Writes the origin of the manifest. If it is unknown, the source document is the origin.
fn write_origin(
    w: &mut Writer<'_>,
    origin: &Origin<'_>,
    package: &Package<'_>,
    context: &Context<'_>,
) {
    let Origin { source, url, path, digest, signature } = origin;
    match source {
        Some(source) if matches!(source.as_ref(), "url" | "local") => {
            w.member("source").copy(source);
        }
        _ => w.member("source").assume("local", "it was made from a document at hand"),
    }
    match digest {
        Some(digest) if grammar::is_digest(digest) => w.member("digest").copy(digest),
        _ => w.member("digest").seal(context.digest),
    }
    w.copy("signature", signature.as_ref());
    if let Some(url) = url
        && (context.same_format || url::check_http(url).is_ok())
    {
        w.member("url").copy(url);
    } else if let Some(url) = package_url(package)
        && !context.same_format
        && url::check_http(url).is_ok()
    {
        let why = "it is where the program comes from, not the manifest";
        w.member("url").approximate(&url.value, url.at.as_slice(), why);
    }
    if let Some(path) = path
        && (context.same_format || is_plain_text(path))
    {
        w.member("path").copy(path);
    }
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
    let reason = if context.same_format { None } else { tool.non_json_output_reason() };
    let schema = tool.output_schema.as_ref();
    if let Some(why) = reason
        && let Some(schema) = schema
        && schema.as_str().starts_with('{')
    {
        w.member("outputs").approximate(&schema.value, schema.at.as_slice(), why);
    } else {
        write_schema(w, "outputs", schema, reason.unwrap_or(none));
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
    let Some(schema) = schema else {
        return slot.assume(&Raw::from_static(r#"{"type":"object"}"#), none);
    };
    match schema.as_str() {
        text if text.starts_with('{') => slot.copy(schema),
        "true" => slot.equivalent(&Raw::from_static("{}"), schema.at.as_slice()),
        "false" => slot.equivalent(&Raw::from_static(r#"{"not":{}}"#), schema.at.as_slice()),
        _ => slot.assume(&Raw::from_static(r#"{"type":"object"}"#), none),
    }
}

fn write_oauth(w: &mut Writer<'_>, auth: &Auth<'_>, context: &Context<'_>) {
    let Auth { scheme, scopes: _, docs_url: _ } = auth;
    let Some(scheme) = scheme else { return };
    if scheme.value != grammar::OAUTH {
        return;
    }
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
    if let Some(kind) = kind
        && matches!(kind.as_ref(), "process" | "container")
    {
        slot.copy(kind);
    } else if let Some(Sourced { value: Acquisition::Container { image: _ }, at }) =
        &package.acquisition
    {
        slot.approximate("container", at.as_slice(), "it is installed as a container");
    } else {
        slot.assume("process", "the source does not say which sandbox it runs in");
    }
    w.member("resources").object(|w| {
        for (name, limit) in [("cpu", cpu), ("memory", memory)] {
            match limit {
                Some(limit) if grammar::is_resource(limit) => w.member(name).copy(limit),
                _ => w.member(name).assume("default", "the source has no such limit"),
            }
        }
    });
    if let Some(milliseconds) = timeout_ms
        && milliseconds.is_positive()
    {
        let seconds = milliseconds.shift(-3);
        // A number that cannot be shifted exactly stays as it is.
        if seconds != milliseconds.value && seconds.to_f64().is_some() {
            w.member("timeout_seconds").equivalent(&seconds, milliseconds.at.as_slice());
        }
    }
}
