//! Targets of the engines: packages, bundles, catalogs, chains, calls and registries.

use std::time::Duration;

use toolglot::call::{self, End, HostFacts, Judge, Outcome, Policy};
use toolglot::core::path::{PathLimits, check_portable, collision_key};
use toolglot::json::Document;
use toolglot::mcpkg::archive::{read, write};
use toolglot::mcpkg::chain::{ChainAction, ChainOptions, ChainRun};
use toolglot::mcpkg::package::{CheckOptions, Package};
use toolglot::mcpkg::testing::{TestCase, TestOptions, TestRun};
use toolglot::{
    Limits, Profile, ValidateOptions, capability, install_engine, install_manifest, jumith, mcpkg,
};

use super::text::presentable;

/// Archives: what is read has safe names, each once, and is the same after writing.
pub fn archive(data: &[u8]) {
    let limits = Limits::default();
    let Ok(archive) = read(data, &limits) else { return };
    let mut keys: Vec<String> = Vec::new();
    for entry in &archive.entries {
        check_portable(entry.name.trim_end_matches('/'), &PathLimits::default())
            .expect("a safe name");
        keys.push(collision_key(&entry.name));
    }
    keys.sort();
    assert!(keys.windows(2).all(|pair| pair[0] != pair[1]), "{keys:?}");
    let written = write(&archive.entries, &limits).expect("an archive");
    let again = read(&written, &limits).expect("the archive again");
    let files = |entries: &[mcpkg::archive::Entry<'_>]| {
        let mut files: Vec<_> = entries
            .iter()
            .filter(|entry| !entry.name.ends_with('/'))
            .map(|entry| (entry.name.to_string(), entry.data.to_vec()))
            .collect();
        files.sort();
        files
    };
    assert_eq!(files(&archive.entries), files(&again.entries));
    if let Ok(package) = Package::read(data, &limits) {
        let options = CheckOptions { now: Some(0), ..CheckOptions::default() };
        for (file, found) in package.check(&options).iter() {
            presentable(found, package.file(file).unwrap_or_default());
        }
    }
}

/// Bundles: what may be installed goes to safe places.
pub fn bundle(data: &[u8]) {
    let Ok(document) = Document::parse(data, &Limits::for_bundle()) else { return };
    for profile in [Profile::Spec, Profile::Reference] {
        let options = ValidateOptions { profile, ..ValidateOptions::default() };
        let expected = jumith::ExpectedBundle::default();
        let report = jumith::Bundle::check(&document, &expected, &options);
        report.diagnostics.iter().for_each(|found| presentable(found, data));
        if let Ok(plan) = jumith::install::plan(&document, &expected, &options) {
            assert!(report.is_valid());
            for file in &plan.files {
                check_portable(&file.path, &PathLimits::default()).expect("a safe place");
            }
        }
    }
}

/// The client: any answer to any request is taken or refused.
pub fn client(data: &[u8]) {
    let client = jumith::client::Client::new("https://registry.example/api").expect("a client");
    let [body, status] = super::parts(data);
    let status = status.first().map_or(200, |byte| 100 + u16::from(*byte) * 2);
    let search = jumith::client::Search { q: "mail".to_owned(), ..Default::default() };
    let requests = [
        client.search(&search).expect("a request"),
        client.describe("tool:email.send").expect("a request"),
        client.bundle("tool:email.send", "1.2.0").expect("a request"),
    ];
    for request in &requests {
        let Ok(document) = client.parse_answer(request, status, body) else { continue };
        let _ = client.results(&document);
        let _ = client.manifest(request, &document);
        let _ = client.checked_bundle(request, &document, Some(&document));
        if let Ok(plan) = client.plan(request, &document, None) {
            for file in &plan.files {
                check_portable(&file.path, &PathLimits::default()).expect("a safe place");
            }
        }
    }
}

/// The registry: any request has an answer, which is JSON unless it is a page.
pub fn server(data: &[u8]) {
    let Some([method, target, header]) = super::texts(data) else { return };
    let manifest = r#"{"id": "tool:add", "name": "add", "version": "1.0.0", "summary": "Add",
        "description": "Adds.", "entry": {"runtime": "node", "main": "i.js"}, "tags": ["math"]}"#;
    let package = jumith::server::Package {
        manifest: manifest.to_owned(),
        files: vec![("i.js".to_owned(), b"export const tool = {}".to_vec())],
        yanked: false,
    };
    let hub = jumith::reference::Hub::new(vec![package.clone()], &Limits::default());
    let registry =
        jumith::server::Registry::new(vec![package], &ValidateOptions::default()).expect("one");
    let headers = [("If-None-Match", header)];
    for target in
        [target.to_owned(), format!("/v1/tools/{target}"), format!("/v1/tools/search?{target}")]
    {
        for method in ["GET", "HEAD", method] {
            for answer in
                [registry.handle(method, &target, &headers), hub.handle(method, &target, &headers)]
            {
                assert!((200..600).contains(&answer.status), "{answer:?}");
                if !answer.body.is_empty() {
                    Document::parse(&answer.body, &Limits::for_bundle()).expect("JSON");
                }
            }
        }
    }
}

