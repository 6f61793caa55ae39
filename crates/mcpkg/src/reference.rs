//! The checks of the published tool: 0.1 only, with its own messages.

use manifest_core::json::{Kind, Node};
use manifest_core::url::{UrlError, check_http};
use manifest_core::{Report, Text, printable};

use crate::id;
use crate::rules::{AUTH_TYPES, METHODS, REFERENCE};

/// The required members of the root, and their kinds.
const REQUIRED: &[(&str, Kind)] = &[
    ("toolId", Kind::String),
    ("name", Kind::String),
    ("version", Kind::String),
    ("description", Kind::String),
    ("capabilities", Kind::Array),
    ("endpoint", Kind::Object),
];

pub(crate) fn check(node: Node<'_>, report: &mut Report) {
    if let Err((node, message)) = check_shape(node) {
        report.push(REFERENCE.at(node, format!("Invalid JSON: {message}")));
        return;
    }
    for (name, message) in problems(node) {
        report.push(REFERENCE.at(node.get(name).unwrap_or(node), message));
    }
}

/// Returns the problems of a manifest of the right shape, each with the member that it is about.
fn problems(node: Node<'_>) -> Vec<(&'static str, String)> {
    let mut problems = Vec::new();
    let id = text(node, "toolId");
    if is_blank(&id) {
        problems.push(("toolId", "toolId is required".to_owned()));
    } else if !id::published_tool_accepts(id.strip_suffix('\n').unwrap_or(&id)) {
        let id = printable(&id, 64);
        let message =
            format!("toolId '{id}' must follow format 'publisher.domain.capability.name'");
        problems.push(("toolId", message));
    }
    if is_blank(&text(node, "name")) {
        problems.push(("name", "name is required".to_owned()));
    }
    let version = text(node, "version");
    if is_blank(&version) {
        problems.push(("version", "version is required".to_owned()));
    } else if !is_version(&version) {
        let version = printable(&version, 64);
        let message = format!("version '{version}' must be valid SemVer (e.g., 1.0.0)");
        problems.push(("version", message));
    }
    if is_blank(&text(node, "description")) {
        problems.push(("description", "description is required".to_owned()));
    }
    if node.get("capabilities").is_none_or(|list| list.elements().next().is_none()) {
        let message = "capabilities array must contain at least one capability";
        problems.push(("capabilities", message.to_owned()));
    }
    if let Some(endpoint) = node.get("endpoint") {
        for message in endpoint_problems(endpoint) {
            problems.push(("endpoint", message));
        }
    }
    for name in ["input_schema", "output_schema"] {
        match non_null(node, name) {
            None => problems.push((name, format!("{name} is required"))),
            Some(schema) if schema.get("type").is_none() => {
                problems.push((name, format!("{name} should have a 'type' property")));
            }
            Some(_) => {}
        }
    }
    if let Some(auth) = non_null(node, "auth") {
        let kind = text(auth, "type");
        if !AUTH_TYPES.contains(&kind.as_ref()) {
            let (kind, list) = (printable(&kind, 64), AUTH_TYPES.join(", "));
            problems.push(("auth", format!("auth.type '{kind}' must be one of: {list}")));
        }
    }
    problems
}

/// Returns the text of a member. To the published tool, any other value is blank.
fn text<'a>(node: Node<'a>, name: &str) -> Text<'a> {
    node.get(name).and_then(Node::text).unwrap_or(Text::Borrowed(""))
}

fn is_blank(text: &str) -> bool {
    text.trim().is_empty()
}

/// Returns a member, unless it is null.
fn non_null<'a>(node: Node<'a>, name: &str) -> Option<Node<'a>> {
    node.get(name).filter(|value| !value.is_null())
}

