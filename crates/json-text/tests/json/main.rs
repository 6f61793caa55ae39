//! The JSON text layer: what it refuses and where, what it keeps, and how it
//! edits. Names such as `J13` are rows of the attack catalogue.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)] // a test that cannot go on fails

use json_text::Limits;
use json_text::{Document, Kind, Node};
use proptest::prelude::ProptestConfig;
use serde_json::Value;

mod attacks;
mod differential;
mod edits;
mod generate;
mod limits;
mod located;
mod merges;
mod numbers;
mod oracle;
mod patches;
mod read;
mod suite;
mod tokens;
mod values;

/// The code of the rule that refuses a text, or `ok`.
fn verdict(bytes: &[u8]) -> &'static str {
    verdict_under(bytes, &Limits::default())
}

fn verdict_under(bytes: &[u8], limits: &Limits) -> &'static str {
    Document::parse(bytes, limits).map_or_else(|refusal| refusal.rule.code, |_| "ok")
}

fn parse(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), Limits::default()).expect(text)
}

/// The same value in another library's words.
fn to_value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Object => node
            .members()
            .map(|member| (member.name().into_owned(), to_value(member.value)))
            .collect(),
        Kind::Array => node.elements().map(to_value).collect(),
        Kind::String => Value::String(node.text().unwrap().into_owned()),
        Kind::Bool => Value::Bool(node.bool().unwrap()),
        Kind::Number => serde_json::from_str(node.number().unwrap().as_str()).unwrap(),
        Kind::Null => Value::Null,
    }
}

/// That many cases, or more when `PROPTEST_CASES` says so.
fn cases(count: u32) -> ProptestConfig {
    let asked = ProptestConfig::default();
    ProptestConfig { cases: asked.cases.max(count), failure_persistence: None, ..asked }
}

/// Runs a test on a thread with a stack of 512 KiB, which a host may have.
fn on_a_small_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(512 << 10);
    let outcome = thread.spawn(test).unwrap().join();
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}
