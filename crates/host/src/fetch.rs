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
        let mut etag = None;
        let fetched = async {
            let response = match sender.send_for_response(request, &Values::new(), limits).await {
                Ok(response) => response,
                Err(outcome) => return outcome,
            };
            if let Some(tag) = response.headers().get(header::ETAG)
                && let Ok(tag) = tag.to_str()
            {
                etag = Some(tag.to_owned());
            }
            body_outcome(response, limits.answer_bytes).await
        };
        match timeout(self.cap_time(time), fetched).await.unwrap_or(Outcome::TimedOut) {
            Outcome::Responded { status, body } => Ok(FetchedDocument { status, etag, body }),
            Outcome::TimedOut => Err("there was no answer in time".to_owned()),
            Outcome::TooMuch { limit } => Err(format!("it has more than {limit} bytes")),
            Outcome::NotDone(why) | Outcome::Lost(why) => Err(why),
            _ => Err("there was no answer".to_owned()),
        }
    }
}
