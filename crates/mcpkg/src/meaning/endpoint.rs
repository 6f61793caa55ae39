//! How a tool is called: methods, URLs, commands and time-outs.

use manifest_core::json::Node;
use manifest_core::table::entries;
use manifest_core::{Depth, Report, quoted, url};

use crate::table::{ENDPOINT_HTTP, ENDPOINT_LOCAL, METHOD};
use crate::{command_line, rules};

/// Checks an endpoint: an object.
pub(super) fn check(node: Node<'_>, report: &mut Report) {
    let timeout = match node.get("type").and_then(Node::text).as_deref() {
        Some("http") => {
            let [method, url, timeout] = entries(node, &ENDPOINT_HTTP);
            check_text(method, report, check_method);
            check_text(url, report, check_url);
            timeout
        }
        Some("local") => {
            let [command, timeout] = entries(node, &ENDPOINT_LOCAL);
            check_text(command, report, check_command);
            timeout
        }
        // One of no known type has a time-out all the same.
        _ => node.get("timeoutMs"),
    };
    check_timeout(timeout, report);
}

fn check_text(node: Option<Node<'_>>, report: &mut Report, check: fn(Node<'_>, &str, &mut Report)) {
    if let Some(node) = node
        && let Some(text) = node.text()
    {
        check(node, &text, report);
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
        Err(error) => report.add(&rules::ENDPOINT_URL, node, error.about(text).to_string()),
        Ok(url) => {
            if !url.secure {
                report.add(&rules::INSECURE_URL, node, "the URL is not https");
            }
            if report.wants(Depth::Advice) && url.is_private() {
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

/// That it is above zero, the table says.
fn check_timeout(node: Option<Node<'_>>, report: &mut Report) {
    let Some((node, timeout)) = node.and_then(|node| Some((node, node.number()?))) else { return };
    // Mostly it is a small number.
    if timeout.as_str().parse::<u32>().is_ok() || !timeout.is_positive() {
        return;
    }
    if timeout.to_f64().is_none() {
        report.add(&rules::TIMEOUT, node, "the time-out is beyond all bounds");
    } else if !timeout.is_integer() {
        report.add(&rules::FRACTIONAL_TIMEOUT, node, "the time-out is not a whole number");
    }
}
