//! Every rule, and the checks.
//!
//! Messages that begin with `tool[` are those of the reference, to the letter.

use std::cell::LazyCell;
use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::{Depth, Profile, Report, Rule, Severity, Validate, is_plain_text, quoted};

use crate::command::{self, normalised};
use crate::env::{self, BadName};
use crate::go::quote;
use crate::manifest::{Manifest, Reader, Tool};
use crate::unmarshal;

/// Every rule of this format.
pub static RULES: &[&Rule] = &[
    &NAME_REQUIRED,
    &DUPLICATE_NAME,
    &COMMAND_EMPTY,
    &ENV_NAME,
    &COMMAND_ESCAPE,
    &COMMAND_PREFIX,
    &COMMAND_LENGTH,
    &COMMAND_TRAILING,
    &CONTROL_CHARACTER,
    &SCHEMA_TYPE,
    &NO_TOOLS,
    &FUNCTION_NAME,
    &NEGATIVE_TIMEOUT,
    &ABSOLUTE_COMMAND,
    &UNUSUAL_PATH,
    &DANGEROUS_ENV,
];

const fn error(
    code: &'static str,
    depth: Depth,
    summary: &'static str,
    explanation: &'static str,
) -> Rule {
    Rule { code, severity: Severity::Error, depth, summary, explanation }
}

const fn advice(code: &'static str, summary: &'static str, explanation: &'static str) -> Rule {
    Rule { code, severity: Severity::Warning, depth: Depth::Advice, summary, explanation }
}

/// A tool has no name.
pub static NAME_REQUIRED: Rule = error(
    "tools-json/name-required",
    Depth::Structure,
    "a tool must have a name",
    "The name is what the model calls. Give every tool one that is not empty.",
);
/// Two tools have the same name.
pub static DUPLICATE_NAME: Rule = error(
    "tools-json/duplicate-name",
    Depth::Meaning,
    "two tools must not have the same name",
    "The model calls a tool by its name, so the name must decide which tool runs.",
);
/// A tool has no command.
pub static COMMAND_EMPTY: Rule = error(
    "tools-json/command-empty",
    Depth::Structure,
    "a tool must have a command with at least a program",
    "`command` is a list: the program first, then its fixed arguments.",
);
/// The name of an environment variable is not one.
pub static ENV_NAME: Rule = error(
    "tools-json/env-name",
    Depth::Meaning,
    "a passed environment variable must be named [A-Z_][A-Z0-9_]*",
    "Names are trimmed and put into upper case first. Only ASCII letters, digits and the \
     underscore may be in them.",
);
/// A relative program path leaves the folder of programs.
pub static COMMAND_ESCAPE: Rule = error(
    "tools-json/command-escape",
    Depth::Meaning,
    "a relative program must be inside ./tools/bin",
    "After `.` and `..` are resolved, and backslashes are read as slashes, the path must name \
     something inside ./tools/bin: otherwise a manifest could run any program of the host.",
);
/// A relative program path is not in the folder of programs.
pub static COMMAND_PREFIX: Rule = error(
    "tools-json/command-prefix",
    Depth::Meaning,
    "a relative program must be written as ./tools/bin/NAME",
    "Programs are found in ./tools/bin beside the manifest, never on the search path. Under the \
     `reference` profile other spellings of the same place pass.",
);
/// A command is too long.
pub static COMMAND_LENGTH: Rule = error(
    "tools-json/command-length",
    Depth::Structure,
    "a command must not have more elements than the limit",
    "The limit is `Limits::arguments`.",
);
/// A control or invisible character where a program would be misled.
pub static CONTROL_CHARACTER: Rule = error(
    "tools-json/control-character",
    Depth::Meaning,
    "names, programs and arguments must not hold control characters, nor programs invisible ones",
    "A NUL ends a string for the operating system, and characters that do not show make one path \
     look like another.",
);
/// A program whose name ends with a dot or a space.
pub static COMMAND_TRAILING: Rule = error(
    "tools-json/command-trailing",
    Depth::Meaning,
    "a program must not end with a dot or a space",
    "Some file systems drop them, so that the path would name another file there.",
);
/// A schema is not an object.
pub static SCHEMA_TYPE: Rule = error(
    "tools-json/schema-type",
    Depth::Structure,
    "a schema must be an object",
    "The schema is given to the model as the parameters of a function. Providers take objects only.",
);
/// There are no tools.
pub static NO_TOOLS: Rule = advice(
    "tools-json/no-tools",
    "a manifest should have at least one tool",
    "The manifest loads and offers nothing.",
);
/// A name that model providers refuse.
pub static FUNCTION_NAME: Rule = advice(
    "tools-json/function-name",
    "a name should match [a-zA-Z0-9_-]{1,64}",
    "The name is sent to the model's provider as the name of a function, and providers refuse \
     others.",
);
/// A time-out below zero.
pub static NEGATIVE_TIMEOUT: Rule = advice(
    "tools-json/negative-timeout",
    "a time-out should not be negative",
    "Zero and less mean the caller's default. Leave the member out instead.",
);
/// A program outside the manifest's folder.
pub static ABSOLUTE_COMMAND: Rule = advice(
    "tools-json/absolute-command",
    "a program should be inside ./tools/bin",
    "An absolute path runs a program that the manifest's author did not ship, and works on some \
     hosts only.",
);
/// A path that is not written the shortest way.
pub static UNUSUAL_PATH: Rule = advice(
    "tools-json/unusual-path",
    "a program path should be written the shortest way",
    "`//`, `.`, `..` and backslashes are resolved before use. Write the path that comes out.",
);
/// An environment variable that changes what runs.
pub static DANGEROUS_ENV: Rule = advice(
    "tools-json/dangerous-env",
    "variables that change what code runs should not be passed on",
    "Whoever sets the variable decides what the tool loads. `PATH` is set anyway.",
);

