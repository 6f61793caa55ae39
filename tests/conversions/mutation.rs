//! The law of the true ledger on every leaf of every fixture: change it, and the target
//! must move where the ledger says, or stay where it says nothing.

use toolglot::FormatName;
use toolglot::testkit::{Rng, laws};
use toolglot_tests::times;

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

fn every_leaf_is_accounted_for(format: FormatName) {
    let fixtures: Vec<_> =
        fixtures().into_iter().filter(|fixture| fixture.format == format).collect();
    let (mut fixed, mut faults, mut changes) = (Vec::new(), Vec::new(), 0);
    let generated =
        (0..SEEDS).map(|seed| (format.testkit().unwrap().generate)(&mut Rng::new(seed), 3));
    let own = fixtures.iter().map(|fixture| fixture.text.clone());
    let values = laws::Values::of(generated.chain(own));
    for fixture in &fixtures {
        let others = |leaf: &str| Some(values.for_member_of(leaf));
        let mutants =
            laws::mutants_of_leaves(format.format().unwrap(), &fixture.text, others).unwrap();
        changes += mutants.iter().map(|(_, texts)| texts.len()).sum::<usize>();
        for (number, to) in FormatName::ALL.iter().copied().enumerate() {
            // In a normal run, each leaf is changed for every second format.
            let turn = |leaf: &usize| times() > 1 || leaf % 2 == number % 2;
            let chosen = mutants.iter().enumerate().filter(|(leaf, _)| turn(leaf));
            let mutants: laws::Mutants = chosen.map(|(_, mutants)| mutants.clone()).collect();
            let law = |mutants: &laws::Mutants| {
                laws::true_ledger(
                    format.format().unwrap(),
                    to.format().unwrap(),
                    &fixture.text,
                    mutants,
                )
            };
            if law(&mutants).is_err() {
                // One leaf after the other: all faults are of interest.
                let all = mutants.chunks(1).filter_map(|one| law(&one.to_vec()).err());
                faults.extend(all.map(|fault| format!("{} to {to}: {fault}", fixture.name)));
            }
        }
        let without = mutants.iter().filter(|(_, mutants)| mutants.is_empty());
        fixed.extend(without.map(|(leaf, _)| laws::member_of(leaf).to_owned()));
    }
    for fault in faults.iter().take(40) {
        println!("{}", fault.lines().next().unwrap_or_default());
    }
    assert!(faults.is_empty(), "{} faults; the first:\n{}", faults.len(), faults[0]);
    fixed.sort();
    fixed.dedup();
    let expected: Vec<&str> =
        FIXED.iter().filter(|(one, _)| *one == format).map(|(_, name)| *name).collect();
    assert_eq!(fixed, expected, "leaves that no valid value could replace");
    assert!(changes > 100, "{changes} changes");
}

macro_rules! formats {
    ($($name:ident: $format:ident;)*) => {
        $(#[test] fn $name() { every_leaf_is_accounted_for(FormatName::$format); })*

        /// Row L04 of the catalogue of attacks.
        #[test]
        fn no_format_is_missing() {
            assert_eq!([$(FormatName::$format),*].len(), FormatName::ALL.len());
        }
    };
}

formats! {
    every_leaf_of_capability: Capability;
    every_leaf_of_install_manifest: InstallManifest;
    every_leaf_of_jumith: Jumith;
    every_leaf_of_mcpb: Mcpb;
    every_leaf_of_mcpkg: Mcpkg;
    every_leaf_of_server_json: ServerJson;
    every_leaf_of_tool_list: ToolList;
    every_leaf_of_tools_json: ToolsJson;
}
