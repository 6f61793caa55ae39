//! Small values, drawn at random.

use testkit::{Rng, Tree, member, value};

/// Members of an object.
pub(super) type Members = Vec<(String, Tree)>;

/// Each of these texts, at times.
pub(super) fn some_of(rng: &mut Rng, texts: &[(&str, &str)]) -> Tree {
    let texts = texts.iter().filter(|_| rng.once_in(2));
    texts.map(|(name, text)| member(name, *text)).collect::<Vec<_>>().into()
}

pub(super) fn texts(words: &[&str]) -> Tree {
    words.iter().map(|word| Tree::from(*word)).collect::<Vec<_>>().into()
}

/// The words of a line.
pub(super) fn split(line: &str) -> Tree {
    texts(&line.split_terminator(' ').collect::<Vec<_>>())
}

/// A list of one object.
pub(super) fn one(members: Members) -> Tree {
    Tree::Array(vec![members.into()])
}

pub(super) fn flag(rng: &mut Rng) -> Tree {
    Tree::plain(rng.word(&["true", "false"]))
}

/// A text of at least one character and no more than `max`.
pub(super) fn text(rng: &mut Rng, max: usize) -> String {
    let text = match rng.below(12) {
        0 => rng.word(&["x", "é", "\u{1f600}"]).repeat(max),
        1 | 2 => value::text(rng),
        3 => value::long(rng),
        _ => value::words(rng),
    };
    let text: String = text.chars().take(max).collect();
    if text.is_empty() { "x".to_owned() } else { text }
}

/// Adds a member, every other time.
pub(super) fn maybe(
    rng: &mut Rng,
    members: &mut Members,
    name: &str,
    value: impl FnOnce(&mut Rng) -> Tree,
) {
    if rng.once_in(2) {
        let value = value(rng);
        members.push(member(name, value));
    }
}
