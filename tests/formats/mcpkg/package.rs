//! Packages: how their files fit together, signatures, digests.

use std::collections::BTreeSet;
use toolglot_tests::on_a_small_stack;

use manifest_core::{Depth, Limits, Profile, ValidateOptions};
use mcpkg::archive::Entry;
use mcpkg::meta::{Coverage, SignedContent, Verifier, format_time, parse_time, verify};
use mcpkg::package::{CheckOptions, Package, rules::RULES};

const MANIFEST: &str = r#"{
  "toolId": "acme.demo.echo", "name": "Echo", "version": "1.0.0",
  "description": "Echoes.", "capabilities": ["echo"],
  "endpoint": {"type": "http", "method": "POST", "url": "https://acme.example/echo"},
  "input_schema": {"type": "object", "required": ["message"]},
  "output_schema": {"type": "object"},
  "tests": ["tests/a.test.json"], "examples": ["examples/a.md"],
  "meta": {"publisher": {"id": "acme", "name": "Acme"}}
}"#;
const TEST: &str =
    r#"{"name": "a", "input": {"message": 1}, "assertions": [{"path": "$.a", "exists": true}]}"#;

/// A package in which nothing is worth a word, with some files changed.
fn package(changes: &[(&str, &str)]) -> Package<'static> {
    let mut files = vec![
        ("manifest.json", MANIFEST),
        ("tests/a.test.json", TEST),
        ("examples/a.md", "# A"),
        ("README.md", "# Echo"),
        (
            "openapi.json",
            r#"{"openapi": "3.0.3", "info": {"title": "Echo", "version": "1"}, "paths": {}}"#,
        ),
        ("meta/publisher.json", r#"{"id": "acme", "name": "Acme"}"#),
        (
            "meta/provenance.json",
            r#"{"commit": "0123456789abcdef0123456789abcdef01234567", "builtAt": "2025-11-21T10:00:00Z"}"#,
        ),
        ("lib/a.js", ""),
    ];
    for (name, text) in changes {
        files.retain(|(found, _)| found != name);
        if *text != "-" {
            files.push((name, text));
        }
    }
    let entries = files.into_iter();
    let entries = entries.map(|(name, text)| Entry::new(name.to_owned(), text.as_bytes().to_vec()));
    Package::new(entries.collect()).unwrap()
}

/// The files that something is found in, and what.
fn found(package: &Package<'_>, options: &CheckOptions) -> Vec<(String, &'static str)> {
    let findings = package.check(options);
    findings.iter().map(|(file, found)| (file.to_owned(), found.rule.code)).collect()
}

