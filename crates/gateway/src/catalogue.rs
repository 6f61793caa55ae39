//! The tools of some files and folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::files::ManifestSearch;
use disk::sources;
use toolglot::core::format::file_name;
use toolglot::descriptor::Pin;
use toolglot::{Formats, Limits};

use crate::bridge_spec::BridgeSpec;
use crate::manifest::{Manifest, ManifestError};
use crate::name_conflicts::resolve_conflicts;
use crate::skipped::{SkippedItem, display_path};
use crate::tool::Tool;

/// Every tool of every manifest in some files and folders.
///
/// A broken manifest is skipped, and so is a tool that cannot be served, without effect on
/// the others. If several tools would have the same name, none of them is served, unless
/// they are versions of one Jumith tool: then the latest is.
///
/// ```
/// use std::path::Path;
/// use toolglot_gateway::Catalogue;
/// # let root = std::env::temp_dir().join(format!("toolglot-gateway-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&root)?;
/// # let file = root.join("tools.json");
///
/// let manifest = r#"{"tools": [{"name": "get_time", "description": "Tells the time.",
///     "command": ["./tools/bin/get_time"]}]}"#;
/// std::fs::write(&file, manifest)?;
/// std::fs::write(root.join("broken.json"), "{")?;
///
/// let catalogue = Catalogue::load(&[root.clone()], toolglot::FORMATS);
/// let tool = catalogue.tool("get_time").expect("a tool");
/// assert_eq!(tool.manifest().path(), file);
/// assert!(catalogue.skipped()[0].file.ends_with("broken.json"));
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Catalogue {
    places: Vec<PathBuf>,
    formats: Formats<'static>,
    files: ManifestSearch,
    tools: BTreeMap<String, Arc<Tool>>,
    /// The names of the tools, by id.
    names: BTreeMap<String, String>,
    skipped: Vec<SkippedItem>,
}

impl Catalogue {
    /// Reads all manifests. Blocks: in async code, give it a thread of its own.
    pub fn load(places: &[PathBuf], formats: Formats<'static>) -> Self {
        Self::read(places.to_vec(), formats, ManifestSearch::search(places))
    }

    /// Reads the tools of the source that a bridge command names. They are found by digest,
    /// and never change.
    pub fn for_bridge(spec: &BridgeSpec, formats: Formats<'static>) -> Result<Self, String> {
        let source = read_source(&spec.digest, spec.folder.as_deref(), formats)?;
        let tools = Tool::for_bridge(&source, spec)?;
        let catalogue =
            Self::new(Vec::new(), formats, ManifestSearch::default(), tools, Vec::new());
        match catalogue.skipped.first() {
            Some(skipped) => Err(skipped.to_string()),
            None => Ok(catalogue),
        }
    }

    /// Reads all manifests again if a file was changed, added or removed since, and returns
    /// `None` otherwise. Blocks.
    pub fn reload(&self) -> Option<Self> {
        let files = ManifestSearch::search(&self.places);
        if files == self.files {
            return None;
        }
        Some(Self::read(self.places.clone(), self.formats, files))
    }

    fn read(places: Vec<PathBuf>, formats: Formats<'static>, files: ManifestSearch) -> Self {
        let (mut tools, mut pinned, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        for file in &files.unreadable {
            skipped.push(SkippedItem::file(&file.path, &file.reason));
        }
        for file in &files.candidates {
            let manifest = match Manifest::read(&file.path, formats) {
                Ok(manifest) => Arc::new(manifest),
                // A folder may also contain files that are not manifests.
                Err(ManifestError::Unrecognized(_)) if !file.named => continue,
                Err(error) => {
                    skipped.push(SkippedItem::file(&file.path, error.into_message()));
                    continue;
                }
            };
            let read = Tool::of_manifest(&manifest);
            tools.extend(read.served);
            skipped.extend(read.skipped);
            for (id, pin) in read.pinned {
                pinned.push(PinnedTool { manifest: Arc::clone(&manifest), id, pin });
            }
        }
        add_pinned_sources(pinned, formats, &mut tools, &mut skipped);
        Self::new(places, formats, files, tools, skipped)
    }

    /// Creates a catalogue. Tools whose names conflict are skipped.
    fn new(
        places: Vec<PathBuf>,
        formats: Formats<'static>,
        files: ManifestSearch,
        tools: Vec<Tool>,
        mut skipped: Vec<SkippedItem>,
    ) -> Self {
        let tools = resolve_conflicts(tools, &mut skipped);
        let names = tools.iter().map(|(name, tool)| (tool.id().to_owned(), name.clone())).collect();
        Self { places, formats, files, tools, names, skipped }
    }

    /// Returns the tools in the order of their names.
    pub fn tools(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.tools.values()
    }

    /// Returns the tool with this name.
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(name)
    }

