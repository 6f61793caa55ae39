//! Combines the tools of several manifests into one list.

use std::borrow::Cow;

use diagnostic::{Diagnostic, Pointer, printable, quoted};
use manifest_core::ToolDescriptor;

use crate::names::Names;
use crate::rules;

/// The tools of one manifest.
#[derive(Clone, Debug, Default)]
pub struct Source<'t, 'a> {
    /// The label of the manifest in messages.
    pub label: &'t str,
    /// The prefix of the names of its tools, followed by `_`, to keep them apart from those
    /// of other manifests. [Readable names](crate::Options::readable_names) have it only if
    /// they need one, followed by `__`. By default, it is the [short name](Self::short_name).
    pub prefix: Option<&'t str>,
    /// The path of the manifest, for programs that start in any folder.
    pub path: Option<&'t str>,
    /// Its tools.
    pub tools: &'t [ToolDescriptor<'a>],
}

impl Source<'_, '_> {
    /// Returns a short name for the manifest: the prefix, or the name of the file without
    /// its endings.
    pub fn short_name(&self) -> String {
        if let Some(prefix) = self.prefix {
            return prefix.to_owned();
        }
        let path = self.path.unwrap_or(self.label);
        let file = path.rsplit(['/', '\\']).next().unwrap_or(path);
        file.split('.').find(|part| !part.is_empty()).unwrap_or("tools").to_owned()
    }
}

/// All tools, with the ids that their names are derived from.
pub(crate) struct Catalog<'s, 't, 'a> {
    sources: &'s [Source<'t, 'a>],
    /// The tools, each with the index of its source.
    pub(crate) tools: Vec<(usize, &'t ToolDescriptor<'a>)>,
    pub(crate) ids: Vec<Cow<'t, str>>,
}

impl<'s, 't, 'a> Catalog<'s, 't, 'a> {
    pub(crate) fn of(sources: &'s [Source<'t, 'a>]) -> Self {
        let mut catalog = Self { sources, tools: Vec::new(), ids: Vec::new() };
        for (index, source) in sources.iter().enumerate() {
            for tool in source.tools {
                let id: &'t str = tool.id.as_ref();
                catalog.tools.push((index, tool));
                catalog.ids.push(match source.prefix {
                    Some(prefix) => Cow::Owned(format!("{prefix}_{id}")),
                    None => Cow::Borrowed(id),
                });
            }
        }
        catalog
    }

    /// Returns the name of the file of each tool, given those of the sources, and the id.
    pub(crate) fn tools_of_files<'f>(
        &'f self,
        files: &'f [String],
    ) -> impl Iterator<Item = (&'f str, &'f str)> {
        self.tools.iter().map(|(source, tool)| {
            let file = files.get(*source).map_or("", String::as_str);
            (file, tool.id.as_ref() as &str)
        })
    }

    /// Returns the diagnostic for a tool that gets no name because others would share it.
    pub(crate) fn name_clash(&self, names: &Names<'_>, index: usize) -> Diagnostic {
        let at = Pointer::root().push("id");
        name_clash(names, index, at, |other| {
            let (source, tool) = self.tools.get(other)?;
            let id = quoted(&tool.id);
            match self.sources.get(*source)?.label {
                "" => Some(id),
                label => Some(format!("{id} of {}", printable(label, 512))),
            }
        })
    }
}

/// Returns the diagnostic for something that gets no name because others would share it.
pub(crate) fn name_clash(
    names: &Names<'_>,
    index: usize,
    at: Pointer,
    describe: impl Fn(usize) -> Option<String>,
) -> Diagnostic {
    let others = names.clashes(index).iter().filter(|other| **other != index).take(3);
    let others: Vec<String> = others.filter_map(|other| describe(*other)).collect();
    let name = quoted(names.preferred_name(index));
    let message = format!("{name} would be the name of {}, too", others.join(" and "));
    rules::NAME_CLASH.at_pointer(at, message)
}
