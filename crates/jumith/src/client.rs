//! The client: builds requests and reads answers. The host sends and receives them.
//!
//! ```
//! use toolglot_jumith::client::{Client, Search};
//!
//! let client = Client::new("https://example.com/registry/")?;
//! let search = Search { q: "send mail".to_owned(), limit: Some(5), ..Search::default() };
//! let request = client.search(&search)?;
//! assert_eq!(request.url, "https://example.com/registry/v1/tools/search?q=send+mail&limit=5");
//!
//! // The host sends a GET request there, and gets this back:
//! let body = br#"{"results": [], "total": 0}"#;
//! let document = client.parse_answer(&request, 200, body)?;
//! assert!(client.results(&document)?.results.is_empty());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod pages;
mod request;

pub use answer::Failure;
pub use pages::Pages;
pub use request::{Client, Endpoint, MAX_PAGE_SIZE, Request, RequestError, Search, TIMEOUT_MS};
