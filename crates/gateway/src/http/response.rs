//! Responses of the plain HTTP routes, in JSON.

use axum::body::Body;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_TYPE, HeaderName, HeaderValue, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{Response, StatusCode};
use host::{CallResult, Error};
use serde_json::{Value, json};

use crate::answers::as_json;
use crate::prepared_call::Refusal;
use crate::result::error_text;

/// Builds a response of a content type. It must not be cached, and browsers must not guess
/// another type.
pub(super) fn response(
    status: StatusCode,
    kind: &'static str,
    body: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers: [(HeaderName, &'static str); 3] =
        [(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-store"), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    for (name, value) in headers {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

pub(super) fn json_response(value: &Value) -> Response<Body> {
    json_text(value.to_string())
}

/// Builds a response of text that is JSON already.
pub(super) fn json_text(text: String) -> Response<Body> {
    response(StatusCode::OK, JSON, text)
}

const JSON: &str = "application/json";

/// Builds an error response, in the standard envelope.
pub(super) fn error_response(status: StatusCode, code: &str, message: &str) -> Response<Body> {
    let body = json!({"error": {"code": code, "message": message}});
    response(status, JSON, body.to_string())
}

/// Builds the response to a call that was refused.
pub(super) fn refusal_response(refusal: &Refusal) -> Response<Body> {
    let (status, code) = match refusal {
        Refusal::Arguments(_) => (StatusCode::BAD_REQUEST, "arguments"),
        Refusal::NotGranted(_) => (StatusCode::FORBIDDEN, "not-granted"),
        Refusal::NotApproved(_) => (StatusCode::FORBIDDEN, "not-approved"),
        Refusal::Missing(_) => (StatusCode::FAILED_DEPENDENCY, "missing"),
    };
    error_response(status, code, &refusal.to_string())
}

/// Builds the response to a call that was made.
pub(super) fn call_response(called: CallResult) -> Response<Body> {
    let answer = match called.answer {
        Ok(answer) => answer,
        Err(error) => {
            let (status, code) = match &error {
                Error::Busy => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
                _ => (StatusCode::BAD_GATEWAY, "failed"),
            };
            return error_response(status, code, &error_text(&error));
        }
    };
    response(StatusCode::OK, JSON, as_json(answer))
}
