//! Checks of a manifest: its table and its semantics.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::{
    Depth, Limits, Profile, Report, Text, Validate, has_control, line, names, quoted, secret,
    version,
};

use crate::rules;
use crate::table::{TABLE, VERSIONS, needs_config};
use crate::variables::{Piece, pieces};

/// Checks a document that is a manifest.
///
/// Under [`Profile::Reference`], only the published schema applies.
pub fn validate(document: &Document<'_>, options: &Validate) -> Report {
    let mut report = options.report();
    let root = document.root();
    let version = stated(root).and_then(number).unwrap_or(VERSIONS.len() - 1);
    let version = u8::try_from(version).unwrap_or_default();
    let reference = options.profile == Profile::Reference;
    let rules = Rules::all(&rules::STRUCTURE);
    table::check(root, &TABLE, version, &rules, !reference, &mut [], &mut report);
    if reference {
        if let Some(server) = root.get("server").filter(|server| server.is_object()) {
            needs_config(server, &rules::MCP_CONFIG, &mut report);
        }
        return report;
    }
    if report.is_valid() && report.wants(Depth::Meaning) {
        meaning(root, &mut report);
        check_line(root, &options.limits, &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

/// Returns the member that declares the version of the format.
pub(crate) fn stated(root: Node<'_>) -> Option<Node<'_>> {
    root.get("manifest_version").or(root.get("dxt_version"))
}

/// Returns the index of a version.
fn number(version: Node<'_>) -> Option<usize> {
    let text = version.text()?;
    VERSIONS.iter().position(|known| **known == *text)
}

fn meaning(root: Node<'_>, report: &mut Report) {
    if stated(root).is_none() {
        report.add(&rules::NO_VERSION, root, "there is no `manifest_version`");
    }
    if let Some(node) = root.get("name") {
        name(node, report);
    }
    if let Some(node) = root.get("version") {
        let text = node.text().unwrap_or_default();
        if version::parse_exact(&text).is_err() {
            let found = rules::VERSION.at(node, format!("{} is not SemVer", quoted(&text)));
            report.push(version::with_respelled(found, node));
        }
    }
    tools(root, report);
    if let Some(config) = root.get("server").and_then(|server| server.get("mcp_config")) {
        let settings = root.get("user_config").into_iter().flat_map(Node::members);
        let settings: BTreeSet<Text<'_>> = settings.map(|setting| setting.name()).collect();
        for value in config.descendants() {
            variables(value, &settings, report);
        }
    }
}

fn check_line(root: Node<'_>, limits: &Limits, report: &mut Report) {
    let config = root.get("server").and_then(|server| server.get("mcp_config"));
    let Some(arguments) = config.and_then(|config| config.get("args")) else { return };
    let program = config.and_then(|config| config.get("command"));
    let words = program.into_iter().chain(arguments.elements());
    let tools = root.get("tools").into_iter().flat_map(Node::elements).count();
    line::check(&rules::COMMAND_LENGTH, arguments, words, tools, limits, report);
}

fn name(node: Node<'_>, report: &mut Report) {
    let text = node.text().unwrap_or_default();
    if text.is_empty() || has_control(&text) {
        report.add(&rules::NAME, node, format!("{} is no name", quoted(&text)));
    }
}

fn tools(root: Node<'_>, report: &mut Report) {
    let tools = root.get("tools").into_iter().flat_map(Node::elements);
    let named: Vec<_> =
        tools.filter_map(|tool| tool.get("name")).filter_map(|n| Some((n.text()?, n))).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (text, node) in &named {
        name(*node, report);
        if !seen.insert(text) {
            let message = format!("a second tool is called {}", quoted(text));
            report.add(&rules::DUPLICATE_TOOL, *node, message);
        }
    }
    if report.wants(Depth::Advice) {
        names::check(named.iter().map(|(text, node)| (text.as_ref(), *node)), report);
    }
}

/// Reports settings that `user_config` lacks, and variables that hosts do not fill in.
fn variables(node: Node<'_>, settings: &BTreeSet<Text<'_>>, report: &mut Report) {
    let Some(text) = node.text() else { return };
    for piece in pieces(&text) {
        match piece {
            Piece::Setting(key) if !settings.contains(key) => {
                let message = format!("`user_config` has no {}", quoted(key));
                report.add(&rules::SETTING, node, message);
            }
            Piece::Unknown(name) => {
                let message = format!("hosts know no variable {}", quoted(name));
                report.add(&rules::VARIABLE, node, message);
            }
            Piece::Text(_) | Piece::Folder | Piece::Separator | Piece::Setting(_) | Piece::Home => {
            }
        }
    }
}
