//! Reports as `JUnit` XML.

use super::report::{TestReport, TestResult, Verdict};

impl TestReport {
    /// Returns the report as `JUnit` XML, which most systems for continuous integration
    /// read.
    pub fn to_junit(&self) -> String {
        render(self)
    }
}

fn render(report: &TestReport) -> String {
    let (mut failures, mut errors, mut skipped, mut seconds) = (0, 0, 0, 0.0);
    for result in &report.results {
        match result.verdict {
            Verdict::Passed => {}
            Verdict::Failed => failures += 1,
            Verdict::TimedOut | Verdict::Errored => errors += 1,
            Verdict::NotRun => skipped += 1,
        }
        if let Some(latency) = result.latency {
            seconds += latency.as_secs_f64();
        }
    }
    let tests = report.results.len();
    let counts = format!(
        "tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\" \
         time=\"{seconds:.6}\""
    );
    let name = escape(&report.tool_id);
    let mut out = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites {counts}>\n  \
         <testsuite name=\"{name}\" {counts}>\n"
    );
    for result in &report.results {
        out.push_str(&case(result, &name));
    }
    out.push_str("  </testsuite>\n</testsuites>\n");
    out
}

fn case(result: &TestResult, class: &str) -> String {
    let seconds = result.latency.map_or(0.0, |latency| latency.as_secs_f64());
    let (name, file) = (escape(&result.name), escape(&result.file));
    let head = format!(
        "    <testcase name=\"{name}\" classname=\"{class}\" file=\"{file}\" time=\"{seconds:.6}\""
    );
    let (element, kind) = match result.verdict {
        Verdict::Passed => return head + "/>\n",
        Verdict::NotRun => return head + ">\n      <skipped/>\n    </testcase>\n",
        Verdict::Failed => ("failure", "assertion"),
        Verdict::TimedOut => ("error", "timeout"),
        Verdict::Errored => ("error", "error"),
    };
    let message = result.reasons.first().map_or("", |reason| reason.message.as_str());
    let mut lines = Vec::with_capacity(result.reasons.len());
    for reason in &result.reasons {
        lines.push(match &reason.path {
            Some(path) => format!("{path}: {}", reason.message),
            None => reason.message.clone(),
        });
    }
    format!(
        "{head}>\n      <{element} type=\"{kind}\" message=\"{}\">{}</{element}>\n    </testcase>\n",
        escape(message),
        escape(&lines.join("\n")),
    )
}

/// Escapes a text for XML. Characters that XML 1.0 cannot contain become replacement
/// characters.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
    out
}
