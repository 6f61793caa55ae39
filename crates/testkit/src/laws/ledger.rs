//! The law of the true ledger.

use std::collections::BTreeMap;

use super::{Law, accepting, converted, leaves, open, tree, valid};
use crate::Tree;
use json_text::compact;
use manifest_core::Format;
use manifest_core::convert::{Account, Class, Conversion, sha256_hex};

/// Other values for the leaves of a document: for each leaf that has some, whole
/// documents with another value in its place, all of them valid.
pub type Mutants = Vec<(String, Vec<String>)>;

/// Every leaf of the source and of the target is accounted for once, and what is native
/// is there in the same words.
pub fn complete_ledger(from: &'static Format, to: &'static Format, text: &str) -> Law {
    let Some(conversion) = converted(from, to, text, &accepting())? else { return Ok(()) };
    let source = open(text)?;
    let account = conversion.account(&source);
    let own = leaves(&source);
    let listed = account.source.iter().map(|leaf| leaf.source.as_str());
    if !listed.eq(own.iter().map(|(at, _)| at.as_str())) {
        return Err(format!("the ledger does not list the leaves of the source once\n{text}"));
    }
    for (index, document) in conversion.documents.iter().enumerate() {
        let parsed = document.open();
        let there = leaves(&parsed);
        let listed = account.target.iter().filter(|leaf| leaf.target.document == index);
        if !listed
            .map(|leaf| leaf.target.pointer.as_str())
            .eq(there.iter().map(|(at, _)| at.as_str()))
        {
            return Err(format!("the ledger does not list the leaves of\n{}", document.text));
        }
    }
    for (leaf, (at, node)) in account.source.iter().zip(&own) {
        for to in leaf.target.iter().filter(|_| leaf.class == Class::Native) {
            let document =
                conversion.documents.get(to.document).map(manifest_core::convert::Emitted::open);
            let same = document.as_ref().and_then(|document| document.root().at(&to.pointer));
            if same.is_none_or(|same| compact(same) != compact(*node)) {
                return Err(format!("{at:?} is not native at {:?}\n{text}", to.pointer));
            }
        }
    }
    Ok(())
}

/// What the ledger claims is so. Change a native or equivalent leaf, and the target moves
/// at the places named, unless the new value is only approximated there or is the old
/// one in another spelling; an approximated one, and some value moves it there. Change a
/// carried one, and the target stays, or the new ledger no longer calls it carried.
pub fn true_ledger(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    mutants: &Mutants,
) -> Law {
    // Mutants are laid out plainly, and so is what they are compared with.
    let text = &tree(text)?.render();
    let Some(before) = Shown::of(from, to, text)? else { return Ok(()) };
    let classes: BTreeMap<&str, usize> = before
        .account
        .source
        .iter()
        .enumerate()
        .map(|(index, leaf)| (leaf.source.as_str(), index))
        .collect();
    for (at, changed) in mutants {
        let Some(leaf) =
            classes.get(at.as_str()).and_then(|index| before.account.source.get(*index))
        else {
            continue;
        };
        let mut moved = changed.is_empty();
        let mut asked = false;
        for changed in changed {
            let Some(after) = Shown::of(from, to, changed)? else { continue };
            asked = true;
            // An element that is left out makes room for the next, which may say the same:
            // a list is looked at as a whole.
            let stays = |to: &manifest_core::convert::To| {
                let at = to.pointer.as_str();
                let list = at.rsplit_once('/').filter(|(_, last)| last.parse::<usize>().is_ok());
                let at = list.map_or(at, |(list, _)| list);
                before.at(to.document, at) == after.at(to.document, at)
            };
            match leaf.class {
                Class::Native | Class::Equivalent => {
                    // A value of which less can be said may leave the place as it was.
                    let less = after.class(at) > Some(Class::Equivalent);
                    if less || alike(from, at, text, changed) {
                        continue;
                    }
                    if let Some(to) = leaf.target.iter().find(|to| stays(to)) {
                        let class = leaf.class;
                        return Err(format!(
                            "{at:?} is {class:?} at {:?}, which does not move\n{text}\n{changed}",
                            to.pointer
                        ));
                    }
                }
                Class::Approximated => moved |= leaf.target.iter().any(|to| !stays(to)),
                Class::Carried => {
                    let still = after.class(at) == Some(Class::Carried);
                    if still && before.trees != after.trees {
                        return Err(format!(
                            "{at:?} is carried, and moves the target\n{text}\n{changed}"
                        ));
                    }
                }
            }
        }
        let exempt = EXEMPT.iter().any(|(format, member, _)| {
            from.name.starts_with(format) && at.rsplit('/').next() == Some(member)
        });
        if leaf.class == Class::Approximated && asked && !moved && !exempt {
            return Err(format!("{at:?} is approximated, and nothing moves the target\n{text}"));
        }
    }
    Ok(())
}

