//! `toolglot mcp`, as an MCP client sees it, and `toolglot approve`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rmcp::model::{
    CallToolRequestParams, ClientCapabilities, ClientConfig, ElicitRequestParams, ElicitResult,
    ElicitationAction, ErrorData, Implementation, ProgressNotificationParam, ProtocolVersion,
    ServerNotification, SubscriptionFilter,
};
use rmcp::service::{
    ClientLifecycleMode, NotificationContext, RequestContext, RunningService,
    serve_client_with_lifecycle,
};
use rmcp::{ClientHandler, RoleClient};
use serde_json::{Value, json};
use tokio::process::{Child, Command};

use crate::capabilities::capability;
use crate::program::{Folder, Ran, command};

/// An MCP server in a few lines of shell.
const SERVER: &str = r#"#!/bin/sh
echo started >> "$1"
while read -r line; do
  id=$(printf '%s' "$line" | sed -n 's/^{"jsonrpc":"2.0","id":\([0-9]*\).*/\1/p')
  token=$(printf '%s' "$line" | sed -n 's/.*"progressToken":\([0-9]*\).*/\1/p')
  answer() { printf '{"jsonrpc":"2.0","id":%s,%s}\n' "$id" "$1"; }
  case $line in
  *'"method":"initialize"'*)
    answer '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"t","version":"1"}}' ;;
  *'"name":"chart"'*)
    printf '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s,"progress":1,"total":2,"message":"half"}}\n' "$token"
    answer '"result":{"content":[{"type":"image","data":"AAAA","mimeType":"image/png","annotations":{"priority":0.3}},{"type":"resource","resource":{"uri":"x:y","text":"z","x-more":true}}]}' ;;
  *'"method":"tools/list"'*)
    answer '"result":{"tools":[{"name":"chart","description":"Draws.","inputSchema":{"type":"object","required":["password"]}}]}' ;;
  *'"name":"hang"'*) echo hangs >> "$1" ;;
  *'notifications/cancelled'*) echo cancelled >> "$1" ;;
  esac
done
"#;

/// A manifest whose tools are those of the server.
fn research(folder: &Folder) {
    let server = folder.write("server", SERVER);
    fs::set_permissions(&server, fs::Permissions::from_mode(0o755)).unwrap();
    let action = |name: &str| {
        json!({"name": name, "summary": "Does it.", "side_effects": "none",
            "docs": {"goal": "Do it."}, "input": {"type": "object"},
            "invocation": {"kind": "mcp-tool", "tool_name": name}, "output": {"format": "binary"}})
    };
    let manifest = json!({
        "manifest_version": "0.4",
        "tool": {"id": "research", "version": "1.0.0", "name": "R", "summary": "R.",
            "homepage": "https://example.com"},
        "runtime": {"kind": "mcp-stdio", "install": {"method": "preinstalled",
            "locator": {"kind": "mcp-server-id", "server_id": "research"}},
            "entrypoint": {"command": [server, folder.path("log")]}},
        "actions": [action("chart"), action("hang")],
        "smoke": {"kind": "mcp-tool-call", "tool_name": "chart", "success": {"no_error_field": true}},
        "kill_switch": {"kind": "none"},
    });
    folder.write("tools/research.json", manifest.to_string());
}

/// An install manifest of one action.
pub(crate) fn notes(effects: &str) -> String {
    json!({
        "manifest_version": "0.4",
        "tool": {"id": "notes", "version": "1.0.0", "name": "Notes", "summary": "Notes.",
            "homepage": "https://example.com"},
        "runtime": {"kind": "shell-binary", "install": {"method": "preinstalled",
            "locator": {"kind": "binary-on-path", "binary": "echo"}},
            "entrypoint": {"command": ["/bin/echo"]}},
        "actions": [{"name": "find", "summary": "Finds.", "side_effects": effects,
            "docs": {"goal": "Find."},
            "invocation": {"kind": "subcommand", "argv_template": ["{\"found\":\"${input.query}\"}"]},
            "input": {"type": "object", "required": ["query"],
                "properties": {"query": {"type": "string", "maxLength": 9}}},
            "output": {"format": "json", "schema": {"type": "object", "required": ["found"],
                "properties": {"found": {"type": "string"}}}}}],
        "smoke": {"kind": "shell", "command": ["/bin/echo"], "success": {"exit_code": 0}},
        "kill_switch": {"kind": "manual", "instructions_url": "https://example.com"},
    })
    .to_string()
}

