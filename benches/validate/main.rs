//! Bytes to verdict: toolglot against `serde_json::Value` and `jsonschema` on the
//! same bytes, in the same run, at each depth. Structure is what a schema can check, and
//! all that the other side does; meaning is all that makes a document invalid; advice is
//! the default.
//!
//! `cargo bench --bench validate` prints ratios. `cargo bench --bench validate --
//! structure|meaning|advice|theirs NAME COUNT` runs one side only, for an instruction
//! counter; `names` lists the names.

#![allow(clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a bench may stop

use std::hint::black_box;
use std::time::{Duration, Instant};

use serde_json::Value;
use toolglot::json::Document;
use toolglot::{Depth, Format, Limits, ValidateOptions};

mod cases;
mod schemas;

/// A document, and a schema that is about as strict as the format is on it.
struct Case {
    name: &'static str,
    format: &'static Format,
    bytes: Vec<u8>,
    schema: Value,
}

fn main() {
    // Made once, like the validator of the other side.
    let depths = [Depth::Structure, Depth::Semantics, Depth::Advice].map(|depth| ValidateOptions {
        depth,
        limits: Limits::for_catalog(),
        ..ValidateOptions::default()
    });
    let [structure, meaning, advice] = &depths;
    let cases = cases::all();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    if arguments == ["names"] {
        for case in &cases {
            println!("{}", case.name);
        }
        return;
    }
    if let [side, name, count] = arguments.as_slice() {
        let case = cases.iter().find(|case| case.name == name).expect("a case of that name");
        let validator =
            jsonschema::draft202012::options().offline().build(&case.schema).expect("a schema");
        for _ in 0..count.parse().expect("a number") {
            match side.as_str() {
                "structure" => assert!(ours(case, structure)),
                "meaning" => assert!(ours(case, meaning)),
                "advice" => assert!(ours(case, advice)),
                "theirs" => assert!(theirs(case, &validator)),
                other => panic!("{other}: structure, meaning, advice or theirs"),
            }
        }
        return;
    }
    println!(
        "{:<22} {:>7} {:>11} {:>10} {:>9} {:>9}",
        "document", "bytes", "theirs", "structure", "meaning", "advice"
    );
    for case in &cases {
        let validator =
            jsonschema::draft202012::options().offline().build(&case.schema).expect("a schema");
        assert!(theirs(case, &validator), "{} must be valid to both", case.name);
        let mut times: [Vec<Duration>; 4] = Default::default();
        // Several at once, so that neither the clock nor what the side before left in the
        // caches counts for much.
        let batch = (100_000 / case.bytes.len()).clamp(1, 100);
        for _ in 0..100 {
            times[0].push(time(batch, || theirs(case, &validator)));
            for (times, options) in times[1..].iter_mut().zip(&depths) {
                times.push(time(batch, || ours(case, options)));
            }
        }
        let [theirs, ours @ ..] = times.map(median);
        let [structure, meaning, advice] =
            ours.map(|time| time.as_secs_f64() / theirs.as_secs_f64());
        println!(
            "{:<22} {:>7} {theirs:>11.1?} {structure:>10.3} {meaning:>9.3} {advice:>9.3}",
            case.name,
            case.bytes.len()
        );
    }
}

#[inline(never)] // so that a profiler can tell the sides apart
fn ours(case: &Case, options: &ValidateOptions) -> bool {
    let document = Document::parse(black_box(&case.bytes), &options.limits);
    document.is_ok_and(|document| case.format.validate(&document, options).is_valid())
}

#[inline(never)]
fn theirs(case: &Case, validator: &jsonschema::Validator) -> bool {
    let value: Result<Value, _> = serde_json::from_slice(black_box(&case.bytes));
    value.is_ok_and(|value| validator.is_valid(&value))
}

fn time(batch: usize, run: impl Fn() -> bool) -> Duration {
    let start = Instant::now();
    for _ in 0..batch {
        assert!(black_box(run()));
    }
    start.elapsed() / u32::try_from(batch).expect("a small number")
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}
