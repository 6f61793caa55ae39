//! What tests of several subjects need.

#![allow(clippy::unwrap_used, clippy::panic, clippy::missing_panics_doc)]

use std::ops::Range;
use std::path::{Path, PathBuf};

use proptest::test_runner::Config;
use serde_json::Value;

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
