//! The ledger law on every leaf of every fixture: change it, and the target, the
//! residue or the ledger must move.

use std::collections::BTreeMap;

use toolglot::core::testkit::{Rng, Tree, laws};
use toolglot::json::Document;
use toolglot::{FormatName, Limits, Options, convert};

use crate::fixtures;

/// How many generated documents values are taken from.
const SEEDS: u64 = 64;

/// Members that cannot always change alone: they choose what stands beside them, or
/// are referred to, or there is one value only.
const FIXED: &[(FormatName, &str)] = &[
    (FormatName::Mcpkg, "$ref"),
    (FormatName::Mcpkg, "$schema"),
    (FormatName::Mcpkg, "outputKey"),
    (FormatName::Mcpkg, "type"),
    (FormatName::Jumith, "runtime"),
    (FormatName::Capability, "kind"),
    (FormatName::Capability, "network"),
    (FormatName::InstallManifest, "action"),
    (FormatName::InstallManifest, "format"),
    (FormatName::InstallManifest, "kind"),
    (FormatName::InstallManifest, "manifest_version"),
    (FormatName::InstallManifest, "method"),
    (FormatName::InstallManifest, "name"),
    (FormatName::InstallManifest, "persists"),
    (FormatName::InstallManifest, "secret"),
    (FormatName::InstallManifest, "to_kind"),
    (FormatName::InstallManifest, "transmits"),
];

/// Values of a format by the name of the member that they stand in.
type Values = BTreeMap<String, Vec<Tree>>;

/// The name of the member that a leaf is in, itself or as an element.
fn member(pointer: &str) -> &str {
    let mut tokens = pointer.rsplit('/');
    tokens.find(|token| token.parse::<usize>().is_err()).unwrap_or_default()
}

fn values(texts: impl Iterator<Item = String>) -> Values {
    let mut values = Values::new();
    for text in texts {
        for (pointer, leaf) in Tree::parse(&text).unwrap().leaves() {
            let known = values.entry(member(&pointer).to_owned()).or_default();
            if known.len() < 64 && !known.contains(leaf) {
                known.push(leaf.clone());
            }
        }
    }
    values
}

#[test]
fn every_leaf_of_every_fixture_is_accounted_for() {
    let limits = Limits::default();
    let options = Options { spelling: false, ..Options::default() };
    let fixtures = fixtures();
    let mut fixed = Vec::new();
    let mut changes = 0;
    for format in FormatName::ALL.iter().copied() {
        let generated = (0..SEEDS).map(|seed| (format.testkit().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == format);
        let values = values(generated.chain(own.clone().map(|fixture| fixture.text.clone())));
        for fixture in own {
            let others = |leaf: &str| values.get(member(leaf)).cloned().unwrap_or_default();
            let mutants = laws::mutants_of_leaves(format.format(), &fixture.text, others).unwrap();
            let source = Document::parse(fixture.text.as_bytes(), &limits).unwrap();
            for to in FormatName::ALL.iter().copied() {
                let before = convert(&source, format, to, &options).unwrap();
                for (leaf, mutant) in &mutants {
                    let Some(mutant) = mutant else { continue };
                    changes += 1;
                    laws::change_shows(format.format(), to.format(), &before, leaf, mutant)
                        .unwrap_or_else(|error| panic!("{} to {to}: {error}", fixture.name));
                }
            }
            let without = mutants.iter().filter(|(_, mutant)| mutant.is_none());
            fixed.extend(without.map(|(leaf, _)| (format, member(leaf).to_owned())));
        }
    }
    fixed.sort();
    fixed.dedup();
    let expected: Vec<_> =
        FIXED.iter().map(|(format, name)| (*format, (*name).to_owned())).collect();
    assert_eq!(fixed, expected, "leaves that no valid value could replace");
    println!("{changes} changes, each seen");
}
