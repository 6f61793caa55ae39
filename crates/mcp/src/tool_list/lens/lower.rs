//! Lowers descriptors to a list.

use std::collections::BTreeMap;

use manifest_core::descriptor::{Claim, Filesystem, RiskProfile, SideEffects};
use manifest_core::format::{BridgeArg, Context, ToolContext, ToolGroup, Writer};
use manifest_core::json::{Node, Raw};
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor};
use providers::{MCP_NAME, Shape, from_gemini_schema, to_gemini_schema};

use super::lift::has_title_hint;
use crate::tool_list::table::{declarations, is_gemini_schema, result, schema_members};

pub(super) fn write_document(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
) -> Result<(), Diagnostic> {
    if unit.context.same_format {
        return write_source_document(w, unit);
    }
    unit.write_list(w, "tools")?;
    let called = unit.tools.iter().find(|tool| tool.has_call());
    // Written even if no tool has a call, because the command names the source of the list.
    if let Some(tool) = called.or(unit.tools.first()) {
        w.member("server").object(|w| w.member("command").list(|w| write_command(w, unit, tool)));
    }
    Ok(())
}

/// Writes the command of a server that offers these tools and makes their calls. It names
/// the format and the source once, then each tool.
fn write_command(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>, first: &ToolDescriptor<'_>) {
    const NO_CALL: &str =
        "no call could be read from the source, which the line names all the same";
    let because = |tool: &ToolDescriptor<'_>| {
        if tool.has_call() { tool.bridge_reason() } else { NO_CALL }
    };
    w.set_bridge_reason(because(first));
    BridgeArg::write_all(&["toolglot", "mcp"].map(BridgeArg::fixed), w);
    BridgeArg::write_all(&unit.context.bridge_source(), w);
    for tool in unit.tools {
        w.set_bridge_reason(because(tool));
        BridgeArg::write_all(&unit.context.bridge_tool(tool), w);
    }
}

fn write_source_document(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    let root = unit.context.sources.first().map(|source| source.root());
    let mut outcome = Ok(());
    if root.and_then(result).is_some() {
        w.member("result").object(|w| outcome = write_source_tools(w, unit));
    } else {
        outcome = write_source_tools(w, unit);
    }
    copy_member(w, root, "server");
    outcome
}

/// Returns the place of the entry whose list of declarations contains a tool of Gemini, and
/// the name of that list.
fn declaration_list(
    tool: &ToolDescriptor<'_>,
    context: &Context<'_>,
) -> Option<(Place, &'static str)> {
    let at = tool.package.at.filter(|at| at.document == 0 && Some(*at) != tool.at)?;
    let (name, _) = declarations(context.node(at)?)?;
    Some((at, name))
}

/// Writes the tools. Tools of one list of declarations stay together. A new tool gets an
/// entry of its own.
fn write_source_tools(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    let group = |tool: &ToolDescriptor<'_>| declaration_list(tool, &unit.context);
    let mut groups: BTreeMap<u32, Vec<&ToolDescriptor<'_>>> = BTreeMap::new();
    for tool in unit.tools {
        if let Some((at, _)) = group(tool) {
            groups.entry(at.entry).or_default().push(tool);
        }
    }
    if groups.is_empty() {
        return unit.write_list(w, "tools");
    }
    let mut outcome = Ok(());
    w.member("tools").list(|w| {
        for tool in unit.tools {
            let mut written = Ok(());
            match group(tool) {
                None => written = unit.write_items(w, [tool]),
                Some((at, name)) => {
                    let Some(tools) = groups.remove(&at.entry) else { continue };
                    w.item().object(|w| {
                        w.member(name).list(|w| written = unit.write_items(w, tools));
                    });
                }
            }
            outcome = outcome.clone().and(written);
        }
    });
    outcome
}

