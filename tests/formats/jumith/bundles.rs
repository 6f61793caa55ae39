//! What is refused before anything is written to disk.

#![allow(clippy::too_many_lines)] // tables of paths

use jumith::{Bundle, ExpectedBundle, bundle, install};
use manifest_core::{Limits, Pointer, Profile, ValidateOptions, json::Document};
use serde_json::{Value, json};

fn manifest() -> Value {
    json!({
        "id": "tool:x", "name": "x", "version": "1.0.0", "summary": "s", "description": "d",
        "entry": {"runtime": "node", "main": "dist/index.js"},
        "schema": {"input": {"type": "object"}}, "requiresApproval": true
    })
}

fn with_files(files: &Value) -> String {
    json!({"manifest": manifest(), "files": files}).to_string()
}

fn main_file() -> Value {
    json!({"path": "dist/index.js", "content": "x"})
}

fn with_file(file: &Value) -> String {
    with_files(&json!([main_file(), file]))
}

fn codes(text: &str, expected: &ExpectedBundle<'_>, options: &ValidateOptions) -> Vec<String> {
    let document = Document::parse(text.as_bytes(), &options.limits).expect("JSON");
    let report = Bundle::check(&document, expected, options);
    let planned = install::plan(&document, expected, options).is_ok();
    assert_eq!(planned, report.is_valid(), "what is not valid is not installed: {text:.300}");
    let found = report.diagnostics.iter();
    let mut codes: Vec<_> =
        found.map(|d| format!("{} {}", d.rule.code, d.pointer.as_str())).collect();
    codes.dedup();
    codes
}

fn options() -> ValidateOptions {
    ValidateOptions { limits: Limits::for_bundle(), ..ValidateOptions::default() }
}

fn check(text: &str) -> Vec<String> {
    codes(text, &ExpectedBundle::default(), &options())
}

#[test]
fn encodings() {
    for encoding in [json!("utf8"), json!("base64")] {
        let file = json!({"path": "a", "content": "", "encoding": encoding});
        assert_eq!(check(&with_file(&file)), [""; 0], "an empty file is a file");
    }
    for encoding in [json!("UTF8"), json!("utf-8"), json!("hex"), Value::Null, json!(1)] {
        let file = json!({"path": "a", "content": "", "encoding": encoding});
        assert_eq!(check(&with_file(&file)), ["jumith/encoding /files/1/encoding"], "{encoding}");
    }
}

#[test]
fn base64_has_one_spelling() {
    let wrong = ["QQ", "QQ=", "QQ===", "QR==", "====", "Q Q=", "QQ==\n", "-_==", "QQ==QQ==", "é"];
    for content in wrong {
        let file = json!({"path": "a", "content": content, "encoding": "base64"});
        assert_eq!(check(&with_file(&file)), ["jumith/base64 /files/1/content"], "{content:?}");
    }
    // Node reads all of these, and so does the `reference` profile.
    let reference = ValidateOptions { profile: Profile::Reference, ..options() };
    for (content, bytes) in
        [("QQ", "A"), ("QR==", "A"), ("Q Q=", "A"), ("_-8", "ÿï"), ("QUI=", "AB")]
    {
        let file = json!({"path": "a", "content": content, "encoding": "base64"});
        let text = with_file(&file);
        let document = Document::parse(text.as_bytes(), &reference.limits).unwrap();
        let plan = install::plan(&document, &ExpectedBundle::default(), &reference).unwrap();
        let latin1: Vec<u8> = bytes.chars().map(|c| u8::try_from(u32::from(c)).unwrap()).collect();
        assert_eq!(plan.files[0].bytes, latin1, "{content:?}");
    }
}

