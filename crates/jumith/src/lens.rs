//! Lifts and lowers manifests.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `id` | unchanged if it is a valid id, otherwise fitted |
//! | `name`, `title` | `name` | if both are missing, the last part of the id, or the id |
//! | `package.version` | `version` | |
//! | `summary`, `description` | `summary`, `description` | if one is missing, from the other; a summary is the first sentence of the description |
//! | `package.tags`, `package.labels` | `tags` | |
//! | `package.publisher.id` | `provider` | if missing, the namespace or the publisher's name |
//! | `invocation.node` | `entry` | only from Jumith itself; calls of other formats go through the bridge |
//! | `input_schema`, `output_schema` | `schema.input`, `schema.output` | verbatim |
//! | `requires_approval` | `requiresApproval` | if missing, `true`, unless the source declares that the tool only reads |
//! | `package.env` | `requiredSecrets` | the names of variables that are not declared public |
//! | `package.cost.payment` | `usesPayment` | if missing, derived from fees and the usage model |
//!
//! Other fields have no member here. `sha256` is not converted: it is the digest of one
//! bundle and would be wrong for any other.

use std::sync::Arc;

use manifest_core::descriptor::{Cost, EnvVar, Invocation, Node as Module, Package, Publisher};
use manifest_core::format::{
    CallSupport, Cardinality, Contract, HostRules, OutcomeRules, Reader, SafetyFeatures, file_name,
};
use manifest_core::json::Node;
use manifest_core::{Detection, Format, LiftedDocument, Sourced, ToolDescriptor, table};

use crate::table::{ENTRY, MANIFEST, SCHEMAS};
use crate::{check, rules};

mod lower;
mod texts;

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "jumith",
    versions: &[],
    tables: &[&crate::table::TABLE],
    rules: rules::RULES,
    cardinality: Cardinality::Tool,
    catalog: None,
    keys: &["id"],
    safety_features: SafetyFeatures {
        disabled: false,
        approval: true,
        reach: false,
        payment: true,
        enforces_reach: false,
    },
    detect,
    look_alike,
    check: check::validate,
    read,
    // The call of a module needs the files of its bundle, which no other format has.
    call_support: |_| CallSupport::Bridge,
    contract,
    undeclared_secrets: lower::undeclared_secrets,
    file_name: file,
    write_document: |_, _| Ok(()),
    write_tool: lower::write_tool,
    bridge_needs: "the module that `entry.main` names",
    host_needs: "",
};

/// The host rules of this format.
fn contract(tool: &ToolDescriptor<'_>) -> Contract {
    let secrets = !tool.package.env.is_empty();
    Contract {
        extra_arguments: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: if secrets {
            "that of the host; secrets are handed to the function"
        } else {
            "that of the host"
        },
        directory: "that of the host",
        timeout: Contract::UNSPECIFIED,
        result: "what the function returns",
        failure: "an exception",
        host_rules: HostRules { outcome_rules: OutcomeRules::Json, ..HostRules::PLAIN },
    }
}

fn detect(root: Node<'_>) -> Option<Detection> {
    let main = root.get("entry")?.get("main")?;
    main.text()?;
    Some(Detection { version: None, evidence: vec!["`entry.main` is a string"] })
}

fn look_alike(root: Node<'_>) -> Option<&'static str> {
    if root.get("manifest").is_some() && is_array(root.get("files")) {
        return Some("a Jumith bundle (see toolglot bundle)");
    }
    if is_array(root.get("results")) && root.get("total").is_some() {
        return Some("a page of search results of a Jumith registry");
    }
    root.get("error")?.get("code")?;
    Some("an error of a Jumith registry")
}

fn is_array(node: Option<Node<'_>>) -> bool {
    node.is_some_and(Node::is_array)
}

fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let id = tools.first().map_or("tool", |tool| tool.id.as_ref());
    format!("{}.jumith", file_name(id))
}

fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    LiftedDocument { tools: vec![lift(reader, root)], ..LiftedDocument::default() }
}

fn lift<'a>(reader: &mut Reader<'a>, node: Node<'a>) -> ToolDescriptor<'a> {
    let [
        id,
        name,
        version,
        summary,
        description,
        tags,
        provider,
        entry,
        schema,
        uses_payment,
        requires_approval,
        required_secrets,
        _sha256,
    ] = table::member_values(node, &MANIFEST);
    let [input, output] = table::member_values_if_any(schema, &SCHEMAS);
    let at = Some(reader.place(node));
    let name = reader.text(name);
    let package = Package {
        at,
        version: reader.text(version),
        tags: reader.texts(tags),
        publisher: Publisher { id: reader.text(provider), ..Publisher::default() },
        env: lift_secrets(reader, required_secrets),
        cost: Cost { payment: reader.boolean(uses_payment), ..Cost::default() },
        ..Package::default()
    };
    ToolDescriptor {
        at,
        id: reader.required_text(id),
        title: name.clone(),
        name,
        kind: None,
        summary: reader.text(summary),
        description: reader.text(description),
        input_schema: reader.raw(input),
        output_schema: reader.raw(output),
        output_format: None,
        error_envelope: None,
        examples: Vec::new(),
        example_files: Vec::new(),
        test_files: Vec::new(),
        invocation: lift_entry(reader, entry),
        implementations: Vec::new(),
        chain: Vec::new(),
        timeout_ms: None,
        auth: <_>::default(),
        permissions: <_>::default(),
        scopes_used: Vec::new(),
        sandbox: <_>::default(),
        side_effects: None,
        idempotent: None,
        requires_approval: reader.boolean(requires_approval),
        origin: <_>::default(),
        trust: None,
        enabled: None,
        channel: None,
        package: Arc::new(package),
    }
}

fn lift_entry<'a>(
    reader: &mut Reader<'a>,
    node: Option<Node<'a>>,
) -> Option<Sourced<Invocation<'a>>> {
    let [runtime, main, export] = table::member_values(node?, &ENTRY);
    let module = Module { main: reader.text(main)?, export: reader.text(export) };
    reader.word(runtime, |word| (word == "node").then_some(Invocation::Node(module)))
}

/// Lifts the list of required secrets. Its name declares that they are secret and required.
fn lift_secrets<'a>(reader: &mut Reader<'a>, node: Option<Node<'a>>) -> Vec<EnvVar<'a>> {
    let mut secrets = Vec::new();
    for name in reader.texts(node) {
        let required = Some(true.into());
        secrets.push(EnvVar { name, secret: Some(true.into()), required, ..EnvVar::default() });
    }
    secrets
}
