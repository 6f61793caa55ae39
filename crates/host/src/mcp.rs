//! MCP servers, which are started once and used again.

mod http;
mod raw;
mod stdio;

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::PathBuf;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use call::{Outcome, Server, Step, ToolCall};
use diagnostic::ok_or_bug;
use reqwest::Url;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotificationParam, ClientCapabilities,
    ClientConfig, ClientRequest, Implementation, RequestId, ServerResult,
};
use rmcp::service::{PeerRequestOptions, RequestHandle, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{Peer, RoleClient, ServiceError, serve_client};
use tokio::sync::{OnceCell, mpsc};

use self::http::HttpPoster;
use self::raw::{PendingResults, ResultSlot};
use self::stdio::ServerProcess;
use crate::http::Sender;
use crate::limits::Limits;
use crate::origin::Origin;
use crate::process::{AliveGuard, Process};
use crate::program;
use crate::progress::Watch;
use crate::values::Values;
use disk::store::Prefix;

/// The servers that run.
pub(crate) struct Servers {
    all: Mutex<BTreeMap<ServerKey, PooledServer>>,
    alive: AliveGuard,
    ended: mpsc::Receiver<Infallible>,
}

/// A server is replaced if it leaves this many calls in a row unanswered.
const MAX_TIMEOUTS: usize = 2;

/// Identifies a server by its start command or URL, its folder, and its values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct ServerKey {
    server: String,
    folder: Option<PathBuf>,
    prefix: Prefix,
    values: Values,
}

struct PooledServer {
    server: Arc<OnceCell<RunningServer>>,
    last_used: Instant,
}

struct RunningServer {
    service: RunningService<RoleClient, ClientConfig>,
    _process: Option<ServerProcess>,
    /// Calls that took too long, since the last answer.
    timeouts: AtomicUsize,
}

impl RunningServer {
    fn is_closed(&self) -> bool {
        self.service.is_closed() || self.service.peer().is_transport_closed()
    }
}

impl Default for Servers {
    fn default() -> Self {
        let (alive, ended) = mpsc::channel(1);
        Self { all: Mutex::default(), alive, ended }
    }
}

impl Servers {
    /// Stops all servers, and waits until they have ended.
    pub(crate) async fn close(self) {
        let Self { all, alive, mut ended } = self;
        drop(all);
        drop(alive);
        // Nothing is ever sent: this returns when all senders are dropped.
        let _ = ended.recv().await;
    }

    /// Counts a call that took too long. A server that leaves several unanswered is
    /// dropped.
    pub(crate) fn count_timeout(&self, step: &ToolCall, origin: &Origin, values: &Values) {
        let key = ServerKey::new(step, origin, values);
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = all.get(&key)
            && let Some(running) = entry.server.get()
            && running.timeouts.fetch_add(1, Ordering::Relaxed) + 1 >= MAX_TIMEOUTS
        {
            all.remove(&key);
        }
    }

    /// Calls a tool of a server. Starts the server if it does not run.
    pub(crate) async fn call(
        &self,
        step: &ToolCall,
        origin: &Origin,
        values: &Values,
        sender: &Sender,
        limits: &Limits,
        watch: Watch<'_>,
    ) -> Outcome {
        let Ok(arguments) = serde_json::from_str(&step.arguments) else {
            return Outcome::NotDone("the arguments are no JSON object".to_owned());
        };
        let key = ServerKey::new(step, origin, values);
        let server = self.entry(key.clone(), limits.servers);
        let started =
            server.get_or_try_init(|| self.start(&step.server, origin, values, sender, limits));
        let running = match started.await {
            Ok(running) => running,
            Err(why) => return Outcome::NotDone(format!("the server cannot be reached: {why}")),
        };
        let params = CallToolRequestParams::new(step.tool.clone()).with_arguments(arguments);
        let outcome =
            call_and_wait(running.service.peer(), params, limits.answer_bytes, watch).await;
        running.timeouts.store(0, Ordering::Relaxed);
        if matches!(outcome, Outcome::Lost(_) | Outcome::TooMuch { .. }) {
            self.remove(&key, &server);
        }
        outcome
    }

    /// Returns the first page of a server's tools, as a JSON list, or `None` if the server
    /// does not run.
    pub(crate) async fn list_tools(
        &self,
        step: &ToolCall,
        origin: &Origin,
        values: &Values,
    ) -> Option<String> {
        let key = ServerKey::new(step, origin, values);
        let server = {
            let all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(&all.get(&key)?.server)
        };
        let page = server.get()?.service.peer().list_tools(None).await.ok()?;
        serde_json::to_string(&page.tools).ok()
    }

    /// Removes a faulty server. It ends when its last call does.
    fn remove(&self, key: &ServerKey, server: &Arc<OnceCell<RunningServer>>) {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        if all.get(key).is_some_and(|entry| Arc::ptr_eq(&entry.server, server)) {
            all.remove(key);
        }
    }

