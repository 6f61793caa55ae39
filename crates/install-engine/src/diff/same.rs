//! What says the same, and what belongs together.

use std::collections::BTreeMap;

use install_manifest::Manifest;
use manifest_core::Limits;
use manifest_core::json::{Document, Raw};

/// The entries of a list by name. Comparing lists entry by entry would take
/// quadratic time on long ones.
pub(super) fn by_name<'l, T>(
    list: &'l [T],
    name: impl Fn(&'l T) -> &'l str,
) -> BTreeMap<&'l str, &'l T> {
    // The first of two with the same name is the one that is found by it.
    list.iter().rev().map(|entry| (name(entry), entry)).collect()
}

/// Whether two manifests say the same: numbers by value, members in any order.
pub(super) fn same(old: &Manifest<'_>, new: &Manifest<'_>, limits: &Limits) -> bool {
    same_json(&old.to_json(), &new.to_json(), limits)
}

pub(super) fn same_json(old: &str, new: &str, limits: &Limits) -> bool {
    // What is written out again can be a little longer than what was read.
    let limits =
        Limits { document_bytes: limits.document_bytes.saturating_mul(8), ..limits.clone() };
    let parsed = |text: &str, with: &mut dyn FnMut(&Document<'_>)| {
        if let Ok(document) = Document::parse(text.as_bytes(), &limits) {
            with(&document);
        }
    };
    let mut equal = old == new;
    parsed(old, &mut |old| {
        parsed(new, &mut |new| equal = old.root().same_value(new.root()));
    });
    equal
}

/// Whether two embedded values say the same.
pub(super) fn same_raw(old: Option<&Raw<'_>>, new: Option<&Raw<'_>>, limits: &Limits) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => same_json(old.as_str(), new.as_str(), limits),
        _ => false,
    }
}
