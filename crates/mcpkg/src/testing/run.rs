//! The run of a tool's tests, without I/O.

use std::time::Duration;

use call::{Failure, Judge, Outcome};
use manifest_core::format::OutcomeRules;
use manifest_core::json::{Document, Number, Raw};
use manifest_core::schema::Schema;
use manifest_core::{Diagnostic, Limits, Profile, printable, some_or_bug};

use super::case::TestCase;
use super::judge::{Reason, judge};
use super::report::{TestReport, TestResult, Verdict};
use crate::Manifest;
use crate::check::follows_published_tool;

/// The options of a test run.
#[derive(Clone, Debug)]
pub struct TestOptions {
    /// The profile to follow. Under `reference`, with the feature of that name, inputs and
    /// results are not compared with their schemas, and `expected` is ignored.
    pub profile: Profile,
    /// The time-out of a call, if neither the test nor the tool declares one.
    pub timeout: Duration,
    /// The limits on inputs and results.
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

/// A call for the host to make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TestCall<'r> {
    /// The name of the test.
    pub name: &'r str,
    /// The file of the test.
    pub file: &'r str,
    /// The arguments, as JSON.
    pub input: &'r str,
    /// The time-out of the call.
    pub timeout: Duration,
}

/// A run of tests: get the [next](TestRun::next) call, make it, and
/// [resume](TestRun::resume) with its outcome.
#[derive(Debug)]
pub struct TestRun<'a> {
    cases: Vec<(String, TestCase<'a>)>,
    /// The schema of inputs, or the reason why it cannot be used.
    input: Option<Result<Schema, String>>,
    /// The schema of results, or the reason why it cannot be used.
    output: Option<Result<Schema, String>>,
    endpoint_timeout: Option<Duration>,
    options: TestOptions,
    report: TestReport,
}

impl<'a> TestRun<'a> {
    /// Starts a run of these tests, each given with its file.
    pub fn new(
        manifest: &Manifest<'_>,
        cases: Vec<(String, TestCase<'a>)>,
        options: TestOptions,
    ) -> Self {
        let (mut input, mut output, mut endpoint_timeout) = (None, None, None);
        if !follows_published_tool(options.profile) {
            input = compile_schema(manifest.input_schema.as_ref(), &options.limits);
            output = compile_schema(manifest.output_schema.as_ref(), &options.limits);
        }
        if let Some(endpoint) = &manifest.endpoint {
            endpoint_timeout = to_duration(endpoint.timeout_ms.as_ref());
        }
        let report = TestReport {
            tool_id: manifest.tool_id.clone().into_owned(),
            version: manifest.version.clone().into_owned(),
            results: Vec::new(),
        };
        Self { cases, input, output, endpoint_timeout, options, report }
    }

    /// Returns the number of tests.
    pub fn total(&self) -> usize {
        self.cases.len()
    }

    /// Returns the results so far.
    pub fn results(&self) -> &[TestResult] {
        &self.report.results
    }

    /// Returns the next call. Returns the same one until the run is resumed. A test fails
    /// without a call if the tool would refuse its input.
    #[allow(clippy::should_implement_trait)] // the call borrows from the run
    pub fn next(&mut self) -> Option<TestCall<'_>> {
        while let Some((_, case)) = self.cases.get(self.report.results.len()) {
            let Some(reasons) = self.refusal_reasons(case) else { break };
            self.record(Verdict::Errored, reasons, None);
        }
        let (file, case) = self.cases.get(self.report.results.len())?;
        Some(TestCall {
            name: &case.name,
            file,
            input: case.input.as_ref().map_or("{}", Raw::as_str),
            timeout: self.timeout(case),
        })
    }

