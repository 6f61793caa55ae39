//! Paths of strangers, row by row.

use manifest_core::path::{
    PathError, PathFinding, PathLimits, PathStyle, check_portable, clean, collision_key, findings,
    is_absolute, to_slash,
};
use proptest::prelude::*;

/// The name of the error, or `ok`.
fn verdict(path: &str) -> &'static str {
    match check_portable(path, &PathLimits::default()) {
        Ok(()) => "ok",
        Err(PathError::Empty) => "empty",
        Err(PathError::Absolute) => "absolute",
        Err(PathError::Separator { .. }) => "separator",
        Err(PathError::Traversal) => "traversal",
        Err(PathError::NonCanonical) => "non-canonical",
        Err(PathError::Character { .. }) => "character",
        Err(PathError::TrailingDotOrSpace) => "trailing",
        Err(PathError::Reserved) => "reserved",
        Err(PathError::Normalization) => "normalization",
        Err(PathError::TooLong) => "too long",
        Err(_) => "unknown",
    }
}

/// Row, verdict, paths.
const PORTABLE: &[(&str, &str, &[&str])] = &[
    ("P01", "ok", &["dist/index.js", "a-b_c.1/é.json", "a b", "..a", ".a", "x²", "日本/語"]),
    ("P02", "empty", &["", " ", "   "]),
    ("P02", "traversal", &[".", "..", "./"]),
    ("P02", "absolute", &["/", "/x", "//x", "C:\\x", "c:/x", "\\\\host\\share", "\\\\?\\x"]),
    ("P02", "ok", &["~", "~/x", "$HOME/x"]),
    ("P02", "character", &["%TEMP%\\x"]),
    ("P03", "traversal", &["a/../b", "../a", "a/..", "./../a", "a//.."]),
    ("P03", "non-canonical", &["a/./b", "./a", "a//b", "a/", "a/.", ".//"]),
    ("P04", "character", &["..%2fx", "%2e%2e/x", "..%252fx", "..%c0%af"]),
    ("P05", "normalization", &["․․/x", "．．/x", "a∕b", "a⁄b", "a⧸b", "a＼b", "a／b", "℀"]),
    ("P05", "normalization", &["ＣＯＮ", "com⁴", "a：b", "x．", "½"]),
    ("P06", "trailing", &["x.", "x ", "x. .", "a./b", " x", "a/ b", "..."]),
    ("P07", "reserved", &["CON", "con.txt", "NUL.tar.gz", "COM1", "COM¹", "LPT0", "CONIN$"]),
    ("P07", "reserved", &["aux/x", "a/prn", "conout$.x", "Lpt9", "com0.x.y", "nul .txt"]),
    ("P07", "ok", &["COM", "COM10", "COMA", "console", "nul_", "a.con", "lptx.txt"]),
    ("P08", "character", &["a:b", "x.js::$DATA", "x:Zone.Identifier", "file:///x", "C:x"]),
    ("P09", "character", &["a*b", "a?b", "\"a\"", "<a>", "a|b", "a\nb", "a\tb", "a\0b"]),
    ("P09", "character", &["a\u{85}b", "a\u{2028}b", "a\u{2029}b", "a\u{7F}"]),
    ("P10", "character", &["txt.\u{202E}sj", "manifest\u{200B}.json", "a\u{E0061}", "\u{FEFF}a"]),
    ("P12", "normalization", &["e\u{301}"]),
    ("P30", "separator", &["a\\b", "\\x", "..\\x", ".\\tools\\bin\\x"]),
];

#[test]
fn portable_paths() {
    for (row, expected, paths) in PORTABLE {
        for path in *paths {
            assert_eq!(verdict(path), *expected, "{row} {path:?}");
        }
    }
}

#[test]
fn p11_long_paths() {
    let segment = "a".repeat(255);
    let four = [segment.as_str(); 4].join("/");
    assert_eq!(verdict(&segment), "ok");
    assert_eq!(verdict(&four), "ok");
    assert_eq!(verdict(&format!("{four}/")), "non-canonical");
    assert_eq!(verdict(&format!("{four}/b")), "too long");
    assert_eq!(verdict(&"a".repeat(256)), "too long");
    assert_eq!(verdict(&["a"; 32].join("/")), "ok");
    assert_eq!(verdict(&["a"; 33].join("/")), "too long");
    assert_eq!(verdict(&"a/".repeat(10_000)), "too long");
}

