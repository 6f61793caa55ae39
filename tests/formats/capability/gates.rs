//! Policy, registries, plans and ranking.

use std::time::Duration;

use call::{Answer, FailureKind, Next, Outcome, Step};
use capability::registries::{self, RegistryKind};
use capability::resolve::{MatchSource, resolve};
use capability::run;
use capability::{Catalog, CatalogEntry, Channel, Layer, Layers, Policy};
use manifest_core::descriptor::{Filesystem, Trust};
use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use serde_json::{Value, json};

fn manifest(changes: &[(&str, Value)]) -> Value {
    let mut value = json!({
        "id": "demo.echo", "type": "tool", "version": "1.0.0", "description": "Says it again.",
        "origin": {"source": "local", "path": ".", "digest": "a1".repeat(32)},
        "interfaces": {"inputs": {"type": "object"}, "outputs": {"type": "object"}},
        "permissions": {"network": "deny", "filesystem": "none", "devices": []},
        "runtime": {"sandbox": "process", "resources": {"cpu": "default", "memory": "default"}},
        "trust_level": "local",
        "implementation": {"kind": "command", "command": {"argv": ["echo", "hi"]}}
    });
    for (name, change) in changes {
        let (parent, name) = name.rsplit_once('/').unwrap();
        value.pointer_mut(parent).unwrap()[name] = change.clone();
    }
    value
}

fn entry(changes: &[(&str, Value)]) -> CatalogEntry {
    CatalogEntry::parse(&manifest(changes).to_string(), &ValidateOptions::default()).unwrap()
}

fn with_network(list: &[&str]) -> CatalogEntry {
    entry(&[
        ("/permissions/network", "allowlist".into()),
        ("/permissions/network_allowlist", json!(list)),
    ])
}

#[test]
fn run_is_denied_by_default() {
    let denied = |changes: &[(&str, Value)], policy: &Policy| {
        let entry = entry(changes);
        let planned = run::plan(&entry, "{}", Channel::Programmatic, policy);
        planned.map_or_else(|denial| denial.rule.code, |_| "")
    };
    let policy = Policy::default();
    let cases: [(&[(&str, Value)], &str); 9] = [
        (&[], ""),
        (&[("/trust_level", "community".into())], "capability/policy-trust"),
        (&[("/trust_level", "untrusted".into())], "capability/policy-trust"),
        (&[("/enabled", false.into())], "capability/policy-disabled"),
        (&[("/requires_oauth", true.into())], "capability/policy-oauth"),
        (&[("/execution", json!({"channel": "vdi_vpn"}))], "capability/policy-channel"),
        (&[("/permissions/filesystem", "read".into())], "capability/policy-filesystem"),
        (&[("/permissions/devices", json!(["camera"]))], "capability/policy-device"),
        (
            &[(
                "/implementation",
                json!({"kind": "a2a_rpc", "a2a": {"endpoint": "https://a.example/"}}),
            )],
            "capability/policy-network",
        ),
    ];
    for (changes, code) in cases {
        assert_eq!(denied(changes, &policy), code, "{changes:?}");
    }
    let generous = Policy {
        trust: [Trust::Community].into(),
        filesystem: Filesystem::Write,
        devices: ["camera".to_owned()].into(),
        ..Policy::default()
    };
    let changes = [
        ("/trust_level", json!("community")),
        ("/permissions/filesystem", json!("read")),
        ("/permissions/devices", json!(["camera"])),
        ("/requires_oauth", json!(true)),
        ("/secrets", json!([{"name": "oauth_google", "ref": "secret://oauth/google/x"}])),
    ];
    assert_eq!(denied(&changes, &generous), "");
    let mut silent = manifest(&[]);
    silent.as_object_mut().unwrap().remove("implementation");
    let silent = CatalogEntry::parse(&silent.to_string(), &ValidateOptions::default()).unwrap();
    let unsaid = run::plan(&silent, "{}", Channel::Programmatic, &policy);
    assert_eq!(unsaid.unwrap_err().rule.code, "capability/policy-implementation");
    let elsewhere = run::plan(&entry(&[]), "{}", Channel::VdiVpn, &policy).unwrap_err();
    let told = "the capability declares the channel programmatic [capability/policy-channel]";
    assert_eq!(elsewhere.to_string(), told);
    let nothing = Layers::default();
    let undeclared = run::plan_by_id(&nothing, "x", "{}", Channel::Programmatic, &policy);
    assert_eq!(undeclared.unwrap_err().rule.code, "capability/policy-undeclared");
}

