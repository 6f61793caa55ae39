//! Secrets in documents of every format: found wherever they stand, and never printed.

use toolglot::core::{SourceText, render, secret};
use toolglot::json::Document;
use toolglot::testkit::{Rng, Testkit, Tree, member, relayout, value};
use toolglot::{FORMATS, Format, Limits, Profile, Report, Severity, ValidateOptions, testkits};

/// The rule of a format about secrets.
fn code(format: &Format) -> &'static str {
    let mut codes = format.rules.iter().map(|rule| rule.code);
    codes.find(|code| code.ends_with("/secret") || code.ends_with("/secret-value")).unwrap()
}

fn check(format: &Format, text: &str, profile: Profile) -> Report {
    let document = Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap();
    format.validate(&document, &ValidateOptions { profile, ..ValidateOptions::default() })
}

/// All that is ever said about a document.
fn said(report: &Report, text: &str) -> String {
    let source = SourceText { name: "x.json", bytes: text.as_bytes() };
    let mut said = format!("{report:?}") + &serde_json::to_string(report).unwrap();
    for diagnostic in &report.diagnostics {
        said += &diagnostic.to_string();
        said += &render(diagnostic, Some(&source), false);
    }
    said
}

/// X01, X02, X03, X08: a secret in any string, in any spelling.
#[test]
fn in_any_string_of_any_format() {
    for Testkit { format, generate, .. } in testkits() {
        let code = code(format);
        for seed in 0..60 {
            let rng = &mut Rng::new(seed);
            let mut tree = Tree::parse(&generate(rng, 3)).unwrap();
            let leaves = tree.leaves().into_iter();
            let texts = leaves.filter(|(place, leaf)| {
                matches!(leaf, Tree::Text(_)) && !place.ends_with("/signature")
            });
            let places: Vec<_> = texts.map(|(place, _)| place).collect();
            let Some(place) = places.get(rng.below(places.len().max(1))) else { continue };
            let secret = value::secret(rng);
            let with = match rng.below(3) {
                0 => secret.clone(),
                1 => format!("see {secret}, and go on"),
                _ => secret.chars().flat_map(|c| [c, '\u{200b}']).collect(),
            };
            *tree.at_mut(place).unwrap() = Tree::from(with);
            let text = tree.render();
            let text = if rng.once_in(2) { text } else { relayout(&text, rng) };
            let place = format!("{} {place} seed {seed}", format.name);
            let is_error = code.starts_with("capability");
            for profile in [Profile::Spec, Profile::Strict, Profile::Reference] {
                let report = check(format, &text, profile);
                let found = report.diagnostics.iter().find(|found| found.rule.code == code);
                let severity = found.map(|found| found.severity);
                let expected = match profile {
                    Profile::Reference if !is_error => None,
                    Profile::Spec if !is_error => Some(Severity::Warning),
                    _ => Some(Severity::Error),
                };
                assert_eq!(severity, expected, "{place} {profile:?}");
                let body = &secret[secret.len() - 16..];
                assert!(!said(&report, &text).contains(body), "{place} {profile:?}");
            }
        }
    }
}

/// One of each kind that shows by its shape or by the name before it, as those who issue
/// them describe it: what is around, and the part that nobody may see.
fn kinds() -> Vec<(String, String)> {
    let noise = |alphabet: &str, length: usize| -> String {
        let rng = &mut Rng::new(u64::try_from(length).unwrap());
        (0..length).map(|_| char::from(alphabet.as_bytes()[rng.below(alphabet.len())])).collect()
    };
    let hex = |length| noise("0123456789abcdef", length);
    let any =
        |length| noise("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", length);
    let mut kinds = Vec::new();
    let mut kind = |around: &str, secret: String| {
        kinds.push((around.replace("{}", &secret), secret));
    };
    for prefix in ["glrt-", "gldt-", "glft-", "gloas-", "glsoat-", "glimt-", "glcbt-64_"] {
        kind(&format!("{prefix}{{}}"), any(20));
    }
    kind("glptt-{}", hex(40));
    kind("4839574812:AA{}", any(33));
    kind("MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.{}", any(27));
    kind("https://discord.com/api/webhooks/1234567890123456789/{}", any(68));
    kind("dp.st.prd.{}", any(43));
    kind("gsk_{}", any(52));
    kind("xai-{}", any(80));
    kind("pplx-{}", any(48));
    kind("r8_{}", any(37));
    kind("lsv2_sk_{}", format!("{}_{}", hex(32), hex(10)));
    kind("ntn_12345678901{}", any(35));
    kind("sbp_{}", hex(40));
    kind("glsa_{}", format!("{}_{}", any(32), hex(8)));
    kind("sntryu_{}", hex(64));
    kind("NRAK-{}", any(27).to_ascii_uppercase());
    kind("fo1_{}", any(43));
    kind("pscale_pw_{}", any(43));
    kind("pul-{}", hex(40));
    kind("rubygems_{}", hex(48));
    kind("key-{}", hex(32));
    kind("{}", format!("{}-{}-{}", hex(32), hex(8), hex(8)));
    kind("SK{}", hex(32));
    kind("curl -u AC0123456789abcdef0123456789abcdef:{} x", hex(32));
    kind("https://a.blob.core.windows.net/c/b?sp=r&sig={}%3D", any(43));
    kind("Authorization: Basic {}==", "bWU6aHVudGVyMg".to_owned());
    kind("Server=db;Uid=me;Pwd={};Encrypt=true", "letmein".to_owned());
    kind("run with PGPASSWORD={} set", "hunter2".to_owned());
    kind("https://api.acme.dev/login?user=me&password={}", "hunter2".to_owned());
    kind("--password={}", "hunter2".to_owned());
    kind("redis://:{}@db", "hunter2".to_owned());
    kind("aws_secret_access_key={}", format!("{}/{}", any(19), any(20)));
    kinds
}

