//! Every tool of some files and folders.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use toolglot::Formats;
use toolglot::core::format::file_name;

use crate::clash;
use crate::files::Found;
use crate::left_out::LeftOut;
use crate::manifest::{Manifest, Wrong};
use crate::tool::Tool;

/// Every tool of every manifest in some files and folders.
///
/// A manifest that is broken is left out, and so is a tool that cannot be served: the others
/// stand as they would without. Of several tools that want one name, none gets it.
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
/// assert!(catalogue.left_out()[0].file.ends_with("broken.json"));
/// # std::fs::remove_dir_all(&root)?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Catalogue {
    places: Vec<PathBuf>,
    formats: Formats<'static>,
    found: Found,
    tools: BTreeMap<String, Arc<Tool>>,
    /// Names by ids: one name belongs to one id.
    names: BTreeMap<String, String>,
    left_out: Vec<LeftOut>,
}

impl Catalogue {
    /// Reads all manifests. It blocks: in async code, give it a thread of its own.
    pub fn load(places: &[PathBuf], formats: Formats<'static>) -> Self {
        Self::read(places.to_vec(), formats, Found::below(places))
    }

    /// The same anew, if a file has changed since, has come or gone. It blocks.
    pub fn reloaded(&self) -> Option<Self> {
        let found = Found::below(&self.places);
        if found == self.found {
            return None;
        }
        Some(Self::read(self.places.clone(), self.formats, found))
    }

    fn read(places: Vec<PathBuf>, formats: Formats<'static>, found: Found) -> Self {
        let mut left_out = found.left_out.clone();
        let mut tools = Vec::new();
        for candidate in &found.candidates {
            let manifest = match Manifest::read(&candidate.path, formats) {
                Ok(manifest) => Arc::new(manifest),
                // A folder may have other files, too.
                Err(Wrong::Other(_)) if !candidate.named => continue,
                Err(Wrong::Other(why) | Wrong::Broken(why)) => {
                    left_out.push(LeftOut::file(&candidate.path, why));
                    continue;
                }
            };
            match Tool::all(&manifest) {
                Ok((served, others)) => {
                    tools.extend(served);
                    left_out.extend(others);
                }
                Err(why) => left_out.push(LeftOut::file(&candidate.path, why)),
            }
        }
        let tools = clash::settled(tools, &mut left_out);
        let names = tools.iter().map(|(name, tool)| (tool.id().to_owned(), name.clone()));
        Self { places, formats, found, names: names.collect(), tools, left_out }
    }

    /// The tools, in the order of their names.
    pub fn tools(&self) -> impl Iterator<Item = &Arc<Tool>> {
        self.tools.values()
    }

    /// The tool of a name.
    pub fn tool(&self, name: &str) -> Option<&Arc<Tool>> {
        self.tools.get(name)
    }

    /// The tool of an id, or of a name.
    pub fn tool_of_id(&self, id: &str) -> Option<&Arc<Tool>> {
        self.tool(self.names.get(id).map_or(id, String::as_str))
    }

    /// The tool that a converted manifest stands for: of the manifest with this SHA-256, by its id
    /// or by the name of a file that is made from it.
    pub fn pinned(&self, digest: &str, name: &str) -> Option<&Arc<Tool>> {
        let is_it = |tool: &&Arc<Tool>| {
            let is_named = tool.id() == name || file_name(tool.id()) == name;
            tool.manifest().digest() == digest && is_named
        };
        self.tools().find(is_it)
    }

    /// What is not served, and why.
    pub fn left_out(&self) -> &[LeftOut] {
        &self.left_out
    }

    /// Whether another has the same tools, of the same texts.
    pub fn has_the_tools_of(&self, other: &Self) -> bool {
        let key = |tool: &Arc<Tool>| {
            let manifest = tool.manifest();
            (tool.name().to_owned(), manifest.digest().to_owned(), manifest.path().to_owned())
        };
        self.tools().map(key).eq(other.tools().map(key))
    }
}
