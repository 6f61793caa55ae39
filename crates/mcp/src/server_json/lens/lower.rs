//! Lowers descriptors to a `server.json`.

use manifest_core::descriptor::{EnvVar, Invocation, Kind};
use manifest_core::format::{IdGrammar, ToolContext, ToolGroup, Writer, first_sentence, fit};
use manifest_core::json::Node;
use manifest_core::{Diagnostic, Place, Sourced, Text, ToolDescriptor, quoted};

use super::{remote, source};
use crate::server_json::dates::{NEWEST, SNAKE, schema_url, version_of};
use crate::server_json::rules;
use crate::server_json::semantics::{is_range, listed_tools};
use crate::server_json::table::{
    MAX_NAME, MAX_TEXT, MAX_VERSION, PUBLISHER, TOOLS, is_server_name,
};
use crate::shared::{tool_name, write_tool_name};

/// The names of servers. A fitted name is in a namespace without an owner.
static NAME: IdGrammar = IdGrammar {
    fits: |id| id.len() <= MAX_NAME && is_server_name(id),
    keeps: |c| c.is_ascii_alphanumeric(),
    digest_separator: '-',
    replacement: Some('-'),
    prefix: "invalid.toolglot/",
    max_bytes: MAX_NAME,
};

pub(super) fn write_document(
    w: &mut Writer<'_>,
    unit: &ToolGroup<'_, '_>,
) -> Result<(), Diagnostic> {
    let Some(tool) = unit.tools.first() else { return Ok(()) };
    let (package, context) = (&tool.package, unit.context);
    let own = context.same_format;
    if !own {
        w.member("$schema").assume(&schema_url(NEWEST), "it is the version that is written");
    }
    write_name(w, tool, own && is_package_itself(unit));
    write_about(w, unit);
    write_version(w, unit)?;
    w.copy("websiteUrl", package.homepage.as_ref().filter(|_| supports_member(unit, "websiteUrl")));
    if own {
        source::write_source(w, unit);
    } else if let Some(url) =
        unit.tools.iter().find_map(|tool| remote::remote_server(tool)?.url.as_ref())
    {
        w.member("remotes").list(|w| {
            w.item().object(|w| {
                let at = url.at.as_slice();
                w.member("type").approximate("streamable-http", at, TRANSPORT);
                w.member("url").copy(url);
            });
        });
    }
    if is_package_itself(unit) { Ok(()) } else { write_tools(w, unit) }
}

const TRANSPORT: &str = "it is how MCP is spoken over HTTP; the older way is not told apart";

/// Returns the root of the source.
fn source_root<'c>(unit: &ToolGroup<'c, '_>) -> Option<Node<'c>> {
    let at = unit.tools.first().and_then(|tool| tool.package.at)?;
    unit.context.node(at)
}

/// Returns true if a document can have a member that was added with camel case. A source in
/// snake case can only if it already has it.
fn supports_member(unit: &ToolGroup<'_, '_>, name: &str) -> bool {
    let own = source_root(unit).filter(|_| unit.context.same_format);
    own.is_none_or(|root| version_of(root) != SNAKE || root.get(name).is_some())
}

/// Returns true if a unit is a server with unknown tools. If the source declares the kind
/// in a member, an edit could change it, so the server is listed as a tool instead.
fn is_package_itself(unit: &ToolGroup<'_, '_>) -> bool {
    let [tool] = unit.tools else { return false };
    let server = tool.kind.as_ref().is_some_and(|kind| {
        kind.value == Kind::McpServer && (unit.context.same_format || kind.at.is_none())
    });
    server
        && tool.name.is_none()
        && tool.package.id.is_some()
        && !(unit.context.same_format && lists_tools(unit))
}

/// Returns true if the source lists tools. Name and texts are then those of the server,
/// even if an edit merged the tools into one.
fn lists_tools(unit: &ToolGroup<'_, '_>) -> bool {
    let tools = source_root(unit).and_then(listed_tools);
    tools.is_some_and(|tools| tools.elements().next().is_some())
}

/// Writes the name, or a fitted one in a namespace without an owner. When restoring, a
/// fitted name does not read back as the edit that it came from, so that edit is lost.
fn write_name(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, whole: bool) {
    let (id, places) = match &tool.package.id {
        Some(id) if !whole => (id, id.at.into_iter().collect()),
        _ => (&tool.id, tool.id_places()),
    };
    match fit(id, &NAME) {
        Text::Owned(fitted) => {
            let why =
                "a name has a namespace, which only its owner can publish in: this is nobody's";
            w.member("name").approximate(&fitted, &places, why);
        }
        Text::Borrowed(_) if tool.package.id.is_none() => w.member("name").id(tool),
        Text::Borrowed(_) => w.member("name").copy(id),
    }
}

