//! Choosing an implementation for a host.

use std::collections::BTreeMap;

use manifest_core::Limits;
use manifest_core::json::Document;
use mcpkg::Manifest;
use mcpkg::fit::{chain_fit, fit};
use mcpkg::select::{Criteria, Host, Selection, Software, select};

const PDF: &str = include_str!("../../fixtures/mcpkg/spec/10_manifest.json");

fn choose(text: &str, host: &Host) -> Selection {
    let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
    select(&Manifest::read(&document), host, &Limits::default())
}

fn ids(selection: &Selection) -> Vec<&str> {
    selection.ranked.iter().map(|candidate| candidate.id.as_deref().unwrap()).collect()
}

/// Why the only implementation, with these members, does not fit.
fn reasons(members: &str, host: &Host) -> Vec<String> {
    let text = format!(
        r#"{{"implementations": [{{"endpoint": {{"type": "local", "command": "x"}}, {members}}}]}}"#
    );
    let selection = choose(&text, host);
    let refused = selection.refused.iter();
    refused.flat_map(|candidate| &candidate.reasons).map(ToString::to_string).collect()
}

fn linux() -> Host {
    Host {
        platform: Some("linux-x64".to_owned()),
        runtimes: vec![
            Software::new("node", "v20.11.1"),
            Software::new("python", "3.11.7"),
            Software::new("dotnet", "8.0.4"),
        ],
        python_packages: vec![Software::new("pymupdf", "1.24.0")],
        ..Host::default()
    }
}

#[test]
fn the_example_of_the_specification() {
    assert_eq!(ids(&choose(PDF, &linux())), ["node-pdfjs", "dotnet-itext", "python-pymupdf"]);
    let python = Host { languages: vec!["Python".to_owned()], ..linux() };
    assert_eq!(ids(&choose(PDF, &python)), ["python-pymupdf"]);
    let mac = Host { platform: Some("darwin-arm64".to_owned()), ..linux() };
    assert_eq!(ids(&choose(PDF, &mac)), ["node-pdfjs", "python-pymupdf"]);
    let bare = choose(PDF, &Host { platform: Some("linux-x64".to_owned()), ..Host::default() });
    assert!(bare.best().is_none());
    assert_eq!(bare.refused.len(), 3, "all are accounted for");
    assert!(bare.refused.iter().all(|candidate| !candidate.reasons.is_empty()));
    let old = Host { runtimes: vec![Software::new("node", "16.20.0")], ..linux() };
    let refused = choose(PDF, &old).refused;
    let shown: Vec<_> = refused[0].reasons.iter().map(ToString::to_string).collect();
    assert_eq!(shown, ["there is no \"node\" of version at least \"18.0.0\""]);
}

#[test]
fn a_platform_that_is_named_comes_first() {
    let text = r#"{"implementations": [
        {"id": "any", "endpoint": {"type": "local", "command": "x"}},
        {"id": "other", "platforms": ["win-x64"], "endpoint": {"type": "local", "command": "x"}},
        {"id": "exact", "platforms": ["linux-x64"], "endpoint": {"type": "local", "command": "x"}}
    ]}"#;
    let selection = choose(text, &linux());
    assert_eq!(ids(&selection), ["exact", "any"]);
    assert_eq!(
        selection.refused[0].reasons[0].to_string(),
        "the platform is not one of those listed"
    );
}

