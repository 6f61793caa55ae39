//! Tools of a server at a URL: the only calls that the format can express.

use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Invocation, McpTool};

use crate::server_json::table::is_address;

/// Returns the remote server that has a tool, with its name for the tool.
pub(super) fn remote_server<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t McpTool<'a>> {
    running_server(tool).filter(|server| server.url.is_some())
}

/// Returns the server that has a tool, with its name for the tool, if the server need not
/// be started first. Its URL may be missing.
pub(super) fn running_server<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t McpTool<'a>> {
    let Some(Invocation::McpTool(server)) = tool.invocation.as_deref() else { return None };
    let McpTool { tool: name, argv, cwd: _, url } = server;
    let shared = tool.package.url.as_ref().is_none_or(|shared| Some(shared) == url.as_ref());
    let plain = url.as_ref().is_none_or(|url| is_address(url) && !url.contains('{'));
    let there = argv.is_empty() && tool.package.command.is_empty();
    let only = tool.implementations.is_empty() && tool.chain.is_empty();
    (there && only && shared && plain && !name.is_empty()).then_some(server)
}
