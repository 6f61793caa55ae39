//! Writers of the smaller parts of a manifest.

use manifest_core::descriptor::{Cost, EnvVar, Example, OutputFormat, Package, Publisher, Support};
use manifest_core::format::{Context, Writer, variable_name};
use manifest_core::json::{Edit, Node, Raw, apply};
use manifest_core::{Place, Pointer, Sourced, Text, ToolDescriptor, ok_or_bug};

use super::call::is_from_manifest;
use super::fit::{MAX_VARIABLES, limit_unless_own};
use super::{fit, raw};
use crate::enums::Version;
use crate::grammar;

pub(super) fn write_author(w: &mut Writer<'_>, publisher: &Publisher<'_>, own: bool) {
    let Publisher { id, name, url, email } = publisher;
    w.object_if_any("author", |w| {
        match (name, id) {
            (None, Some(id)) if !own => {
                let why = "a registry's name for the publisher";
                w.member("name").approximate(&id.value, id.at.as_slice(), why);
            }
            (name, _) => w.copy("name", name.as_ref()),
        }
        if let Some(email) = email
            && (own || grammar::is_email(email))
        {
            w.member("email").copy(email);
        }
        if let Some(url) = url
            && (own || grammar::is_uri(url))
        {
            w.member("url").copy(url);
        }
    });
}

pub(super) fn write_support(w: &mut Writer<'_>, support: &Support<'_>) {
    let Support { issues_url, security_email, docs_url } = support;
    w.object_if_any("support", |w| {
        w.copy("issues_url", issues_url.as_ref());
        w.copy("security_email", security_email.as_ref());
        w.copy("docs_url", docs_url.as_ref());
    });
}

pub(super) fn write_cost(w: &mut Writer<'_>, cost: &Cost<'_>) {
    let Cost { install_fee_cents, monthly_fee_cents, usage_model, estimate_url, payment } = cost;
    w.object_if_any("cost", |w| {
        w.copy("install_fee_cents", install_fee_cents.as_ref());
        w.copy("monthly_fee_cents", monthly_fee_cents.as_ref());
        match (usage_model, payment) {
            (Some(model), _) => w.member("usage_model").copy(model),
            (None, Some(payment)) => {
                let model = if payment.value { "external" } else { "none" };
                let why = "the source says only whether calls cost money";
                w.member("usage_model").approximate(model, payment.at.as_slice(), why);
            }
            (None, None) => {}
        }
        w.copy("estimate_url", estimate_url.as_ref());
    });
}

