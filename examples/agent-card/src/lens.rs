//! Lifts and lowers agent cards.
//!
//! | descriptor | card | note |
//! |---|---|---|
//! | `package.id` | `name` | if there is no package, the id of the tool |
//! | `package.description` | `description` | required; if missing, the summary, or the text or the name of the tool |
//! | `package.version` | `version` | required; assumed if missing |
//! | `package.publisher` | `provider` | lowered only if it has a name and a URL |
//! | `package.support.docs_url` | `documentationUrl` | |
//! | `package.url` | URL of the first of `supportedInterfaces`, or `url` of version 0.3 | lifted only: the address of another server is not that of an agent |
//! | `id`, `name` | `skills[].id` | the id is `<agent>.<skill>` |
//! | `title`, `description` | `skills[].name`, `description` | required; if missing, the summary or the name |
//! | `kind` | | a card without skills is an agent: one tool that is the package itself |
//! | `package.tags` | `skills[].tags` | lowered only: each skill has tags of its own, and all tools of a package share theirs |
//!
//! **A skill has no call.** A client sends a message to the agent, which chooses among its skills:
//! no request names one. The message is an argument of a JSON-RPC method, and the answer may be a
//! task to ask for again. No [`Invocation`](manifest_core::descriptor::Invocation) expresses that:
//! an HTTP request sends the arguments alone, and `Invocation::A2a` sends the envelope of Unison,
//! another protocol. A missing call is better than a wrong one. The address is still lifted, so
//! that every target knows which host the tools are on.
//!
//! Other members have no field in a descriptor and are kept in the residue.

use std::sync::Arc;

use manifest_core::descriptor::{Kind, Package, Publisher, Support};
use manifest_core::format::{
    CallSupport, Cardinality, Contract, Reader, SafetyFeatures, ToolContext, ToolGroup, Writer,
    file_name,
};
use manifest_core::json::{Node, Raw};
use manifest_core::table::{self, member_values_if_any};
use manifest_core::{Detection, Diagnostic, Format, LiftedDocument, Sourced, Text, ToolDescriptor};

use crate::semantics::validate;
use crate::table::{CARD, PROVIDER, SKILL, TABLE, V0_3, VERSIONS, version};

/// The format, for conversion. Documents are written in version 1.0.
pub static FORMAT: Format = Format {
    name: "agent-card",
    versions: &[],
    tables: &[&TABLE],
    rules: crate::rules::RULES,
    cardinality: Cardinality::Package,
    catalog: None,
    keys: &["id"],
    safety_features: SafetyFeatures::NONE,
    detect,
    look_alike: |_| None,
    check: validate,
    read,
    call_support: |_| CallSupport::Unsupported("an agent chooses among its skills itself"),
    contract: |_| Contract::UNKNOWN,
    undeclared_secrets: |tool| tool.package.env.iter().filter(|one| one.is_secret()).collect(),
    file_name: file,
    write_document,
    write_tool,
    bridge_needs: "",
    host_needs: "",
};

