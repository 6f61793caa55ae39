//! The tools of several manifests, as one list.

use std::borrow::Cow;

use diagnostic::{Diagnostic, Pointer, printable, quoted};
use manifest_core::ToolDescriptor;

use crate::names::Names;
use crate::rules;

/// The tools of one manifest.
#[derive(Clone, Debug, Default)]
pub struct Source<'t, 'a> {
    /// What the manifest is called in messages.
    pub label: &'t str,
    /// What names of its tools begin with, and `_`, so that they are told from those of others.
    pub prefix: Option<&'t str>,
    /// Where the manifest is, for programs that are started anywhere.
    pub path: Option<&'t str>,
    /// Its tools.
    pub tools: &'t [ToolDescriptor<'a>],
}

/// All tools, with the ids that names are made of.
pub(crate) struct Catalog<'s, 't, 'a> {
    sources: &'s [Source<'t, 'a>],
    /// Each with its source.
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

    /// That a tool has no name, because others would have the same.
    pub(crate) fn clash(&self, names: &Names<'_>, index: usize) -> Diagnostic {
        let others = names.clashes(index).iter().filter(|other| **other != index).take(3);
        let others = others.filter_map(|other| self.tools.get(*other)).map(|(source, tool)| {
            let label = self.sources.get(*source).map_or("", |source| source.label);
            match label {
                "" => quoted(&tool.id),
                label => format!("{} of {}", quoted(&tool.id), printable(label, 512)),
            }
        });
        let others = others.collect::<Vec<_>>().join(" and ");
        let message = format!("{} would be the name of {others}, too", quoted(names.wanted(index)));
        rules::NAME_CLASH.at_pointer(Pointer::root().push("id"), message)
    }
}
