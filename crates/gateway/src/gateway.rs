//! Calls of tools that are served: from what a client sends to what came of it.

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use host::{Audit, Called, Host, Origin, Values, Watch};
use tokio::sync::watch;
use toolglot::call::{Concern, Grant, Missing, Plan, Policy, Verdict};
use toolglot::core::{printable, quoted};
use toolglot::{Diagnostic, Formats, Report, ToolDescriptor};

use crate::approvals::Approvals;
use crate::catalogue::Catalogue;
use crate::claims::Claims;
use crate::left_out::shown;
use crate::line::Line;
use crate::plan::{given, planned, serving};
use crate::target::target;
use crate::tool::{Face, Tool};

/// How often files are looked at.
const SOON: Duration = Duration::from_secs(1);
/// No more of the arguments is shown to a person.
const LONGEST: usize = 600;

/// What is served, and what is granted.
///
/// Who names a file or a folder has agreed to what its manifests do not say. What they do say is
/// asked for or refused.
#[derive(Clone, Debug)]
#[allow(clippy::exhaustive_structs)]
pub struct Options {
    /// Files and folders.
    pub places: Vec<PathBuf>,
    /// The formats of manifests.
    pub formats: Formats<'static>,
    /// What the person grants beyond that.
    pub grants: BTreeSet<Grant>,
    /// A file with values of variables, which is read at each call.
    pub values: Option<PathBuf>,
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

/// Why a call is not made, in words for whoever asked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// The arguments are not those of the tool.
    Arguments(String),
    /// The manifest speaks against it, and nobody has granted it.
    NotGranted(String),
    /// A person has not approved it.
    NotApproved(String),
    /// Something is missing here: a value, or the program.
    Missing(String),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Arguments(text)
        | Self::NotGranted(text)
        | Self::NotApproved(text)
        | Self::Missing(text)) = self;
        f.write_str(text)
    }
}

impl std::error::Error for Refusal {}

/// A call that can be made, perhaps after a person has approved it.
#[derive(Debug)]
pub struct Prepared {
    plan: Plan,
    origin: Origin,
    given: Values,
    /// What the person is asked, as long as that is to be done.
    question: Option<String>,
    /// What to tell whoever cannot be asked.
    hint: String,
    /// What the manifest says of a tool of an MCP server.
    claims: Option<Claims>,
}

impl Prepared {
    /// What a person has to be asked first.
    pub fn question(&self) -> Option<&str> {
        self.question.as_deref()
    }

    /// The person agrees.
    pub fn approve(&mut self) {
        self.question = None;
        self.plan.missing.retain(|missing| !matches!(missing, Missing::Approval(_)));
    }

    /// Why it is not made, where nobody could be asked.
    pub fn unasked(&self) -> Refusal {
        Refusal::NotApproved(self.hint.clone())
    }

    /// Why it is not made, where a person was asked.
    pub fn declined(&self) -> Refusal {
        let tool = quoted(&self.plan.tool);
        let message = format!("{tool} is not called: the person did not approve this call.");
        Refusal::NotApproved(message)
    }
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

    /// Prepares a call of a tool with arguments as a client sends them.
    pub fn prepare(&self, tool: &Tool, face: &Face, sent: &str) -> Result<Prepared, Refusal> {
        let decoded = face.arguments.decode(sent);
        let arguments = decoded.map_err(|refusal| Refusal::Arguments(refusal.to_string()))?;
        let prepared = tool
            .manifest()
            .tool(tool.id(), |descriptor| self.planned(tool, descriptor, &arguments));
        prepared.unwrap_or_else(|| {
            Err(Refusal::Missing("the tool is no longer in its manifest".to_owned()))
        })
    }

