//! The checks of the published tool: 0.1 only, with its own messages.

use manifest_core::json::{Kind, Node};
use manifest_core::{Report, Text, printable, url};

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
    let mut refuse = |name: &str, message: String| {
        report.push(REFERENCE.at(node.get(name).unwrap_or(node), message));
    };
    let show = |text: &str| printable(text, 64);
    let blank = |text: &str| text.trim().is_empty();

    let id = text(node, "toolId");
    if blank(&id) {
        refuse("toolId", "toolId is required".to_owned());
    } else if !id::published_tool_accepts(id.strip_suffix('\n').unwrap_or(&id)) {
        let format = "publisher.domain.capability.name";
        refuse("toolId", format!("toolId '{}' must follow format '{format}'", show(&id)));
    }
    if blank(&text(node, "name")) {
        refuse("name", "name is required".to_owned());
    }
    let version = text(node, "version");
    if blank(&version) {
        refuse("version", "version is required".to_owned());
    } else if !is_version(&version) {
        refuse(
            "version",
            format!("version '{}' must be valid SemVer (e.g., 1.0.0)", show(&version)),
        );
    }
    if blank(&text(node, "description")) {
        refuse("description", "description is required".to_owned());
    }
    if node.get("capabilities").is_none_or(|list| list.elements().next().is_none()) {
        let message = "capabilities array must contain at least one capability";
        refuse("capabilities", message.to_owned());
    }
    if let Some(endpoint) = node.get("endpoint") {
        for message in endpoint_problems(endpoint) {
            refuse("endpoint", message);
        }
    }
    for name in ["input_schema", "output_schema"] {
        match node.get(name) {
            None => refuse(name, format!("{name} is required")),
            Some(schema) if schema.is_null() => refuse(name, format!("{name} is required")),
            Some(schema) if schema.get("type").is_none() => {
                refuse(name, format!("{name} should have a 'type' property"));
            }
            Some(_) => {}
        }
    }
    if let Some(auth) = node.get("auth").filter(|auth| !auth.is_null()) {
        let kind = text(auth, "type");
        if !AUTH_TYPES.contains(&kind.as_ref()) {
            let list = AUTH_TYPES.join(", ");
            refuse("auth", format!("auth.type '{}' must be one of: {list}", show(&kind)));
        }
    }
}

fn text<'a>(node: Node<'a>, name: &str) -> Text<'a> {
    node.get(name).and_then(Node::text).unwrap_or_default()
}

fn endpoint_problems(endpoint: Node<'_>) -> Vec<String> {
    let [kind, method, url] = ["type", "method", "url"].map(|name| text(endpoint, name));
    let mut problems = Vec::new();
    if kind.trim().is_empty() {
        problems.push("endpoint.type is required".to_owned());
    } else if kind != "http" {
        let kind = printable(&kind, 64);
        problems.push(format!(
            "endpoint.type '{kind}' is not supported (only 'http' is supported in v0.1)"
        ));
    }
    if method.trim().is_empty() {
        problems.push("endpoint.method is required".to_owned());
    } else if !METHODS.contains(&method.to_ascii_uppercase().as_str()) {
        problems.push(format!(
            "endpoint.method '{}' is not a valid HTTP method",
            printable(&method, 64)
        ));
    }
    if url.trim().is_empty() {
        problems.push("endpoint.url is required".to_owned());
    } else if matches!(
        url::check_http(&url),
        Err(url::UrlError::Syntax
            | url::UrlError::Scheme
            | url::UrlError::Host
            | url::UrlError::Port)
    ) {
        problems
            .push(format!("endpoint.url '{}' must be a valid HTTP(S) URL", printable(&url, 64)));
    }
    let timeout = endpoint.get("timeoutMs").and_then(Node::number);
    if timeout.is_some_and(|timeout| !timeout.is_positive()) {
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

fn require<'a>(node: Node<'a>, members: &[(&str, Kind)]) -> Result<(), ShapeError<'a>> {
    let missing = members.iter().map(|(name, _)| *name).filter(|name| node.get(name).is_none());
    let missing = missing.collect::<Vec<_>>().join(", ");
    if !missing.is_empty() {
        return Err((node, format!("missing required properties, including: {missing}")));
    }
    members.iter().try_for_each(|(name, kind)| match node.get(name) {
        Some(value) => expect(value, *kind, name),
        None => Ok(()),
    })
}

/// Checks the requirements of the published tool's JSON reader, which come before all
/// others.
fn check_shape(node: Node<'_>) -> Result<(), ShapeError<'_>> {
    if !node.is_object() {
        return Err((node, "the root must be an object".to_owned()));
    }
    require(node, REQUIRED)?;
    let missing =
        ["input_schema", "output_schema"].into_iter().find(|name| node.get(name).is_none());
    if let Some(name) = missing {
        return Err((node, format!("missing required properties, including: {name}")));
    }
    if let Some(endpoint) = node.get("endpoint").filter(|endpoint| !endpoint.is_null()) {
        require(
            endpoint,
            &[("type", Kind::String), ("method", Kind::String), ("url", Kind::String)],
        )?;
        if let Some(timeout) = endpoint.get("timeoutMs").filter(|timeout| !timeout.is_null()) {
            // A 32-bit integer, without fraction and exponent.
            let fits =
                timeout.number().is_some_and(|number| number.as_str().parse::<i32>().is_ok());
            fits.then_some(())
                .ok_or_else(|| (timeout, "timeoutMs must be an integer".to_owned()))?;
        }
    }
    for name in ["capabilities", "tests", "examples"] {
        if let Some(list) = node.get(name).filter(|list| !list.is_null()) {
            expect(list, Kind::Array, name)?;
            list.elements().try_for_each(|element| expect(element, Kind::String, name))?;
        }
    }
    for name in ["auth", "meta"] {
        if let Some(value) = node.get(name) {
            expect(value, Kind::Object, name)?;
        }
    }
    let publisher = node.get("meta").and_then(|meta| meta.get("publisher"));
    match publisher.filter(|publisher| !publisher.is_null()) {
        Some(publisher) => require(publisher, &[("id", Kind::String), ("name", Kind::String)]),
        None => Ok(()),
    }
}

/// Returns true for three numbers, with anything after them that looks like a pre-release
/// or a build.
fn is_version(version: &str) -> bool {
    let version = version.strip_suffix('\n').unwrap_or(version);
    let tail = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'-'))
    };
    let (version, build) = version.split_once('+').map_or((version, None), |(v, b)| (v, Some(b)));
    let (core, pre) = version.split_once('-').map_or((version, None), |(v, p)| (v, Some(p)));
    let numbers = |text: &str| !text.is_empty() && text.chars().all(char::is_numeric);
    core.split('.').count() == 3
        && core.split('.').all(numbers)
        && pre.is_none_or(tail)
        && build.is_none_or(tail)
}
