//! Results of calls, as MCP represents them.

use data_encoding::BASE64;
use host::{CallResult, Error};
use serde_json::{Map, Value, json};
use toolglot::call::{Answer, Failure, FailureKind};
use toolglot::providers;

use crate::tool::McpView;

type Object = Map<String, Value>;

/// Returns the members of a `CallToolResult`. If `any` is set, a structured result may be
/// any value; revisions before 2026 allow objects only.
pub(crate) fn result(called: CallResult, face: &McpView, any: bool) -> Object {
    if let Some(returned) = called.mcp_result()
        && let Some(result) = forward_result(returned, &called.answer, face, any)
    {
        return result;
    }
    match called.answer {
        Ok(answer) => answer_result(answer, face, any),
        Err(error) => error_result(&error_text(&error)),
    }
}

/// Returns a result that reports an error.
pub(crate) fn error_result(text: &str) -> Object {
    object(json!({"content": [{"type": "text", "text": text}], "isError": true}))
}

/// Passes on the result of another MCP server, with unchanged content.
fn forward_result(
    returned: &str,
    answer: &Result<Answer, Error>,
    face: &McpView,
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
        (Ok(Answer::Json(text)), Some(way)) => match encode(way, text) {
            Ok(value) => Some(value),
            Err(refusal) => return Some(error_result(&refusal)),
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

fn answer_result(answer: Answer, face: &McpView, any: bool) -> Object {
    let mut structured = None;
    if let Some(way) = &face.result {
        match encode(way, &answer.text().unwrap_or_default()) {
            Ok(value) => structured = Some(value),
            Err(refusal) => return error_result(&refusal),
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
fn encode(way: &providers::ValueConverter, text: &str) -> Result<Value, String> {
    let encoded = way.encode(text).map_err(|refusal| refusal.to_string())?;
    serde_json::from_str(&encoded).map_err(|error| error.to_string())
}

/// Formats an error, with all problems of an invalid answer.
pub(crate) fn error_text(error: &Error) -> String {
    let mut lines = vec![error.to_string()];
    if let Error::Failed(Failure { reason: FailureKind::Output(problems), .. }) = error {
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
