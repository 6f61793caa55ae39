//! A bundle as a document: what is in it, how it is read and written.

use manifest_core::json::{Document, Node};
use manifest_core::read::{self, Extras, Others};
use manifest_core::{Profile, Report, Text, canonical, certain, quoted, sha256_hex};
use serde::Serialize;

use crate::manifest::Manifest;
use crate::{base64, rules};

/// A bundle.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Bundle<'a> {
    /// The manifest: the one of `describe`.
    pub manifest: Manifest<'a>,
    /// The files.
    pub files: Vec<File<'a>>,
    /// Digest of the files: see [`digest`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// A file of a bundle, as it is written there.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct File<'a> {
    /// Where it goes, relative to the bundle.
    pub path: Text<'a>,
    /// What is in it, encoded.
    pub content: Text<'a>,
    /// How it is encoded; UTF-8 when nothing is said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<Encoding>,
    /// Digest of the decoded content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<Text<'a>>,
    /// What the specification does not know.
    #[serde(flatten)]
    pub extras: Extras<'a>,
}

/// How the content of a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Encoding {
    /// As text.
    Utf8,
    /// In base64, RFC 4648 section 4.
    Base64,
}

/// What is known about a bundle before it is opened. The more, the better.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected<'e> {
    /// The id that was asked for.
    pub id: Option<&'e str>,
    /// The version that was asked for.
    pub version: Option<&'e str>,
    /// What `describe` answered, when that was about the same version.
    pub describe: Option<Node<'e>>,
}

impl<'a> Bundle<'a> {
    /// Reads a document. What is not as it should be is absent: use
    /// [`Bundle::check`] to hear about it.
    pub fn read(document: &'a Document<'a>) -> Self {
        bundle(document.root(), &mut Report::new(Profile::Spec, 0)).unwrap_or_default()
    }
}

/// The digest of a list of files: SHA-256 of one line for each, in the order of
/// their paths: the file's own digest, two spaces, and the path.
///
/// It is what `find . -type f -printf '%P\0' | LC_ALL=C sort -z | xargs -0 sha256sum
/// | sha256sum` prints in the folder of the files.
pub fn digest<'f>(files: impl IntoIterator<Item = (&'f str, &'f [u8])>) -> String {
    let mut files: Vec<_> = files.into_iter().collect();
    files.sort_unstable_by_key(|(path, _)| *path);
    let lines = files.iter().map(|(path, bytes)| format!("{}  {path}\n", sha256_hex(bytes)));
    sha256_hex(lines.collect::<String>().as_bytes())
}

/// A digest of all that must not change of a version: of its manifest, and of the
/// [`digest`] of its files.
pub(crate) fn content(manifest: Node<'_>, files: &str) -> String {
    sha256_hex(format!("{files}\n{}", canonical(manifest)).as_bytes())
}

/// A bundle as JSON text, from a manifest and the files. Files that are text are
/// written as such, others in base64.
pub fn pack(manifest: Node<'_>, files: &[(String, Vec<u8>)]) -> String {
    let sha256 = digest(files.iter().map(|(path, bytes)| (path.as_str(), bytes.as_slice())));
    let files: Vec<File<'_>> = files.iter().map(|(path, bytes)| File::new(path, bytes)).collect();
    let files = certain(serde_json::to_string(&files)).unwrap_or_default();
    format!("{{\"manifest\":{},\"files\":{files},\"sha256\":\"{sha256}\"}}", manifest.raw())
}

impl<'a> File<'a> {
    /// A file with that content, in the encoding that fits it.
    pub fn new(path: &'a str, bytes: &'a [u8]) -> Self {
        let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        let (content, encoding) = match text {
            Some(text) => (Text::Borrowed(text), Encoding::Utf8),
            None => (Text::Owned(base64::encode(bytes)), Encoding::Base64),
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

/// Reads a bundle and reports what has the wrong shape, but for what is in its manifest.
pub(crate) fn bundle<'a>(node: Node<'a>, report: &mut Report) -> Option<Bundle<'a>> {
    let names = ["manifest", "files", "sha256"];
    let ([manifest, files, sha256], extras) = read::members(node, names, Others::Warn, report)?;
    let manifest = read::require(manifest, node, "manifest", report);
    let files = read::require(files, node, "files", report);
    Some(Bundle {
        manifest: manifest.map(Manifest::read_node).unwrap_or_default(),
        files: read::list(files, report, file),
        sha256: read::text(sha256, report),
        extras,
    })
}

fn file<'a>(node: Node<'a>, report: &mut Report) -> Option<File<'a>> {
    let names = ["path", "content", "encoding", "sha256"];
    let ([path, content, encoding, sha256], extras) =
        read::members(node, names, Others::Warn, report)?;
    let path = read::require(path, node, "path", report);
    let content = read::require(content, node, "content", report);
    let encoding = match encoding.map(|node| (node, node.text())) {
        None => None,
        Some((_, Some(text))) if text == "utf8" => Some(Encoding::Utf8),
        Some((_, Some(text))) if text == "base64" => Some(Encoding::Base64),
        Some((node, text)) => {
            let found = text.map_or_else(|| node.kind().described().to_owned(), |t| quoted(&t));
            let message = format!("expected \"utf8\" or \"base64\", found {found}");
            report.push(rules::ENCODING.at(node, message));
            return None;
        }
    };
    Some(File {
        path: read::text(path, report)?,
        content: read::text(content, report)?,
        encoding,
        sha256: read::text(sha256, report),
        extras,
    })
}

impl File<'_> {
    /// Bytes of the decoded content, or a little more.
    pub(crate) fn size(&self) -> usize {
        match self.encoding {
            Some(Encoding::Base64) => self.content.len() / 4 * 3,
            _ => self.content.len(),
        }
    }
}
