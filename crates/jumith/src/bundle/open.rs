//! Opens a bundle: checks it and decodes its files.

use std::borrow::Cow;
use std::collections::BTreeMap;

#[cfg(feature = "reference")]
use manifest_core::Profile;
use manifest_core::json::{Document, Node};
#[cfg(feature = "reference")]
use manifest_core::path::PathStyle;
use manifest_core::path::{self, PathFinding, PathLimits};
use manifest_core::{
    Depth, Pointer, Report, Rule, Text, ValidateOptions, prose, quoted, secret, sha256_hex,
};

use super::document::{Bundle, Encoding, ExpectedBundle, File, bundle, digest};
use crate::manifest::Manifest;
#[cfg(feature = "reference")]
use crate::published;
use crate::structure::is_reference;
use crate::{base64, check, compare, names, rules};

/// The file that contains the manifest of an installed tool.
pub(crate) const MANIFEST: &str = "tool.json";

/// An opened bundle: the manifest, and the files with their safe paths and decoded content.
#[derive(Debug, Default)]
pub(crate) struct OpenedBundle<'a> {
    pub(crate) manifest: Manifest<'a>,
    pub(crate) files: Vec<(Cow<'a, str>, Cow<'a, [u8]>)>,
}

/// Checks a bundle and decodes its files. The files are empty if one of them cannot be
/// read.
pub(crate) fn open<'a>(
    document: &'a Document<'a>,
    expected: &ExpectedBundle<'_>,
    options: &ValidateOptions,
) -> (OpenedBundle<'a>, Report) {
    let mut report = options.new_report();
    let root = document.root();
    let Some(bundle) = read(root, options, &mut report) else {
        return (OpenedBundle::default(), report);
    };
    let Bundle { manifest, files, sha256, extras: _ } = bundle;
    if options.depth < Depth::Semantics {
        return (OpenedBundle::default(), report);
    }
    let mut check = Check { report: &mut report, options, root };
    check.check_identity(&manifest, expected);
    check.check_secrets(&files);
    let files = check.check_files(&files, &manifest);
    let declared = [
        (&["sha256"][..], sha256.as_deref()),
        (&["manifest", "sha256"], manifest.sha256.as_deref()),
    ];
    check.check_digests(&files, declared);
    (OpenedBundle { manifest, files }, report)
}

/// Reads a bundle and reports errors of its structure and its manifest.
fn read<'a>(root: Node<'a>, options: &ValidateOptions, report: &mut Report) -> Option<Bundle<'a>> {
    #[cfg(feature = "reference")]
    if options.profile == Profile::Reference {
        return match published::bundle(root) {
            Ok(bundle) => Some(bundle),
            Err(message) => {
                report.push(rules::REFERENCE.at(root, message));
                None
            }
        };
    }
    let mut manifest = None;
    if let Some(node) = root.get("manifest") {
        let nodes = check::check(node, options, report);
        manifest = Some(Manifest::from_nodes(node, &nodes));
    }
    bundle(root, manifest, report)
}

impl Bundle<'_> {
    /// Checks a document: its manifest, its files, and whether it is the expected bundle.
    pub fn check(
        document: &Document<'_>,
        expected: &ExpectedBundle<'_>,
        options: &ValidateOptions,
    ) -> Report {
        open(document, expected, options).1
    }
}

/// Returns the decoded files of a bundle with their paths, or an empty list if the bundle
/// fails [`Bundle::check`].
pub fn files(document: &Document<'_>, options: &ValidateOptions) -> Vec<(String, Vec<u8>)> {
    let (opened, report) = open(document, &ExpectedBundle::default(), options);
    let files = opened.files.into_iter().filter(|_| report.is_valid());
    files.map(|(path, bytes)| (path.into_owned(), bytes.into_owned())).collect()
}

struct Check<'o> {
    report: &'o mut Report,
    options: &'o ValidateOptions,
    root: Node<'o>,
}

impl<'o> Check<'o> {
    fn is_reference(&self) -> bool {
        is_reference(self.options.profile)
    }

