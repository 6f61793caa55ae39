//! Equality of values, and lookup of entries by name.

use std::collections::BTreeMap;

use crate::Manifest;
use manifest_core::Limits;
use manifest_core::json::{Document, Raw};

/// Maps the entries of a list by name. Comparing all pairs would take quadratic time.
pub(super) fn by_name<'l, T>(
    list: &'l [T],
    name: impl Fn(&'l T) -> &'l str,
) -> BTreeMap<&'l str, &'l T> {
    // If two entries have the same name, the first one is kept.
    list.iter().rev().map(|entry| (name(entry), entry)).collect()
}

/// Returns true if two manifests are equal: numbers by value, members in any order.
pub(super) fn equal_manifests(old: &Manifest<'_>, new: &Manifest<'_>, limits: &Limits) -> bool {
    equal_json(&old.to_json(), &new.to_json(), limits)
}

pub(super) fn equal_json(old: &str, new: &str, limits: &Limits) -> bool {
    // A rewritten manifest can be a little longer than its source.
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

/// Returns true if two embedded JSON values are equal.
pub(super) fn equal_raw(old: Option<&Raw<'_>>, new: Option<&Raw<'_>>, limits: &Limits) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => equal_json(old.as_str(), new.as_str(), limits),
        _ => false,
    }
}
