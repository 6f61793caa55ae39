//! Targets of the formats: validation, conversion and the laws.

use toolglot::compare::{self, Catalog, documents};
use toolglot::convert::carried_residue;
use toolglot::json::Document;
use toolglot::testkit::{Rng, Vocabulary, edit, inject_members, laws as law, relayout};
use toolglot::{
    Depth, Diagnostic, Format, Limits, Options, Profile, Residue, RestoreOptions, Target,
    ValidateOptions, convert, detect, restore, restore_without_residue,
};

use super::text::presentable;

struct Side {
    format: &'static Format,
    generate: fn(&mut Rng, usize) -> String,
    vocabulary: Option<&'static Vocabulary>,
}

const SIDES: [Side; 8] = [
    Side {
        format: &toolglot::tools_json::FORMAT,
        generate: toolglot::tools_json::testkit::generate,
        vocabulary: Some(&toolglot::tools_json::testkit::VOCABULARY),
    },
    Side {
        format: &toolglot::mcpkg::FORMAT,
        generate: toolglot::mcpkg::testkit::generate,
        vocabulary: Some(&toolglot::mcpkg::testkit::VOCABULARY),
    },
    Side {
        format: &toolglot::jumith::FORMAT,
        generate: toolglot::jumith::testkit::generate,
        vocabulary: Some(&toolglot::jumith::testkit::VOCABULARY),
    },
    Side {
        format: &toolglot::capability::FORMAT,
        generate: toolglot::capability::testkit::generate,
        vocabulary: None,
    },
    Side {
        format: &toolglot::install_manifest::FORMAT,
        generate: toolglot::install_manifest::testkit::generate,
        vocabulary: None,
    },
    Side {
        format: &toolglot::mcpb::FORMAT,
        generate: toolglot::mcpb::testkit::generate,
        vocabulary: None,
    },
    Side {
        format: &toolglot::server_json::FORMAT,
        generate: toolglot::server_json::testkit::generate,
        vocabulary: None,
    },
    Side {
        format: &toolglot::tool_list::FORMAT,
        generate: toolglot::tool_list::testkit::generate,
        vocabulary: None,
    },
];

/// Validates under every profile and at every depth.
fn validate(format: &'static Format, data: &[u8]) {
    let Ok(document) = Document::parse(data, &Limits::default()) else { return };
    let _ = detect(&document);
    let (mut valid, mut shown) = (Vec::new(), Vec::new());
    for profile in [Profile::Strict, Profile::Spec, Profile::Reference] {
        for depth in [Depth::Advice, Depth::Semantics, Depth::Structure] {
            let options = ValidateOptions { profile, depth, ..ValidateOptions::default() };
            let report = format.validate(&document, &options);
            assert_eq!(report, format.validate(&document, &options), "the same again");
            valid.push((profile, depth, report.is_valid()));
            for found in report.diagnostics {
                // Most are found nine times.
                if !shown.contains(&found) {
                    presentable(&found, data);
                    shown.push(found);
                }
            }
        }
    }
    // Looking deeper, or more strictly, never makes a document valid.
    for (profile, depth, is_valid) in &valid {
        for (other, shallow, too) in &valid {
            let less = (profile == other && shallow <= depth)
                || (*profile == Profile::Strict && *other == Profile::Spec && shallow == depth);
            assert!(!(*is_valid && less && !too), "{profile:?} {depth:?}, {other:?} {shallow:?}");
        }
    }
}

/// Validation of tools.json.
pub fn tools_json(data: &[u8]) {
    validate(&toolglot::tools_json::FORMAT, data);
}

/// Validation of MCPKG manifests.
pub fn mcpkg(data: &[u8]) {
    validate(&toolglot::mcpkg::FORMAT, data);
}

/// Validation of Jumith manifests.
pub fn jumith(data: &[u8]) {
    validate(&toolglot::jumith::FORMAT, data);
}

/// Validation of capability manifests and catalogs.
pub fn capability(data: &[u8]) {
    validate(&toolglot::capability::FORMAT, data);
}

/// Validation of install manifests.
pub fn install_manifest(data: &[u8]) {
    validate(&toolglot::install_manifest::FORMAT, data);
}

/// Validation of lists of tools.
pub fn tool_list(data: &[u8]) {
    validate(&toolglot::tool_list::FORMAT, data);
}

/// Validation of the manifests of MCP bundles, and of bundles.
pub fn mcpb(data: &[u8]) {
    validate(&toolglot::mcpb::FORMAT, data);
    let limits = Limits::default();
    if let Ok(bundle) = toolglot::mcpb::Bundle::read(data, &limits) {
        let manifest = bundle.manifest().to_vec();
        let report = bundle.check(&ValidateOptions::default());
        report.diagnostics.iter().for_each(|found| presentable(found, &manifest));
        let hidden = |line: &String| line.chars().any(char::is_control);
        assert!(!bundle.describe(&limits).iter().any(hidden), "what is printed is printable");
    }
}

/// Validation of the documents of the MCP registry.
pub fn server_json(data: &[u8]) {
    validate(&toolglot::server_json::FORMAT, data);
}

