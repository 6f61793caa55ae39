//! Renames references after an edit.
//!
//! An edit that renames an argument, a variable, a scope or a tool leaves references to the
//! old name: in templates, smoke tests, required lists, examples and chains, most of which
//! the target never contained. They get the new name here. If an argument was removed that
//! a template needs, that is reported, and the template stays.

use std::collections::BTreeSet;
use std::sync::Arc;

use diagnostic::{Pointer, ok_or_bug};
use json_text::{Document, Edit, KeyedList, Node, Raw, Text, apply, quote};
use manifest_core::descriptor::{
    Command, CommandInput, Http, Invocation, LiftedDocument, Package, ToolDescriptor,
};
use manifest_core::{Place, Sourced};

use crate::overlay::EditLog;

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
    let mut start = 0;
    let groups: Vec<usize> = after.packages().map(<[ToolDescriptor<'_>]>::len).collect();
    for length in groups {
        let own = start..start + length;
        start += length;
        let Some(tools) = after.tools.get_mut(own.clone()) else { continue };
        let before = before.get(own).unwrap_or_default();
        rename_in_package(before, tools, log);
    }
}

fn rename_in_package(
    before: &[ToolDescriptor<'_>],
    tools: &mut [ToolDescriptor<'_>],
    log: &mut EditLog,
) {
    let Some(first) = tools.first() else { return };
    let mut package = Package::clone(&first.package);
    let old = before.first().map(|tool| &tool.package);
    let variable = old.and_then(|old| {
        let names = |package: &Package<'_>| -> Vec<String> {
            package.env.iter().map(|variable| variable.name.to_string()).collect()
        };
        detect_rename(&names(old), &names(&package))
    });
    let scope = old.and_then(|old| {
        let names = |package: &Package<'_>| -> Vec<String> {
            package.scopes.iter().map(|scope| scope.resource.to_string()).collect()
        };
        detect_rename(&names(old), &names(&package))
    });
    for (before, tool) in before.iter().zip(tools.iter_mut()) {
        let argument = argument_changes(before, tool);
        rename_in_tool(tool, &argument, variable.as_ref(), scope.as_ref(), log);
        let name = |tool: &ToolDescriptor<'_>| tool.callable_name().value.to_owned();
        let (was, is) = (name(before), name(tool));
        if let Some(smoke) = &package.smoke
            && (was != is || argument.rename.is_some())
        {
            let smoke = rename_in_smoke_test(smoke, (&was, &is), argument.rename.as_ref());
            package.smoke = package.smoke.take().map(|old| smoke.map_or(old, Sourced::from));
        }
    }
    if let (Some(smoke), Some(variable)) = (&package.smoke, &variable) {
        let token = |name: &str| format!("${{{name}}}");
        let changed = replace_in_strings(smoke, &token(&variable.old), &token(&variable.new));
        package.smoke = package.smoke.take().map(|old| changed.map_or(old, Sourced::from));
    }
    let package = Arc::new(package);
    for tool in tools {
        tool.package = Arc::clone(&package);
    }
}

/// Returns the rename, if exactly one name was removed and one was added.
fn detect_rename(old: &[String], new: &[String]) -> Option<Rename> {
    let (was, is): (BTreeSet<&String>, BTreeSet<&String>) =
        (old.iter().collect(), new.iter().collect());
    let mut gone = was.difference(&is);
    let mut come = is.difference(&was);
    match (gone.next(), gone.next(), come.next(), come.next()) {
        (Some(old), None, Some(new), None) => {
            Some(Rename { old: (*old).clone(), new: (*new).clone() })
        }
        _ => None,
    }
}

/// The changes of a tool's arguments.
#[derive(Default)]
struct ArgumentChanges {
    rename: Option<Rename>,
    removed: BTreeSet<String>,
}

fn argument_changes(before: &ToolDescriptor<'_>, tool: &mut ToolDescriptor<'_>) -> ArgumentChanges {
    let (Some(was), Some(is)) = (&before.input_schema, &tool.input_schema) else {
        return ArgumentChanges::default();
    };
    if was == is {
        return ArgumentChanges::default();
    }
    let (was, is) = (was.document(), is.document());
    let names = |document: &Option<Document<'_>>| -> Vec<String> {
        let properties = document.as_ref().and_then(|schema| schema.root().get("properties"));
        let properties = properties.into_iter().flat_map(Node::members);
        properties.map(|member| member.name().into_owned()).collect()
    };
    let (old, new) = (names(&was), names(&is));
    let renamed = detect_rename(&old, &new);
    let removed = if renamed.is_some() {
        BTreeSet::new()
    } else {
        let new: BTreeSet<&String> = new.iter().collect();
        old.into_iter().filter(|name| !new.contains(name)).collect()
    };
    let schema = is.as_ref().zip(renamed.as_ref());
    if let Some(schema) = schema.and_then(|(schema, name)| rename_required(schema, name)) {
        tool.input_schema = Some(schema.into());
    }
    ArgumentChanges { rename: renamed, removed }
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
        for used in tool.scopes_used.iter_mut().filter(|used| used.value == scope.old) {
            *used = Text::Owned(scope.new.clone()).into();
        }
    }
    let schema_at: Vec<Place> =
        tool.input_schema.as_ref().and_then(|schema| schema.at).into_iter().collect();
    let mut change = |text: &mut Sourced<Text<'_>>| {
        let mut new = text.to_string();
        if let Some(Rename { old, new: name }) = &argument.rename {
            new = rename_in_template(&new, "input.", old, name);
        }
        if let Some(Rename { old, new: name }) = variable {
            new = rename_in_template(&new, "env.", old, name);
        }
        if !argument.removed.is_empty() && uses_removed(&new, &argument.removed) {
            log.refuse_in("input_schema", ARGUMENT_NEEDED, schema_at.clone());
        }
        if new != *text.value {
            *text = Text::Owned(new).into();
        }
    };
    if let Some(call) = &mut tool.invocation {
        for_each_template(&mut call.value, &mut change);
    }
    if let Some(name) = &argument.rename {
        for example in &mut tool.examples {
            let input = example.input.as_ref().and_then(|input| rename_member(input, &[], name));
            example.input = example.input.take().map(|old| input.map_or(old, Sourced::from));
        }
        for step in &mut tool.chain {
            let mapping = std::mem::take(&mut step.input_mapping);
            step.input_mapping = mapping
                .into_iter()
                .map(|(key, path)| (key, rename_in_path(path, name)))
                .collect::<KeyedList<'_, _>>();
        }
    }
}

