//! Manifests to begin with.

use install_manifest::engine::scaffold::{NewTool, scaffold};
use install_manifest::{Action, ErrorEnvelope, Manifest, RuntimeKind, validate};
use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};

#[test]
fn every_kind_is_valid() {
    for word in RuntimeKind::WORDS {
        let kind = RuntimeKind::from_word(word).unwrap();
        let text = scaffold(&NewTool { id: "my-tool", name: "My \"tool\"", kind }).unwrap();
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        for profile in [Profile::Spec, Profile::Reference] {
            let report =
                validate(&document, &ValidateOptions { profile, ..ValidateOptions::default() });
            assert!(report.is_valid(), "{word}: {:?}", report.diagnostics);
            // What an author has to say is left to the author.
            let known = ["install-manifest/no-verify", "install-manifest/private-url"];
            let others = report.diagnostics.iter().find(|d| !known.contains(&d.rule.code));
            assert!(others.is_none(), "{word}: {others:?}");
        }
        let manifest = Manifest::read(&document).unwrap();
        assert_eq!(manifest.tool.name, "My \"tool\"");
        let is_standard =
            |action: &Action<'_>| action.error_envelope == Some(ErrorEnvelope::Standard);
        assert!(manifest.actions.iter().all(is_standard), "new tools prefer \"standard\"");
    }
}

#[test]
fn what_cannot_be_one() {
    let start = NewTool { id: "my-tool", name: "x", kind: RuntimeKind::ShellBinary };
    for id in ["", "ab", "-ab", "My", "a b", "é-é", "a_b_c"] {
        assert_eq!(scaffold(&NewTool { id, ..start }), None, "{id}");
    }
    assert_eq!(scaffold(&NewTool { name: "", ..start }), None);
    assert_eq!(scaffold(&NewTool { name: &"é".repeat(81), ..start }), None);
    assert!(scaffold(&NewTool { name: &"é".repeat(80), ..start }).is_some());
}
