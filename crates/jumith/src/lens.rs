//! Lift and lower.
//!
//! | descriptor | manifest | note |
//! |---|---|---|
//! | `id` | `id` | made to fit the grammar |
//! | `name` | `name` | the title, or else the id, when there is none |
//! | `version` | `version` | |
//! | `summary`, `description` | `summary`, `description` | each from the other when it is missing |
//! | `tags` | `tags` | |
//! | `publisher.id` | `provider` | the publisher's name when there is no id |
//! | `invocation.node` | `entry` | `dist/index.js` for everything that is not a Node module |
//! | `input_schema`, `output_schema` | `schema.input`, `schema.output` | as written |
//! | `requires_approval` | `requiresApproval` | `true` when nothing is said |
//! | `env` | `requiredSecrets` | names only, of what is not known to be public |
//!
//! Everything else has no home here, and travels in the residue. So do
//! `usesPayment`, which says less than a cost, and `sha256`, which is about one
//! bundle and would be a false promise about any other.

use std::collections::BTreeSet;

use manifest_core::convert::rules::COLLISION;
use manifest_core::descriptor::{self, EnvVar, Invocation};
use manifest_core::json::{Document, Node, Raw};
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::read::Extras;
use manifest_core::{
    Defaults, Detected, Diagnostic, Format, Lifted, Limits, Pointer, Row, Text, ToolDescriptor,
    quoted,
};

use crate::manifest::{Entry, Manifest, Schemas};
use crate::{check, names, rules};

const fn row(field: &'static str, member: &'static str, note: &'static str) -> Row {
    Row { field, member, note }
}

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "jumith",
    mapping: &[
        row("/id", "/id", "made to fit the grammar"),
        row("/name", "/name", "the title, or else the id, when there is none"),
        row("/version", "/version", ""),
        row("/summary", "/summary", "the description when it is missing"),
        row("/description", "/description", "the summary when it is missing"),
        row("/tags", "/tags", ""),
        row("/publisher/id", "/provider", "the publisher's name when there is no id"),
        row("/invocation/node", "/entry/runtime", "always node"),
        row("/invocation/node/main", "/entry/main", "dist/index.js for everything else"),
        row("/invocation/node/export", "/entry/export", ""),
        row("/input_schema", "/schema/input", "as written"),
        row("/output_schema", "/schema/output", "as written"),
        row("/requires_approval", "/requiresApproval", "true when nothing is said"),
        row("/env", "/requiredSecrets", "names only, of what is not known to be public"),
    ],
    rules: rules::RULES,
    list: true,
    catalog: None,
    identity: &["id"],
    detect,
    validate: check::validate,
    read,
    write,
};

fn detect(root: Node<'_>) -> Option<Detected> {
    let manifests: Vec<_> = if root.is_array() { root.elements().collect() } else { vec![root] };
    let main = |node: &Node<'_>| {
        let main = node.get("entry").and_then(|entry| entry.get("main"));
        main.is_some_and(|main| main.text().is_some())
    };
    (!manifests.is_empty() && manifests.iter().all(main))
        .then(|| Detected { version: None, evidence: vec!["`entry.main` is a string"] })
}

/// One manifest, or a list of them: what several tools become.
fn read<'a>(document: &'a Document<'a>) -> Lifted<'a> {
    let root = document.root();
    if root.is_array() {
        let tools = root.elements().enumerate();
        let tools =
            tools.map(|(i, node)| lift(Pointer::root().push_index(i), Manifest::read_node(node)));
        return Lifted { tools: tools.collect(), list: true, ..Lifted::default() };
    }
    Lifted { tools: vec![lift(Pointer::root(), Manifest::read_node(root))], ..Lifted::default() }
}