/// Entry of the list, URL, and whether a request may go there.
const DESTINATIONS: &[(&str, &str, bool)] = &[
    ("api.example.com", "https://api.example.com/x", true),
    ("api.example.com", "https://API.EXAMPLE.COM/x", true),
    ("api.example.com", "https://api.example.com./x", false),
    ("API.example.com.", "https://api.example.com", true),
    ("api.example.com", "https://api.example.com:443/", true),
    ("api.example.com", "https://api.example.com:8443/", false),
    ("api.example.com:8443", "https://api.example.com:8443/", true),
    ("api.example.com:8443", "https://api.example.com/", false),
    ("api.example.com", "https://evil.com/?api.example.com", false),
    ("api.example.com", "https://api.example.com.evil.com/", false),
    ("api.example.com", "https://sub.api.example.com/", false),
    ("api.example.com", "https://api.example.com@evil.com/", false),
    ("api.example.com", "https://u:p@api.example.com/", false),
    ("api.example.com", "http://api.example.com/", false),
    ("api.example.com", "ftp://api.example.com/", false),
    ("example.com", "https://notexample.com/", false),
    ("*.example.com", "https://a.example.com/", true),
    ("*.example.com", "https://a.b.example.com/", true),
    ("*.example.com", "https://example.com/", false),
    ("*.example.com", "https://.example.com/", false),
    ("*.example.com", "https://notexample.com/", false),
    ("*.com", "https://example.com/", false),
    ("*", "https://example.com/", false),
    ("", "https://example.com/", false),
    ("https://example.com", "https://example.com/any/path?q", true),
    ("https://example.com", "https://example.com.evil.com/", false),
    ("https://example.com", "https://example.company/", false),
    ("https://example.com/v1", "https://example.com/v1/x", true),
    ("https://example.com/v1", "https://example.com/v1", true),
    ("https://example.com/v1", "https://example.com/v1?q=1", true),
    ("https://example.com/v1", "https://example.com/v10", false),
    ("https://example.com/v1/", "https://example.com/v1/x", true),
    ("https://example.com/v1/", "https://example.com/v1/../admin", false),
    ("https://example.com/v1/", "https://example.com/v1/%2e%2e/admin", false),
    ("https://example.com/v1/", "https://example.com/v1/..%2fadmin", false),
    ("https://example.com/v1/", "https://example.com/v1/%252e%252e/admin", false),
    ("HTTPS://Example.com/v1/", "https://example.com/v1/x", true),
    ("https://example.com:444/", "https://example.com/", false),
    ("http://example.com/", "https://example.com/", false),
    ("93.184.216.34", "https://93.184.216.34/", true),
    ("93.184.216.34", "https://0x5d.184.216.34/", true),
    ("[2606:2800:220:1::1]", "https://[2606:2800:0220:0001::1]/", true),
    ("*.216.34", "https://93.184.216.34/", false),
    // Strangers write allow-lists: private networks stay closed.
    ("127.0.0.1", "https://127.0.0.1/", false),
    ("localhost", "https://localhost/", false),
    ("169.254.169.254", "https://169.254.169.254/latest/meta-data/", false),
    ("2130706433", "https://2130706433/", false),
    ("[::1]", "https://[::1]/", false),
    ("[::ffff:127.0.0.1]", "https://[::ffff:127.0.0.1]/", false),
    ("metadata.google.internal", "https://metadata.google.internal/", false),
    // More than one spelling, so none is taken.
    ("exämple.com", "https://exämple.com/", false),
];

