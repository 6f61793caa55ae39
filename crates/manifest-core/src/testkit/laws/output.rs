//! The law of valid output.

use super::{Law, converted, tree, valid};
use crate::convert::{Class, Options, convert};
use crate::{Defaults, Format};

/// A valid document converts to a valid one. Every leaf of the target comes from
/// the source or is listed as assumed; what depends on the defaults is listed or
/// approximated; and strict mode refuses exactly when something is assumed.
pub fn valid_output(from: &'static Format, to: &'static Format, text: &str) -> Law {
    let options = Options::default();
    let conversion = converted(from, to, text, &options)?;
    valid(to, &conversion.text)?;

    let ledger = &conversion.ledger;
    let below = |leaf: &str, place: &str| {
        leaf.strip_prefix(place).is_some_and(|tail| tail.is_empty() || tail.starts_with('/'))
    };
    let assumed = |leaf: &str| ledger.assumed.iter().any(|a| a.target.as_str() == leaf);
    let told = |leaf: &str| {
        let mut entries = ledger.entries.iter();
        entries.any(|entry| entry.target.iter().any(|place| below(leaf, place.as_str())))
    };
    let target = tree(&conversion.text)?;
    for (leaf, _) in target.leaves() {
        // The empty list of tools says that there are none.
        if !assumed(&leaf) && !told(&leaf) && !leaf.is_empty() {
            return Err(format!("{leaf:?} comes from nowhere in\n{}", conversion.text));
        }
    }

    let other = Options {
        defaults: Defaults {
            version: "9.8.7-other".to_owned(),
            publisher: "other".to_owned(),
            bridge: "./tools/bin/other-bridge".to_owned(),
            tag: "other".to_owned(),
            homepage: "https://other.invalid/".to_owned(),
        },
        ..options.clone()
    };
    let defaulted = tree(&converted(from, to, text, &other)?.text)?;
    let approximated = |leaf: &str| {
        let mut entries = ledger.entries.iter().filter(|e| e.class == Class::Approximated);
        entries.any(|entry| entry.target.iter().any(|place| below(leaf, place.as_str())))
    };
    for (leaf, value) in target.leaves() {
        if defaulted.at(&leaf) != Some(value) && !assumed(&leaf) && !approximated(&leaf) {
            return Err(format!("{leaf:?} is a default and not listed as assumed"));
        }
    }

    let strict = Options { strict: true, ..options };
    let refused = convert(&super::open(text)?, from, to, &strict).is_err();
    if refused == ledger.assumed.is_empty() {
        let count = ledger.assumed.len();
        return Err(format!("{count} leaves are assumed; refused in strict mode: {refused}"));
    }
    Ok(())
}
