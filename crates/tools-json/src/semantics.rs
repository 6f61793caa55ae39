//! Semantic checks: requirements that a table cannot express.
//!
//! Messages that begin with `tool[` are exactly those of the reference.

use std::collections::BTreeSet;

use manifest_core::json::{Kind, Node};
use manifest_core::{
    ByteSet, Depth, Profile, Report, ValidateOptions, is_plain_text, names, quoted,
};

use crate::command::{self, normalise};
use crate::env::{self, BadName};
use crate::go::quote;
use crate::manifest::seconds;
use crate::nodes::ToolNodes;
use crate::rules;
use crate::structure::{self, COMMAND_EMPTY_MESSAGE, name_required_message};

/// The characters that providers accept in the name of a function.
static FUNCTION_NAME_BYTES: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);

/// The end of messages about invisible characters.
const HIDDEN: &str = "holds a character that does not show";

/// Checks the tools of a manifest.
pub(crate) fn check(tools: &[ToolNodes<'_>], options: &ValidateOptions, report: &mut Report) {
    let alike = !names::are_distinct(tools.iter().map(|tool| tool.name.as_ref()));
    let repeated = if alike { find_duplicates(tools) } else { BTreeSet::new() };
    if alike {
        let named = tools.iter().map(|tool| (tool.name.as_ref(), tool.name_or_tool));
        names::check_pairs(named, report);
    }
    let mut check = Check { report, options };
    for (index, parts) in tools.iter().enumerate() {
        let number = options.first_index.saturating_add(index);
        check.check_tool(&ToolContext { number, parts, is_duplicate: repeated.contains(&index) });
    }
}

/// Returns the tools that have the name of an earlier one.
fn find_duplicates(tools: &[ToolNodes<'_>]) -> BTreeSet<usize> {
    let names = tools.iter().enumerate().map(|(index, tool)| (tool.name.as_ref(), index));
    let mut names: Vec<(&str, usize)> = names.filter(|(name, _)| !name.is_empty()).collect();
    names.sort_unstable();
    let pairs = names.iter().zip(names.iter().skip(1));
    pairs.filter(|(a, b)| a.0 == b.0).map(|(_, again)| again.1).collect()
}

struct Check<'o> {
    report: &'o mut Report,
    options: &'o ValidateOptions,
}

/// A tool and its position in the list.
struct ToolContext<'p, 'a> {
    /// The tool's number in messages.
    number: usize,
    parts: &'p ToolNodes<'a>,
    /// True if an earlier tool has the same name.
    is_duplicate: bool,
}

impl ToolContext<'_, '_> {
    /// Returns a message about the tool in the reference's format.
    fn message(&self, text: &str) -> String {
        structure::tool_message(self.number, &self.parts.name, text)
    }
}

impl Check<'_> {
    fn is_reference(&self) -> bool {
        self.options.profile == Profile::Reference
    }

    /// Returns the list if all elements are strings. The reference also accepts `null`, as
    /// an empty string.
    fn string_list<'a>(&self, list: Option<Node<'a>>) -> Option<Node<'a>> {
        let is_string = |element: Node<'_>| element.kind() == Kind::String;
        list.filter(|list| self.is_reference() || list.elements().all(is_string))
    }

    /// Runs the checks in the reference's order, so that its error comes first.
    fn check_tool(&mut self, place: &ToolContext<'_, '_>) {
        let ToolContext { number, parts, is_duplicate: repeated } = place;
        let reference = self.is_reference();
        if !reference && !parts.tool.is_object() {
            return; // already reported
        }
        if reference && parts.name.is_empty() {
            let message = name_required_message(*number);
            return self.report.add(&rules::NAME_REQUIRED, parts.name_or_tool, message);
        }
        if *repeated {
            let message = place.message("duplicate name");
            self.report.add(&rules::DUPLICATE_NAME, parts.name_or_tool, message);
        }
        let mut command = parts.command.into_iter().flat_map(Node::elements);
        if reference && command.next().is_none() {
            let node = parts.command.unwrap_or(parts.tool);
            self.report.add(&rules::COMMAND_EMPTY, node, place.message(COMMAND_EMPTY_MESSAGE));
        }
        if self.options.depth < Depth::Semantics {
            return;
        }
        self.check_env(place);
        self.check_command(place);
        if reference {
            return;
        }
        if let Some(schema) = parts.schema.filter(|schema| schema.is_object()) {
            for found in manifest_core::schema::check(schema, &self.options.limits) {
                self.report.push(found);
            }
        }
        self.check_name(place);
        let negative = |node: &Node<'_>| {
            node.raw().starts_with('-') && seconds(*node).is_some_and(|seconds| seconds < 0)
        };
        if let Some(node) = parts.timeout.filter(negative) {
            self.report.add(&rules::NEGATIVE_TIMEOUT, node, "the time-out is negative");
        }
    }

    fn check_env(&mut self, place: &ToolContext<'_, '_>) {
        let names = self.string_list(place.parts.env).into_iter().flat_map(Node::elements);
        for (index, node) in names.enumerate() {
            let name = node.text().unwrap_or_default();
            let message = match env::normalise(&name, self.options.profile) {
                Ok(name) => {
                    if env::is_dangerous(&name) {
                        let message = format!("{} decides what code the tool runs", quoted(&name));
                        self.report.add(&rules::DANGEROUS_ENV, node, message);
                    }
                    continue;
                }
                Err(BadName::Empty) => "empty name".to_owned(),
                Err(BadName::Invalid) => {
                    format!("invalid name {} (must match [A-Z_][A-Z0-9_]*)", quote(&name))
                }
            };
            let message = place.message(&format!("envPassthrough[{index}]: {message}"));
            self.report.add(&rules::ENV_NAME, node, message);
        }
    }

    fn check_command(&mut self, place: &ToolContext<'_, '_>) {
        let Some(command) = self.string_list(place.parts.command) else { return };
        let (count, limit) = (command.elements().count(), self.options.limits.arguments);
        if !self.is_reference() && count > limit {
            let message = format!("{count} elements, more than the {limit} allowed");
            self.report.add(&rules::COMMAND_LENGTH, command, message);
        }
        let mut words = command.elements().map(|node| (node, node.text().unwrap_or_default()));
        match words.next() {
            Some((node, program)) if !command::is_canonical(&program) => {
                self.check_program(node, &program, place);
            }
            _ => {}
        }
        if self.is_reference() {
            return;
        }
        // Line breaks are common in arguments, but a NUL ends the argument.
        for (node, text) in words.filter(|(_, text)| text.contains('\0')) {
            let message = format!("the argument {} {HIDDEN}", quoted(&text));
            self.report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }

    /// Checks a program that is not a plain `./tools/bin/NAME`.
    #[cold]
    fn check_program(&mut self, node: Node<'_>, program: &str, place: &ToolContext<'_, '_>) {
        let shown = quoted(program);
        let refusal = command::check(program, self.options).err();
        let refused = refusal.is_some();
        if let Some((rule, message)) = refusal {
            self.report.add(rule, node, place.message(&message));
        }
        if self.is_reference() {
            return;
        }
        if !is_plain_text(program) {
            let message = format!("the program {shown} {HIDDEN}");
            self.report.add(&rules::CONTROL_CHARACTER, node, message);
        }
        if command::has_droppable_end(program) {
            let message = format!("the program {shown} ends with a dot or a space");
            self.report.add(&rules::COMMAND_TRAILING, node, message);
        }
        let normal = normalise(program);
        if program.starts_with('/') {
            let message = format!("{shown} is an absolute path");
            self.report.add(&rules::ABSOLUTE_COMMAND, node, message);
        } else if *program != normal && !refused {
            let message = format!("{shown} is a longer way to write {}", quoted(&normal));
            let diagnostic = rules::UNUSUAL_PATH.at(node, message);
            self.report.push(diagnostic.help(format!("write {}", quoted(&normal))));
        }
    }

    fn check_name(&mut self, place: &ToolContext<'_, '_>) {
        let (name, node) = (place.parts.name.as_ref(), place.parts.name_or_tool);
        names::check_one(name, node, self.report);
        if name.len() <= 64 && FUNCTION_NAME_BYTES.contains_all(name.as_bytes()) {
            return;
        }
        if !is_plain_text(name) {
            let message = format!("the name {} {HIDDEN}", quoted(name));
            self.report.add(&rules::CONTROL_CHARACTER, node, message);
        }
        let message = format!("{} is not a name that providers take", quoted(name));
        self.report.add(&rules::FUNCTION_NAME, node, message);
    }
}
