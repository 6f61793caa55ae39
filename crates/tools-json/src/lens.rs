//! Lift and lower.
//!
//! | descriptor | `tools[]` | note |
//! |---|---|---|
//! | `id` | `name` | |
//! | `description` | `description` | |
//! | `input_schema` | `schema` | as written |
//! | `invocation.command.argv` | `command` | anything but a program in `./tools/bin` that reads JSON from standard input goes through the bridge program |
//! | `timeout_ms` | `timeoutSec` | whole seconds, rounded up |
//! | `env` | `envPassthrough` | names only, trimmed and in upper case |
//!
//! Everything else has no home here, and travels in the residue.

use std::collections::BTreeSet;

use manifest_core::convert::rules::COLLISION;
use manifest_core::descriptor::{CommandInput, EnvVar, Invocation};
use manifest_core::json::{Document, Node, Number};
use manifest_core::{
    Catalog, Defaults, Detected, Diagnostic, Format, Keyed, Lifted, Pointer, Profile, Row, Text,
    ToolDescriptor, quoted,
};

use crate::manifest::{Manifest, Tool};
use crate::{check, command, env, rules};

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "tools-json",
    mapping: &[
        Row { field: "/id", member: "/name", note: "" },
        Row { field: "/description", member: "/description", note: "" },
        Row { field: "/input_schema", member: "/schema", note: "as written" },
        Row {
            field: "/invocation/command/argv",
            member: "/command",
            note: "anything but a program in `./tools/bin` that reads JSON from standard input goes \
                   through the bridge program",
        },
        Row { field: "/timeout_ms", member: "/timeoutSec", note: "whole seconds, rounded up" },
        Row {
            field: "/env",
            member: "/envPassthrough",
            note: "names only, trimmed and in upper case",
        },
    ],
    rules: rules::RULES,
    list: false,
    catalog: Some(Catalog { member: "tools", frame: ["{\"tools\":[", "]}"], alone: false }),
    identity: &["name"],
    detect,
    validate: check::validate,
    read,
    write,
};

fn detect(root: Node<'_>) -> Option<Detected> {
    let tools = root.get("tools").filter(|tools| tools.is_array())?;
    // Of any type: that it must be a list is for validation to say.
    let commands = tools.elements().all(|tool| tool.get("command").is_some());
    let other =
        ["manifest_version", "dxt_version", "server"].iter().any(|name| root.get(name).is_some());
    (commands && !other).then(|| Detected {
        version: None,
        evidence: vec!["`tools` is an array", "each of its elements has a `command`"],
    })
}

fn read<'a>(document: &'a Document<'a>) -> Lifted<'a> {
    let manifest = Manifest::read(document);
    let tools = manifest.tools.into_iter().enumerate().map(|(index, tool)| lift(index, tool));
    Lifted { tools: tools.collect(), ..Lifted::default() }
}

fn lift(index: usize, tool: Tool<'_>) -> ToolDescriptor<'_> {
    let Tool { name, description, schema, command, timeout_sec, env_passthrough, extras: _ } = tool;
    let env: Keyed<'_, EnvVar<'_>> = env_passthrough
        .iter()
        .filter_map(|name| env::normalise(name, Profile::Spec).ok())
        .map(|name| (Text::Owned(name.into_owned()), EnvVar::default()))
        .collect();
    ToolDescriptor {
        source: Pointer::root().push("tools").push_index(index),
        id: name,
        description,
        input_schema: schema,
        invocation: Some(Invocation::Command {
            argv: command,
            cwd: None,
            input: CommandInput::Stdin,
        }),
        timeout_ms: timeout_sec.filter(|s| *s > 0).map(|s| Number::from(s).shift(3)),
        env,
        ..ToolDescriptor::default()
    }
}

fn write(lifted: &Lifted<'_>, defaults: &Defaults) -> Result<String, Diagnostic> {
    let tools: Vec<_> = lifted.tools.iter().map(|tool| lower(tool, defaults)).collect();
    let mut names = BTreeSet::new();
    for (index, tool) in tools.iter().enumerate() {
        if !names.insert(&tool.name) {
            let place = lifted.tools.get(index).map(|tool| tool.source.clone()).unwrap_or_default();
            let message = format!("two tools would be named {}", quoted(&tool.name));
            return Err(COLLISION.at_pointer(place, message));
        }
    }
    let manifest = Manifest { tools, ..Manifest::default() };
    // Strings, numbers and JSON values: serialising them cannot fail.
    Ok(serde_json::to_string(&manifest).unwrap_or_default())
}

fn lower<'a>(tool: &'a ToolDescriptor<'_>, defaults: &'a Defaults) -> Tool<'a> {
    let ToolDescriptor {
        id,
        description,
        input_schema,
        invocation,
        timeout_ms,
        env,
        // Which of several implementations fits is not known here.
        implementations: _,
        chain: _,
        // No home here.
        source: _,
        name: _,
        title: _,
        package: _,
        kind: _,
        version: _,
        summary: _,
        tags: _,
        labels: _,
        publisher: _,
        homepage: _,
        license: _,
        support: _,
        output_schema: _,
        output_format: _,
        error_envelope: _,
        examples: _,
        example_files: _,
        test_files: _,
        acquisition: _,
        auth: _,
        permissions: _,
        scopes: _,
        sandbox: _,
        side_effects: _,
        idempotent: _,
        requires_approval: _,
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
    Tool {
        name: borrow(id),
        description: description.as_deref().map(Text::Borrowed),
        schema: input_schema.as_ref().filter(|schema| schema.as_str().starts_with('{')).cloned(),
        command: program(invocation.as_ref())
            .unwrap_or_else(|| vec![borrow(&defaults.bridge), borrow(id)]),
        timeout_sec: timeout_ms.as_ref().and_then(|ms| ms.shift(-3).ceil()),
        env_passthrough: env
            .iter()
            .map(|(name, _)| name)
            .filter(|name| env::is_valid(name))
            .map(Text::Borrowed)
            .collect(),
        extras: manifest_core::read::Extras::default(),
    }
}

/// The command, when this format can express the call.
fn program<'a>(invocation: Option<&'a Invocation<'_>>) -> Option<Vec<Text<'a>>> {
    match invocation? {
        Invocation::Command { argv, cwd: None, input: CommandInput::Stdin } => {
            let program = argv.first()?;
            let fits = command::check(program, Profile::Spec).is_ok();
            fits.then(|| argv.iter().map(|argument| borrow(argument)).collect())
        }
        _ => None,
    }
}

fn borrow(text: &str) -> Text<'_> {
    Text::Borrowed(text)
}
