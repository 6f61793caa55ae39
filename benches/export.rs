//! Ten thousand tools, given to every target.
//!
//! `cargo bench --all-features --bench export` prints how long it takes to read the text as a
//! `serde_json::Value`, to parse it, to lift it to tools, and to give those tools to each target;
//! and how often that is the time of parsing, by us and by `serde_json`. Times are the
//! least of five runs in turn.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::hint::black_box;
use std::time::Instant;

use toolglot::json::Document;
use toolglot::providers::{Options, Revision, Target, export};
use toolglot::{Limits, tools_json};

#[path = "shared/large.rs"]
#[allow(dead_code)] // memory is no matter here
mod large;

const TOOLS: u32 = 10_000;
const RUNS: usize = 5;

/// What is measured, and its name.
type Row<'r> = (&'static str, Box<dyn Fn() + 'r>);

fn main() {
    let tools: String = (0..TOOLS as usize).map(large::tool).collect();
    let text = format!("{{\"tools\": [{tools}]}}");
    let size = text.len();
    let limits = Limits { document_bytes: size, nodes: size, ..Limits::default() };
    let document = Document::parse(text.as_bytes(), &limits).expect("JSON");
    let lifted = tools_json::FORMAT.lift(&document, &limits).expect("a valid manifest");
    let strict = |target| Options { strict: true, ..Options::new(target) };
    let ways = [
        ("MCP", Options::new(Target::Mcp(Revision::R20260728))),
        ("OpenAI", Options::new(Target::OpenAiChat)),
        ("OpenAI, strict", strict(Target::OpenAiChat)),
        ("OpenAI Responses", Options::new(Target::OpenAiResponses)),
        ("Anthropic", Options::new(Target::Anthropic)),
        ("Anthropic, strict", strict(Target::Anthropic)),
        ("Gemini", Options::new(Target::Gemini)),
        ("Gemini, parameters", Options { gemini_schema: true, ..Options::new(Target::Gemini) }),
    ];
    let value = || drop(black_box(serde_json::from_str::<serde_json::Value>(&text)));
    let parse = || drop(black_box(Document::parse(text.as_bytes(), &limits)));
    let lift = || drop(black_box(tools_json::FORMAT.lift(&document, &limits)));
    let mut rows: Vec<Row<'_>> = vec![
        ("serde_json::Value", Box::new(value)),
        ("parse", Box::new(parse)),
        ("lift", Box::new(lift)),
    ];
    for (name, options) in &ways {
        let tools = &lifted.tools;
        rows.push((
            name,
            Box::new(|| {
                let given = export(tools, options);
                assert_eq!(given.offers.len(), tools.len());
                black_box(given.to_json());
            }),
        ));
    }
    let mut least = vec![f64::INFINITY; rows.len()];
    for _ in 0..RUNS {
        for ((_, way), least) in rows.iter().zip(&mut least) {
            let start = Instant::now();
            way();
            *least = least.min(start.elapsed().as_secs_f64());
        }
    }
    println!("{:<20} {:>8} {:>9} {:>8} {:>12}", "", "a tool", "all", "parse", "serde_json");
    for ((name, _), seconds) in rows.iter().zip(&least) {
        println!(
            "{name:<20} {:>5.2} µs {:>6.1} ms {:>6.1} x {:>10.1} x",
            seconds / f64::from(TOOLS) * 1e6,
            seconds * 1e3,
            seconds / least[1],
            seconds / least[0],
        );
    }
}