#[test]
fn suspicious_paths() {
    use PathFinding::{Expansion, Sensitive, ShortName};
    let rows: &[(&str, &[PathFinding], &[&str])] = &[
        ("P01", &[], &["dist/index.js", "a~b", "x~", "a/~1"]),
        ("P02", &[Expansion], &["~", "~/x", "$HOME/x", "%TEMP%\\x", "a/${x}"]),
        ("P13", &[ShortName], &["PROGRA~1", "a~1.js", "x/GIT~1/config", "x\\a~12.txt"]),
        ("P13", &[], &["backup~2024", "a~1b"]),
        ("P14", &[Sensitive], &[".git/config", ".npmrc", ".env", "node_modules/.bin/x"]),
        ("P14", &[Sensitive], &["package.json", "a/.Git/x", ".env.local", ".g\u{200C}it/config"]),
        ("P14", &[], &["git/config", "environment", ".gitignore", "a.package.json"]),
    ];
    for (row, expected, paths) in rows {
        for path in *paths {
            assert_eq!(findings(path), *expected, "{row} {path:?}");
        }
    }
}

/// What the command rules of `tools.json` are built from.
#[test]
fn p20_to_p31_commands() {
    for (row, path, cleaned) in [
        ("P20", "./tools/bin/get_time", "tools/bin/get_time"),
        ("P21", "./tools/bin/../hack", "tools/hack"),
        ("P22", ".\\tools\\bin\\..\\hack", "tools/hack"),
        ("P23", ".\\tools\\bin\\fs_read_file", "tools/bin/fs_read_file"),
        ("P24", "./tools/bin//x", "tools/bin/x"),
        ("P24", "./tools/bin/./x", "tools/bin/x"),
        ("P24", "./tools//bin/x", "tools/bin/x"),
        ("P25", "./tools/bin", "tools/bin"),
        ("P25", "./tools/bin/", "tools/bin"),
        ("P25", "./tools/bin/.", "tools/bin"),
        ("P25", "./tools/bin/x/..", "tools/bin"),
        ("P26", "tools/bin/x", "tools/bin/x"),
        ("P27", "echo", "echo"),
        ("P27", "./tools/binx/y", "tools/binx/y"),
        ("P27", "./TOOLS/bin/x", "TOOLS/bin/x"),
        ("P28", "../tools/bin/get_time", "../tools/bin/get_time"),
        ("P28", "..", ".."),
        ("P28", "./../tools/bin/x", "../tools/bin/x"),
        ("P29", "/usr//bin/../bin/env", "/usr/bin/env"),
        ("P30", "C:tools\\bin\\x", "C:tools/bin/x"),
        ("P31", "./tools/bin/x\0y", "tools/bin/x\0y"),
    ] {
        assert_eq!(clean(&to_slash(path)), cleaned, "{row} {path:?}");
    }
}

#[test]
fn absolute_paths() {
    for (path, posix, windows) in [
        ("", false, false),
        ("a", false, false),
        ("/", true, false),
        ("/x", true, false),
        ("\\", false, false),
        ("\\x", false, false),
        ("C:", false, false),
        ("C:x", false, false),
        ("C:\\x", false, true),
        ("c:/x", false, true),
        ("é:/x", false, false),
        ("\\\\host\\share", false, true),
        ("\\\\host\\share\\x", false, true),
        ("//host/share", true, true),
        ("\\\\host", false, true),
        ("\\\\host\\..\\x", false, false),
        ("\\\\host\\share\\..\\x", false, true),
        ("\\\\?\\C:\\x", false, true),
        ("\\\\.\\pipe\\x", false, true),
        ("\\\\.\\..\\x", false, false),
        ("\\\\.\\unc\\host\\share", false, true),
        ("\\\\.\\UNC\\host\\..", false, false),
        ("\\??\\C:\\x", false, true),
        ("\\??\\C:", false, false),
        ("\\??\\..\\x", false, false),
        ("./tools/bin/x", false, false),
    ] {
        assert_eq!(is_absolute(path, PathStyle::Posix), posix, "{path:?}");
        assert_eq!(is_absolute(path, PathStyle::Windows), windows, "{path:?}");
    }
}

