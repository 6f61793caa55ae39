//! Plans the files of an installation. Writes nothing.

use std::borrow::Cow;
use std::fmt::Write as _;

#[cfg(feature = "reference")]
use manifest_core::Profile;
use manifest_core::json::{Document, to_pretty_json};
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{Report, ValidateOptions, quoted, sha256_hex};
use serde::Serialize;

use crate::bundle::{ExpectedBundle, MANIFEST, OpenedBundle, digest, open, version_digest};
use crate::manifest::Manifest;
#[cfg(feature = "reference")]
use crate::published;
use crate::{names, rules};

/// The files that install a bundle, in the order to write them, below the folder in which
/// the host keeps its tools.
///
/// No path leaves that folder, on any platform, if the folder contains no links. The last
/// file makes the version the active one, so that an interrupted installation is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<'a> {
    /// The id of the tool.
    pub id: String,
    /// The version of the tool.
    pub version: String,
    /// The folder of this version, below the host's folder.
    pub folder: String,
    /// The files, with paths below the host's folder.
    pub files: Vec<PlannedFile<'a>>,
    /// The digest of the bundle's own files.
    pub digest: String,
    /// The digest of everything that must not change in a version: the files and the
    /// manifest.
    pub version_digest: String,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedFile<'a> {
    /// The path below the host's folder, with `/` between segments.
    pub path: String,
    /// The content.
    pub bytes: Cow<'a, [u8]>,
}

/// Checks a bundle and plans its installation.
///
/// The layout is that of the published client: `<tool>/<version>/{files…, tool.json}` and
/// `<tool>/active.json`.
///
/// ```
/// use toolglot_jumith::{ExpectedBundle, install};
/// use manifest_core::{Limits, ValidateOptions, json::Document};
///
/// let text = br#"{
///   "manifest": {
///     "id": "tool:add", "name": "add", "version": "1.0.0",
///     "summary": "Add", "description": "Adds two numbers.",
///     "entry": {"runtime": "node", "main": "index.js"}
///   },
///   "files": [{"path": "index.js", "content": "export const tool = {}"}]
/// }"#;
/// let document = Document::parse(text, &Limits::for_bundle())?;
/// let plan = install::plan(&document, &ExpectedBundle::default(), &ValidateOptions::default()).unwrap();
/// let paths: Vec<_> = plan.files.iter().map(|file| file.path.as_str()).collect();
/// assert_eq!(paths, ["tool_add/1.0.0/index.js", "tool_add/1.0.0/tool.json", "tool_add/active.json"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan<'a>(
    document: &'a Document<'a>,
    expected: &ExpectedBundle<'_>,
    options: &ValidateOptions,
) -> Result<Plan<'a>, Report> {
    let (OpenedBundle { manifest, mut files }, mut report) = open(document, expected, options);
    if !report.is_valid() {
        return Err(report);
    }
    let (folder, version) = folder_and_version(&manifest, options);
    // The published client checks neither. The folder may be `..`, and the version any
    // path.
    for (name, segment) in [("id", &folder), ("version", &version)] {
        if segment.contains('/') || check_portable(segment, &PathLimits::default()).is_err() {
            let at = document.root().get("manifest").and_then(|manifest| manifest.get(name));
            let message = format!("{} cannot name a folder", quoted(segment));
            let rule = if name == "id" { &rules::ID } else { &rules::VERSION };
            report.push(rule.at(at.unwrap_or(document.root()), message));
        }
    }
    if !report.is_valid() {
        return Err(report);
    }
    files.sort_by(|(a, _), (b, _)| a.cmp(b));
    let digest = digest(files.iter().map(|(path, bytes)| (path.as_ref(), bytes.as_ref())));
    let version_digest = match document.root().get("manifest") {
        Some(node) => version_digest(node, &digest),
        None => String::new(),
    };
    let inside = format!("{folder}/{version}");
    let mut planned = Vec::with_capacity(files.len() + 2);
    for (path, bytes) in files {
        planned.push(PlannedFile { path: format!("{inside}/{path}"), bytes });
    }
    let active = serde_json::json!({ "id": manifest.id, "version": manifest.version });
    planned.push(json_file(format!("{inside}/{MANIFEST}"), &manifest));
    planned.push(json_file(format!("{folder}/active.json"), &active));
    Ok(Plan {
        id: manifest.id.into_owned(),
        version: manifest.version.into_owned(),
        folder: inside,
        files: planned,
        digest,
        version_digest,
    })
}

/// Returns the names of the folders of a tool and of its version.
fn folder_and_version(manifest: &Manifest<'_>, options: &ValidateOptions) -> (String, String) {
    #[cfg(feature = "reference")]
    if options.profile == Profile::Reference {
        let folder = published::reference_folder(&manifest.id);
        return (folder, manifest.version.clone().into_owned());
    }
    let _ = options;
    (tool_folder(&manifest.id), version_folder(&manifest.version))
}

fn json_file<'a>(path: String, value: &impl Serialize) -> PlannedFile<'a> {
    PlannedFile { path, bytes: Cow::Owned(to_pretty_json(value).into_bytes()) }
}

/// Returns the folder of a tool. Different ids have different folders, also if the file
/// system ignores case. The name is safe on every platform.
///
/// An id of the usual form gets the folder that the published client uses. The names of
/// others begin with `__`, and each byte except lower-case letters, digits, dots and
/// hyphens becomes `_` and two hexadecimal digits.
///
/// ```
/// use toolglot_jumith::install::tool_folder;
///
/// assert_eq!(tool_folder("tool:email.send"), "tool_email.send");
/// assert_eq!(tool_folder("tool_email.send"), "__tool_5femail.send");
/// assert_eq!(tool_folder(".."), "___2e_2e");
/// ```
pub fn tool_folder(id: &str) -> String {
    if names::is_usual_id(id)
        && let Some(name) = id.strip_prefix("tool:")
    {
        let folder = format!("tool_{name}");
        if is_folder(&folder) {
            return folder;
        }
    }
    escape(id)
}

/// Returns the folder of a version, with the same guarantees: the version itself, unless it
/// has upper-case letters.
pub fn version_folder(version: &str) -> String {
    let is_usual = version.starts_with(|c: char| c.is_ascii_digit())
        && version.bytes().all(|b| is_plain(b) || b == b'+');
    if is_usual && is_folder(version) { version.to_owned() } else { escape(version) }
}

/// Returns true for a byte that every file system keeps as it is.
fn is_plain(b: u8) -> bool {
    b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'.' || b == b'-'
}

fn is_folder(name: &str) -> bool {
    !name.contains('/') && check_portable(name, &PathLimits::default()).is_ok()
}

fn escape(text: &str) -> String {
    let last = text.len().saturating_sub(1);
    let mut name = String::from("__");
    for (index, byte) in text.bytes().enumerate() {
        // Some systems drop a dot at the end. A dot at the beginning is reserved for names
        // that are too long.
        let edge = byte == b'.' && (index == 0 || index == last);
        if is_plain(byte) && !edge {
            name.push(char::from(byte));
        } else {
            // Writing to a string does not fail.
            let _ = write!(name, "_{byte:02x}");
        }
    }
    if is_folder(&name) { name } else { format!("__.{}", sha256_hex(text.as_bytes())) }
}
