//! What tests of several subjects need.

#![allow(clippy::unwrap_used, clippy::panic, clippy::missing_panics_doc)]

use std::ops::Range;
use std::path::{Path, PathBuf};

use manifest_core::LiftedDocument;
use manifest_core::format::{
    CallSupport, Cardinality, Contract, Format, HostRules, SafetyFeatures,
};
use proptest::test_runner::Config;
use serde_json::Value;
use testkit::{Rng, Testkit};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The fixtures of a package.
pub fn fixtures(package: &str) -> PathBuf {
    root().join("tests/fixtures").join(package)
}

/// The entries of a folder, by name.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let found =
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = found.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// The valid documents of a format that are files: its fixtures, and the examples with this
/// ending.
pub fn valid_files(format: &str, ending: &str) -> Vec<(String, Value)> {
    let is_json = |path: &PathBuf| path.extension() == Some("json".as_ref());
    let fixtures = entries(&fixtures(format).join("valid")).into_iter().filter(is_json);
    let examples = entries(&root().join("examples/manifests")).into_iter();
    let examples = examples.filter(|path| path.to_str().unwrap().ends_with(ending));
    let read = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        (path.display().to_string(), serde_json::from_str(&text).unwrap())
    };
    fixtures.chain(examples).map(read).collect()
}

/// Runs `work` on the smallest stack that the libraries promise to work on, 512 KiB.
pub fn on_a_small_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(512 << 10);
        let done = thread.spawn_scoped(scope, work).unwrap().join();
        done.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().map(|number| number.parse().unwrap())
}

/// Returns the factor for the cases of a normal run, from `TOOLGLOT_CASES`.
pub fn times() -> u64 {
    number("TOOLGLOT_CASES").unwrap_or(1)
}

/// Returns the seeds to try: those in `TOOLGLOT_SEED` (`7`, or `8..16`), else `cases` multiplied by [`times`].
pub fn seeds(cases: u64) -> Range<u64> {
    let Ok(asked) = std::env::var("TOOLGLOT_SEED") else { return 0..cases * times() };
    let seed = |text: &str| text.parse::<u64>().unwrap();
    match asked.split_once("..") {
        Some((first, end)) => seed(first)..seed(end),
        None => seed(&asked)..seed(&asked) + 1,
    }
}

/// Configures proptest to try as many cases, or `PROPTEST_CASES`.
pub fn random(cases: u32) -> Config {
    let cases = number("PROPTEST_CASES").map_or(cases, |asked| u32::try_from(asked).unwrap());
    Config { cases, failure_persistence: None, ..Config::default() }
}

/// The valid documents of a format: its files, and what its generator makes, but for those
/// with a number that only we can hold.
pub fn valid_documents(testkit: &Testkit, ending: &str) -> Vec<(String, Value)> {
    let mut documents = valid_files(testkit.format.name, ending);
    for seed in 0..200 {
        let text = (testkit.generate)(&mut Rng::new(seed), 3);
        if let Ok(value) = serde_json::from_str(&text) {
            documents.push((format!("seed {seed}"), value));
        }
    }
    documents
}

/// Asserts that a JSON Schema accepts a value.
#[track_caller]
pub fn assert_accepts(validator: &jsonschema::Validator, name: &str, value: &Value) {
    let error = validator.validate(value).err();
    assert!(error.is_none(), "{name}: {error:?}");
}

/// A format without documents, for made-up sources of conversions. A test replaces `read`.
pub const MADE_UP: Format = Format {
    name: "made-up",
    versions: &[],
    tables: &[],
    rules: &[],
    cardinality: Cardinality::Tools,
    catalog: None,
    keys: &["id"],
    safety_features: SafetyFeatures {
        disabled: true,
        approval: true,
        reach: true,
        payment: true,
        enforces_reach: false,
    },
    detect: |_| None,
    look_alike: |_| None,
    check: |_, options| options.new_report(),
    read: |_| LiftedDocument::default(),
    call_support: |_| CallSupport::Bridge,
    undeclared_secrets: |_| Vec::new(),
    bridge_needs: "",
    host_needs: "",
    contract: |_| Contract {
        extra_arguments: "",
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: "",
        directory: "",
        timeout: "",
        result: "",
        failure: "",
        host_rules: HostRules::PLAIN,
    },
    file_name: |_| "made-up".to_owned(),
    write_document: |_, _| Ok(()),
    write_tool: |_, _| Ok(()),
};
