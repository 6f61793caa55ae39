//! What to write to disk, and nothing else.

use std::borrow::Cow;

use manifest_core::json::Document;
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{Profile, Report, Validate, quoted, sha256_hex};

use crate::bundle::{Expected, MANIFEST, Opened, digest, open};
use crate::{names, rules};

/// What installs a bundle: the files to write, in order, below a folder that the
/// host keeps tools in.
///
/// No path leaves that folder, on any platform, as long as there are no links in
/// it. The last file makes the version the active one, so that an installation
/// that breaks off is not used.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<'a> {
    /// The tool.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The folder of this version, below the host's folder.
    pub folder: String,
    /// The files, with paths below the host's folder.
    pub files: Vec<PlannedFile<'a>>,
    /// The digest of the bundle's own files.
    pub digest: String,
}

/// A file to write.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)]
pub struct PlannedFile<'a> {
    /// Where, below the host's folder, with `/` between segments.
    pub path: String,
    /// What.
    pub bytes: Cow<'a, [u8]>,
}

/// Checks a bundle, and says what to write.
///
/// The layout is that of the published client:
/// `<tool>/<version>/{files…, tool.json}` and `<tool>/active.json`.
///
/// ```
/// use jumith::{Expected, install};
/// use manifest_core::{Limits, Validate, json::Document};
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
/// let plan = install::plan(&document, &Expected::default(), &Validate::default()).unwrap();
/// let paths: Vec<_> = plan.files.iter().map(|file| file.path.as_str()).collect();
/// assert_eq!(paths, ["tool_3aadd/1.0.0/index.js", "tool_3aadd/1.0.0/tool.json", "tool_3aadd/active.json"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plan<'a>(
    document: &'a Document<'a>,
    expected: &Expected<'_>,
    options: &Validate,
) -> Result<Plan<'a>, Report> {
    let (Opened { manifest, mut files }, mut report) = open(document, expected, options);
    if !report.is_valid() {
        return Err(report);
    }
    let folder = match options.profile {
        Profile::Reference => reference_folder(&manifest.id),
        _ => folder_name(&manifest.id),
    };
    let version = match options.profile {
        Profile::Reference => manifest.version.clone().into_owned(),
        _ => folder_name(&manifest.version),
    };
    // The published client looks at neither. Both could name another folder.
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
    let inside = format!("{folder}/{version}");
    let mut planned: Vec<PlannedFile<'a>> = files
        .into_iter()
        .map(|(path, bytes)| PlannedFile { path: format!("{inside}/{path}"), bytes })
        .collect();
    let json = |value: Result<String, serde_json::Error>| {
        // Strings and JSON values: serialising them cannot fail.
        Cow::Owned(value.unwrap_or_default().into_bytes())
    };
    let active = serde_json::json!({ "id": manifest.id, "version": manifest.version });
    planned.push(PlannedFile {
        path: format!("{inside}/{MANIFEST}"),
        bytes: json(serde_json::to_string_pretty(&manifest)),
    });
    planned.push(PlannedFile {
        path: format!("{folder}/active.json"),
        bytes: json(serde_json::to_string_pretty(&active)),
    });
    Ok(Plan {
        id: manifest.id.into_owned(),
        version: manifest.version.into_owned(),
        folder: inside,
        files: planned,
        digest,
    })
}

/// A folder name for a text: different for different texts, also where the file
/// system ignores case, and safe on every platform.
///
/// Lower-case letters, digits, dots and hyphens stand for themselves; every other
/// byte becomes `_` and two hexadecimal digits.
///
/// ```
/// use jumith::install::folder_name;
///
/// assert_eq!(folder_name("tool:email.send"), "tool_3aemail.send");
/// assert_ne!(folder_name("tool:a"), folder_name("tool_a"));
/// ```
pub fn folder_name(text: &str) -> String {
    let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b".-".contains(&b);
    let escape = |b: u8| format!("_{b:02x}");
    let last = text.len().saturating_sub(1);
    let mut name = String::new();
    for (index, byte) in text.bytes().enumerate() {
        // Names that begin or end with a dot are special somewhere.
        let edge = byte == b'.' && (index == 0 || index == last);
        if plain(byte) && !edge {
            name.push(char::from(byte));
        } else {
            name.push_str(&escape(byte));
        }
    }
    if check_portable(&name, &PathLimits::default()).is_ok() {
        return name;
    }
    if name.len() > PathLimits::default().segment_bytes {
        return format!("__{}", sha256_hex(text.as_bytes()));
    }
    // The name of a Windows device, or nothing.
    match name.bytes().next() {
        Some(first) => format!("{}{}", escape(first), name.get(1..).unwrap_or_default()),
        None => "__".to_owned(),
    }
}

/// The folder that the published client keeps a tool in. Two tools may have the
/// same one, and it may be `..`: [`plan`] refuses that.
pub fn reference_folder(id: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
    // JavaScript replaces each half of a surrogate pair.
    let safe = |c: char| if plain(c) { c.to_string() } else { "_".repeat(c.len_utf16()) };
    if names::is_blank(id) { "_".to_owned() } else { id.chars().map(safe).collect() }
}