/// Checks a document.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let (_, report) = examine(document.root(), options);
    report
}

/// Reads a document and checks it.
pub(crate) fn examine<'a>(root: Node<'a>, options: &Validate) -> (Manifest<'a>, Report) {
    let mut report = Report::new(options.profile, options.limits.diagnostics);
    let mut reader = Reader { report: &mut report, profile: options.profile };
    let manifest = reader.manifest(root);
    // The reference does not get further when the shape is wrong.
    if options.profile == Profile::Reference && !report.is_valid() {
        unmarshal::reword(&mut report, root);
        return (manifest, report);
    }
    let nodes = member(root, "tools", options.profile).into_iter().flat_map(Node::elements);
    let mut check = Check { report: &mut report, options, repeated: repeated(&manifest.tools) };
    for (index, (tool, node)) in manifest.tools.iter().zip(nodes).enumerate() {
        check.tool(index, tool, node);
    }
    if manifest.tools.is_empty() && report.is_valid() && options.depth >= Depth::Advice {
        report.push(NO_TOOLS.at(root, "there are no tools"));
    }
    if options.depth < Depth::Advice || options.profile == Profile::Reference {
        report.diagnostics.retain(|d| d.rule.depth < Depth::Advice);
    }
    (manifest, report)
}

/// The tools whose name an earlier one has.
fn repeated(tools: &[Tool<'_>]) -> BTreeSet<usize> {
    let mut prints: Vec<u64> = tools.iter().map(|tool| fingerprint(&tool.name)).collect();
    prints.sort_unstable();
    if prints.iter().zip(prints.iter().skip(1)).all(|(a, b)| a != b) {
        return BTreeSet::new();
    }
    // Some are equal, or look it: compare the names themselves.
    let named = tools.iter().enumerate().filter(|(_, tool)| !tool.name.is_empty());
    let mut names: Vec<(&str, usize)> = named.map(|(i, tool)| (tool.name.as_ref(), i)).collect();
    names.sort_unstable();
    let pairs = names.iter().zip(names.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(_, again)| again.1).collect()
}

/// A number that is the same for equal names, and rarely for others.
fn fingerprint(name: &str) -> u64 {
    name.bytes().fold(name.len() as u64, |print, byte| {
        (print ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A member by name, in any case where the reference would take it.
fn member<'a>(node: Node<'a>, name: &str, profile: Profile) -> Option<Node<'a>> {
    let fold =
        |found: &str| profile == Profile::Reference && manifest_core::read::equal_fold(found, name);
    node.members().find(|m| m.is(name) || fold(&m.name())).map(|m| m.value)
}

struct Check<'o> {
    report: &'o mut Report,
    options: &'o Validate,
    /// The tools whose name an earlier one has.
    repeated: BTreeSet<usize>,
}

/// A tool, where it stands, and how its problems begin.
struct Place<'a> {
    index: usize,
    tool: &'a Tool<'a>,
    node: Node<'a>,
    profile: Profile,
}

impl<'a> Place<'a> {
    /// The node of a member, or of the tool when it has none.
    fn of(&self, name: &str) -> Node<'a> {
        member(self.node, name, self.profile).unwrap_or(self.node)
    }

    /// The elements of a member, collected when the first one is asked for.
    fn elements(&self, name: &str) -> LazyCell<Vec<Node<'a>>, impl FnOnce() -> Vec<Node<'a>>> {
        LazyCell::new(move || self.of(name).elements().collect())
    }

    /// A message as the reference words it.
    fn message(&self, text: &str) -> String {
        format!("tool[{}] {}: {text}", self.index, quote(&self.tool.name))
    }

    /// Whether a member is there with a wrong type, which has been reported.
    fn is_reported(&self, name: &str, right: fn(Node<'_>) -> bool) -> bool {
        self.profile != Profile::Reference
            && member(self.node, name, self.profile).is_some_and(|value| !right(value))
    }
}

fn is_text(node: Node<'_>) -> bool {
    node.text().is_some()
}

fn is_texts(node: Node<'_>) -> bool {
    node.is_array() && node.elements().all(is_text)
}

impl Check<'_> {
    /// The checks in the order of the reference, so that its error comes first.
    fn tool<'m>(&mut self, index: usize, tool: &'m Tool<'m>, node: Node<'m>) {
        let profile = self.options.profile;
        if profile != Profile::Reference && !node.is_object() {
            return; // which has been reported
        }
        let place = Place { index, tool, node, profile };
        if tool.name.is_empty() && !place.is_reported("name", is_text) {
            let message = format!("tool[{index}]: name is required");
            self.report.push(NAME_REQUIRED.at(place.of("name"), message));
            if profile == Profile::Reference {
                return;
            }
        }
        if self.repeated.contains(&index) {
            let message = place.message("duplicate name");
            self.report.push(DUPLICATE_NAME.at(place.of("name"), message));
        }
        if tool.command.is_empty() && !place.is_reported("command", is_texts) {
            let message = place.message("command must have at least program name");
            self.report.push(COMMAND_EMPTY.at(place.of("command"), message));
        }
        if self.options.depth >= Depth::Meaning {
            self.env(&place);
            self.command(&place);
        }
        if profile == Profile::Reference {
            return;
        }
        self.schema(&place);
        if self.options.depth >= Depth::Meaning {
            self.characters(&place);
        }
        if self.options.depth >= Depth::Advice {
            self.advise(&place);
        }
    }

    fn env(&mut self, place: &Place<'_>) {
        let nodes = place.elements("envPassthrough");
        for (index, name) in place.tool.env_passthrough.iter().enumerate() {
            let message = match env::normalise(name, self.options.profile) {
                Ok(_) => continue,
                Err(BadName::Empty) => "empty name".to_owned(),
                Err(BadName::Invalid) => {
                    format!("invalid name {} (must match [A-Z_][A-Z0-9_]*)", quote(name))
                }
            };
            let message = place.message(&format!("envPassthrough[{index}]: {message}"));
            let node = nodes.get(index).copied().unwrap_or(place.node);
            self.report.push(ENV_NAME.at(node, message));
        }
    }

    fn command(&mut self, place: &Place<'_>) {
        let Some(program) = place.tool.command.first() else {
            return;
        };
        if let Err((rule, message)) = command::check(program, self.options.profile) {
            let list = place.of("command");
            let node = list.elements().next().unwrap_or(list);
            self.report.push(rule.at(node, place.message(&message)));
        }
        let (count, limit) = (place.tool.command.len(), self.options.limits.arguments);
        if self.options.profile != Profile::Reference && count > limit {
            let message = format!("{count} elements, more than the {limit} allowed");
            self.report.push(COMMAND_LENGTH.at(place.of("command"), message));
        }
    }

    fn schema(&mut self, place: &Place<'_>) {
        if place.tool.schema.is_none() {
            return;
        }
        let node = place.of("schema");
        if !node.is_object() {
            let message = format!("expected an object, found {}", node.kind().described());
            self.report.push(SCHEMA_TYPE.at(node, message));
        } else if self.options.depth >= Depth::Meaning {
            for diagnostic in manifest_core::schema::check(node, &self.options.limits) {
                self.report.push(diagnostic);
            }
        }
    }

    fn characters(&mut self, place: &Place<'_>) {
        let mut refuse =
            |rule: &'static Rule, node: Node<'_>, what: &str, text: &str, why: &str| {
                self.report.push(rule.at(node, format!("{what} {} {why}", quoted(text))));
            };
        let hidden = "holds a character that does not show";
        let name = &place.tool.name;
        if !is_plain_text(name) && name.chars().any(char::is_control) {
            refuse(&CONTROL_CHARACTER, place.of("name"), "the name", name, hidden);
        }
        let nodes = place.elements("command");
        for (index, text) in place.tool.command.iter().enumerate() {
            let node = || nodes.get(index).copied().unwrap_or(place.node);
            if index == 0 && !is_plain_text(text) {
                refuse(&CONTROL_CHARACTER, node(), "the program", text, hidden);
            } else if text.contains('\0') {
                // Line breaks are ordinary in arguments; a NUL ends the argument.
                refuse(&CONTROL_CHARACTER, node(), "the argument", text, hidden);
            }
            if index == 0 && text.ends_with([' ', '.']) {
                refuse(
                    &COMMAND_TRAILING,
                    node(),
                    "the program",
                    text,
                    "ends with a dot or a space",
                );
            }
        }
    }

    fn advise(&mut self, place: &Place<'_>) {
        let tool = place.tool;
        let plain = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
        if !tool.name.is_empty() && (tool.name.len() > 64 || !tool.name.bytes().all(plain)) {
            let message = format!("{} is not a name that providers take", quoted(&tool.name));
            self.report.push(FUNCTION_NAME.at(place.of("name"), message));
        }
        if tool.timeout_sec.is_some_and(|seconds| seconds < 0) {
            self.report
                .push(NEGATIVE_TIMEOUT.at(place.of("timeoutSec"), "the time-out is negative"));
        }
        if let Some(program) =
            tool.command.first().filter(|program| !command::is_canonical(program))
        {
            let normal = normalised(program);
            let node = || place.of("command").elements().next().unwrap_or(place.node);
            if program.starts_with('/') {
                let message = format!("{} is an absolute path", quoted(program));
                self.report.push(ABSOLUTE_COMMAND.at(node(), message));
            } else if *program != normal && command::check(program, self.options.profile).is_ok() {
                let message =
                    format!("{} is a longer way to write {}", quoted(program), quoted(&normal));
                let diagnostic = UNUSUAL_PATH.at(node(), message);
                self.report.push(diagnostic.help(format!("write {}", quoted(&normal))));
            }
        }
        let nodes = place.elements("envPassthrough");
        for (index, name) in tool.env_passthrough.iter().enumerate() {
            let name = env::normalise(name, self.options.profile).unwrap_or_default();
            if env::is_dangerous(&name) {
                let message = format!("{} decides what code the tool runs", quoted(&name));
                let node = nodes.get(index).copied().unwrap_or(place.node);
                self.report.push(DANGEROUS_ENV.at(node, message));
            }
        }
    }
}
