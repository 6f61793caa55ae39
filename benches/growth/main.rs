//! How the work of the library grows with its documents.
//!
//! `benches/growth/run` takes every list and every object that a format may have any number
//! of elements in, makes documents with n, 2n and 4n of them, converts each to every format, and
//! goes back: unedited, with an edit, with an edit on both sides, and onwards to a third format.
//! So it does with everything else that the library does with one document, as `alone`. It counts
//! branches and bytes (`work.c`), prints how their number grows where the document doubles for
//! the second time, and how much more that doubling adds than the first, which leaves out what
//! an empty document costs. It fails where the one is more than 2.2, or the other more than 2.5:
//! sorting is at 2.2 there, a square at 4. What fails is counted again in documents eight times
//! as large, and judged by those; such rows say `8x`. Arguments choose: a pair (`mcpkg:jumith`,
//! `mcpkg:alone`), or a part of the name of a place. With `two`, every two lists that are apart
//! grow at once.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::format_push_string)] // a report of a few lines

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::Mutex;

use toolglot::FormatName;

mod alone;
#[path = "../shared/grow.rs"]
mod grow;
#[path = "../shared/real.rs"]
mod real;
mod ways;
mod work;

use grow::Case;
use work::{Counts, Row};

/// What a doubling may cost. Where what comes out grows faster than what goes in, as much
/// more.
const MOST: f64 = 2.2;

/// How much more the second doubling may add than the first, where it adds more than [`LITTLE`].
const MOST_ADDED: f64 = 2.5;

/// Work that a buffer may cost which is copied as it grows. A square of the few hundred
/// elements that the documents have is more.
const LITTLE: u64 = 20_000;

/// How many times as large the documents are where growth is judged again. There, a power shows
/// more and a logarithm less.
const LARGER: usize = 8;

/// A source and a target, or none.
type Pair = (FormatName, Option<FormatName>);
type Rows = BTreeMap<[String; 2], Row>;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let two = arguments.iter().any(|argument| argument == "two");
    let (pairs, places): (Vec<&String>, Vec<&String>) = arguments
        .iter()
        .filter(|argument| *argument != "two")
        .partition(|argument| argument.contains(':'));
    let chosen = |pair: Pair| pairs.is_empty() || pairs.contains(&&named(pair, ":"));
    let mut fine = true;
    let mut jobs: Vec<Pair> = Vec::new();
    let mut cases: BTreeMap<&str, Vec<Case>> = BTreeMap::new();
    for from in FormatName::ALL {
        let targets = FormatName::ALL.iter().map(|to| Some(*to)).chain([None]);
        let before = jobs.len();
        jobs.extend(targets.map(|to| (*from, to)).filter(|pair| chosen(*pair)));
        if jobs.len() == before {
            continue;
        }
        let mut own = grow::cases(*from, two, 1, |_| true);
        fine &= all_grow(*from, &own, two);
        own.retain(|case| places.is_empty() || places.iter().any(|p| case.name.contains(*p)));
        cases.insert(from.format().unwrap().name, own);
    }
    jobs.reverse();
    let (jobs, fine) = (Mutex::new(jobs), Mutex::new(fine));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(job) = jobs.lock().expect("no panic").pop() else { break };
                    let rows = settled(job, &cases[job.0.format().unwrap().name], two);
                    *fine.lock().expect("no panic") &= print(job, &rows);
                }
            });
        }
    });
    if fine.into_inner().expect("no panic") { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A pair in words.
fn named((from, to): Pair, between: &str) -> String {
    format!("{from}{between}{}", to.map_or("alone", |to| to.format().unwrap().name))
}

/// Whether everything grows that may have any number of elements.
fn all_grow(from: FormatName, cases: &[Case], two: bool) -> bool {
    let grown: BTreeSet<&str> = cases.iter().map(|case| case.name.trim_end_matches(" =")).collect();
    println!("{from}: {} places", cases.len());
    let missing = grow::growing(from).into_iter().filter(|place| !grown.contains(place.as_str()));
    let missing: Vec<String> = missing.filter(|_| !two).collect();
    for place in &missing {
        println!("{from}: nothing grows at {place:?}");
    }
    missing.is_empty()
}

/// Counts a pair, and again what grows too fast.
fn settled(pair: Pair, cases: &[Case], two: bool) -> Rows {
    let mut rows = count(pair, cases);
    let fast = rows.iter().filter(|(_, row)| grows_too_fast(row));
    let fast: BTreeSet<[String; 2]> = fast.map(|(key, _)| key.clone()).collect();
    let is_fast = |name: &str| fast.iter().any(|[place, _]| place == name);
    let larger = grow::cases(pair.0, two, LARGER, is_fast);
    for (key, row) in count(pair, &larger).into_iter().filter(|(key, _)| fast.contains(key)) {
        rows.remove(&key);
        let [place, way] = key;
        rows.insert([place, format!("{way} {LARGER}x")], row);
    }
    rows
}

fn count((from, to): Pair, cases: &[Case]) -> Rows {
    let counts = Counts::default();
    // What is made once for all calls is not of the first.
    for case in cases {
        match to {
            Some(to) => ways::warm_up(case, from.format().unwrap(), to.format().unwrap()),
            None => alone::warm_up(case, from),
        }
    }
    for case in cases {
        match to {
            Some(to) => ways::run(case, from.format().unwrap(), to.format().unwrap(), &counts),
            None => alone::run(case, from, &counts),
        }
    }
    counts.into_rows()
}

/// Prints the rows of a pair. Says whether all are fine.
fn print(pair: Pair, rows: &Rows) -> bool {
    let mut fine = true;
    let (mut lines, pair) = (String::new(), named(pair, " "));
    for ([place, way], row) in rows {
        let (work, bad) = (row.work, grows_too_fast(row));
        let (growth, added) = (ratio(work[2], work[1]), added(&work));
        fine &= !bad;
        lines.push_str(&format!(
            "{:<4} {pair} {way:<12} {:>11} {growth:>5.2} {added:>5.2}  {place}\n",
            if bad { "FAST" } else { "" },
            work[2],
        ));
    }
    print!("{lines}");
    fine
}

fn grows_too_fast(Row { work, bytes }: &Row) -> bool {
    // Where more comes out than twice as much, that may cost as much more.
    let size = (added(bytes) / 2.0).max(1.0);
    let little = work[2].saturating_sub(work[1]) < LITTLE;
    ratio(work[2], work[1]) > MOST * size || (added(work) > MOST_ADDED * size && !little)
}

#[allow(clippy::cast_precision_loss)]
fn ratio(more: u64, less: u64) -> f64 {
    more as f64 / less.max(1) as f64
}

/// How much more the second doubling adds than the first: twice as much, where growth is
/// linear, whatever a document costs that has nothing in it.
fn added(counts: &[u64; 3]) -> f64 {
    ratio(counts[2].saturating_sub(counts[1]), counts[1].saturating_sub(counts[0]))
}