/// Conversion of any valid document to every format, with the laws as the judge.
pub fn conversion(data: &[u8]) {
    let Ok(document) = Document::parse(data, &Limits::default()) else { return };
    let Ok((from, _)) = detect(&document) else { return };
    let text = document.text();
    if law::check_valid(from, text).is_err() {
        return;
    }
    law::tree_fidelity(from, text).expect("tree fidelity");
    for side in &SIDES {
        let to = side.format;
        if let Err(report) = convert(&document, from, to, &law::accept_all()) {
            // Refused, and not changed: see the laws for the reasons that count. A secret, of which
            // other formats only warn, is nothing for a capability.
            let warned = |found: &Diagnostic| found.rule.code.contains("/secret");
            let secret = from.validate(&document, &ValidateOptions::default());
            let secret = secret.diagnostics.iter().any(warned);
            let named = |code: &str| match code {
                "convert/collision" => true,
                "capability/secret-value" => secret,
                code => code.ends_with("/version"),
            };
            assert!(report.errors().all(|found| named(found.rule.code)), "{report:?}");
            continue;
        }
        law::round_trip(from, to, text).expect("round trip");
        law::valid_output(from, to, text).expect("valid output");
        law::complete_ledger(from, to, text).expect("complete ledger");
        law::determinism(from, to, text).expect("determinism");
    }
}

/// The laws on a generated document, with an edit; the bytes choose all of it.
pub fn laws(data: &[u8]) {
    let mut seed = [0; 8];
    seed.iter_mut().zip(data).for_each(|(seed, byte)| *seed = *byte);
    let rng = &mut Rng::new(u64::from_le_bytes(seed));
    let (from, to) = (&SIDES[rng.below(SIDES.len())], &SIDES[rng.below(SIDES.len())]);
    let size = 1 + rng.below(3);
    let mut text = (from.generate)(rng, size);
    if let Some(vocabulary) = from.vocabulary {
        text = inject_members(&text, vocabulary, rng);
    }
    let text = relayout(&text, rng);
    let (a, b) = (from.format, to.format);
    if law::check_valid(a, &text).is_err() {
        return;
    }
    law::round_trip(a, b, &text).expect("round trip");
    law::complete_ledger(a, b, &text).expect("complete ledger");
    let document = Document::parse(text.as_bytes(), &Limits::default()).expect("JSON");
    let Ok(conversion) = convert(&document, a, b, &law::accept_all()) else { return };
    let Some(target) = conversion.documents.first() else { return };
    let edited = edit(&target.text, b, rng);
    if law::check_valid(b, &edited).is_ok() {
        law::edit_survives(a, b, &text, 0, &edited).expect("edit survives");
    }
}

/// Comparison of two documents: what changed is somewhere, and changed in both directions; and
/// nothing changed from a document to itself.
pub fn comparison(data: &[u8]) {
    let limits = Limits::default();
    let texts: [&[u8]; 2] = super::parts(data);
    let [Ok(old), Ok(new)] = texts.map(|text| Document::parse(text, &limits)) else { return };
    let [Ok((from, _)), Ok((to, _))] = [&old, &new].map(detect) else { return };
    let (Ok(before), Ok(after)) = (from.lift(&old, &limits), to.lift(&new, &limits)) else {
        return;
    };
    let sides = [(&before, from, &old), (&after, to, &new)].map(|(lifted, format, document)| {
        compare::Side { lifted, source: Some((format, document)) }
    });
    let [a, b] = &sides;
    let found = documents(a, b, &limits);
    for change in &found.changes {
        assert!(change.old.iter().all(|at| old.root().at(at).is_some()), "{change:?}");
        assert!(change.new.iter().all(|at| new.root().at(at).is_some()), "{change:?}");
    }
    let [a_again, b_again] = sides;
    let catalogs = [("a", a_again), ("b", b_again)].map(|(label, side)| Catalog { label, side });
    compare::duplicates(&catalogs, &limits);
    if law::check_valid(from, old.text()).is_ok() && law::check_valid(to, new.text()).is_ok() {
        let back = documents(b, a, &limits);
        assert_eq!(found.changes.is_empty(), back.changes.is_empty(), "{found:?} {back:?}");
        assert_eq!(documents(a, a, &limits).changes, []);
    }
}

/// Restoring with a residue of a stranger, and in-band: no harm is done, and what
/// comes out is valid.
pub fn restoration(data: &[u8]) {
    let [target, residue] = super::parts(data);
    let options = Options::default();
    let read = Residue::parse(if residue.is_empty() { target } else { residue }, &options.limits);
    if let Ok(residue) = &read {
        let again = Residue::parse(residue.to_json().as_bytes(), &options.limits);
        assert_eq!(again.as_ref(), Ok(residue));
    }
    let Ok(document) = Document::parse(target, &options.limits) else { return };
    let Ok((to, _)) = detect(&document) else { return };
    let targets = [Target { name: None, document: &document }];
    let carried = carried_residue(&document, to).ok().flatten();
    for residue in read.into_iter().chain(carried) {
        if let Ok(back) = restore(&targets, &residue, &RestoreOptions::default()) {
            Document::parse(back.text.as_bytes(), &options.limits).expect("JSON");
        }
    }
    for side in &SIDES {
        let options = RestoreOptions::default();
        if let Ok(back) = restore_without_residue(&targets, &document, side.format, to, &options) {
            Document::parse(back.text.as_bytes(), &options.limits).expect("JSON");
        }
    }
}
