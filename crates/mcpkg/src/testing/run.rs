//! Running tests, without making a call.

use std::time::Duration;

use call::{Failure, Judge, Outcome};
use manifest_core::format::Reading;
use manifest_core::json::{Document, Number, Raw};
use manifest_core::schema::{Schema, Violation};
use manifest_core::{Limits, Profile, printable};

use super::case::TestCase;
use super::judge::{Reason, judge};
use super::report::{TestReport, TestResult, Verdict};
use crate::Manifest;

/// How tests are run.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// Whose behaviour to follow. Under `reference`, neither inputs nor results are held against
    /// their schemas, and `expected` is not looked at.
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

/// A run of tests: ask for the [next](TestRun::next) call, make it, and
/// [resume](TestRun::resume) with what came of it.
#[derive(Debug)]
pub struct TestRun<'a> {
    cases: Vec<(String, TestCase<'a>)>,
    /// Checks the inputs; or why it cannot.
    input: Option<Result<Schema, String>>,
    /// Checks the results; or why it cannot.
    output: Option<Result<Schema, String>>,
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
        let compiled = |schema: &Option<Raw<'_>>| {
            let schema = schema.as_ref().filter(|_| options.profile != Profile::Reference);
            schema.map(|schema| compiled(schema, &options.limits))
        };
        let (input, output) = (compiled(&manifest.input_schema), compiled(&manifest.output_schema));
        let endpoint_timeout =
            manifest.endpoint.as_ref().and_then(|endpoint| endpoint.timeout_ms.as_ref());
        let endpoint_timeout = endpoint_timeout.and_then(milliseconds);
        let report = TestReport {
            tool_id: manifest.tool_id.clone().into_owned(),
            version: manifest.version.clone().into_owned(),
            results: Vec::new(),
        };
        Self { cases, input, output, endpoint_timeout, options, report }
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
    ///
    /// Under `reference`, as in the published tool, the status of a response makes no
    /// difference, a blank body is an empty object, and a body that is not JSON is wrapped in
    /// one.
    pub fn resume(&mut self, outcome: &Outcome, latency: Duration) {
        let Some((_, case)) = self.cases.get(self.report.results.len()) else { return };
        let TestOptions { profile, limits, .. } = &self.options;
        let reference = *profile == Profile::Reference;
        let reading = if reference { Reading::AnyStatus } else { Reading::Json };
        let timeout = self.timeout(case);
        let (verdict, reasons) = match Judge::by(reading).judge(outcome, limits) {
            Err(Failure { reason: call::Reason::TimedOut, .. }) => {
                (Verdict::TimedOut, vec![late(timeout)])
            }
            Err(failed) => (Verdict::Errored, vec![no_result(&failed)]),
            Ok(_) if latency > timeout => (Verdict::TimedOut, vec![late(timeout)]),
            Ok(answer) => {
                let text = answer.text().unwrap_or_default();
                match Document::parse(text.as_bytes(), limits) {
                    Err(found) => (Verdict::Errored, vec![Reason::new(found.message.clone())]),
                    Ok(result) => {
                        let mut reasons = unfit(self.output.as_ref(), &result, "result");
                        reasons.extend(judge(case, result.root(), *profile, limits));
                        let passed = reasons.is_empty();
                        (if passed { Verdict::Passed } else { Verdict::Failed }, reasons)
                    }
                }
            }
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
        let reasons = match Document::parse(input.as_str().as_bytes(), &self.options.limits) {
            Ok(document) => unfit(self.input.as_ref(), &document, "input"),
            Err(found) => return one(found.message.clone()),
        };
        Some(reasons).filter(|reasons| !reasons.is_empty())
    }

    /// The test's own time-out, else the tool's, else the host's.
    fn timeout(&self, case: &TestCase<'_>) -> Duration {
        let own = case.timeout_ms.as_ref().and_then(milliseconds);
        own.or(self.endpoint_timeout).unwrap_or(self.options.timeout)
    }
}

fn compiled(schema: &Raw<'_>, limits: &Limits) -> Result<Schema, String> {
    let document = Document::parse(schema.as_str().as_bytes(), limits)
        .map_err(|found| found.message.clone())?;
    Schema::compile(document.root(), limits).map_err(|found| {
        found.into_iter().next().map(|found| found.message.clone()).unwrap_or_default()
    })
}

/// Why an input or a result does not match its schema. `what` says which of them it is.
fn unfit(
    schema: Option<&Result<Schema, String>>,
    document: &Document<'_>,
    what: &str,
) -> Vec<Reason> {
    // Paths are those of the test file; what is expected of a result is told by its own.
    let (member, place) =
        if what == "input" { ("input_schema", "/input") } else { ("output_schema", "") };
    let checked = match schema {
        None => return Vec::new(),
        Some(Err(message)) => {
            return vec![Reason::new(format!("{member} cannot be used: {message}"))];
        }
        Some(Ok(schema)) => schema.validate(document.root()),
    };
    let found = match checked {
        Ok(found) => found.violations,
        Err(found) => return vec![Reason::new(found.message.clone())],
    };
    let reason = |violation: &Violation| Reason {
        assertion: None,
        path: Some(format!("{place}{}", printable(violation.pointer.as_str(), 256))),
        message: format!("the {what} does not match {member}: {}", violation.message),
    };
    found.iter().map(reason).collect()
}

fn late(timeout: Duration) -> Reason {
    Reason::new(format!("the call took more than {} ms", timeout.as_millis()))
}

/// Why there is no result.
fn no_result(failed: &Failure) -> Reason {
    Reason::new(match &failed.reason {
        call::Reason::Output(problems) => {
            let found = problems.first().map(|found| found.message.clone());
            format!("the result is not JSON: {}", found.unwrap_or_default())
        }
        _ => printable(&failed.message, 512),
    })
}

/// So many milliseconds, when they are some.
fn milliseconds(number: &Number<'_>) -> Option<Duration> {
    let number = number.to_f64().filter(|number| *number > 0.0)?;
    Some(Duration::try_from_secs_f64(number / 1000.0).unwrap_or(Duration::MAX))
}
