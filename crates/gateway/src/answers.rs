//! Answers of tools, encoded for hosts that accept only JSON or text.

use data_encoding::BASE64;
use toolglot::call::Answer;
use toolglot::json::{Document, quote};
use toolglot::{Format, Limits};

/// Encodes an answer for the calling host. It becomes JSON if the host accepts nothing
/// else.
pub fn encode_for_host(answer: Answer, host: &Format) -> Vec<u8> {
    if matches!(host.name, "mcpkg" | "jumith") {
        return format!("{}\n", as_json(answer)).into_bytes();
    }
    match answer.text() {
        Some(text) if text.is_empty() || text.ends_with('\n') => text.into_bytes(),
        Some(text) => (text + "\n").into_bytes(),
        None => answer.into_bytes(),
    }
}

/// Converts an answer to JSON. Text that is not JSON becomes a string, and bytes that are
/// not UTF-8 become `{"base64": …}`.
pub(crate) fn as_json(answer: Answer) -> String {
    match answer {
        Answer::Json(text) => text,
        Answer::Records(records) => format!("[{}]", records.join(",")),
        Answer::Nothing => "null".to_owned(),
        Answer::Text(text) => json_or_string(text),
        Answer::Bytes(bytes) => match String::from_utf8(bytes) {
            Ok(text) => json_or_string(text),
            Err(other) => format!(r#"{{"base64":"{}"}}"#, BASE64.encode(other.as_bytes())),
        },
    }
}

fn json_or_string(text: String) -> String {
    // The call has already limited the length of its answer.
    let bytes = text.len().max(1);
    let limits = Limits { document_bytes: bytes, nodes: bytes, ..Limits::default() };
    let is_json = Document::parse(text.as_bytes(), &limits).is_ok();
    if is_json { text } else { quote(&text) }
}