    /// Returns the node at the path, or the last node on the way there.
    fn node_at(&self, path: &[&str]) -> Node<'o> {
        let mut node = self.root;
        for name in path {
            let Some(member) = node.get(name) else { break };
            node = member;
        }
        node
    }

    fn file_member(&self, index: usize, name: &str) -> Node<'o> {
        let list = self.node_at(&["files"]);
        let file = list.element(index).unwrap_or(list);
        file.get(name).unwrap_or(file)
    }

    /// Reports a problem at a member of a file.
    fn report_file(
        &mut self,
        rule: &'static Rule,
        index: usize,
        name: &str,
        message: impl Into<String>,
    ) {
        if self.report.accepts(rule) {
            self.report.push(rule.at(self.file_member(index, name), message));
        }
    }

    /// Checks that the bundle is the requested one. Otherwise a cache would keep another
    /// tool under this key. The published client does not check it.
    fn check_identity(&mut self, manifest: &Manifest<'_>, expected: &ExpectedBundle<'_>) {
        if self.is_reference() {
            return;
        }
        let asked =
            [("id", expected.id, &manifest.id), ("version", expected.version, &manifest.version)];
        for (name, asked, found) in asked {
            if let Some(asked) = asked
                && asked != found
            {
                let message = format!("asked for {}, got {}", quoted(asked), quoted(found));
                self.report.push(rules::IDENTITY.at(self.node_at(&["manifest", name]), message));
            }
        }
        if let (Some(describe), Some(manifest)) = (expected.describe, self.root.get("manifest")) {
            for pointer in compare::differences(describe, manifest, self.options.limits.diagnostics)
            {
                let at = manifest.at(&pointer).unwrap_or(manifest);
                let message = format!("{} is not what describe says", quoted(pointer.as_str()));
                let mut diagnostic = rules::DESCRIBE_MISMATCH.at(at, message);
                diagnostic.set_pointer(Pointer::root().push("manifest").join(&pointer));
                self.report.push(diagnostic);
            }
        }
    }

    /// Returns the path at which a file is written, if it is safe on every platform.
    fn safe_path<'a>(&mut self, index: usize, file: &File<'a>) -> Option<Cow<'a, str>> {
        #[cfg(feature = "reference")]
        if self.is_reference() {
            let path = self.reference_path(index, file)?;
            return self.portable_path(index, file, path);
        }
        self.portable_path(index, file, file.path.clone())
    }

    fn portable_path<'a>(
        &mut self,
        index: usize,
        file: &File<'_>,
        path: Cow<'a, str>,
    ) -> Option<Cow<'a, str>> {
        if let Err(error) = path::check_portable(&path, &PathLimits::from(&self.options.limits)) {
            let message = format!("{}: {error}", quoted(&file.path));
            self.report_file(&rules::FILE_PATH, index, "path", message);
            return None;
        }
        Some(path)
    }

    /// Returns the path of a file, if the published client accepts it on both platforms.
    #[cfg(feature = "reference")]
    fn reference_path(&mut self, index: usize, file: &File<'_>) -> Option<Cow<'static, str>> {
        let windows = published::reference_path(&file.path, PathStyle::Windows);
        if let Some(path) = published::reference_path(&file.path, PathStyle::Posix)
            && windows.is_some()
        {
            return Some(Cow::Owned(path));
        }
        let message = format!("Invalid file path: {}", manifest_core::printable(&file.path, 64));
        self.report_file(&rules::FILE_PATH, index, "path", message);
        None
    }

    fn check_files<'a>(
        &mut self,
        files: &[File<'a>],
        manifest: &Manifest<'_>,
    ) -> Vec<(Cow<'a, str>, Cow<'a, [u8]>)> {
        let limit = self.options.limits.bundle_files;
        if files.len() > limit {
            let message = format!("{} files, more than the {limit} allowed", files.len());
            self.report.push(rules::FILE_COUNT.at(self.node_at(&["files"]), message));
            return Vec::new();
        }
        // Computed from the encoded size, before files are decoded.
        let size: usize = files.iter().map(File::size).sum();
        let limit = self.options.limits.bundle_bytes;
        if size > limit {
            let message = format!("{size} bytes, more than the {limit} allowed");
            self.report.push(rules::BUNDLE_SIZE.at(self.node_at(&["files"]), message));
            return Vec::new();
        }
        let mut opened = Vec::with_capacity(files.len());
        let mut places = Vec::with_capacity(files.len());
        for (index, file) in files.iter().enumerate() {
            let path = self.safe_path(index, file);
            let bytes = self.decode(index, file);
            if let Some(path) = path
                && let Some(bytes) = bytes
            {
                places.push((path::collision_key(&path), index));
                opened.push((path, bytes));
            }
        }
        self.check_collisions(&places);
        // A file that could not be read has been reported, and may be the entry.
        let list = self.node_at(&["files"]);
        if !list.is_array() || opened.len() != list.elements().count() {
            opened.clear();
        } else if !self.is_reference() {
            self.check_entry(&opened, &manifest.entry.main);
        }
        if self.report.includes_depth(Depth::Advice) {
            self.check_sensitive(files);
        }
        opened
    }

    fn check_entry(&mut self, opened: &[(Cow<'_, str>, Cow<'_, [u8]>)], main: &str) {
        if !names::is_blank(main) && !opened.iter().any(|(path, _)| path == main) {
            let message = format!("{} is not among the files", quoted(main));
            let at = self.node_at(&["manifest", "entry", "main"]);
            self.report.push(rules::ENTRY_MISSING.at(at, message));
        }
    }

    fn check_sensitive(&mut self, files: &[File<'_>]) {
        for (index, file) in files.iter().enumerate() {
            let is_sensitive = path::findings(&file.path).contains(&PathFinding::Sensitive);
            if is_sensitive && file.path != "package.json" {
                let message = format!("other programs act on {}", quoted(&file.path));
                self.report_file(&rules::SENSITIVE_FILE, index, "path", message);
            }
        }
    }

    /// Reports secrets in the document and inside base64 files, and suspicious texts in the
    /// manifest.
    fn check_secrets(&mut self, files: &[File<'_>]) {
        secret::check(&rules::SECRET, self.root, rules::SECRET_HELP, self.report);
        // The text lints do not fit the content of files, which is written for programs.
        if let Some(manifest) = self.root.get("manifest") {
            prose::check(manifest, self.report);
        }
        // A bundle over the limit is not decoded; `check_files` refuses it.
        let size: usize = files.iter().map(File::size).sum();
        if !self.report.includes_depth(Depth::Advice) || size > self.options.limits.bundle_bytes {
            return;
        }
        for (index, file) in files.iter().enumerate() {
            if file.encoding != Some(Encoding::Base64) {
                continue;
            }
            if let Ok(bytes) = base64::decode(&file.content)
                && let Ok(text) = std::str::from_utf8(&bytes)
                && let Some(finding) = secret::find(text)
            {
                let message = format!("the file holds {finding}, in base64");
                self.report_file(&rules::SECRET, index, "content", message);
            }
        }
    }

    fn decode<'a>(&mut self, index: usize, file: &File<'a>) -> Option<Cow<'a, [u8]>> {
        let bytes = match (file.encoding, &file.content) {
            (Some(Encoding::Base64), content) => match self.decode_base64(content) {
                Ok(bytes) => Cow::Owned(bytes),
                Err(message) => {
                    self.report_file(&rules::BASE64, index, "content", message);
                    return None;
                }
            },
            (_, Text::Borrowed(text)) => Cow::Borrowed(text.as_bytes()),
            (_, Text::Owned(text)) => Cow::Owned(text.as_bytes().to_vec()),
        };
        if let Some(digest) = &file.sha256
            && *digest != sha256_hex(&bytes)
        {
            let message = format!("the content has another digest than {}", quoted(digest));
            self.report_file(&rules::DIGEST, index, "sha256", message);
        }
        Some(bytes)
    }

    #[cfg_attr(
        not(feature = "reference"),
        expect(clippy::unused_self, reason = "the published reading is for tests")
    )]
    fn decode_base64(&self, content: &str) -> Result<Vec<u8>, String> {
        #[cfg(feature = "reference")]
        if self.is_reference() {
            return Ok(published::decode_base64(content));
        }
        base64::decode(content)
    }

    /// Reports two files with one path, a file in the place of a folder, and a file in the
    /// place of the manifest.
    fn check_collisions(&mut self, places: &[(String, usize)]) {
        let mut taken: BTreeMap<&str, usize> = BTreeMap::new();
        let mut folders: BTreeMap<&str, usize> = BTreeMap::new();
        for (key, index) in places {
            for (end, _) in key.match_indices('/') {
                folders.entry(key.get(..end).unwrap_or(key)).or_insert(*index);
            }
        }
        for (key, index) in places {
            let message = if taken.insert(key, *index).is_some() {
                "another file has this path"
            } else if folders.contains_key(key.as_str()) {
                "another file has this path for a folder"
            } else if key == MANIFEST || key.starts_with("tool.json/") {
                "this is where the manifest goes"
            } else {
                continue;
            };
            self.report_file(&rules::FILE_COLLISION, *index, "path", message);
        }
    }

    /// Compares the digest of the files with those that the document declares, if it has no
    /// other errors.
    fn check_digests(
        &mut self,
        files: &[(Cow<'_, str>, Cow<'_, [u8]>)],
        declared: [(&[&str], Option<&str>); 2],
    ) {
        if !self.report.is_valid() || declared.iter().all(|(_, digest)| digest.is_none()) {
            return;
        }
        let found = digest(files.iter().map(|(path, bytes)| (path.as_ref(), bytes.as_ref())));
        for (path, declared) in declared {
            if let Some(declared) = declared
                && declared != found
            {
                let message = format!("the files have another digest than {}", quoted(declared));
                self.report.push(rules::DIGEST.at(self.node_at(path), message));
                return;
            }
        }
    }
}
