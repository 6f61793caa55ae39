//! Random JSON: names, texts, numbers, values and schemas, including odd ones.

use diagnostic::some_or_bug;

use super::{Rng, Tree, member};

/// Names that JSON Pointers escape, that look like pointers or like the selectors of a
/// residue, or that other formats read as promises of safety.
const NAMES: &[&str] = &[
    "",
    " ",
    "a/b",
    "~",
    "a~1b",
    "/",
    "-",
    "0",
    "é",
    "e\u{301}",
    "\u{1f600}",
    "a\"b\\c",
    "line\nbreak",
    "=",
    "id=x",
    "__proto__",
    "$ref-like",
    "x-note",
    "requiresApproval",
    "side_effects",
    "trust_level",
    "permissions",
    "secrets",
    "enabled",
    "destructive",
];

/// Numbers that change if they are read as floating-point numbers.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-0",
    "1.0",
    "1e2",
    "1E+2",
    "100",
    "-1.50",
    "0.1",
    "1E-400",
    "1e400",
    "9007199254740993",
    "123456789012345678901234567890",
    "0.10000000000000000000000000000",
];

/// Texts with characters that must be escaped, may be escaped, or look escaped.
const TEXTS: &[&str] = &[
    "",
    "plain",
    "two words",
    "a\"quoted\"",
    "back\\slash",
    "tab\tand\nline",
    "\u{0}",
    "\\u0041",
    "é and e\u{301}",
    "\u{1f600}",
    "\u{2028}",
    "</script>",
    "https://example.com/a?b=c#d",
    "{\"json\": true}",
    "null",
    "'; rm -rf $HOME",
];

/// Arguments of a program that shells, templates and systems treat as more than text.
pub const ARGUMENTS: &[&str] = &[
    "",
    "-v",
    "--out=../up",
    "a b",
    "$HOME",
    "$(date)",
    "'",
    "*",
    "line\nbreak",
    "tab\tand\nline",
    "null",
    "${input.to}",
    "${TZ}",
    "${env.HOME}",
    "a\"quoted\"",
    "back\\slash",
    "\\u0041",
    "é and e\u{301}",
    "\u{1f600}",
    "\u{2028}",
    "</script>",
    "https://example.com/a?b=c#d",
    "{\"json\": true}",
    "'; rm -rf $HOME",
];

/// A name that is longer than formats and models accept.
pub const LONG_NAME: &str = "\
    a_name_that_goes_on_for_longer_than_any_model_takes_for_the_name_of_a_tool_and_on_until_it_\
    is_longer_than_a_file_system_takes_for_the_name_of_a_file_which_is_two_hundred_and_fifty_\
    five_bytes_and_that_are_not_so_many_as_one_thinks_when_one_has_to_find_words_for_them_all_\
    but_here_they_are";

/// A name of similar length that has several parts, and more bytes than characters.
pub const LONG_ODD_NAME: &str = "\
    tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-\
    tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-\
    tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-tool:é.ünë~-";

/// Returns a member name, odd more often than not.
pub fn name(rng: &mut Rng) -> String {
    match rng.below(8) {
        0 => "long".repeat(1 + rng.below(60)),
        1 | 2 => format!("x{}", rng.below(1000)),
        _ => rng.word(NAMES).to_owned(),
    }
}

/// Returns a text of any characters.
pub fn text(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => format!("{} {}", rng.word(TEXTS), rng.below(100)),
        _ => rng.word(TEXTS).to_owned(),
    }
}

/// Returns a text of a few ordinary words.
pub fn words(rng: &mut Rng) -> String {
    const WORDS: &[&str] = &["find", "file", "weather", "convert", "send", "list", "café"];
    let count = 1 + rng.below(4);
    let words: Vec<_> = (0..count).map(|_| rng.word(WORDS)).collect();
    format!("{} {}", words.join(" "), rng.below(1000))
}

/// Returns a text of sentences, longer than some formats accept for a name, a summary or a
/// description.
pub fn long_text(rng: &mut Rng) -> String {
    let least = [79, 81, 279, 281, 800, 3999, 4001];
    let least = some_or_bug(least.get(rng.below(least.len())).copied());
    let mut text = String::new();
    while text.len() < least {
        text.push_str(&words(rng));
        text.push_str(rng.word(&[". ", ", ", " – ", "\n\n", "! "]));
    }
    text
}

/// Returns a schema without arguments: a closed object without properties.
pub fn empty_object_schema() -> Tree {
    Tree::from(vec![
        member("type", "object"),
        member("properties", Tree::Object(Vec::new())),
        member("additionalProperties", Tree::plain("false")),
    ])
}

