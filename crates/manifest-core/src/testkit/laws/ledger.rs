//! The law of the complete ledger.

use super::{Law, converted, converts, tree, valid};
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
        let index = rng.below(leaves.len());
        let Some((pointer, leaf)) = leaves.get(index) else {
            break;
        };
        let mutants = mutants(leaf).into_iter().filter(|mutant| mutant != *leaf);
        let mut mutants = mutants.filter_map(|mutant| {
            let mut changed = source.clone();
            *changed.at_mut(pointer)? = mutant;
            Some(changed.render())
        });
        let Some(mutant) = mutants.find(|mutant| valid(from, mutant).is_ok()) else {
            continue;
        };
        if !converts(from, to, &mutant)? {
            continue;
        }
        let moved = converted(from, to, &mutant, &options)?;
        let native = conversion.ledger.entries.get(index).map(|e| e.class) == Some(Class::Native);
        if account(&moved) == account(&conversion) || (native && moved.text == conversion.text) {
            return Err(format!("changing {pointer:?} changes nothing:\n{text}\n{mutant}"));
        }
    }
    Ok(())
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
            number => vec![Tree::plain(&format!("1{}", number.trim_start_matches('-')))],
        },
        Tree::Array(_) => vec![Tree::Array(vec![Tree::from("x")])],
        Tree::Object(_) => vec![Tree::Object(vec![super::super::member("x", "x")])],
    }
}
