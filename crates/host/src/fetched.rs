//! Documents of the web, for those who keep them.

use std::time::Duration;

use call::{Outcome, Request};
use reqwest::header;
use tokio::time::timeout;

use crate::host::Host;
use crate::http::body;
use crate::values::Values;

/// What a server answered, with what a cache has to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fetched {
    /// The status.
    pub status: u16,
    /// What tells this answer from others: sent along as `If-None-Match`, it makes the server
    /// answer with 304 and nothing else, as long as that is true.
    pub etag: Option<String>,
    /// The body.
    pub body: Vec<u8>,
}

impl Fetched {
    /// An answer.
    pub const fn new(status: u16, etag: Option<String>, body: Vec<u8>) -> Self {
        Self { status, etag, body }
    }
}

impl Host {
    /// Sends a request that needs no values, and takes the answer: all of it within that time, and
    /// no more than [`Limits::answer_bytes`]. Why there is none is said in words.
    ///
    /// [`Limits::answer_bytes`]: crate::Limits::answer_bytes
    pub async fn fetch(&self, request: &Request, time: Duration) -> Result<Fetched, String> {
        let (sender, limits) = self.sending();
        let asked = async {
            let response = match sender.respond(request, &Values::new(), limits).await {
                Ok(response) => response,
                Err(outcome) => return (None, outcome),
            };
            let etag = response.headers().get(header::ETAG).and_then(|tag| tag.to_str().ok());
            (etag.map(str::to_owned), body(response, limits.answer_bytes).await)
        };
        let asked = timeout(self.at_most(time), asked).await;
        match asked.unwrap_or((None, Outcome::TimedOut)) {
            (etag, Outcome::Responded { status, body }) => Ok(Fetched { status, etag, body }),
            (_, Outcome::TimedOut) => Err("there was no answer in time".to_owned()),
            (_, Outcome::TooMuch { limit }) => Err(format!("it has more than {limit} bytes")),
            (_, Outcome::NotDone(why) | Outcome::Lost(why)) => Err(why),
            _ => Err("there was no answer".to_owned()),
        }
    }
}
