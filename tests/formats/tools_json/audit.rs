//! The record of a call.

use std::time::Duration;

use call::{End, Outcome};
use proptest::prelude::*;
use serde_json::{Value, json};
use tools_json::{Audit, Redaction, Run};

use super::call::plan;

fn audit(members: &Value, outcome: &Outcome, end: Duration, redaction: &Redaction) -> Audit {
    let run = Run {
        end,
        duration: Duration::from_micros(12_999),
        cwd: "/home/contains-secret",
        truncated: true,
        has_variable: &|name| name != "MISSING",
    };
    Audit::new(&plan(members, r#"{"q":"hunter2"}"#), outcome, &run, redaction)
}

/// The record of a tool that failed at this time.
fn audit_at(seconds: u64) -> Audit {
    audit(&json!({}), &failed(), Duration::from_secs(seconds), &Redaction::default())
}

fn failed() -> Outcome {
    Outcome::Exited { end: End::Exit(3), stdout: b"hunter2".to_vec(), stderr: b"no".to_vec() }
}

#[test]
fn a_record_has_names_and_sizes_only() {
    let tool = json!({
        "command": ["./tools/bin/x", "--key=sk-abc123"],
        "envPassthrough": ["oai_api_key", "MISSING", "PATH"],
    });
    let redaction = Redaction::new("secret, sk-[a-z0-9]+;;(", ["", "tools/bin"]);
    let ended = Duration::new(1_735_862_399, 120_000_000);
    let line = serde_json::to_string(&audit(&tool, &failed(), ended, &redaction)).unwrap();
    assert_eq!(
        line,
        concat!(
            r#"{"ts":"2025-01-02T23:59:59.12Z","tool":"t","#,
            r#""argv":["./***REDACTED***/x","--key=***REDACTED***"],"#,
            r#""cwd":"/home/contains-***REDACTED***","exit":3,"ms":12,"#,
            r#""stdoutBytes":7,"stderrBytes":2,"truncated":true,"envKeys":["OAI_API_KEY","PATH"]}"#,
        )
    );
    assert!(!format!("{redaction:?}").contains("tools/bin"));
}

#[test]
fn a_run_that_did_not_end_by_itself_has_no_exit_code() {
    let end = End::Signal { number: 9, core_dumped: false };
    let signal = Outcome::Exited { end, stdout: b"hunter2".to_vec(), stderr: b"no".to_vec() };
    for outcome in [Outcome::TimedOut, signal, Outcome::NotDone("no".to_owned())] {
        let audit = audit(&json!({}), &outcome, Duration::ZERO, &Redaction::default());
        assert_eq!(audit.exit, -1);
    }
}

#[test]
fn logs_change_at_midnight_in_utc() {
    for (ended, ts, file) in [
        (0, "1970-01-01T00:00:00Z", "19700101.log"),
        (951_782_400, "2000-02-29T00:00:00Z", "20000229.log"),
        (1_735_862_399, "2025-01-02T23:59:59Z", "20250102.log"),
        (1_735_862_401, "2025-01-03T00:00:01Z", "20250103.log"),
        (4_107_542_400, "2100-03-01T00:00:00Z", "21000301.log"),
        (32_503_679_999, "2999-12-31T23:59:59Z", "29991231.log"),
    ] {
        let audit = audit_at(ended);
        assert_eq!((audit.ts.as_str(), audit.file_name().as_str()), (ts, file));
    }
}

proptest! {
    /// Counts the days back, with the rule for leap years written out.
    #[test]
    fn dates_count_days(day in 0..3_000_000_u64) {
        let audit = audit_at(day * 86_400);
        let date = audit.ts.strip_suffix("T00:00:00Z").unwrap();
        let parts: Vec<u64> = date.split('-').map(|part| part.parse().unwrap()).collect();
        let [year, month, day_of_month] = parts[..] else { panic!("{date}") };
        let before = year - 1;
        let leap_days = |year: u64| year / 4 - year / 100 + year / 400;
        let leap = leap_days(year) - leap_days(before);
        let months = [31, 28 + leap, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let index = usize::try_from(month).unwrap() - 1;
        prop_assert!((1..=months[index]).contains(&day_of_month));
        let days = before * 365 + leap_days(before) + months[..index].iter().sum::<u64>() + day_of_month;
        prop_assert_eq!(days, day + 719_163, "{}", date);
    }
}
