//! The gateway, which serves the tools of a catalogue to all clients.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use host::{Audit, Host, Resolvers};
use tokio::sync::watch;
use toolglot::Formats;
use toolglot::call::Policy;

use crate::approvals::Approvals;
use crate::bridge_spec::BridgeSpec;
use crate::catalogue::Catalogue;

/// The interval between checks for changed files.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// The tools to serve, and their grants.
///
/// Starting a server on a file or a folder is consent to whatever its manifests leave
/// undeclared. Dangers that they declare are still asked about or refused.
#[derive(Clone, Debug)]
pub struct Options {
    /// The files and folders to serve.
    pub places: Vec<PathBuf>,
    /// The formats to recognise.
    pub formats: Formats<'static>,
    /// The person's grants. [`with_server_grants`] adds the usual grants of a server.
    ///
    /// [`with_server_grants`]: crate::with_server_grants
    pub policy: Policy,
    /// A file with values of variables, read again at each call.
    pub values: Option<PathBuf>,
    /// Programs of the user that look up secrets, run at each call.
    pub resolvers: Resolvers,
    /// True if tools may reach this machine and the networks around it.
    pub private_addresses: bool,
    /// Approvals that were given earlier, looked up at each call.
    pub approvals: Option<Approvals>,
}

/// Serves the tools of a catalogue. One gateway serves all clients, which share its MCP
/// servers.
pub struct Gateway {
    pub(crate) options: Options,
    pub(crate) host: Host,
    catalogue: watch::Sender<Arc<Catalogue>>,
    /// Receives warnings for the user.
    pub(crate) warn: Box<dyn Fn(&str) + Send + Sync>,
    /// Tools that were already compared with their server's list.
    pub(crate) compared_tools: Mutex<BTreeSet<String>>,
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Gateway {
    /// Reads all manifests. Passes a record to `audit` for each call that is handed to the
    /// host, and a warning to `notice` if a server lists a tool differently than its
    /// manifest.
    pub fn new(
        options: Options,
        audit: impl Audit + 'static,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let catalogue = Catalogue::load(&options.places, options.formats);
        Self::with_catalogue(catalogue, options, audit, notice)
    }

    /// Creates a gateway for the tools that a bridge command names, and for no others.
    /// Grants what the command accepts and allows.
    pub fn for_bridge(
        line: &BridgeSpec,
        options: Options,
        audit: impl Audit + 'static,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let catalogue = Catalogue::for_bridge(line, options.formats).map_err(io::Error::other)?;
        let private_addresses = options.private_addresses || line.private;
        let options = Options { places: Vec::new(), private_addresses, ..options };
        Self::with_catalogue(catalogue, options, audit, notice)
    }

    fn with_catalogue(
        catalogue: Catalogue,
        options: Options,
        audit: impl Audit + 'static,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let private_addresses = options.private_addresses;
        let host = Host::new(host::Options { private_addresses, ..host::Options::default() })?;
        Ok(Self {
            options,
            host: host.with_audit(audit),
            catalogue: watch::Sender::new(Arc::new(catalogue)),
            warn: Box::new(notice),
            compared_tools: Mutex::default(),
        })
    }

    /// Stops the MCP servers that were started, and waits until they have ended.
    pub async fn close(self) {
        self.host.close().await;
    }

    /// Returns the current catalogue.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        Arc::clone(&self.catalogue.borrow())
    }

    /// Returns a receiver that is notified when the tools change.
    pub fn changes(&self) -> watch::Receiver<Arc<Catalogue>> {
        self.catalogue.subscribe()
    }

    /// Checks the files every second, and reads them again if one has changed. Never
    /// returns. Calls `tell` with the new catalogue if it skips other files or tools than
    /// before.
    pub async fn watch_files(&self, tell: impl Fn(&Catalogue)) {
        loop {
            tokio::time::sleep(POLL_INTERVAL).await;
            let before = self.catalogue();
            let reload = tokio::task::spawn_blocking(move || (before.reload(), before));
            let Ok((Some(now), before)) = reload.await else { continue };
            let is_same = now.has_same_tools(&before);
            if now.skipped() != before.skipped() {
                tell(&now);
            }
            self.catalogue.send_if_modified(|catalogue| {
                *catalogue = Arc::new(now);
                !is_same
            });
        }
    }
}