#[test]
fn paths_that_are_unsafe_anywhere() {
    let paths = [
        "",
        " ",
        ".",
        "..",
        "./",
        "/",
        "../a",
        "a/..",
        "a/../b",
        "a/./b",
        "./a",
        "a//b",
        "a/",
        "..%2fx",
        "%2e%2e/x",
        "․․/x",
        "．．/x",
        "a∕b",
        "x.",
        "x ",
        "a./b",
        " x",
        "CON",
        "con.txt",
        "NUL.tar.gz",
        "COM¹",
        "aux/x",
        "a:b",
        "x.js::$DATA",
        "file:///x",
        "a*b",
        "a?b",
        "\"a\"",
        "<a>",
        "a|b",
        "a\nb",
        "a\u{85}b",
        "a\u{2028}b",
        "txt.\u{202e}sj",
        "m\u{200b}.json",
        "a\0b",
        "e\u{301}",
        "C:\\x",
        "C:x",
        "\\\\host\\share\\x",
        "\\x",
        "a\\..\\..\\x",
    ];
    for path in paths {
        let file = json!({"path": path, "content": "x"});
        assert_eq!(check(&with_file(&file)), ["jumith/file-path /files/1/path"], "{path:?}");
    }
    let long = ["a".repeat(256), "a/".repeat(32) + "a", "a/bcd".repeat(300)];
    for path in long {
        let file = json!({"path": path, "content": "x"});
        assert_eq!(check(&with_file(&file)), ["jumith/file-path /files/1/path"], "{path:.20}");
    }
    for path in ["..foo", "foo../bar", "a-b_c.1/é.json", ".hidden", "a b"] {
        let file = json!({"path": path, "content": "x"});
        let expected: &[&str] = match path {
            "foo../bar" => &["jumith/file-path /files/1/path"], // Windows drops the dots
            _ => &[],
        };
        assert_eq!(check(&with_file(&file)), expected, "{path:?}");
    }
}

#[test]
fn files_that_are_one_file_somewhere() {
    let pairs = [
        ("a", "a"),
        ("a", "A"),
        ("é", "É"),
        ("straße", "STRASSE"),
        ("ﬁ.js", "fi.js"),
        ("a", "a/b"),
        ("A/b", "a"),
        ("x/y", "X/Y/z"),
    ];
    for (one, two) in pairs {
        let file = |path| json!({"path": path, "content": "x"});
        let found = check(&with_files(&json!([main_file(), file(one), file(two)])));
        assert_eq!(found.len(), 1, "{one} {two}: {found:?}");
        assert!(found[0].starts_with("jumith/file-collision /files/"), "{found:?}");
    }
    let file = json!({"path": "Tool.json", "content": "{}"});
    assert_eq!(check(&with_file(&file)), ["jumith/file-collision /files/1/path"]);
}

/// Rows B05 and B20 of the catalogue of attacks.
#[test]
fn limits_hold_before_anything_is_decoded() {
    let small = |change: fn(&mut Limits)| {
        let mut options = options();
        change(&mut options.limits);
        options
    };
    let files: Vec<Value> = std::iter::once(main_file())
        .chain(
            (0..2)
                .map(|i| json!({"path": format!("f{i}"), "content": "****", "encoding": "base64"})),
        )
        .collect();
    let text = with_files(&json!(files));
    let none = ExpectedBundle::default();
    let count = small(|limits| limits.bundle_files = 2);
    assert_eq!(codes(&text, &none, &count), ["jumith/file-count /files"]);
    let size = small(|limits| limits.bundle_bytes = 6);
    assert_eq!(codes(&text, &none, &size), ["jumith/bundle-size /files"]);
    let enough = small(|limits| {
        limits.bundle_bytes = 7;
        limits.bundle_files = 3;
    });
    assert!(codes(&text, &none, &enough).iter().all(|code| code.starts_with("jumith/base64")));
}

/// Row B08 of the catalogue of attacks.
#[test]
fn the_entry_must_be_there() {
    let text = with_files(&json!([{"path": "other.js", "content": "x"}]));
    assert_eq!(check(&text), ["jumith/entry-missing /manifest/entry/main"]);
    let text = with_files(&json!([]));
    assert_eq!(check(&text), ["jumith/entry-missing /manifest/entry/main"]);
    let mut outside = manifest();
    outside["entry"]["main"] = json!("../../x.js");
    let text = json!({"manifest": outside, "files": [main_file()]}).to_string();
    assert!(check(&text).contains(&"jumith/entry-main /manifest/entry/main".to_owned()));
}