/// Leaves that are approximated, and that no valid value may move: the format, the member,
/// and why.
const EXEMPT: &[(&str, &str, &str)] = &[
    (
        "install-manifest",
        "side_effects",
        "what a smoke test calls must only read, and all that only reads is approximated alike",
    ),
    (
        "install-manifest",
        "resource",
        "what an action says it uses is used, whether or not it is declared",
    ),
];

/// Values that are spelled in several ways: the format, the member, the one spelling that
/// its host makes of all, and why.
type Spelling = (&'static str, &'static str, fn(&str) -> String, &'static str);

const SPELLINGS: &[Spelling] = &[
    (
        "tools-json",
        "envPassthrough",
        |name| name.trim().to_uppercase(),
        "the host looks for the name in upper case, without white space around it",
    ),
    ("mcpkg", "method", |method| method.to_uppercase(), "the client sends it in upper case"),
];

/// Whether a leaf has the same value in two documents, in another spelling.
fn alike(from: &Format, at: &str, text: &str, changed: &str) -> bool {
    let member = at.rsplit('/').find(|token| token.parse::<usize>().is_err());
    let mut spellings =
        SPELLINGS.iter().filter(|(format, name, ..)| from.name == *format && member == Some(name));
    spellings.any(|(_, _, normal, _)| {
        let value = |text: &str| match tree(text).ok()?.at(at)? {
            Tree::Text(text) => Some(normal(text)),
            _ => None,
        };
        value(text).is_some_and(|before| value(changed) == Some(before))
    })
}

/// A conversion, with seals masked: they name the whole source.
struct Shown {
    trees: Vec<Tree>,
    account: Account,
}

impl Shown {
    fn of(from: &'static Format, to: &'static Format, text: &str) -> Result<Option<Self>, String> {
        let Some(conversion) = converted(from, to, text, &accepting())? else { return Ok(None) };
        let seal = sha256_hex(text.as_bytes());
        let Conversion { documents, .. } = &conversion;
        let texts: Vec<String> =
            documents.iter().map(|one| one.text.replace(&seal, "SEAL")).collect();
        let trees = texts.iter().map(|text| tree(text)).collect::<Result<_, _>>()?;
        Ok(Some(Self { trees, account: conversion.account(&open(text)?) }))
    }

    /// What has become of a leaf of the source.
    fn class(&self, at: &str) -> Option<Class> {
        let leaf = self.account.source.iter().find(|leaf| leaf.source.as_str() == at);
        leaf.map(|leaf| leaf.class)
    }

    fn at(&self, document: usize, pointer: &str) -> Option<&Tree> {
        self.trees.get(document)?.at(pointer)
    }
}

/// For the leaves of a document that `values` has an answer for, the document with other
/// values in their place, as far as they are valid: made from the leaf, or those that
/// `values` has.
pub fn mutants_of_leaves(
    format: &Format,
    text: &str,
    mut values: impl FnMut(&str) -> Option<Vec<Tree>>,
) -> Result<Mutants, String> {
    let source = tree(text)?;
    let mutant = |(pointer, leaf): (String, &Tree)| {
        let values = mutants(leaf).into_iter().chain(values(&pointer)?);
        let values = values.filter(|value| value.normal() != leaf.normal());
        let texts = values.filter_map(|value| replaced(&source, &pointer, value));
        let texts = texts.filter(|mutant| valid(format, mutant).is_ok()).take(6).collect();
        Some((pointer, texts))
    };
    Ok(source.leaves().into_iter().filter_map(mutant).collect())
}

/// A document with another value in one place.
fn replaced(source: &Tree, pointer: &str, value: Tree) -> Option<String> {
    let mut changed = source.clone();
    *changed.at_mut(pointer)? = value;
    Some(changed.render())
}

/// Other values in the place of a leaf, those that are likely to be valid first.
fn mutants(leaf: &Tree) -> Vec<Tree> {
    match leaf {
        Tree::Text(text) => vec![
            Tree::Text(format!("a{text}")),
            Tree::Text(format!("{text}x")),
            Tree::Text(format!("{text}2")),
            Tree::from("none"),
            Tree::from("bearer"),
            Tree::from("9.8.7"),
            Tree::from("https://other.example.net/y"),
        ],
        Tree::Plain(text) => match text.as_str() {
            "true" => vec![Tree::plain("false")],
            "false" => vec![Tree::plain("true")],
            "null" => vec![Tree::from("x")],
            number => vec![
                Tree::plain(&format!("1{}", number.trim_start_matches('-'))),
                Tree::plain("987654"),
                Tree::plain("0.5"),
                Tree::plain("0"),
            ],
        },
        Tree::Array(_) => vec![Tree::Array(vec![Tree::from("x")])],
        Tree::Object(_) => vec![Tree::Object(vec![super::super::member("x", "x")])],
    }
}
