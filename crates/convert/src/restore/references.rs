//! Renames references after an edit.
//!
//! An edit that renames an argument, a variable, a scope or a tool leaves references to the
//! old name: in templates, smoke tests, required lists, examples and chains, most of which
//! the target never contained. They get the new name here. If an argument was removed that
//! a template needs, that is reported, and the template stays.

use std::collections::BTreeSet;
use std::sync::Arc;

use diagnostic::{Pointer, ok_or_bug};
use json_text::{Document, Edit, Raw, Text, apply, quote};
use manifest_core::Sourced;
use manifest_core::descriptor::{
    Command, CommandInput, Http, Invocation, LiftedDocument, Package, ToolDescriptor,
};

use super::edit::package_ranges;
use super::overlay::EditLog;

/// A name before and after an edit.
struct Rename {
    old: String,
    new: String,
}

const ARGUMENT_NEEDED: &str = "an argument was removed that the call needs";

/// Updates references in `after` to renamed things. `before` has the same tools without the
/// edit.
pub(crate) fn rename_references(
    before: &[ToolDescriptor<'_>],
    after: &mut LiftedDocument<'_>,
    log: &mut EditLog,
) {
    for range in package_ranges(after) {
        if let Some(tools) = after.tools.get_mut(range.clone())
            && let Some(before) = before.get(range)
        {
            rename_in_package(before, tools, log);
        }
    }
}

fn rename_in_package(
    before: &[ToolDescriptor<'_>],
    tools: &mut [ToolDescriptor<'_>],
    log: &mut EditLog,
) {
    let (Some(old), Some(new)) = (before.first(), tools.first()) else { return };
    let (old, mut package) = (Arc::clone(&old.package), Package::clone(&new.package));
    let variable = detect_rename(
        old.env.iter().map(|variable| variable.name.to_string()),
        package.env.iter().map(|variable| variable.name.to_string()),
    );
    let scope = detect_rename(
        old.scopes.iter().map(|scope| scope.resource.to_string()),
        package.scopes.iter().map(|scope| scope.resource.to_string()),
    );
    for (before, tool) in before.iter().zip(tools.iter_mut()) {
        let argument = argument_changes(before, tool);
        rename_in_tool(tool, &argument, variable.as_ref(), scope.as_ref(), log);
        if let Some(smoke) = &package.smoke {
            let names = (before.callable_name().value, tool.callable_name().value);
            if let Some(smoke) = rename_in_smoke_test(smoke, names, argument.rename.as_ref()) {
                package.smoke = Some(smoke.into());
            }
        }
    }
    if let Some(variable) = &variable
        && let Some(smoke) = &package.smoke
    {
        let (old, new) = (format!("${{{}}}", variable.old), format!("${{{}}}", variable.new));
        if let Some(smoke) = replace_in_strings(smoke, &old, &new) {
            package.smoke = Some(smoke.into());
        }
    }
    let package = Arc::new(package);
    for tool in tools {
        tool.package = Arc::clone(&package);
    }
}

/// Returns the rename, if exactly one name was removed and one was added.
fn detect_rename(
    old: impl Iterator<Item = String>,
    new: impl Iterator<Item = String>,
) -> Option<Rename> {
    let (old, new): (BTreeSet<String>, BTreeSet<String>) = (old.collect(), new.collect());
    let mut removed = old.difference(&new);
    let mut added = new.difference(&old);
    match (removed.next(), removed.next(), added.next(), added.next()) {
        (Some(old), None, Some(new), None) => Some(Rename { old: old.clone(), new: new.clone() }),
        _ => None,
    }
}

/// The changes of a tool's arguments.
#[derive(Default)]
struct ArgumentChanges {
    rename: Option<Rename>,
    removed: BTreeSet<String>,
}

/// Compares the arguments of a tool, and renames one in the `required` list of its schema.
fn argument_changes(before: &ToolDescriptor<'_>, tool: &mut ToolDescriptor<'_>) -> ArgumentChanges {
    let (Some(was), Some(is)) = (&before.input_schema, &tool.input_schema) else {
        return ArgumentChanges::default();
    };
    if was == is {
        return ArgumentChanges::default();
    }
    let (was, is) = (was.document(), is.document());
    let (old, new) = (argument_names(was.as_ref()), argument_names(is.as_ref()));
    let Some(rename) = detect_rename(old.iter().cloned(), new.iter().cloned()) else {
        return ArgumentChanges { rename: None, removed: &old - &new };
    };
    let schema = is.and_then(|schema| rename_required(&schema, &rename));
    if let Some(schema) = schema {
        tool.input_schema = Some(schema.into());
    }
    ArgumentChanges { rename: Some(rename), removed: BTreeSet::new() }
}

fn argument_names(schema: Option<&Document<'_>>) -> BTreeSet<String> {
    match schema.and_then(|schema| schema.root().get("properties")) {
        Some(properties) => properties.members().map(|one| one.name().into_owned()).collect(),
        None => BTreeSet::new(),
    }
}

/// Returns the schema with the new name in its `required` list, if the list has the old
/// one.
fn rename_required(schema: &Document<'_>, name: &Rename) -> Option<Raw<'static>> {
    let list = schema.root().get("required")?;
    let old = list.elements().find(|one| one.text().as_deref() == Some(&name.old))?;
    apply_edits(schema, &[Edit::Set(old.pointer(), quote(&name.new))])
}

fn apply_edits(document: &Document<'_>, edits: &[Edit]) -> Option<Raw<'static>> {
    if edits.is_empty() {
        return None;
    }
    ok_or_bug(apply(document, edits)).map(Raw::from_trusted)
}

fn rename_in_tool(
    tool: &mut ToolDescriptor<'_>,
    argument: &ArgumentChanges,
    variable: Option<&Rename>,
    scope: Option<&Rename>,
    log: &mut EditLog,
) {
    if let Some(scope) = scope {
        for used in &mut tool.scopes_used {
            if used.value == scope.old {
                *used = Text::Owned(scope.new.clone()).into();
            }
        }
    }
    let schema_at = tool.input_schema.as_ref().and_then(|schema| schema.at);
    for template in templates_mut(tool.invocation.as_mut()) {
        let mut new = template.to_string();
        if let Some(Rename { old, new: name }) = &argument.rename {
            new = rename_in_template(&new, "input.", old, name);
        }
        if let Some(Rename { old, new: name }) = variable {
            new = rename_in_template(&new, "env.", old, name);
        }
        if uses_removed(&new, &argument.removed) {
            log.refuse_in("input_schema", ARGUMENT_NEEDED, schema_at.into_iter().collect());
        }
        if new != *template.value {
            *template = Text::Owned(new).into();
        }
    }
    let Some(name) = &argument.rename else { return };
    for example in &mut tool.examples {
        if let Some(input) = &example.input
            && let Some(input) = rename_member(input, &[], name)
        {
            example.input = Some(input.into());
        }
    }
    for step in &mut tool.chain {
        for path in step.input_mapping.values_mut() {
            rename_in_path(path, name);
        }
    }
}

/// Returns true if a template refers to a removed argument. A name may contain dots:
/// `${input.a.b}` refers to `a.b`, or to `b` in `a`.
fn uses_removed(template: &str, removed: &BTreeSet<String>) -> bool {
    if removed.is_empty() {
        return false;
    }
    for after in template.split("${input.").skip(1) {
        let mut name = after.split_once('}').map_or("", |(name, _)| name);
        loop {
            if removed.contains(name) {
                return true;
            }
            let Some((head, _)) = name.rsplit_once('.') else { break };
            name = head;
        }
    }
    false
}

/// Returns the templates of a call.
fn templates_mut<'t, 'a>(
    call: Option<&'t mut Sourced<Invocation<'a>>>,
) -> Vec<&'t mut Sourced<Text<'a>>> {
    match call.map(|call| &mut call.value) {
        Some(Invocation::Command(Command { argv: _, cwd: _, input })) => match input {
            CommandInput::Templates(parts) | CommandInput::TemplatesAndStdin(parts) => {
                parts.iter_mut().collect()
            }
            CommandInput::Extra | CommandInput::Stdin | CommandInput::Argument => Vec::new(),
        },
        Some(Invocation::Http(Http { method: _, url: _, path, headers, body: _ })) => {
            path.iter_mut().chain(headers.values_mut()).collect()
        }
        Some(
            Invocation::CommandLine(_)
            | Invocation::McpTool(_)
            | Invocation::RegistryTool(_)
            | Invocation::Python(_)
            | Invocation::Node(_)
            | Invocation::A2a(_),
        )
        | None => Vec::new(),
    }
}

/// Renames the references in a template. `space` is `input.` or `env.`.
fn rename_in_template(template: &str, space: &str, old: &str, new: &str) -> String {
    let open = format!("${{{space}{old}");
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, after)) = rest.split_once(&open) {
        out.push_str(before);
        out.push_str("${");
        out.push_str(space);
        // `${input.to}` refers to `to`, and `${input.total}` does not.
        out.push_str(if after.starts_with(['}', '.']) { new } else { old });
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Renames an argument in a JSONPath.
fn rename_in_path(path: &mut Sourced<Text<'_>>, name: &Rename) {
    if let Some(tail) = path.strip_prefix(&format!("$.input.{}", name.old))
        && (tail.is_empty() || tail.starts_with(['.', '[']))
    {
        *path = Text::Owned(format!("$.input.{}{tail}", name.new)).into();
    }
}

/// Renames a member of the object at the path `below`. Returns `None` if it is missing, or
/// if the new name is taken.
fn rename_member(value: &Raw<'_>, below: &[&str], name: &Rename) -> Option<Raw<'static>> {
    let document = value.document()?;
    let place = below.iter().fold(Pointer::root(), |place, name| place.push(name));
    let object = document.root().at(&place)?;
    let old = object.get(&name.old)?;
    if object.get(&name.new).is_some() {
        return None;
    }
    let edits = [
        Edit::Remove(place.clone().push(&name.old)),
        Edit::Insert(place.push(&name.new), old.raw().to_owned()),
    ];
    apply_edits(&document, &edits)
}

/// Renames the tool that a smoke test calls, and an argument of the call. Returns `None` if
/// it calls another tool, or if the call stays the same.
fn rename_in_smoke_test(
    smoke: &Raw<'_>,
    (was, is): (&str, &str),
    argument: Option<&Rename>,
) -> Option<Raw<'static>> {
    if was == is && argument.is_none() {
        return None;
    }
    let document = smoke.document()?;
    let action = document.root().get("action")?;
    if action.text().as_deref() != Some(was) {
        return None;
    }
    let called = if was == is {
        None
    } else {
        apply_edits(&document, &[Edit::Set(action.pointer(), quote(is))])
    };
    let Some(argument) = argument else { return called };
    rename_member(called.as_ref().unwrap_or(smoke), &["arguments"], argument).or(called)
}

/// Replaces a text in all strings of a value. Returns `None` if no string contains it.
fn replace_in_strings(value: &Raw<'_>, old: &str, new: &str) -> Option<Raw<'static>> {
    let document = value.document()?;
    let mut edits = Vec::new();
    for node in document.root().descendants() {
        if let Some(text) = node.text()
            && text.contains(old)
        {
            edits.push(Edit::Set(node.pointer(), quote(&text.replace(old, new))));
        }
    }
    apply_edits(&document, &edits)
}
