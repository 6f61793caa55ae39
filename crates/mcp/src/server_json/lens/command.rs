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

/// A fixed argument: its value and, if it is a named one, its name.
struct Argument<'a> {
    value: Node<'a>,
    name: Option<Node<'a>>,
}

/// The parts of a command.
struct CommandParts<'a> {
    runtime: &'static Runtime,
    registry: Node<'a>,
    hint: Option<Node<'a>>,
    base: Option<Node<'a>>,
    name: Node<'a>,
    version: Node<'a>,
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
    let parts_of_name = reader.add_influences([registry, version]);
    let program = Text::Borrowed(runtime.program);
    let mut words = Vec::new();
    words.push(match hint {
        Some(hint) => unmarked(reader, hint, program).with_influence(all),
        None => reader.inferred(registry, program).with_influence(all),
    });
    for word in runtime.quiet_args {
        words.push(reader.inferred(registry, Text::Borrowed(*word)).with_influence(kind));
    }
    if let Some(base) = base {
        let [option, path] = runtime.registry_option;
        let url = base.text().unwrap_or_default();
        let word = format!("{option}{}{path}", url.trim_end_matches('/'));
        words.push(reader.inferred(base, Text::Owned(word)).with_influence(kind));
    }
    let [before, after] = arguments
        .map(|list| list.into_iter().map(|one| lift_argument(reader, &one)).collect::<Vec<_>>());
    words.extend(before);
    let text = |node: Node<'a>| node.text().unwrap_or_default();
    let package = format!("{}@{}", text(name), text(version));
    words.push(reader.inferred(name, Text::Owned(package)).with_influence(parts_of_name));
    words.extend(after);
    words
}

/// Returns a verbatim value without marking its entry as read.
fn unmarked<'a>(reader: &Reader<'a>, node: Node<'a>, text: Text<'a>) -> Sourced<Text<'a>> {
    Sourced { value: text, at: Some(reader.place(node)) }
}

fn lift_argument<'a>(reader: &mut Reader<'a>, argument: &Argument<'a>) -> Sourced<Text<'a>> {
    let value = argument.value.text().unwrap_or_default();
    let Some(name) = argument.name else { return unmarked(reader, argument.value, value) };
    let word = format!("{}={value}", name.text().unwrap_or_default());
    let by = reader.add_influences([name]);
    reader.inferred(argument.value, Text::Owned(word)).with_influence(by)
}

fn command_parts(package: Node<'_>) -> Option<CommandParts<'_>> {
    let registry = member(package, &REGISTRY)?;
    let kind = registry.text()?;
    let runtime = RUNTIMES.iter().find(|runtime| runtime.registry == kind)?;
    let transport = package.get("transport")?.get("type")?;
    let (name, version) = (package.get("identifier")?, package.get("version")?);
    let hint = member(package, &HINT);
    let base = member(package, &BASE_URL);
    let is = |node: Node<'_>, check: fn(&str) -> bool| node.text().is_some_and(|text| check(&text));
    let is_secure = |text: &str| {
        let inner = |b: u8| b.is_ascii_alphanumeric() || b"-._~:/[]%".contains(&b);
        text.starts_with("https://") && text.bytes().all(inner)
    };
    let told = is(transport, |text| text == "stdio")
        && is(name, runtime.is_name)
        && is(version, |text| is_word(text) && text.starts_with(|c: char| c.is_ascii_digit()))
        && hint.is_none_or(|hint| hint.text().is_some_and(|hint| hint == runtime.program))
        && base.is_none_or(|base| is(base, is_secure))
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
            Some(value) if value.text()?.contains('{') => return None,
            Some(value) => {
                let name = node.get("name").filter(|_| kind.text().as_deref() == Some("named"));
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
