//! The law of the true ledger.

use std::collections::{BTreeMap, BTreeSet};

use super::{Law, accepting, converted, leaves, open, tree, valid};
use crate::Format;
use crate::convert::{Account, Class, Conversion, How, Runs, To, sha256_hex};
use crate::json::compact;
use crate::testkit::Tree;

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
            let document = conversion.documents.get(to.document).map(crate::convert::Emitted::open);
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
            let stays = |to: &To| !before.leaves(to, &after);
            match leaf.class {
                Class::Native | Class::Equivalent => {
                    let alike = alike(from, at, text, changed);
                    let cut = |place: &To| after.class(at) == Some(Class::Approximated) && is_cut(to, place);
                    let mut still = leaf.target.iter().filter(|to| !alike && !cut(to) && stays(to));
                    if let Some(to) = still.next() {
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
            if let Some(place) = unnamed(&before, &after, at) {
                return Err(format!(
                    "{at:?} moves {place:?}, which does not name it\n{text}\n{changed}"
                ));
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

/// Values of which a target says a part, so that another may be written the same: the
/// target, its member, and why. Only a value that is then called approximated is excused.
const CUT: &[(&str, &str, &str)] =
    &[("install-manifest", "version", "versions have no build, and no capitals")];

/// Whether a target may say less at a place.
fn is_cut(to: &Format, place: &To) -> bool {
    let last = place.pointer.as_str().rsplit('/').next();
    CUT.iter().any(|(format, member, _)| to.name == *format && last == Some(member))
}

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

    /// Whether what stands at a place is no longer there. An element that leaves a list
    /// makes room for the next, which may say the same: then there is one less of them.
    fn leaves(&self, to: &To, after: &Self) -> bool {
        let at = to.pointer.as_str();
        let here = self.at(to.document, at);
        let count = |shown: &Self| {
            let (list, last) = at.rsplit_once('/')?;
            last.parse::<usize>().ok()?;
            match shown.at(to.document, list)? {
                Tree::Array(items) => Some(items.iter().filter(|one| Some(*one) == here).count()),
                _ => None,
            }
        };
        here != after.at(to.document, at) || count(self) > count(after)
    }

    /// Whether some leaf at a place, or inside it, is there for the bridge.
    fn is_bridge(&self, document: usize, place: &str) -> bool {
        self.account.target.iter().any(|one| {
            let there = one.target.document == document
                && within(one.target.pointer.as_str(), place);
            there && matches!(one.how, How::Bridge | How::Seal)
        })
    }

    /// Whether some leaf at a place, or inside it, names a leaf of the source.
    fn names(&self, document: usize, place: &str, leaf: &str) -> bool {
        let mut there = self.account.target.iter().filter(|one| {
            one.target.document == document && within(one.target.pointer.as_str(), place)
        });
        there.any(|one| {
            let mut sources = one.source.iter().map(|from| from.pointer.as_str());
            sources.any(|source| within(leaf, source) || within(source, leaf))
        })
    }
}

/// Whether a pointer is another one, or goes on from it.
fn within(pointer: &str, outer: &str) -> bool {
    pointer.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// A place of the target that is another after a leaf of the source changed, and names
/// that leaf neither before nor after. What comes or goes as a whole is named by one of
/// its leaves. Where the bridge takes the place of a call, or a call that of the bridge,
/// all of the call decides: what is the bridge's, and what comes or goes, names no place.
fn unnamed(before: &Shown, after: &Shown, leaf: &str) -> Option<String> {
    let mut moved = Vec::new();
    for document in 0..before.trees.len().max(after.trees.len()) {
        let mut open = vec![[before, after].map(|one| one.at(document, "").map(|_| String::new()))];
        while let Some([old, new]) = open.pop() {
            let node = |shown: &'_ Shown, at: &Option<String>| -> Option<Tree> {
                shown.at(document, at.as_deref()?).cloned()
            };
            match (node(before, &old), node(after, &new)) {
                (a, b) if a == b => {}
                (Some(Tree::Object(a)), Some(Tree::Object(b))) if !a.is_empty() && !b.is_empty() => {
                    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
                    for key in a.iter().chain(&b).map(|(key, _)| key).collect::<BTreeSet<_>>() {
                        let below = |at: &str, members: &[(String, Tree)]| {
                            let has = members.iter().any(|(name, _)| name == key);
                            let key = key.replace('~', "~0").replace('/', "~1");
                            has.then(|| format!("{at}/{key}"))
                        };
                        open.push([below(&old, &a), below(&new, &b)]);
                    }
                }
                (Some(Tree::Array(a)), Some(Tree::Array(b))) if !a.is_empty() && !b.is_empty() => {
                    let (old, new) = (old.unwrap_or_default(), new.unwrap_or_default());
                    let (a, b) = unequal(&a, &b);
                    let below = |at: &str, index: Option<&usize>| Some(format!("{at}/{}", index?));
                    for next in 0..a.len().max(b.len()) {
                        open.push([below(&old, a.get(next)), below(&new, b.get(next))]);
                    }
                }
                _ => moved.push((document, old, new)),
            }
        }
    }
    let named = |shown: &Shown, document, at: &Option<String>| {
        at.as_deref().is_some_and(|at| shown.names(document, at, leaf))
    };
    let runs = |shown: &Shown| -> Vec<Runs> {
        shown.account.tools.iter().map(|tool| tool.runs.clone()).collect()
    };
    let otherwise = runs(before) != runs(after);
    let bridged = |document, old: &Option<String>, new: &Option<String>| {
        let is = |shown: &Shown, at: &Option<String>| {
            at.as_deref().is_none_or(|at| shown.is_bridge(document, at))
        };
        otherwise && (is(before, old) || is(after, new))
    };
    let mut moved = moved.into_iter();
    let unnamed = moved.find(|(document, old, new)| {
        !named(before, *document, old)
            && !named(after, *document, new)
            && !bridged(*document, old, new)
    });
    unnamed.and_then(|(_, old, new)| old.or(new))
}

/// The elements of two lists that have no equal in the other, by their indices.
fn unequal(a: &[Tree], b: &[Tree]) -> (Vec<usize>, Vec<usize>) {
    let mut rest: Vec<usize> = (0..b.len()).collect();
    let mut only = Vec::new();
    for (index, item) in a.iter().enumerate() {
        match rest.iter().position(|other| b.get(*other) == Some(item)) {
            Some(found) => drop(rest.remove(found)),
            None => only.push(index),
        }
    }
    (only, rest)
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
