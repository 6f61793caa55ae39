//! The law of the true ledger on every leaf of every fixture: change it, and the target
//! must move where the ledger says, or stay where it says nothing.

use std::collections::BTreeMap;

use toolglot::FormatName;
use toolglot::core::testkit::{Rng, Tree, laws};

use crate::fixtures;

/// How many generated documents values are taken from.
const SEEDS: u64 = 256;

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
    let fixtures = fixtures();
    let (mut fixed, mut faults, mut changes) = (Vec::new(), Vec::new(), 0);
    for format in FormatName::ALL.iter().copied() {
        let generated = (0..SEEDS).map(|seed| (format.testkit().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == format);
        let values = values(generated.chain(own.clone().map(|fixture| fixture.text.clone())));
        for fixture in own {
            let others = |leaf: &str| Some(values.get(member(leaf)).cloned().unwrap_or_default());
            let mutants = laws::mutants_of_leaves(format.format(), &fixture.text, others).unwrap();
            for to in FormatName::ALL.iter().copied() {
                changes += mutants.iter().map(|(_, texts)| texts.len()).sum::<usize>();
                let (from, to) = (format.format(), to.format());
                // One leaf after the other: all faults are of interest.
                for one in mutants.chunks(1) {
                    let law = laws::true_ledger(from, to, &fixture.text, &one.to_vec());
                    let named = |fault: String| format!("{} to {}: {fault}", fixture.name, to.name);
                    faults.extend(law.err().map(named));
                }
            }
            let without = mutants.iter().filter(|(_, mutants)| mutants.is_empty());
            fixed.extend(without.map(|(leaf, _)| (format, member(leaf).to_owned())));
        }
    }
    for fault in faults.iter().take(4000) {
        println!("{}", fault.lines().next().unwrap_or_default());
    }
    assert!(faults.is_empty(), "{} faults; the first:\n{}", faults.len(), faults[0]);
    fixed.sort();
    fixed.dedup();
    let expected: Vec<_> =
        FIXED.iter().map(|(format, name)| (*format, (*name).to_owned())).collect();
    assert_eq!(fixed, expected, "leaves that no valid value could replace");
    println!("{changes} changes, each seen");
}
