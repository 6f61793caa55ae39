//! Lift and lower.
//!
//! | descriptor | `manifest.json` | note |
//! |---|---|---|
//! | `package.id` | `name` | the id of a tool that has no package |
//! | `package.title`, `summary`, `description` | `display_name`, `description`, `long_description` | of a tool that has no package, its own; its name, where a summary or title is missing |
//! | `package.version` | `version` | required, and assumed where nothing is said |
//! | `package.publisher` | `author` | the same |
//! | `package.tags`, `homepage`, `license`, `support` | `keywords`, `homepage`, `license`, `documentation`, `support` | |
//! | `id`, `name` | `tools[].name` | the id is the bundle's name and the tool's |
//! | `description` | `tools[].description` | |
//! | `invocation.mcp_tool` | `server.mcp_config` | the server is a file of its bundle: that of any other tool is `toolglot mcp` |
//! | `package.env` | names of `server.mcp_config.env` | |
//!
//! Everything else has no home in a descriptor, and stays where it is. A server with
//! `platform_overrides` is started in several ways, and none of them is lifted. A bundle
//! that lists no tools is one tool, which nobody knows how to call.

use std::sync::Arc;

use manifest_core::descriptor::{EnvVar, Invocation, McpTool, Package, Publisher, Support};
use manifest_core::format::{
    BridgeWord, Calling, Contract, Holds, Reader, Says, Tool, Unit, Words, Writer, file_name,
};
use manifest_core::json::{Node, Raw};
use manifest_core::table::{self, entries_of};
use manifest_core::{Detected, Diagnostic, Format, Lifted, Sourced, Text, ToolDescriptor};

use crate::meaning::validate;
use crate::table::{AUTHOR, CONFIG, MANIFEST, SERVER, TABLE, TOOL};

/// The format, for conversion.
pub static FORMAT: Format = Format {
    name: "mcpb",
    versions: &["0.3"],
    tables: &[&TABLE],
    rules: crate::rules::RULES,
    holds: Holds::Package,
    catalog: None,
    keys: &["name"],
    words: Words::NONE,
    detect,
    look_alike: |_| None,
    check: validate,
    read,
    says: |_| Says::Bridge,
    contract,
    unnamed: |tool| tool.package.env.iter().filter(|variable| variable.is_secret()).collect(),
    file: |tools| {
        let name = tools.first().map(|tool| tool.package.id.as_ref().unwrap_or(&tool.id));
        format!("{}.mcpb", file_name(name.map_or("bundle", |name| name.as_ref())))
    },
    frame,
    entry,
    bridge_needs: "`toolglot` on the search path",
    host_needs: "",
};

fn detect(root: Node<'_>) -> Option<Detected> {
    let version = root.get("manifest_version").or(root.get("dxt_version"))?;
    root.get("server").filter(|server| server.is_object())?;
    Some(Detected {
        version: version.text().map(Text::into_owned),
        evidence: vec!["`manifest_version` is there", "`server` is an object"],
    })
}

/// What a host does around a call: what MCP says.
fn contract(_: &ToolDescriptor<'_>) -> Contract {
    Contract {
        unnamed: "passed on",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "that of the host, and the variables that are named",
        directory: "that of the host",
        timeout: Contract::NOT_SAID,
        result: "the content of the result",
        failure: "a result that says it is an error",
        calling: Calling::PLAIN,
    }
}

#[rustfmt::skip] // one name for each member of the table
fn read<'a>(reader: &mut Reader<'a>) -> Lifted<'a> {
    let root = reader.root();
    let [
        _schema, _dxt_version, _manifest_version, name, display_name, version, description,
        long_description, author, _repository, homepage, documentation, support, _icon, _icons,
        _screenshots, _localization, server, tools, _tools_generated, _prompts,
        _prompts_generated, keywords, license, _privacy_policies, _compatibility, _user_config,
        _meta,
    ] = table::entries(root, &MANIFEST);
    let [author, email, url] = entries_of(author, &AUTHOR);
    let [_type, _entry_point, config] = entries_of(server, &SERVER);
    let [command, args, env, overrides] = entries_of(config, &CONFIG);
    let [command, args] = [command, args].map(|node| node.filter(|_| overrides.is_none()));
    // Its value may come from the user, and may be secret.
    let variable = |name: Text<'a>| EnvVar { name: name.into(), ..EnvVar::default() };
    let listed = tools.is_some_and(|tools| tools.elements().next().is_some());
    let about = [display_name, description, long_description].map(|node| reader.text(node));
    let (about, whole) = if listed { (about, None) } else { (<_>::default(), Some(about)) };
    let [title, summary, description] = about;
    let package = Arc::new(Package {
        at: Some(reader.place(root)),
        id: reader.text(name),
        title,
        summary,
        description,
        version: reader.text(version),
        tags: reader.texts(keywords),
        publisher: Publisher {
            id: None,
            name: reader.text(author),
            url: reader.text(url),
            email: reader.text(email),
        },
        homepage: reader.text(homepage),
        license: reader.text(license),
        support: Support {
            issues_url: reader.text(support),
            security_email: None,
            docs_url: reader.text(documentation),
        },
        command: reader.text(command).into_iter().chain(reader.texts(args)).collect(),
        env: env.into_iter().flat_map(Node::members).map(|one| variable(one.name())).collect(),
        ..Package::default()
    });
    let tools = tools.into_iter().flat_map(Node::elements);
    let mut tools: Vec<_> = tools.map(|node| lift(reader, node, &package)).collect();
    // Without a list, the bundle is known as a whole.
    if let Some([title, summary, description]) = whole {
        let (at, id) = (package.at, package.id.clone().unwrap_or_default());
        let whole = ToolDescriptor { at, id, title, summary, description, ..<_>::default() };
        tools.push(ToolDescriptor { package, ..whole });
    }
    Lifted { tools, ..Lifted::default() }
}