/// One change that breaks each rule, and no other.
const DEFECTS: &[(&str, &str, &str)] = &[
    ("mcpkg/file-missing", "examples/a.md", "-"),
    ("mcpkg/unlisted-file", "tests/b.test.json", TEST),
    ("mcpkg/unlisted-file", "__MACOSX/x", ""),
    ("mcpkg/unlisted-file", "notes.txt", ""),
    ("mcpkg/sensitive-file", "lib/.npmrc", ""),
    ("mcpkg/odd-file-name", "lib/PROGRA~1", ""),
    ("mcpkg/odd-file-name", "lib/$HOME", ""),
    ("mcpkg/test-input", "tests/a.test.json", r#"{"name": "a", "input": {}, "expected": {}}"#),
    ("mcpkg/test-empty", "tests/a.test.json", r#"{"name": "a", "input": {"message": 1}}"#),
    (
        "mcpkg/assertion",
        "tests/a.test.json",
        r#"{"name": "a", "input": {"message": 1}, "assertions": [{"path": "$.a"}]}"#,
    ),
    (
        "mcpkg/assertion",
        "tests/a.test.json",
        r#"{"name": "a", "input": {"message": 1}, "assertions": [{"path": "$.a", "equals": 1, "exists": true}]}"#,
    ),
    (
        "mcpkg/assertion-path",
        "tests/a.test.json",
        r#"{"name": "a", "input": {"message": 1}, "assertions": [{"path": "a", "equals": 1}]}"#,
    ),
    ("mcpkg/openapi", "openapi.json", "{}"),
    ("mcpkg/openapi", "openapi.json", "[]"),
    ("mcpkg/openapi", "openapi.json", r#"{"openapi": "3.0.3", "paths": {}}"#),
    (
        "mcpkg/openapi",
        "openapi.json",
        r#"{"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "components": {}}"#,
    ),
    (
        "mcpkg/openapi",
        "openapi.json",
        r#"{"openapi": 3, "info": {"title": "A", "version": "1"}, "paths": {}}"#,
    ),
    ("mcpkg/meta-empty", "meta/publisher.json", "{}"),
    ("mcpkg/meta-empty", "meta/provenance.json", "{}"),
    ("mcpkg/publisher-mismatch", "meta/publisher.json", r#"{"id": "acne"}"#),
    ("mcpkg/provenance-commit", "meta/provenance.json", r#"{"commit": "HEAD"}"#),
    ("mcpkg/provenance-time", "meta/provenance.json", r#"{"builtAt": "yesterday"}"#),
    ("mcpkg/provenance-future", "meta/provenance.json", r#"{"builtAt": "2099-01-01T00:00:00Z"}"#),
    ("mcpkg/signature", "meta/signature.sig", ""),
    ("json/syntax", "openapi.json", "{"),
    ("json/syntax", "tests/a.test.json", "{"),
    ("json/type", "tests/a.test.json", r#"{"name": "a", "input": [], "expected": {}}"#),
    ("json/key-case", "meta/publisher.json", r#"{"ID": "acme", "name": "Acme"}"#),
];

fn options() -> CheckOptions {
    CheckOptions {
        now: Some(1_800_000_000),
        file_name: Some("acme.demo.echo-1.0.0.mcpkg".to_owned()),
        ..CheckOptions::default()
    }
}

#[test]
fn a_good_package_is_silent() {
    assert_eq!(found(&package(&[]), &options()), []);
}

#[test]
fn a_defect_breaks_its_rule_and_no_other() {
    for (rule, file, text) in DEFECTS {
        let mut codes: Vec<_> = found(&package(&[(file, text)]), &options())
            .into_iter()
            .map(|(_, code)| code)
            .collect();
        codes.dedup();
        // An input that is no object does not match the schema either.
        codes.retain(|code| !(*rule == "json/type" && *code == "mcpkg/test-input"));
        assert_eq!(codes, [*rule], "{file}: {text}");
    }
}

#[test]
fn every_rule_can_be_broken() {
    let mut broken: BTreeSet<&str> = DEFECTS.iter().map(|(rule, ..)| *rule).collect();
    // These are broken by the tests below, and by those of chains.
    broken.extend([
        "mcpkg/file-name",
        "mcpkg/example-text",
        "mcpkg/signature-size",
        "mcpkg/signature-missing",
        "mcpkg/signature-coverage",
        "mcpkg/chain-tool",
        "mcpkg/chain-input",
        "mcpkg/chain-risk",
    ]);
    let unbroken: Vec<_> = RULES.iter().filter(|rule| !broken.contains(rule.code)).collect();
    assert!(unbroken.is_empty(), "{unbroken:?}");
}

#[test]
fn findings_say_where() {
    let broken = r#"{"name": "a", "input": {}, "expected": {}}"#;
    let package = package(&[("tests/a.test.json", broken), ("examples/a.md", "-")]);
    let findings = package.check(&options());
    let places: Vec<_> = findings
        .iter()
        .map(|(file, found)| (file, found.pointer.as_str(), found.span.is_some()))
        .collect();
    let expected = [("manifest.json", "/examples/0", true), ("tests/a.test.json", "/input", true)];
    assert_eq!(places, expected);
}

#[test]
fn an_example_is_text() {
    let mut entries = package(&[]).into_entries();
    for entry in &mut entries {
        if entry.name == "examples/a.md" {
            entry.data = vec![0xff].into();
        }
    }
    let package = Package::new(entries).unwrap();
    let expected = [("examples/a.md".to_owned(), "mcpkg/example-text")];
    assert_eq!(found(&package, &options()), expected);
}

/// Row D09 of the catalogue of attacks.
#[test]
fn the_file_name_is_that_of_the_tool() {
    let named = |name: &str| {
        let options = CheckOptions { file_name: Some(name.to_owned()), ..options() };
        found(&package(&[]), &options)
    };
    assert_eq!(named("acme-demo-echo-1.0.0.mcpkg"), []);
    assert_eq!(named("echo.mcpkg"), [(String::new(), "mcpkg/file-name")]);
}

#[test]
fn the_published_tool_looks_at_tests_only() {
    let options = CheckOptions {
        validate: ValidateOptions { profile: Profile::Reference, ..ValidateOptions::default() },
        ..options()
    };
    let messages = |changes: &[(&str, &str)]| {
        let findings = package(changes).check(&options);
        findings.errors().map(|(_, found)| found.message.clone()).collect::<Vec<_>>()
    };
    let test = r#"{"name": "a", "description": "a", "input": {"message": 1}, "assertions": [{"path": "$.a", "exists": true}]}"#;
    assert_eq!(messages(&[("tests/a.test.json", test), ("examples/a.md", "-")]), [""; 0]);
    let missing = messages(&[("tests/a.test.json", "-")]);
    assert_eq!(missing, ["Test file not found: \"tests/a.test.json\""]);
    let null = test.replace("\"exists\": true", "\"notEquals\": null");
    let null = messages(&[("tests/a.test.json", &null)]);
    assert_eq!(null, ["assertion[0]: must specify one of: equals, notEquals, exists, notExists"]);
    let input = messages(&[("tests/a.test.json", &test.replace("\"message\"", "\"m\""))]);
    assert_eq!(input, ["Test \"a\" input does not match input_schema"]);
}

#[test]
fn depth_and_profile_are_heeded() {
    let package = package(&[("meta/provenance.json", r#"{"commit": "HEAD"}"#)]);
    let check = |validate| package.check(&CheckOptions { validate, ..options() });
    let shallow = ValidateOptions { depth: Depth::Semantics, ..ValidateOptions::default() };
    assert!(check(shallow).files.is_empty());
    assert!(check(ValidateOptions::default()).is_valid());
    let strict = ValidateOptions { profile: Profile::Strict, ..ValidateOptions::default() };
    assert!(!check(strict).is_valid());
}

#[test]
fn the_digest_is_that_of_the_content() {
    let one = package(&[]);
    assert_eq!(one.digest().len(), 64);
    assert_eq!(one.digest(), package(&[]).digest());
    for change in [("lib/a.js", " "), ("lib/a.js", "-"), ("lib/b.js", ""), ("README.md", "x")] {
        assert_ne!(one.digest(), package(&[change]).digest(), "{change:?}");
    }
    // The content of two files swapped is other content.
    let swapped = package(&[("README.md", "# A"), ("examples/a.md", "# Echo")]);
    assert_ne!(one.digest(), swapped.digest());
}

/// Row D07 of the catalogue of attacks.
#[test]
fn times_are_read_by_rfc_3339() {
    for (text, seconds) in [
        ("1970-01-01T00:00:00Z", Some(0)),
        ("1970-01-01t00:00:00.5z", Some(0)),
        ("2000-02-29T23:59:60Z", Some(951_868_800)),
        ("2024-02-29T00:00:00+05:30", Some(1_709_145_000)),
        ("1969-12-31T23:59:59Z", Some(-1)),
        ("2023-02-29T00:00:00Z", None),
        ("2023-13-01T00:00:00Z", None),
        ("2023-01-01T24:00:00Z", None),
        ("2023-01-01T00:00:00+25:00", None),
        ("2023-01-01T00:00:00", None),
        ("2023-01-01 00:00:00Z", None),
        ("2023-1-1T00:00:00Z", None),
        ("+023-01-01T00:00:00Z", None),
        ("2023-01-01T00:00:00.Z", None),
        ("", None),
    ] {
        assert_eq!(parse_time(text), seconds, "{text}");
    }
}

/// Every day of two eras of leap years, and a second of each.
#[test]
fn a_time_is_read_as_it_was_written() {
    for day in -146_097_i64..146_097 {
        let time = day * 86_400 + (day * 7_919).rem_euclid(86_400);
        let text = format_time(time).unwrap();
        assert_eq!(parse_time(&text), Some(time), "{text}");
    }
}

mod signatures {
    use mcpkg::meta::ed25519::{PublicKey, SignatureStatus, SigningKey, TrustedKeys};

    use super::*;

    /// A key pair of RFC 8032, section 7.1, test 1.
    const SECRET: [u8; 64] = [
        0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec, 0x2c,
        0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03, 0x1c, 0xae,
        0x7f, 0x60, 0xd7, 0x5a, 0x98, 0x01, 0x82, 0xb1, 0x0a, 0xb7, 0xd5, 0x4b, 0xfe, 0xd3, 0xc9,
        0x64, 0x07, 0x3a, 0x0e, 0xe1, 0x72, 0xf3, 0xda, 0xa6, 0x23, 0x25, 0xaf, 0x02, 0x1a, 0x68,
        0xf7, 0x07, 0x51, 0x1a,
    ];

    fn keys() -> TrustedKeys {
        let mut keys = TrustedKeys::default();
        keys.trust("acme", PublicKey::from_bytes(&SECRET[32..]).unwrap());
        keys
    }

    fn signed() -> Package<'static> {
        let package = package(&[]);
        let signed = SignedContent::new(&package, &Limits::default()).unwrap();
        let signature = SigningKey::from_seed(&SECRET[..32]).unwrap().sign(&signed);
        let mut entries = package.clone().into_entries();
        entries.push(Entry::new("meta/signature.sig", signature));
        Package::new(entries).unwrap()
    }

    fn codes(package: &Package<'_>, verifier: &dyn Verifier, required: bool) -> Vec<&'static str> {
        let report = verify(package, verifier, required, &Limits::default());
        report.diagnostics.iter().map(|found| found.rule.code).collect()
    }

    /// The package with one file changed.
    fn changed(name: &str, data: &[u8]) -> Package<'static> {
        let mut entries = signed().into_entries();
        entries.retain(|entry| entry.name != name);
        if !data.is_empty() {
            entries.push(Entry::new(name.to_owned(), data.to_vec()));
        }
        Package::new(entries).unwrap()
    }

    #[test]
    fn a_good_signature_is_good() {
        assert_eq!(codes(&signed(), &keys(), true), [""; 0]);
        // It survives packing.
        let bytes = signed().write(&Limits::default()).unwrap();
        let package = Package::read(&bytes, &Limits::default()).unwrap();
        assert_eq!(codes(&package, &keys(), true), [""; 0]);
    }

    #[test]
    fn the_signed_bytes_are_pinned() {
        let manifest = br#"{"toolId": "acme.demo.echo", "version": "1.0.0"}"#;
        let package = Package::new(vec![
            Entry::new("manifest.json", manifest.as_slice()),
            Entry::new("a", b"".as_slice()),
            Entry::new("meta/signature.sig", b"x".as_slice()),
        ]);
        let package = package.unwrap();
        let statement = SignedContent::new(&package, &Limits::default()).unwrap().statement();
        // The digests are those of `sha256sum`.
        assert_eq!(
            String::from_utf8(statement).unwrap(),
            "mcpkg-signature-v1\nacme.demo.echo 1.0.0\n\
             e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 0 a\n\
             c598d0ae930fc52abcc395743caf81c9c024293d628ee41cf2083d750b29aa10 48 manifest.json\n"
        );
    }

    /// Rows D03, D04 and D05 of the catalogue of attacks.
    #[test]
    fn a_change_is_noticed() {
        let wrong = ["mcpkg/signature"];
        assert_eq!(codes(&changed("tests/a.test.json", b"{}"), &keys(), false), wrong);
        assert_eq!(codes(&changed("lib/new.js", b"x"), &keys(), false), wrong);
        assert_eq!(codes(&changed("README.md", b""), &keys(), false), wrong);
        assert_eq!(codes(&changed("meta/signature.sig", &[0; 64]), &keys(), false), wrong);
        assert_eq!(codes(&changed("meta/signature.sig", b"short"), &keys(), false), wrong);
        // The same manifest, written anew.
        let spaced = MANIFEST.replace(": ", ":");
        assert_eq!(codes(&changed("manifest.json", spaced.as_bytes()), &keys(), false), wrong);
        // The signature of one release on another.
        let newer = MANIFEST.replace("1.0.0", "1.0.1");
        assert_eq!(codes(&changed("manifest.json", newer.as_bytes()), &keys(), false), wrong);
        // Somebody else's key.
        let mut others = TrustedKeys::default();
        others.trust("other", PublicKey::from_bytes(&SECRET[32..]).unwrap());
        assert_eq!(codes(&signed(), &others, false), wrong);
        assert_eq!(PublicKey::from_bytes(b"no key"), None);
    }

    /// The keys of RFC 8410, sections 10.1 and 10.3: one pair.
    #[test]
    fn keys_are_read_and_written_as_others_do() {
        let public = "-----BEGIN PUBLIC KEY-----\n\
            MCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n\
            -----END PUBLIC KEY-----\n";
        let private = "-----BEGIN PRIVATE KEY-----\n\
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC\n\
            -----END PRIVATE KEY-----\n";
        let key = SigningKey::from_pem(private).unwrap();
        assert_eq!(key.to_pem(), private);
        assert_eq!(key.public().to_pem(), public);
        assert_eq!(PublicKey::from_pem(public), Some(key.public()));
        // A remark around it, as openssl writes some, and line ends of Windows.
        let dressed = format!("Key:\r\n{}", public.replace('\n', "\r\n"));
        assert_eq!(PublicKey::from_pem(&dressed), Some(key.public()));
        assert!(!format!("{key:?}").contains("1O5y2"), "a key is never printed");
        for wrong in ["", "x", private, &public.replace("MCow", "MCoq"), &public[..60]] {
            assert_eq!(PublicKey::from_pem(wrong), None, "{wrong}");
        }
        assert!(SigningKey::from_pem(public).is_none());
    }

    #[test]
    fn a_signature_stands_or_not() {
        let limits = Limits::default();
        let standing =
            |keys: &TrustedKeys, package: &Package<'_>| keys.signature_status(package, &limits);
        let good = standing(&keys(), &signed());
        let key = PublicKey::from_bytes(&SECRET[32..]).unwrap().fingerprint();
        assert_eq!(good, SignatureStatus::Good { publisher: "acme".into(), key });
        assert_eq!(standing(&keys(), &package(&[])), SignatureStatus::Unsigned);
        let unknown = standing(&TrustedKeys::default(), &signed());
        assert_eq!(unknown, SignatureStatus::UnknownKey { publisher: "acme".into() });
        for broken in [changed("README.md", b"other"), changed("meta/signature.sig", b"x")] {
            assert!(matches!(standing(&keys(), &broken), SignatureStatus::Broken { .. }));
        }
        // What has no shape of a signature is none, whoever is trusted.
        let shapeless = changed("meta/signature.sig", b"x");
        assert!(matches!(
            standing(&TrustedKeys::default(), &shapeless),
            SignatureStatus::Broken { .. }
        ));
        let mut none = keys();
        assert!(none.distrust("acme") && !none.distrust("acme"));
        assert!(matches!(standing(&none, &signed()), SignatureStatus::UnknownKey { .. }));
    }

    #[test]
    fn a_list_of_keys_is_a_text() {
        let text = keys().to_text();
        assert_eq!(text, "acme 11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=\n");
        let with_remarks = format!("# whom we trust\n\n  {text}");
        assert_eq!(TrustedKeys::parse(&with_remarks).unwrap().to_text(), text);
        assert_eq!(TrustedKeys::parse(&format!("{text}acme short\n")).unwrap_err(), 2);
        assert_eq!(TrustedKeys::parse("acme\n").unwrap_err(), 1);
    }

    /// Row D01 of the catalogue of attacks.
    #[test]
    fn a_stripped_signature_is_noticed_where_one_is_required() {
        let stripped = package(&[]);
        assert_eq!(codes(&stripped, &keys(), true), ["mcpkg/signature-missing"]);
        assert_eq!(codes(&stripped, &keys(), false), [""; 0]);
        let large = changed("meta/signature.sig", &vec![0; (64 << 10) + 1]);
        assert_eq!(codes(&large, &keys(), false), ["mcpkg/signature-size"]);
    }

    /// A scheme that covers single files.
    struct Only(&'static [&'static str]);

    impl Verifier for Only {
        fn verify(&self, _: &[u8], signed: &SignedContent<'_>) -> Result<Coverage, String> {
            assert!(signed.file("manifest.json").is_some());
            Ok(Coverage::Files(self.0.iter().map(|name| (*name).to_owned()).collect()))
        }
    }

    #[test]
    fn what_is_not_covered_is_reported() {
        let found = codes(&signed(), &Only(&["manifest.json"]), true);
        assert_eq!(found, ["mcpkg/signature-coverage"; 7]);
        let found = codes(&signed(), &Only(&["README.md"]), true);
        assert!(found.contains(&"mcpkg/signature"), "the manifest must be covered");
    }
}

/// What a manifest may list (`attacks.md`, Z48 and Z49).
#[test]
fn a_hostile_manifest_is_refused_where_it_stands() {
    let listing = |files: &str| MANIFEST.replace("[\"tests/a.test.json\"]", files);
    let large = format!("{MANIFEST}{}", " ".repeat(2 << 20));
    let list = format!("[{MANIFEST}]");
    for (manifest, rule) in [
        (listing("[\"../../etc/passwd\"]"), "mcpkg/file-path"),
        (listing("[\"http://x\"]"), "mcpkg/file-path"),
        (listing("[\"tests/missing.json\"]"), "mcpkg/file-missing"),
        (listing("[\"tests/a.test.json\", \"tests/a.test.json\"]"), "mcpkg/duplicate-file"),
        (String::new(), "json/syntax"),
        ("{".to_owned(), "json/syntax"),
        (large, "json/size"),
        (list, "json/type"),
    ] {
        let package = package(&[("manifest.json", &manifest)]);
        let findings = package.check(&options());
        let codes: Vec<_> =
            findings.errors().map(|(file, found)| (file, found.rule.code)).collect();
        assert!(codes.contains(&("manifest.json", rule)), "{codes:?}");
    }
}

/// Every file and every line of it is wrong. The report is cut, the stack is small,
/// and no check looks at all files for each file: this would not end otherwise.
#[test]
fn a_package_full_of_problems_is_checked() {
    let run = || {
        let tests: Vec<_> = (0..40_000).map(|n| format!("\"t{n}\"")).collect();
        let manifest =
            MANIFEST.replace("[\"tests/a.test.json\"]", &format!("[{}]", tests.join(",")));
        let mut entries = vec![Entry::new("manifest.json", manifest.into_bytes())];
        let assertions = vec!["{\"path\":\"a\"}"; 20_000].join(",");
        let case = format!("{{\"name\":\"a\",\"input\":{{}},\"assertions\":[{assertions}]}}");
        entries.extend((0..4000).map(|n| Entry::new(format!("x{n}"), Vec::new())));
        entries.extend((0..4).map(|n| Entry::new(format!("t{n}"), case.clone().into_bytes())));
        let findings = Package::new(entries).unwrap().check(&options());
        let manifest = findings.files.iter().find(|file| file.file == "manifest.json").unwrap();
        assert_eq!(manifest.report.diagnostics.len(), Limits::default().diagnostics);
        assert!(manifest.report.left_out > 39_000);
    };
    on_a_small_stack(run);
}

/// What is odd about the archive is no place in any of its files.
#[test]
fn warnings_of_the_archive_have_no_place_in_a_file() {
    let limits = Limits::default();
    let mut bytes = mcpkg::archive::write(package(&[]).entries(), &limits).unwrap();
    // The first record of the directory: made on Unix, with the set-user bit.
    let at = bytes.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    bytes[at + 5] = 3;
    bytes[at + 38..at + 42].copy_from_slice(&(0o104_644_u32 << 16).to_le_bytes());
    let package = Package::read(&bytes, &limits).unwrap();
    let findings = package.check(&CheckOptions::default());
    let odd: Vec<_> = findings.iter().filter(|(file, _)| package.file(file).is_none()).collect();
    assert_eq!(odd.iter().map(|(_, found)| found.rule.code).collect::<Vec<_>>(), ["zip/mode"]);
    assert!(odd.iter().all(|(_, found)| found.span.is_none()), "{odd:?}");
}
