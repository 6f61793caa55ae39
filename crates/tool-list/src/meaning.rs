//! Checks of a list: its table and its semantics.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::{
    Depth, Limits, Report, Text, Validate, has_control, line, names, quoted, schema, secret, url,
};
use providers::{MCP_NAME, Shape, from_gemini};

use crate::rules;
use crate::table::{ANSWER_TABLE, TABLE, is_in_own_words, listed, result, schemas};

/// Checks a document that is a list of tools.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let root = document.root();
    let rules = Rules::all(&rules::STRUCTURE);
    let table = if result(root).is_some() { &ANSWER_TABLE } else { &TABLE };
    table::check(root, table, 0, &rules, true, &mut [], &mut report);
    if report.is_valid() && report.wants(Depth::Meaning) {
        tools(root, &mut report);
        check_schemas(root, &options.limits, &mut report);
        if let Some(command) = root.get("server").and_then(|server| server.get("command")) {
            let (words, tools) = (command.elements(), listed(root).count());
            line::check(
                &rules::COMMAND_LENGTH,
                command,
                words,
                tools,
                &options.limits,
                &mut report,
            );
        }
        if let Some(address) = root.get("server").and_then(|server| server.get("url")) {
            let text = address.text().unwrap_or_default();
            if let Err(why) = url::check_http(&text) {
                report.add(&rules::URL, address, why.to_string());
            }
        }
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

fn check_schemas(root: Node<'_>, limits: &Limits, report: &mut Report) {
    for listed in listed(root) {
        let (own, (input, output)) = (listed.holder(), schemas(listed.tool, listed.shape));
        for name in [Some(input), output].into_iter().flatten() {
            let Some(node) = own.get(name) else { continue };
            if is_in_own_words(name, listed.shape) {
                check_read(node, limits, report);
            } else {
                for found in schema::check(node, limits) {
                    report.push(found);
                }
            }
        }
    }
}

/// Checks a schema in Gemini's dialect after its conversion to JSON Schema.
fn check_read(node: Node<'_>, limits: &Limits, report: &mut Report) {
    let read = from_gemini(node);
    let Ok(read) = Document::parse(read.as_str().as_bytes(), limits) else { return };
    for found in schema::check(read.root(), limits) {
        report.add(found.rule, node, format!("read as JSON Schema, {}", found.message));
    }
}

fn tools(root: Node<'_>, report: &mut Report) {
    let named: Vec<(Text<'_>, Node<'_>, Shape)> = listed(root)
        .filter_map(|listed| {
            let name = listed.holder().get("name")?;
            Some((name.text()?, name, listed.shape))
        })
        .collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (text, node, shape) in &named {
        if text.is_empty() || has_control(text) {
            report.add(&rules::NAME, *node, format!("{} is no name", quoted(text)));
        } else if *shape == Shape::Mcp && !MCP_NAME.takes(text) {
            let message = format!("clients of MCP may not take {}", quoted(text));
            report.add(&rules::MCP_NAME, *node, message);
        }
        if !seen.insert(text) {
            let message = format!("a second tool is called {}", quoted(text));
            report.add(&rules::DUPLICATE_TOOL, *node, message);
        }
    }
    if report.wants(Depth::Advice) {
        names::check(named.iter().map(|(text, node, _)| (text.as_ref(), *node)), report);
    }
}