#[test]
fn requests_go_only_where_the_list_allows() {
    let policy = Policy::default();
    for (listed, url, expected) in DESTINATIONS {
        let entry = with_network(&[listed]);
        let decision = policy.may_connect(entry.manifest(), url);
        assert_eq!(decision.is_ok(), *expected, "{listed} {url}: {decision:?}");
    }
    let private = Policy { private_network: true, insecure: true, ..Policy::default() };
    let local = with_network(&["localhost:8080"]);
    assert!(private.may_connect(local.manifest(), "http://localhost:8080/").is_ok());
    assert!(private.may_connect(local.manifest(), "http://localhost/").is_err());
    let denied = policy.may_connect(entry(&[]).manifest(), "https://example.com/").unwrap_err();
    assert_eq!(denied.reason, "network denied by capability permissions");
}

#[test]
fn plans_say_all_that_a_host_must_know() {
    let policy = Policy::default();
    let block = |kind: &str, name: &str, block: Value| json!({"kind": kind, name: block});
    let timeout = |value: Value| {
        let entry = entry(&[("/runtime/timeout_seconds", value)]);
        let run = run::plan(&entry, "{}", Channel::Programmatic, &policy).unwrap();
        Duration::from_millis(run.plan.timeout_ms.unwrap()).as_secs_f64()
    };
    for (seconds, expected) in
        [(json!(0), 30.0), (json!(0.5), 0.5), (json!(301), 300.0), (json!(1e300), 300.0)]
    {
        assert!((timeout(seconds) - expected).abs() < f64::EPSILON);
    }
    let python =
        entry(&[("/implementation", block("python", "python", json!({"callable": "a.b:c"})))]);
    let run = run::plan(&python, "{}", Channel::Programmatic, &policy).unwrap();
    let Step::Python(module) = &run.plan.step else { panic!("a function") };
    assert_eq!((module.module.as_str(), module.exports.as_slice()), ("a.b", &["c".to_owned()][..]));
    let command = entry(&[]);
    let run = run::plan(&command, "{}", Channel::Programmatic, &policy).unwrap();
    let Step::Run(program) = &run.plan.step else { panic!("a program") };
    assert_eq!(program.inherit, ["LANG", "LC_ALL", "TZ"]);

    let mcp = json!({"registry_url": "https://r.example/", "tool_name": "t", "server_id": "s"});
    let listed = [
        ("/permissions/network", json!("allowlist")),
        ("/permissions/network_allowlist", json!(["r.example"])),
        ("/implementation", block("mcp_tool", "mcp", mcp.clone())),
    ];
    let listed = entry(&listed);
    let run = run::plan(&listed, "{}", Channel::Programmatic, &policy).unwrap();
    let Step::Send(request) = &run.plan.step else { panic!("a request") };
    assert_eq!((request.method.as_str(), &request.url), ("GET", &"https://r.example/".into()));

    // The registry names a server: the manifest and the policy have to allow that, too.
    let limits = Limits::default();
    let answered =
        |servers: &Value| Outcome::Responded { status: 200, body: servers.to_string().into() };
    let server = |url: &str| json!([{"id": "s", "base_url": url, "tools": []}]);
    let next = |url: &str| run.next(&answered(&server(url)), &policy, &limits);
    let Ok(Next::Go(call)) = next("https://r.example/mcp") else { panic!("a call") };
    let Step::Send(request) = &call.step else { panic!("a request") };
    assert_eq!(request.url, "https://r.example/mcp/tools/t".into());
    let Ok(Next::Done(Err(refused))) = next("https://evil.example") else { panic!("refused") };
    assert!(
        matches!(refused.reason, FailureKind::Output(found) if found[0].rule.code == "call/network")
    );
    assert_eq!(next("http://r.example").unwrap_err().rule.code, "capability/policy-destination");

    let outcome = |status, body: &str| Outcome::Responded { status, body: body.into() };
    let judged = |outcome: Outcome| match call.next(&outcome, &limits) {
        Next::Done(answer) => answer,
        Next::Go(plan) => panic!("{plan:?}"),
    };
    assert_eq!(judged(outcome(200, " {\"a\": 1e2} ")), Ok(Answer::Json("{\"a\": 1e2}".into())));
    assert_eq!(judged(outcome(503, "")).unwrap_err().reason, FailureKind::Status(503));
    assert!(matches!(judged(outcome(200, "oops")).unwrap_err().reason, FailureKind::Output(_)));
}

