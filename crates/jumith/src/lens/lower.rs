//! Lowers a descriptor to a manifest.

use manifest_core::descriptor::{
    Auth, Claim, Cost, EnvVar, Invocation, Node as Module, Package, RiskProfile, SideEffects,
};
use manifest_core::format::{Context, ToolContext, Writer, fit};
use manifest_core::json::Raw;
use manifest_core::rules::BRIDGE;
use manifest_core::{
    Diagnostic, Place, Sourced, Text, ToolDescriptor, has_control, quoted, version,
};

use super::texts::{ID, edited_name, write_description, write_name, write_provider, write_summary};
use crate::{names, rules};

pub(super) fn write_tool(
    w: &mut Writer<'_>,
    ToolContext { tool, says: _, context }: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    let ToolDescriptor {
        invocation,
        requires_approval,
        package,
        // Written as texts.
        at: _,
        id: _,
        name: _,
        title: _,
        summary: _,
        description: _,
        // Written as schemas.
        input_schema: _,
        output_schema: _,
        // Written as secrets.
        auth: _,
        side_effects: _, // read through `Caution`
        // The bridge selects the implementation and runs the chain.
        implementations: _,
        chain: _,
        // No member here.
        kind: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        example_files: _,
        test_files: _,
        timeout_ms: _,
        permissions: _,
        scopes_used: _,
        sandbox: _,
        idempotent: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
    } = tool;
    write_texts(w, tool, context)?;
    write_entry(w, tool, invocation.as_ref(), context)?;
    w.object_if_any("schema", |w| write_schemas(w, tool, context));
    let caution = RiskProfile::of(tool);
    write_payment(w, &package.cost, &caution, context);
    match requires_approval {
        Some(written) => w.member("requiresApproval").copy(written),
        None if context.same_format => {}
        None => write_approval(w, &caution),
    }
    write_secrets(w, tool, context);
    Ok(())
}

/// Writes id, name, version, texts, tags and provider.
fn write_texts(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    let Package {
        version,
        publisher,
        namespace,
        // Used if the tool has no texts of its own.
        summary,
        description,
        // Written as one list.
        tags,
        labels: _,
        // Written by `write_payment`.
        cost: _,
        // Written as secrets.
        env: _,
        // The tool's own id begins with it.
        id: _,
        // No member here.
        at: _,
        title: _,
        homepage: _,
        license: _,
        support: _,
        acquisition: _,
        command: _,
        cwd: _,
        url: _,
        scopes: _,
        smoke: _,
        verify: _,
        revocation: _,
        data_boundary: _,
    } = tool.package.as_ref();
    if context.same_format {
        w.copy("id", Some(&tool.id));
        w.copy("name", edited_name(tool.name.as_ref(), tool.title.as_ref()));
        write_version(w, version.as_ref(), tool.at, context)?;
        w.copy("summary", tool.summary.as_ref());
        w.copy("description", tool.description.as_ref());
        w.copy_all("tags", tags);
    } else {
        let texts = [&tool.summary, &tool.description, summary, description].map(Option::as_ref);
        write_id(w, tool);
        let called = write_name(w, tool);
        write_version(w, version.as_ref(), tool.at, context)?;
        write_summary(w, texts, &called);
        write_description(w, texts, &called);
        let words = tool.package.keywords().into_iter();
        w.tags("tags", words.filter(|(tag, _)| !has_control(tag)));
    }
    let namespace = if context.same_format { None } else { namespace.as_ref() };
    write_provider(w, publisher, namespace, context.same_format);
    Ok(())
}

fn write_id(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    match fit(&tool.id, &ID) {
        Text::Owned(fitted) => {
            let why = "an id is one segment of a URL, without / \\ ? # % and what does not show";
            w.member("id").approximate(&fitted, &tool.id_places(), why);
        }
        Text::Borrowed(_) => w.member("id").id(tool),
    }
}

fn write_version(
    w: &mut Writer<'_>,
    written: Option<&Sourced<Text<'_>>>,
    tool: Option<Place>,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    let default = &context.defaults.version;
    let (text, at) = match written {
        Some(text) => (text.as_ref(), text.at),
        None => (default.as_str(), tool),
    };
    if !context.same_format && version::parse_exact(text).is_err() {
        let message = format!("{} is not a SemVer version", quoted(text));
        return Err(context.error_at(&rules::VERSION, at, message));
    }
    if let Some(text) = written {
        w.member("version").copy(text);
    } else if !context.same_format {
        w.member("version").assume(default, "the source has no version");
    }
    Ok(())
}

fn write_entry(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    call: Option<&Sourced<Invocation<'_>>>,
    context: &Context<'_>,
) -> Result<(), Diagnostic> {
    if !context.same_format {
        let why = "the module of the bridge, by the digest of the source and the id of the tool";
        w.member("entry").object(|w| {
            w.member("runtime").bridge("node");
            w.member("main").seal_from(&context.bridge_module(tool), &tool.id_places(), why);
        });
        return Ok(());
    }
    let Some(Sourced { value: Invocation::Node(Module { main, export }), at }) = call else {
        // An edit asks for another kind of call. In the source's own format, that must not
        // become a bridge.
        let message = "a Jumith manifest has no words for this call";
        let at = call.and_then(|call| call.at);
        return Err(context.error_at(&BRIDGE, at.or(tool.at), message));
    };
    w.member("entry").object(|w| {
        w.member("runtime").equivalent("node", at.as_slice());
        w.member("main").copy(main);
        w.copy("export", export.as_ref());
    });
    Ok(())
}

