//! Validation.

use manifest_core::json::{Document, Node};
use manifest_core::{Depth, Profile, Report, ValidateOptions, names, secret};

use crate::manifest::{Manifest, ManifestNodes};
use crate::semantics::Check;
use crate::{rules, structure};

/// Checks a manifest.
///
/// The `reference` profile gives the verdict of the published schema, so it skips the
/// semantic checks.
pub fn validate(document: &Document<'_>, options: &ValidateOptions) -> Report {
    let mut report = options.new_report();
    let root = document.root();
    check_manifest(root, options, &mut report);
    check_similar_names(root, &mut report);
    let help = "withdraw the secret, and ask for it in \"env\"";
    secret::check(&rules::SECRET, root, help, &mut report);
    report
}

/// Reports an id and action names that are suspicious, or easily confused with others.
fn check_similar_names(root: Node<'_>, report: &mut Report) {
    if report.includes_depth(Depth::Advice) {
        check_names(root.get("tool").and_then(|tool| tool.get("id")).into_iter(), report);
        let actions = root.get("actions").into_iter().flat_map(Node::elements);
        check_names(actions.filter_map(|action| action.get("name")), report);
    }
}

fn check_names<'n>(nodes: impl Iterator<Item = Node<'n>>, report: &mut Report) {
    let texts: Vec<_> = nodes.filter_map(|node| Some((node.text()?, node))).collect();
    names::check(texts.iter().map(|(text, node)| (text.as_ref(), *node)), report);
}

fn check_manifest(node: Node<'_>, options: &ValidateOptions, report: &mut Report) {
    let Some(version) = structure::read_version(node, report) else { return };
    let before = count_problems(report);
    structure::check(node, version, options, report);
    if options.depth < Depth::Semantics || options.profile == Profile::Reference {
        return;
    }
    // Semantic checks need values of the right types. A valid structure guarantees them, so
    // the manifest is only read if the structure has errors.
    if count_problems(report) > before && Manifest::read_node(node).is_none() {
        return;
    }
    let Some(manifest) = ManifestNodes::from_node(node, version) else { return };
    // Lists past their limits have been reported. Comparing their entries with each other
    // could take long.
    if manifest.env.len() > 32 || manifest.scopes.len() > 32 || manifest.actions.len() > 64 {
        return;
    }
    let mut check = Check { manifest: &manifest, limits: &options.limits, report };
    check.check_semantics();
    if options.depth >= Depth::Advice {
        check.check_advice();
    }
}

/// Counts the problems so far, including dropped ones.
fn count_problems(report: &Report) -> usize {
    report.diagnostics.len() + report.left_out
}

#[cfg(all(test, feature = "testkit"))]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing)]

    use testkit::Rng;

    use super::*;
    use crate::testkit::{generate, mutate};

    /// A document with a valid structure has the right types everywhere, and a manifest
    /// that can be read also has `ManifestNodes`. So no semantic check is skipped by mistake.
    #[test]
    fn what_is_sound_can_be_read() {
        let options = ValidateOptions { depth: Depth::Structure, ..ValidateOptions::default() };
        let mut counts = [0; 3];
        for seed in 0..3000 {
            let rng = &mut Rng::new(seed);
            let mut text = generate(rng, 2);
            if !rng.once_in(8) {
                text = mutate(&text, rng);
            }
            let document = Document::parse(text.as_bytes(), &options.limits).unwrap();
            let (node, mut report) = (document.root(), options.new_report());
            let Some(version) = structure::read_version(node, &mut report) else { continue };
            structure::check(node, version, &options, &mut report);
            let sound = count_problems(&report) == 0;
            let read = Manifest::read_node(node).is_some();
            assert!(read || !sound, "seed {seed}: {text}");
            assert!(
                ManifestNodes::from_node(node, version).is_some() || !read,
                "seed {seed}: {text}"
            );
            counts[usize::from(sound) + usize::from(read)] += 1;
        }
        assert!(counts.iter().all(|count| *count > 100), "{counts:?}");
    }
}