fn open(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::for_catalog()).unwrap()
}

/// Row C04 of the catalogue of attacks.
#[test]
fn registries_are_strangers() {
    let url = "https://registry.example/index.json";
    let nobody = Policy::default();
    assert_eq!(
        registries::fetch_index(url, &nobody).unwrap_err().rule.code,
        "capability/policy-destination"
    );
    let policy = Policy { egress: vec!["registry.example".to_owned()], ..Policy::default() };
    assert_eq!(registries::fetch_index(url, &policy).unwrap().request.url, url.into());
    assert!(registries::fetch_index("http://registry.example/", &policy).is_err());
    let plain = Policy { insecure: true, ..policy.clone() };
    assert!(registries::fetch_index("http://registry.example/", &plain).is_err(), "https only");

    let index = json!({"items": [
        {"manifest": manifest(&[("/trust_level", "verified".into())])},
        {"manifest": {"id": "broken"}},
        {"nothing": 1},
    ]})
    .to_string();
    let document = open(&index);
    let read = |policy: &Policy| {
        registries::read_index(&document, url, policy, &ValidateOptions::default()).unwrap()
    };
    let (found, report) = read(&policy);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].trust, found[0].registry), (Trust::Untrusted, RegistryKind::Http));
    let codes: Vec<_> = report.diagnostics.iter().map(|d| d.rule.code).collect();
    assert!(codes.contains(&"capability/trust-claim") && codes.contains(&"capability/index-entry"));
    // What is installed has the trust that it has, not the one that it claims.
    assert_eq!(found[0].to_entry().unwrap().manifest().trust_level, Trust::Untrusted);

    let known =
        Policy { verified_registries: vec!["https://registry.example/".to_owned()], ..policy };
    assert_eq!(read(&known).0[0].trust, Trust::Verified);
    assert_eq!(known.effective_trust(url, Trust::Local), Trust::Verified);
    assert_eq!(
        known.effective_trust("https://registry.example.evil/", Trust::Local),
        Trust::Untrusted
    );
}

/// Rows C05 and D10 of the catalogue of attacks.
#[test]
fn what_is_fetched_is_what_the_index_pins() {
    let url = "https://registry.example/index.json";
    let policy = Policy { egress: vec!["registry.example".to_owned()], ..Policy::default() };
    let remote = manifest(&[("/description", "Says it – again.".into())]).to_string();
    let pin = capability::digest(open(&remote).root());
    let index = json!([{
        "manifest_url": "https://registry.example/echo.json",
        "candidate_manifest": manifest(&[("/origin/digest", format!("sha256:{pin}").into())]),
    }])
    .to_string();
    let document = open(&index);
    let (found, _) =
        registries::read_index(&document, url, &policy, &ValidateOptions::default()).unwrap();
    let candidate = &found[0];
    assert_eq!(candidate.registry, RegistryKind::HttpRemote);
    assert!(candidate.to_entry().is_none(), "nothing to install before it is fetched");
    let fetch = registries::fetch_manifest(candidate, &policy).unwrap().unwrap();
    assert_eq!(fetch.request.url, "https://registry.example/echo.json".into());
    assert!(registries::fetch_manifest(candidate, &Policy::default()).is_err());

    // Another spelling of the same value has the same digest.
    let spelled = remote.replace('–', "\\u2013").replace("{\"", "{ \"");
    for bytes in [&remote, &spelled] {
        let accepted =
            registries::check_fetched(candidate, bytes.as_bytes(), &ValidateOptions::default())
                .unwrap();
        assert_eq!(accepted.trust, Trust::Untrusted);
        assert!(accepted.to_entry().is_some());
    }
    let changed = remote.replace("again", "never");
    let refused =
        registries::check_fetched(candidate, changed.as_bytes(), &ValidateOptions::default())
            .unwrap_err();
    assert_eq!(refused.diagnostics[0].rule.code, "capability/digest-mismatch");
}

