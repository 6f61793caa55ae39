//! The schema graph in owned form, with the default and the costs of each subschema.

use super::graph::{Edge, Graph, Location, Subschema};
use super::keywords::{Applies, Role, find};
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
        let root = graph.subschemas.first().map_or(Pointer::root(), |part| part.node.pointer());
        let parts = graph.subschemas.iter();
        Self { root, parts: parts.map(|part| PlannedSubschema::new(graph, part, limits)).collect() }
    }

    pub(super) fn get(&self, part: usize) -> Option<&PlannedSubschema> {
        self.parts.get(part)
    }

    /// Returns the place of a subschema in its document.
    pub(super) fn pointer(&self, part: usize) -> Pointer {
        // The way up, each place with the subschema that contains it.
        let mut path = Vec::new();
        let mut next = self.get(part);
        while let Some(planned) = next {
            next = match planned.place {
                Location::Root => None,
                Location::Inside { part, .. } | Location::Below { part, .. } => self.get(part),
            };
            path.push((&planned.place, next));
        }
        let mut pointer = self.root.clone();
        for (place, holder) in path.into_iter().rev() {
            match (place, holder) {
                (Location::Below { pointer: tail, .. }, _) => pointer = pointer.join(tail),
                (Location::Inside { index, .. }, Some(holder)) => {
                    if let Some(edge) = holder.uses.get(*index) {
                        pointer = edge.target_pointer(pointer);
                    }
                }
                (Location::Root | Location::Inside { .. }, _) => {}
            }
        }
        pointer
    }
}

impl PlannedSubschema {
    fn new(graph: &Graph<'_>, part: &Subschema<'_>, limits: &Limits) -> Self {
        let node = part.node;
        let mut default = None;
        // The bytes of values to compare with, and of lists of names.
        let (mut asserted, mut names) = (0, 0);
        if part.alias.is_none() {
            default = node.get("default").map(|default| default.raw().to_owned());
            for member in node.members() {
                let Some(keyword) = find(&member.name(), graph.dialect) else { continue };
                let length = member.value.raw().len();
                if keyword.role == Role::Assertion {
                    asserted += length;
                }
                if NAME_LIST_KEYWORDS.contains(&keyword.name) {
                    names += length;
                }
            }
        }
        let mut uses = Vec::with_capacity(part.edges.len());
        let mut members = Vec::new();
        let mut name_terms = 0;
        for edge in &part.edges {
            match edge.applies {
                Applies::PatternProperties => name_terms += terms(edge.name(), limits),
                Applies::Property => members.push(uses.len()),
                _ => {}
            }
            uses.push(edge.with_target(graph.resolve_alias(edge.target)));
        }
        members.sort_by_key(|index| uses.get(*index).map(Edge::name));
        let pattern = node.get("pattern").and_then(Node::text);
        Self {
            place: part.location.clone(),
            members,
            default,
            steps: (1 + asserted / BYTES_PER_STEP + uses.len()) as u64,
            errors: (1 + node.members().count() + names / BYTES_PER_NAME) as u64,
            string_terms: pattern.map_or(0, |source| terms(&source, limits)),
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
        let found = self
            .members
            .binary_search_by(|index| self.uses.get(*index).map_or("", Edge::name).cmp(wanted));
        Some(self.uses.get(*self.members.get(found.ok()?)?)?.target)
    }
}

/// Returns the approximate number of terms of a pattern.
fn terms(source: &str, limits: &Limits) -> u64 {
    let bytes = translate_sized(source, limits).map_or(0, |translated| translated.bytes);
    (bytes / BYTES_PER_TERM) as u64
}
