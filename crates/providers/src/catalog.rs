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
    /// of other manifests.
    pub prefix: Option<&'t str>,
    /// The path of the manifest, for programs that start in any folder.
    pub path: Option<&'t str>,
    /// Its tools.
    pub tools: &'t [ToolDescriptor<'a>],
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
        let all = sources.iter().enumerate();
        let all =
            all.flat_map(|(index, source)| source.tools.iter().map(move |tool| (index, tool)));
        let tools: Vec<(usize, &'t ToolDescriptor<'a>)> = all.collect();
        let id = |(source, tool): &(usize, &'t ToolDescriptor<'a>)| {
            let id: &'t str = tool.id.as_ref();
            match sources.get(*source).and_then(|source| source.prefix) {
                Some(prefix) => Cow::Owned(format!("{prefix}_{id}")),
                None => Cow::Borrowed(id),
            }
        };
        Self { sources, ids: tools.iter().map(id).collect(), tools }
    }

    /// Returns the diagnostic for a tool that gets no name because others would share it.
    pub(crate) fn name_clash(&self, names: &Names<'_>, index: usize) -> Diagnostic {
        let others = names.clashes(index).iter().filter(|other| **other != index).take(3);
        let others = others.filter_map(|other| self.tools.get(*other)).map(|(source, tool)| {
            let label = self.sources.get(*source).map_or("", |source| source.label);
            match label {
                "" => quoted(&tool.id),
                label => format!("{} of {}", quoted(&tool.id), printable(label, 512)),
            }
        });
        let others = others.collect::<Vec<_>>().join(" and ");
        let message =
            format!("{} would be the name of {others}, too", quoted(names.preferred_name(index)));
        rules::NAME_CLASH.at_pointer(Pointer::root().push("id"), message)
    }
}