#[test]
fn every_kind_in_any_string_of_any_format() {
    let kinds = kinds();
    for Testkit { format, generate, .. } in testkits() {
        let code = code(format);
        for (seed, (around, secret)) in (0..).zip(&kinds) {
            let rng = &mut Rng::new(seed);
            let mut tree = Tree::parse(&generate(rng, 3)).unwrap();
            let leaves = tree.leaves().into_iter();
            let texts = leaves.filter(|(place, leaf)| {
                matches!(leaf, Tree::Text(_)) && !place.ends_with("/signature")
            });
            let places: Vec<_> = texts.map(|(place, _)| place).collect();
            let Some(place) = places.get(rng.below(places.len().max(1))) else { continue };
            *tree.at_mut(place).unwrap() = Tree::from(around.as_str());
            let text = relayout(&tree.render(), rng);
            let report = check(format, &text, Profile::Strict);
            let found = report.diagnostics.iter().find(|found| found.rule.code == code);
            assert!(found.is_some(), "{} {place} {around}", format.name);
            assert!(!said(&report, &text).contains(secret), "{} {place} {around}", format.name);
        }
    }
}

/// A name that is spelled otherwise for another format takes no secret along, which nobody
/// could recognise any more.
#[test]
fn not_in_names_that_were_fitted() {
    use toolglot::{AcceptedLoss, FormatName, Options};
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
    };
    let mut tried = 0;
    for (around, secret) in kinds() {
        let ids = [format!("Acme/{around}"), around.clone()];
        for (id, to) in ids.iter().flat_map(|id| FormatName::ALL.iter().map(move |to| (id, *to))) {
            let tool = serde_json::json!({"name": id, "description": "x", "schema": {"type": "object"},
                "command": ["./tools/bin/x"]});
            let text = serde_json::json!({"tools": [tool]}).to_string();
            let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            if to == FormatName::ToolsJson {
                continue;
            }
            let mut options = Options::default();
            options.accept.extend(AcceptedLoss::ALL);
            let done = toolglot::convert(&source, FormatName::ToolsJson, to, &options);
            // The secret is refused where it stands as it was written.
            let Ok(done) = done else {
                assert_eq!(to, FormatName::Capability, "{id}");
                continue;
            };
            for document in &done.documents {
                let respelt = !document.name.contains(&secret);
                let shows = plain(&document.name).contains(&plain(&secret));
                assert!(!(respelt && shows), "{to} {id} {}", document.name);
                let value: serde_json::Value = serde_json::from_str(&document.text).unwrap();
                let ids = ["/id", "/tool/id", "/toolId", "/actions/0/name"];
                for written in ids.iter().filter_map(|at| value.pointer(at)?.as_str()) {
                    let respelt = written != id && !written.contains(&secret);
                    let shows = plain(written).contains(&plain(&secret));
                    assert!(!(respelt && shows), "{to} {id} {written}");
                    tried += usize::from(respelt);
                }
            }
        }
    }
    assert!(tried > 40, "{tried}");
}

