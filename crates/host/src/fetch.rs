//! Fetches documents of the web, for callers that cache them.

use std::time::Duration;

use call::{Outcome, Request};
use reqwest::header;
use tokio::time::timeout;

use crate::host::Host;
use crate::http::body_outcome;
use crate::values::Values;

/// A server's answer, with the data that a cache needs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FetchedDocument {
    /// The status.
    pub status: u16,
    /// The `ETag` of this answer. If it is sent as `If-None-Match`, the server answers with
    /// 304 and nothing else until the document changes.
    pub etag: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl FetchedDocument {
    /// Creates an answer.
    pub const fn new(status: u16, etag: Option<String>, body: Vec<u8>) -> Self {
        Self { status, etag, body }
    }
}

impl Host {
    /// Sends a request that needs no values, and returns the whole answer. Fails with a
    /// message if it takes longer than `time` or has more than [`Limits::answer_bytes`].
    ///
    /// [`Limits::answer_bytes`]: crate::Limits::answer_bytes
    pub async fn fetch(
        &self,
        request: &Request,
        time: Duration,
    ) -> Result<FetchedDocument, String> {
        let (sender, limits) = self.sender_and_limits();
        let asked = async {
            let response = match sender.send_for_response(request, &Values::new(), limits).await {
                Ok(response) => response,
                Err(outcome) => return (None, outcome),
            };
            let etag = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
            (etag.map(str::to_owned), body_outcome(response, limits.answer_bytes).await)
        };
        let asked = timeout(self.cap_time(time), asked).await;
        match asked.unwrap_or((None, Outcome::TimedOut)) {
            (etag, Outcome::Responded { status, body }) => {
                Ok(FetchedDocument { status, etag, body })
            }
            (_, Outcome::TimedOut) => Err("there was no answer in time".to_owned()),
            (_, Outcome::TooMuch { limit }) => Err(format!("it has more than {limit} bytes")),
            (_, Outcome::NotDone(why) | Outcome::Lost(why)) => Err(why),
            _ => Err("there was no answer".to_owned()),
        }
    }
}
