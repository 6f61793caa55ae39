//! Semantic checks: requirements that a table cannot express.
//!
//! Messages that begin with `tool[` are exactly those of the reference.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::read::string_elements;
use manifest_core::{
    ByteSet, Depth, Report, ValidateOptions, is_plain_text, names, quoted, schema,
};

use crate::command::{self, normalise};
use crate::env;
use crate::rules;
use crate::structure::{ToolNodes, seconds, tool_message};

/// The characters that providers accept in the name of a function.
static FUNCTION_NAME_BYTES: ByteSet =
    ByteSet::of(&[b'0'..=b'9', b'A'..=b'Z', b'a'..=b'z', b'_'..=b'_', b'-'..=b'-']);

/// The end of messages about invisible characters.
const HIDDEN: &str = "holds a character that does not show";

/// Checks the tools of a manifest.
pub(crate) fn check(tools: &[ToolNodes<'_>], options: &ValidateOptions, report: &mut Report) {
    let mut duplicates = BTreeSet::new();
    if !names::are_distinct(tools.iter().map(|tool| tool.name.as_ref())) {
        duplicates = find_duplicates(tools);
        let named = tools.iter().map(|tool| (tool.name.as_ref(), tool.name_or_tool));
        names::check_pairs(named, report);
    }
    for (index, tool) in tools.iter().enumerate() {
        if !tool.tool.is_object() {
            continue; // The structure check reports it.
        }
        let number = options.first_index.saturating_add(index);
        if duplicates.contains(&index) {
            let message = tool_message(number, &tool.name, "duplicate name");
            report.add(&rules::DUPLICATE_NAME, tool.name_or_tool, message);
        }
        if options.depth >= Depth::Semantics {
            check_tool(tool, number, options, report);
        }
    }
}

/// Returns the tools that have the name of an earlier one.
pub(crate) fn find_duplicates(tools: &[ToolNodes<'_>]) -> BTreeSet<usize> {
    let mut duplicates = BTreeSet::new();
    let mut seen = BTreeSet::new();
    for (index, tool) in tools.iter().enumerate() {
        if !tool.name.is_empty() && !seen.insert(tool.name.as_ref()) {
            duplicates.insert(index);
        }
    }
    duplicates
}

/// Checks a tool in the reference's order, so that its error comes first. `number` is that of
/// the tool in messages.
fn check_tool(tool: &ToolNodes<'_>, number: usize, options: &ValidateOptions, report: &mut Report) {
    check_env(tool, number, report);
    check_command(tool, number, options, report);
    if let Some(node) = tool.schema
        && node.is_object()
    {
        for found in schema::check(node, &options.limits) {
            report.push(found);
        }
    }
    check_name(tool, report);
    if let Some(node) = tool.timeout
        && node.raw().starts_with('-')
        && seconds(node).is_some_and(|seconds| seconds < 0)
    {
        report.add(&rules::NEGATIVE_TIMEOUT, node, "the time-out is negative");
    }
}

fn check_env(tool: &ToolNodes<'_>, number: usize, report: &mut Report) {
    for (index, node) in string_elements(tool.env).enumerate() {
        let Some(name) = node.text() else { continue };
        match env::normalise(&name) {
            Ok(name) if env::is_dangerous(&name) => {
                let message = format!("{} decides what code the tool runs", quoted(&name));
                report.add(&rules::DANGEROUS_ENV, node, message);
            }
            Ok(_) => {}
            Err(bad) => {
                let message = format!("envPassthrough[{index}]: {}", bad.message(&name));
                report.add(&rules::ENV_NAME, node, tool_message(number, &tool.name, &message));
            }
        }
    }
}

fn check_command(
    tool: &ToolNodes<'_>,
    number: usize,
    options: &ValidateOptions,
    report: &mut Report,
) {
    let mut words = string_elements(tool.command);
    let (count, limit) = (words.clone().count(), options.limits.arguments);
    if let Some(command) = tool.command
        && count > limit
    {
        let message = format!("{count} elements, more than the {limit} allowed");
        report.add(&rules::COMMAND_LENGTH, command, message);
    }
    if let Some(node) = words.next()
        && let Some(program) = node.text()
        && !command::is_canonical(&program)
    {
        check_program(node, &program, tool, number, options, report);
    }
    for node in words {
        // Line breaks are common in arguments, but a NUL ends the argument.
        if let Some(text) = node.text()
            && text.contains('\0')
        {
            let message = format!("the argument {} {HIDDEN}", quoted(&text));
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
}

/// Checks a program that is not a plain `./tools/bin/NAME`.
#[cold]
fn check_program(
    node: Node<'_>,
    program: &str,
    tool: &ToolNodes<'_>,
    number: usize,
    options: &ValidateOptions,
    report: &mut Report,
) {
    let shown = quoted(program);
    let checked = command::check(program, options.platform);
    if let Err((rule, message)) = &checked {
        report.add(rule, node, tool_message(number, &tool.name, message));
    }
    if !is_plain_text(program) {
        let message = format!("the program {shown} {HIDDEN}");
        report.add(&rules::CONTROL_CHARACTER, node, message);
    }
    if command::has_droppable_end(program) {
        let message = format!("the program {shown} ends with a dot or a space");
        report.add(&rules::COMMAND_TRAILING, node, message);
    }
    let normal = normalise(program);
    if program.starts_with('/') {
        let message = format!("{shown} is an absolute path");
        report.add(&rules::ABSOLUTE_COMMAND, node, message);
    } else if *program != normal && checked.is_ok() {
        let message = format!("{shown} is a longer way to write {}", quoted(&normal));
        let diagnostic = rules::UNUSUAL_PATH.at(node, message);
        report.push(diagnostic.help(format!("write {}", quoted(&normal))));
    }
}

fn check_name(tool: &ToolNodes<'_>, report: &mut Report) {
    let (name, node) = (tool.name.as_ref(), tool.name_or_tool);
    names::check_one(name, node, report);
    if name.len() <= 64 && FUNCTION_NAME_BYTES.contains_all(name.as_bytes()) {
        return;
    }
    if !is_plain_text(name) {
        let message = format!("the name {} {HIDDEN}", quoted(name));
        report.add(&rules::CONTROL_CHARACTER, node, message);
    }
    let message = format!("{} is not a name that providers take", quoted(name));
    report.add(&rules::FUNCTION_NAME, node, message);
}
