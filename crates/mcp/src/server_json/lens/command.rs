//! The command that starts a server from its package.
//!
//! Clients run npm packages with `npx`, and packages of the Python index with `uvx`: the
//! arguments of the runtime, the package with its version, its own arguments. A command is
//! lifted only if a client has nothing to choose or to ask for, and if no argument can be
//! mistaken: a name that begins with a dash would be an option of the runtime.

use manifest_core::format::Reader;
use manifest_core::json::Node;
use manifest_core::{Sourced, Text};

use crate::server_json::spellings::{
    ARGUMENTS, BASE_URL, DIGEST, ENVIRONMENT, HINT, REGISTRY, REQUIRED, RUNTIME_ARGUMENTS, member,
};

/// A registry whose packages can be run without installing them first.
struct Runtime {
    registry: &'static str,
    program: &'static str,
    /// The first arguments. They suppress questions.
    quiet_args: &'static [&'static str],
    /// The option for another registry, and the suffix of its URL.
    registry_option: [&'static str; 2],
    is_name: fn(&str) -> bool,
}

static RUNTIMES: [Runtime; 2] = [
    Runtime {
        registry: "npm",
        program: "npx",
        quiet_args: &["-y"],
        registry_option: ["--registry=", ""],
        is_name: |name| {
            let scoped = name.strip_prefix('@').and_then(|name| name.split_once('/'));
            scoped.map_or(is_word(name), |(scope, name)| is_word(scope) && is_word(name))
        },
    },
    Runtime {
        registry: "pypi",
        program: "uvx",
        quiet_args: &[],
        registry_option: ["--default-index=", "/simple"],
        is_name: is_word,
    },
];

/// Returns true if a text is a name or a version that a program cannot take for an option,
/// a path or a URL.
fn is_word(text: &str) -> bool {
    let inner = |b: u8| b.is_ascii_alphanumeric() || b"._-+~!".contains(&b);
    text.as_bytes().first().is_some_and(u8::is_ascii_alphanumeric) && text.bytes().all(inner)
}

/// A string and its node.
type TextNode<'a> = (Text<'a>, Node<'a>);

/// A fixed argument: its value and, if it is a named one, its name.
struct Argument<'a> {
    value: TextNode<'a>,
    name: Option<TextNode<'a>>,
}

/// The parts of a command.
struct CommandParts<'a> {
    runtime: &'static Runtime,
    registry: Node<'a>,
    hint: Option<Node<'a>>,
    base: Option<TextNode<'a>>,
    name: TextNode<'a>,
    version: TextNode<'a>,
    arguments: [Vec<Argument<'a>>; 2],
    /// Values that decide whether there is a command, without being a part of it.
    influences: Vec<Node<'a>>,
}

/// Lifts the command that starts a server from a package, or an empty one. Its entries are
/// not marked as read, because a package cannot be rebuilt from its command.
pub(super) fn lift_command<'a>(
    reader: &mut Reader<'a>,
    package: Node<'a>,
) -> Vec<Sourced<Text<'a>>> {
    let Some(line) = command_parts(package) else { return Vec::new() };
    let CommandParts {
        runtime,
        registry,
        hint,
        base,
        name,
        version,
        arguments,
        influences: deciding,
    } = line;
    let all = reader.add_influences(deciding);
    let kind = reader.add_influences([registry]);
    let parts_of_name = reader.add_influences([registry, version.1]);
    let program = Text::Borrowed(runtime.program);
    let mut words = Vec::new();
    words.push(match hint {
        Some(hint) => unmarked(reader, hint, program).with_influence(all),
        None => reader.inferred(registry, program).with_influence(all),
    });
    for word in runtime.quiet_args {
        words.push(reader.inferred(registry, Text::Borrowed(*word)).with_influence(kind));
    }
    if let Some((url, base)) = base {
        let [option, path] = runtime.registry_option;
        let word = format!("{option}{}{path}", url.trim_end_matches('/'));
        words.push(reader.inferred(base, Text::Owned(word)).with_influence(kind));
    }
    let [before, after] = arguments
        .map(|list| list.into_iter().map(|one| lift_argument(reader, one)).collect::<Vec<_>>());
    words.extend(before);
    let package = format!("{}@{}", name.0, version.0);
    words.push(reader.inferred(name.1, Text::Owned(package)).with_influence(parts_of_name));
    words.extend(after);
    words
}

