//! Merges several parts of a schema into one, in the keywords of a target.

use std::rc::Rc;

use crate::graph::{Id, KeywordValue};
use crate::lowering::{Element, Lowering};
use crate::type_set::TypeSet;
use crate::write::write_type;

mod inside;
mod notes;
mod part;
mod words;

use part::Merge;

/// Merges parts without choices, and returns the keywords of the result.
pub(crate) fn merge(
    lower: &mut Lowering<'_>,
    id: Id,
    elements: &[Element],
) -> Vec<(String, KeywordValue)> {
    let Some(subset) = lower.dialect.subset else { return Vec::new() };
    let own = elements.iter().map(|(id, _)| lower.kinds.own(*id));
    let kinds = own.fold(TypeSet::ALL, TypeSet::and);
    let mut seen = std::collections::BTreeSet::new();
    let ids = elements.iter().map(|(id, _)| *id).filter(|id| seen.insert(*id));
    let ids: Rc<[Id]> = ids.collect();
    let mut merge =
        Merge { lower, subset, id, ids, kinds, keywords: Vec::new(), sentences: Vec::new() };
    merge.guess_kinds();
    if subset.single_type && merge.kinds.without(TypeSet::NULL).names().len() > 1 {
        return merge.split(elements);
    }
    let mut text = String::new();
    write_type(merge.kinds, &mut text);
    merge.keywords.push(("type".to_owned(), KeywordValue::Json(text)));
    merge.values();
    merge.bounds();
    merge.others();
    if merge.kinds.intersects(TypeSet::ARRAY) {
        merge.list();
    }
    if merge.kinds.intersects(TypeSet::OBJECT) {
        merge.object();
    }
    merge.notes();
    merge.keywords
}
