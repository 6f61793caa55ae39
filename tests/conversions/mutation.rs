//! The law of the true ledger on every leaf of every fixture: change it, and the target
//! must move where the ledger says, or stay where it says nothing.

use toolglot::FormatName;
use toolglot::testkit::{Rng, laws};

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
    (FormatName::Mcpb, "manifest_version"),
    (FormatName::Mcpb, "type"),
    (FormatName::ServerJson, "fileSha256"),
    (FormatName::ServerJson, "type"),
    (FormatName::ToolList, "jsonrpc"),
    (FormatName::ToolList, "type"),
];

/// Row L04 of the catalogue of attacks.
#[test]
fn every_leaf_of_every_fixture_is_accounted_for() {
    let fixtures = fixtures();
    let (mut fixed, mut faults, mut changes) = (Vec::new(), Vec::new(), 0);
    for format in FormatName::ALL.iter().copied() {
        let generated = (0..SEEDS).map(|seed| (format.testkit().generate)(&mut Rng::new(seed), 3));
        let own = fixtures.iter().filter(|fixture| fixture.format == format);
        let values =
            laws::Values::of(generated.chain(own.clone().map(|fixture| fixture.text.clone())));
        for fixture in own {
            let others = |leaf: &str| Some(values.like(leaf));
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
            fixed.extend(without.map(|(leaf, _)| (format, laws::member_of(leaf).to_owned())));
        }
    }
    for fault in faults.iter().take(40) {
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