fn write_version(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    let Some(tool) = unit.tools.first() else { return Ok(()) };
    let (context, version) = (unit.context, tool.package.version.as_ref());
    let is_one = |text: &str| !is_range(text) && text.chars().count() <= MAX_VERSION;
    if let Some(text) = version.filter(|text| !context.same_format && !is_one(text)) {
        let message = format!("{} is not one version, which a server has", quoted(text));
        return Err(context.error_at(&rules::VERSION, text.at, message));
    }
    let write = |w: &mut Writer<'_>| match version {
        None if !context.same_format => {
            w.member("version").assume(&context.defaults.version, "the source has no version");
        }
        said => w.copy("version", said),
    };
    if context.same_format && has_version_detail(unit) {
        w.object_if_any("version_detail", write);
    } else {
        write(w);
    }
    Ok(())
}

/// Returns true if the source has its version in `version_detail`.
fn has_version_detail(unit: &ToolGroup<'_, '_>) -> bool {
    let root = source_root(unit);
    root.is_some_and(|root| root.get("version").is_none() && root.get("version_detail").is_some())
}

/// Writes the texts of the server. A tool without a package provides them itself.
fn write_about(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) {
    let Some(tool) = unit.tools.first() else { return };
    let (package, own) = (&tool.package, unit.context.same_format);
    let lone =
        if own { is_package_itself(unit) } else { tool.name.is_none() || package.id.is_none() };
    let title = package.title.as_ref().or(tool.title.as_ref().filter(|_| lone));
    let summary = package.summary.as_ref().or(tool.summary.as_ref().filter(|_| lone));
    if own {
        w.copy("title", title.filter(|_| supports_member(unit, "title")));
        w.copy("description", summary);
        return;
    }
    if let Some(title) = title.filter(|title| !title.is_empty()) {
        write_shortened(w, "title", title);
    }
    let description = package.description.as_ref().or(tool.description.as_ref().filter(|_| lone));
    let line = description.map(|text| (first_sentence(text), text.at));
    if let Some(summary) = summary.filter(|summary| !summary.is_empty()) {
        write_shortened(w, "description", summary);
    } else if let Some((line, at)) = line.filter(|(line, _)| !line.is_empty()) {
        let why = "the first sentence of the description, up to 100 characters";
        w.member("description").approximate(&shorten(line), at.as_slice(), why);
    } else {
        let why = "the source says nothing of the kind: this is the name of the tool";
        let name = tool.callable_name().at;
        let others = tool.id_places().into_iter().filter(|at| Some(*at) != name);
        let places: Vec<Place> = name.into_iter().chain(others).collect();
        w.member("description").approximate(&shorten(tool_name(tool)), &places, why);
    }
}

/// Writes a text, cut if it is too long here.
fn write_shortened(w: &mut Writer<'_>, member: &str, said: &Sourced<Text<'_>>) {
    match shorten(said) {
        Text::Borrowed(_) => w.member(member).copy(said),
        Text::Owned(cut) => {
            let why = "there is room for 100 characters";
            w.member(member).approximate(&cut, said.at.as_slice(), why);
        }
    }
}

/// Returns a text of up to 100 characters. If it is cut, it ends with `…`.
fn shorten(text: &str) -> Text<'_> {
    if text.chars().nth(MAX_TEXT).is_none() {
        return Text::Borrowed(text);
    }
    Text::Owned(text.chars().take(MAX_TEXT - 1).chain(['…']).collect())
}

/// Writes the tools into the member for the additions of publishers.
fn write_tools(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    let mut outcome = Ok(());
    w.member("_meta").object(|w| {
        w.member(PUBLISHER).object(|w| outcome = unit.write_list(w, TOOLS));
    });
    outcome
}

/// Returns the secrets that the document cannot name: all of them, because no package is
/// written.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    tool.package.env.iter().filter(|variable| variable.is_secret()).collect()
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
pub(super) fn write_tool(w: &mut Writer<'_>, one: &ToolContext<'_, '_>) -> Result<(), Diagnostic> {
    let ToolContext { tool, context, .. } = one;
    write_tool_name(w, one);
    w.copy("description", tool.description.as_ref());
    match tool.invocation.as_deref() {
        Some(Invocation::McpTool(server))
            if context.same_format || remote::running_server(tool).is_some() =>
        {
            w.member("calls").copy(&server.tool);
        }
        _ => {}
    }
    Ok(())
}