fn write_schemas(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    if let Some(schema) = &tool.input_schema
        && (context.same_format || is_schema(schema))
    {
        w.member("input").copy(schema);
    }
    let Some(schema) = &tool.output_schema else { return };
    if context.same_format {
        w.member("output").copy(schema);
    } else if is_schema(schema) {
        match tool.non_json_output_reason() {
            Some(why) => {
                w.member("output").approximate(&schema.value, schema.at.as_slice(), why);
            }
            None => w.member("output").copy(schema),
        }
    }
}

fn is_schema(schema: &Raw<'_>) -> bool {
    schema.as_str().starts_with('{') || matches!(schema.as_str(), "true" | "false")
}

fn write_payment(
    w: &mut Writer<'_>,
    cost: &Cost<'_>,
    caution: &RiskProfile,
    context: &Context<'_>,
) {
    if let Some(written) = &cost.payment {
        w.member("usesPayment").copy(written);
        return;
    }
    if context.same_format {
        return;
    }
    let why = payment_reason(cost);
    match &caution.payment {
        // Changing one of several costs alone does not change the value.
        Claim::Declared(true, at) if at.len() > 1 => {
            w.member("usesPayment").approximate_joint(true, at, why);
        }
        Claim::Declared(pays, at) | Claim::Implied(pays, at) => {
            w.member("usesPayment").approximate(*pays, at, why);
        }
        Claim::Unknown => {}
    }
}

/// Returns the reason for the value of `usesPayment`.
fn payment_reason(cost: &Cost<'_>) -> &'static str {
    let Cost { install_fee_cents, monthly_fee_cents, usage_model, estimate_url: _, payment: _ } =
        cost;
    let fees = [install_fee_cents, monthly_fee_cents];
    let has_fee = fees.iter().copied().flatten().any(|fee| fee.is_positive());
    let no_fee_declared = fees.iter().all(|fee| fee.is_none());
    match usage_model.as_deref() {
        Some(model) if has_fee && model != "none" => "a fee is asked, and the model of use says so",
        _ if has_fee => "a fee is asked",
        None => "no fee is asked",
        Some(model) if no_fee_declared || model != "none" => "the model of use says so",
        Some(_) => "no fee is asked, and the model of use is none",
    }
}

/// Writes `requiresApproval` if the source does not declare it: `true`, unless the source
/// declares that the tool only reads.
fn write_approval(w: &mut Writer<'_>, caution: &RiskProfile) {
    let slot = w.member("requiresApproval");
    match (&caution.approval, &caution.effects) {
        (Claim::Declared(asks, at), _) => {
            slot.approximate(*asks, at, "the source says that it is destructive");
        }
        (Claim::Implied(asks, at), _) => {
            slot.approximate(*asks, at, "the source says that it changes nothing");
        }
        (Claim::Unknown, Claim::Declared(SideEffects::Write, at)) => {
            slot.approximate(true, at, "the source says that a call changes something");
        }
        (Claim::Unknown, _) => slot.assume(true, "the source does not say what it changes"),
    }
}

/// Returns the secrets whose names are not valid here.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let env = tool.package.env.iter();
    env.filter(|variable| variable.is_secret() && !names::is_secret(&variable.name)).collect()
}

/// Writes the names of the variables that are not declared public. Without any, derives a
/// name from the authentication scheme.
fn write_secrets(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    let mut secrets = Vec::new();
    for variable in &tool.package.env {
        if context.same_format || (variable.is_secret() && names::is_secret(&variable.name)) {
            secrets.push(variable);
        }
    }
    if !secrets.is_empty() {
        w.member("requiredSecrets").list(|w| {
            for secret in secrets {
                write_secret(w, secret, tool, context.same_format);
            }
        });
        return;
    }
    let Auth { scheme, scopes: _, docs_url: _ } = &tool.auth;
    let Some(scheme) = scheme else { return };
    let name = match scheme.as_ref() {
        _ if context.same_format => return,
        "bearer" => "bearer_token",
        "api_key" => "api_key",
        "oauth2" => "oauth_token",
        _ => return,
    };
    let why = "the source says how calls are authenticated, and names no secret";
    w.member("requiredSecrets").list(|w| w.item().approximate(name, scheme.at.as_slice(), why));
}

fn write_secret(w: &mut Writer<'_>, variable: &EnvVar<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    let EnvVar {
        name,
        secret,
        required,
        // No member here.
        prompt: _,
        pattern: _,
        default: _,
        obtain_url: _,
        reference: _,
    } = variable;
    if own {
        return w.item().copy(name);
    }
    let mut places: Vec<Place> = name.at.into_iter().collect();
    if let Some(secret) = secret {
        places.extend(secret.at);
    }
    let why = match (secret, required.as_deref()) {
        (None, _) if tool.has_single_credential() => {
            "the source does not call it a secret, but calls are authenticated by it"
        }
        (None, _) => "the source does not say whether it is a secret, and here it must be given",
        (Some(_), Some(false)) => "here every secret is required",
        (Some(_), None | Some(true)) => return w.item().equivalent(&name.value, &places),
    };
    w.item().approximate(&name.value, &places, why);
}