/// The required members that other formats lack, as JSON, and the reasons for their values.
#[rustfmt::skip] // one row for each
const ASSUMED: [(&str, &str, &str); 4] = [
    ("supportedInterfaces", r#"[{"url": "https://agent.invalid/", "protocolBinding": "JSONRPC", "protocolVersion": "1.0"}]"#, "no agent has these tools: the address of one belongs here"),
    ("capabilities", "{}", "the source does not say what an agent can do besides"),
    ("defaultInputModes", "[\"application/json\"]", "the arguments of tools are JSON"),
    ("defaultOutputModes", "[\"application/json\"]", "the results of most tools are JSON"),
];

fn detect(root: Node<'_>) -> Option<Detection> {
    let is_card = root.get("skills")?.is_array() && root.get("capabilities")?.is_object();
    let version = VERSIONS.get(usize::from(version(root))).map(ToString::to_string);
    let evidence = vec!["`skills` is an array", "`capabilities` is an object"];
    is_card.then_some(Detection { version, evidence })
}

/// Names a document after its package, so that two packages have two files.
fn file(tools: &[ToolDescriptor<'_>]) -> String {
    let name = tools.first().map(|tool| tool.package.id.as_ref().unwrap_or(&tool.id));
    format!("{}.agent-card", file_name(name.map_or("agent", |name| name.as_ref())))
}

#[rustfmt::skip] // one name for each member of the table
fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let [
        name, description, version, _protocol, url, _transport, _others, interfaces, provider,
        docs, _icon, _capabilities, _schemes, _, _security, _, _input, _output, skills, _extended,
        _signatures,
    ] = table::member_values(reader.root(), &CARD);
    let [organization, page] = member_values_if_any(provider, &PROVIDER);
    let text = reader.text(description);
    let is_empty = skills.is_none_or(|list| list.elements().next().is_none());
    let (shared, own) = if is_empty { (None, text) } else { (text, None) };
    let package = Arc::new(Package {
        at: Some(reader.place(reader.root())),
        id: reader.text(name),
        description: shared,
        version: reader.text(version),
        publisher: Publisher { name: reader.text(organization), url: reader.text(page), ..<_>::default() },
        support: Support { docs_url: reader.text(docs), ..Support::default() },
        url: reader.text(interfaces.and_then(|list| list.elements().next()?.get("url")).or(url)),
        ..Package::default()
    });
    let agent = package.id.as_ref().map_or("", |id| id.as_ref());
    let mut tools = Vec::new();
    for node in skills.into_iter().flat_map(Node::elements) {
        let [id, name, description, ..] = table::member_values(node, &SKILL);
        let full = format!("{agent}.{}", id.and_then(Node::text).unwrap_or_default());
        tools.push(ToolDescriptor {
            at: Some(reader.place(node)),
            id: reader.derived(id.unwrap_or(node), Text::Owned(full)),
            name: reader.text(id),
            title: reader.text(name),
            description: reader.text(description),
            ..ToolDescriptor::empty(Arc::clone(&package))
        });
    }
    // A package is never without a tool: a card without skills is the agent itself.
    if is_empty {
        let (at, id) = (package.at, package.id.clone().unwrap_or_default());
        let kind = Some(Kind::A2aPeer.into());
        tools.push(ToolDescriptor { at, id, kind, description: own, ..ToolDescriptor::empty(package) });
    }
    LiftedDocument { tools, ..LiftedDocument::default() }
}

fn write_document(w: &mut Writer<'_>, group: &ToolGroup<'_, '_>) -> Result<(), Diagnostic> {
    let Some(tool) = group.tools.first() else { return Ok(()) };
    let (package, context, own) = (&tool.package, group.context, group.context.same_format);
    match &package.id {
        Some(id) => w.member("name").copy(id),
        None => w.member("name").id(tool),
    }
    let shared = package.description.as_ref().or(package.summary.as_ref());
    // A tool without a package, and one that is its package, have the only text.
    let own_text = text_of(tool).filter(|_| package.id.is_none() || tool.name.is_none());
    write_text(w, "description", shared.or(own_text), &group.tool_context(tool));
    if package.version.is_none() && !own {
        w.member("version").assume(&context.defaults.version, "the source has no version");
    }
    w.copy("version", package.version.as_ref());
    let Publisher { name, url, .. } = &package.publisher;
    if own || (name.is_some() && url.is_some()) {
        w.object_if_any("provider", |w| {
            w.copy("organization", name.as_ref());
            w.copy("url", url.as_ref());
        });
    }
    w.copy("documentationUrl", package.support.docs_url.as_ref());
    if own {
        // The URL returns to the member that it was read from.
        let root = package.at.and_then(|at| context.node(at));
        let url = package.url.as_ref();
        match root.map_or(V0_3, version) {
            V0_3 => w.copy("url", url),
            _ => w.member("supportedInterfaces").list(|w| w.item().object(|w| w.copy("url", url))),
        }
    } else {
        for (name, value, why) in ASSUMED {
            w.member(name).assume(&Raw::from_static(value), why);
        }
    }
    if own && tool.name.is_none() { Ok(()) } else { group.write_list(w, "skills") }
}

fn text_of<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t Sourced<Text<'a>>> {
    tool.description.as_ref().or(tool.summary.as_ref())
}

/// Writes a required text: if the source has none, the name of the tool.
fn write_text(
    w: &mut Writer<'_>,
    member: &str,
    text: Option<&Sourced<Text<'_>>>,
    ToolContext { tool, context, .. }: &ToolContext<'_, '_>,
) {
    let name = tool.callable_name();
    if text.is_none() && !context.same_format {
        let why = "the source has no such text: this is the name of the tool";
        w.member(member).approximate(name.value, name.at.as_slice(), why);
    }
    w.copy(member, text);
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
fn write_tool(w: &mut Writer<'_>, lowered: &ToolContext<'_, '_>) -> Result<(), Diagnostic> {
    let ToolContext { tool, context, .. } = lowered;
    let (id, name) = (w.member("id"), tool.callable_name());
    match name.at {
        // An id may end with a dot.
        _ if name.value.is_empty() => id.id(tool),
        Some(at) if !at.exact => id.approximate(name.value, &[at], "the last part of the id"),
        at => id.equivalent(name.value, at.as_slice()),
    }
    write_text(w, "name", tool.title.as_ref(), lowered);
    write_text(w, "description", text_of(tool), lowered);
    let tags = tool.package.keywords();
    if tags.is_empty() && !context.same_format {
        w.member("tags").list(|w| w.item().assume(&context.defaults.tag, "the source has no tags"));
    }
    w.tags("tags", tags.into_iter().filter(|_| !context.same_format));
    Ok(())
}
