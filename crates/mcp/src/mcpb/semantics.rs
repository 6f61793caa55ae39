//! Checks of a manifest: its table and its semantics.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::{
    Depth, Limits, Profile, Report, Text, ValidateOptions, command_line, has_control, names,
    quoted, secret, version,
};

use crate::mcpb::rules;
use crate::mcpb::table::{TABLE, VERSIONS, check_config};
use crate::mcpb::variables::{Piece, pieces};
use crate::shared::version_index;

/// Checks a document that is a manifest.
///
/// Under [`Profile::Reference`], only the published schema applies.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    let version = version_member(root).and_then(Node::text);
    let version = version_index(&VERSIONS, version.as_deref());
    let reference = options.profile == Profile::Reference;
    let rules = Rules::single(&rules::STRUCTURE);
    table::check(root, &TABLE, version, &rules, !reference, &mut [], &mut report);
    if reference {
        if let Some(server) = root.get("server").filter(|server| server.is_object()) {
            check_config(server, &rules::MCP_CONFIG, &mut report);
        }
        return report;
    }
    if report.is_valid() && report.includes_depth(Depth::Semantics) {
        check_semantics(root, &mut report);
        check_command_length(root, &options.limits, &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

/// Returns the member that declares the version of the format.
pub(crate) fn version_member(root: Node<'_>) -> Option<Node<'_>> {
    root.get("manifest_version").or(root.get("dxt_version"))
}

fn check_semantics(root: Node<'_>, report: &mut Report) {
    if version_member(root).is_none() {
        report.add(&rules::NO_VERSION, root, "there is no `manifest_version`");
    }
    if let Some(node) = root.get("name")
        && let Some(text) = node.text()
    {
        check_name(&text, node, report);
    }
    if let Some(node) = root.get("version")
        && let Some(text) = node.text()
        && version::parse_exact(&text).is_err()
    {
        let found = rules::VERSION.at(node, format!("{} is not SemVer", quoted(&text)));
        report.push(version::with_version_fix(found, node));
    }
    check_tools(root, report);
    if let Some(config) = root.get("server").and_then(|server| server.get("mcp_config")) {
        let settings = root.get("user_config").into_iter().flat_map(Node::members);
        let settings: BTreeSet<Text<'_>> = settings.map(|setting| setting.name()).collect();
        for value in config.descendants() {
            check_variables(value, &settings, report);
        }
    }
}

fn check_command_length(root: Node<'_>, limits: &Limits, report: &mut Report) {
    let config = root.get("server").and_then(|server| server.get("mcp_config"));
    let Some(arguments) = config.and_then(|config| config.get("args")) else { return };
    let program = config.and_then(|config| config.get("command"));
    let words = program.into_iter().chain(arguments.elements());
    let tools = root.get("tools").into_iter().flat_map(Node::elements).count();
    command_line::check(&rules::COMMAND_LENGTH, arguments, words, tools, limits, report);
}

fn check_name(text: &str, node: Node<'_>, report: &mut Report) {
    if text.is_empty() || has_control(text) {
        report.add(&rules::NAME, node, format!("{} is no name", quoted(text)));
    }
}

fn check_tools(root: Node<'_>, report: &mut Report) {
    let tools = root.get("tools").into_iter().flat_map(Node::elements);
    let named: Vec<_> =
        tools.filter_map(|tool| tool.get("name")).filter_map(|n| Some((n.text()?, n))).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (text, node) in &named {
        check_name(text, *node, report);
        if !seen.insert(text) {
            let message = format!("a second tool is called {}", quoted(text));
            report.add(&rules::DUPLICATE_TOOL, *node, message);
        }
    }
    if report.includes_depth(Depth::Advice) {
        names::check(named.iter().map(|(text, node)| (text.as_ref(), *node)), report);
    }
}

/// Reports settings that `user_config` lacks, and variables that hosts do not fill in.
fn check_variables(node: Node<'_>, settings: &BTreeSet<Text<'_>>, report: &mut Report) {
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