#[test]
fn ranked_as_the_reference_ranks() {
    let named = |id: &str, description: &str, trust: &str| {
        entry(&[
            ("/id", id.into()),
            ("/description", description.into()),
            ("/trust_level", trust.into()),
        ])
    };
    let base: Catalog =
        [named("demo.echo", "Says it again.", "local"), named("files", "Echo files", "verified")]
            .into_iter()
            .collect();
    let layers = Layers::new(base, Catalog::default());
    let shipped =
        json!([manifest(&[("/id", "echo.remote".into())]), manifest(&[("/id", "other".into())])])
            .to_string();
    let shipped = open(&shipped);
    let (mut candidates, _) =
        registries::read_static(&shipped, &ValidateOptions::default()).unwrap();
    let index = json!([{"manifest": manifest(&[("/id", "echo.http".into())])}]).to_string();
    let index = open(&index);
    let url = "https://registry.example/";
    let (more, _) =
        registries::read_index(&index, url, &Policy::default(), &ValidateOptions::default())
            .unwrap();
    candidates.extend(more);

    let found = resolve("Echo", &layers, &candidates);
    let ranks: Vec<_> =
        found.iter().map(|found| (found.entry.id(), found.score.points())).collect();
    assert_eq!(
        ranks,
        [("demo.echo", 14.75), ("files", 12.0), ("echo.remote", 4.75), ("echo.http", 2.25)]
    );
    assert_eq!(found[0].source, MatchSource::Catalog(Layer::Base));
    let digest = found[0].entry.digest();
    assert_eq!(found[0].candidate_id, format!("demo.echo@1.0.0:catalog:{}", &digest[..16]));
    assert!(resolve("", &layers, &candidates).is_empty());
}

/// An intent of several words fits in any order; the reference takes it as one text, and gives
/// what holds that text the same points.
#[test]
fn the_order_of_words_does_not_matter() {
    let named = |id: &str, description: &str| {
        entry(&[("/id", id.into()), ("/description", description.into())])
    };
    let catalog: Catalog = [
        named("files.count", "Counts files."),
        named("mail", "Send mail now, to anybody."),
        named("folders.list", "Shows names."),
    ]
    .into_iter()
    .collect();
    let layers = Layers::new(catalog, Catalog::default());
    let found = |intent: &str| {
        let found = resolve(intent, &layers, []);
        found.iter().map(|one| (one.entry.id(), one.score.points())).collect::<Vec<_>>()
    };
    // Ten for being declared, five for the id, two for the description, a quarter less for local.
    let counted = [("files.count", 16.75)];
    for intent in ["count files", "files count", "  Count   FILES ", "count count files"] {
        assert_eq!(found(intent), counted, "{intent}");
    }
    assert_eq!(found("send mail"), [("mail", 11.75)]);
    assert_eq!(found("mail now send"), [("mail", 11.75)]);
    // Some words in the id, the others in the description.
    assert_eq!(found("names list"), [("folders.list", 11.75)]);
    assert_eq!(found("count folders"), []);
    assert_eq!(found("count files now"), []);
}
