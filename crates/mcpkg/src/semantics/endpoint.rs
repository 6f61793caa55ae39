//! Checks of endpoints: methods, URLs, commands and time-outs.

use manifest_core::json::Node;
use manifest_core::table::member_values;
use manifest_core::{Depth, Report, command_line, quoted, url};

use crate::rules::{self, INVALID_TIMEOUT};
use crate::structure::text_node;
use crate::table::{ENDPOINT_HTTP, ENDPOINT_LOCAL, METHOD};

/// Checks an endpoint.
pub(super) fn check(node: Node<'_>, report: &mut Report) {
    let timeout = match node.get("type").and_then(Node::text).as_deref() {
        Some("http") => {
            let [method, url, timeout] = member_values(node, &ENDPOINT_HTTP);
            if let Some((node, text)) = text_node(method) {
                check_method(node, &text, report);
            }
            if let Some((node, text)) = text_node(url) {
                check_url(node, &text, report);
            }
            timeout
        }
        Some("local") => {
            let [command, timeout] = member_values(node, &ENDPOINT_LOCAL);
            if let Some((node, line)) = text_node(command) {
                check_command(node, &line, report);
            }
            timeout
        }
        // An endpoint of an unknown type can have a time-out too.
        _ => node.get("timeoutMs"),
    };
    if let Some(timeout) = timeout {
        check_timeout(timeout, report);
    }
}

fn check_method(node: Node<'_>, method: &str, report: &mut Report) {
    if rules::METHODS.iter().any(|known| known.eq_ignore_ascii_case(method)) {
        return;
    }
    if METHOD.matches(method) {
        let message = format!("{} is an unusual method", quoted(method));
        report.add(&rules::UNUSUAL_METHOD, node, message);
    } else {
        report.add(&rules::ENDPOINT_METHOD, node, format!("{} is not a method", quoted(method)));
    }
}

fn check_url(node: Node<'_>, text: &str, report: &mut Report) {
    match url::check_http(text) {
        Err(error) => report.add(&rules::ENDPOINT_URL, node, error.message_for(text)),
        Ok(url) => {
            if !url.secure {
                report.add(&rules::INSECURE_URL, node, "the URL is not https");
            }
            if report.includes_depth(Depth::Advice) && url.is_private() {
                let message = format!("{} is a private address", quoted(url.host));
                report.add(&rules::PRIVATE_URL, node, message);
            }
        }
    }
}

fn check_command(node: Node<'_>, line: &str, report: &mut Report) {
    if let Err(message) = check_command_line(line) {
        report.add(&rules::ENDPOINT_COMMAND, node, format!("{} {message}", quoted(line)));
    }
    if command_line::needs_shell(line) {
        report.add(&rules::SHELL_SYNTAX, node, format!("{} needs a shell", quoted(line)));
    }
}

/// Checks that a command line is not blank, contains no NUL, and has no path with `..` in it.
pub(crate) fn check_command_line(line: &str) -> Result<(), &'static str> {
    if line.trim().is_empty() {
        return Err("is blank");
    }
    if line.contains('\0') {
        return Err("holds a NUL");
    }
    for word in line.split([' ', '\t', '\n', '"', '\'', '=']) {
        if word.split(['/', '\\']).any(|segment| segment == "..") {
            return Err("has a path that leaves the package");
        }
    }
    Ok(())
}

/// Checks a time-out. The table has reported negative ones.
fn check_timeout(node: Node<'_>, report: &mut Report) {
    let Some(timeout) = node.number() else { return };
    // Most time-outs are small numbers.
    if timeout.as_str().parse().is_ok_and(|ms: u32| ms > 0) {
        return;
    }
    match timeout.to_f64() {
        Some(_) if timeout.is_positive() && timeout.is_integer() => {}
        Some(_) if timeout.is_positive() => {
            report.add(&rules::FRACTIONAL_TIMEOUT, node, "the time-out is not a whole number");
        }
        Some(0.0) => report.add(&rules::TIMEOUT, node, INVALID_TIMEOUT),
        None if timeout.is_positive() => report.add(&rules::TIMEOUT, node, INVALID_TIMEOUT),
        _ => {}
    }
}