/// Returns true if a template refers to a removed argument. A name may contain dots:
/// `${input.a.b}` refers to `a.b`, or to `b` in `a`.
fn uses_removed(template: &str, removed: &BTreeSet<String>) -> bool {
    template.split("${input.").skip(1).any(|after| {
        let name = after.split_once('}').map_or("", |(name, _)| name);
        let dots = name.match_indices('.').map(|(at, _)| at);
        let mut heads = dots.chain([name.len()]).filter_map(|end| name.get(..end));
        heads.any(|head| removed.contains(head))
    })
}

/// Applies a change to the templates of a call.
fn for_each_template<'a>(
    call: &mut Invocation<'a>,
    change: &mut impl FnMut(&mut Sourced<Text<'a>>),
) {
    match call {
        Invocation::Command(Command { argv: _, cwd: _, input }) => match input {
            CommandInput::Templates(parts) | CommandInput::TemplatesAndStdin(parts) => {
                parts.iter_mut().for_each(change);
            }
            CommandInput::Extra | CommandInput::Stdin | CommandInput::Argument => {}
        },
        Invocation::Http(Http { method: _, url: _, path, headers, body: _ }) => {
            path.iter_mut().for_each(&mut *change);
            headers.values_mut().for_each(change);
        }
        Invocation::CommandLine(_)
        | Invocation::McpTool(_)
        | Invocation::RegistryTool(_)
        | Invocation::Python(_)
        | Invocation::Node(_)
        | Invocation::A2a(_) => {}
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
fn rename_in_path<'a>(path: Sourced<Text<'a>>, name: &Rename) -> Sourced<Text<'a>> {
    let prefix = format!("$.input.{}", name.old);
    match path.strip_prefix(&prefix) {
        Some(tail) if tail.is_empty() || tail.starts_with(['.', '[']) => {
            Text::Owned(format!("$.input.{}{tail}", name.new)).into()
        }
        _ => path,
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
    let smoke = called.as_ref().unwrap_or(smoke);
    let filled = argument.and_then(|name| rename_member(smoke, &["arguments"], name));
    filled.or(called)
}

/// Replaces a text in all strings of a value. Returns `None` if no string contains it.
fn replace_in_strings(value: &Raw<'_>, old: &str, new: &str) -> Option<Raw<'static>> {
    let document = value.document()?;
    let edits: Vec<Edit> = document
        .root()
        .descendants()
        .filter_map(|node| {
            let text = node.text().filter(|text| text.contains(old))?;
            Some(Edit::Set(node.pointer(), quote(&text.replace(old, new))))
        })
        .collect();
    apply_edits(&document, &edits)
}
