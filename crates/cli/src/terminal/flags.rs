//! The flags of this program for what the libraries advise and for what tools need.

use std::borrow::Cow;

use toolglot::Diagnostic;
use toolglot::convert::{Need, NeedKind};
use toolglot::core::rules;
use toolglot::json::rules::TYPE;

/// Returns a diagnostic whose help names the flags of this program.
pub(crate) fn with_flags(diagnostic: &Diagnostic) -> Cow<'_, Diagnostic> {
    match advice(diagnostic) {
        Cow::Borrowed(_) => Cow::Borrowed(diagnostic),
        Cow::Owned(help) => Cow::Owned(diagnostic.clone().help(help)),
    }
}

/// Returns the advice of a diagnostic, with the flags of this program.
pub(crate) fn advice(diagnostic: &Diagnostic) -> Cow<'_, str> {
    let advice = diagnostic.advice();
    let rule = diagnostic.rule;
    if rule == &rules::BRIDGE {
        return accept_last(advice, "bridge");
    }
    if rule == &rules::TOOL_VERSION {
        return accept_last(advice, "version");
    }
    if rule == &rules::DISABLED {
        return accept_or_leave_out(advice, "disabled");
    }
    if rule == &rules::APPROVAL {
        return accept_or_leave_out(advice, "approval");
    }
    if rule == &TYPE && advice.ends_with("an array of documents is a stream") {
        return Cow::Owned(format!("{advice}: use --jsonl"));
    }
    if rule == &TYPE && advice.ends_with("an array of them is a stream") {
        return Cow::Owned(format!("{advice}: --jsonl"));
    }
    Cow::Borrowed(advice)
}

/// Replaces "by name" at the end of an advice.
fn accept_last<'a>(advice: &'a str, loss: &str) -> Cow<'a, str> {
    match advice.strip_suffix("by name") {
        Some(before) => Cow::Owned(format!("{before}with --accept {loss}")),
        None => Cow::Borrowed(advice),
    }
}

/// Replaces "by name" in an advice that ends with leaving tools out.
fn accept_or_leave_out<'a>(advice: &'a str, loss: &str) -> Cow<'a, str> {
    match advice.split_once("by name") {
        Some((before, after)) => {
            Cow::Owned(format!("{before}with --accept {loss}{after} with --without {loss}"))
        }
        None => Cow::Borrowed(advice),
    }
}

/// The place of a source that no folder has, in the needs of hosts.
const STORE: &str = "the user's store";

/// Returns the description of a need, with the flags of this program that meet it.
pub(crate) fn describe_need(need: &Need) -> Cow<'_, str> {
    let what = need.what.as_ref();
    match need.kind {
        NeedKind::Bridge | NeedKind::Launcher => {
            Cow::Owned(format!("{what}: `convert -o FOLDER` writes it"))
        }
        NeedKind::SourceFiles => {
            let how = "`convert -o FOLDER` copies them, and not what they load";
            Cow::Owned(format!("{what}: {how}"))
        }
        NeedKind::BridgeHost => match what.split_once(STORE) {
            Some((before, "")) => {
                Cow::Owned(format!("{before}{STORE}: `convert --store` copies it there"))
            }
            Some((before, after)) => {
                Cow::Owned(format!("{before}{STORE} (`convert --store`){after}"))
            }
            None => Cow::Borrowed(what),
        },
        _ => Cow::Borrowed(what),
    }
}
