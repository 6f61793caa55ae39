//! Checks of a list: its table and its semantics.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::{
    Depth, Limits, Report, Text, ValidateOptions, command_line, has_control, names, quoted, schema,
    secret, url,
};
use providers::{MCP_NAME, Shape, from_gemini_schema};

use crate::tool_list::rules;
use crate::tool_list::table::{
    ANSWER_TABLE, TABLE, is_gemini_schema, listed_tools, result, schema_members,
};

/// Checks a document that is a list of tools.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    let rules = Rules::single(&rules::STRUCTURE);
    let table = if result(root).is_some() { &ANSWER_TABLE } else { &TABLE };
    table::check(root, table, 0, &rules, true, &mut [], &mut report);
    if report.is_valid() && report.includes_depth(Depth::Semantics) {
        check_tools(root, &mut report);
        check_schemas(root, &options.limits, &mut report);
        if let Some(command) = root.get("server").and_then(|server| server.get("command")) {
            let (words, tools) = (command.elements(), listed_tools(root).count());
            command_line::check(
                &rules::COMMAND_LENGTH,
                command,
                words,
                tools,
                &options.limits,
                &mut report,
            );
        }
        if let Some(address) = root.get("server").and_then(|server| server.get("url"))
            && let Some(text) = address.text()
            && let Err(why) = url::check_http(&text)
        {
            report.add(&rules::URL, address, why.to_string());
        }
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

fn check_schemas(root: Node<'_>, limits: &Limits, report: &mut Report) {
    for listed in listed_tools(root) {
        let (own, (input, output)) =
            (listed.definition(), schema_members(listed.tool, listed.shape));
        for name in [Some(input), output].into_iter().flatten() {
            let Some(node) = own.get(name) else { continue };
            if is_gemini_schema(name, listed.shape) {
                check_gemini_schema(node, limits, report);
            } else {
                for found in schema::check(node, limits) {
                    report.push(found);
                }
            }
        }
    }
}

/// Checks a schema in Gemini's dialect after its conversion to JSON Schema.
fn check_gemini_schema(node: Node<'_>, limits: &Limits, report: &mut Report) {
    let read = from_gemini_schema(node);
    let Ok(read) = Document::parse(read.as_str().as_bytes(), limits) else { return };
    for found in schema::check(read.root(), limits) {
        report.add(found.rule, node, format!("read as JSON Schema, {}", found.message));
    }
}

fn check_tools(root: Node<'_>, report: &mut Report) {
    let named: Vec<(Text<'_>, Node<'_>, Shape)> = listed_tools(root)
        .filter_map(|listed| {
            let name = listed.definition().get("name")?;
            Some((name.text()?, name, listed.shape))
        })
        .collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (text, node, shape) in &named {
        if text.is_empty() || has_control(text) {
            report.add(&rules::NAME, *node, format!("{} is no name", quoted(text)));
        } else if *shape == Shape::Mcp && !MCP_NAME.accepts(text) {
            let message = format!("clients of MCP may not take {}", quoted(text));
            report.add(&rules::MCP_NAME, *node, message);
        }
        if !seen.insert(text) {
            let message = format!("a second tool is called {}", quoted(text));
            report.add(&rules::DUPLICATE_TOOL, *node, message);
        }
    }
    if report.includes_depth(Depth::Advice) {
        names::check(named.iter().map(|(text, node, _)| (text.as_ref(), *node)), report);
    }
}
