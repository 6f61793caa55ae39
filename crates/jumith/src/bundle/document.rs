//! The bundle as a document: its types, reading and writing.

use manifest_core::json::{Document, Node, to_json};
use manifest_core::read::{self, Extras, UnknownMembers};
use manifest_core::{Limits, Profile, Report, Text, canonical, quoted, sha256_hex};
use serde::Serialize;

use crate::manifest::Manifest;
use crate::{base64, rules};

/// A bundle.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bundle<'a> {
    /// The manifest, equal to the answer of `describe`.
    pub manifest: Manifest<'a>,
    /// The files.
    pub files: Vec<File<'a>>,
    /// The digest of the files: see [`digest`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// A file of a bundle, still encoded.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct File<'a> {
    /// The path, relative to the bundle.
    pub path: Text<'a>,
    /// The encoded content.
    pub content: Text<'a>,
    /// The encoding. UTF-8 if missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// The digest of the decoded content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Text<'a>>,
    /// Members that the specification does not define.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// The encoding of a file's content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// Plain text.
    Utf8,
    /// Base64, RFC 4648 section 4.
    Base64,
}

/// The facts known about a bundle before it is opened. Each is checked if it is given,
/// except under the `reference` profile.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExpectedBundle<'e> {
    /// The requested id.
    pub id: Option<&'e str>,
    /// The requested version.
    pub version: Option<&'e str>,
    /// The answer of `describe`, if it was about the same version.
    pub describe: Option<Node<'e>>,
}

impl<'a> Bundle<'a> {
    /// Reads a document. Invalid members are read as missing: [`Bundle::check`] reports
    /// them.
    pub fn read(document: &'a Document<'a>) -> Self {
        let root = document.root();
        let manifest = root.get("manifest").map(Manifest::read_node);
        bundle(root, manifest, &mut Report::new(Profile::Spec, 0)).unwrap_or_default()
    }
}

/// Returns the digest of a list of files: the SHA-256 of one line for each file, in the
/// order of their paths. A line is the file's own digest, two spaces, and the path.
///
/// It equals the output of `find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0
/// sha256sum | sha256sum` in the folder of the files.
pub fn digest<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> String {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_unstable_by_key(|(path, _)| *path);
    let mut lines = String::new();
    for (path, bytes) in files {
        lines.extend([&sha256_hex(bytes), "  ", path, "\n"]);
    }
    sha256_hex(lines.as_bytes())
}

/// Returns the digest of everything that must not change in a version: its manifest and the
/// [`digest`] of its files.
pub(crate) fn version_digest(manifest: Node<'_>, files: &str) -> String {
    sha256_hex(format!("{files}\n{}", canonical(manifest)).as_bytes())
}

/// Returns a bundle as JSON text. Files that are text are written as text, others in
/// base64.
pub fn pack(manifest: Node<'_>, files: &[(String, Vec<u8>)]) -> String {
    let sha256 = digest(files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
    let files = files_as_json(files);
    format!("{{\"manifest\":{},\"files\":{files},\"sha256\":\"{sha256}\"}}", manifest.raw())
}

/// Returns the files of a bundle as a JSON list.
pub(crate) fn files_as_json(files: &[(String, Vec<u8>)]) -> String {
    let files: Vec<File<'_>> = files.iter().map(|(path, bytes)| File::new(path, bytes)).collect();
    to_json(&files)
}

/// Returns the limits for a bundle: the given ones, but at least those for bundles.
pub(crate) fn bundle_limits(given: &Limits) -> Limits {
    let least = Limits::for_bundle();
    Limits {
        document_bytes: given.document_bytes.max(least.document_bytes),
        string_bytes: given.string_bytes.max(least.string_bytes),
        ..given.clone()
    }
}

impl<'a> File<'a> {
    /// Creates a file, in the encoding that fits its content.
    pub fn new(path: &'a str, bytes: &'a [u8]) -> Self {
        let (content, encoding) = match std::str::from_utf8(bytes) {
            Ok(text) if !text.contains('\0') => (Text::Borrowed(text), Encoding::Utf8),
            _ => (Text::Owned(base64::encode(bytes)), Encoding::Base64),
        };
        Self {
            path: Text::Borrowed(path),
            content,
            encoding: Some(encoding),
            sha256: None,
            extras: Extras::default(),
        }
    }
}

/// Reads a bundle around its manifest, and reports errors of structure.
pub(crate) fn bundle<'a>(
    node: Node<'a>,
    manifest: Option<Manifest<'a>>,
    report: &mut Report,
) -> Option<Bundle<'a>> {
    let names = ["manifest", "files", "sha256"];
    let ([manifest_node, files, sha256], extras) =
        read::split_members(node, names, UnknownMembers::Warn, report)?;
    read::require(manifest_node, node, "manifest", report);
    let files = read::require(files, node, "files", report);
    Some(Bundle {
        manifest: manifest.unwrap_or_default(),
        files: read::list(files, report, file),
        sha256: read::text(sha256, report),
        extras,
    })
}

fn file<'a>(node: Node<'a>, report: &mut Report) -> Option<File<'a>> {
    let names = ["path", "content", "encoding", "sha256"];
    let ([path, content, encoding, sha256], extras) =
        read::split_members(node, names, UnknownMembers::Warn, report)?;
    let path = read::require(path, node, "path", report);
    let content = read::require(content, node, "content", report);
    let encoding = match encoding {
        Some(node) => Some(read_encoding(node, report)?),
        None => None,
    };
    Some(File {
        path: read::text(path, report)?,
        content: read::text(content, report)?,
        encoding,
        sha256: read::text(sha256, report),
        extras,
    })
}

fn read_encoding(node: Node<'_>, report: &mut Report) -> Option<Encoding> {
    let text = node.text();
    match text.as_deref() {
        Some("utf8") => return Some(Encoding::Utf8),
        Some("base64") => return Some(Encoding::Base64),
        _ => {}
    }
    let found = match text {
        Some(text) => quoted(&text),
        None => node.kind().with_article().to_owned(),
    };
    let message = format!("expected \"utf8\" or \"base64\", found {found}");
    report.push(rules::ENCODING.at(node, message));
    None
}

impl File<'_> {
    /// Returns the approximate size of the decoded content in bytes, without decoding it.
    pub(crate) fn size(&self) -> usize {
        match self.encoding {
            Some(Encoding::Base64) => self.content.len() / 4 * 3,
            _ => self.content.len(),
        }
    }
}