#[test]
fn shape() {
    assert_eq!(check("[]"), ["json/type "]);
    assert_eq!(check("{}"), ["json/required "]);
    let text = json!({"manifest": manifest(), "files": {}}).to_string();
    assert_eq!(check(&text), ["json/type /files"]);
    let text = json!({"manifest": [], "files": [main_file()]}).to_string();
    assert_eq!(check(&text), ["json/type /manifest"]);
    let text = with_file(&json!({"path": "a"}));
    assert!(check(&text).contains(&"json/required /files/1".to_owned()));
    let mut python = manifest();
    python["entry"]["runtime"] = json!("python");
    let text = json!({"manifest": python, "files": [main_file()]}).to_string();
    assert_eq!(check(&text), ["jumith/unsupported-runtime /manifest/entry/runtime"]);
}

#[test]
fn the_manifest_must_be_the_one_that_was_described() {
    let text = with_files(&json!([main_file()]));
    let against = |describe: &Value| {
        let describe = describe.to_string();
        let describe = Document::parse(describe.as_bytes(), &Limits::default()).unwrap();
        let expected =
            ExpectedBundle { describe: Some(describe.root()), ..ExpectedBundle::default() };
        codes(&text, &expected, &options())
    };
    assert_eq!(against(&manifest()), [""; 0]);
    let mut same = manifest();
    same["tags"] = json!([]);
    same["requiredSecrets"] = json!([]);
    same["x-unknown"] = json!(1);
    assert_eq!(
        against(&same),
        [""; 0],
        "an empty list is none, and what is not known not compared"
    );

    let changes: [(&str, Value); 8] = [
        ("/description", json!("other")),
        ("/requiresApproval", json!(false)),
        ("/entry/main", json!("dist/other.js")),
        ("/schema/input/type", json!("array")),
        ("/version", json!("1.0.1")),
        ("/name", json!("y")),
        ("/summary", json!("t")),
        ("/id", json!("tool:y")),
    ];
    for (pointer, value) in changes {
        let mut other = manifest();
        *other.pointer_mut(pointer).unwrap() = value;
        assert_eq!(against(&other), [format!("jumith/describe-mismatch /manifest{pointer}")]);
    }
    let mut other = manifest();
    other["tags"] = json!(["new"]);
    other["schema"]["input"]["maximum"] = json!(1);
    let expected = [
        "jumith/describe-mismatch /manifest/tags",
        "jumith/describe-mismatch /manifest/schema/input/maximum",
    ];
    assert_eq!(against(&other), expected, "all of them, also what is missing");
}

