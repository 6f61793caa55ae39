//! Instructions that conversion and the way back take, as documents grow.
//!
//! `cargo bench --all-features --bench growth` takes every list and every object that a
//! format may have any number of elements in, makes documents with n, 2n and 4n of them,
//! converts each to every format, and goes back: unedited, with an edit, with an edit on
//! both sides, and onwards to a third format. It prints how the number of instructions grows
//! where the document doubles for the second time, and how much more that doubling adds than
//! the first, which leaves out what an empty document costs. So it does with everything else
//! that the library does with one document, as `alone`. It fails where the one is more than
//! 2.2, or the other more than 2.5: sorting is at 2.2 there, a square at 4. What fails is
//! counted again in documents eight times as large, and judged by those; such rows say `8x`.
//! Needs valgrind. Arguments choose: a pair (`mcpkg:jumith`, `mcpkg:alone`), or a part of the
//! name of a place. With `two`, every two lists that are apart grow at once, which takes hours
//! for all.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]
#![allow(clippy::format_push_string)] // a report of a few lines

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use toolglot::{FormatName, Pointer};

mod alone;
#[path = "../shared/grow.rs"]
mod grow;
#[path = "../shared/real.rs"]
mod real;
mod ways;

use grow::Case;

/// What a doubling may cost. Where what comes out grows faster than what goes in, as much
/// more.
const MOST: f64 = 2.2;

/// How much more the second doubling may add than the first, where it adds more than
/// [`COPIED`].
const MOST_ADDED: f64 = 2.5;

/// Instructions that a buffer may cost which is copied as it grows. A square of the few
/// hundred elements that the documents have is more.
const COPIED: u64 = 100_000;

/// How often what grows too fast is counted again. The allocator tidies up from time to time, in
/// whose call that happens to be: the fewest instructions are those of the call itself.
const AGAIN: usize = 2;

/// How many times as large the documents are then. There, a power shows more and a logarithm less.
const LARGER: usize = 8;

