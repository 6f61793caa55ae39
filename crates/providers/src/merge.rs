//! Merges several parts of a schema into one, in the keywords of a target.

use std::rc::Rc;

use crate::graph::{Id, Word};
use crate::kinds::Kinds;
use crate::making::{Element, Lower};
use crate::write::types;

mod inside;
mod notes;
mod part;
mod words;

use part::Merge;

/// Merges parts without choices, and returns the keywords of the result.
pub(crate) fn merge(lower: &mut Lower<'_>, id: Id, elements: &[Element]) -> Vec<(String, Word)> {
    let Some(subset) = lower.dialect.subset else { return Vec::new() };
    let own = elements.iter().map(|(id, _)| lower.kinds.own(*id));
    let kinds = own.fold(Kinds::ALL, Kinds::and);
    let mut seen = std::collections::BTreeSet::new();
    let ids = elements.iter().map(|(id, _)| *id).filter(|id| seen.insert(*id));
    let ids: Rc<[Id]> = ids.collect();
    let mut merge = Merge { lower, subset, id, ids, kinds, words: Vec::new(), lost: Vec::new() };
    merge.guess_kinds();
    if subset.single_type && merge.kinds.without(Kinds::NULL).names().len() > 1 {
        return merge.split(elements);
    }
    let mut text = String::new();
    types(merge.kinds, &mut text);
    merge.words.push(("type".to_owned(), Word::Json(text)));
    merge.values();
    merge.bounds();
    merge.others();
    if merge.kinds.meets(Kinds::ARRAY) {
        merge.list();
    }
    if merge.kinds.meets(Kinds::OBJECT) {
        merge.object();
    }
    merge.notes();
    merge.words
}