/// Row B11 of the catalogue of attacks.
#[test]
fn numbers_are_compared_as_they_are_written() {
    let parse = |text: &'static str| Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    let (a, b) = (
        parse(r#"{"schema":{"input":{"maximum":1}}}"#),
        parse(r#"{"schema":{"input":{"maximum":1.0}}}"#),
    );
    let found = jumith::differences(a.root(), b.root(), 10);
    assert_eq!(found.iter().map(Pointer::as_str).collect::<Vec<_>>(), ["/schema/input/maximum"]);
    let (a, b) = (
        parse(r#"{"entry":{"main":"a","export":"b"}}"#),
        parse("{\"entry\": {\"export\":\"\\u0062\", \"main\":\"a\"}}"),
    );
    assert!(jumith::differences(a.root(), b.root(), 10).is_empty());
}

/// Row B12 of the catalogue of attacks.
#[test]
fn the_answer_must_be_about_what_was_asked() {
    let text = with_files(&json!([main_file()]));
    let asked =
        |id, version| codes(&text, &ExpectedBundle { id, version, describe: None }, &options());
    assert_eq!(asked(Some("tool:x"), Some("1.0.0")), [""; 0]);
    assert_eq!(asked(Some("tool:y"), None), ["jumith/identity /manifest/id"]);
    assert_eq!(asked(None, Some("1.0.1")), ["jumith/identity /manifest/version"]);
}

/// Row D10 of the catalogue of attacks.
#[test]
fn digests() {
    let files = [("dist/index.js", &b"x"[..])];
    let right = bundle::digest(files);
    let with = |bundle: &str, manifest_digest: &str, file: &str| {
        let mut manifest = manifest();
        manifest["sha256"] = json!(manifest_digest);
        let mut main = main_file();
        main["sha256"] = json!(file);
        json!({"manifest": manifest, "files": [main], "sha256": bundle}).to_string()
    };
    let one = manifest_core::sha256_hex(b"x");
    let zeros = "0".repeat(64);
    assert_eq!(check(&with(&right, &right, &one)), [""; 0]);
    assert_eq!(check(&with(&right, &right, &zeros)), ["jumith/digest /files/0/sha256"]);
    assert_eq!(check(&with(&zeros, &right, &one)), ["jumith/digest /sha256"]);
    assert_eq!(check(&with(&right, &zeros, &one)), ["jumith/digest /manifest/sha256"]);
}

#[test]
fn files_that_other_programs_act_on() {
    for path in [".npmrc", ".git/config", "node_modules/.bin/x", ".env"] {
        let found = check(&with_file(&json!({"path": path, "content": "x"})));
        assert_eq!(found, ["jumith/sensitive-file /files/1/path"], "{path}");
    }
    assert_eq!(check(&with_file(&json!({"path": "package.json", "content": "{}"}))), [""; 0]);
}

#[test]
fn packing_and_opening_give_the_same_files() {
    let files = vec![
        ("bin/a.bin".to_owned(), vec![0, 1, 255]),
        ("dist/index.js".to_owned(), b"x".to_vec()),
        ("empty.txt".to_owned(), Vec::new()),
        ("latin1.txt".to_owned(), vec![0xe9]),
        ("text.txt".to_owned(), "\u{1f600}\r\n\u{2028}\\".as_bytes().to_vec()),
    ];
    let manifest = manifest().to_string();
    let manifest = Document::parse(manifest.as_bytes(), &Limits::default()).unwrap();
    let text = bundle::pack(manifest.root(), &files);
    let document = Document::parse(text.as_bytes(), &Limits::for_bundle()).unwrap();
    assert_eq!(check(&text), [""; 0]);
    assert_eq!(bundle::files(&document, &options()), files);
}

#[test]
fn folders_are_safe_and_different() {
    use manifest_core::path::{PathLimits, check_portable, collision_key};
    let long = "x".repeat(900);
    let ids = [
        "tool:a", "tool_a", "TOOL:A", "tool:A", "a", "A", "con", "nul.txt", ".", "..", "a.", "a b",
        "é", "tool:5fa", "__a", "tool:", &long, "tool:x.", "_", "__.x",
    ];
    let mut folders: Vec<String> = Vec::new();
    for id in ids {
        let folder = install::tool_folder(id);
        assert!(!folder.contains('/'), "{folder}");
        assert_eq!(check_portable(&folder, &PathLimits::default()), Ok(()), "{id} {folder}");
        folders.push(collision_key(&folder));
    }
    folders.sort();
    let count = folders.len();
    folders.dedup();
    assert_eq!(folders.len(), count, "{folders:?}");
    assert_ne!(
        collision_key(&install::version_folder("1.0.0-RC")),
        collision_key(&install::version_folder("1.0.0-rc"))
    );
}

/// No text makes the plan leave its folder, whatever profile it is made under.
#[test]
fn a_plan_stays_in_its_folder() {
    let parts = ["..", ".", "", "a", "C:", "\\", "/", "..\\", "con", "é", "x.js", " ", "\0", "%2e"];
    let mut made = 0;
    for (i, a) in parts.iter().enumerate() {
        for b in parts {
            for c in &parts[i..] {
                let path = format!("{a}/{b}{c}");
                let version = format!("{a}{b}");
                let mut manifest = manifest();
                manifest["version"] = json!(version);
                manifest["id"] = json!(format!("{b}{c}"));
                let files = json!([main_file(), {"path": path, "content": "x"}]);
                let text = json!({"manifest": manifest, "files": files}).to_string();
                let Ok(document) = Document::parse(text.as_bytes(), &Limits::for_bundle()) else {
                    continue;
                };
                for profile in [Profile::Spec, Profile::Reference] {
                    let options = ValidateOptions { profile, ..options() };
                    let plan = install::plan(&document, &ExpectedBundle::default(), &options);
                    for file in plan.iter().flat_map(|plan| &plan.files) {
                        made += 1;
                        let limits = manifest_core::path::PathLimits::default();
                        let safe = manifest_core::path::check_portable(&file.path, &limits);
                        assert_eq!(safe, Ok(()), "{:?}", file.path);
                    }
                }
            }
        }
    }
    assert!(made > 100, "{made}");
}