/// X02: the places where they hide in install manifests.
#[test]
fn where_they_hide_in_install_manifests() {
    let clean = include_str!("../../crates/install-manifest/src/testkit/clean.json");
    let codes = |place: &str, value: &str| -> Vec<_> {
        let mut tree = Tree::parse(clean).unwrap();
        let (holder, name) = place.rsplit_once('/').unwrap();
        match tree.at_mut(holder).unwrap() {
            Tree::Object(members) => {
                members.retain(|(found, _)| found != name);
                members.push(member(name, Tree::parse(value).unwrap()));
            }
            other => {
                let Tree::Array(elements) = other else { panic!("{place}") };
                elements[name.parse::<usize>().unwrap()] = Tree::parse(value).unwrap();
            }
        }
        let report = check(&install_manifest::FORMAT, &tree.render(), Profile::Spec);
        let errors = report.diagnostics.iter();
        errors.map(|found| (found.rule.code, found.severity)).collect()
    };
    let secret = ("install-manifest/secret", Severity::Warning);
    let rng = &mut Rng::new(7);
    for place in [
        "/env/1/default",
        "/actions/0/invocation/argv_template/1",
        "/actions/0/input/properties/to/default",
        "/actions/0/summary",
        "/tool/homepage",
        "/smoke/arguments",
    ] {
        let mut tokens = std::iter::repeat_with(|| value::secret(rng));
        let token = tokens.find(|token| token.starts_with("ghp_")).unwrap();
        let token = format!("\"{token}\"");
        let value = match place {
            "/smoke/arguments" => format!("{{\"token\": {token}}}"),
            "/tool/homepage" => token.replacen('"', "\"https://example.com/?key=", 1),
            _ => token,
        };
        assert!(codes(place, &value).contains(&secret), "{place} {value}");
    }
    // Where the specification has a rule, that one holds too.
    let default = codes("/env/0/default", "\"hunter2hunter2\"");
    assert_eq!(default, [("install-manifest/secret-default", Severity::Error)]);
    let kill = r#"{"kind": "url", "url": "https://admin:s3cr3tpw@api.example.com/revoke"}"#;
    let found = codes("/kill_switch", kill);
    assert!(found.contains(&("install-manifest/url", Severity::Error)), "{found:?}");
    assert!(found.contains(&secret), "{found:?}");
}

/// X07: nothing that stands for a secret, or looks a little like one, is one.
#[test]
fn what_stands_for_one_is_none() {
    let clean = [
        "YOUR_API_KEY",
        "sk_test_xxx",
        "<token>",
        "Bearer ${env.X}",
        "AKIAIOSFODNN7EXAMPLE",
        "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "123e4567-e89b-12d3-a456-426614174000",
        "0123456789abcdef0123456789abcdef01234567",
        "data:application/json;base64,eyJ0eXBlIjoib2JqZWN0In0=",
        "ghp_...",
    ];
    for Testkit { format, generate, .. } in testkits() {
        let code = code(format);
        for (seed, text) in (0..).zip(clean) {
            let mut tree = Tree::parse(&generate(&mut Rng::new(seed), 2)).unwrap();
            let leaves = tree.leaves().into_iter();
            let place = leaves.rev().find(|(_, leaf)| matches!(leaf, Tree::Text(_)));
            let Some((place, _)) = place else { continue };
            *tree.at_mut(&place).unwrap() = Tree::from(text);
            let report = check(format, &tree.render(), Profile::Spec);
            assert!(report.diagnostics.iter().all(|d| d.rule.code != code), "{place} {text}");
        }
    }
}

