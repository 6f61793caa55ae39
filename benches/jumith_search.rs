//! Finding tools among many: our index against a plain scan and a full-text
//! crate, on the same tools, in the same run.
//!
//! `cargo bench --all-features --bench jumith_search` prints the table;
//! `-- COUNT` takes another number of tools than 100,000.

#![allow(clippy::expect_used, clippy::indexing_slicing)] // a bench may stop

use std::borrow::Cow;
use std::hint::black_box;
use std::time::{Duration, Instant};

use probly_search::Index as Probly;
use probly_search::score::bm25;
use toolglot::jumith::search::{Index, Query, SearchEntry};
use toolglot::testkit::Rng;

struct Tool {
    name: String,
    summary: String,
    description: String,
    tags: Vec<String>,
}

/// Words of two to four syllables: some common, most rare.
fn vocabulary(rng: &mut Rng) -> Vec<String> {
    const SYLLABLES: &[&str] = &[
        "ba", "co", "di", "fe", "ga", "hi", "jo", "ka", "lu", "me", "no", "pi", "qua", "re", "si",
        "to", "un", "ver", "wa", "xe", "yo", "zu", "ster", "tion", "able", "pre",
    ];
    let count = 30_000;
    let mut words: Vec<String> =
        (0..count).map(|_| (0..2 + rng.below(3)).map(|_| rng.word(SYLLABLES)).collect()).collect();
    words.sort_unstable();
    words.dedup();
    rng.shuffle(&mut words);
    words
}

/// A word: the first ones often, the last ones rarely.
fn pick<'w>(words: &'w [String], rng: &mut Rng) -> &'w str {
    let bound = 1 + rng.below(words.len());
    let bound = 1 + rng.below(bound);
    &words[rng.below(bound)]
}

fn tools(count: usize, words: &[String], rng: &mut Rng) -> Vec<Tool> {
    let mut text =
        |count: usize, by: &str| (0..count).map(|_| pick(words, rng)).collect::<Vec<_>>().join(by);
    (0..count)
        .map(|_| Tool {
            name: text(2, "."),
            summary: text(8, " "),
            description: text(25, " "),
            tags: vec![text(1, ""), text(1, "")],
        })
        .collect()
}

fn main() {
    let count = std::env::args().skip(1).find_map(|argument| argument.parse().ok());
    let count: usize = count.unwrap_or(100_000);
    let rng = &mut Rng::new(1);
    let words = vocabulary(rng);
    let tools = tools(count, &words, rng);

    let start = Instant::now();
    let index = ours(&tools);
    let our_build = start.elapsed();
    let start = Instant::now();
    let probly = theirs(&tools);
    let their_build = start.elapsed();
    let start = Instant::now();
    let haystacks: Vec<String> = tools.iter().map(haystack).collect();
    let scan_build = start.elapsed();
    println!("{count} tools, {} words", words.len());
    println!("{:<26} {:>8} {:>12} {:>14} {:>12}", "", "found", "ours", "probly-search", "scan");
    println!(
        "{:<26} {:>8} {our_build:>12.2?} {their_build:>14.2?} {scan_build:>12.2?}",
        "build", ""
    );
    let common = words[0].clone();
    let rare = words[words.len() / 2].clone();
    let prefix: String = rare.chars().take(3).collect();
    let two = format!("{} {}", words[3], words[40]);
    let mut slip: Vec<char> = words[100].chars().collect();
    slip.swap(1, 2);
    let slip: String = slip.into_iter().collect();
    let cases = [
        ("a common word", common.as_str(), ""),
        ("a rare word", &rare, ""),
        ("the beginning of a word", &prefix, ""),
        ("two words", &two, ""),
        ("a common word and a tag", &common, words[5].as_str()),
        ("a slip", &slip, ""),
        ("nothing", "qqqqqqqq", ""),
    ];
    for (what, q, tag) in cases {
        let tags = [tag];
        let tags = if tag.is_empty() { &[][..] } else { &tags[..] };
        let query = Query { q, tags, offset: 0, limit: 20 };
        let found = index.search(&query).total;
        let our_time = median(|| index.search(black_box(&query)).total);
        let their_time = median(|| {
            probly.query(black_box(q), &mut bm25::new(), words_of, &[8., 4., 1., 6.]).len()
        });
        let scan_time = median(|| scan(&tools, &haystacks, black_box(q), tag));
        println!("{what:<26} {found:>8} {our_time:>12.1?} {their_time:>14.1?} {scan_time:>12.1?}");
    }
}

fn ours(tools: &[Tool]) -> Index {
    let tags: Vec<Vec<&str>> =
        tools.iter().map(|tool| tool.tags.iter().map(String::as_str).collect()).collect();
    Index::build(tools.iter().zip(&tags).map(|(tool, tags)| SearchEntry {
        name: &tool.name,
        summary: &tool.summary,
        description: &tool.description,
        tags,
    }))
}

fn words_of(text: &str) -> Vec<Cow<'_, str>> {
    text.split([' ', '.']).map(|word| Cow::Owned(word.to_lowercase())).collect()
}

fn theirs(tools: &[Tool]) -> Probly<usize> {
    fn name(tool: &Tool) -> Vec<&str> {
        vec![&tool.name]
    }
    fn summary(tool: &Tool) -> Vec<&str> {
        vec![&tool.summary]
    }
    fn description(tool: &Tool) -> Vec<&str> {
        vec![&tool.description]
    }
    fn tags(tool: &Tool) -> Vec<&str> {
        tool.tags.iter().map(String::as_str).collect()
    }
    let mut index = Probly::new(4);
    for (key, tool) in tools.iter().enumerate() {
        index.add_document(&[name, summary, description, tags], words_of, key, tool);
    }
    index
}

fn haystack(tool: &Tool) -> String {
    let tags = tool.tags.join(" ");
    format!("{} {} {} {tags}", tool.name, tool.summary, tool.description).to_lowercase()
}

/// What the published hub does, on texts that are in lower case already: no order,
/// no slips.
fn scan(tools: &[Tool], haystacks: &[String], q: &str, tag: &str) -> usize {
    let fits = |(tool, haystack): &(&Tool, &String)| {
        q.split(' ').all(|word| haystack.contains(word))
            && (tag.is_empty() || tool.tags.iter().any(|found| found == tag))
    };
    tools.iter().zip(haystacks).filter(fits).count()
}

fn median(mut run: impl FnMut() -> usize) -> Duration {
    let mut times: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            black_box(run());
            start.elapsed()
        })
        .collect();
    times.sort_unstable();
    times[times.len() / 2]
}
