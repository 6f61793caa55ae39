//! The flags of this program for what the libraries advise and for what tools need.

use std::borrow::Cow;

use toolglot::Diagnostic;
use toolglot::convert::{Need, NeedKind};
use toolglot::core::rules;

/// Returns a diagnostic whose help names the flags of this program.
pub(crate) fn with_flags(diagnostic: &Diagnostic) -> Cow<'_, Diagnostic> {
    match advice(diagnostic) {
        Cow::Borrowed(_) => Cow::Borrowed(diagnostic),
        Cow::Owned(help) => Cow::Owned(diagnostic.clone().help(help)),
    }
}

/// Returns the advice of a diagnostic, with the flags of this program.
pub(crate) fn advice(diagnostic: &Diagnostic) -> Cow<'_, str> {
    let (rule, advice) = (diagnostic.rule, diagnostic.advice());
    let with_flags = match advice {
        "accept the bridge by name" => "accept the bridge with --accept bridge",
        ACCEPT_OR_LEAVE_OUT if rule == &rules::DISABLED => {
            "accept it with --accept disabled, or leave such tools out with --without disabled"
        }
        ACCEPT_OR_LEAVE_OUT if rule == &rules::APPROVAL => {
            "accept it with --accept approval, or leave such tools out with --without approval"
        }
        "an array of documents is a stream" => "an array of documents is a stream: use --jsonl",
        "a document is one manifest; an array of them is a stream" => {
            "a document is one manifest; an array of them is a stream: --jsonl"
        }
        _ if rule == &rules::TOOL_VERSION => return version_advice(advice),
        _ => return Cow::Borrowed(advice),
    };
    Cow::Owned(with_flags.to_owned())
}

/// The advice for a tool whose safety feature the target format lacks.
const ACCEPT_OR_LEAVE_OUT: &str = "accept it by name, or leave such tools out";

/// Returns the advice for a version that does not fit. It names the version to accept.
fn version_advice(advice: &str) -> Cow<'_, str> {
    match advice.strip_suffix("by name") {
        Some(before) => Cow::Owned(format!("{before}with --accept version")),
        None => Cow::Borrowed(advice),
    }
}

/// The words of a need that name the user's store.
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
        NeedKind::BridgeHost if what.ends_with(STORE) => {
            Cow::Owned(format!("{what}: `convert --store` copies it there"))
        }
        NeedKind::BridgeHost => {
            Cow::Owned(what.replace(STORE, "the user's store (`convert --store`)"))
        }
        _ => Cow::Borrowed(what),
    }
}
