//! The laws that do not hold for a pair of formats.

use std::fmt;

use manifest_core::Format;

use crate::laws::Law;

/// The most characters that are kept of one problem. The seed reproduces the rest.
const MAX_PROBLEM: usize = 8000;

/// The laws that do not hold for conversions between two formats, with one case of each.
///
/// Printed, it is the message of a failed test: each law with its seed, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrokenLaws {
    /// The format of the sources.
    pub from: &'static str,
    /// The format of the targets.
    pub to: &'static str,
    /// The broken laws, each once, in the order in which they were found.
    pub laws: Vec<BrokenLaw>,
}

/// A law that does not hold, and the first case that broke it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BrokenLaw {
    /// The law.
    pub law: Law,
    /// The first seed that broke it.
    pub seed: u64,
    /// The number of seeds that broke it.
    pub seeds: u64,
    /// The third format of the case, for laws that need one.
    pub onwards: &'static str,
    /// What is wrong, with the documents. A long text is cut.
    pub problem: String,
}

impl BrokenLaws {
    pub(crate) fn new(from: &Format, to: &Format) -> Self {
        Self { from: from.name, to: to.name, laws: Vec::new() }
    }

    /// Records a broken law. Of each law, the first case is kept, and the others are counted.
    pub(crate) fn add(&mut self, law: Law, seed: u64, onwards: &Format, problem: &str) {
        if let Some(known) = self.laws.iter_mut().find(|one| one.law == law) {
            known.seeds += 1;
            return;
        }
        let (onwards, problem) = (onwards.name, cut(problem));
        self.laws.push(BrokenLaw { law, seed, seeds: 1, onwards, problem });
    }

    /// Returns an error if a law was broken.
    pub(crate) fn into_result(self) -> Result<(), Self> {
        if self.laws.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// Returns the beginning of a text, and how much was cut.
fn cut(problem: &str) -> String {
    let start: String = problem.chars().take(MAX_PROBLEM).collect();
    match problem.len() - start.len() {
        0 => start,
        rest => format!("{start}… ({rest} bytes more)"),
    }
}

impl fmt::Display for BrokenLaws {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { from, to, laws } = self;
        let count = laws.len();
        let what = if count == 1 { "law does" } else { "laws do" };
        write!(f, "{count} {what} not hold from {from} to {to}")?;
        for BrokenLaw { law, seed, seeds, onwards, problem } in laws {
            let name = law.name();
            let others = match seeds - 1 {
                0 => String::new(),
                1 => " and 1 other".to_owned(),
                more => format!(" and {more} others"),
            };
            write!(f, "\n\n{name}, seed {seed}{others}, onwards to {onwards}: {problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for BrokenLaws {}