/// Catalogs: read, laid over each other, and written again.
pub fn catalog(data: &[u8]) {
    let [base, local] = super::parts(data);
    let options =
        capability::ReadCatalog { shape: capability::CatalogShape::Static, ..Default::default() };
    let open = |bytes: &[u8]| {
        let document = Document::parse(bytes, &Limits::for_catalog()).ok()?;
        capability::Catalog::read(&document, &options).ok().map(|(catalog, _)| catalog)
    };
    let Some(base) = open(base) else { return };
    let again = open(base.render().as_bytes()).expect("the catalog again");
    assert_eq!(again.entries().len(), base.entries().len());
    let layers = capability::Layers::new(base, open(local).unwrap_or(again));
    let _ = layers.check_overrides(Profile::Spec, 100);
    let ids = |catalog: &capability::Catalog| catalog.entries().len();
    assert!(ids(&layers.to_catalog()) >= ids(layers.base()).max(ids(layers.local())));
}

/// Indexes of install manifests and of capabilities.
pub fn index(data: &[u8]) {
    let Ok(document) = Document::parse(data, &Limits::default()) else { return };
    for profile in [Profile::Spec, Profile::Reference, Profile::Strict] {
        let options = ValidateOptions { profile, ..ValidateOptions::default() };
        for report in [
            install_engine::index::validate_publisher_index(&document, &options),
            install_engine::index::validate_registry_index(&document, &options),
        ] {
            report.diagnostics.iter().for_each(|found| presentable(found, data));
        }
        let policy = capability::Policy::default();
        let _ =
            capability::registries::read_index(&document, "https://a.example/", &policy, &options);
    }
    let _ = install_engine::index::PublisherIndex::read(&document);
    let _ = install_engine::index::RegistryIndex::read(&document);
}

/// Calls of an install manifest's actions, its smoke test and its installation.
pub fn call(data: &[u8]) {
    use install_engine::{acquire, consent, revoke, smoke};

    let [manifest, input] = super::parts(data);
    let limits = Limits::default();
    let Ok(document) = Document::parse(manifest, &limits) else { return };
    let Some(manifest) = install_manifest::Manifest::read(&document) else { return };
    let outcome = Outcome::Exited { end: End::Exit(0), stdout: input.to_vec(), stderr: Vec::new() };
    let format = &install_manifest::FORMAT;
    let tools = format.lift_valid(&document, 0).tools;
    let policy = Policy::default();
    let facts = HostFacts { installed: false, ..HostFacts::new(&policy) };
    for tool in &tools {
        let contract = (format.contract)(tool);
        let text = std::str::from_utf8(input).unwrap_or_default();
        let _ = call::plan_in_manifest(&document, tool, &contract, text, &facts, &limits);
        let _ = Judge::for_tool(tool, &contract).judge(&outcome, &limits);
    }
    let options = smoke::Options::default();
    let _ = smoke::plan(&manifest, &tools, &|_| false, &options);
    let _ = smoke::judge(&manifest, &outcome, &|_| None, &options);
    let _ = revoke::plan(&manifest, &tools, &|_| false);
    let _ = acquire::plan(&manifest, &acquire::InstallHost::new("/opt/tool"));
    let _ = consent::Summary::new(&manifest).text();
}

/// Chains: a run ends, whatever the tools give back.
pub fn chain(data: &[u8]) {
    let [manifest, input, output] = super::parts(data);
    let limits = Limits::default();
    let Ok(document) = Document::parse(manifest, &limits) else { return };
    let manifest = mcpkg::Manifest::read(&document);
    let _ = mcpkg::chain::mermaid(&manifest, &limits);
    let input = if input.is_empty() { b"{}" } else { input };
    let output = if output.is_empty() { manifest_bytes(&document) } else { output };
    let Ok(mut run) = ChainRun::new(&manifest, input, ChainOptions::default()) else { return };
    for _ in 0..=limits.chain_steps {
        match run.next() {
            Ok(ChainAction::Call(call)) => {
                Document::parse(call.call.arguments.as_bytes(), &limits).expect("JSON");
            }
            Ok(ChainAction::Done(_)) => {
                assert!(run.finish().is_some());
                return;
            }
            Err(_) => return,
        }
        if run.resume(output).is_err() {
            return;
        }
    }
    panic!("the run does not end");
}

fn manifest_bytes<'a>(document: &'a Document<'a>) -> &'a [u8] {
    document.text().as_bytes()
}

/// Test files: one is checked, run and judged.
pub fn tests(data: &[u8]) {
    let [case, result] = super::parts(data);
    let limits = Limits::default();
    let Ok(document) = Document::parse(case, &limits) else { return };
    let report = mcpkg::testing::check(&document, &ValidateOptions::default());
    report.diagnostics.iter().for_each(|found| presentable(found, case));
    let manifest = mcpkg::Manifest::read(&document);
    let cases = vec![("a.test.json".to_owned(), TestCase::read(&document))];
    let mut run = TestRun::new(&manifest, cases, TestOptions::default());
    if run.next().is_some() {
        let result = if result.is_empty() { case } else { result };
        let outcome = Outcome::Responded { status: 200, body: result.to_vec() };
        run.resume(&outcome, Duration::from_millis(1));
    }
    assert!(run.next().is_none(), "one test is run once");
    let report = run.finish();
    Document::parse(report.to_json().as_bytes(), &limits).expect("JSON");
    let _ = report.to_junit();
}