fn lift(source: Pointer, manifest: Manifest<'_>) -> ToolDescriptor<'_> {
    let Manifest {
        id,
        name,
        version,
        summary,
        description,
        tags,
        provider,
        entry,
        schema,
        uses_payment: _,
        requires_approval,
        required_secrets,
        sha256: _,
        extras: _,
    } = manifest;
    let Entry { runtime: _, main, export, extras: _ } = entry;
    let Schemas { input, output, extras: _ } = schema.unwrap_or_default();
    let secret = EnvVar { secret: Some(true), required: Some(true), ..EnvVar::default() };
    ToolDescriptor {
        source,
        id,
        name: Some(name),
        version: Some(version),
        summary: Some(summary),
        description: Some(description),
        tags,
        publisher: provider.map(|id| descriptor::Publisher {
            id: Some(id),
            name: None,
            url: None,
            email: None,
        }),
        input_schema: input,
        output_schema: output,
        invocation: Some(Invocation::Node { main, export }),
        env: required_secrets.into_iter().map(|name| (name, secret.clone())).collect(),
        // What is not said is not known to be harmless.
        requires_approval: Some(requires_approval.unwrap_or(true)),
        ..ToolDescriptor::default()
    }
}

fn write(lifted: &Lifted<'_>, defaults: &Defaults) -> Result<String, Diagnostic> {
    let manifests: Result<Vec<_>, _> =
        lifted.tools.iter().map(|tool| lower(tool, defaults)).collect();
    let manifests = manifests?;
    let mut ids = BTreeSet::new();
    for (tool, manifest) in lifted.tools.iter().zip(&manifests) {
        // A list may hold two versions of one tool, but not two tools as one.
        if !ids.insert(&manifest.id) && manifest.id != tool.id {
            let message = format!("two tools would have the id {}", quoted(&manifest.id));
            return Err(COLLISION.at_pointer(tool.source.clone(), message));
        }
    }
    // Strings and JSON values: serialising them cannot fail.
    Ok(match manifests.as_slice() {
        [one] if !lifted.list => serde_json::to_string(one),
        several => serde_json::to_string(several),
    }
    .unwrap_or_default())
}

fn lower<'a>(
    tool: &'a ToolDescriptor<'_>,
    defaults: &'a Defaults,
) -> Result<Manifest<'a>, Diagnostic> {
    let ToolDescriptor {
        source,
        id,
        name,
        title,
        version,
        summary,
        description,
        tags,
        publisher,
        input_schema,
        output_schema,
        invocation,
        env,
        requires_approval,
        // Which of several implementations fits is not known here.
        implementations: _,
        chain: _,
        // Milder effects than approval is asked for are no reason not to ask.
        side_effects: _,
        // No home here.
        package: _,
        kind: _,
        labels: _,
        homepage: _,
        license: _,
        support: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        example_files: _,
        test_files: _,
        acquisition: _,
        timeout_ms: _,
        auth: _,
        permissions: _,
        scopes: _,
        sandbox: _,
        idempotent: _,
        origin: _,
        trust: _,
        enabled: _,
        channel: _,
        smoke: _,
        verify: _,
        revocation: _,
        cost: _,
        data_boundary: _,
        extras: _,
    } = tool;
    let version = version.as_deref().unwrap_or(&defaults.version);
    if manifest_core::version::parse_exact(version).is_err() {
        let message = format!("{} is not a SemVer version", quoted(version));
        return Err(rules::VERSION.at_pointer(source.clone(), message));
    }
    let plain = |text: &&str| !names::is_blank(text) && !text.chars().any(char::is_control);
    let said = |text: &'a Option<Text<'_>>| text.as_deref().filter(|text| !names::is_blank(text));
    let fitted = names::fit_id(id);
    let called = [name.as_deref(), title.as_deref(), Some(id.as_ref())];
    let called = called.into_iter().flatten().find(plain);
    let called = called.map_or_else(|| Text::Owned(fitted.clone()), Text::Borrowed);
    let long = said(description).or(said(summary));
    let short = said(summary).or(said(description));
    let schema = Schemas {
        input: input_schema.as_ref().filter(|schema| is_schema(schema)).cloned(),
        output: output_schema.as_ref().filter(|schema| is_schema(schema)).cloned(),
        extras: Extras::default(),
    };
    let provider = publisher.as_ref().and_then(|publisher| {
        let said = [publisher.id.as_deref(), publisher.name.as_deref()];
        said.into_iter().flatten().find(|text| !text.chars().any(char::is_control))
    });
    let secrets = env
        .iter()
        .filter(|(name, variable)| variable.secret != Some(false) && names::is_secret(name));
    Ok(Manifest {
        id: Text::Owned(fitted),
        version: Text::Borrowed(version),
        summary: short.map_or_else(|| called.clone(), Text::Borrowed),
        description: long.map_or_else(|| called.clone(), Text::Borrowed),
        name: called,
        tags: tags
            .iter()
            .filter(|tag| !tag.chars().any(char::is_control))
            .map(|tag| Text::Borrowed(tag.as_ref()))
            .collect(),
        provider: provider.map(Text::Borrowed),
        entry: entry(invocation.as_ref()),
        schema: (schema.input.is_some() || schema.output.is_some()).then_some(schema),
        uses_payment: None,
        requires_approval: Some(requires_approval.unwrap_or(true)),
        required_secrets: secrets
            .take(Limits::default().secrets)
            .map(|(name, _)| Text::Borrowed(name))
            .collect(),
        sha256: None,
        extras: Extras::default(),
    })
}

/// The module, where the tool is one.
fn entry<'a>(invocation: Option<&'a Invocation<'_>>) -> Entry<'a> {
    let (main, export) = match invocation {
        Some(Invocation::Node { main, export })
            if check_portable(main, &PathLimits::default()).is_ok() =>
        {
            let export = export.as_deref().filter(|export| names::is_export(export));
            (main.as_ref(), export)
        }
        _ => ("dist/index.js", None),
    };
    Entry {
        runtime: Text::Borrowed("node"),
        main: Text::Borrowed(main),
        export: export.map(Text::Borrowed),
        extras: Extras::default(),
    }
}

fn is_schema(schema: &Raw<'_>) -> bool {
    schema.as_str().starts_with('{') || matches!(schema.as_str(), "true" | "false")
}
