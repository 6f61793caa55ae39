//! A `tools.json` of many tools, from its bytes to what a provider is sent:
//! parsed, checked and mapped to OpenAI tools in one go.
//!
//! `cargo bench --all-features --bench tools_json` prints time and peak memory for 1,000, 10,000
//! and 100,000 tools. Each run is a process of its own, so that its peak is its
//! own; the time is the median of five. The peak is `VmHWM`, which Linux has.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use toolglot::json::{Document, Raw};
use toolglot::providers::openai_function;
use toolglot::{Limits, ToolDescriptor, tools_json};

#[path = "shared/large.rs"]
mod large;

const RUNS: usize = 5;

fn main() {
    let count = std::env::args().find_map(|argument| argument.parse().ok());
    if let Some(count) = count {
        return run(count);
    }
    println!(
        "{:>7} {:>10} {:>10} {:>9} {:>11} {:>10}",
        "tools", "input", "time", "a tool", "peak memory", "of input"
    );
    for count in [1_000, 10_000, 100_000] {
        let mut runs: Vec<Measured> = (0..RUNS).map(|_| child(count)).collect();
        runs.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
        let Measured { input, seconds, peak } = runs[RUNS / 2];
        println!(
            "{count:>7} {:>7.1} MB {:>7.1} ms {:>6.2} µs {:>8.1} MB {:>8.1} x",
            input / 1e6,
            seconds * 1e3,
            seconds / f64::from(count) * 1e6,
            peak / 1e6,
            peak / input,
        );
    }
}

/// One run: bytes of input, seconds, and bytes of memory at the peak.
struct Measured {
    input: f64,
    seconds: f64,
    peak: f64,
}

/// Runs this program again, for that many tools.
fn child(count: u32) -> Measured {
    let program = std::env::current_exe().expect("this program");
    let output = Command::new(program).arg(count.to_string()).output().expect("this program");
    let text = String::from_utf8(output.stdout).expect("text");
    let numbers: Vec<f64> = text.split(' ').flat_map(str::parse).collect();
    match numbers.as_slice() {
        &[input, seconds, peak] => Measured { input, seconds, peak },
        _ => panic!("unexpected output: {text}"),
    }
}

fn run(count: usize) {
    let bytes = manifest(count);
    let limits = Limits { document_bytes: bytes.len(), nodes: bytes.len(), ..Limits::default() };
    let start = Instant::now();
    let document = Document::parse(&bytes, &limits).expect("JSON");
    let lifted = tools_json::FORMAT.lift(&document, &limits).expect("a valid manifest");
    let functions: Vec<_> = lifted.tools.iter().map(function).collect();
    let sent = serde_json::to_vec(&functions).expect("JSON");
    let seconds = start.elapsed().as_secs_f64();
    black_box(sent);
    print!("{} {seconds} {}", bytes.len(), large::peak().unwrap_or(f64::NAN));
}

fn function(tool: &ToolDescriptor<'_>) -> Raw<'static> {
    let description = tool.description.as_ref().map(|text| text.as_ref());
    let schema = tool.input_schema.as_ref().map(|schema| schema.as_str());
    openai_function(&tool.id, description, schema)
}

fn manifest(count: usize) -> Vec<u8> {
    let mut text = String::with_capacity(count * 640 + 64);
    text.push_str("{\n  \"tools\": [");
    for i in 0..count {
        text.push_str(&large::tool(i));
    }
    text.push_str("\n  ]\n}\n");
    text.into_bytes()
}