/// Writes the variables, as many as fit. Invalid names are fitted instead of dropped,
/// because a reader of the manifest must see that the tool gets a secret.
pub(super) fn write_env(
    w: &mut Writer<'_>,
    env: &[EnvVar<'_>],
    tool: &ToolDescriptor<'_>,
    version: Version,
    own: bool,
) {
    if env.is_empty() {
        return;
    }
    // A call is authenticated by the first variable that has a value. Only if there is a
    // single variable, it is required.
    let either = alternative_names(env, tool);
    let prompt = if version < Version::V0_2 { 280 } else { 800 };
    // A missing `required` means true in a manifest, and is unknown in other formats.
    let unsaid = match (&tool.auth.scheme, &either) {
        _ if own || is_from_manifest(&tool.package) => MissingRequired::DefaultTrue,
        (Some(scheme), _) if tool.has_single_credential() => MissingRequired::Authenticates(scheme),
        (_, Some(names)) => MissingRequired::OneOfTwo(names),
        _ => MissingRequired::Unknown,
    };
    w.member("env").list(|w| {
        for variable in env.iter().take(limit_unless_own(MAX_VARIABLES, own)) {
            w.item().object(|w| {
                write_variable(w, variable, limit_unless_own(prompt, own), unsaid, own);
            });
        }
    });
}

/// The meaning of a missing `required`.
#[derive(Clone, Copy)]
enum MissingRequired<'t, 'a> {
    /// Required: the default of a manifest.
    DefaultTrue,
    /// Required, because calls authenticate with it according to this scheme.
    Authenticates(&'t Sourced<Text<'a>>),
    /// Not required, because calls authenticate with it or with another variable. These are
    /// the places of both names.
    OneOfTwo(&'t [Place; 2]),
    /// Unknown.
    Unknown,
}

/// Returns the places of two variables' names if calls authenticate with either of them.
/// The names affect the result: equal names would be one variable, which would be required.
/// With more than two variables, renaming one of them has no such effect.
fn alternative_names(env: &[EnvVar<'_>], tool: &ToolDescriptor<'_>) -> Option<[Place; 2]> {
    let [one, other] = env else { return None };
    if tool.auth.scheme.as_deref()? == "none" {
        return None;
    }
    Some([one.name.at?, other.name.at?])
}

fn write_variable(
    w: &mut Writer<'_>,
    variable: &EnvVar<'_>,
    longest: usize,
    unsaid: MissingRequired<'_, '_>,
    own: bool,
) {
    // This format has no member for the place where a value is stored.
    let EnvVar { name, prompt, secret, required, pattern, default, obtain_url, reference: _ } =
        variable;
    let manifest = matches!(unsaid, MissingRequired::DefaultTrue);
    match variable_name(name) {
        Text::Owned(fitted) if !own => {
            let why = "names have upper-case letters, digits and underscores, with a letter first";
            w.member("name").approximate(&fitted, name.at.as_slice(), why);
        }
        _ => w.member("name").copy(name),
    }
    if let Some(prompt) = prompt
        && (manifest || !prompt.is_empty())
    {
        fit::write_text(w, "prompt", prompt, longest);
    } else {
        let prompt = format!("The value of {}.", name.value);
        let prompt = fit::truncate(&prompt, longest).unwrap_or(&prompt);
        let why = "the source does not say what to ask";
        w.member("prompt").approximate(prompt, name.at.as_slice(), why);
    }
    // Without a place, the value was inferred from the list that contains the variable.
    let listed = "it stands among the secrets that the tool must be given";
    match secret {
        Some(secret) if secret.at.is_none() && !own => {
            w.member("secret").approximate(secret.value, name.at.as_slice(), listed);
        }
        Some(secret) => w.member("secret").copy(secret),
        None if matches!(unsaid, MissingRequired::Authenticates(_)) => {
            let why = "the source does not call it a secret, but calls are authenticated by it";
            w.member("secret").assume(true, why);
        }
        None => {
            let why = "the source does not say whether it is a secret: taken for one";
            w.member("secret").assume(true, why);
        }
    }
    match (required, unsaid) {
        (Some(required), _) if required.at.is_none() && !own => {
            w.member("required").approximate(required.value, name.at.as_slice(), listed);
        }
        (Some(required), _) => w.member("required").copy(required),
        (None, MissingRequired::Authenticates(scheme)) => {
            let why = "calls are authenticated by it";
            w.member("required").approximate(true, scheme.at.as_slice(), why);
        }
        (None, MissingRequired::OneOfTwo(names)) => {
            let why = "calls are authenticated by the first of two that has a value";
            w.member("required").approximate(false, names, why);
        }
        (None, MissingRequired::Unknown) => {
            w.member("required").assume(false, "the source does not say that it is needed");
        }
        (None, MissingRequired::DefaultTrue) => {}
    }
    w.copy("validation_regex", pattern.as_ref());
    // This format forbids the default of a secret.
    if manifest || !variable.is_secret() {
        w.copy("default", default.as_ref());
    }
    w.copy("obtain_url", obtain_url.as_ref());
}

/// Returns true if a schema is an object, as this format requires, or a boolean, which has
/// an equivalent object.
pub(super) fn is_schema(schema: &Raw<'_>) -> bool {
    schema.as_str().starts_with('{') || matches!(schema.as_str(), "true" | "false")
}

/// Keywords that decide whether a schema permits arguments that it does not name.
const ADDITIONAL_KEYWORDS: &[&str] =
    &["additionalProperties", "patternProperties", "unevaluatedProperties"];

/// Returns true if an action refuses arguments that its schema does not name. This is the
/// default; a schema can permit them.
pub(super) fn refuses_additional(tool: &ToolDescriptor<'_>) -> bool {
    let Some(schema) = &tool.input_schema else { return true };
    let Some(document) = schema.document() else { return true };
    let root = document.root();
    if root.bool() == Some(false) || is_silent(root) {
        return true;
    }
    let mut rules = ADDITIONAL_KEYWORDS.iter().filter_map(|name| root.get(name));
    rules.any(|rule| rule.bool() == Some(false))
}

/// Returns true for a schema that is an object without a rule for other arguments.
fn is_silent(schema: Node<'_>) -> bool {
    schema.is_object() && !ADDITIONAL_KEYWORDS.iter().any(|name| schema.get(name).is_some())
}

/// Returns the secrets past the maximum number of variables, which are not written. Invalid
/// names do not count, because they are fitted.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let unwritten = tool.package.env.iter().skip(MAX_VARIABLES);
    unwritten.filter(|variable| variable.is_secret()).collect()
}

/// Writes the schema of arguments. In other formats, a schema permits arguments that it
/// does not name unless it forbids them. This format refuses them unless the schema permits
/// them, so this adds `additionalProperties` if the schema is silent.
pub(super) fn write_input(
    w: &mut Writer<'_>,
    context: Context<'_>,
    schema: &Sourced<Raw<'_>>,
    package: &Package<'_>,
) {
    let why = "an action refuses arguments that its schema does not name, unless it says so";
    let mut written = false;
    let derived = schema.at.filter(|at| !at.exact && at.document == 0 && !context.same_format);
    if let Some(at) = derived
        && let Some(open) = permit_additional(schema)
    {
        // Parts of a derived schema have no place of their own.
        return w.member("input").approximate(&open, &[at], why);
    }
    if !context.same_format && !is_from_manifest(package) && derived.is_none() {
        raw::with_node(context, schema, |node, at| {
            if !is_silent(node) {
                return;
            }
            written = true;
            w.member("input").object(|w| {
                raw::copy_except(w, node, at, &[]);
                // An empty schema is a leaf of the source, and this member replaces it.
                let leaf = at.filter(|_| node.members().next().is_none());
                w.member("additionalProperties").assume_from(true, leaf.as_slice(), why);
            });
        });
    }
    if !written {
        write_schema(w, "input", schema);
    }
}

/// Returns the schema with `additionalProperties` set to true, or `None` if it is not an
/// object or already decides about additional arguments.
fn permit_additional(schema: &Raw<'_>) -> Option<Raw<'static>> {
    let document = schema.document()?;
    if !is_silent(document.root()) {
        return None;
    }
    let at = Pointer::root().push("additionalProperties");
    let text = ok_or_bug(apply(&document, &[Edit::Insert(at, "true".to_owned())]))?;
    Some(Raw::from_trusted(text))
}

pub(super) fn write_schema(w: &mut Writer<'_>, name: &str, schema: &Sourced<Raw<'_>>) {
    let at = schema.at.as_slice();
    match schema.as_str() {
        "true" => {
            w.member(name).equivalent(&Raw::from_static(r#"{"additionalProperties":true}"#), at);
        }
        "false" => w.member(name).equivalent(&Raw::from_static(r#"{"not":{}}"#), at),
        _ => w.member(name).copy(schema),
    }
}

/// Writes the output. Assumes JSON for a missing format if there is a schema or if `json`
/// gives a reason.
pub(super) fn write_output(
    w: &mut Writer<'_>,
    format: Option<&Sourced<OutputFormat>>,
    schema: Option<&Sourced<Raw<'_>>>,
    json: Option<&'static str>,
) {
    let schema = schema.filter(|schema| is_schema(schema));
    if format.is_none() && schema.is_none() && json.is_none() {
        return;
    }
    w.member("output").object(|w| {
        let slot = w.member("format");
        match format {
            Some(format) => slot.copy(format),
            None => {
                slot.assume(&OutputFormat::Json, json.unwrap_or("what has a schema is JSON"));
            }
        }
        if let Some(schema) = schema {
            write_schema(w, "schema", schema);
        }
    });
}

pub(super) fn write_examples(w: &mut Writer<'_>, examples: &[Example<'_>], own: bool) {
    if examples.is_empty() {
        return;
    }
    w.member("examples").list(|w| {
        for example in examples.iter().take(limit_unless_own(4, own)) {
            let Example { description, input, output } = example;
            w.item().object(|w| {
                if let Some(text) = description {
                    fit::write_text(w, "description", text, limit_unless_own(280, own));
                } else {
                    let nothing = Text::Borrowed("");
                    w.member("description").assume(&nothing, "the source does not describe it");
                }
                w.copy("input", input.as_ref());
                w.copy("output", output.as_ref());
            });
        }
    });
}
