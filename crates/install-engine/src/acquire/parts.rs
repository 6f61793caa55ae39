//! What was installed, as the installers tell it.

use call::Outcome;
use install_manifest::installer::is_commit;
use install_manifest::{Install, Locator, Manifest};
use manifest_core::json::{Document, Node};
use manifest_core::{Limits, Text, printable};
use serde::{Deserialize, Serialize};

/// Something that was installed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(clippy::exhaustive_structs)] // a name and a version
pub struct Component {
    /// What it is called.
    pub name: String,
    /// Its version: a number, a commit or a digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// No name or version is longer, in bytes.
const LONGEST: usize = 256;

/// What was installed, each part once, in order. `listed` is what came of the
/// [listing](super::Installation::listing), if there was one.
///
/// ```
/// # use install_manifest::Manifest;
/// # use manifest_core::{Limits, json::Document};
/// use call::{End, Outcome};
/// use install_engine::acquire::parts;
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
/// assert_eq!(parts(&manifest, Some(&listed))[0].version.as_deref(), Some("1.2.0"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn parts(manifest: &Manifest<'_>, listed: Option<&Outcome>) -> Vec<Component> {
    let stdout = match listed {
        Some(Outcome::Exited { stdout, .. }) => stdout.as_slice(),
        _ => &[],
    };
    let one = |name: &str, version: Option<&str>| vec![part(name, version)];
    let mut parts = match &manifest.runtime.install {
        Install::Container { image } => match image.split_once('@') {
            Some((name, digest)) => one(name, Some(digest)),
            None => one(image, None),
        },
        Install::Url { url, sha256 } => one(url, Some(&format!("sha256:{sha256}"))),
        Install::Preinstalled { locator } => one(
            match locator {
                Locator::PythonModule { module } => module,
                Locator::BinaryOnPath { binary } => binary,
                Locator::McpServerId { server_id } => server_id,
            },
            None,
        ),
        Install::Git { url, .. } => match std::str::from_utf8(stdout).map(str::trim) {
            Ok(commit) if is_commit(commit) => one(url, Some(commit)),
            Ok("") => one(url, None),
            _ => packages(stdout),
        },
        Install::Pip { .. } | Install::Npm { .. } => packages(stdout),
    };
    parts.sort();
    parts.dedup();
    parts
}

fn part(name: &str, version: Option<&str>) -> Component {
    let short = |text: &str| printable(text, LONGEST);
    Component { name: short(name), version: version.map(short) }
}

/// The packages that `pip list` or `npm ls` has. What cannot be read is none.
fn packages(stdout: &[u8]) -> Vec<Component> {
    let limits = Limits { document_bytes: 16 << 20, ..Limits::default() };
    let Ok(document) = Document::parse(stdout, &limits) else { return Vec::new() };
    let root = document.root();
    let mut found: Vec<Component> = root
        .elements()
        .filter_map(|one| Some(part(&text(one, "name")?, text(one, "version").as_deref())))
        .collect();
    let mut open = vec![root];
    while let Some(node) = open.pop() {
        for member in node.get("dependencies").into_iter().flat_map(Node::members) {
            // An optional package that is not there has no version.
            let version = text(member.value, "version");
            found.extend(version.map(|version| part(&member.name(), Some(&version))));
            open.push(member.value);
        }
    }
    found
}

fn text<'a>(node: Node<'a>, name: &str) -> Option<Text<'a>> {
    node.get(name)?.text()
}
