//! Manifests with a problem in every tool: reported in one pass.

use manifest_core::json::Document;
use manifest_core::{Limits, Profile, ValidateOptions};

/// Takes minutes when finding the place of a problem means looking for it from
/// the start.
#[test]
fn problems_are_placed_without_looking_for_them() {
    let tools = 50_000;
    let limits = Limits { document_bytes: 64 << 20, nodes: 1 << 20, ..Limits::default() };
    for item in [
        "{}",
        "1",
        "null",
        r#"{"name": "N", "command": ["/bin/x"], "x": 1}"#,
        r#"{"name": "N", "command": ["./tools/bin/x"], "envPassthrough": ["1", "TZ"]}"#,
    ] {
        let items: Vec<String> = (0..tools).map(|i| item.replace('N', &i.to_string())).collect();
        let text = format!(r#"{{"tools": [{}]}}"#, items.join(","));
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        for profile in [Profile::Spec, Profile::Reference] {
            let options =
                ValidateOptions { profile, limits: limits.clone(), ..ValidateOptions::default() };
            let report = tools_json::validate(&document, &options);
            let found = report.diagnostics.len() + report.left_out;
            assert!(found == 0 || found >= tools, "{item} {profile:?} {found}");
        }
    }

    let list = |item: &str| vec![item; tools].join(",");
    let text = format!(
        r#"{{"tools": [{{"name": "x", "command": ["./tools/bin/x", {}], "envPassthrough": [{}]}}]}}"#,
        list(r#""\u0000""#),
        list(r#""PATH", "1""#),
    );
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = ValidateOptions { limits, ..ValidateOptions::default() };
    let report = tools_json::validate(&document, &options);
    assert!(report.left_out >= 3 * tools - 100);
}
