//! The metadata of a package: publisher, provenance and signature.

use manifest_core::json::{Document, Node};
use manifest_core::read::{self, UnknownMembers};
use manifest_core::{Diagnostic, Report, Text, quoted};

use crate::id;
use crate::package::rules;

#[cfg(feature = "ed25519")]
pub mod ed25519;
mod signature;
mod time;

pub(crate) use signature::check_size;
pub use signature::{Coverage, SignedContent, Verifier, verify};
pub use time::{format_time, parse_time};

/// Checks `meta/publisher.json`, and that its publisher is that of the manifest.
pub(crate) fn check_publisher(
    document: &Document<'_>,
    manifest: &Document<'_>,
    mut report: Report,
) -> Vec<Diagnostic> {
    let names = ["id", "name", "website", "contact"];
    let root = document.root();
    let Some((members, _)) = read::split_members(root, names, UnknownMembers::Warn, &mut report)
    else {
        return report.diagnostics;
    };
    let [id, name, ..] = members.map(|member| read::text(member, &mut report));
    if id.is_none() && name.is_none() {
        let message = "it says neither the id nor the name of a publisher";
        report.push(rules::META_EMPTY.at(root, message));
    }
    if let (Some(id), [Some(node), ..]) = (id, members) {
        // A missing id has an empty publisher, which differs from any other.
        let tool_id = manifest.at("/toolId").and_then(Node::text).unwrap_or(Text::Borrowed(""));
        let named = manifest.at("/meta/publisher/id").and_then(Node::text);
        for (other, place) in [
            (named.as_deref(), "meta.publisher.id of the manifest"),
            (Some(id::publisher(&tool_id)), "toolId"),
        ] {
            if let Some(other) = other
                && other != id
            {
                let (id, other) = (quoted(&id), quoted(other));
                let message = format!("the publisher is {id} here, and {other} in {place}");
                report.push(rules::PUBLISHER_MISMATCH.at(node, message));
            }
        }
    }
    report.diagnostics
}

/// Checks `meta/provenance.json`.
pub(crate) fn check_provenance(
    document: &Document<'_>,
    now: Option<i64>,
    mut report: Report,
) -> Vec<Diagnostic> {
    let names = ["sourceRepo", "commit", "builtAt", "builtBy"];
    let root = document.root();
    let Some((members, _)) = read::split_members(root, names, UnknownMembers::Warn, &mut report)
    else {
        return report.diagnostics;
    };
    let texts = members.map(|member| read::text(member, &mut report));
    if texts.iter().all(Option::is_none) {
        let message = "it says nothing of where the package comes from";
        report.push(rules::META_EMPTY.at(root, message));
    }
    let [_, commit, built_at, _] = texts;
    let [_, commit_node, built_at_node, _] = members;
    if let (Some(commit), Some(node)) = (commit, commit_node) {
        let is_hex = commit.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hex || !matches!(commit.len(), 40 | 64) {
            let message = format!("{} is not a whole commit", quoted(&commit));
            report.push(rules::COMMIT.at(node, message));
        }
    }
    if let (Some(built_at), Some(node)) = (built_at, built_at_node) {
        let shown = quoted(&built_at);
        match (parse_time(&built_at), now) {
            (None, _) => report.push(rules::BUILT_AT.at(node, format!("{shown} is not a time"))),
            (Some(time), Some(now)) if time > now => {
                report.push(rules::BUILT_IN_FUTURE.at(node, format!("{shown} is in the future")));
            }
            _ => {}
        }
    }
    report.diagnostics
}
