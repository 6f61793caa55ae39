//! Tests that work is linear and memory is bounded. The results are tested from outside.

use super::Splitter;
use super::item::{Shape, SplitOptions};
use manifest_core::Limits;

/// Returns how many bytes a splitter scans or moves for each byte of a stream that is
/// pushed byte by byte.
fn work(text: &[u8], shape: Option<Shape>) -> usize {
    let limits = Limits { document_bytes: 1 << 12, ..Limits::default() };
    let split = SplitOptions { shape, members: vec!["tools"], limits, ..SplitOptions::default() };
    let mut splitter = Splitter::new(split);
    for byte in text.chunks(1) {
        splitter.push(byte);
        while splitter.next().is_some() {}
    }
    splitter.finish();
    while splitter.next().is_some() {}
    splitter.buffer.work / text.len()
}

#[test]
fn each_byte_is_looked_at_a_few_times() {
    let long = "x".repeat(1 << 16);
    let texts = [
        format!("[\"{long}\", 1]"),
        format!("[{}]", "[".repeat(1 << 16)),
        format!("{{\"tools\": [{}]}}", vec!["{\"a\": \"b\"}"; 1 << 12].join(",\n")),
        format!("{{\"x\": \"{long}\", \"tools\": [1, 2]}}"),
        format!("{{\"{long}\": 1}}"),
        format!("{}[1,2]", " ".repeat(1 << 16)),
        format!("\u{feff}{}", " ".repeat(1 << 16)),
        "\n".repeat(1 << 16),
        format!("{{}}{}", " ".repeat(1 << 16)),
        format!("{{}}\n{}{{}}", " \n".repeat(1 << 16)),
        "{\"a\": 1}\r\n".repeat(1 << 12),
        format!("{{\"a\": \"{long}\"}}\n{{}}\n"),
        "[,".repeat(1 << 12),
    ];
    for text in &texts {
        for shape in [None, Some(Shape::Lines), Some(Shape::Array), Some(Shape::Member)] {
            let work = work(text.as_bytes(), shape);
            assert!(work <= 8, "{work} for each byte of {text:.40}, as {shape:?}");
        }
    }
}

#[test]
fn what_is_held_does_not_grow_with_the_stream() {
    let limits = Limits { document_bytes: 1 << 10, ..Limits::default() };
    let split =
        SplitOptions { shape: None, members: vec!["tools"], limits, ..SplitOptions::default() };
    let block = vec![b'x'; 1 << 10];
    let heads: [&[u8]; 6] = [b"[\"", b"{\"tools\": [\"", b"{\"a\": \"", b"", b"[1] ", b"{}"];
    for head in heads {
        let mut splitter = Splitter::new(split.clone());
        splitter.push(head);
        for _ in 0..256 {
            splitter.push(&block);
            while splitter.next().is_some() {}
        }
        let held = splitter.buffer.capacity();
        assert!(held <= 1 << 13, "{held} after {:?}", String::from_utf8_lossy(head));
    }
}
