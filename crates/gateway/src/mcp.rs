//! The tools as an MCP server.

mod approval;
mod http;
mod raw_result;
mod server;
mod tools;

pub(crate) use self::http::HttpService;
pub(crate) use self::server::Server;
