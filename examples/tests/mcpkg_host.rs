//! The example host, from folder to result.

use std::path::{Path, PathBuf};

use crate::EXAMPLES;

#[path = "../mcpkg_host.rs"]
mod host;

use host::{EchoServer, Store, pack};
use toolglot::mcpkg::testing::Verdict;

fn folder(name: &str) -> PathBuf {
    Path::new(EXAMPLES).join("packages").join(name)
}

fn store() -> Store {
    let mut store = Store::default();
    for name in ["echo", "pdf-embed"] {
        store.install(pack(&folder(name)).unwrap()).unwrap();
    }
    store
}

#[test]
fn packing_twice_gives_the_same_bytes() {
    let bytes = pack(&folder("echo")).unwrap();
    assert_eq!(bytes, pack(&folder("echo")).unwrap());
    assert!(bytes.starts_with(b"PK"));
}

#[test]
fn the_tests_pass_against_a_real_server() {
    let server = EchoServer::start().unwrap();
    let report = store().test("demo.text.echo", server.address).unwrap();
    assert!(report.is_success(), "{}", report.to_json());
    assert_eq!(report.summary().total, 2);
    assert!(report.results.iter().all(|result| result.latency.is_some()));
}

#[test]
fn without_a_server_the_tests_fail() {
    let address = EchoServer::start().unwrap().address;
    let report = store().test("demo.text.echo", address).unwrap();
    assert!(report.results.iter().all(|result| result.verdict == Verdict::Errored));
}

#[test]
fn the_chain_of_the_specification_runs() {
    let store = store();
    let outcome =
        store.run_chain("tools.pdf.pipeline.embed", r#"{"pdfPath": "/docs/a.pdf"}"#).unwrap();
    let inputs: Vec<_> = outcome.trace.iter().map(|step| step.input.as_str()).collect();
    assert_eq!(
        inputs,
        [
            r#"{"path":"/docs/a.pdf"}"#,
            r#"{"text":"  Text   of /docs/a.pdf "}"#,
            r#"{"text":"Text of /docs/a.pdf","model":"text-embedding-3-small"}"#,
        ]
    );
    assert_eq!(outcome.output, r#"{"embeddings": [19, 22]}"#);
    let picture = store.picture("tools.pdf.pipeline.embed").unwrap();
    assert!(picture.starts_with("flowchart TD\n"), "{picture}");
}

#[test]
fn a_broken_package_is_not_installed() {
    let mut bytes = pack(&folder("echo")).unwrap();
    bytes.push(0);
    let error = Store::default().install(bytes).unwrap_err();
    assert!(error.to_string().starts_with("error[zip/trailing]"), "{error}");
}