/// What generators make, what vectors hold and what the examples show is clean.
/// `TOOLGLOT_CORPUS` adds a folder of your own.
#[test]
fn no_false_alarm() {
    let clean = |text: &str, from: &str| {
        let Ok(document) = Document::parse(text.as_bytes(), &Limits::for_bundle()) else { return };
        let found = secret::scan(document.root(), 10);
        assert!(found.is_empty(), "{from}: {found:?}\n{text:.500}");
    };
    for Testkit { format, generate, .. } in testkits() {
        for seed in 0..400 {
            clean(&generate(&mut Rng::new(seed), 4), format.name);
        }
    }
    let root = toolglot_tests::root();
    let mut open = vec![root.join("examples")];
    for format in FORMATS {
        open.push(root.join("tests/fixtures").join(format.name));
    }
    open.extend(std::env::var_os("TOOLGLOT_CORPUS").map(std::path::PathBuf::from));
    let mut count = 0;
    while let Some(path) = open.pop() {
        // Fixtures of rules about secrets are named after those rules.
        if path.file_name().is_some_and(|name| name.to_string_lossy().contains("secret")) {
            continue;
        }
        if path.is_dir() {
            open.extend(std::fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let shown = path.display().to_string();
        match path.extension().and_then(|end| end.to_str()) {
            Some("json") => clean(&std::fs::read_to_string(&path).unwrap(), &shown),
            Some("jsonl") => {
                std::fs::read_to_string(&path)
                    .unwrap()
                    .lines()
                    .for_each(|line| clean(line, &shown));
            }
            _ => continue,
        }
        count += 1;
    }
    assert!(count > 20, "{count} files");
}

/// B18: in whatever a registry of Jumith's answers, and one level of base64 below.
#[test]
fn in_answers_of_registries() {
    let rng = &mut Rng::new(3);
    let options = ValidateOptions { limits: Limits::for_bundle(), ..ValidateOptions::default() };
    let token = value::secret(rng);
    let manifest = serde_json::json!({
        "id": "tool:x", "name": "x", "version": "1.0.0", "summary": "s", "description": "d",
        "entry": {"runtime": "node", "main": "index.js"},
        "schema": {"input": {"type": "object"}}, "requiresApproval": true
    });
    let bundle = |content: &str, encoding: &str| {
        let file =
            serde_json::json!({"path": "index.js", "content": content, "encoding": encoding});
        let text = serde_json::json!({"manifest": manifest, "files": [file]}).to_string();
        let document = Document::parse(text.as_bytes(), &options.limits).unwrap();
        let report = jumith::Bundle::check(&document, &jumith::ExpectedBundle::default(), &options);
        assert!(report.is_valid() && !said(&report, &text).contains(&token[token.len() - 16..]));
        let found = report.diagnostics.iter();
        found.map(|d| (d.rule.code, d.pointer.to_string())).collect::<Vec<_>>()
    };
    let code = format!("const x = 1;\nfetch(url, {{ headers: {{ a: '{token}' }} }});\n");
    let packed = jumith::bundle::pack(
        Document::parse(b"{}", &options.limits).unwrap().root(),
        &[("a".to_owned(), [code.as_bytes(), b"\0"].concat())],
    );
    let packed: serde_json::Value = serde_json::from_str(&packed).unwrap();
    let base64 = packed["files"][0]["content"].as_str().unwrap().to_owned();
    let expected = [("jumith/secret", "/files/0/content".to_owned())];
    assert_eq!(bundle(&code, "utf8"), expected);
    assert_eq!(bundle(&base64, "base64"), expected);
    assert_eq!(bundle("export default {}", "utf8"), []);

    let result =
        serde_json::json!({"id": "tool:x", "name": "x", "version": "1.0.0", "summary": token});
    let page = serde_json::json!({"results": [result], "total": 1}).to_string();
    let document = Document::parse(page.as_bytes(), &options.limits).unwrap();
    let report = jumith::SearchResults::check(&document, &options);
    let codes: Vec<_> = report.diagnostics.iter().map(|d| d.rule.code).collect();
    assert_eq!(codes, ["jumith/secret"]);
}

/// X02: in tests, examples and whatever else is in a package, but not in signatures.
#[test]
fn in_files_of_packages() {
    use mcpkg::archive::Entry;
    use mcpkg::package::{CheckOptions, Package};
    let token = value::secret(&mut Rng::new(5));
    let manifest = r#"{
        "toolId": "acme.demo.echo", "name": "Echo", "version": "1.0.0", "description": "Echoes.",
        "capabilities": ["echo"], "input_schema": {"type": "object"},
        "output_schema": {"type": "object"}, "tests": ["tests/a.test.json"],
        "endpoint": {"type": "http", "method": "POST", "url": "https://acme.example/echo"},
        "examples": ["examples/a.md"], "meta": {"publisher": {"id": "acme", "name": "Acme"}}
    }"#;
    let case = |input: &str| {
        let input = serde_json::json!({"token": input});
        let assertions = serde_json::json!([{"path": "$.a", "exists": true}]);
        serde_json::json!({"name": "a", "input": input, "assertions": assertions}).to_string()
    };
    let test = case("x");
    let found = |name: &str, text: &str| {
        let mut files = vec![
            ("manifest.json", manifest),
            ("tests/a.test.json", test.as_str()),
            ("examples/a.md", "# A"),
        ];
        files.retain(|(file, _)| *file != name);
        files.push((name, text));
        let entries = files.iter().map(|(name, text)| Entry::new(*name, text.as_bytes()));
        let package = Package::new(entries.collect()).unwrap();
        let findings = package.check(&CheckOptions::default());
        let secrets = findings.iter().filter(|(_, found)| found.rule.code == "mcpkg/secret");
        let files: Vec<_> = secrets.map(|(file, _)| file.to_owned()).collect();
        assert!(!format!("{findings:?}").contains(&token[token.len() - 16..]), "{name}");
        files
    };
    assert!(found("README.md", "# Echo").is_empty());
    assert_eq!(found("README.md", &format!("# Echo\n\nSet KEY to {token}\n")), ["README.md"]);
    assert_eq!(found("examples/a.md", &token), ["examples/a.md"]);
    assert_eq!(found("tests/a.test.json", &case(&token)), ["tests/a.test.json"]);
    assert_eq!(found("openapi.json", &format!("{{\"x\": {token:?}}}")), ["openapi.json"]);
    assert!(found("meta/signature.sig", &token).is_empty());
}
