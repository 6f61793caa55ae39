//! The tools of some files and folders.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use disk::files::ManifestSearch;
use disk::sources;
use toolglot::core::format::file_name;
use toolglot::descriptor::Pin;
use toolglot::{Formats, Limits};

use crate::bridge_spec::BridgeSpec;
use crate::manifest::{Manifest, ManifestError};
use crate::name_conflicts;
use crate::skipped::{SkippedItem, display_path};
use crate::tool::Tool;

/// A converted tool: its manifest, its id, and the source tool that it is pinned to.
type PinnedTool = (Arc<Manifest>, String, Pin);

/// Adds the source tools that converted tools are pinned to. A call reaches the source in
/// the end, so questions must be about the source.
fn add_pinned_sources(
    pinned: Vec<PinnedTool>,
    formats: Formats<'static>,
    tools: &mut Vec<Tool>,
    left_out: &mut Vec<SkippedItem>,
) {
    // The tools of a source that is served itself are already here.
    let served: BTreeSet<String> =
        tools.iter().map(|tool| tool.manifest().digest().to_owned()).collect();
    let mut by_source: BTreeMap<String, Vec<PinnedTool>> = BTreeMap::new();
    for one in pinned.into_iter().filter(|(_, _, pin)| !served.contains(&pin.source)) {
        by_source.entry(one.2.source.clone()).or_default().push(one);
    }
    for (digest, pinned) in by_source {
        let mut offered = match pinned.first().map(|(at, ..)| stored_tools(&digest, at, formats)) {
            Some(Ok(offered)) => offered,
            Some(Err(why)) => {
                let left = pinned.iter().map(|(at, id, _)| SkippedItem::tool(at.path(), id, &*why));
                left_out.extend(left);
                continue;
            }
            None => continue,
        };
        let mut followed = BTreeSet::new();
        for (manifest, id, pin) in &pinned {
            match offered.remove(&*file_name(&pin.tool)) {
                Some(tool) => {
                    followed.insert(pin.tool.clone());
                    tools.push(tool);
                }
                // Several converted tools may share one source tool.
                None if followed.contains(&pin.tool) => {}
                None => {
                    let why = "its source has no such tool that is served";
                    left_out.push(SkippedItem::tool(manifest.path(), id, why));
                }
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
    let limit = Limits::default().document_bytes;
    let source = sources::find(digest, Some(&manifest.folder()), limit);
    let source = source.map_err(|error| error.to_string())?;
    let source = Manifest::from_source(source, formats).map_err(ManifestError::into_message)?;
    let offered = Tool::read_all(&Arc::new(source))?.served.into_iter();
    Ok(offered.map(|tool| (file_name(tool.id()).into_owned(), tool)).collect())
}

/// Every tool of every manifest in some files and folders.
///
/// A broken manifest is skipped, and so is a tool that cannot be served, without effect on
/// the others. If several tools would have the same name, none of them is served, unless
/// they are versions of one Jumith tool: then the latest is.
///
/// ```
/// use std::path::Path;
/// use gateway::Catalogue;
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
    found: ManifestSearch,
    tools: BTreeMap<String, Arc<Tool>>,
    /// The names of the tools, by id.
    names: BTreeMap<String, String>,
    left_out: Vec<SkippedItem>,
}

impl Catalogue {
    /// Reads all manifests. Blocks: in async code, give it a thread of its own.
    pub fn load(places: &[PathBuf], formats: Formats<'static>) -> Self {
        Self::read(places.to_vec(), formats, ManifestSearch::search(places))
    }

    /// Reads the tools of the source that a bridge command names. They are found by digest,
    /// and never change.
    pub fn for_bridge(line: &BridgeSpec, formats: Formats<'static>) -> Result<Self, String> {
        let limit = Limits::default().document_bytes;
        let source = sources::find(&line.digest, line.folder.as_deref(), limit);
        let source = source.map_err(|error| error.to_string())?;
        let source = Manifest::from_source(source, formats).map_err(ManifestError::into_message)?;
        let mut left_out = Vec::new();
        let tools = name_conflicts::resolve_conflicts(
            Tool::for_bridge(&Arc::new(source), line)?,
            &mut left_out,
        );
        if let Some(left) = left_out.first() {
            return Err(left.to_string());
        }
        let names = tools.iter().map(|(name, tool)| (tool.id().to_owned(), name.clone()));
        let (places, found) = (Vec::new(), ManifestSearch::default());
        Ok(Self { places, formats, found, names: names.collect(), tools, left_out })
    }

    /// Reads all manifests again if a file was changed, added or removed since, and returns
    /// `None` otherwise. Blocks.
    pub fn reload(&self) -> Option<Self> {
        let found = ManifestSearch::search(&self.places);
        if found == self.found {
            return None;
        }
        Some(Self::read(self.places.clone(), self.formats, found))
    }

    fn read(places: Vec<PathBuf>, formats: Formats<'static>, found: ManifestSearch) -> Self {
        let unread = found.unreadable.iter().map(|one| SkippedItem::file(&one.path, &one.reason));
        let mut left_out: Vec<SkippedItem> = unread.collect();
        let (mut tools, mut pinned) = (Vec::new(), Vec::new());
        for candidate in &found.candidates {
            let manifest = match Manifest::read(&candidate.path, formats) {
                Ok(manifest) => Arc::new(manifest),
                // A folder may also contain files that are not manifests.
                Err(ManifestError::Unrecognized(_)) if !candidate.named => continue,
                Err(ManifestError::Unrecognized(why) | ManifestError::Invalid(why)) => {
                    left_out.push(SkippedItem::file(&candidate.path, why));
                    continue;
                }
            };
            match Tool::read_all(&manifest) {
                Ok(offered) => {
                    tools.extend(offered.served);
                    left_out.extend(offered.skipped);
                    let all = offered.pinned.into_iter();
                    pinned.extend(all.map(|(id, pin)| (Arc::clone(&manifest), id, pin)));
                }
                Err(why) => left_out.push(SkippedItem::file(&candidate.path, why)),
            }
        }
        add_pinned_sources(pinned, formats, &mut tools, &mut left_out);
        let tools = name_conflicts::resolve_conflicts(tools, &mut left_out);
        let names = tools.iter().map(|(name, tool)| (tool.id().to_owned(), name.clone()));
        Self { places, formats, found, names: names.collect(), tools, left_out }
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
        self.names.get(id).and_then(|name| self.tool(name))
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
        let manifests = self.tools().map(|tool| tool.manifest());
        let files: BTreeMap<_, _> = manifests.map(|one| (display_path(one.path()), one)).collect();
        let counted = files.into_iter().map(|(file, manifest)| (file, manifest.lint_count()));
        counted.filter(|(_, remarks)| *remarks > 0).collect()
    }

    /// Returns the files and tools that are not served.
    pub fn skipped(&self) -> &[SkippedItem] {
        &self.left_out
    }

    /// Returns true if `other` has the same tools, from the same texts and files.
    pub fn has_same_tools(&self, other: &Self) -> bool {
        let key = |tool: &Arc<Tool>| {
            let manifest = tool.manifest();
            (tool.name().to_owned(), manifest.digest().to_owned(), manifest.path().to_owned())
        };
        self.tools().map(key).eq(other.tools().map(key))
    }
}
