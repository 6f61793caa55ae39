//! Conversions from a format and to it: tests of the package that has it, which names it as `OWN`.

use toolglot::FormatName;

use crate::OWN;

#[path = "cases.rs"]
mod cases;
#[path = "pages.rs"]
mod pages;

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
