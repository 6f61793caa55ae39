//! Adds the server of a list to the list.

use std::str::FromStr;

use manifest_core::Pointer;
use manifest_core::json::{Document, Edit, EditError, apply, quote};

/// The way to reach an MCP server.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Server {
    /// The command that starts it: program and arguments.
    Command(Vec<String>),
    /// Its URL.
    Url(String),
}

/// The reason why a text is not a [`Server`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseServerError {
    /// The text is empty.
    Empty,
    /// A quotation mark is not closed.
    UnclosedQuote,
}

impl std::fmt::Display for ParseServerError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Empty => "write the command that starts the server, or its URL",
            Self::UnclosedQuote => "close the quotation mark",
        })
    }
}

impl std::error::Error for ParseServerError {}

/// Parses a URL, or a command with the quoting rules of a shell, without expansions.
///
/// ```
/// use toolglot_mcp::tool_list::Server;
///
/// let words = ["npx", "-y", "my notes"].map(str::to_owned).to_vec();
/// assert_eq!("npx -y 'my notes'".parse(), Ok(Server::Command(words)));
/// let url = "https://example.com/mcp";
/// assert_eq!(url.parse(), Ok(Server::Url(url.to_owned())));
/// assert!("".parse::<Server>().is_err());
/// ```
impl FromStr for Server {
    type Err = ParseServerError;

    fn from_str(text: &str) -> Result<Self, ParseServerError> {
        let is_url = ["http://", "https://"].iter().any(|scheme| text.starts_with(scheme));
        if is_url {
            return Ok(Self::Url(text.to_owned()));
        }
        let words = shell_words::split(text).map_err(|_| ParseServerError::UnclosedQuote)?;
        if words.is_empty() { Err(ParseServerError::Empty) } else { Ok(Self::Command(words)) }
    }
}

/// Returns the text of a list with this server. Everything else stays unchanged.
///
/// ```
/// use manifest_core::{Limits, json::Document};
/// use toolglot_mcp::tool_list::{Server, with_server};
///
/// let document = Document::parse(br#"{"tools": []}"#, &Limits::default())?;
/// let text = with_server(&document, &Server::Url("https://example.com/mcp".to_owned()))?;
/// assert!(text.starts_with(r#"{"tools": [],"#));
/// assert!(text.ends_with(r#""server": {"url": "https://example.com/mcp"}}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn with_server(document: &Document<'_>, server: &Server) -> Result<String, EditError> {
    let value = match server {
        Server::Command(words) => {
            let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
            format!("{{\"command\": [{}]}}", words.join(", "))
        }
        Server::Url(url) => format!("{{\"url\": {}}}", quote(url)),
    };
    let at = Pointer::root().push("server");
    let edit = match document.root().get("server") {
        Some(_) => Edit::Set(at, value),
        None => Edit::Insert(at, value),
    };
    apply(document, &[edit])
}