/// Copies a member of the source that descriptors lack, or that several of them share.
fn copy_member(w: &mut Writer<'_>, parent: Option<Node<'_>>, name: &str) {
    if let Some(node) = parent.and_then(|parent| parent.get(name)) {
        let at = Place::at(0, node);
        w.member(name).copy(&Sourced { value: Raw::from_node(node), at: Some(at) });
    }
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
pub(super) fn write_tool(
    w: &mut Writer<'_>,
    lowered: &ToolContext<'_, '_>,
) -> Result<(), Diagnostic> {
    let ToolContext { tool, context, .. } = lowered;
    if context.same_format {
        write_source_tool(w, tool, context);
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
    w.object_if_any("annotations", |w| write_hints(w, tool));
    Ok(())
}

/// Writes the input schema, which must be an object here. A boolean becomes an object with
/// the same meaning.
fn write_input(w: &mut Writer<'_>, schema: Option<&Sourced<Raw<'_>>>) {
    let slot = w.member("inputSchema");
    let at = schema.map_or(&[][..], |schema| schema.at.as_slice());
    match schema.map(|schema| (schema.as_str(), schema)) {
        // The second member distinguishes `true` and `false`, and both from a missing
        // schema.
        Some(("true", _)) => {
            let any = Raw::from_static(r#"{"type": "object", "additionalProperties": true}"#);
            slot.approximate(&any, at, "arguments are an object");
        }
        Some(("false", _)) => {
            let none = Raw::from_static(r#"{"type": "object", "not": {}}"#);
            slot.approximate(&none, at, "arguments are an object");
        }
        Some((text, schema)) if text.starts_with('{') => slot.copy(schema),
        _ => {
            let why = "the source has no schema of the arguments, and they are an object";
            slot.assume(&Raw::from_static(r#"{"type": "object"}"#), why);
        }
    }
}

fn write_output(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let Some(schema) = &tool.output_schema else { return };
    if !schema.as_str().starts_with('{') && !matches!(schema.as_str(), "true" | "false") {
        return;
    }
    match tool.non_json_output_reason() {
        Some(why) => {
            w.member("outputSchema").approximate(&schema.value, schema.at.as_slice(), why);
        }
        None => w.member("outputSchema").copy(schema),
    }
}

/// Writes the hints, never safer than the risk profile. Unknown effects get no hint,
/// because clients then assume the worst.
///
/// A tool that needs approval gets the hint that it is destructive, whatever it does:
/// clients use these hints to decide whether to ask.
fn write_hints(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let caution = RiskProfile::of(tool);
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
        let files = writes.then(|| caution.files.places());
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

/// Writes a hint with the value `danger` if there is a reason for it, otherwise with the
/// other value.
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
        // Changing one of several reasons alone does not change the hint.
        [_, _, ..] => w.member(name).approximate_joint(danger, &places, why),
        one => w.member(name).approximate(danger, one, why),
    }
}

/// Writes a tool in the shape that it has in the source. A new tool gets the shape of MCP.
fn write_source_tool(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, context: &Context<'_>) {
    let place = tool.at.filter(|at| at.document == 0);
    let entry = place.and_then(|at| context.node(at));
    let declared = declaration_list(tool, context).map(|_| Shape::Gemini);
    let known = entry.and_then(|entry| Some((entry, declared.or_else(|| Shape::of(entry))?)));
    let shape = known.map_or(Shape::Mcp, |(_, shape)| shape);
    let (input, output) = known.map_or(("inputSchema", Some("outputSchema")), |(entry, shape)| {
        schema_members(entry, shape)
    });
    if declared.is_none() {
        copy_member(w, entry, "type");
    }
    let write_schema = |w: &mut Writer<'_>, name: &str, schema: Option<&Sourced<Raw<'_>>>| {
        if is_gemini_schema(name, shape) {
            write_gemini_schema(w, entry, name, schema);
        } else {
            w.copy(name, schema);
        }
    };
    if shape == Shape::OpenAiChat {
        w.member("function").object(|w| {
            write_texts(w, tool);
            write_schema(w, input, tool.input_schema.as_ref());
        });
        return;
    }
    write_texts(w, tool);
    match entry {
        Some(_) => write_schema(w, input, tool.input_schema.as_ref()),
        // The schema makes a new tool one of MCP, so it is always written.
        None => write_input(w, tool.input_schema.as_ref()),
    }
    if let Some(output) = output {
        write_schema(w, output, tool.output_schema.as_ref());
    }
    if shape == Shape::Anthropic {
        w.copy_all("input_examples", tool.examples.iter().filter_map(|one| one.input.as_ref()));
    }
    if shape == Shape::Mcp {
        let hinted = entry.is_some_and(has_title_hint);
        w.copy("title", tool.title.as_ref().filter(|_| !hinted));
        w.object_if_any("annotations", |w| {
            w.copy("title", tool.title.as_ref().filter(|_| hinted));
            write_source_hints(w, tool, entry);
        });
    }
}

/// Writes a schema in Gemini's dialect: verbatim, unless it was edited to something that
/// the dialect can express.
fn write_gemini_schema(
    w: &mut Writer<'_>,
    entry: Option<Node<'_>>,
    name: &str,
    schema: Option<&Sourced<Raw<'_>>>,
) {
    let Some(was) = entry.and_then(|entry| entry.get(name)) else { return };
    let is_gone = schema.is_none() && was.is_object();
    let edited = schema.filter(|schema| schema.value != from_gemini_schema(was));
    let edited = edited.and_then(|schema| {
        let now = schema.document()?;
        Some((to_gemini_schema(was, now.root())?, schema))
    });
    match edited {
        Some((schema, from)) => w.member(name).equivalent(&schema, from.at.as_slice()),
        None if is_gone => {}
        None => copy_member(w, entry, name),
    }
}

fn write_texts(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    w.member("name").id(tool);
    w.copy("description", tool.description.as_ref());
}

/// Writes the hints verbatim, unless the effects were edited.
fn write_source_hints(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, entry: Option<Node<'_>>) {
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
        copy_member(w, hints, "readOnlyHint");
        copy_member(w, hints, "destructiveHint");
    } else if let Some(effects) = now {
        let at = effects.at.as_slice();
        match effects.value {
            SideEffects::Destructive => w.member("destructiveHint").equivalent(true, at),
            SideEffects::Write => w.member("destructiveHint").equivalent(false, at),
            SideEffects::Read => w.member("readOnlyHint").equivalent(true, at),
            // MCP cannot express it.
            SideEffects::None => {}
        }
    }
    w.copy("idempotentHint", tool.idempotent.as_ref());
}
