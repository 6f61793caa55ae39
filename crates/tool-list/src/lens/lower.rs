//! From descriptors to a list.

use manifest_core::descriptor::{Caution, Claim, Filesystem, SideEffects};
use manifest_core::format::{BridgeWord, Context, Tool, Unit, Writer};
use manifest_core::json::{Node, Raw};
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor};
use providers::{MCP_NAME, Shape};

use super::lift::is_hinted;
use crate::table::schemas;

pub(super) fn frame(w: &mut Writer<'_>, unit: &Unit<'_, '_>) -> Result<(), Diagnostic> {
    unit.entries(w, "tools")?;
    if unit.context.own {
        let root = unit.context.sources.first().map(|source| source.root());
        as_it_was(w, root, "server");
    } else if !unit.tools.is_empty() {
        w.member("server").object(|w| {
            w.member("command").list(|w| BridgeWord::write_all(&line(unit), w));
        });
    }
    Ok(())
}

/// What descriptors have no words for, or what several of them say together.
fn as_it_was(w: &mut Writer<'_>, parent: Option<Node<'_>>, name: &str) {
    if let Some(node) = parent.and_then(|parent| parent.get(name)) {
        let at = Place { document: 0, entry: node.index(), exact: true };
        w.member(name).copy(&Sourced { value: Raw::from_node(node), at: Some(at) });
    }
}