    /// Resumes the run with the outcome of the call and its duration.
    ///
    /// Under `reference`, with the feature of that name, it is read as the published tool does:
    /// the status of a response is ignored, a blank body is an empty object, and a body that is
    /// not JSON is wrapped in one.
    pub fn resume(&mut self, outcome: &Outcome, latency: Duration) {
        let Some((_, case)) = self.cases.get(self.report.results.len()) else { return };
        let TestOptions { profile, limits, .. } = &self.options;
        let reading = if follows_published_tool(*profile) {
            OutcomeRules::AnyStatus
        } else {
            OutcomeRules::Json
        };
        let timeout = self.timeout(case);
        let (verdict, reasons) = match Judge::for_reading(reading).judge(outcome, limits) {
            Err(Failure { reason: call::FailureKind::TimedOut, .. }) => {
                (Verdict::TimedOut, vec![timeout_reason(timeout)])
            }
            Err(failed) => (Verdict::Errored, vec![failure_reason(&failed)]),
            Ok(_) if latency > timeout => (Verdict::TimedOut, vec![timeout_reason(timeout)]),
            // Without a declared format, an answer is never bytes, so it has a text.
            Ok(answer) => match Document::parse(some_or_bug(answer.text()).as_bytes(), limits) {
                Err(found) => (Verdict::Errored, vec![Reason::new(found.message.clone())]),
                Ok(result) => {
                    let mut reasons = schema_mismatches(self.output.as_ref(), &result, "result");
                    reasons.extend(judge(case, result.root(), *profile, limits));
                    let passed = reasons.is_empty();
                    (if passed { Verdict::Passed } else { Verdict::Failed }, reasons)
                }
            },
        };
        self.record(verdict, reasons, Some(latency));
    }

    /// Ends the run. The report lists the remaining tests as not run.
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

    /// Returns the reasons why the input of a test is not sent, if there are any.
    fn refusal_reasons(&self, case: &TestCase<'_>) -> Option<Vec<Reason>> {
        let input = match (&case.error, &case.input) {
            (None, Some(input)) => input,
            (error, _) => {
                let message = error.as_deref().unwrap_or("there is no input");
                return Some(vec![Reason::new(format!("the test is broken: {message}"))]);
            }
        };
        let reasons = match Document::parse(input.as_str().as_bytes(), &self.options.limits) {
            Ok(document) => schema_mismatches(self.input.as_ref(), &document, "input"),
            Err(found) => vec![Reason::new(found.message.clone())],
        };
        if reasons.is_empty() { None } else { Some(reasons) }
    }

    /// Returns the time-out of the test, or else of the tool, or else of the host.
    fn timeout(&self, case: &TestCase<'_>) -> Duration {
        let own = to_duration(case.timeout_ms.as_ref());
        own.or(self.endpoint_timeout).unwrap_or(self.options.timeout)
    }
}

fn compile_schema(schema: Option<&Raw<'_>>, limits: &Limits) -> Option<Result<Schema, String>> {
    let document = match Document::parse(schema?.as_str().as_bytes(), limits) {
        Ok(document) => document,
        Err(found) => return Some(Err(found.message.clone())),
    };
    Some(match Schema::compile(document.root(), limits) {
        Ok(schema) => Ok(schema),
        Err(errors) => Err(first_message(&errors)),
    })
}

fn first_message(problems: &[Diagnostic]) -> String {
    problems.first().map_or(String::new(), |problem| problem.message.clone())
}

/// Returns the reasons why an input or a result does not match its schema. `what` is
/// "input" or "result".
fn schema_mismatches(
    schema: Option<&Result<Schema, String>>,
    document: &Document<'_>,
    what: &str,
) -> Vec<Reason> {
    // The path of an input is one in the test file. That of a result is one in the result,
    // as for `expected`.
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
    let mut reasons = Vec::with_capacity(found.len());
    for violation in found {
        reasons.push(Reason {
            assertion: None,
            path: Some(format!("{place}{}", printable(violation.pointer.as_str(), 256))),
            message: format!("the {what} does not match {member}: {}", violation.message),
        });
    }
    reasons
}

fn timeout_reason(timeout: Duration) -> Reason {
    Reason::new(format!("the call took more than {} ms", timeout.as_millis()))
}

/// Returns the reason why a call has no result.
fn failure_reason(failed: &Failure) -> Reason {
    Reason::new(match &failed.reason {
        call::FailureKind::Output(problems) => {
            format!("the result is not JSON: {}", first_message(problems))
        }
        _ => printable(&failed.message, 512),
    })
}

/// Converts a number of milliseconds, if it is positive.
fn to_duration(milliseconds: Option<&Number<'_>>) -> Option<Duration> {
    let milliseconds = milliseconds?.to_f64()?;
    if milliseconds <= 0.0 {
        return None;
    }
    Some(Duration::try_from_secs_f64(milliseconds / 1000.0).unwrap_or(Duration::MAX))
}
