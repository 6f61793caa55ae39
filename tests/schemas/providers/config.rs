//! Configurations of MCP servers, as the programs that read them document it.

use manifest_core::descriptor::{Invocation, McpTool};
use manifest_core::{Sourced, Text, ToolDescriptor};
use providers::{ConfigHost, Source, mcp_config};
use serde_json::{Value, json};

fn tool(argv: &[&'static str], url: Option<&'static str>) -> ToolDescriptor<'static> {
    let text = |text: &'static str| Sourced::from(Text::Borrowed(text));
    let call = McpTool {
        tool: text("send"),
        argv: argv.iter().map(|one| text(one)).collect(),
        cwd: None,
        url: url.map(text),
    };
    ToolDescriptor {
        id: Text::Borrowed("send").into(),
        invocation: Some(Sourced::from(Invocation::McpTool(call))),
        ..ToolDescriptor::default()
    }
}

/// The server of a manifest with these tools.
fn server(tools: &[ToolDescriptor<'_>], host: ConfigHost) -> Value {
    let path = Some("/srv/mail.json");
    let source = Source { label: "mail.json", prefix: None, path, tools };
    let config = mcp_config(&[source], host);
    assert!(config.skipped.is_empty());
    let made: Value = serde_json::from_str(&config.json).unwrap();
    let key = if host == ConfigHost::VsCode { "servers" } else { "mcpServers" };
    made[key]["mail"].clone()
}

#[test]
fn a_server_is_reached_by_its_url() {
    let tools = [tool(&[], Some("https://example.org/mcp"))];
    let url = "https://example.org/mcp";
    for (host, expected) in [
        (ConfigHost::Claude, json!({"type": "http", "url": url})),
        (ConfigHost::Cursor, json!({"url": url})),
        (ConfigHost::VsCode, json!({"type": "http", "url": url})),
    ] {
        assert_eq!(server(&tools, host), expected, "{host:?}");
    }
}

#[test]
fn what_a_configuration_cannot_say_is_served() {
    let good = tool(&["mail-server"], None);
    assert_eq!(
        server(std::slice::from_ref(&good), ConfigHost::Claude),
        json!({"command": "mail-server", "args": []})
    );
    let mut off = good.clone();
    off.enabled = Some(Sourced::from(false));
    let mut credential = tool(&[], Some("https://example.org/mcp"));
    credential.auth.scheme = Some(Text::Borrowed("bearer").into());
    let served = json!({"command": "toolglot", "args": ["mcp", "/srv/mail.json"]});
    for tools in [
        vec![good.clone(), off],
        vec![credential],
        vec![good.clone(), tool(&["other-server"], None)],
        vec![good, ToolDescriptor { id: Text::Borrowed("x").into(), ..ToolDescriptor::default() }],
        vec![tool(&["./mail-server"], None)],
        vec![tool(&["mail-server", "${HOME}"], None)],
        vec![tool(&[], None)],
        vec![tool(&["mail-server"], Some("https://example.org/mcp"))],
        vec![],
    ] {
        assert_eq!(server(&tools, ConfigHost::Claude), served, "{tools:?}");
    }
}
