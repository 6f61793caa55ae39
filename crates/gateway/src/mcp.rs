//! The tools as an MCP server.

mod asking;
mod server;
mod tools;
mod whole;

pub(crate) use self::asking::Questions;
pub(crate) use self::server::Server;
