//! Programs that are accepted are in their folder.

use manifest_core::json::Document;
use manifest_core::path::PathStyle;
use manifest_core::{Limits, Report, ValidateOptions};
use proptest::prelude::*;
use serde_json::json;

use super::agentcli;

/// Paths made of what is awkward in paths.
fn awkward() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "/",
        "/",
        "\\",
        "//",
        ".",
        "..",
        "./",
        "../",
        "...",
        "tools",
        "tools/bin",
        "bin",
        "x",
        "C:",
        "C:\\",
        "\\\\host\\share",
        "\\\\?\\",
        "nul",
        "con.txt",
        "x.",
        "x ",
        " ",
        ":",
        "\0",
        "\n",
        "é",
        "~",
        "./tools/bin/",
        ".\\tools\\bin\\",
        "tools/bin/",
    ]);
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// The report about a tool with this program.
fn report(program: &str, platform: PathStyle) -> Report {
    let text = json!({"tools": [{"name": "t", "command": [program]}]}).to_string();
    let limits = Limits { string_bytes: 1 << 20, ..Limits::default() };
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let options = ValidateOptions { platform, limits, ..ValidateOptions::default() };
    tools_json::validate(&document, &options)
}

proptest! {
    #![proptest_config(toolglot_tests::random(4096))]

    #[test]
    fn clean_is_go_s(path in awkward()) {
        prop_assert_eq!(manifest_core::path::clean(&path), agentcli::clean(&path));
    }

    /// What we accept, the published loader accepts too, and finds below the manifest's folder.
    #[test]
    fn nothing_leaves_the_folder_of_programs(program in awkward()) {
        if report(&program, PathStyle::Posix).is_valid() && !program.starts_with('/') {
            let path = agentcli::program(&program, "/srv/agent").unwrap();
            let below = path.strip_prefix("/srv/agent/tools/bin/").expect("a program in the folder");
            prop_assert!(!below.contains('\0'));
            prop_assert!(below.split('/').all(|segment| !matches!(segment, "" | "." | "..")));
        }
        // On Windows, more paths are absolute; the others are judged alike.
        let windows = report(&program, PathStyle::Windows);
        if windows.is_valid() && !manifest_core::path::is_absolute(&program, PathStyle::Windows) {
            prop_assert!(report(&program, PathStyle::Posix).is_valid());
        }
    }
}

#[test]
fn what_is_absolute_depends_on_the_flavour() {
    for program in [r"C:\x.exe", "C:/x.exe", r"\\host\share\x.exe"] {
        assert!(report(program, PathStyle::Windows).is_valid(), "{program}");
        assert!(!report(program, PathStyle::Posix).is_valid(), "{program}");
    }
    for program in ["/bin/x", "/usr//bin/../bin/env"] {
        assert!(report(program, PathStyle::Posix).is_valid(), "{program}");
        assert!(!report(program, PathStyle::Windows).is_valid(), "{program}");
    }
}

/// Row L08 of the catalogue of attacks.
#[test]
fn refusals_stay_short_and_printable() {
    let mut refusals = 0;
    for c in ["\\", "\u{1b}", "\u{202e}", "é", "\u{10ffff}"] {
        let text = c.repeat(100_000);
        for program in
            [text.clone(), format!("./tools/bin/../{text}"), format!("./tools/bin/{text}\0")]
        {
            for platform in [PathStyle::Posix, PathStyle::Windows] {
                for refused in &report(&program, platform).diagnostics {
                    refusals += 1;
                    assert!(refused.message.len() <= 4096, "{} bytes", refused.message.len());
                    assert!(!refused.message.contains(char::is_control), "{}", refused.message);
                }
            }
        }
    }
    assert!(refusals >= 20, "{refusals}");
}
