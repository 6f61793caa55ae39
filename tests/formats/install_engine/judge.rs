//! What came of a call.

use call::{Answer, End, Failure, FailureKind, Judge, Outcome, Retry};
use install_manifest::FORMAT;
use manifest_core::Limits;
use serde_json::{Value, json};

use super::{base, with_tools};

fn judge(action: &Value, outcome: &Outcome) -> Result<Answer, Failure> {
    let mut manifest = base();
    for (name, value) in action.as_object().unwrap() {
        manifest["actions"][0][name] = value.clone();
    }
    with_tools(&manifest, |_, tools| {
        let contract = (FORMAT.contract)(&tools[0]);
        Judge::for_tool(&tools[0], &contract).judge(outcome, &Limits::default())
    })
}

fn exited(end: End, stdout: &[u8], stderr: &[u8]) -> Outcome {
    Outcome::Exited { end, stdout: stdout.to_vec(), stderr: stderr.to_vec() }
}

fn printed(stdout: &[u8]) -> Outcome {
    exited(End::Exit(0), stdout, b"")
}

#[test]
fn output_is_read_as_it_is_declared() {
    let declared = |format: &str, stdout: &[u8]| {
        judge(&json!({"output": {"format": format}}), &printed(stdout))
    };
    assert_eq!(declared("json", b" {\"a\": 1.0} \n").unwrap(), Answer::Json("{\"a\": 1.0}".into()));
    assert_eq!(declared("text", b"hi\n").unwrap(), Answer::Text("hi\n".into()));
    assert_eq!(declared("binary", b"\xff").unwrap(), Answer::Bytes(vec![255]));
    assert_eq!(declared("none", b"noise").unwrap(), Answer::Nothing);
    let records = declared("ndjson-stream", b"{\"a\":1}\n\n{\"a\":2}\r\n").unwrap();
    assert_eq!(records, Answer::Records(vec!["{\"a\":1}".into(), "{\"a\":2}".into()]));
    assert_eq!(judge(&json!({}), &printed(b"\xff")).unwrap(), Answer::Bytes(vec![255]));
    assert_eq!(judge(&json!({}), &printed(b"x")).unwrap(), Answer::Text("x".into()));

    for (format, stdout) in [
        ("json", &b"{"[..]),
        ("json", b""),
        ("json", b"{\"a\":1,\"a\":2}"),
        ("text", b"\xff"),
        ("ndjson-stream", b"{}\n5"),
        ("ndjson-stream", b"{}\n{"),
    ] {
        let failure = declared(format, stdout).unwrap_err();
        assert!(matches!(failure.reason, FailureKind::Output(_)), "{format} {failure:?}");
        assert_eq!(failure.retry, Retry::Useless);
    }
}

#[test]
fn output_must_match_its_schema() {
    let schema =
        json!({"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}});
    let json = json!({"output": {"format": "json", "schema": schema}});
    assert!(judge(&json, &printed(b"{\"id\": 1.0}")).is_ok());
    let failure = judge(&json, &printed(b"{\"id\": \"x\"}")).unwrap_err();
    let FailureKind::Output(problems) = failure.reason else { panic!("the output") };
    assert_eq!(problems[0].pointer.as_str(), "/id");

    let stream = json!({"output": {"format": "ndjson-stream", "schema": schema}});
    let failure = judge(&stream, &printed(b"{\"id\":1}\n{\"id\":null}")).unwrap_err();
    let FailureKind::Output(problems) = failure.reason else { panic!("the output") };
    assert_eq!(problems[0].pointer.as_str(), "/1/id");
}

#[test]
fn errors_in_the_standard_envelope() {
    let error = br#"{"error": {"code": "no_such_note", "message": "There is no note 7.",
        "details": {"id": 7}}}"#;
    let standard = json!({"error_envelope": "standard", "output": {"format": "json"}});
    for outcome in [
        printed(error),
        exited(End::Exit(2), error, b"noise"),
        Outcome::Responded { status: 404, body: error.to_vec() },
        Outcome::Responded { status: 200, body: error.to_vec() },
    ] {
        let failure = judge(&standard, &outcome).unwrap_err();
        assert_eq!(failure.reason, FailureKind::Error);
        assert_eq!(failure.to_string(), "no_such_note: There is no note 7.");
        assert_eq!(failure.details.unwrap().as_str(), "{\"id\": 7}");
    }
    // Without the promise it is the tool's own business.
    assert!(judge(&json!({"output": {"format": "json"}}), &printed(error)).is_ok());
    // Something that is no envelope is no error.
    assert!(judge(&standard, &printed(br#"{"error": null}"#)).is_ok());
    let failure = judge(&standard, &exited(End::Exit(3), b"", b"bad\n\x1b[2J"));
    let failure = failure.unwrap_err();
    assert_eq!(failure.reason, FailureKind::Exit(End::Exit(3)));
    assert_eq!(failure.message, "bad\\u{a}\\u{1b}[2J");
}

#[test]
fn advice_on_calling_again() {
    let retry = |idempotent: bool, outcome: Outcome| {
        judge(&json!({"idempotent": idempotent}), &outcome).unwrap_err().retry
    };
    let status = |status| Outcome::Responded { status, body: Vec::new() };
    assert_eq!(retry(true, Outcome::TimedOut), Retry::Safe);
    assert_eq!(retry(false, Outcome::TimedOut), Retry::Unsafe);
    assert_eq!(retry(true, status(502)), Retry::Safe);
    assert_eq!(retry(false, status(502)), Retry::Unsafe);
    assert_eq!(retry(false, status(429)), Retry::Safe);
    assert_eq!(retry(true, status(404)), Retry::Useless);
    assert_eq!(retry(false, Outcome::NotDone("no route".to_owned())), Retry::Safe);
    let exit = |end| exited(end, b"", b"");
    assert_eq!(retry(true, exit(End::Exit(1))), Retry::Useless);
    let signal = End::Signal { number: 9, core_dumped: false };
    assert_eq!(retry(false, exit(signal)), Retry::Unsafe);
}

#[test]
fn results_of_mcp_tools() {
    let json = json!({"output": {"format": "json"}});
    let returned = |result: &str| judge(&json, &Outcome::Returned(result.to_owned()));
    let structured =
        r#"{"content": [{"type": "text", "text": "no"}], "structuredContent": {"a": 1}}"#;
    assert_eq!(returned(structured).unwrap(), Answer::Json(r#"{"a": 1}"#.into()));
    let text = r#"{"content": [{"type": "text", "text": "{\"a\": 2}"}]}"#;
    assert_eq!(returned(text).unwrap(), Answer::Json(r#"{"a": 2}"#.into()));
    let plain = r#"{"content": [{"type": "text", "text": "hello"}]}"#;
    assert_eq!(returned(plain).unwrap(), Answer::Json(plain.into()));
    let as_text =
        judge(&json!({"output": {"format": "text"}}), &Outcome::Returned(plain.to_owned()));
    assert_eq!(as_text.unwrap(), Answer::Text("hello".into()));
    let failed = r#"{"content": [{"type": "text", "text": "quota"}], "isError": true}"#;
    let failure = returned(failed).unwrap_err();
    assert_eq!((failure.reason, failure.message.as_str()), (FailureKind::Error, "quota"));
}
