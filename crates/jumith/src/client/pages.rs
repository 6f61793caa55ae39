//! Requests the pages of a search one after the other.

use super::request::{Client, Request, RequestError, Search};
use crate::results::SearchResults;

/// The pages of a search: get the next request, feed the page that came back, repeat.
///
/// ```
/// use toolglot_jumith::client::{Client, Search};
/// # use toolglot_jumith::SearchResults;
///
/// let client = Client::new("https://example.com")?;
/// let mut pages = client.pages(Search { q: "mail".to_owned(), ..Search::default() })?;
/// while let Some(request) = pages.request() {
///     # let page = SearchResults::default();
///     // let page = … send the request, read the answer …
///     pages.feed(&page);
/// }
/// # Ok::<(), toolglot_jumith::client::RequestError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pages<'c> {
    client: &'c Client,
    search: Search,
    limit: u64,
    received: u64,
    done: bool,
}

impl Client {
    /// Starts a search over all pages.
    pub fn pages(&self, search: Search) -> Result<Pages<'_>, RequestError> {
        self.search(&search)?;
        Ok(Pages::new(self, search))
    }
}

impl<'c> Pages<'c> {
    fn new(client: &'c Client, search: Search) -> Self {
        Self { client, search, limit: 10_000, received: 0, done: false }
    }

    /// Stops after this many results. The default is 10,000, because a registry could go on
    /// forever.
    #[must_use]
    pub fn at_most(mut self, results: u64) -> Self {
        self.limit = results;
        self
    }

    /// Returns the request for the next page, or `None` after the last one.
    pub fn request(&self) -> Option<Request> {
        if self.done || self.received >= self.limit {
            return None;
        }
        let offset = self.search.offset.unwrap_or(0).checked_add(self.received)?;
        self.client.search(&Search { offset: Some(offset), ..self.search.clone() }).ok()
    }

    /// Records the page that came back.
    pub fn feed(&mut self, page: &SearchResults<'_>) {
        let count = page.results.len() as u64;
        self.received = self.received.saturating_add(count);
        let offset = self.search.offset.unwrap_or(0);
        let seen = offset.saturating_add(self.received);
        self.done = count == 0 || page.total().is_none_or(|total| seen >= total);
    }
}
