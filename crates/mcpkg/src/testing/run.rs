//! Running tests, without making a call.

use std::time::Duration;

use manifest_core::json::Document;
use manifest_core::schema::Schema;
use manifest_core::{Limits, Profile, printable};

use super::case::TestCase;
use super::judge::{Reason, judge};
use super::report::{TestReport, TestResult, Verdict};
use crate::{Manifest, invoke};

/// How tests are run.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct TestOptions {
    /// Whose behaviour to follow. Under `reference`, inputs are not checked, and
    /// `expected` is not looked at.
    pub profile: Profile,
    /// How long a call may take when neither the test nor the tool says.
    pub timeout: Duration,
    /// What a result may cost.
    pub limits: Limits,
}

impl Default for TestOptions {
    fn default() -> Self {
        Self {
            profile: Profile::default(),
            timeout: Duration::from_secs(30),
            limits: Limits::default(),
        }
    }
}

/// A call that the host is to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestCall<'r> {
    /// The name of the test.
    pub name: &'r str,
    /// The file it is in.
    pub file: &'r str,
    /// The arguments, as JSON.
    pub input: &'r str,
    /// How long it may take.
    pub timeout: Duration,
}

/// What came of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_enums)] // there is nothing else that a call can do
pub enum Outcome<'o> {
    /// The tool gave this result, which should be JSON.
    Returned(&'o [u8]),
    /// There was no result, for this reason.
    Failed(&'o str),
    /// The host gave up.
    TimedOut,
}

/// A run of tests: ask for the [next](TestRun::next) call, make it, and
/// [resume](TestRun::resume) with what came of it.
#[derive(Debug)]
pub struct TestRun<'a> {
    cases: Vec<(String, TestCase<'a>)>,
    /// Checks the inputs; or why it cannot.
    schema: Option<Result<Schema, String>>,
    endpoint_timeout: Option<Duration>,
    options: TestOptions,
    report: TestReport,
}

impl<'a> TestRun<'a> {
    /// A run of these tests, each with the file it is in.
    pub fn new(
        manifest: &Manifest<'_>,
        cases: Vec<(String, TestCase<'a>)>,
        options: TestOptions,
    ) -> Self {
        let schema =
            manifest.input_schema.as_ref().filter(|_| options.profile != Profile::Reference);
        let schema = schema.map(|schema| {
            let document = Document::parse(schema.as_str().as_bytes(), &options.limits)
                .map_err(|found| found.message.clone())?;
            Schema::compile(document.root(), &options.limits).map_err(|found| {
                found.into_iter().next().map(|found| found.message.clone()).unwrap_or_default()
            })
        });
        let endpoint_timeout = manifest.endpoint.as_ref().and_then(invoke::timeout);
        let report = TestReport {
            tool_id: manifest.tool_id.clone().into_owned(),
            version: manifest.version.clone().into_owned(),
            results: Vec::new(),
        };
        Self { cases, schema, endpoint_timeout, options, report }
    }

    /// How many tests there are.
    pub fn total(&self) -> usize {
        self.cases.len()
    }

    /// What came of the tests so far.
    pub fn results(&self) -> &[TestResult] {
        &self.report.results
    }

    /// The next call to make. The same one again until the run is resumed. A test
    /// whose input the tool does not take fails without a call.
    #[allow(clippy::should_implement_trait)] // the call borrows from the run
    pub fn next(&mut self) -> Option<TestCall<'_>> {
        while let Some((_, case)) = self.cases.get(self.report.results.len()) {
            let Some(reasons) = self.refuse(case) else { break };
            self.record(Verdict::Errored, reasons, None);
        }
        let (file, case) = self.cases.get(self.report.results.len())?;
        Some(TestCall {
            name: &case.name,
            file,
            input: case.input.as_ref().map_or("{}", |input| input.as_str()),
            timeout: self.timeout(case),
        })
    }

    /// Goes on with what came of the call, and how long it took.
    pub fn resume(&mut self, outcome: Outcome<'_>, latency: Duration) {
        let Some((_, case)) = self.cases.get(self.report.results.len()) else { return };
        let timeout = self.timeout(case);
        let (verdict, reasons) = match outcome {
            Outcome::TimedOut => (Verdict::TimedOut, vec![late(timeout)]),
            Outcome::Returned(_) if latency > timeout => (Verdict::TimedOut, vec![late(timeout)]),
            Outcome::Failed(message) => {
                (Verdict::Errored, vec![Reason::new(printable(message, 512))])
            }
            Outcome::Returned(bytes) => match Document::parse(bytes, &self.options.limits) {
                Err(found) => {
                    let message = format!("the result is not JSON: {}", found.message);
                    (Verdict::Errored, vec![Reason::new(message)])
                }
                Ok(result) => {
                    let TestOptions { profile, limits, .. } = &self.options;
                    let reasons = judge(case, result.root(), *profile, limits);
                    let passed = reasons.is_empty();
                    (if passed { Verdict::Passed } else { Verdict::Failed }, reasons)
                }
            },
        };
        self.record(verdict, reasons, Some(latency));
    }

    /// Ends the run. Tests that were not come to are in the report as such.
    pub fn finish(mut self) -> TestReport {
        while self.report.results.len() < self.cases.len() {
            self.record(Verdict::NotRun, Vec::new(), None);
        }
        self.report
    }

    fn record(&mut self, verdict: Verdict, reasons: Vec<Reason>, latency: Option<Duration>) {
        if let Some((file, case)) = self.cases.get(self.report.results.len()) {
            let (name, file) = (case.name.clone().into_owned(), file.clone());
            self.report.results.push(TestResult { name, file, verdict, reasons, latency });
        }
    }

    /// Why the input of a test is not sent.
    fn refuse(&self, case: &TestCase<'_>) -> Option<Vec<Reason>> {
        let one = |message: String| Some(vec![Reason::new(message)]);
        let Some(input) = case.input.as_ref().filter(|_| case.broken.is_none()) else {
            let message = case.broken.as_deref().unwrap_or("there is no input");
            return one(format!("the test is broken: {message}"));
        };
        let schema = match self.schema.as_ref()? {
            Ok(schema) => schema,
            Err(message) => return one(format!("input_schema cannot be used: {message}")),
        };
        let document = match Document::parse(input.as_str().as_bytes(), &self.options.limits) {
            Ok(document) => document,
            Err(found) => return one(found.message.clone()),
        };
        let outcome = match schema.validate(document.root()) {
            Ok(outcome) => outcome,
            Err(found) => return one(found.message.clone()),
        };
        let reasons = outcome.violations.iter().map(|violation| Reason {
            assertion: None,
            path: Some(format!("/input{}", printable(violation.pointer.as_str(), 256))),
            message: format!("the input does not match input_schema: {}", violation.message),
        });
        Some(reasons.collect::<Vec<_>>()).filter(|reasons| !reasons.is_empty())
    }

    /// The test's own time-out, else the tool's, else the host's.
    fn timeout(&self, case: &TestCase<'_>) -> Duration {
        let own = case.timeout_ms.as_ref().and_then(invoke::milliseconds);
        own.or(self.endpoint_timeout).unwrap_or(self.options.timeout)
    }
}

fn late(timeout: Duration) -> Reason {
    Reason::new(format!("the call took more than {} ms", timeout.as_millis()))
}