#[test]
fn runtimes_are_matched_by_name_and_version() {
    let fits = |runtime: &str| reasons(&format!(r#""runtime": "{runtime}""#), &linux()).is_empty();
    for runtime in
        ["node", "Node", "nodejs", "node20", "python", "python3", "python3.11", "net8.0", "dotnet"]
    {
        assert!(fits(runtime), "{runtime}");
    }
    for runtime in
        ["deno", "node18", "node2", "python3.1", "python3.12", "net9.0", "net6.0", "browser", ""]
    {
        assert!(!fits(runtime), "{runtime}");
    }
    let browser = Host {
        runtimes: vec![Software { name: "browser".to_owned(), version: None }],
        ..Host::default()
    };
    assert_eq!(reasons(r#""runtime": "browser", "platforms": ["browser"]"#, &browser), [""; 0]);
}

#[test]
fn every_requirement_is_met_or_named() {
    let host = Host {
        tools: vec![
            Software::new("ffmpeg", "6.1.1"),
            Software { name: "git".to_owned(), version: None },
        ],
        ..linux()
    };
    let check = |requirements: &str| reasons(&format!(r#""requirements": {requirements}"#), &host);
    for met in [
        "{}",
        r#"{"minNodeVersion": "18.0.0"}"#,
        r#"{"minNodeVersion": "20.11"}"#,
        r#"{"minPythonVersion": "3.9", "maxPythonVersion": "3.11.7"}"#,
        r#"{"minDotnetVersion": "8.0"}"#,
        r#"{"tools": ["ffmpeg", "git", "ffmpeg>=6.0"]}"#,
        r#"{"gpu": false}"#,
    ] {
        assert_eq!(check(met), [""; 0], "{met}");
    }
    for (requirements, reason) in [
        (r#"{"minNodeVersion": "20.12"}"#, "there is no \"node\" of version at least \"20.12\""),
        (r#"{"maxPythonVersion": "3.10"}"#, "there is no \"python\" of version at most \"3.10\""),
        (r#"{"minRubyVersion": "3.0"}"#, "there is no \"ruby\" of version at least \"3.0\""),
        (r#"{"minNodeVersion": 18}"#, "the requirement \"minNodeVersion\" is not understood"),
        (r#"{"minNodeVersion": "new"}"#, "the requirement \"minNodeVersion\" is not understood"),
        (r#"{"tools": ["ffmpeg>=7"]}"#, "there is no program \"ffmpeg>=7\""),
        (r#"{"tools": ["git>=2"]}"#, "there is no program \"git>=2\""),
        (r#"{"tools": "ffmpeg"}"#, "the requirement \"tools\" is not understood"),
        (r#"{"gpu": true}"#, "there is no GPU"),
        (r#"{"gpu": "yes"}"#, "the requirement \"gpu\" is not understood"),
        (r#"{"minMemoryGb": 4}"#, "the requirement \"minMemoryGb\" is not understood"),
        (r#"{"packages": ["x"]}"#, "it is not known whose package \"x\" is"),
    ] {
        assert_eq!(check(requirements), [reason], "{requirements}");
    }
}

#[test]
fn unknown_requirements_are_accepted_only_on_request_and_last() {
    let text = r#"{"implementations": [
        {"id": "odd", "requirements": {"moon": "full"}, "endpoint": {"type": "local", "command": "x"}},
        {"id": "plain", "endpoint": {"type": "local", "command": "x"}}
    ]}"#;
    assert_eq!(ids(&choose(text, &linux())), ["plain"]);
    let selection = choose(text, &Host { accept_unknown: true, ..linux() });
    assert_eq!(ids(&selection), ["plain", "odd"]);
    assert_eq!(selection.ranked[1].reasons.len(), 1, "it is still said");
}

#[test]
fn python_packages_follow_pep_440() {
    let host = |version: &str| Host {
        python_packages: vec![Software::new("Foo.Bar", version)],
        ..Host::default()
    };
    let check = |package: &str, version: &str| {
        let members =
            format!(r#""language": "python", "requirements": {{"packages": ["{package}"]}}"#);
        reasons(&members, &host(version)).into_iter().next()
    };
    for (package, version) in [
        ("foo-bar", "1.0"),
        ("foo_bar>=1.23.0", "1.23"),
        ("foo-bar ~= 2.2", "2.9.1"),
        ("foo-bar==1.*", "1.7"),
        ("foo-bar>=1,<2,!=1.5", "1.4.post1"),
        ("foo-bar>=1.0", "1!0.1"),
    ] {
        assert_eq!(check(package, version), None, "{package} {version}");
    }
    for (package, version) in [
        ("foo-bar>=1.23.0", "1.22.9"),
        ("foo-bar~=2.2", "3.0"),
        ("foo-bar!=1.5", "1.5"),
        ("foo-bar>=2", "2.0rc1"),
        ("foo", "1.0"),
    ] {
        let reason = check(package, version).unwrap();
        assert!(reason.ends_with("is not installed"), "{package} {version}: {reason}");
    }
    for package in [
        "foo-bar[extra]",
        "foo-bar; os_name == 'nt'",
        "",
        ">=1",
        "foo-bar>=",
        "foo-bar @ file:///x",
    ] {
        let reason = check(package, "1.0").unwrap();
        assert!(reason.ends_with("is not understood"), "{package}: {reason}");
    }
}

#[test]
fn node_packages_follow_npm() {
    let host = |version: &str| Host {
        node_packages: vec![Software::new("pdfjs-dist", version), Software::new("@a/b", version)],
        ..Host::default()
    };
    let check = |package: &str, version: &str| {
        let members =
            format!(r#""runtime": "node", "requirements": {{"packages": ["{package}"]}}"#);
        let found = reasons(&members, &Host { runtimes: linux().runtimes, ..host(version) });
        found.into_iter().next()
    };
    for (package, version) in [
        ("pdfjs-dist", "4.0.0"),
        ("pdfjs-dist@^4.0.0", "4.9.1"),
        ("pdfjs-dist@~4.1", "4.1.9"),
        ("pdfjs-dist@>=3 <5 || 7.x", "7.1.0"),
        ("@a/b@1 - 2", "2.9.0"),
        ("@a/b", "1.0.0"),
    ] {
        assert_eq!(check(package, version), None, "{package} {version}");
    }
    for (package, version) in
        [("pdfjs-dist@^4.0.0", "5.0.0"), ("pdfjs-dist@^4.0.0", "4.1.0-rc.1"), ("other", "1.0.0")]
    {
        assert!(check(package, version).unwrap().ends_with("is not installed"), "{package}");
    }
    for package in ["pdfjs-dist@latest", "", "a b", "pdfjs-dist@file:../x"] {
        assert!(check(package, "4.0.0").unwrap().ends_with("is not understood"), "{package}");
    }
    let long = format!("pdfjs-dist@{}", ">1 ".repeat(1000));
    assert!(check(&long, "4.0.0").unwrap().ends_with("is not understood"));
}

/// What is chosen is what is called: with its own credential and its own time.
#[test]
fn the_chosen_implementation_is_called() {
    use call::{Grant, HostFacts, Policy, Step};
    use mcpkg::FORMAT;

    let text = r#"{"toolId": "a.b", "implementations": [
        {"id": "net", "runtime": "net8.0", "endpoint": {"type": "local", "command": "dotnet a"}},
        {"id": "node", "runtime": "node",
         "endpoint": {"type": "local", "command": "node b.js", "timeoutMs": 70}},
        {"id": "web", "runtime": "browser",
         "endpoint": {"type": "http", "method": "POST", "url": "https://a.example/"}}],
        "auth": {"type": "bearer", "configHints": {"env": ["KEY"]}}}"#;
    let limits = Limits::default();
    let document = Document::parse(text.as_bytes(), &limits).unwrap();
    let tool = FORMAT.lift_valid(&document, 0).tools.remove(0);
    let policy = Policy { grants: [Grant::Approved].into(), ..Policy::default() };
    let plan = |host: &Host| {
        let implementation = choose(text, host).best().map(|best| best.index);
        assert!(implementation.is_some());
        let facts = HostFacts { has_value: &|_| true, implementation, ..HostFacts::new(&policy) };
        call::plan(&tool, &(FORMAT.contract)(&tool), "{}", &facts, &limits).ready().unwrap()
    };
    let node = Host { runtimes: vec![Software::new("node", "20.0.0")], ..Host::default() };
    let made = plan(&node);
    let Step::Run(program) = made.step else { panic!("a program") };
    assert_eq!(program.argv, ["node".into(), "b.js".into(), "{}".into()]);
    assert_eq!(made.timeout_ms, Some(70));

    let browser = Host { runtimes: vec![Software::new("browser", "1.0")], ..Host::default() };
    let Step::Send(request) = plan(&browser).step else { panic!("a request") };
    assert_eq!(request.headers[0].0, "Authorization");
    assert_eq!(request.headers[0].1.to_string(), "Bearer ${KEY}");
}

/// Sections 11.6 and 12: tools and chains are scored by how they fit the machine.
#[test]
fn what_was_made_for_a_machine_fits_it_best() {
    let of = |text: &str, host: &Host| {
        let document = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
        fit(&Manifest::read(&document), host, &Limits::default())
    };
    let one = |members: &str| {
        format!(r#"{{"implementations": [{{"endpoint": {{}}, "runtime": "node" {members}}}]}}"#)
    };
    let (cpu, gpu) = (linux(), Host { gpu: true, ..linux() });
    let anywhere = of(&one(""), &cpu);
    assert!(anywhere > 0.0 && anywhere < 1.0);
    assert!((of("{}", &cpu) - anywhere).abs() < 1e-9, "a tool over HTTP fits any machine");
    let exact = |text: &str, host: &Host| of(text, host).to_string();
    assert_eq!(exact(&one(r#", "platforms": ["linux-x64"]"#), &cpu), "1");
    assert_eq!(exact(&one(r#", "platforms": ["win-x64"]"#), &cpu), "0");
    let accelerated = one(r#", "requirements": {"gpu": true}"#);
    assert_eq!(exact(&accelerated, &cpu), "0", "there is no GPU");
    assert_eq!(exact(&accelerated, &gpu), "1", "it was made for one");

    let chain = |steps: &[&str]| {
        let steps: Vec<_> = steps.iter().map(|id| format!(r#"{{"tool": "{id}"}}"#)).collect();
        format!(r#"{{"chain": [{}]}}"#, steps.join(","))
    };
    let texts = [chain(&["a", "b"]), chain(&["a"]), chain(&["inner", "a"]), chain(&["a", "none"])];
    let documents =
        texts.each_ref().map(|text| Document::parse(text.as_bytes(), &Limits::default()).unwrap());
    let [both, first, nested, unknown] = documents.each_ref().map(Manifest::read);
    let plain = Manifest::default();
    let known =
        BTreeMap::from([("a", (&plain, 1.0)), ("b", (&plain, 0.0)), ("inner", (&both, 1.0))]);
    let fits = [&first, &both, &nested, &unknown].map(|one| chain_fit(one, &known).to_string());
    assert_eq!(fits, ["1", "0", "0", "0"], "as the worst of its steps");
}

/// Section 13: registries are searched by platform, too.
#[test]
fn tools_are_found_by_platform() {
    let document = Document::parse(PDF.as_bytes(), &Limits::default()).unwrap();
    let tool = Manifest::read(&document);
    let finds = |language: Option<&str>, platform: &str| {
        let (language, platform) = (language.map(str::to_owned), Some(platform.to_owned()));
        Criteria { language, platform, ..Criteria::default() }.matches(&tool)
    };
    assert!(finds(None, "linux-x64") && finds(Some("python"), "darwin-arm64"));
    assert!(!finds(Some("python"), "win-x64"), "one implementation must have both");
    assert!(!finds(None, "linux-arm64"));
    let anywhere = Criteria { platform: Some("linux-arm64".to_owned()), ..Criteria::default() };
    assert!(anywhere.matches(&Manifest::default()), "what is no program fits all");
}
