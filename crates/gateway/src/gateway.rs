//! What serves the tools of a catalogue: one for all clients.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use host::{Audit, Called, Host, Resolvers, Watch};
use tokio::sync::watch;
use toolglot::Formats;
use toolglot::call::Policy;

use crate::approvals::Approvals;
use crate::catalogue::Catalogue;
use crate::claims::Claims;
use crate::line::Line;
use crate::module::agreed;
use crate::prepared::{Ready, Refusal};

/// How often files are looked at.
const SOON: Duration = Duration::from_secs(1);

/// What is served, and what is granted.
///
/// Who starts a server on a file or a folder has agreed to what its manifests do not say. What
/// they do say is asked for or refused.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)]
pub struct Options {
    /// Files and folders.
    pub places: Vec<PathBuf>,
    /// The formats of manifests.
    pub formats: Formats<'static>,
    /// What the person grants: [`serving`] says what goes with a server.
    ///
    /// [`serving`]: crate::serving
    pub policy: Policy,
    /// A file with values of variables, which is read at each call.
    pub values: Option<PathBuf>,
    /// Programs that know where secrets are kept, which are asked at each call.
    pub resolvers: Resolvers,
    /// Whether tools may reach this machine and the networks around it.
    pub private_addresses: bool,
    /// What was approved before, looked up at each call.
    pub approvals: Option<Approvals>,
}

/// Serves the tools of a catalogue. One serves all clients: MCP servers are started once, for all
/// of them.
pub struct Gateway {
    options: Options,
    host: Host,
    catalogue: watch::Sender<Arc<Catalogue>>,
    /// Whoever hears of what is odd.
    notice: Box<dyn Fn(&str) + Send + Sync>,
    /// Tools that were compared with what their servers say of them.
    compared: Mutex<BTreeSet<String>>,
}

impl fmt::Debug for Gateway {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gateway").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Gateway {
    /// Reads all manifests. Each call that is made, refused or given up is recorded, and `notice`
    /// hears of servers that say something else of their tools than the manifests.
    pub fn new(
        options: Options,
        audit: impl Audit + 'static,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let catalogue = Catalogue::load(&options.places, options.formats);
        Self::with(catalogue, options, audit, notice)
    }

    /// The same for the tools of a source that a line names, and for nothing else. What the line
    /// accepts and allows is granted.
    pub fn for_line(
        line: &Line,
        options: Options,
        audit: impl Audit + 'static,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let catalogue = Catalogue::of_line(line, options.formats).map_err(io::Error::other)?;
        let private_addresses = options.private_addresses || line.allows_private();
        let options = Options { places: Vec::new(), private_addresses, ..options };
        Self::with(catalogue, options, audit, notice)
    }

    fn with(
        catalogue: Catalogue,
        options: Options,
        audit: impl Audit + 'static,
        notice: impl Fn(&str) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let private_addresses = options.private_addresses;
        let may = host::Options { private_addresses, ..host::Options::default() };
        let (catalogue, _) = watch::channel(Arc::new(catalogue));
        let host = Host::new(may)?.audited_by(audit);
        let (notice, compared) = (Box::new(notice), Mutex::default());
        Ok(Self { options, host, catalogue, notice, compared })
    }

    /// Ends the MCP servers that were started, and waits until they have.
    pub async fn close(self) {
        self.host.close().await;
    }

    /// What is served now.
    pub fn catalogue(&self) -> Arc<Catalogue> {
        Arc::clone(&self.catalogue.borrow())
    }

    /// Tells when other tools are served.
    pub fn changes(&self) -> watch::Receiver<Arc<Catalogue>> {
        self.catalogue.subscribe()
    }

    /// Looks at the files every second, and reads them anew when one has changed. It never ends.
    /// `tell` hears of what is left out then.
    pub async fn keep_up(&self, tell: impl Fn(&Catalogue)) {
        loop {
            tokio::time::sleep(SOON).await;
            let before = self.catalogue();
            let look = tokio::task::spawn_blocking(move || (before.reloaded(), before));
            let Ok((Some(now), before)) = look.await else { continue };
            let is_same = now.has_the_tools_of(&before);
            if now.left_out() != before.left_out() {
                tell(&now);
            }
            self.catalogue.send_if_modified(|catalogue| {
                *catalogue = Arc::new(now);
                !is_same
            });
        }
    }

    /// What is served, and what is granted.
    pub(crate) const fn options(&self) -> &Options {
        &self.options
    }

    /// Makes a call that nothing speaks against any more.
    pub(crate) async fn make(&self, ready: &Ready, watch: Watch<'_>) -> Result<Called, Refusal> {
        let Ready { plan, origin, given, claims, format, approved } = ready;
        let mut plan = plan.clone();
        let agreed = agreed(&self.host, &mut plan, format, origin).await;
        let agreed = agreed.map_err(|why| Refusal::Missing(format!("It is not called: {why}.")))?;
        if let Some(agreed) = agreed.filter(|agreed| agreed.asks && !approved) {
            return Err(Refusal::NotApproved(format!(
                "It is not called: its module asks for approval, although its manifest does not. \
                 {} The person at this machine can approve it with `toolglot approve`.",
                agreed.question
            )));
        }
        let plan = &plan;
        let mut given = given.clone();
        let resolved = self.options.resolvers.resolve(&plan.variables, &mut given).await;
        resolved.map_err(|why| Refusal::Missing(format!("The call is not made: {why}.")))?;
        let values = host::collect(&plan.variables, &given, None);
        let values = values.map_err(|problems| {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            Refusal::Missing(format!("The call is not made: {}.", problems.join("; ")))
        })?;
        let called = self.host.call_watched(plan, origin, &values, watch).await;
        if let Some(claims) = claims.as_ref().filter(|claims| self.is_new(claims))
            && let Some(listed) = self.host.listed(&plan.step, origin, &values).await
            && let Some(differs) = claims.differ(&listed)
        {
            (self.notice)(&differs);
        }
        Ok(called)
    }

    /// Whether a tool was not yet compared with what its server says.
    fn is_new(&self, claims: &Claims) -> bool {
        let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
        compared.insert(claims.key.clone())
    }
}