/// A source and a target, or none.
type Pair = (FormatName, Option<FormatName>);
/// One call at three sizes: instructions, and bytes in and out.
type Row = ([u64; 3], [u64; 3]);

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    if let [word, from, to, file] = arguments.as_slice()
        && word == "run"
    {
        run(from, to, Path::new(file));
        return ExitCode::SUCCESS;
    }
    let folder = std::env::temp_dir().join(format!("toolglot-growth-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let outcome = drive(&arguments, &folder);
    std::fs::remove_dir_all(&folder).expect("the folder again");
    outcome
}

/// Runs all cases of a pair, for valgrind to count.
fn run(from: &str, to: &str, file: &Path) {
    let name = |word: &str| word.parse::<FormatName>();
    let (from, to) = (name(from).expect("a format"), name(to).ok());
    let cases = read(file);
    // What is made once for all calls is not of the first.
    for case in &cases {
        match to {
            Some(to) => ways::warm_up(case, from.format(), to.format()),
            None => alone::warm_up(case, from),
        }
    }
    for case in &cases {
        match to {
            Some(to) => ways::run(case, from.format(), to.format()),
            None => alone::run(case, from),
        }
    }
}

fn write(file: &Path, cases: &[Case]) {
    let rows: Vec<_> =
        cases.iter().map(|case| (&case.name, case.at.as_str(), &case.texts)).collect();
    std::fs::write(file, serde_json::to_string(&rows).expect("JSON")).expect("a file");
}

fn read(file: &Path) -> Vec<Case> {
    let text = std::fs::read_to_string(file).expect("a file");
    let rows: Vec<(String, String, [String; 3])> = serde_json::from_str(&text).expect("cases");
    let case = |(name, at, texts): (String, String, _)| Case {
        name,
        at: Pointer::parse(&at).expect("a pointer"),
        texts,
    };
    rows.into_iter().map(case).collect()
}

fn drive(arguments: &[String], folder: &Path) -> ExitCode {
    let chosen = |pair: &str| {
        let mut pairs = arguments.iter().filter(|argument| argument.contains(':')).peekable();
        pairs.peek().is_none() || pairs.any(|wanted| wanted == pair)
    };
    let two = arguments.iter().any(|argument| argument == "two");
    let is_place = |argument: &&String| !argument.contains(':') && *argument != "two";
    let places: Vec<&String> = arguments.iter().filter(is_place).collect();
    let mut failed = false;
    let mut jobs: Vec<Pair> = Vec::new();
    for from in FormatName::ALL {
        let targets = FormatName::ALL.iter().map(|to| Some(*to)).chain([None]);
        let pairs = targets.map(|to| (*from, to)).filter(|pair| chosen(&named(*pair, ":")));
        let pairs: Vec<Pair> = pairs.collect();
        if pairs.is_empty() {
            continue;
        }
        jobs.extend(pairs);
        let mut cases = grow::cases(*from, two, 1, |_| true);
        let grown: BTreeSet<String> = cases.iter().map(|case| case.name.clone()).collect();
        println!("{from}: {} places", grown.len());
        for place in grow::growing(*from).into_iter().filter(|_| !two) {
            if !grown.contains(&place) && !grown.contains(&format!("{place} =")) {
                println!("{from}: nothing grows at {place:?}");
                failed = true;
            }
        }
        cases.retain(|case| places.is_empty() || places.iter().any(|p| case.name.contains(*p)));
        let file = folder.join(format!("{from}.json"));
        write(&file, &cases);
    }
    jobs.reverse();
    let (jobs, fine) = (Mutex::new(jobs), Mutex::new(!failed));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                loop {
                    let Some(job) = jobs.lock().expect("no panic").pop() else { break };
                    let rows = settled(job, two, folder);
                    *fine.lock().expect("no panic") &= print(job, &rows);
                }
            });
        }
    });
    if fine.into_inner().expect("no panic") { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// A pair in words.
fn named((from, to): Pair, between: &str) -> String {
    format!("{from}{between}{}", to.map_or("alone", |to| to.format().name))
}

/// Counts a pair, and again what grows too fast.
fn settled(pair: Pair, two: bool, folder: &Path) -> BTreeMap<[String; 2], Row> {
    let mut rows = count(pair, folder, &folder.join(format!("{}.json", pair.0)));
    let fast = rows.iter().filter(|(_, row)| grows_too_fast(row));
    let fast: BTreeSet<[String; 2]> = fast.map(|(key, _)| key.clone()).collect();
    if fast.is_empty() {
        return rows;
    }
    let larger = folder.join(format!("{}-larger.json", named(pair, "-")));
    let is_fast = |name: &str| fast.iter().any(|[place, _]| place == name);
    write(&larger, &grow::cases(pair.0, two, LARGER, is_fast));
    let mut judged: BTreeMap<[String; 2], Row> = BTreeMap::new();
    for _ in 0..AGAIN {
        let again = count(pair, folder, &larger);
        for (key, (counts, bytes)) in again.into_iter().filter(|(key, _)| fast.contains(key)) {
            let (known, _) = judged.entry(key).or_insert((counts, bytes));
            known.iter_mut().zip(counts).for_each(|(known, count)| *known = count.min(*known));
        }
    }
    for ([place, way], row) in judged {
        let larger = format!("{way} {LARGER}x");
        rows.remove(&[place.clone(), way]);
        rows.insert([place, larger], row);
    }
    rows
}

/// Runs the cases of a file for a pair below valgrind, and collects what it counted.
fn count(pair: Pair, folder: &Path, file: &Path) -> BTreeMap<[String; 2], Row> {
    let (from, to) = pair;
    let dumps = folder.join(named(pair, "-"));
    let output = Command::new("valgrind")
        // Where the C library copies by one instruction that repeats itself, valgrind counts
        // every byte, and only from some length on.
        .env(
            "GLIBC_TUNABLES",
            "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000",
        )
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .args(["--toggle-collect=growth::ways::measured*"])
        .args(["--dump-before=growth::ways::counted*"])
        .arg(format!("--callgrind-out-file={}", dumps.display()))
        .arg(std::env::current_exe().expect("this program"))
        .args(["run", from.format().name, to.map_or("alone", |to| to.format().name)])
        .arg(file)
        .output()
        .expect("valgrind");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut rows: BTreeMap<[String; 2], Row> = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let [place, way, size, bytes, problem] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let total = take_total(&dumps, number);
        let way = if problem.is_empty() { way.to_owned() } else { format!("{way} ({problem})") };
        let row = rows.entry([place.to_owned(), way]).or_default();
        let size: usize = size.parse().expect("a size");
        row.0[size] = total.parse().expect("a number");
        row.1[size] = bytes.parse().expect("a number");
    }
    rows
}

/// The instructions that valgrind wrote down for one call.
fn take_total(dumps: &Path, number: usize) -> String {
    let file = dumps.with_extension(number.to_string());
    let dump = std::fs::read_to_string(&file).expect("a dump for each line");
    std::fs::remove_file(&file).expect("the dump again");
    let total = dump.lines().find_map(|line| line.strip_prefix("totals: "));
    total.expect("totals").trim().to_owned()
}

/// Prints the rows of a pair. Says whether all are fine.
fn print(pair: Pair, rows: &BTreeMap<[String; 2], Row>) -> bool {
    let mut fine = true;
    let (mut lines, pair) = (String::new(), named(pair, " "));
    for ([place, way], row) in rows {
        let (counts, bad) = (row.0, grows_too_fast(row));
        let (growth, added) = (ratio(counts[2], counts[1]), added(&counts));
        fine &= !bad;
        lines.push_str(&format!(
            "{:<4} {pair} {way:<12} {:>11} {growth:>5.2} {added:>5.2}  {place}\n",
            if bad { "FAST" } else { "" },
            counts[2],
        ));
    }
    print!("{lines}");
    fine
}

fn grows_too_fast((counts, bytes): &Row) -> bool {
    // Where more comes out than twice as much, that may cost as much more.
    let size = (added(bytes) / 2.0).max(1.0);
    let copied = counts[2].saturating_sub(counts[1]) < COPIED;
    ratio(counts[2], counts[1]) > MOST * size || (added(counts) > MOST_ADDED * size && !copied)
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
