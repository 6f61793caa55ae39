//! The schema graph in owned form, with the default and the costs of each subschema.

use super::graph::{Edge, Graph, Location, Subschema};
use super::keywords::{Applies, Keyword, Role, find};
use super::patterns::translate_sized;
use crate::Limits;
use diagnostic::Pointer;
use json_text::Node;

/// All subschemas of a schema.
pub(super) struct Plan {
    /// The place of the schema in its document.
    root: Pointer,
    parts: Vec<PlannedSubschema>,
}

/// One subschema.
pub(super) struct PlannedSubschema {
    place: Location,
    uses: Vec<Edge<'static>>,
    /// Indices of the uses that check one member, sorted by its name.
    members: Vec<usize>,
    /// The text of its default.
    pub(super) default: Option<String>,
    /// Steps to check any value.
    pub(super) steps: u64,
    /// An upper bound on the errors about one value.
    pub(super) errors: u64,
    /// The number of terms in its pattern for strings.
    pub(super) string_terms: u64,
    /// The number of terms in its patterns for member names.
    pub(super) name_terms: u64,
    pub(super) unique_items: bool,
    pub(super) unseen: bool,
}

/// The approximate compiled size of one term of a pattern.
const BYTES_PER_TERM: usize = 224;

/// Comparing a value with this many bytes of a schema counts as a step.
const BYTES_PER_STEP: usize = 32;

/// The keywords that can cause an error for every name in them.
const NAME_LIST_KEYWORDS: [&str; 3] = ["required", "dependentRequired", "dependencies"];

/// The shortest name, with its quotes and comma.
const BYTES_PER_NAME: usize = 3;

impl Plan {
    pub(super) fn new(graph: &Graph<'_>, limits: &Limits) -> Self {
        let root = graph.subschemas.first();
        let root = root.map_or_else(Pointer::root, |part| part.node.pointer());
        let parts = graph.subschemas.iter();
        let parts = parts.map(|part| PlannedSubschema::new(graph, part, limits));
        Self { root, parts: parts.collect() }
    }

    pub(super) fn get(&self, part: usize) -> Option<&PlannedSubschema> {
        self.parts.get(part)
    }

    /// Returns the place of a subschema in its document.
    pub(super) fn pointer(&self, part: usize) -> Pointer {
        let mut path = Vec::new();
        let mut at = self.get(part);
        while let Some(planned) = at {
            at = match planned.place {
                Location::Root => None,
                Location::Inside { part, .. } | Location::Below { part, .. } => self.get(part),
            };
            path.push((&planned.place, at));
        }
        path.into_iter().rev().fold(self.root.clone(), |pointer, (place, holder)| match place {
            Location::Root => pointer,
            Location::Below { pointer: tail, .. } => pointer.join(tail),
            Location::Inside { index, .. } => {
                match holder.and_then(|holder| holder.uses.get(*index)) {
                    Some(found) => found.target_pointer(pointer),
                    None => pointer,
                }
            }
        })
    }
}

impl PlannedSubschema {
    fn new(graph: &Graph<'_>, part: &Subschema<'_>, limits: &Limits) -> Self {
        let (node, dialect) = (part.node, graph.dialect);
        let alone = part.alias.is_some();
        let text_of = |wanted: fn(&Keyword) -> bool| -> usize {
            let members = node.members().filter(|_| !alone);
            let members = members.filter(|m| find(&m.name(), dialect).is_some_and(wanted));
            members.map(|member| member.value.raw().len()).sum()
        };
        let asserted = text_of(|keyword| keyword.role == Role::Assertion);
        let names = text_of(|keyword| NAME_LIST_KEYWORDS.contains(&keyword.name));
        let terms = |source: &str| {
            let bytes = translate_sized(source, limits).map_or(0, |translated| translated.bytes);
            (bytes / BYTES_PER_TERM) as u64
        };
        let likes = part.edges.iter().filter(|u| u.applies == Applies::PatternProperties);
        let name_terms = likes.map(|found| terms(found.name())).sum();
        let pattern = node.get("pattern").and_then(Node::text);
        let default = node.get("default").filter(|_| !alone);
        let uses = part.edges.iter();
        let uses = uses.map(|found| found.with_target(graph.resolve_alias(found.target)));
        let uses: Vec<_> = uses.collect();
        Self {
            place: part.location.clone(),
            members: by_name(&uses),
            default: default.map(|node| node.raw().to_owned()),
            steps: (1 + asserted / BYTES_PER_STEP + uses.len()) as u64,
            errors: (1 + node.members().count() + names / BYTES_PER_NAME) as u64,
            string_terms: pattern.map_or(0, |source| terms(&source)),
            name_terms,
            unique_items: node.get("uniqueItems").is_some(),
            unseen: part.has_unevaluated(),
            uses,
        }
    }

    pub(super) fn uses(&self) -> &[Edge<'static>] {
        &self.uses
    }

    /// Returns the subschema for a member.
    pub(super) fn for_member(&self, wanted: &str) -> Option<usize> {
        let key = |index: &usize| self.uses.get(*index).map_or("", Edge::name);
        let found = self.members.binary_search_by(|index| key(index).cmp(wanted)).ok()?;
        Some(self.uses.get(*self.members.get(found)?)?.target)
    }
}

fn by_name(uses: &[Edge<'_>]) -> Vec<usize> {
    let named = uses.iter().enumerate();
    let named = named.filter(|(_, found)| found.applies == Applies::Property);
    let mut members: Vec<_> = named.map(|(index, _)| index).collect();
    members.sort_by_key(|index| uses.get(*index).map(Edge::name));
    members
}
