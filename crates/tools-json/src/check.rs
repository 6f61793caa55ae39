//! The checks.
//!
//! Messages that begin with `tool[` are those of the reference, to the letter.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::{
    ByteSet, Depth, Profile, Report, Validate, is_plain_text, names, quoted, secret,
};

use crate::command::{self, normalised};
use crate::env::{self, BadName};
use crate::go::quote;
use crate::manifest::{Manifest, Reader, Tool, ToolNodes};
use crate::{rules, unmarshal};

/// What providers take in the name of a function.
static PROVIDERS_TAKE: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);

/// What a character that does not show does to a text.
const HIDDEN: &str = "holds a character that does not show";

/// Checks a document.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let (_, report) = examine(document.root(), options);
    report
}

/// Reads a document and checks it.
pub(crate) fn examine<'a>(root: Node<'a>, options: &Validate) -> (Manifest<'a>, Report) {
    let mut report = options.report();
    let mut reader = Reader { report: &mut report, profile: options.profile };
    let (manifest, nodes) = reader.manifest(root);
    // The reference does not get further when the shape is wrong.
    if options.profile == Profile::Reference && !report.is_valid() {
        unmarshal::reword(&mut report, root);
        return (manifest, report);
    }
    let tools = || manifest.tools.iter().map(|tool| tool.name.as_ref());
    let alike = !names::differ(tools());
    let repeated = if alike { repeated(&manifest.tools) } else { BTreeSet::new() };
    if alike {
        let named = tools().zip(&nodes).map(|(name, nodes)| (name, nodes.name.unwrap_or(root)));
        names::check_all(named, &mut report);
    }
    let mut check = Check { report: &mut report, options, repeated };
    for (index, (tool, nodes)) in manifest.tools.iter().zip(nodes).enumerate() {
        let number = options.first.saturating_add(index);
        check.tool(&Place { index, number, tool, nodes });
    }
    if manifest.tools.is_empty() && report.is_valid() {
        report.push(rules::NO_TOOLS.at(root, "there are no tools"));
    }
    let help = "withdraw the secret, and name a variable in \"envPassthrough\"";
    secret::check(&rules::SECRET, root, help, &mut report);
    (manifest, report)
}

/// The tools whose name an earlier one has.
fn repeated(tools: &[Tool<'_>]) -> BTreeSet<usize> {
    let named = tools.iter().enumerate().filter(|(_, tool)| !tool.name.is_empty());
    let mut names: Vec<(&str, usize)> = named.map(|(i, tool)| (tool.name.as_ref(), i)).collect();
    names.sort_unstable();
    let pairs = names.iter().zip(names.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(_, again)| again.1).collect()
}

struct Check<'o> {
    report: &'o mut Report,
    options: &'o Validate,
    /// The tools whose name an earlier one has.
    repeated: BTreeSet<usize>,
}

/// A tool, and where it stands.
struct Place<'a> {
    index: usize,
    /// What messages call it.
    number: usize,
    tool: &'a Tool<'a>,
    nodes: ToolNodes<'a>,
}

impl<'a> Place<'a> {
    /// The node of a member, or of the tool when it has none.
    fn or_tool(&self, member: Option<Node<'a>>) -> Node<'a> {
        member.unwrap_or(self.nodes.tool)
    }

    /// An element of a member. Looked up for what is wrong only.
    fn element(&self, member: Option<Node<'a>>, index: usize) -> Node<'a> {
        let list = self.or_tool(member);
        list.element(index).unwrap_or(list)
    }

    /// A message as the reference words it.
    fn message(&self, text: &str) -> String {
        format!("tool[{}] {}: {text}", self.number, quote(&self.tool.name))
    }
}

impl Check<'_> {
    /// The checks in the order of the reference, so that its error comes first.
    fn tool(&mut self, place: &Place<'_>) {
        let Place { index, number, tool, nodes } = place;
        let profile = self.options.profile;
        if profile != Profile::Reference && !nodes.tool.is_object() {
            return; // which has been reported
        }
        // So has a member that is there with a wrong type.
        let absent = |member: Option<Node<'_>>, right: fn(Node<'_>) -> bool| {
            profile == Profile::Reference || member.is_none_or(right)
        };
        if tool.name.is_empty() && absent(nodes.name, is_text) {
            let message = format!("tool[{number}]: name is required");
            self.report.push(rules::NAME_REQUIRED.at(place.or_tool(nodes.name), message));
            if profile == Profile::Reference {
                return;
            }
        }
        if self.repeated.contains(index) {
            let message = place.message("duplicate name");
            self.report.push(rules::DUPLICATE_NAME.at(place.or_tool(nodes.name), message));
        }
        if tool.command.is_empty() && absent(nodes.command, is_texts) {
            let message = place.message("command must have at least program name");
            self.report.push(rules::COMMAND_EMPTY.at(place.or_tool(nodes.command), message));
        }
        if self.options.depth >= Depth::Meaning {
            self.env(place);
            self.command(place);
        }
        if profile == Profile::Reference {
            return;
        }
        self.schema(place);
        if self.options.depth >= Depth::Meaning {
            self.name(place);
            self.rest(place);
        }
    }