/// A server that has these tools of the source, and makes their calls. Its line names the format
/// and the source once, then each tool.
fn line(unit: &Unit<'_, '_>) -> Vec<BridgeWord> {
    let mut line = ["toolglot", "mcp"].map(BridgeWord::fixed).to_vec();
    for (index, tool) in unit.tools.iter().enumerate() {
        let said = if index == 0 { 2 } else { 6 };
        line.extend(unit.context.bridge(tool).into_iter().skip(said));
    }
    line
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
pub(super) fn entry(w: &mut Writer<'_>, lowered: &Tool<'_, '_>) -> Result<(), Diagnostic> {
    let Tool { tool, context, .. } = lowered;
    if context.own {
        write_own(w, tool, context);
        return Ok(());
    }
    match MCP_NAME.fit(&tool.id) {
        Text::Owned(fitted) => {
            let why = "names of MCP have letters, digits, _, - and ., at most 128";
            w.member("name").approximate(&fitted, &tool.id_places(), why);
        }
        Text::Borrowed(_) => w.member("name").id(tool),
    }
    w.copy("title", tool.title.as_ref());
    match (&tool.description, &tool.summary) {
        (None, Some(summary)) => {
            let why = "the summary: the source has no longer text";
            w.member("description").approximate(&summary.value, summary.at.as_slice(), why);
        }
        (description, _) => w.copy("description", description.as_ref()),
    }
    write_input(w, tool.input_schema.as_ref());
    write_output(w, tool);
    w.some_object("annotations", |w| write_hints(w, tool));
    Ok(())
}

/// An object here: the booleans have one each that says the same.
fn write_input(w: &mut Writer<'_>, schema: Option<&Sourced<Raw<'_>>>) {
    let slot = w.member("inputSchema");
    let at = schema.map_or(&[][..], |schema| schema.at.as_slice());
    match schema.map(|schema| (schema.as_str(), schema)) {
        Some(("true", _)) => {
            slot.approximate(
                &Raw::constant(r#"{"type": "object"}"#),
                at,
                "arguments are an object",
            );
        }
        Some(("false", _)) => {
            let none = Raw::constant(r#"{"type": "object", "not": {}}"#);
            slot.approximate(&none, at, "arguments are an object");
        }
        Some((text, schema)) if text.starts_with('{') => slot.copy(schema),
        _ => {
            let why = "the source has no schema of the arguments, and they are an object";
            slot.assume(&Raw::constant(r#"{"type": "object"}"#), why);
        }
    }
}

fn write_output(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let Some(schema) = &tool.output_schema else { return };
    if !schema.as_str().starts_with('{') && !matches!(schema.as_str(), "true" | "false") {
        return;
    }
    match tool.output_is_no_json() {
        Some(why) => {
            w.member("outputSchema").approximate(&schema.value, schema.at.as_slice(), why);
        }
        None => w.member("outputSchema").copy(schema),
    }
}

/// Hints for whoever decides on a call, never safer than what is known of the tool. What is not
/// said is not hinted: clients then reckon with the worst.
///
/// A tool that needs approval is hinted to be destructive, whatever it does: clients go by these
/// hints when they decide whether to ask.
fn write_hints(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let caution = Caution::of(tool);
    let effects = match &caution.effects {
        Claim::Declared(effects, at) => Some((*effects, at.as_slice())),
        Claim::Implied(..) | Claim::Unknown => None,
    };
    let asked = tool.requires_approval.as_ref().filter(|asked| asked.value);
    let asked = asked.map(|asked| asked.at.as_slice());
    let writes = caution.files.value() == Some(&Filesystem::Write);
    if effects.is_some() || asked.is_some() {
        let mild = effects.map_or(&[][..], |(_, at)| at);
        let at_least = |level| effects.filter(|(effects, _)| *effects >= level).map(|(_, at)| at);
        let files = writes.then(|| caution.files.at());
        let changes = [at_least(SideEffects::Write), asked, files];
        write_hint(w, ("readOnlyHint", false), &changes, mild);
        write_hint(
            w,
            ("destructiveHint", true),
            &[at_least(SideEffects::Destructive), asked],
            mild,
        );
    }
    w.copy("idempotentHint", tool.idempotent.as_ref());
}

/// A hint that has one value for each of these reasons, and the other where there is none.
fn write_hint(
    w: &mut Writer<'_>,
    (name, danger): (&str, bool),
    reasons: &[Option<&[Place]>],
    mild: &[Place],
) {
    let why = "MCP has hints about what a tool changes, and none about approval and files";
    let places: Vec<Place> = reasons.iter().flatten().copied().flatten().copied().collect();
    match places.as_slice() {
        [] if reasons.iter().all(Option::is_none) => {
            w.member(name).approximate(!danger, mild, why);
        }
        // One of several reasons alone cannot change it.
        [_, _, ..] => w.member(name).together(danger, &places, why),
        one => w.member(name).approximate(danger, one, why),
    }
}

/// A tool in the shape that it has in its list. One that is new there is one of MCP.
fn write_own(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    let place = tool.at.filter(|at| at.document == 0);
    let entry = place.and_then(|at| context.node(at));
    let known = entry.and_then(|entry| Some((entry, Shape::of(entry)?)));
    let shape = known.map_or(Shape::Mcp, |(_, shape)| shape);
    let (input, output) =
        known.map_or(("inputSchema", Some("outputSchema")), |(entry, shape)| schemas(entry, shape));
    as_it_was(w, entry, "type");
    if shape == Shape::OpenAiChat {
        w.member("function").object(|w| write_texts(w, tool, input));
        return;
    }
    write_texts(w, tool, input);
    if let Some(output) = output {
        w.copy(output, tool.output_schema.as_ref());
    }
    if shape == Shape::Anthropic {
        w.copy_all("input_examples", tool.examples.iter().filter_map(|one| one.input.as_ref()));
    }
    if shape == Shape::Mcp {
        let hinted = entry.is_some_and(is_hinted);
        w.copy("title", tool.title.as_ref().filter(|_| !hinted));
        w.some_object("annotations", |w| {
            w.copy("title", tool.title.as_ref().filter(|_| hinted));
            write_own_hints(w, tool, entry);
        });
    }
}

fn write_texts(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, input: &str) {
    w.member("name").id(tool);
    w.copy("description", tool.description.as_ref());
    w.copy(input, tool.input_schema.as_ref());
}

/// The hints as they were, unless what they say was edited.
fn write_own_hints(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, entry: Option<Node<'_>>) {
    let hints = entry.and_then(|entry| entry.get("annotations"));
    let is = |name: &str, value: bool| {
        hints.and_then(|hints| hints.get(name)).and_then(Node::bool) == Some(value)
    };
    let said = if is("destructiveHint", true) {
        Some(SideEffects::Destructive)
    } else if is("readOnlyHint", true) {
        Some(SideEffects::Read)
    } else {
        is("destructiveHint", false).then_some(SideEffects::Write)
    };
    let now = tool.side_effects.as_ref();
    if said == now.map(|effects| effects.value) {
        as_it_was(w, hints, "readOnlyHint");
        as_it_was(w, hints, "destructiveHint");
    } else if let Some(effects) = now {
        let at = effects.at.as_slice();
        match effects.value {
            SideEffects::Destructive => w.member("destructiveHint").same(true, at),
            SideEffects::Write => w.member("destructiveHint").same(false, at),
            SideEffects::Read => w.member("readOnlyHint").same(true, at),
            // MCP has no word for it.
            SideEffects::None => {}
        }
    }
    w.copy("idempotentHint", tool.idempotent.as_ref());
}