fn endpoint_problems(endpoint: Node<'_>) -> Vec<String> {
    let [kind, method, url] = ["type", "method", "url"].map(|name| text(endpoint, name));
    let mut problems = Vec::new();
    if is_blank(&kind) {
        problems.push("endpoint.type is required".to_owned());
    } else if kind != "http" {
        let kind = printable(&kind, 64);
        problems.push(format!(
            "endpoint.type '{kind}' is not supported (only 'http' is supported in v0.1)"
        ));
    }
    if is_blank(&method) {
        problems.push("endpoint.method is required".to_owned());
    } else if !METHODS.contains(&method.to_ascii_uppercase().as_str()) {
        let method = printable(&method, 64);
        problems.push(format!("endpoint.method '{method}' is not a valid HTTP method"));
    }
    if is_blank(&url) {
        problems.push("endpoint.url is required".to_owned());
    } else if let Err(UrlError::Syntax | UrlError::Scheme | UrlError::Host | UrlError::Port) =
        check_http(&url)
    {
        let url = printable(&url, 64);
        problems.push(format!("endpoint.url '{url}' must be a valid HTTP(S) URL"));
    }
    if let Some(timeout) = endpoint.get("timeoutMs")
        && let Some(timeout) = timeout.number()
        && !timeout.is_positive()
    {
        problems.push("endpoint.timeoutMs must be positive if specified".to_owned());
    }
    problems
}

/// A value that the published tool's JSON reader refuses, and the reason.
type ShapeError<'a> = (Node<'a>, String);

fn expect<'a>(node: Node<'a>, kind: Kind, name: &str) -> Result<(), ShapeError<'a>> {
    if node.kind() == kind || node.is_null() {
        return Ok(());
    }
    Err((node, format!("{name} must be {}", kind.with_article())))
}

fn require_members<'a>(node: Node<'a>, names: &[&str]) -> Result<(), ShapeError<'a>> {
    let missing: Vec<&str> =
        names.iter().copied().filter(|name| node.get(name).is_none()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err((node, format!("missing required properties, including: {}", missing.join(", "))))
}

/// Checks that an object has members of these kinds.
fn require<'a>(node: Node<'a>, members: &[(&str, Kind)]) -> Result<(), ShapeError<'a>> {
    let names: Vec<&str> = members.iter().map(|(name, _)| *name).collect();
    require_members(node, &names)?;
    for (name, kind) in members {
        if let Some(value) = node.get(name) {
            expect(value, *kind, name)?;
        }
    }
    Ok(())
}

/// Checks the requirements of the published tool's JSON reader, which come before all
/// others.
fn check_shape(node: Node<'_>) -> Result<(), ShapeError<'_>> {
    if !node.is_object() {
        return Err((node, "the root must be an object".to_owned()));
    }
    require(node, REQUIRED)?;
    require_members(node, &["input_schema"])?;
    require_members(node, &["output_schema"])?;
    if let Some(endpoint) = non_null(node, "endpoint") {
        let members = [("type", Kind::String), ("method", Kind::String), ("url", Kind::String)];
        require(endpoint, &members)?;
        if let Some(timeout) = non_null(endpoint, "timeoutMs") {
            // A 32-bit integer, without fraction and exponent.
            if timeout.number().is_none_or(|number| number.as_str().parse::<i32>().is_err()) {
                return Err((timeout, "timeoutMs must be an integer".to_owned()));
            }
        }
    }
    for name in ["capabilities", "tests", "examples"] {
        if let Some(list) = non_null(node, name) {
            expect(list, Kind::Array, name)?;
            for element in list.elements() {
                expect(element, Kind::String, name)?;
            }
        }
    }
    for name in ["auth", "meta"] {
        if let Some(value) = node.get(name) {
            expect(value, Kind::Object, name)?;
        }
    }
    if let Some(meta) = node.get("meta")
        && let Some(publisher) = non_null(meta, "publisher")
    {
        require(publisher, &[("id", Kind::String), ("name", Kind::String)])?;
    }
    Ok(())
}

/// Returns true for three numbers, with anything after them that looks like a pre-release
/// or a build.
fn is_version(version: &str) -> bool {
    let version = version.strip_suffix('\n').unwrap_or(version);
    let (version, build) = split_tail(version, '+');
    let (core, pre_release) = split_tail(version, '-');
    let are_numbers =
        core.split('.').all(|part| !part.is_empty() && part.chars().all(char::is_numeric));
    core.split('.').count() == 3 && are_numbers && is_tail(pre_release) && is_tail(build)
}

fn split_tail(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((head, tail)) => (head, Some(tail)),
        None => (text, None),
    }
}

fn is_tail(tail: Option<&str>) -> bool {
    let Some(tail) = tail else { return true };
    !tail.is_empty() && tail.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
}