    fn env(&mut self, place: &Place<'_>) {
        for (index, name) in place.tool.env_passthrough.iter().enumerate() {
            let node = || place.element(place.nodes.env, index);
            let message = match env::normalise(name, self.options.profile) {
                Ok(name) => {
                    if env::is_dangerous(&name) {
                        let message = format!("{} decides what code the tool runs", quoted(&name));
                        self.report.push(rules::DANGEROUS_ENV.at(node(), message));
                    }
                    continue;
                }
                Err(BadName::Empty) => "empty name".to_owned(),
                Err(BadName::Invalid) => {
                    format!("invalid name {} (must match [A-Z_][A-Z0-9_]*)", quote(name))
                }
            };
            let message = place.message(&format!("envPassthrough[{index}]: {message}"));
            self.report.push(rules::ENV_NAME.at(node(), message));
        }
    }

    fn command(&mut self, place: &Place<'_>) {
        let (count, limit) = (place.tool.command.len(), self.options.limits.arguments);
        if self.options.profile != Profile::Reference && count > limit {
            let message = format!("{count} elements, more than the {limit} allowed");
            let node = place.or_tool(place.nodes.command);
            self.report.push(rules::COMMAND_LENGTH.at(node, message));
        }
        match place.tool.command.first() {
            Some(program) if !command::is_canonical(program) => self.program(program, place),
            _ => {}
        }
    }

    /// Checks a program that is not simply `./tools/bin/NAME`.
    #[cold]
    fn program(&mut self, program: &str, place: &Place<'_>) {
        let node = place.element(place.nodes.command, 0);
        let shown = quoted(program);
        let refusal = command::check(program, self.options.profile).err();
        let refused = refusal.is_some();
        if let Some((rule, message)) = refusal {
            self.report.push(rule.at(node, place.message(&message)));
        }
        if self.options.profile == Profile::Reference {
            return;
        }
        if !is_plain_text(program) {
            let message = format!("the program {shown} {HIDDEN}");
            self.report.push(rules::CONTROL_CHARACTER.at(node, message));
        }
        if command::has_lost_end(program) {
            let message = format!("the program {shown} ends with a dot or a space");
            self.report.push(rules::COMMAND_TRAILING.at(node, message));
        }
        let normal = normalised(program);
        if program.starts_with('/') {
            let message = format!("{shown} is an absolute path");
            self.report.push(rules::ABSOLUTE_COMMAND.at(node, message));
        } else if *program != normal && !refused {
            let message = format!("{shown} is a longer way to write {}", quoted(&normal));
            let diagnostic = rules::UNUSUAL_PATH.at(node, message);
            self.report.push(diagnostic.help(format!("write {}", quoted(&normal))));
        }
    }

    fn schema(&mut self, place: &Place<'_>) {
        let Some(node) = place.nodes.schema else {
            return;
        };
        if !node.is_object() {
            let message = format!("expected an object, found {}", node.kind().described());
            self.report.push(rules::SCHEMA_TYPE.at(node, message));
        } else if self.options.depth >= Depth::Meaning {
            for diagnostic in manifest_core::schema::check(node, &self.options.limits) {
                self.report.push(diagnostic);
            }
        }
    }

    fn name(&mut self, place: &Place<'_>) {
        let name = &place.tool.name;
        names::check_one(name, place.or_tool(place.nodes.name), self.report);
        if name.len() <= 64 && PROVIDERS_TAKE.has_all(name.as_bytes()) {
            return;
        }
        let node = place.or_tool(place.nodes.name);
        if !is_plain_text(name) {
            let message = format!("the name {} {HIDDEN}", quoted(name));
            self.report.push(rules::CONTROL_CHARACTER.at(node, message));
        }
        let message = format!("{} is not a name that providers take", quoted(name));
        self.report.push(rules::FUNCTION_NAME.at(node, message));
    }

    fn rest(&mut self, place: &Place<'_>) {
        for (index, text) in place.tool.command.iter().enumerate().skip(1) {
            // Line breaks are ordinary in arguments; a NUL ends the argument.
            if text.contains('\0') {
                let message = format!("the argument {} {HIDDEN}", quoted(text));
                let node = place.element(place.nodes.command, index);
                self.report.push(rules::CONTROL_CHARACTER.at(node, message));
            }
        }
        if place.tool.timeout_sec.is_some_and(|seconds| seconds < 0) {
            let node = place.or_tool(place.nodes.timeout);
            self.report.push(rules::NEGATIVE_TIMEOUT.at(node, "the time-out is negative"));
        }
    }
}

fn is_text(node: Node<'_>) -> bool {
    node.text().is_some()
}

fn is_texts(node: Node<'_>) -> bool {
    node.is_array() && node.elements().all(is_text)
}
