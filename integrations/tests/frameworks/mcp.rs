//! rmcp: a server and a client, and the tools of all revisions.

use integrations::server::Server;
use rmcp::ServiceExt;
use rmcp::model::{CallToolRequestParams, CallToolResult, Tool};
use serde_json::{Value, from_value, json, to_value};
use toolglot::providers::{Options, Revision, Target};

use crate::{arguments, given, greeters, greeting, is_told_what_to_correct, mixed};

fn request(name: &str, arguments: Value) -> CallToolRequestParams {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    CallToolRequestParams::new(name.to_owned()).with_arguments(arguments)
}

fn text(result: &CallToolResult) -> &str {
    &result.content[0].as_text().unwrap().text
}

#[tokio::test]
async fn a_client_lists_calls_and_is_corrected() {
    let mut folder = mixed();
    let tools = given(&mut folder, &Options::new(Target::Mcp(Revision::R20251125)));
    let (here, there) = tokio::io::duplex(1 << 16);
    let server = Server::new(folder).unwrap();
    let serving = Box::pin(server.serve(here));
    let running = tokio::spawn(async move { serving.await.unwrap().waiting().await });
    let client = ().serve(there).await.unwrap();

    let listed = client.list_all_tools().await.unwrap();
    assert_eq!(listed.len(), tools.len());
    for (listed, tool) in std::iter::zip(listed, &tools) {
        assert_eq!(to_value(listed).unwrap(), tool.json);
    }

    for tool in greeters(&tools) {
        let name = &tool.name;
        let result = client.call_tool(request(name, arguments())).await.unwrap();
        assert_eq!(result.is_error, Some(false), "{name}: {result:?}");
        let answer: Value = serde_json::from_str(text(&result)).unwrap();
        assert_eq!(answer, greeting(), "{name}");
        // A result is structured where the tool is listed with a schema for it.
        let structured = tool.json.get("outputSchema").map(|_| greeting());
        assert_eq!(result.structured_content, structured, "{name}");

        let wrong = json!({"name": "Ada", "count": "two"});
        let result = client.call_tool(request(name, wrong)).await.unwrap();
        assert_eq!(result.is_error, Some(true), "{name}: {result:?}");
        is_told_what_to_correct(text(&result));
    }
    let unknown = client.call_tool(request("nobody", json!({}))).await;
    assert!(unknown.unwrap_err().to_string().contains("there is no such tool"));

    client.cancel().await.unwrap();
    running.await.unwrap().unwrap();
}

#[test]
fn tools_of_every_revision_are_tools_of_rmcp() {
    let mut folder = mixed();
    for revision in [Revision::R20250618, Revision::R20251125, Revision::R20260728] {
        for tool in given(&mut folder, &Options::new(Target::Mcp(revision))) {
            let theirs: Tool = from_value(tool.json.clone()).unwrap();
            assert_eq!(to_value(theirs).unwrap(), tool.json, "{revision:?}");
        }
    }
}
