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
pub(crate) fn result(called: CallResult, view: &McpView, any: bool) -> Object {
    if let Some(returned) = called.mcp_result()
        && let Some(result) = forward_result(returned, &called.answer, view, any)
    {
        return result;
    }
    match called.answer {
        Ok(answer) => answer_result(answer, view, any),
        Err(error) => error_result(&error_text(&error)),
    }
}

/// Returns a result that reports an error.
pub(crate) fn error_result(text: &str) -> Object {
    let mut result = text_result(text);
    result.insert("isError".to_owned(), Value::Bool(true));
    result
}

/// Passes on the result of another MCP server, with unchanged content.
fn forward_result(
    returned: &str,
    answer: &Result<Answer, Error>,
    view: &McpView,
    any: bool,
) -> Option<Object> {
    let mut returned: Object = serde_json::from_str(returned).ok()?;
    let is_error = returned.get("isError") == Some(&Value::Bool(true));
    if answer.is_err() && !is_error {
        // The tool's format treats this as a failure, although the server does not.
        return None;
    }
    let content = returned.remove("content").filter(Value::is_array);
    let mut result = Object::new();
    result.insert("content".to_owned(), content.unwrap_or_else(|| json!([])));
    let structured = match (answer, &view.result) {
        (Ok(Answer::Json(text)), Some(converter)) => match encode(converter, text) {
            Ok(value) => Some(value),
            Err(refusal) => return Some(error_result(&refusal)),
        },
        _ => returned.remove("structuredContent").filter(|value| any || value.is_object()),
    };
    if let Some(structured) = structured {
        result.insert("structuredContent".to_owned(), structured);
    }
    if is_error {
        result.insert("isError".to_owned(), Value::Bool(true));
    }
    if let Some(meta) = returned.remove("_meta") {
        result.insert("_meta".to_owned(), meta);
    }
    Some(result)
}

fn answer_result(answer: Answer, view: &McpView, any: bool) -> Object {
    let mut structured = None;
    if let Some(converter) = &view.result {
        match encode(converter, &answer.text().unwrap_or_default()) {
            Ok(value) => structured = Some(value),
            Err(refusal) => return error_result(&refusal),
        }
    } else if let Answer::Json(text) = &answer {
        let value: Option<Value> = serde_json::from_str(text).ok();
        structured = value.filter(|value| any || value.is_object());
    }
    let mut result = match answer {
        Answer::Nothing => content(json!([])),
        Answer::Bytes(bytes) => content(json!([{"type": "resource", "resource": {
            "uri": "toolglot:answer", "mimeType": "application/octet-stream",
            "blob": BASE64.encode(&bytes),
        }}])),
        other => text_result(&other.text().unwrap_or_default()),
    };
    if let Some(structured) = structured {
        result.insert("structuredContent".to_owned(), structured);
    }
    result
}

fn text_result(text: &str) -> Object {
    content(json!([{"type": "text", "text": text}]))
}

fn content(content: Value) -> Object {
    Object::from_iter([("content".to_owned(), content)])
}

/// Encodes a result for the output schema that the client knows.
fn encode(converter: &providers::ValueConverter, text: &str) -> Result<Value, String> {
    let encoded = converter.encode(text).map_err(|refusal| refusal.to_string())?;
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
