//! Results of calls, as MCP represents them.

use data_encoding::BASE64;
use host::{Called, Error};
use serde_json::{Map, Value, json};
use toolglot::call::{Answer, Failure, Reason};
use toolglot::providers;

use crate::tool::Face;

type Object = Map<String, Value>;

/// Returns the members of a `CallToolResult`. If `any` is set, a structured result may be
/// any value; revisions before 2026 allow objects only.
pub(crate) fn result(called: Called, face: &Face, any: bool) -> Object {
    if let Some(returned) = called.returned()
        && let Some(result) = passed_on(returned, &called.answer, face, any)
    {
        return result;
    }
    match called.answer {
        Ok(answer) => answered(answer, face, any),
        Err(error) => failed(&told(&error)),
    }
}

/// Returns a result that reports an error.
pub(crate) fn failed(text: &str) -> Object {
    object(json!({"content": [{"type": "text", "text": text}], "isError": true}))
}

/// Passes on the result of another MCP server, with unchanged content.
fn passed_on(
    returned: &str,
    answer: &Result<Answer, Error>,
    face: &Face,
    any: bool,
) -> Option<Object> {
    let mut whole: Object = serde_json::from_str(returned).ok()?;
    let is_error = whole.get("isError").and_then(Value::as_bool).unwrap_or(false);
    if answer.is_err() && !is_error {
        // The tool's format treats this as a failure, although the server does not.
        return None;
    }
    let mut result = Object::new();
    let content = whole.remove("content").filter(Value::is_array);
    result.insert("content".to_owned(), content.unwrap_or_else(|| json!([])));
    let structured = match (answer, &face.result) {
        (Ok(Answer::Json(text)), Some(way)) => match encoded(way, text) {
            Ok(value) => Some(value),
            Err(refusal) => return Some(failed(&refusal)),
        },
        _ => whole.remove("structuredContent").filter(|value| any || value.is_object()),
    };
    result.extend(structured.map(|value| ("structuredContent".to_owned(), value)));
    if is_error {
        result.insert("isError".to_owned(), Value::Bool(true));
    }
    result.extend(whole.remove("_meta").map(|meta| ("_meta".to_owned(), meta)));
    Some(result)
}

fn answered(answer: Answer, face: &Face, any: bool) -> Object {
    let mut structured = None;
    if let Some(way) = &face.result {
        match encoded(way, &answer.text().unwrap_or_default()) {
            Ok(value) => structured = Some(value),
            Err(refusal) => return failed(&refusal),
        }
    } else if let Answer::Json(text) = &answer {
        let value: Option<Value> = serde_json::from_str(text).ok();
        structured = value.filter(|value| any || value.is_object());
    }
    let content = match answer {
        Answer::Nothing => json!([]),
        Answer::Bytes(bytes) => json!([{"type": "resource", "resource": {
            "uri": "toolglot:answer", "mimeType": "application/octet-stream",
            "blob": BASE64.encode(&bytes),
        }}]),
        other => json!([{"type": "text", "text": other.text().unwrap_or_default()}]),
    };
    let mut result = object(json!({"content": content}));
    result.extend(structured.map(|value| ("structuredContent".to_owned(), value)));
    result
}

/// Encodes a result for the output schema that the client knows.
fn encoded(way: &providers::Call, text: &str) -> Result<Value, String> {
    let encoded = way.encode(text).map_err(|refusal| refusal.to_string())?;
    serde_json::from_str(&encoded).map_err(|error| error.to_string())
}

/// Formats an error, with all problems of an invalid answer.
pub(crate) fn told(error: &Error) -> String {
    let mut lines = vec![error.to_string()];
    if let Error::Failed(Failure { reason: Reason::Output(problems), .. }) = error {
        lines.extend(problems.iter().map(|problem| format!("- {problem}")));
    }
    lines.join("\n")
}

fn object(value: Value) -> Object {
    match value {
        Value::Object(object) => object,
        _ => Object::new(),
    }
}
