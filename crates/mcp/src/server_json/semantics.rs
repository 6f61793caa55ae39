//! Checks of a `server.json`: its table and its semantics.

use std::collections::BTreeSet;

use manifest_core::json::{Document, Node};
use manifest_core::table::{self, Rules};
use manifest_core::version::{VersionError, parse_exact};
use manifest_core::{
    Depth, Limits, Profile, Report, Text, ValidateOptions, command_line, has_control, names,
    quoted, secret,
};

use crate::server_json::dates::{CAMEL, declared_date, version_of};
use crate::server_json::spellings::{ENVIRONMENT, member};
use crate::server_json::table::{PUBLISHER, TABLE, TOOLS};
use crate::server_json::{rules, variables};

/// Checks a document that is a server.
///
/// Under [`Profile::Reference`], only its structure is checked.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    let reference = options.profile == Profile::Reference;
    let rules = Rules::single(&rules::STRUCTURE);
    table::check(root, &TABLE, version_of(root), &rules, !reference, &mut [], &mut report);
    if reference {
        return report;
    }
    if report.is_valid() && report.includes_depth(Depth::Semantics) {
        check_semantics(root, &mut report);
        check_command_length(root, &options.limits, &mut report);
    }
    secret::check(&rules::SECRET, root, rules::SECRET_HELP, &mut report);
    report
}

/// Returns the version of a server, from `version` or `version_detail`.
pub(crate) fn version(root: Node<'_>) -> Option<Node<'_>> {
    root.get("version").or_else(|| root.get("version_detail")?.get("version"))
}

/// Returns the list of tools of a converted server.
pub(crate) fn listed_tools(root: Node<'_>) -> Option<Node<'_>> {
    root.get("_meta")?.get(PUBLISHER)?.get(TOOLS)
}

/// Returns true if a text matches several versions, such as `^1.0.0` or `latest`.
pub(crate) fn is_range(text: &str) -> bool {
    parse_exact(text) == Err(VersionError::Range)
}

/// Checks the length of the command of the first package. The others are not started.
fn check_command_length(root: Node<'_>, limits: &Limits, report: &mut Report) {
    let package = root.get("packages").and_then(|packages| packages.elements().next());
    let Some(package) = package else { return };
    let lists = ["runtimeArguments", "runtime_arguments", "packageArguments", "package_arguments"];
    let words = lists.into_iter().filter_map(|name| package.get(name)).flat_map(Node::elements);
    let tools = listed_tools(root).into_iter().flat_map(Node::elements).count();
    command_line::check(&rules::COMMAND_LENGTH, package, words, tools, limits, report);
}

fn check_semantics(root: Node<'_>, report: &mut Report) {
    if declared_date(root).is_none() {
        report.add(&rules::NO_SCHEMA, root, "`$schema` names no known date");
    }
    if version(root).is_none() && version_of(root) < CAMEL {
        report.add(&rules::VERSION, root, "there is no version");
    }
    let packages = || root.get("packages").into_iter().flat_map(Node::elements);
    let versions = packages().filter_map(|package| package.get("version"));
    for node in version(root).into_iter().chain(versions) {
        if let Some(text) = node.text().filter(|text| is_range(text)) {
            let message = format!("{} is not one version", quoted(&text));
            report.add(&rules::VERSION, node, message);
        }
    }
    check_tools(root, report);
    for package in packages() {
        check_environment(package, report);
        let known = input_names(package);
        check_inputs(package, report);
        if let Some(url) = package.get("transport").and_then(|transport| transport.get("url")) {
            check_variables(url, &known, report);
        }
    }
    for remote in root.get("remotes").into_iter().flat_map(Node::elements) {
        check_inputs(remote, report);
        if let Some(url) = remote.get("url") {
            check_variables(url, &described_variables(remote), report);
        }
    }
}

fn check_tools(root: Node<'_>, report: &mut Report) {
    let tools = listed_tools(root).into_iter().flat_map(Node::elements);
    let named: Vec<_> =
        tools.filter_map(|tool| tool.get("name")).filter_map(|n| Some((n.text()?, n))).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for (text, node) in &named {
        if has_control(text) {
            report.add(&rules::TOOL, *node, format!("{} is no name", quoted(text)));
        }
        if !seen.insert(text) {
            let message = format!("a second tool is called {}", quoted(text));
            report.add(&rules::TOOL, *node, message);
        }
    }
    if report.includes_depth(Depth::Advice) {
        names::check(named.iter().map(|(text, node)| (text.as_ref(), *node)), report);
    }
}

/// Reports environment variables of a package that have the same name.
fn check_environment(package: Node<'_>, report: &mut Report) {
    let variables = member(package, &ENVIRONMENT).into_iter().flat_map(Node::elements);
    let mut seen = BTreeSet::new();
    for name in variables.filter_map(|variable| variable.get("name")) {
        let Some(text) = name.text() else { continue };
        if !seen.insert(text.clone()) {
            let message = format!("a second variable is called {}", quoted(&text));
            report.add(&rules::DUPLICATE_VARIABLE, name, message);
        }
    }
}

/// Returns the names of the variables that an input or a remote describes.
fn described_variables(node: Node<'_>) -> BTreeSet<Text<'_>> {
    let variables = node.get("variables").into_iter().flat_map(Node::members);
    variables.map(|variable| variable.name()).collect()
}

/// Returns the names of the arguments and environment variables of a package.
fn input_names(package: Node<'_>) -> BTreeSet<Text<'_>> {
    let inputs = package.members().flat_map(|member| member.value.elements());
    let called = inputs
        .flat_map(Node::members)
        .filter(|member| matches!(member.name().as_ref(), "name" | "valueHint" | "value_hint"));
    called.filter_map(|member| member.value.text()).collect()
}

/// Checks the values of all inputs below a node.
fn check_inputs(node: Node<'_>, report: &mut Report) {
    for input in node.descendants().filter(|input| input.is_object()) {
        if let Some(value) = input.get("value").filter(|value| value.text().is_some()) {
            check_variables(value, &described_variables(input), report);
        }
    }
}

/// Reports the variables in a text that are not described.
fn check_variables(node: Node<'_>, known: &BTreeSet<Text<'_>>, report: &mut Report) {
    let Some(text) = node.text() else { return };
    for name in variables::names(&text).filter(|name| !known.contains(*name)) {
        let message = format!("nothing describes the variable {}", quoted(name));
        report.add(&rules::VARIABLE, node, message);
    }
}
