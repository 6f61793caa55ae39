//! Judges the outcome of a smoke test.

use crate::limits::pattern_limits;
use crate::{Manifest, Success};
use call::{End, Outcome, parse_tool_result};
use manifest_core::json::{Document, Kind, Node};
use manifest_core::pattern::Pattern;
use manifest_core::{Diagnostic, Limits, Pointer, quoted};

use super::template::Variables;
use crate::engine::rules;

/// Options for planning and judging a smoke test.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// True if a condition is skipped when it needs a variable without a value. Otherwise
    /// the condition fails.
    pub skip_unresolved: bool,
    /// Limits on documents, patterns and templates.
    pub limits: Limits,
}

/// The verdict on a smoke test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SmokeVerdict {
    /// The conditions that do not hold. The pointer of each names the condition.
    pub failures: Vec<Diagnostic>,
    /// The conditions that were skipped, as the host requested.
    pub skipped: Vec<Diagnostic>,
}

impl SmokeVerdict {
    /// Returns true if no condition failed.
    pub fn passed(&self) -> bool {
        self.failures.is_empty()
    }
}

/// Judges the outcome of the smoke test of a manifest. `value` returns the values of
/// variables.
///
/// A condition that does not apply to the outcome fails, for example an exit code for an
/// HTTP response.
pub fn judge<'v>(
    manifest: &Manifest<'_>,
    outcome: &Outcome,
    value: &dyn Fn(&str) -> Option<&'v str>,
    options: &Options,
) -> SmokeVerdict {
    let limits = &options.limits;
    let mut judging = SmokeJudge {
        success: &manifest.smoke.success,
        variables: Variables { env: &manifest.env, limits },
        value,
        skip: options.skip_unresolved,
        verdict: SmokeVerdict::default(),
    };
    let output = match outcome {
        Outcome::TimedOut => {
            let seconds = manifest.smoke.timeout_seconds();
            judging.fail("", format!("there was no outcome within {seconds} seconds"));
            return judging.verdict;
        }
        Outcome::NotDone(reason) | Outcome::Lost(reason) | Outcome::Threw(reason) => {
            judging.fail("", format!("it could not be done: {}", quoted(reason)));
            return judging.verdict;
        }
        Outcome::TooMuch { limit } => {
            judging.fail("", format!("there were more than {limit} bytes"));
            return judging.verdict;
        }
        Outcome::Exited { end, stdout, .. } => {
            judging.check_exit_code(match end {
                End::Exit(code) => Some(*code),
                End::Signal { .. } => None,
            });
            judging.stdout(stdout);
            judging.fail_inapplicable(&["http_status", "body_regex"], "there is no HTTP response");
            stdout.clone()
        }
        Outcome::Responded { status, body } => {
            judging.status(*status);
            judging.body(body);
            judging.fail_inapplicable(&["exit_code", "stdout_regex"], "no program ran");
            body.clone()
        }
        Outcome::Done | Outcome::Value(_) => Vec::new(),
        Outcome::Returned(result) => {
            let all = ["exit_code", "stdout_regex", "http_status", "body_regex"];
            judging.fail_inapplicable(&all, "the outcome is the result of a tool");
            match parse_tool_result(result, limits) {
                Ok(value) => {
                    if value.is_error {
                        judging.fail("", "the tool says that it failed".to_owned());
                    }
                    value.json.into_bytes()
                }
                Err(_) => result.as_bytes().to_vec(),
            }
        }
    };
    judging.json(&output, limits);
    judging.verdict
}

struct SmokeJudge<'j, 'v> {
    success: &'j Success<'j>,
    variables: Variables<'j>,
    value: &'j dyn Fn(&str) -> Option<&'v str>,
    skip: bool,
    verdict: SmokeVerdict,
}

fn condition_pointer(condition: &str) -> Pointer {
    let at = Pointer::root().push("smoke").push("success");
    if condition.is_empty() { at } else { at.push(condition) }
}

impl SmokeJudge<'_, '_> {
    fn fail(&mut self, condition: &str, message: String) {
        self.fail_at(condition_pointer(condition), message);
    }

    fn fail_at(&mut self, at: Pointer, message: String) {
        self.verdict.failures.push(rules::SMOKE_FAILED.at_pointer(at, message));
    }

    /// Fails these conditions, if the manifest declares them, because they do not apply to
    /// the outcome.
    fn fail_inapplicable(&mut self, names: &[&str], why: &str) {
        let success = self.success;
        for name in names {
            let there = match *name {
                "exit_code" => success.exit_code.is_some(),
                "stdout_regex" => success.stdout_regex.is_some(),
                "http_status" => success.http_status.is_some(),
                _ => success.body_regex.is_some(),
            };
            if there {
                self.fail(name, why.to_owned());
            }
        }
    }

    fn check_exit_code(&mut self, code: Option<i32>) {
        let expected = match &self.success.exit_code {
            Some(number) => number.to_i64(),
            None => Some(0),
        };
        if code.is_some() && code.map(i64::from) == expected {
            return;
        }
        let found = match code {
            Some(code) => code.to_string(),
            None => "a signal".to_owned(),
        };
        let expected = match expected {
            Some(code) => code.to_string(),
            None => "another one".to_owned(),
        };
        self.fail("exit_code", format!("expected {expected}, found {found}"));
    }

