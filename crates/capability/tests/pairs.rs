//! Conversions from this format and to it.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

use toolglot::FormatName;

#[path = "../../../tests/shared/cases.rs"]
mod cases;
#[path = "../../../tests/shared/pages.rs"]
mod pages;

const OWN: FormatName = FormatName::Capability;

#[test]
fn what_becomes_of_every_fixture() {
    pages::hold(OWN);
}

#[test]
fn fixtures_are_known_by_their_format() {
    pages::detects(OWN);
}

#[test]
fn laws() {
    for other in FormatName::ALL {
        cases::hold(OWN, *other, 4);
        cases::hold(*other, OWN, 4);
    }
}