fn lift<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    package: &Arc<Package<'a>>,
) -> ToolDescriptor<'a> {
    let [name, description] = table::entries(node, &TOOL);
    let bundle = package.id.as_ref().map_or("", |id| id.as_ref());
    let id = name.map(|node| {
        let name = node.text().unwrap_or_default();
        reader.derived(node, Text::Owned(format!("{bundle}.{name}")))
    });
    let name = reader.text(name);
    let tool = name.clone().filter(|_| !package.command.is_empty());
    let argv = package.command.clone();
    let call = |tool| Invocation::McpTool(McpTool { tool, argv, cwd: None, url: None }).into();
    ToolDescriptor {
        at: Some(reader.place(node)),
        id: id.unwrap_or_default(),
        name,
        description: reader.text(description),
        invocation: tool.map(call),
        package: Arc::clone(package),
        ..ToolDescriptor::default()
    }
}

fn frame(w: &mut Writer<'_>, unit: &Unit<'_, '_>) -> Result<(), Diagnostic> {
    let Some(tool) = unit.tools.first() else { return Ok(()) };
    let (package, own) = (&tool.package, unit.context.own);
    let whole = own && tool.name.is_none();
    if own {
        as_it_was(w, unit, &["dxt_version", "manifest_version"]);
    } else {
        w.member("manifest_version").assume("0.3", "it is the version that is written");
    }
    match &package.id {
        Some(id) if !whole => w.member("name").copy(id),
        _ => w.member("name").id(tool),
    }
    let (version, why) = (&unit.context.defaults.version, "the source has no version");
    required(w, "version", package.version.as_ref(), own, (version, why));
    write_about(w, tool, own);
    w.some_object("author", |w| {
        let Publisher { id, name, url, email } = &package.publisher;
        let name = name.as_ref().or(id.as_ref().filter(|_| !own));
        required(w, "name", name, own, ("unknown", "the source names no author"));
        w.copy("email", email.as_ref());
        w.copy("url", url.as_ref());
    });
    w.copy("homepage", package.homepage.as_ref());
    w.copy("documentation", package.support.docs_url.as_ref());
    w.copy("support", package.support.issues_url.as_ref());
    if own {
        as_it_was(w, unit, &["server"]);
    } else {
        w.member("server").object(|w| write_server(w, unit));
    }
    if !whole {
        unit.entries(w, "tools")?;
    }
    w.words("keywords", package.words());
    w.copy("license", package.license.as_ref());
    Ok(())
}

/// What must be there. An edit may have taken it away: then nothing is put in its place.
fn required(
    w: &mut Writer<'_>,
    name: &str,
    said: Option<&Sourced<Text<'_>>>,
    own: bool,
    (assumed, why): (&str, &'static str),
) {
    match said {
        None if !own => w.member(name).assume(assumed, why),
        said => w.copy(name, said),
    }
}

/// What is said of the bundle. A tool that has no package is all of its bundle.
fn write_about(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>, own: bool) {
    let package = &tool.package;
    let lone = tool.name.is_none() || package.id.is_none();
    let name = tool.callable_name();
    let title = package.title.as_ref().or(tool.title.as_ref().filter(|_| lone));
    let summary = package.summary.as_ref().or(tool.summary.as_ref().filter(|_| lone));
    for (member, said, needed) in [("display_name", title, lone), ("description", summary, true)] {
        if said.is_some() || own || !needed {
            w.copy(member, said);
        } else {
            let why = "the source says nothing of the kind: this is the name of the tool";
            w.member(member).approximate(name.value, name.at.as_slice(), why);
        }
    }
    let long = tool.description.as_ref().filter(|_| own && lone);
    w.copy("long_description", package.description.as_ref().or(long));
}

/// Members of the source that are needed, and that descriptors have no words for.
fn as_it_was(w: &mut Writer<'_>, unit: &Unit<'_, '_>, names: &[&str]) {
    let at = unit.tools.first().and_then(|tool| tool.package.at);
    let Some((root, at)) = at.and_then(|at| Some((unit.context.node(at)?, at))) else { return };
    for name in names {
        if let Some(node) = root.get(name) {
            w.member(name).copy(&Sourced { value: Raw::from_node(node), at: Some(at.of(node)) });
        }
    }
}

/// A server that has these tools of the source, and makes their calls.
fn write_server(w: &mut Writer<'_>, unit: &Unit<'_, '_>) {
    w.member("type").bridge("binary");
    w.member("entry_point").bridge("toolglot");
    w.member("mcp_config").object(|w| {
        w.member("command").bridge("toolglot");
        // The line names the format and the source once, then each tool.
        let mut line = vec![BridgeWord::fixed("mcp")];
        for (index, tool) in unit.tools.iter().enumerate() {
            let said = if index == 0 { 2 } else { 6 };
            line.extend(unit.context.bridge(tool).into_iter().skip(said));
        }
        w.member("args").list(|w| BridgeWord::write_all(&line, w));
    });
}

#[allow(clippy::unnecessary_wraps)] // other formats refuse tools
fn entry(w: &mut Writer<'_>, Tool { tool, .. }: &Tool<'_, '_>) -> Result<(), Diagnostic> {
    let name = tool.callable_name();
    match (&tool.name, name.at) {
        (Some(name), _) => w.member("name").copy(name),
        (None, Some(at)) if !at.exact => {
            w.member("name").approximate(name.value, &[at], "the last part of the id");
        }
        (None, at) => w.member("name").same(name.value, at.as_slice()),
    }
    w.copy("description", tool.description.as_ref());
    Ok(())
}