/// Returns a random secret of a random kind.
pub fn secret(rng: &mut Rng) -> String {
    let kinds = [
        format!("ghp_{}", noise(rng, 36)),
        format!("glpat-{}7", noise(rng, 19)),
        format!("sk_live_{}", noise(rng, 24)),
        format!("sk-ant-api03-{}AA", noise(rng, 93)),
        format!("AIza{}", noise(rng, 35)),
        format!("npm_{}", noise(rng, 36)),
        format!("hf_{}", noise(rng, 34)),
        format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", noise(rng, 30), noise(rng, 43)),
        format!("xoxb-123456789012-123456789012-{}", noise(rng, 24)),
        format!("-----BEGIN PRIVATE KEY-----\n{}", noise(rng, 64)),
    ];
    rng.word(&kinds.each_ref().map(String::as_str)).to_owned()
}

fn noise(rng: &mut Rng, length: usize) -> String {
    const BASE62: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    let mut text = String::new();
    for _ in 0..length {
        text.extend(BASE62.chars().nth(rng.below(BASE62.len())));
    }
    text
}

/// Returns the text of a number.
pub fn number(rng: &mut Rng) -> String {
    match rng.below(3) {
        0 => rng.below(10_000).to_string(),
        _ => rng.word(NUMBERS).to_owned(),
    }
}

/// Returns a value of up to about `size` values.
pub fn value(rng: &mut Rng, size: usize) -> Tree {
    let kinds = if size < 2 { 5 } else { 8 };
    match rng.below(kinds) {
        0 => Tree::plain("null"),
        1 => Tree::plain(if rng.once_in(2) { "true" } else { "false" }),
        2 => Tree::Plain(number(rng)),
        3 | 4 => Tree::Text(text(rng)),
        5 => {
            let count = rng.below(4);
            (0..count).map(|_| value(rng, size / 2)).collect::<Vec<_>>().into()
        }
        _ => {
            let mut members: Vec<(String, Tree)> = Vec::new();
            for _ in 0..rng.below(4) {
                let name = name(rng);
                if !has_member(&members, &name) {
                    members.push((name, value(rng, size / 2)));
                }
            }
            members.into()
        }
    }
}

/// Returns true if there is a member of that name, in any case.
pub(crate) fn has_member(members: &[(String, Tree)], name: &str) -> bool {
    members.iter().any(|(found, _)| json_text::read::equal_fold(found, name))
}

/// The most properties of a schema in a schema, so that the whole grows with `size`, and not with
/// a power of it.
const MAX_NESTED: usize = 4;

/// Returns a JSON Schema of an object, with up to `size` properties.
pub fn schema(rng: &mut Rng, size: usize) -> Tree {
    let mut members = vec![member("type", "object")];
    let mut properties = Vec::new();
    for index in 0..rng.below(size.saturating_add(1)) {
        let name = match rng.below(3) {
            0 => format!("{}{index}", rng.word(&["a/b", "~", "é", "with space", ""])),
            _ => format!("{}{index}", rng.word(&["path", "query", "limit", "mode"])),
        };
        properties.push((name, subschema(rng, (size / 2).min(MAX_NESTED))));
    }
    if rng.once_in(2) {
        let names = properties.iter().map(|(name, _)| Tree::from(name.as_str()));
        members.push(member("required", names.take(2).collect::<Vec<_>>()));
    }
    if !properties.is_empty() || rng.once_in(3) {
        members.push(member("properties", properties));
    }
    if rng.once_in(2) {
        members.push(member("additionalProperties", Tree::plain("false")));
    }
    if rng.once_in(4) {
        let uri = "https://json-schema.org/draft/2020-12/schema";
        members.push(member("$schema", uri));
    }
    if rng.once_in(4) {
        members.push(member("x-note", value(rng, size)));
    }
    rng.shuffle(&mut members);
    members.into()
}

fn subschema(rng: &mut Rng, size: usize) -> Tree {
    let mut members = match rng.below(if size < 1 { 5 } else { 8 }) {
        0 => return Tree::plain("true"),
        1 => vec![member("const", value(rng, 2))],
        2 => vec![member("type", "number"), member("maximum", Tree::Plain(number(rng)))],
        3 => vec![
            member("type", "string"),
            member("pattern", rng.word(&["^[a-z]+$", "^\\d{1,3}$", ""])),
        ],
        4 => vec![member("enum", vec![Tree::from("a"), Tree::plain("1.0")])],
        5 => vec![member("type", "array"), member("items", subschema(rng, size / 2))],
        6 => vec![member("anyOf", vec![subschema(rng, size / 2), subschema(rng, size / 2)])],
        _ => return schema(rng, size),
    };
    if rng.once_in(2) {
        members.push(member("description", text(rng)));
    }
    if rng.once_in(4) {
        members.push(member("default", value(rng, 2)));
    }
    members.into()
}
