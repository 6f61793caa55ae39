//! The tools as an MCP server.

mod asking;
mod http;
mod server;
mod tools;
mod whole;

pub(crate) use self::asking::Questions;
pub(crate) use self::http::OverHttp;
pub(crate) use self::server::Server;
