//! Reads the installed components from the output of the installers.

use crate::installer::is_commit;
use crate::{Install, Locator, Manifest};
use call::Outcome;
use manifest_core::json::{Document, Node};
use manifest_core::{Limits, Text, printable};
use serde::{Deserialize, Serialize};

/// An installed component.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Component {
    /// Its name.
    pub name: String,
    /// Its version: a number, a commit or a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// The maximum length of a name or version, in bytes. Longer ones are cut.
const MAX_NAME_BYTES: usize = 256;

/// Returns the installed components, sorted and without duplicates. `listed` is the outcome
/// of the [listing](super::Installation::listing), if there was one.
///
/// ```
/// # use toolglot_install_manifest::Manifest;
/// # use manifest_core::{Limits, json::Document};
/// use call::{End, Outcome};
/// use toolglot_install_manifest::engine::acquire::components;
///
/// # let text = br#"{
/// #   "manifest_version": "0.2",
/// #   "tool": {"id": "tiny", "version": "1.0.0", "name": "Tiny", "summary": "Tiny.",
/// #     "homepage": "https://example.com"},
/// #   "runtime": {"kind": "python-module", "install": {"method": "pip", "package": "tiny"}},
/// #   "smoke": {"kind": "shell", "command": ["tiny"], "success": {}},
/// #   "kill_switch": {"kind": "none"}
/// # }"#;
/// # let document = Document::parse(text, &Limits::default())?;
/// let manifest = Manifest::read(&document).ok_or("not a manifest")?;
/// let stdout = br#"[{"name": "tiny", "version": "1.2.0"}]"#.to_vec();
/// let listed = Outcome::Exited { end: End::Exit(0), stdout, stderr: vec![] };
/// assert_eq!(components(&manifest, Some(&listed))[0].version.as_deref(), Some("1.2.0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn components(manifest: &Manifest<'_>, listed: Option<&Outcome>) -> Vec<Component> {
    let stdout = match listed {
        Some(Outcome::Exited { stdout, .. }) => stdout.as_slice(),
        _ => &[],
    };
    let mut parts = match &manifest.runtime.install {
        Install::Container { image } => vec![match image.split_once('@') {
            Some((name, digest)) => component(name, Some(digest)),
            None => component(image, None),
        }],
        Install::Url { url, sha256 } => vec![component(url, Some(&format!("sha256:{sha256}")))],
        Install::Preinstalled {
            locator:
                Locator::PythonModule { module: name }
                | Locator::BinaryOnPath { binary: name }
                | Locator::McpServerId { server_id: name },
        } => vec![component(name, None)],
        Install::Git { url, .. } => match std::str::from_utf8(stdout).map(str::trim) {
            Ok(commit) if is_commit(commit) => vec![component(url, Some(commit))],
            Ok("") => vec![component(url, None)],
            _ => parse_packages(stdout),
        },
        Install::Pip { .. } | Install::Npm { .. } => parse_packages(stdout),
    };
    parts.sort();
    parts.dedup();
    parts
}

fn component(name: &str, version: Option<&str>) -> Component {
    Component {
        name: printable(name, MAX_NAME_BYTES),
        version: version.map(|version| printable(version, MAX_NAME_BYTES)),
    }
}

/// Returns the packages in the output of `pip list` or `npm ls`. Returns an empty list if
/// the output is not JSON.
fn parse_packages(stdout: &[u8]) -> Vec<Component> {
    let limits = Limits { document_bytes: 16 << 20, ..Limits::default() };
    let Ok(document) = Document::parse(stdout, &limits) else { return Vec::new() };
    let root = document.root();
    let mut found = Vec::new();
    for one in root.elements() {
        if let Some(name) = text(one, "name") {
            found.push(component(&name, text(one, "version").as_deref()));
        }
    }
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        let Some(dependencies) = node.get("dependencies") else { continue };
        for member in dependencies.members() {
            // An optional package that is not installed has no version.
            if let Some(version) = text(member.value, "version") {
                found.push(component(&member.name(), Some(&version)));
            }
            open.push(member.value);
        }
    }
    found
}

fn text<'a>(node: Node<'a>, name: &str) -> Option<Text<'a>> {
    node.get(name)?.text()
}
