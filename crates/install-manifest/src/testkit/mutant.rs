//! Mutants: valid documents with a few random changes near the limits of the specification.

use manifest_core::some_or_bug;
use testkit::{Rng, Tree, member};

use crate::enums::{Method, RuntimeKind, ThirdPartyRetention, Verb, Version};

/// Member names that have a meaning in some object.
const NAMES: &[&str] = &[
    "namespace",
    "actions",
    "verify",
    "data_boundary",
    "docs",
    "runtime_telemetry",
    "layout",
    "instructions",
    "instructions_url",
    "to",
    "to_kind",
    "to_constraint",
    "vendor_tos_url",
    "json_pointer_in",
    "json_pointer_present",
    "argv_template",
    "command",
    "kind",
    "method",
    "url",
    "locator",
    "env",
    "persists",
    "publisher",
    "$schema",
    "Kind",
];

/// Values of enumerations, and some invalid ones.
const WORDS: &[&[&str]] = &[
    Version::WORDS,
    RuntimeKind::WORDS,
    Verb::WORDS,
    Method::WORDS,
    ThirdPartyRetention::WORDS,
    &["subcommand", "stdin-json", "http", "mcp-tool", "shell", "mcp-tool-call", "action-call"],
    &["none", "url", "manual", "pip", "npm", "git", "container", "preinstalled", "cargo"],
    &["python-module", "binary-on-path", "mcp-server-id", "agent-supplied", "external"],
    &["gmail.messages", "gmail", "GMAIL.x", "plaid.", "xgmail.y", "files.a"],
    &["read", "Read", "raw", "skill-bundle", "monorepo", "per-call", "high", "tool_local"],
    &["0.5", "0.2.0", " 0.2", "ab", "abc", "a-b", "-ab", "ab-", "a--b", "A", "_A", "A_1", "é"],
    &["1.0.0", "01.0.0", "1.0", "1.0.0-", "1.0.0-a..b", "1.0.0+b", "1.0.0-RC", "٣.0.0", "abc\n"],
];

/// Lengths just below and above the limits.
const LENGTHS: &[usize] =
    &[1, 2, 3, 31, 32, 33, 62, 63, 64, 65, 80, 81, 200, 201, 280, 281, 800, 801, 2000, 2001, 4001];

const NUMBERS: &[&str] =
    &["0", "1", "-1", "300", "301", "2.0", "2.5", "1e2", "1.0", "1.0001", "-0", "0.5", "3e0"];

/// Changes a document in a few places. The result may be valid or not.
pub fn mutate(document: &str, rng: &mut Rng) -> String {
    let Some(mut tree) = Tree::parse(document) else { return document.to_owned() };
    for _ in 0..=rng.below(2) {
        let mut places = vec![String::new()];
        collect_pointers(&tree, "", &mut places);
        if let Some(place) = places.get(rng.below(places.len()))
            && let Some(value) = tree.at_mut(place)
        {
            change(value, rng);
        }
    }
    tree.render()
}

/// Collects the pointers of all values, except values below members that the specification
/// leaves open.
fn collect_pointers(tree: &Tree, at: &str, places: &mut Vec<String>) {
    const OPEN: &[&str] =
        &["input", "output", "schema", "arguments", "runtime_telemetry", "json_pointer_equals"];
    let mut below = |token: &str, child: &Tree| {
        let place = format!("{at}/{}", token.replace('~', "~0").replace('/', "~1"));
        places.push(place.clone());
        if !OPEN.contains(&token) || token == "output" {
            collect_pointers(child, &place, places);
        }
    };
    for (name, child) in tree.members() {
        below(name, child);
    }
    for (index, child) in tree.elements().iter().enumerate() {
        below(&index.to_string(), child);
    }
}

/// Returns one of the lists in [`WORDS`].
fn random_words(rng: &mut Rng) -> &'static [&'static str] {
    some_or_bug(WORDS.get(rng.below(WORDS.len())).copied())
}

fn change(value: &mut Tree, rng: &mut Rng) {
    if rng.once_in(8) {
        *value = random_value(rng);
        return;
    }
    match value {
        Tree::Plain(plain) if matches!(plain.as_str(), "true" | "false") => {
            if plain == "true" { "false" } else { "true" }.clone_into(plain);
        }
        Tree::Plain(plain) => rng.word(NUMBERS).clone_into(plain),
        Tree::Text(text) => match rng.below(6) {
            0 => *text = rng.word(&["x", "é", "\u{1f600}"]).repeat(length(rng)),
            1 => text.push_str(rng.word(&["\n", " ", "-", "A", "_", "."])),
            2 => text.clear(),
            _ => {
                let words = random_words(rng);
                rng.word(words).clone_into(text);
            }
        },
        Tree::Array(elements) => match rng.below(4) {
            0 => elements.clear(),
            1 => elements.push(random_value(rng)),
            2 => {
                let one = elements.first().cloned().unwrap_or_else(|| Tree::from("x"));
                let count = [4, 5, 16, 17, 32, 33, 64, 65].get(rng.below(8)).copied();
                *elements = vec![one; count.unwrap_or(1)];
            }
            _ => drop(elements.pop()),
        },
        Tree::Object(members) => {
            let index = rng.below(members.len());
            match rng.below(4) {
                0 if !members.is_empty() => drop(members.remove(index)),
                1 => {
                    let words = random_words(rng);
                    let value =
                        if rng.once_in(2) { random_value(rng) } else { rng.word(words).into() };
                    put(members, rng.word(NAMES), value);
                }
                2 => {
                    if let Some((_, value)) = members.get(index).cloned() {
                        members.remove(index);
                        put(members, rng.word(NAMES), value);
                    }
                }
                _ => {
                    if let Some((_, value)) = members.get_mut(index) {
                        change(value, rng);
                    }
                }
            }
        }
    }
}

fn put(members: &mut Vec<(String, Tree)>, name: &str, value: Tree) {
    members.retain(|(found, _)| found != name);
    members.push(member(name, value));
}

fn length(rng: &mut Rng) -> usize {
    LENGTHS.get(rng.below(LENGTHS.len())).copied().unwrap_or(1)
}

/// Returns a simple value of a random type.
fn random_value(rng: &mut Rng) -> Tree {
    match rng.below(7) {
        0 => Tree::plain("null"),
        1 => Tree::plain("true"),
        2 => Tree::plain(rng.word(NUMBERS)),
        3 => Tree::from(""),
        4 => Tree::from("x"),
        5 => Tree::Array(Vec::new()),
        _ => Tree::Object(Vec::new()),
    }
}
