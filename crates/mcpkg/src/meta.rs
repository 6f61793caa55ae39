//! The metadata of a package: publisher, provenance and signature.

use manifest_core::json::Document;
use manifest_core::read::{self, Extras, UnknownMembers};
use manifest_core::{Diagnostic, Profile, Report, Text, quoted};

use crate::Manifest;
use crate::package::rules;

#[cfg(feature = "ed25519")]
pub mod ed25519;
mod signature;
mod time;

pub(crate) use signature::check_size;
pub use signature::{Coverage, SignedContent, Verifier, verify};
pub use time::{format_time, parse_time};

/// `meta/publisher.json`
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct PublisherFile<'a> {
    /// The publisher's id in a registry.
    pub id: Option<Text<'a>>,
    /// The publisher's name.
    pub name: Option<Text<'a>>,
    /// The publisher's website.
    pub website: Option<Text<'a>>,
    /// An address to contact the publisher.
    pub contact: Option<Text<'a>>,
    /// Members that the specification does not define.
    pub extras: Extras<'a>,
}

/// `meta/provenance.json`
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Provenance<'a> {
    /// The repository of the sources.
    pub source_repo: Option<Text<'a>>,
    /// The commit that the package was built from.
    pub commit: Option<Text<'a>>,
    /// The time of the build, by RFC 3339.
    pub built_at: Option<Text<'a>>,
    /// The person or system that built the package.
    pub built_by: Option<Text<'a>>,
    /// Members that the specification does not define.
    pub extras: Extras<'a>,
}

impl<'a> PublisherFile<'a> {
    /// Reads the file. Invalid values are absent from the result.
    pub fn read(document: &'a Document<'a>) -> Self {
        publisher(document, &mut Report::new(Profile::Spec, 0)).unwrap_or_default()
    }
}

impl<'a> Provenance<'a> {
    /// Reads the file. Invalid values are absent from the result.
    pub fn read(document: &'a Document<'a>) -> Self {
        provenance(document, &mut Report::new(Profile::Spec, 0)).unwrap_or_default()
    }
}

fn publisher<'a>(document: &'a Document<'a>, report: &mut Report) -> Option<PublisherFile<'a>> {
    let names = ["id", "name", "website", "contact"];
    let ([id, name, website, contact], extras) =
        read::split_members(document.root(), names, UnknownMembers::Warn, report)?;
    Some(PublisherFile {
        id: read::text(id, report),
        name: read::text(name, report),
        website: read::text(website, report),
        contact: read::text(contact, report),
        extras,
    })
}

fn provenance<'a>(document: &'a Document<'a>, report: &mut Report) -> Option<Provenance<'a>> {
    let names = ["sourceRepo", "commit", "builtAt", "builtBy"];
    let ([source_repo, commit, built_at, built_by], extras) =
        read::split_members(document.root(), names, UnknownMembers::Warn, report)?;
    Some(Provenance {
        source_repo: read::text(source_repo, report),
        commit: read::text(commit, report),
        built_at: read::text(built_at, report),
        built_by: read::text(built_by, report),
        extras,
    })
}

/// Checks that the publisher is the same as in the manifest.
pub(crate) fn check_publisher(
    document: &Document<'_>,
    manifest: &Manifest<'_>,
    mut report: Report,
) -> Vec<Diagnostic> {
    let found = publisher(document, &mut report).unwrap_or_default();
    let named = manifest.meta.as_ref().and_then(|meta| meta.publisher.as_ref());
    let named = named.and_then(|publisher| publisher.id.as_deref());
    let first = manifest.tool_id.split('.').next();
    if found.id.is_none() && found.name.is_none() && document.root().is_object() {
        let message = "it says neither the id nor the name of a publisher";
        report.push(rules::META_EMPTY.at(document.root(), message));
    }
    if let (Some(id), Some(node)) = (&found.id, document.root().get("id")) {
        for (other, place) in [(named, "meta.publisher.id of the manifest"), (first, "toolId")] {
            let Some(other) = other.filter(|other| *other != id.as_ref()) else { continue };
            let (id, other) = (quoted(id), quoted(other));
            let message = format!("the publisher is {id} here, and {other} in {place}");
            report.push(rules::PUBLISHER_MISMATCH.at(node, message));
        }
    }
    report.diagnostics
}

pub(crate) fn check_provenance(
    document: &Document<'_>,
    now: Option<i64>,
    mut report: Report,
) -> Vec<Diagnostic> {
    let found = provenance(document, &mut report).unwrap_or_default();
    let root = document.root();
    let told = [&found.source_repo, &found.commit, &found.built_at, &found.built_by];
    if told.iter().all(|one| one.is_none()) && root.is_object() {
        let message = "it says nothing of where the package comes from";
        report.push(rules::META_EMPTY.at(root, message));
    }
    if let (Some(commit), Some(node)) = (&found.commit, root.get("commit")) {
        let is_hex = commit.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_hex || !matches!(commit.len(), 40 | 64) {
            let message = format!("{} is not a whole commit", quoted(commit));
            report.push(rules::COMMIT.at(node, message));
        }
    }
    if let (Some(built_at), Some(node)) = (&found.built_at, root.get("builtAt")) {
        match (parse_time(built_at), now) {
            (None, _) => {
                let message = format!("{} is not a time", quoted(built_at));
                report.push(rules::BUILT_AT.at(node, message));
            }
            (Some(time), Some(now)) if time > now => {
                let message = format!("{} is in the future", quoted(built_at));
                report.push(rules::BUILT_IN_FUTURE.at(node, message));
            }
            _ => {}
        }
    }
    report.diagnostics
}
