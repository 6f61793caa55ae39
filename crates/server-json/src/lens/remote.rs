//! Tools of a server at a URL: the only ones whose call can be said.

use manifest_core::ToolDescriptor;
use manifest_core::descriptor::{Invocation, McpTool};

use crate::table::is_address;

/// The remote server that has a tool, and what it calls the tool.
pub(super) fn of<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t McpTool<'a>> {
    named(tool).filter(|server| server.url.is_some())
}

/// A tool that a server has under a name. One that has to be started first is not there already;
/// where it is need not be said.
pub(super) fn named<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Option<&'t McpTool<'a>> {
    let Some(Invocation::McpTool(server)) = tool.invocation.as_deref() else { return None };
    let McpTool { tool: name, argv, cwd: _, url } = server;
    let shared = tool.package.url.as_ref().is_none_or(|shared| Some(shared) == url.as_ref());
    let plain = url.as_ref().is_none_or(|url| is_address(url) && !url.contains('{'));
    let there = argv.is_empty() && tool.package.command.is_empty();
    let only = tool.implementations.is_empty() && tool.chain.is_empty();
    (there && only && shared && plain && !name.is_empty()).then_some(server)
}