    fn status(&mut self, status: u16) {
        if let Some(expected) = &self.success.http_status
            && expected.to_i64() != Some(i64::from(status))
        {
            self.fail("http_status", format!("expected {expected}, found {status}"));
        }
    }

    /// Checks the output of a program, but ignores one line break at its end.
    fn stdout(&mut self, stdout: &[u8]) {
        let text = String::from_utf8_lossy(stdout);
        let text = text.strip_suffix('\n').unwrap_or(&text);
        let text = text.strip_suffix('\r').unwrap_or(text);
        self.regex("stdout_regex", self.success.stdout_regex.as_deref(), text);
    }

    fn body(&mut self, body: &[u8]) {
        let text = String::from_utf8_lossy(body);
        self.regex("body_regex", self.success.body_regex.as_deref(), &text);
    }

    fn regex(&mut self, condition: &str, pattern: Option<&str>, text: &str) {
        let Some(pattern) = pattern else { return };
        let limits = pattern_limits(self.variables.limits);
        match Pattern::new(pattern, &limits).and_then(|pattern| pattern.matches(text)) {
            Ok(true) => {}
            Ok(false) => self.fail(condition, "the output does not match".to_owned()),
            Err(error) => self.fail(condition, error.to_string()),
        }
    }

    /// Checks the conditions on JSON. Messages contain no values, because these may be
    /// secret.
    fn json(&mut self, output: &[u8], limits: &Limits) {
        let success = self.success;
        let conditions = json_conditions(success);
        if conditions.is_empty() {
            return;
        }
        let Ok(document) = Document::parse(output, limits) else {
            for at in conditions {
                self.fail_at(at, "the output is not JSON".to_owned());
            }
            return;
        };
        let root = document.root();
        for (pointer, expected) in success.json_pointer_equals.iter() {
            let at = condition_pointer("json_pointer_equals").push(pointer);
            self.equals(at, node_at(root, pointer), expected.as_str());
        }
        for (pointer, words) in success.json_pointer_in.iter() {
            match node_at(root, pointer).and_then(Node::text) {
                Some(text) if words.contains(&text) => {}
                _ => {
                    let at = condition_pointer("json_pointer_in").push(pointer);
                    self.fail_at(at, "the value is none of those".to_owned());
                }
            }
        }
        if let Some(pointer) = &success.json_pointer_exists
            && node_at(root, pointer).is_none()
        {
            self.fail("json_pointer_exists", format!("there is nothing at {}", quoted(pointer)));
        }
        if let Some(pointer) = &success.json_pointer_present
            && !node_at(root, pointer).is_some_and(is_present)
        {
            let message = format!("there is nothing, null or a blank text at {}", quoted(pointer));
            self.fail("json_pointer_present", message);
        }
        if success.no_error_field == Some(true) && root.get("error").is_some() {
            self.fail("no_error_field", "there is a member \"error\"".to_owned());
        }
    }

    fn equals(&mut self, at: Pointer, found: Option<Node<'_>>, expected: &str) {
        let limits = self.variables.limits;
        let Ok(expected) = Document::parse(expected.as_bytes(), limits) else {
            return self.fail_at(at, "the expected value is not JSON".to_owned());
        };
        let equal = match expected.root().text() {
            Some(template) if template.contains("${") => match self
                .variables
                .fill(&at, &template, self.value)
            {
                Ok(Ok(filled)) => found.and_then(Node::text).as_deref() == Some(filled.as_str()),
                Ok(Err(name)) => {
                    let message = format!("{} has no value", quoted(&name));
                    if !self.skip {
                        return self.fail_at(at, format!("unresolved: {message}"));
                    }
                    self.verdict.skipped.push(rules::SMOKE_SKIPPED.at_pointer(at, message));
                    return;
                }
                Err(error) => {
                    return self.fail_at(at, format!("unresolved: {}", error.message));
                }
            },
            _ => found.is_some_and(|found| found.same_value(expected.root())),
        };
        if !equal {
            let what =
                if found.is_some() { "the value is another one" } else { "there is nothing" };
            self.fail_at(at, what.to_owned());
        }
    }
}

/// Returns the places of the conditions on JSON.
fn json_conditions(success: &Success<'_>) -> Vec<Pointer> {
    let mut conditions = Vec::new();
    for (key, _) in success.json_pointer_equals.iter() {
        conditions.push(condition_pointer("json_pointer_equals").push(key));
    }
    for (key, _) in success.json_pointer_in.iter() {
        conditions.push(condition_pointer("json_pointer_in").push(key));
    }
    for (name, there) in [
        ("json_pointer_exists", success.json_pointer_exists.is_some()),
        ("json_pointer_present", success.json_pointer_present.is_some()),
        ("no_error_field", success.no_error_field == Some(true)),
    ] {
        if there {
            conditions.push(condition_pointer(name));
        }
    }
    conditions
}

/// Returns true for a value that is neither null nor a blank text.
fn is_present(node: Node<'_>) -> bool {
    match node.text() {
        Some(text) => !text.trim().is_empty(),
        None => node.kind() != Kind::Null,
    }
}

fn node_at<'n>(root: Node<'n>, pointer: &str) -> Option<Node<'n>> {
    root.at(&Pointer::parse(pointer).ok()?)
}
