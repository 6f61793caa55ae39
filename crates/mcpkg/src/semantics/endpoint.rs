//! Checks of endpoints: methods, URLs, commands and time-outs.

use manifest_core::json::Node;
use manifest_core::table::member_values;
use manifest_core::{Depth, Report, Text, quoted, url};

use crate::table::{ENDPOINT_HTTP, ENDPOINT_LOCAL, METHOD};
use crate::{command_line, rules};

/// The message for a time-out that is not positive or too large.
pub(crate) const INVALID_TIMEOUT: &str =
    "the time-out must be greater than zero and not beyond all bounds";

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

/// Returns the node and its text, if it is a string.
fn text_node(node: Option<Node<'_>>) -> Option<(Node<'_>, Text<'_>)> {
    node.and_then(|node| Some((node, node.text()?)))
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
    if let Err(message) = command_line::check(line) {
        report.add(&rules::ENDPOINT_COMMAND, node, format!("{} {message}", quoted(line)));
    }
    if command_line::is_active(line) {
        report.add(&rules::SHELL_SYNTAX, node, format!("{} needs a shell", quoted(line)));
    }
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