#[test]
fn z11_colliding_paths() {
    for (left, right) in [
        ("manifest.json", "MANIFEST.JSON"),
        ("ß", "ss"),
        ("ẞ", "SS"),
        ("\u{212A}", "k"),
        ("é", "e\u{301}"),
        ("É", "e\u{301}"),
        ("İ", "i\u{307}"),
        ("ς", "Σ"),
        ("ﬁ", "FI"),
        ("ſ", "s"),
        ("Å", "\u{212B}"),
        ("ａ", "A"),
        (".g\u{200C}it", ".GIT"),
    ] {
        assert_eq!(collision_key(left), collision_key(right), "{left} {right}");
    }
    for (left, right) in [("a", "b"), ("e", "é"), ("a/b", "ab"), ("i", "l")] {
        assert_ne!(collision_key(left), collision_key(right), "{left} {right}");
    }
}

#[test]
fn every_case_of_every_character_collides() {
    // Above this nothing has a case.
    for c in '\0'..='\u{1FFFF}' {
        let key = collision_key(&c.to_string());
        let upper: String = c.to_uppercase().collect();
        let lower: String = c.to_lowercase().collect();
        for other in [&key, &upper, &lower] {
            assert_eq!(collision_key(other), key, "{c:?}");
        }
    }
}

#[test]
fn messages_have_no_control_characters() {
    let limits = PathLimits::default();
    let message = check_portable("a\u{1B}b", &limits).unwrap_err().to_string();
    assert_eq!(message, "the path has the character U+001B at byte 1");
}

/// The rules of `path.Clean` as its documentation states them, applied one at
/// a time until none applies.
fn clean_by_rules(path: &str) -> String {
    let rooted = path.starts_with('/');
    let mut segments: Vec<String> = path.split('/').map(str::to_owned).collect();
    loop {
        if let Some(at) = segments.iter().position(|s| s.is_empty() || s == ".") {
            segments.remove(at);
        } else if let Some(at) = segments.windows(2).position(is_undone) {
            segments.drain(at..=at + 1);
        } else if rooted && segments.first().is_some_and(|s| s == "..") {
            segments.remove(0);
        } else {
            break;
        }
    }
    match (rooted, segments.join("/")) {
        (true, joined) => format!("/{joined}"),
        (false, joined) if joined.is_empty() => ".".to_owned(),
        (false, joined) => joined,
    }
}

fn is_undone(pair: &[String]) -> bool {
    matches!(pair, [name, up] if name != ".." && up == "..")
}

fn path_like() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "/", "/", "\\", ".", "..", "a", "bc", "...", ":", "~1", " ", "é", "e\u{301}", "CON", "C:",
        "//", "?", "\u{200B}", "．", "$",
    ]);
    prop::collection::vec(pieces, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn clean_follows_its_rules(path in path_like()) {
        let cleaned = clean(&path);
        prop_assert_eq!(&cleaned, &clean_by_rules(&path));
        prop_assert_eq!(&clean(&cleaned), &cleaned);
    }

    #[test]
    fn portable_paths_are_clean_and_relative(path in path_like()) {
        if verdict(&path) == "ok" {
            prop_assert_eq!(clean(&path), path.as_str());
            prop_assert_eq!(to_slash(&path), path.as_str());
            prop_assert!(!is_absolute(&path, PathStyle::Posix));
            prop_assert!(!is_absolute(&path, PathStyle::Windows));
        }
    }

    #[test]
    fn keys_are_stable(path in any::<String>()) {
        let key = collision_key(&path);
        prop_assert_eq!(collision_key(&key), key.as_str());
        prop_assert_eq!(collision_key(&path.to_uppercase()), key);
    }

    #[test]
    fn nothing_panics(path in any::<String>()) {
        verdict(&path);
        findings(&path);
        is_absolute(&path, PathStyle::Windows);
        clean(&path);
    }
}