    /// Returns the tool with this id.
    pub fn tool_by_id(&self, id: &str) -> Option<&Arc<Tool>> {
        self.tool(self.names.get(id)?)
    }

    /// Returns the tool with this id, or with this name if no tool has the id.
    pub fn tool_by_id_or_name(&self, id: &str) -> Option<&Arc<Tool>> {
        self.tool(self.names.get(id).map_or(id, String::as_str))
    }

    /// Returns the source tool that a converted manifest is pinned to. `digest` is the
    /// SHA-256 of the source, `name` the tool's id or the file name made from it.
    pub fn pinned_tool(&self, digest: &str, name: &str) -> Option<&Arc<Tool>> {
        self.tools().find(|tool| tool.matches_pin(digest, name))
    }

    /// Counts the suspicious texts in each file that has any. Paths are safe to print.
    pub fn lint_counts(&self) -> BTreeMap<String, usize> {
        let mut manifests = BTreeMap::new();
        for tool in self.tools() {
            manifests.insert(display_path(tool.manifest().path()), tool.manifest());
        }
        let counts = manifests.into_iter().map(|(file, manifest)| (file, manifest.lint_count()));
        counts.filter(|(_, count)| *count > 0).collect()
    }

    /// Returns the files and tools that are not served.
    pub fn skipped(&self) -> &[SkippedItem] {
        &self.skipped
    }

    /// Returns true if `other` has the same tools, from the same texts and files.
    pub fn has_same_tools(&self, other: &Self) -> bool {
        self.tools.len() == other.tools.len()
            && self.tools().zip(other.tools()).all(|(one, other)| {
                let (manifest, other_manifest) = (one.manifest(), other.manifest());
                one.name() == other.name()
                    && manifest.digest() == other_manifest.digest()
                    && manifest.path() == other_manifest.path()
            })
    }
}

/// A converted tool: its manifest, its id, and the source tool that it is pinned to.
struct PinnedTool {
    manifest: Arc<Manifest>,
    id: String,
    pin: Pin,
}

impl PinnedTool {
    fn skip(&self, why: &str) -> SkippedItem {
        SkippedItem::tool(self.manifest.path(), &self.id, why)
    }
}

/// Adds the source tools that converted tools are pinned to. A call reaches the source in
/// the end, so questions must be about the source.
fn add_pinned_sources(
    pinned: Vec<PinnedTool>,
    formats: Formats<'static>,
    tools: &mut Vec<Tool>,
    skipped: &mut Vec<SkippedItem>,
) {
    // The tools of a source that is served itself are already here.
    let served: BTreeSet<String> =
        tools.iter().map(|tool| tool.manifest().digest().to_owned()).collect();
    let mut by_source: BTreeMap<String, Vec<PinnedTool>> = BTreeMap::new();
    for one in pinned {
        if !served.contains(&one.pin.source) {
            by_source.entry(one.pin.source.clone()).or_default().push(one);
        }
    }
    for (digest, pinned) in by_source {
        let Some(first) = pinned.first() else { continue };
        let mut offered = match stored_tools(&digest, &first.manifest, formats) {
            Ok(offered) => offered,
            Err(why) => {
                skipped.extend(pinned.iter().map(|one| one.skip(&why)));
                continue;
            }
        };
        let mut added = BTreeSet::new();
        for one in &pinned {
            if let Some(tool) = offered.remove(&*file_name(&one.pin.tool)) {
                added.insert(&one.pin.tool);
                tools.push(tool);
            } else if !added.contains(&one.pin.tool) {
                // Several converted tools may share one source tool.
                skipped.push(one.skip("its source has no such tool that is served"));
            }
        }
    }
}

/// Returns the tools of a source that is stored beside a converted manifest or in the
/// store. The keys are file names made from the ids, because pins in modules and URLs have
/// that form. An id that already has it does not change.
fn stored_tools(
    digest: &str,
    manifest: &Manifest,
    formats: Formats<'static>,
) -> Result<BTreeMap<String, Tool>, String> {
    let source = read_source(digest, Some(&manifest.folder()), formats)?;
    let tools = Tool::of_manifest(&source).served.into_iter();
    Ok(tools.map(|tool| (file_name(tool.id()).into_owned(), tool)).collect())
}

/// Reads the source with this digest, from below a folder or from the store.
fn read_source(
    digest: &str,
    folder: Option<&Path>,
    formats: Formats<'static>,
) -> Result<Arc<Manifest>, String> {
    let limit = Limits::default().document_bytes;
    let source = sources::find(digest, folder, limit).map_err(|error| error.to_string())?;
    let source = Manifest::from_source(source, formats).map_err(ManifestError::into_message)?;
    Ok(Arc::new(source))
}