    /// Returns the entry of a server, which may not be started yet. Removes the server that
    /// was idle longest if there are too many.
    fn entry(&self, key: ServerKey, most: usize) -> Arc<OnceCell<RunningServer>> {
        let mut all = self.all.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|_, entry| !entry.server.get().is_some_and(RunningServer::is_closed));
        while !all.contains_key(&key) && all.len() >= most.max(1) {
            // Calls that use a server hold a reference to it.
            let idle = all.iter().filter(|(_, entry)| Arc::strong_count(&entry.server) == 1);
            let oldest = idle.min_by_key(|(_, entry)| entry.last_used).map(|(key, _)| key.clone());
            let Some(oldest) = oldest else { break };
            all.remove(&oldest);
        }
        let now = Instant::now();
        let new = PooledServer { server: Arc::default(), last_used: now };
        let entry = all.entry(key).or_insert(new);
        entry.last_used = now;
        Arc::clone(&entry.server)
    }

    async fn start(
        &self,
        server: &Server,
        origin: &Origin,
        values: &Values,
        sender: &Sender,
        limits: &Limits,
    ) -> Result<RunningServer, String> {
        match server {
            Server::Stdio(program) => {
                let command = program::command(program, origin, values)?;
                start_program(command, self.alive.clone(), limits).await
            }
            Server::Http { url } => connect(url, sender, limits).await,
        }
    }
}

impl ServerKey {
    fn new(step: &ToolCall, origin: &Origin, values: &Values) -> Self {
        let whole = Step::CallTool(step.clone());
        Self {
            server: ok_or_bug(serde_json::to_string(&step.server)).unwrap_or_default(),
            folder: origin.folder.clone(),
            prefix: origin.prefix.clone(),
            values: values.subset(whole.variables()),
        }
    }
}

fn client() -> ClientConfig {
    let name = Implementation::new("toolglot", env!("CARGO_PKG_VERSION"));
    ClientConfig::new(ClientCapabilities::default(), name)
}

async fn start_program(
    command: Command,
    alive: AliveGuard,
    limits: &Limits,
) -> Result<RunningServer, String> {
    let process = Process::start(command).map_err(|error| error.to_string())?;
    let (process, lines) = ServerProcess::new(
        process,
        PendingResults::default(),
        limits.answer_bytes,
        limits.linger,
        alive,
    );
    match serve_client(client(), lines).await {
        Ok(service) => {
            Ok(RunningServer { service, _process: Some(process), timeouts: AtomicUsize::new(0) })
        }
        Err(error) => Err(format!("{error}; it says: {}", process.into_stderr_tail().await.trim())),
    }
}

async fn connect(url: &str, sender: &Sender, limits: &Limits) -> Result<RunningServer, String> {
    let parsed = Url::parse(url).map_err(|error| error.to_string())?;
    sender.check(&parsed)?;
    let limit = limits.answer_bytes;
    let poster =
        HttpPoster { client: sender.client.clone(), waiting: PendingResults::default(), limit };
    let config = StreamableHttpClientTransportConfig::with_uri(url);
    let transport = StreamableHttpClientTransport::with_client(poster, config);
    let service = serve_client(client(), transport).await.map_err(|error| error.to_string())?;
    Ok(RunningServer { service, _process: None, timeouts: AtomicUsize::new(0) })
}

/// Makes a call, and waits for its answer.
async fn call_and_wait(
    peer: &Peer<RoleClient>,
    params: CallToolRequestParams,
    limit: usize,
    watch: Watch<'_>,
) -> Outcome {
    let (slot, mut reports) = ResultSlot::new();
    let mut request = CallToolRequest::new(params);
    request.extensions.insert(slot.clone());
    let request = ClientRequest::CallToolRequest(request);
    let sent = peer.send_cancellable_request(request, PeerRequestOptions::no_options()).await;
    let RequestHandle { mut rx, id, .. } = match sent {
        Ok(handle) => handle,
        Err(error) => return Outcome::NotDone(error.to_string()),
    };
    let mut pending = PendingCall { peer: peer.clone(), id: Some(id) };
    let answer = loop {
        tokio::select! {
            answer = &mut rx => break answer.unwrap_or(Err(ServiceError::TransportClosed)),
            () = slot.wait_for_overflow() => return Outcome::TooMuch { limit: limit as u64 },
            Some(report) = reports.recv() => watch(report),
        }
    };
    pending.id = None;
    while let Ok(report) = reports.try_recv() {
        watch(report);
    }
    match answer {
        _ if slot.has_overflowed() => Outcome::TooMuch { limit: limit as u64 },
        Ok(ServerResult::CallToolResult(result)) => match slot.take() {
            Some(text) => Outcome::Returned(text),
            None => match serde_json::to_string(&result) {
                Ok(text) => Outcome::Returned(text),
                Err(error) => Outcome::Lost(error.to_string()),
            },
        },
        Ok(_) => Outcome::Threw("the server answers with something else than a result".to_owned()),
        Err(ServiceError::McpError(error)) => Outcome::Threw(error.message.into_owned()),
        Err(error) => Outcome::Lost(error.to_string()),
    }
}

/// A call without an answer. Dropping it notifies the server that the call is cancelled.
struct PendingCall {
    peer: Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for PendingCall {
    fn drop(&mut self) {
        let (Some(id), Ok(runtime)) = (self.id.take(), tokio::runtime::Handle::try_current())
        else {
            return;
        };
        let peer = self.peer.clone();
        let notice =
            CancelledNotificationParam::new(Some(id), Some("nobody waits for it".to_owned()));
        runtime.spawn(async move {
            let _ = peer.notify_cancelled(notice).await;
        });
    }
}
