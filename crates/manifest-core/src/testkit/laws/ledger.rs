//! The law of the complete ledger.

use super::{Law, converted, tree, unless_refused, valid};
use crate::Format;
use crate::convert::{Class, Conversion, Options};
use crate::testkit::{Rng, Tree};

/// How many leaves are mutated in one document.
const MUTATIONS: usize = 4;

/// Every leaf of the source is in the ledger once, and what it says there is
/// true. Changing a leaf changes the target, the residue or the ledger.
pub fn complete_ledger(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    rng: &mut Rng,
) -> Law {
    let options = Options { spelling: false, ..Options::default() };
    let conversion = converted(from, to, text, &options)?;
    let (source, target) = (tree(text)?, tree(&conversion.text)?);
    let leaves = source.leaves();
    let listed = conversion.ledger.entries.iter().map(|entry| entry.source.as_str());
    if !listed.eq(leaves.iter().map(|(pointer, _)| pointer.as_str())) {
        return Err(format!("the ledger does not list the leaves of\n{text}"));
    }
    for (entry, (_, leaf)) in conversion.ledger.entries.iter().zip(&leaves) {
        let places: Option<Vec<_>> = entry.target.iter().map(|p| target.at(p.as_str())).collect();
        let Some(places) = places else {
            return Err(format!("{:?} went to a place that is not there", entry.source));
        };
        let fits = match entry.class {
            Class::Native => places.contains(leaf),
            Class::Equivalent | Class::Approximated => !places.is_empty(),
            Class::Carried => places.is_empty(),
        };
        if !fits {
            let (place, class) = (&entry.source, entry.class);
            return Err(format!("{place:?} is not {class:?} in\n{}", conversion.text));
        }
    }
    for _ in 0..MUTATIONS {
        let Some((pointer, leaf)) = leaves.get(rng.below(leaves.len())) else {
            break;
        };
        let mutants = mutants(leaf).into_iter().filter(|mutant| mutant != *leaf);
        let mut mutants = mutants.filter_map(|mutant| replaced(&source, pointer, mutant));
        if let Some(mutant) = mutants.find(|mutant| valid(from, mutant).is_ok()) {
            change_shows(from, to, &conversion, pointer, &mutant)?;
        }
    }
    Ok(())
}

/// Changing a leaf of a source changes the target, the residue or the ledger; one
/// that the target has in the same words, the target. `before` is the conversion of
/// the source without spelling, and `changed` the source with another value at
/// `leaf`.
pub fn change_shows(
    from: &'static Format,
    to: &'static Format,
    before: &Conversion,
    leaf: &str,
    changed: &str,
) -> Law {
    let options = Options { spelling: false, ..Options::default() };
    let Some(after) = unless_refused(from, to, changed, &options)? else {
        return Ok(());
    };
    let mut entries = before.ledger.entries.iter();
    let entry = entries.find(|entry| entry.source.as_str() == leaf);
    let native = entry.map(|entry| entry.class) == Some(Class::Native);
    if account(&after) == account(before) || (native && after.text == before.text) {
        return Err(format!("changing {leaf:?} changes nothing:\n{changed}"));
    }
    Ok(())
}

/// For each leaf of a document, the document with another value in its place, if
/// there is one that is valid: made from the leaf, or one of those that `values`
/// has for its place.
pub fn mutants_of_leaves(
    format: &Format,
    text: &str,
    values: impl Fn(&str) -> Vec<Tree>,
) -> Result<Vec<(String, Option<String>)>, String> {
    let source = tree(text)?;
    let mutant = |(pointer, leaf): (String, &Tree)| {
        let values = mutants(leaf).into_iter().chain(values(&pointer));
        let values = values.filter(|value| value != leaf);
        let mut texts = values.filter_map(|value| replaced(&source, &pointer, value));
        let mutant = texts.find(|mutant| valid(format, mutant).is_ok());
        (pointer, mutant)
    };
    Ok(source.leaves().into_iter().map(mutant).collect())
}

/// A document with another value in one place.
fn replaced(source: &Tree, pointer: &str, value: Tree) -> Option<String> {
    let mut changed = source.clone();
    *changed.at_mut(pointer)? = value;
    Some(changed.render())
}

/// What must not stay the same when a leaf changes.
fn account(conversion: &Conversion) -> impl PartialEq + use<'_> {
    let Conversion { text, residue, ledger } = conversion;
    (text, &residue.document, &residue.tools, ledger)
}

/// Other values in the place of a leaf, those that are likely to be valid first.
fn mutants(leaf: &Tree) -> Vec<Tree> {
    match leaf {
        Tree::Text(text) => vec![
            Tree::Text(format!("{text}x")),
            Tree::Text(format!("{text}2")),
            Tree::Text(format!("a{text}")),
            Tree::from("none"),
            Tree::from("bearer"),
        ],
        Tree::Plain(text) => match text.as_str() {
            "true" => vec![Tree::plain("false")],
            "false" => vec![Tree::plain("true")],
            "null" => vec![Tree::from("x")],
            number => vec![
                Tree::plain(&format!("1{}", number.trim_start_matches('-'))),
                Tree::plain("0.5"),
                Tree::plain("0"),
            ],
        },
        Tree::Array(_) => vec![Tree::Array(vec![Tree::from("x")])],
        Tree::Object(_) => vec![Tree::Object(vec![super::super::member("x", "x")])],
    }
}
