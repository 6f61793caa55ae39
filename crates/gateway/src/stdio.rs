//! An MCP server over standard input and output.

use std::io;
use std::sync::Arc;

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::gateway::Gateway;
use crate::mcp::Server;

/// The longest message of a client, in bytes.
const LONGEST_MESSAGE: usize = 16 << 20;

/// Serves one client over these streams, until it disconnects. Other code must not write to
/// `output`.
pub async fn serve<R, W>(gateway: Arc<Gateway>, input: R, output: W) -> io::Result<()>
where
    R: AsyncRead + Send + Unpin + 'static,
    W: AsyncWrite + Send + Unpin + 'static,
{
    let lines = AsyncRwTransport::new_server(input, output).with_max_line_length(LONGEST_MESSAGE);
    match Server::new(gateway).serve(lines).await {
        Ok(running) => match running.waiting().await {
            Ok(_) => Ok(()),
            Err(error) => Err(io::Error::other(error)),
        },
        // It is no failure if a client disconnects before it sends anything.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(io::Error::other(error.to_string())),
    }
}
