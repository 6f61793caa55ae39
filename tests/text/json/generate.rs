//! Random JSON texts, from bytes that decide every choice. Shorter and smaller
//! bytes make simpler texts, so that a failure shrinks.

use std::collections::BTreeSet;

use json_text::quote;

/// When the bytes run out, every choice is the first, which leads to no more.
pub(crate) struct Choices<'b>(std::slice::Iter<'b, u8>);

impl<'b> Choices<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self(bytes.iter())
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(self.0.next().copied().unwrap_or(0)) % count
    }

    pub(crate) fn of<T: Copy>(&mut self, options: &[T]) -> T {
        options[self.below(options.len())]
    }
}

/// Names that pointers, readers and editors may stumble over.
const NAMES: &[&str] =
    &["a", "b", "id", "name", "", "0", "01", "-", "a/b", "~", "~1", "é", "😀", "\n", "\"", "x y"];

pub(crate) const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-0",
    "1.0",
    "1e2",
    "1E+2",
    "100",
    "-1.5e-3",
    "0.1",
    "123456789012345678901234567890",
    "9007199254740993",
    "1e-400",
];

/// A document with white space around it, all of whose objects have different
/// names.
pub(crate) fn document(choices: &mut Choices<'_>) -> String {
    let (before, value, after) = (space(choices), value(choices, 4), space(choices));
    format!("{before}{value}{after}")
}

/// A value without white space around it.
pub(crate) fn value(choices: &mut Choices<'_>, depth: usize) -> String {
    let kinds = if depth == 0 { 5 } else { 9 };
    match choices.below(kinds) {
        0 => choices.of(&["null", "true", "false"]).to_owned(),
        1 | 2 => choices.of(NUMBERS).to_owned(),
        3 | 4 => string(choices),
        5 | 6 => container(choices, "[]", |choices| Some(value(choices, depth - 1))),
        _ => {
            let mut names = BTreeSet::new();
            container(choices, "{}", |choices| {
                let name = choices.of(NAMES);
                let spelled = spell(name, choices);
                let (before, after) = (space(choices), space(choices));
                let value = value(choices, depth - 1);
                names.insert(name).then(|| format!("{spelled}{before}:{after}{value}"))
            })
        }
    }
}

fn container(
    choices: &mut Choices<'_>,
    brackets: &str,
    mut item: impl FnMut(&mut Choices<'_>) -> Option<String>,
) -> String {
    let items: Vec<String> = (0..choices.below(5))
        .filter_map(|_| Some(format!("{}{}{}", space(choices), item(choices)?, space(choices))))
        .collect();
    let inner = if items.is_empty() { space(choices).to_owned() } else { items.join(",") };
    format!("{}{inner}{}", &brackets[..1], &brackets[1..])
}

fn space(choices: &mut Choices<'_>) -> &'static str {
    choices.of(&["", "", " ", "\n", "\n  ", "\r\n\t"])
}

fn string(choices: &mut Choices<'_>) -> String {
    let name = choices.of(NAMES);
    spell(name, choices)
}

/// A string, with some of its characters escaped that need not be.
pub(crate) fn spell(text: &str, choices: &mut Choices<'_>) -> String {
    match choices.below(4) {
        0 => {
            let units = text.encode_utf16().map(|unit| format!("\\u{unit:04X}"));
            format!("\"{}\"", units.collect::<String>())
        }
        1 => quote(text).replace('/', "\\/"),
        _ => quote(text),
    }
}

/// What breaks a text, or nearly does.
const SPLINTERS: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"-",
    b"+",
    b".",
    b"e",
    b"0",
    b"1",
    b"9",
    b" ",
    b"\n",
    b"\t",
    b"\0",
    b"\x1f",
    b"\x7f",
    b"\xff",
    b"\xc3",
    b"\xa9",
    b"\xed\xa0\x80",
    b"\\u",
    b"\\u0061",
    b"\\ud800",
    b"\\udc00",
    b"\\ud83d\\ude00",
    b"\\x",
    b"null",
    b"tru",
    b"NaN",
    b"1e999",
    b"00",
    b"\"a\":1,",
    b"\"\\u0061\":1,",
    b"/",
    b"'",
    b"\xef\xbb\xbf",
];

/// The text with a few bytes changed.
pub(crate) fn mutated(text: &str, choices: &mut Choices<'_>) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..choices.below(4) {
        let (a, b) = (choices.below(256), choices.below(256));
        let at = (a * 256 + b) % (bytes.len() + 1);
        let end = (at + choices.below(4)).min(bytes.len());
        match choices.below(4) {
            0 => drop(bytes.splice(at..at, choices.of(SPLINTERS).iter().copied())),
            1 => drop(bytes.drain(at..end)),
            2 => drop(bytes.splice(at..end, choices.of(SPLINTERS).iter().copied())),
            _ => bytes.truncate(at),
        }
    }
    bytes
}