    fn planned(
        &self,
        tool: &Tool,
        descriptor: &ToolDescriptor<'_>,
        arguments: &str,
    ) -> Result<Prepared, Refusal> {
        let manifest = tool.manifest();
        let given = given(descriptor, self.options.values.as_deref())
            .map_err(|error| Refusal::Missing(format!("values cannot be had: {error}")))?;
        let policy = self.policy(tool);
        let origin = Origin { folder: Some(manifest.folder()), manifest: Some(manifest.text()) };
        let has = |name: &str| given.has(name);
        let plan = planned(descriptor, manifest.format(), &origin, arguments, &policy, &has)
            .map_err(|report| Refusal::Arguments(told(&report)))?;
        if manifest.lacks_files(&plan.step, descriptor) {
            return Err(Refusal::Missing(format!(
                "{} is not called: the files that it names are not kept with its source. Convert \
                 the source again with --store, or with -o FOLDER.",
                quoted(tool.id())
            )));
        }
        let verdict = plan.missing.iter().find_map(|missing| match missing {
            Missing::Approval(verdict) => Some(verdict),
            _ => None,
        });
        let mut prepared = Prepared {
            origin,
            question: None,
            hint: String::new(),
            claims: Claims::of(tool, descriptor, &plan),
            given,
            plan: plan.clone(),
        };
        match verdict {
            None | Some(Verdict::Allow) => {}
            Some(Verdict::Refuse(concerns)) => {
                let message = format!(
                    "{} is not called: {}. Whoever started this server can grant that.",
                    quoted(tool.id()),
                    reasons(concerns)
                );
                return Err(Refusal::NotGranted(message));
            }
            Some(Verdict::Ask(concerns)) => {
                let (id, reasons) = (quoted(tool.id()), reasons(concerns));
                prepared.question = Some(format!(
                    "Call {id} of {}? It {}.\nArguments: {}\nYou are asked because {reasons}.",
                    shown(manifest.path()),
                    target(descriptor),
                    printable(arguments, LONGEST),
                ));
                prepared.hint = format!(
                    "{id} is not called: it needs approval, because {reasons}. The person at this \
                     machine can approve it with `toolglot approve {} {}`, then call it again.",
                    shown(manifest.path()),
                    printable(tool.id(), 128),
                );
            }
        }
        lacking(&plan)?;
        Ok(prepared)
    }

    /// What is granted to a tool.
    fn policy(&self, tool: &Tool) -> Policy {
        let mut grants = &self.options.grants | tool.granted();
        let approvals = self.options.approvals.as_ref();
        if approvals.is_some_and(|all| all.has(tool.manifest().digest(), tool.id())) {
            grants.insert(Grant::Approved);
        }
        serving(grants)
    }

    /// Makes a call. One that a person has still to approve is refused.
    pub async fn call(&self, prepared: &Prepared, watch: Watch<'_>) -> Result<Called, Refusal> {
        let values = host::collect(&prepared.plan.variables, &prepared.given, None);
        let values = values.map_err(|problems| {
            let problems: Vec<_> = problems.iter().map(ToString::to_string).collect();
            Refusal::Missing(format!("The call is not made: {}.", problems.join("; ")))
        })?;
        if prepared.question.is_some() {
            return Err(prepared.unasked());
        }
        let Prepared { plan, origin, claims, .. } = prepared;
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

/// Refuses a call that lacks something which nobody can give while it is made.
fn lacking(plan: &Plan) -> Result<(), Refusal> {
    let lacking: Vec<String> = plan
        .missing
        .iter()
        .filter_map(|missing| match missing {
            Missing::Value(name) => Some(format!("{} has no value", quoted(name))),
            Missing::Installation(how) => Some(format!("it is not installed ({how})")),
            Missing::Approval(_) => None,
        })
        .collect();
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Refusal::Missing(format!(
        "{} is not called: {}. Whoever started this server can see to it: values come from its \
         environment, or from the file of --values.",
        quoted(&plan.tool),
        lacking.join("; ")
    )))
}

fn reasons(concerns: &[Concern]) -> String {
    concerns.iter().map(|concern| concern.message()).collect::<Vec<_>>().join("; ")
}

/// All errors of a report, for a model.
fn told(report: &Report) -> String {
    let line = |error: &Diagnostic| {
        if error.pointer.is_root() {
            return format!("- {}\n", error.message);
        }
        format!("- at {}: {}\n", printable(error.pointer.as_str(), 512), error.message)
    };
    let lines: String = report.errors().map(line).collect();
    format!(
        "The call cannot be made with these arguments:\n{lines}Correct this and call the tool again."
    )
}
