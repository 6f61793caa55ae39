//! The laws, for an ordered pair of formats, on generated documents. Each format's package has
//! a few of them held, and the tests of the whole have many.

use toolglot::{FORMATS, FormatName, testkit};

/// Holds the laws for so many documents.
pub(crate) fn hold(from: FormatName, to: FormatName, cases: u64) {
    let number = |name: &str| std::env::var(name).ok().map(|number| number.parse::<u64>().unwrap());
    let cases = cases * number("TOOLGLOT_CASES").unwrap_or(1);
    let seeds = number("TOOLGLOT_SEED").map_or(0..cases, |seed| seed..seed + 1);
    if let Err(broken) = testkit::hold(from.testkit(), to.format(), &FORMATS, seeds) {
        panic!("{broken}");
    }
}
