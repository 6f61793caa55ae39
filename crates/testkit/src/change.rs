//! Random changes of a document: strange members, another layout, one edit.

use std::fmt::Write;

use super::value::{has_member, name, number, text, value};
use super::{Rng, Tree};
use json_text::read::equal_fold;
use manifest_core::Format;

/// The names of a format that are needed to put strange members into its documents.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    /// Every member name that the format knows, at any place.
    pub names: &'static [&'static str],
    /// Members that contain a map, or a list of maps: the names of a map are free, and its
    /// values are all alike.
    pub maps: &'static [&'static str],
    /// In a format with closed objects, the members below which objects are open. Empty if
    /// every object is open.
    pub open: &'static [&'static str],
}

/// The maps of JSON Schema.
const SCHEMA_MAPS: &[&str] = &["properties", "$defs"];

/// Adds members that no specification knows to every open object of a document.
///
/// Their names and values are odd. No name is that of a known or existing member, in any
/// case. A map gets a copy of one of its values.
pub fn inject_members(document: &str, vocabulary: &Vocabulary, rng: &mut Rng) -> String {
    let Some(mut tree) = Tree::parse(document) else {
        return document.to_owned();
    };
    let open = vocabulary.open.is_empty();
    inject_below(&mut tree, open, false, vocabulary, rng);
    tree.render()
}

fn inject_below(tree: &mut Tree, open: bool, map: bool, vocabulary: &Vocabulary, rng: &mut Rng) {
    match tree {
        Tree::Plain(_) | Tree::Text(_) => {}
        Tree::Array(elements) => {
            for element in elements {
                inject_below(element, open, map, vocabulary, rng);
            }
        }
        Tree::Object(members) => {
            for (name, value) in members.iter_mut() {
                let name = name.as_str();
                let map = !map && (vocabulary.maps.contains(&name) || SCHEMA_MAPS.contains(&name));
                let open = open || vocabulary.open.contains(&name);
                inject_below(value, open, map, vocabulary, rng);
            }
            if !open {
                return;
            }
            for _ in 0..=rng.below(2) {
                let name = name(rng);
                let mut known = vocabulary.names.iter();
                if has_member(members, &name) || known.any(|known| equal_fold(known, &name)) {
                    continue;
                }
                let new = match members.first() {
                    Some((_, like)) if map => like.clone(),
                    None if map => continue,
                    _ => value(rng, 2),
                };
                let place = rng.below(members.len() + 1);
                members.insert(place, (name, new));
            }
        }
    }
}

/// Returns the document in another spelling: other white space, members in another order,
/// characters as escapes. The order of elements and the spelling of numbers stay.
pub fn relayout(document: &str, rng: &mut Rng) -> String {
    let Some(tree) = Tree::parse(document) else {
        return document.to_owned();
    };
    let mut out = random_space(rng).to_owned();
    write_respelled(&tree, rng, &mut out);
    out.push_str(random_space(rng));
    out
}

fn random_space(rng: &mut Rng) -> &'static str {
    rng.word(&["", "", "", " ", "\n", "\n    ", "\t", "\r\n  ", "  "])
}

fn write_respelled(tree: &Tree, rng: &mut Rng, out: &mut String) {
    match tree {
        Tree::Plain(text) => out.push_str(text),
        Tree::Text(text) => write_text(text, rng, out),
        Tree::Array(elements) => {
            out.push('[');
            out.push_str(random_space(rng));
            for (index, element) in elements.iter().enumerate() {
                separate(index, rng, out);
                write_respelled(element, rng, out);
            }
            out.push_str(random_space(rng));
            out.push(']');
        }
        Tree::Object(members) => {
            let mut members: Vec<_> = members.iter().collect();
            rng.shuffle(&mut members);
            out.push('{');
            out.push_str(random_space(rng));
            for (index, (name, value)) in members.into_iter().enumerate() {
                separate(index, rng, out);
                write_text(name, rng, out);
                out.push_str(random_space(rng));
                out.push(':');
                out.push_str(random_space(rng));
                write_respelled(value, rng, out);
            }
            out.push_str(random_space(rng));
            out.push('}');
        }
    }
}

fn separate(index: usize, rng: &mut Rng, out: &mut String) {
    if index > 0 {
        out.push_str(random_space(rng));
        out.push(',');
        out.push_str(random_space(rng));
    }
}

fn write_text(text: &str, rng: &mut Rng, out: &mut String) {
    let odd = rng.once_in(4);
    out.push('"');
    for c in text.chars() {
        if c == '/' && odd {
            out.push_str("\\/");
        } else if u32::from(c) < 0x20 || matches!(c, '"' | '\\') || (odd && rng.once_in(4)) {
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(out, "\\u{unit:04X}");
            }
        } else {
            out.push(c);
        }
    }
    out.push('"');
}

/// Returns the document with one random change: another scalar, a tool with another name,
/// elements in another order, or a member, an element or a tool more or less. The result
/// may be invalid.
pub fn edit(document: &str, format: &Format, rng: &mut Rng) -> String {
    let Some(mut tree) = Tree::parse(document) else {
        return document.to_owned();
    };
    edit_below(&mut tree, format.keys, rng);
    tree.render()
}

/// Walks down from the root and stops at random, so values near the root are changed more
/// often. Formats have their own members there.
fn edit_below(tree: &mut Tree, identity: &[&str], rng: &mut Rng) {
    match tree {
        Tree::Plain(plain) => {
            *plain = match plain.as_str() {
                "true" => "false".to_owned(),
                "false" => "true".to_owned(),
                _ => number(rng),
            };
        }
        Tree::Text(old) => match rng.below(4) {
            0 => *old = text(rng),
            1 => drop(old.pop()),
            _ => old.push_str(rng.word(&["x", "2", "é"])),
        },
        Tree::Array(elements) => {
            let index = rng.below(elements.len());
            match rng.below(6) {
                0 => rng.shuffle(elements),
                1 if !elements.is_empty() => drop(elements.remove(index)),
                2 => {
                    let mut new = elements.get(index).cloned().unwrap_or_else(|| Tree::from("x"));
                    rename(&mut new, identity, rng);
                    elements.insert(index, new);
                }
                _ => {
                    if let Some(element) = elements.get_mut(index) {
                        edit_below(element, identity, rng);
                    }
                }
            }
        }
        Tree::Object(members) => {
            let index = rng.below(members.len());
            match rng.below(10) {
                0 if !members.is_empty() => drop(members.remove(index)),
                1 => {
                    let name = name(rng);
                    if !has_member(members, &name) {
                        members.insert(index, (name, value(rng, 2)));
                    }
                }
                2 => {
                    let mut members = members.iter_mut();
                    let named = members.find(|(name, _)| identity.contains(&name.as_str()));
                    if let Some((_, Tree::Text(name))) = named {
                        name.push_str(rng.word(&["x", "2"]));
                    }
                }
                _ => {
                    if let Some((_, value)) = members.get_mut(index) {
                        edit_below(value, identity, rng);
                    }
                }
            }
        }
    }
}

/// Makes a copy of an element differ from the original.
fn rename(tree: &mut Tree, identity: &[&str], rng: &mut Rng) {
    let suffix = format!("{}", rng.below(100));
    match tree {
        Tree::Text(text) => text.push_str(&suffix),
        Tree::Object(members) => {
            for (name, value) in members {
                if let (true, Tree::Text(text)) = (identity.contains(&name.as_str()), value) {
                    text.push_str(&suffix);
                }
            }
        }
        Tree::Plain(_) | Tree::Array(_) => {}
    }
}
