//! Lifts a manifest to descriptors.
//!
//! A call is lifted if a descriptor can express everything that starts the server: one
//! command for all systems, in which a host fills in only the folder of the bundle, and
//! variables that the user is asked for. Any other server is lifted without a command,
//! never with a part of it.

use std::sync::Arc;

use manifest_core::descriptor::{
    Invocation, Kind, McpTool, Package, Publisher, SharedArgv, Support,
};
use manifest_core::format::Reader;
use manifest_core::json::Node;
use manifest_core::table::{self, member_values_if_any};
use manifest_core::{LiftedDocument, Sourced, Text, ToolDescriptor};

use super::settings::lift_variables;
use crate::mcpb::table::{AUTHOR, CONFIG, MANIFEST, SERVER, TOOL};
use crate::mcpb::variables::{Piece, pieces, relative_to_bundle, sole_setting};

type Entry<'a> = Option<Node<'a>>;

/// A title, a summary and a description.
type About<'a> = [Option<Sourced<Text<'a>>>; 3];

#[rustfmt::skip] // one name for each member of the table
pub(super) fn read<'a>(reader: &mut Reader<'a>) -> LiftedDocument<'a> {
    let root = reader.root();
    let [
        _schema, _dxt_version, _manifest_version, name, display_name, version, description,
        long_description, author, _repository, homepage, documentation, support, _icon, _icons,
        _screenshots, _localization, server, tools, _tools_generated, _prompts,
        _prompts_generated, keywords, license, _privacy_policies, _compatibility, user_config,
        _meta,
    ] = table::member_values(root, &MANIFEST);
    let [_type, _, _entry_point, config, _] = member_values_if_any(server, &SERVER);
    let [.., env, _] = member_values_if_any(config, &CONFIG);
    let listed = tools.is_some_and(|tools| tools.elements().next().is_some());
    let about = [display_name, description, long_description].map(|node| reader.text(node));
    let (command, cwd) = lift_command(reader, config);
    let command: SharedArgv<'_> = command.into();
    let call = McpTool { tool: <_>::default(), argv: command.clone(), cwd: None, url: None };
    let is_bridge = Invocation::McpTool(call).is_pinned();
    // If the bundle lists no tools, its texts are those of its server. In a bridge they
    // stay those of the bundle.
    let own = <About<'a>>::default;
    let ([title, summary, description], about) =
        if listed || is_bridge { (about, own()) } else { (own(), about) };
    let package = Arc::new(Package {
        at: Some(reader.place(root)),
        id: reader.text(name),
        namespace: None,
        title,
        summary,
        description,
        version: reader.text(version),
        tags: reader.texts(keywords),
        labels: Vec::new(),
        publisher: lift_publisher(reader, author),
        homepage: reader.text(homepage),
        license: reader.text(license),
        support: Support {
            issues_url: reader.text(support),
            security_email: None,
            docs_url: reader.text(documentation),
        },
        acquisition: None,
        command,
        cwd,
        url: None,
        env: lift_variables(reader, env, user_config, is_bridge),
        scopes: Vec::new(),
        smoke: None,
        verify: None,
        revocation: None,
        cost: <_>::default(),
        data_boundary: None,
    });
    let tools = if listed {
        let nodes = tools.into_iter().flat_map(Node::elements);
        nodes.map(|node| lift_tool(reader, node, &package)).collect()
    } else {
        vec![lift_server(about, package)]
    };
    LiftedDocument { tools, ..LiftedDocument::default() }
}

fn lift_publisher<'a>(reader: &mut Reader<'a>, author: Entry<'a>) -> Publisher<'a> {
    let [name, email, url] = member_values_if_any(author, &AUTHOR);
    Publisher {
        id: None,
        name: reader.text(name),
        url: reader.text(url),
        email: reader.text(email),
    }
}

/// A command and its working directory.
type CommandLine<'a> = (Vec<Sourced<Text<'a>>>, Option<Sourced<Text<'a>>>);

/// Lifts the command that starts the server and its working directory. Both are empty if a
/// descriptor cannot express all of it.
fn lift_command<'a>(reader: &mut Reader<'a>, config: Entry<'a>) -> CommandLine<'a> {
    let [command, args, env, overrides] = member_values_if_any(config, &CONFIG);
    let nodes: Vec<Node<'a>> =
        command.into_iter().chain(args.into_iter().flat_map(Node::elements)).collect();
    let words: Option<Vec<(Node<'a>, Text<'a>, String)>> = nodes
        .into_iter()
        .map(|node| {
            let text = node.text()?;
            let word = relative_to_bundle(&text)?;
            Some((node, text, word))
        })
        .collect();
    let asked = |value: Node<'_>| value.text().is_some_and(|text| sole_setting(&text).is_some());
    let given = env.into_iter().flat_map(Node::members).all(|variable| asked(variable.value));
    let Some(words) = words.filter(|_| overrides.is_none() && given) else {
        return (Vec::new(), None);
    };
    let in_the_bundle = |text: &str| pieces(text).any(|piece| piece == Piece::Folder);
    let inside = words.iter().any(|(_, text, _)| in_the_bundle(text));
    let read = |(node, text, word): (Node<'a>, Text<'a>, String)| {
        if *text == *word {
            return reader.required_text(Some(node));
        }
        reader.derived(node, Text::Owned(word))
    };
    // The format has no working directory. If an argument names the folder of the bundle,
    // the arguments become relative to it, and the command runs there.
    let cwd = inside.then(|| Text::Borrowed(".").into());
    (words.into_iter().map(read).collect(), cwd)
}

/// Lifts a bundle that lists no tools: a server with unknown tools.
fn lift_server<'a>(
    [title, summary, description]: About<'a>,
    package: Arc<Package<'a>>,
) -> ToolDescriptor<'a> {
    // A document is also read before it is checked: the id is then empty.
    let (at, id) = (package.at, package.id.clone().unwrap_or_default());
    let (argv, cwd) = (package.command.clone(), package.cwd.clone());
    let server = Invocation::McpTool(McpTool { tool: id.clone(), argv, cwd, url: None });
    // A bridge is not a server of its own.
    let kind = (!server.is_pinned()).then(|| Kind::McpServer.into());
    ToolDescriptor { at, id, title, kind, summary, description, ..ToolDescriptor::empty(package) }
}

fn lift_tool<'a>(
    reader: &mut Reader<'a>,
    node: Node<'a>,
    package: &Arc<Package<'a>>,
) -> ToolDescriptor<'a> {
    let [name, description] = table::member_values(node, &TOOL);
    let id = reader.id_in_package(package.id.as_ref(), name);
    let name = reader.text(name);
    let tool = name.clone().filter(|_| !package.command.is_empty());
    let (argv, cwd) = (package.command.clone(), package.cwd.clone());
    let call = |tool| Invocation::McpTool(McpTool { tool, argv, cwd, url: None }).into();
    ToolDescriptor {
        at: Some(reader.place(node)),
        id,
        name,
        description: reader.text(description),
        invocation: tool.map(call),
        ..ToolDescriptor::empty(Arc::clone(package))
    }
}