/// A client that is asked, and hears.
#[derive(Clone)]
pub(crate) struct Client {
    /// What the person says; nobody can be asked without.
    approves: Option<bool>,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Client {
    pub(crate) fn new(approves: Option<bool>) -> Self {
        Self { approves, heard: Arc::default() }
    }

    fn hear(&self, what: impl Into<String>) {
        self.heard.lock().unwrap().push(what.into());
    }

    pub(crate) fn heard(&self, what: &str) -> bool {
        self.heard.lock().unwrap().iter().any(|heard| heard.contains(what))
    }
}

impl ClientHandler for Client {
    fn get_info(&self) -> ClientConfig {
        let can = match self.approves {
            Some(_) => ClientCapabilities::builder().enable_elicitation().build(),
            None => ClientCapabilities::default(),
        };
        ClientConfig::new(can, Implementation::new("test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        if let ElicitRequestParams::FormElicitationParams { message, .. } = request {
            self.hear(message);
        }
        let approve = self.approves.unwrap_or_default();
        Ok(ElicitResult::new(ElicitationAction::Accept).with_content(json!({"approve": approve})))
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.hear("changed");
    }

    async fn on_progress(
        &self,
        report: ProgressNotificationParam,
        _: NotificationContext<RoleClient>,
    ) {
        self.hear(report.message.unwrap_or_default());
    }
}

/// The program, with a client that talks to it.
struct Served {
    client: Client,
    service: RunningService<RoleClient, Client>,
    _child: Child,
}

impl Served {
    async fn start(folder: &Folder, client: Client, mode: ClientLifecycleMode) -> Self {
        let mut command = Command::from(command(&["mcp", &folder.path("tools")]));
        command.env("XDG_STATE_HOME", folder.path("state"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
        let said = fs::File::create(folder.path("said")).unwrap();
        let mut child = command.stderr(said).spawn().unwrap();
        let streams = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let service = serve_client_with_lifecycle(client.clone(), streams, mode).await.unwrap();
        Self { client, service, _child: child }
    }

    /// The result of a call, as JSON.
    async fn call(&self, tool: &str, arguments: Value) -> Value {
        let mut params = CallToolRequestParams::new(tool.to_owned());
        params.arguments = arguments.as_object().cloned();
        serde_json::to_value(self.service.call_tool(params).await.unwrap()).unwrap()
    }
}

fn text(result: &Value) -> &str {
    result["content"][0]["text"].as_str().unwrap()
}

/// Waits for what comes soon.
pub(crate) async fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..200 {
        if is_so() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what} does not come");
}

pub(crate) fn newest() -> ClientLifecycleMode {
    ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] }
}

#[tokio::test]
async fn tools_are_listed_and_called() {
    for (name, mode) in [("mcp-old", ClientLifecycleMode::Initialize), ("mcp-new", newest())] {
        let folder = Folder::new(name);
        folder.write("tools/notes.json", notes("read"));
        let served = Served::start(&folder, Client::new(None), mode).await;
        let tools = served.service.list_all_tools().await.unwrap();
        let [tool] = tools.as_slice() else { panic!("{tools:?}") };
        assert_eq!(tool.name, "notes.find");
        assert_eq!(tool.annotations.as_ref().unwrap().read_only_hint, Some(true));
        assert_eq!(tool.output_schema.as_ref().unwrap()["required"], json!(["found"]));
        let result = served.call("notes.find", json!({"query": "tea"})).await;
        assert_eq!(result["structuredContent"], json!({"found": "tea"}));
        assert_eq!(text(&result), r#"{"found":"tea"}"#);
        assert_ne!(result["isError"], true);
    }
}

/// A model is told what to correct.
#[tokio::test]
async fn wrong_arguments_are_told() {
    let folder = Folder::new("mcp-wrong");
    folder.write("tools/notes.json", notes("read"));
    let served = Served::start(&folder, Client::new(None), ClientLifecycleMode::Initialize).await;
    let result = served.call("notes.find", json!({"query": "1234567890"})).await;
    assert_eq!(result["isError"], true);
    assert!(text(&result).contains("/query"), "{result}");
    let result = served.call("notes.find", json!({})).await;
    assert!(result["isError"] == true && text(&result).contains("query"), "{result}");
    let unknown = served.service.call_tool(CallToolRequestParams::new("no.such")).await;
    assert!(unknown.unwrap_err().to_string().contains("no.such"));
    // An answer that is not what the tool declares is none.
    let result = served.call("notes.find", json!({"query": "\"x"})).await;
    assert_eq!(result["isError"], true, "{result}");
}

#[tokio::test]
async fn what_needs_approval_is_asked_through_the_client() {
    for (name, mode) in [("mcp-ask", ClientLifecycleMode::Initialize), ("mcp-asks", newest())] {
        let folder = Folder::new(name);
        folder.write("tools/notes.json", notes("destructive"));
        let client = Client::new(Some(true));
        let served = Served::start(&folder, client, mode.clone()).await;
        let result = served.call("notes.find", json!({"query": "tea"})).await;
        assert_eq!(result["structuredContent"], json!({"found": "tea"}), "{result}");
        assert!(served.client.heard("cannot be undone"));
        assert!(served.client.heard("/bin/echo") && served.client.heard("tea"));
        let client = Client::new(Some(false));
        let served = Served::start(&folder, client, mode.clone()).await;
        let result = served.call("notes.find", json!({"query": "tea"})).await;
        assert_eq!(
            (&result["isError"], &result["structuredContent"]),
            (&json!(true), &Value::Null)
        );
        assert!(text(&result).contains("did not approve"), "{result}");
        // Who cannot be asked is told what to do.
        let served = Served::start(&folder, Client::new(None), mode).await;
        let result = served.call("notes.find", json!({"query": "tea"})).await;
        assert_eq!(result["isError"], true);
        assert!(text(&result).contains("toolglot approve"), "{result}");
    }
}

/// Nobody is asked about a channel that was not granted, or a sign-in that nobody has.
#[tokio::test]
async fn capabilities_are_refused_whoever_agrees() {
    let folder = Folder::new("mcp-capabilities");
    let desktop = ("execution", json!({"channel": "vdi_vpn"}));
    let id = |name: &str| ("id", json!(name));
    folder.write("tools/desktop.json", capability(&[id("a.desktop"), desktop]));
    folder.write("tools/oauth.json", capability(&[id("a.oauth"), ("requires_oauth", json!(true))]));
    folder.write("tools/plain.json", capability(&[id("a.plain")]));
    let mode = ClientLifecycleMode::Initialize;
    let served = Served::start(&folder, Client::new(Some(true)), mode).await;
    for (tool, why) in [("a.desktop", "vdi_vpn"), ("a.oauth", "sign-in with OAuth")] {
        let result = served.call(tool, json!({})).await;
        assert_eq!(result["isError"], true, "{result}");
        assert!(text(&result).contains(why), "{result}");
    }
    assert!(!served.client.heard("a."));
    let result = served.call("a.plain", json!({})).await;
    assert_ne!(result["isError"], true, "{result}");
}

fn approve(folder: &Folder, more: &[&str]) -> Ran {
    let file = folder.path("tools/notes.json");
    let mut line = vec!["approve"];
    line.extend(more.iter().map(|word| if *word == "FILE" { file.as_str() } else { word }));
    command(&line).env("XDG_STATE_HOME", folder.path("state")).output().unwrap().into()
}

#[tokio::test]
async fn what_was_approved_before_is_called_until_it_changes() {
    let folder = Folder::new("mcp-approved");
    folder.write("tools/notes.json", notes("destructive"));
    let served = Served::start(&folder, Client::new(None), ClientLifecycleMode::Initialize).await;
    let ran = approve(&folder, &["FILE"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "nobody says so: {}", ran.err);
    assert!(
        ran.err.contains("runs /bin/echo") && ran.err.contains("cannot be undone"),
        "{}",
        ran.err
    );
    let ran = approve(&folder, &["FILE", "find", "--yes"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "approved: notes.find\n"), "{}", ran.err);
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode("state/toolglot"), mode("state/toolglot/approvals.json")), (0o700, 0o600));
    assert!(approve(&folder, &["--list"]).out.contains("notes.find"));
    // A server that runs goes by it, and so does `call`.
    let result = served.call("notes.find", json!({"query": "tea"})).await;
    assert_eq!(result["structuredContent"], json!({"found": "tea"}), "{result}");
    let call = || -> Ran {
        let file = folder.path("tools/notes.json");
        let mut call = command(&["call", &file, "--arg", "query=tea"]);
        call.env("XDG_STATE_HOME", folder.path("state")).output().unwrap().into()
    };
    assert_eq!(call().code, Some(0));
    // Another text is another tool.
    folder.write("tools/notes.json", notes("destructive").replace("Finds.", "Finds it."));
    assert_eq!(call().code, Some(3));
    until("the change", || served.client.heard("changed")).await;
    let result = served.call("notes.find", json!({"query": "tea"})).await;
    assert_eq!(result["isError"], true);
    assert_eq!(approve(&folder, &["--revoke", "FILE"]).out, "revoked: notes.find\n");
    assert_eq!(approve(&folder, &["--list"]).out, "");
    // A folder that others can write to holds no approvals.
    assert_eq!(approve(&folder, &["FILE", "--yes"]).code, Some(0));
    assert_eq!(call().code, Some(0));
    fs::set_permissions(folder.path("state/toolglot"), fs::Permissions::from_mode(0o770)).unwrap();
    assert_eq!(call().code, Some(3));
}

#[tokio::test]
async fn changes_of_files_are_told() {
    let folder = Folder::new("mcp-changes");
    folder.write("tools/notes.json", notes("read"));
    let served = Served::start(&folder, Client::new(None), ClientLifecycleMode::Initialize).await;
    folder.write("tools/more.json", notes("read").replace("\"notes\"", "\"more\""));
    until("the change", || served.client.heard("changed")).await;
    let tools = served.service.list_all_tools().await.unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(names, ["more.find", "notes.find"]);
    assert!(served.call("more.find", json!({"query": "x"})).await["isError"] != true);
}

/// Since 2026 a client asks to be told.
#[tokio::test]
async fn changes_are_told_to_those_who_listen() {
    let folder = Folder::new("mcp-listens");
    folder.write("tools/notes.json", notes("read"));
    let served = Served::start(&folder, Client::new(None), newest()).await;
    let filter = SubscriptionFilter::builder().tools_list_changed().build();
    let mut subscription = served.service.listen(filter).await.unwrap();
    folder.write("tools/more.json", notes("read").replace("\"notes\"", "\"more\""));
    let told =
        tokio::time::timeout(Duration::from_secs(10), subscription.next()).await.unwrap().unwrap();
    assert!(matches!(told, Some(ServerNotification::ToolListChangedNotification(_))), "{told:?}");
}

/// Whatever a server returns comes through as it is, over one process.
#[tokio::test]
async fn images_resources_progress_and_cancellation_pass_through() {
    let folder = Folder::new("mcp-through");
    research(&folder);
    let served = Served::start(&folder, Client::new(None), ClientLifecycleMode::Initialize).await;
    for _ in 0..2 {
        let result = served.call("research.chart", json!({})).await;
        let [image, resource] = result["content"].as_array().unwrap().as_slice() else { panic!() };
        assert_eq!((&image["data"], &image["mimeType"]), (&json!("AAAA"), &json!("image/png")));
        assert_eq!(resource["resource"]["text"], "z");
    }
    until("progress", || served.client.heard("half")).await;
    let log = || fs::read_to_string(folder.path("log")).unwrap();
    assert_eq!(log().matches("started").count(), 1);
    let call = served.service.call_tool(CallToolRequestParams::new("research.hang"));
    assert!(tokio::time::timeout(Duration::from_secs(2), call).await.is_err());
    until("the cancellation", || log().contains("cancelled")).await;
}

/// What a server says of its tools is not what a person has read in the manifest.
#[tokio::test]
async fn a_server_that_says_something_else_is_reported() {
    let folder = Folder::new("mcp-differs");
    research(&folder);
    let served = Served::start(&folder, Client::new(None), ClientLifecycleMode::Initialize).await;
    served.call("research.chart", json!({})).await;
    let said = || fs::read_to_string(folder.path("said")).unwrap();
    until("the report", || said().contains("its server has another input schema")).await;
    served.call("research.chart", json!({})).await;
    assert_eq!(said().matches("its server has").count(), 1, "{}", said());
}

/// A folder of converted manifests is served as the sources that they stand for.
#[tokio::test]
async fn converted_tools_are_served_as_their_sources() {
    let folder = Folder::new("mcp-converted");
    let manifest = json!({"tools": [{"name": "greet", "description": "Greets.",
        "schema": {"type": "object"}, "command": ["./tools/bin/greet"]}]});
    let source = folder.write("source/tools.json", manifest.to_string());
    let program = folder.write("source/tools/bin/greet", "#!/bin/sh\necho hello\n");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let words = ["convert", &source, "--to", "mcpkg", "-o", &folder.path("tools/")];
    let ran: Ran = command(&words).output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let served = Served::start(&folder, Client::new(None), ClientLifecycleMode::Initialize).await;
    let tools = served.service.list_all_tools().await.unwrap();
    assert_eq!(tools.iter().map(|tool| tool.name.as_ref()).collect::<Vec<_>>(), ["greet"]);
    assert_eq!(text(&served.call("greet", json!({})).await).trim(), "hello");
}

/// Nothing but MCP is on standard output, and standard error has what happened.
#[test]
fn standard_output_is_for_mcp_alone() {
    let folder = Folder::new("mcp-clean");
    folder.write("tools/notes.json", notes("read"));
    folder.write("tools/broken.json", "{");
    let lines = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "notes.find", "arguments": {"query": "hush"}}}),
    ];
    let mut child = command(&["mcp", &folder.path("tools")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    for line in lines {
        std::io::Write::write_all(&mut stdin, format!("{line}\n").as_bytes()).unwrap();
    }
    let out = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut answers = std::io::BufRead::lines(out);
    for id in [1, 2] {
        let answer: Value = serde_json::from_str(&answers.next().unwrap().unwrap()).unwrap();
        assert_eq!(answer["id"], id);
        assert!(answer["result"].get("resultType").is_none(), "not before 2026: {answer}");
    }
    drop(stdin);
    assert!(answers.next().is_none());
    let ran: Ran = child.wait_with_output().unwrap().into();
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("broken.json is left out"), "{}", ran.err);
    assert!(ran.err.contains(r#""tool":"notes.find""#) && !ran.err.contains("hush"), "{}", ran.err);
    // A signal is a way to end it, though it still reads.
    let mut child = command(&["mcp", &folder.path("tools")])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut err = std::io::BufReader::new(child.stderr.take().unwrap());
    while !line.contains("1 tool") {
        line.clear();
        assert_ne!(std::io::BufRead::read_line(&mut err, &mut line).unwrap(), 0);
    }
    std::thread::sleep(Duration::from_millis(300));
    let kill = std::process::Command::new("kill").arg(child.id().to_string()).status().unwrap();
    assert!(kill.success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let none = command(&["mcp", &folder.path("nothing")]).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
}
