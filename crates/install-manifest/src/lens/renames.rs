//! References to variables that have another name by now.

use manifest_core::convert::{Context, Slot};
use manifest_core::descriptor::{EnvVar, Package};
use manifest_core::{Place, Sourced, Text};

use crate::template::{self, Part};

/// The variables whose names were edited in another format: what each was called, and what
/// it is called now.
pub(super) struct Renames<'p>(Vec<(String, &'p Sourced<Text<'p>>)>);

impl<'p> Renames<'p> {
    pub(super) fn of(context: Context<'_>, package: &'p Package<'_>) -> Self {
        let renamed = |variable: &&EnvVar<'_>| variable.name.at.is_some_and(|at| at.document > 0);
        let was = |variable: &'p EnvVar<'_>| {
            // What no other format has a word for still stands beside the old name.
            let beside = variable.prompt.as_ref().and_then(|prompt| prompt.at);
            let node = context.node(beside.filter(|at| at.document == 0)?)?;
            let (entry, _) = node.pointer().split_last()?;
            let root = context.node(package.at?)?;
            Some((root.at(&entry)?.get("name")?.text()?.into_owned(), &variable.name))
        };
        Self(package.env.iter().filter(renamed).filter_map(was).collect())
    }

    /// Writes a template, with the names that variables have now.
    pub(super) fn write(&self, slot: Slot<'_, '_>, template: &Sourced<Text<'_>>) {
        match self.renamed(template) {
            Some((text, names)) => {
                let places: Vec<Place> = template.at.into_iter().chain(names).collect();
                slot.same(&text, &places);
            }
            None => slot.copy(template),
        }
    }

    fn renamed(&self, text: &str) -> Option<(String, Vec<Place>)> {
        if self.0.is_empty() || !template::has_reference(text) {
            return None;
        }
        let (mut out, mut places) = (String::new(), Vec::new());
        for part in template::parse(text).ok()? {
            match part {
                Part::Text(text) => out.push_str(text),
                Part::Input(path) => out.extend(["${input.", path, "}"]),
                Part::Env(name) => {
                    let now = self.0.iter().find(|(was, _)| was == name).map(|(_, now)| now);
                    places.extend(now.and_then(|now| now.at));
                    out.extend(["${env.", now.map_or(name, |now| now.as_ref()), "}"]);
                }
            }
        }
        (!places.is_empty()).then_some((out, places))
    }

    /// A part of a smoke test, which refers to variables as `${NAME}`.
    pub(super) fn smoke(&self, json: &str) -> Option<(String, Vec<Place>)> {
        let (mut out, mut places) = (json.to_owned(), Vec::new());
        for (was, now) in &self.0 {
            let was = format!("${{{was}}}");
            if out.contains(&was) {
                out = out.replace(&was, &format!("${{{}}}", now.value));
                places.extend(now.at);
            }
        }
        (!places.is_empty()).then_some((out, places))
    }
}
