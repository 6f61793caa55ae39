//! A `tools.json` of 100,000 tools, as a stream and as a whole.
//!
//! `cargo bench --all-features --bench stream` prints time and peak memory of splitting, validating
//! and converting it entry by entry, next to reading it as one document and as a
//! `serde_json::Value`. Each run is a process of its own, so that its peak is its
//! own. The input is made block by block and never there as a whole, but for those
//! who need it. The peak is `VmHWM`, which Linux has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};

use toolglot::json::Document;
use toolglot::stream::{Item, Names, SplitOptions, Splitter};
use toolglot::{Limits, Options, ValidateOptions, mcpkg, tools_json};

#[path = "shared/large.rs"]
mod large;

const TOOLS: usize = 100_000;
/// Converting takes longer, and does not grow either.
const CONVERTED: usize = 2_000;
/// Bytes that are pushed at once.
const BLOCK: usize = 64 << 10;

const WAYS: [(&str, usize); 6] = [
    ("nothing", TOOLS),
    ("split", TOOLS),
    ("validate", TOOLS),
    ("convert", CONVERTED),
    ("document", TOOLS),
    ("value", TOOLS),
];

fn main() {
    if let Some((way, count)) = WAYS.iter().find(|way| std::env::args().any(|a| a == way.0)) {
        return run(way, *count);
    }
    println!("{:<10} {:>7} {:>10} {:>10} {:>12}", "", "tools", "input", "a tool", "peak memory");
    for (way, count) in WAYS {
        let program = std::env::current_exe().expect("this program");
        let output = Command::new(program).arg(way).output().expect("this program");
        let text = String::from_utf8(output.stdout).expect("text");
        let numbers: Vec<f64> = text.split(' ').flat_map(str::parse).collect();
        let &[input, seconds, peak] = numbers.as_slice() else { panic!("{text}") };
        #[allow(clippy::cast_precision_loss)]
        let each = seconds / count as f64 * 1e6;
        println!(
            "{way:<10} {count:>7} {:>7.1} MB {each:>7.2} µs {:>9.1} MB",
            input / 1e6,
            peak / 1e6
        );
    }
}

/// One run: prints bytes of input, seconds, and bytes of memory at the peak.
fn run(way: &str, count: usize) {
    let validate = ValidateOptions::default();
    let options = Options::default();
    let (mut names, mut valid) = (Names::default(), 0);
    let (input, time) = match way {
        "nothing" => (blocks(count, |_| ()), Duration::ZERO),
        "split" => stream(count, |item| valid += usize::from(!item.bytes.is_empty())),
        "validate" => stream(count, |item| {
            let report = item.validate(&tools_json::FORMAT, &validate, &mut names);
            valid += usize::from(report.is_valid());
        }),
        "convert" => stream(count, |item| {
            let to = &mcpkg::FORMAT;
            let converted = item.convert(&tools_json::FORMAT, to, &options, &mut names);
            valid += usize::from(converted.is_ok());
        }),
        _ => {
            let mut whole = Vec::new();
            let input = blocks(count, |block| whole.extend_from_slice(block));
            let start = Instant::now();
            if way == "document" {
                let limits = Limits { document_bytes: input, nodes: input, ..Limits::default() };
                let options = ValidateOptions { limits, ..ValidateOptions::default() };
                let document = Document::parse(&whole, &options.limits).expect("JSON");
                let report = tools_json::FORMAT.validate(&document, &options);
                assert!(report.is_valid());
                black_box(document);
            } else {
                let value: serde_json::Value = serde_json::from_slice(&whole).expect("JSON");
                black_box(value);
            }
            (input, start.elapsed())
        }
    };
    if matches!(way, "split" | "validate" | "convert") {
        assert_eq!(valid, count);
    }
    print!("{input} {} {}", time.as_secs_f64(), large::peak().unwrap_or(f64::NAN));
}

/// Streams that many tools, and says how many bytes and how much time that took,
/// making them left out.
fn stream(count: usize, mut each: impl FnMut(Item<'_>)) -> (usize, Duration) {
    let mut splitter =
        Splitter::new(SplitOptions { members: vec!["tools"], ..SplitOptions::default() });
    let mut time = Duration::ZERO;
    let input = blocks(count, |block| {
        let start = Instant::now();
        splitter.push(block);
        while let Some(item) = splitter.next() {
            each(item.expect("an entry"));
        }
        time += start.elapsed();
    });
    splitter.finish();
    assert!(splitter.next().is_none());
    (input, time)
}

/// Makes a manifest of that many tools, block by block.
fn blocks(count: usize, mut push: impl FnMut(&[u8])) -> usize {
    let mut total = 0;
    let mut block = String::from("{\n  \"tools\": [");
    for i in 0..count {
        block.push_str(&large::tool(i));
        while block.len() >= BLOCK {
            push(&block.as_bytes()[..BLOCK]);
            total += BLOCK;
            block.drain(..BLOCK);
        }
    }
    block.push_str("\n  ]\n}\n");
    push(block.as_bytes());
    total + block.len()
}
