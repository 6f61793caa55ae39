//! An MCP server over HTTP, with bounded answers.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use reqwest::header::{self, HeaderName, HeaderValue};
use reqwest::{Client, Response, StatusCode};
use rmcp::model::{ClientJsonRpcMessage, JsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use super::raw::{PendingResults, ResultSlot};
use crate::http::read_body;

const SESSION: &str = "mcp-session-id";
const JSON: &str = "application/json";
const EVENTS: &str = "text/event-stream";
const TOO_MUCH: &str = "the server answered with more than is taken";

type PostError = StreamableHttpError<reqwest::Error>;
type Events = BoxStream<'static, Result<Sse, SseError>>;

/// Posts messages, and reads no more of an answer than the limit.
#[derive(Clone)]
pub(crate) struct HttpPoster {
    pub(crate) client: Client,
    pub(crate) waiting: PendingResults,
    pub(crate) limit: usize,
}

impl HttpPoster {
    /// Reads an answer that is one JSON message.
    async fn message(
        &self,
        response: Response,
        slot: Option<ResultSlot>,
    ) -> Result<Vec<u8>, PostError> {
        match read_body(response, self.limit).await {
            Ok(Some(body)) => Ok(body),
            Ok(None) => {
                if let Some(slot) = slot {
                    slot.overflow();
                }
                Err(StreamableHttpError::UnexpectedServerResponse(TOO_MUCH.into()))
            }
            Err(error) => Err(StreamableHttpError::Client(error)),
        }
    }

    /// Reads an answer of events, whose total size is limited.
    fn events(&self, response: Response, slot: Option<ResultSlot>) -> Events {
        let (limit, mut total) = (self.limit, 0);
        let bounded = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(io::Error::other)?;
            total += chunk.len();
            if total > limit {
                if let Some(slot) = &slot {
                    slot.overflow();
                }
                return Err(io::Error::other(TOO_MUCH));
            }
            Ok(chunk)
        });
        self.record_results(SseStream::from_bytes_stream(bounded).boxed())
    }

    /// Passes on the same events, and stores the results in them for the calls that wait.
    fn record_results(&self, events: Events) -> Events {
        let waiting = self.waiting.clone();
        events
            .inspect(move |event| {
                if let Ok(Sse { data: Some(data), .. }) = event {
                    waiting.deliver(data.as_bytes());
                }
            })
            .boxed()
    }

    fn answer(
        &self,
        body: &[u8],
        asked: bool,
        session: Option<String>,
    ) -> Result<StreamableHttpPostResponse, PostError> {
        match serde_json::from_slice::<ServerJsonRpcMessage>(body) {
            Ok(message) => {
                self.waiting.deliver(body);
                Ok(StreamableHttpPostResponse::Json(message, session))
            }
            Err(_) if !asked => Ok(StreamableHttpPostResponse::Accepted),
            Err(error) => Err(StreamableHttpError::Deserialize(error)),
        }
    }
}

fn header_text(response: &Response, name: HeaderName) -> Option<String> {
    Some(response.headers().get(name)?.to_str().ok()?.to_owned())
}

impl StreamableHttpClient for HttpPoster {
    type Error = reqwest::Error;

    async fn post_message(
        &self,
        uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session_id: Option<Arc<str>>,
        _: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<StreamableHttpPostResponse, PostError> {
        let slot = self.waiting.register(&message);
        let asked = matches!(message, JsonRpcMessage::Request(_));
        let mut request = self
            .client
            .post(uri.as_ref())
            .header(header::ACCEPT, format!("{EVENTS}, {JSON}"))
            .headers(headers.into_iter().collect())
            .header(header::CONTENT_TYPE, JSON)
            .body(serde_json::to_vec(&message)?);
        if let Some(session) = &session_id {
            request = request.header(SESSION, session.as_ref());
        }
        let response = request.send().await.map_err(StreamableHttpError::Client)?;
        let status = response.status();
        let session = header_text(&response, HeaderName::from_static(SESSION));
        let kind = header_text(&response, header::CONTENT_TYPE);
        let is_json = kind.as_ref().is_some_and(|kind| kind.starts_with(JSON));
        let is_events = kind.as_ref().is_some_and(|kind| kind.starts_with(EVENTS));
        if matches!(status, StatusCode::ACCEPTED | StatusCode::NO_CONTENT) {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        if status == StatusCode::NOT_FOUND && session_id.is_some() {
            return Err(StreamableHttpError::SessionExpired);
        }
        if status.is_success() && is_events {
            return Ok(StreamableHttpPostResponse::Sse(self.events(response, slot), session));
        }
        if is_json {
            let body = self.message(response, slot).await?;
            if status.is_success() {
                return self.answer(&body, asked, session);
            }
            // A JSON-RPC error is an answer, too.
            if let Ok(error @ JsonRpcMessage::Error(_)) = serde_json::from_slice(&body) {
                return Ok(StreamableHttpPostResponse::Json(error, session));
            }
        } else if status.is_success() && !asked {
            return Ok(StreamableHttpPostResponse::Accepted);
        } else if status.is_success() {
            return Err(StreamableHttpError::UnexpectedContentType(kind));
        }
        let message = format!("the server answered with status {}", status.as_u16());
        Err(StreamableHttpError::UnexpectedServerResponse(message.into()))
    }

    async fn delete_session(
        &self,
        uri: Arc<str>,
        session: Arc<str>,
        auth: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<(), PostError> {
        self.client.delete_session(uri, session, auth, headers).await
    }

    async fn get_stream(
        &self,
        uri: Arc<str>,
        session: Option<Arc<str>>,
        last_event: Option<String>,
        auth: Option<String>,
        headers: HashMap<HeaderName, HeaderValue>,
    ) -> Result<Events, PostError> {
        let events = self.client.get_stream_with_max_sse_event_size(
            uri, session, last_event, auth, headers, self.limit,
        );
        Ok(self.record_results(events.await?))
    }
}