/// Returns a verbatim value without marking its entry as read.
fn unmarked<'a>(reader: &Reader<'a>, node: Node<'a>, text: Text<'a>) -> Sourced<Text<'a>> {
    Sourced { value: text, at: Some(reader.place(node)) }
}

fn lift_argument<'a>(reader: &mut Reader<'a>, argument: Argument<'a>) -> Sourced<Text<'a>> {
    let Argument { value: (value, node), name } = argument;
    let Some((name, name_node)) = name else { return unmarked(reader, node, value) };
    let by = reader.add_influences([name_node]);
    reader.inferred(node, Text::Owned(format!("{name}={value}"))).with_influence(by)
}

/// Returns a string with its node, or `None` for other values.
fn text_node(node: Node<'_>) -> Option<TextNode<'_>> {
    Some((node.text()?, node))
}

fn command_parts(package: Node<'_>) -> Option<CommandParts<'_>> {
    let registry = member(package, &REGISTRY)?;
    let kind = registry.text()?;
    let runtime = RUNTIMES.iter().find(|runtime| runtime.registry == kind)?;
    let transport = package.get("transport")?.get("type")?;
    let name = text_node(package.get("identifier")?)?;
    let version = text_node(package.get("version")?)?;
    let hint = member(package, &HINT);
    let base = match member(package, &BASE_URL) {
        Some(base) => Some(text_node(base)?),
        None => None,
    };
    let is_secure = |text: &str| {
        let inner = |b: u8| b.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&b);
        text.starts_with("https://") && text.bytes().all(inner)
    };
    let told = transport.text().is_some_and(|kind| kind == "stdio")
        && (runtime.is_name)(&name.0)
        && is_word(&version.0)
        && version.0.starts_with(|c: char| c.is_ascii_digit())
        && hint.is_none_or(|hint| hint.text().is_some_and(|hint| hint == runtime.program))
        && base.as_ref().is_none_or(|(url, _)| is_secure(url))
        // A runtime that gets a package by name cannot check its digest.
        && member(package, &DIGEST).is_none()
        && has_no_fixed_variable(package);
    let mut deciding: Vec<Node<'_>> = vec![registry, transport];
    let mut list = |names| fixed_arguments(member(package, names), &mut deciding);
    let arguments = [list(&RUNTIME_ARGUMENTS)?, list(&ARGUMENTS)?];
    told.then_some(CommandParts {
        runtime,
        registry,
        hint,
        base,
        name,
        version,
        arguments,
        influences: deciding,
    })
}

/// Returns true if no environment variable of a package has a fixed value.
fn has_no_fixed_variable(package: Node<'_>) -> bool {
    let mut variables = member(package, &ENVIRONMENT).into_iter().flat_map(Node::elements);
    variables.all(|one| one.get("value").is_none())
}

/// Returns the fixed arguments, without the optional ones. Returns `None` if a user must
/// give an argument, or a client fills one in.
fn fixed_arguments<'a>(
    list: Option<Node<'a>>,
    deciding: &mut Vec<Node<'a>>,
) -> Option<Vec<Argument<'a>>> {
    let mut fixed = Vec::new();
    for node in list.into_iter().flat_map(Node::elements) {
        let required = member(node, &REQUIRED);
        let kind = node.get("type")?;
        match node.get("value") {
            _ if node.get("variables").is_some() => return None,
            Some(value) => {
                let value = text_node(value)?;
                if value.0.contains('{') {
                    return None;
                }
                let name = match node.get("name") {
                    Some(name) if kind.text().as_deref() == Some("named") => Some(text_node(name)?),
                    _ => None,
                };
                deciding.push(kind);
                fixed.push(Argument { value, name });
            }
            None if node.get("default").is_some() => return None,
            None if required.and_then(Node::bool) == Some(true) => return None,
            None => deciding.extend(required),
        }
    }
    Some(fixed)
}
