//! Calls, from the plan to the answer.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::time::Duration;

use call::{Answer, Failure, Missing, Next, NotReady, Outcome, Plan, Step};
use diagnostic::quoted;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::audit::{Audit, CallEnd, Recording};
use crate::http::Sender;
use crate::limits::Limits;
use crate::mcp::Servers;
use crate::module::{self, Task};
use crate::origin::Origin;
use crate::progress::Watch;
use crate::values::Values;
use crate::{install, program};

/// The permissions and limits of a host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Limits on the cost of calls.
    pub limits: Limits,
    /// Limits on reading their answers.
    pub documents: manifest_core::Limits,
    /// True if tools may reach this machine and the networks around it.
    pub private_addresses: bool,
    /// True if the proxies that the environment names are used. A proxy resolves names
    /// itself, so only addresses in URLs are checked then.
    pub proxies: bool,
}

/// Carries out plans. One host serves a whole program: it keeps connections and MCP
/// servers.
///
/// Dropping a future of it cancels that call: its processes are ended and its connections
/// closed.
pub struct Host {
    options: Options,
    sender: Sender,
    servers: Servers,
    audit: Option<Box<dyn Audit>>,
    /// Limits the calls that run.
    running: Semaphore,
    /// Limits the calls that run or wait.
    queued: Semaphore,
}

/// The result of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallResult {
    /// The answer, as the tool's format judges it.
    pub answer: Result<Answer, Error>,
    /// The outcome of the last step, or `None` if no step was made.
    pub outcome: Option<Outcome>,
}

impl CallResult {
    /// Creates the result of a chain, which has no outcome of its own.
    pub const fn from_answer(answer: Result<Answer, Error>) -> Self {
        Self { answer, outcome: None }
    }

    /// Returns the `CallToolResult` of an MCP server, as the server wrote it. It may
    /// contain more than the answer, such as images, and may report a failure.
    pub fn mcp_result(&self) -> Option<&str> {
        match &self.outcome {
            Some(Outcome::Returned(result)) => Some(result),
            _ => None,
        }
    }
}

/// The reason why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The call was not made, because something is missing.
    #[error("{}", NotReady::Missing(.0.clone()))]
    Missing(Vec<Missing>),
    /// The call was not made, because the secret of this name would be visible in an
    /// argument or a URL.
    #[error("{}", NotReady::Exposed(.0.clone()))]
    Exposed(String),
    /// The call was not made, because too many others wait.
    #[error("the call is not made: too many others wait; try later")]
    Busy,
    /// The call was made, and failed.
    #[error("{0}")]
    Failed(Failure),
}

impl From<NotReady> for Error {
    fn from(error: NotReady) -> Self {
        match error {
            NotReady::Missing(missing) => Self::Missing(missing),
            NotReady::Exposed(name) => Self::Exposed(name),
        }
    }
}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Host {
    /// Creates a host with these options.
    pub fn new(options: Options) -> io::Result<Self> {
        let Limits { calls, waiting, .. } = options.limits;
        let calls = calls.clamp(1, Semaphore::MAX_PERMITS / 2);
        Ok(Self {
            sender: Sender::new(options.private_addresses, options.proxies)?,
            servers: Servers::default(),
            audit: None,
            running: Semaphore::new(calls),
            queued: Semaphore::new(calls + waiting.min(Semaphore::MAX_PERMITS / 2)),
            options,
        })
    }

    /// Passes a record of each call to `audit`.
    #[must_use]
    pub fn with_audit(mut self, audit: impl Audit + 'static) -> Self {
        self.audit = Some(Box::new(audit));
        self
    }

    /// Makes a call when its turn comes.
    ///
    /// Does nothing if something is missing. `values` are the result of [`collect`].
    ///
    /// [`collect`]: crate::collect
    pub async fn call(
        &self,
        plan: &Plan,
        origin: &Origin,
        values: &Values,
    ) -> Result<Answer, Error> {
        self.call_with_progress(plan, origin, values, &|_| ()).await.answer
    }

    /// Makes a call like [`Host::call`], reports its progress, and also returns the outcome
    /// of its last step.
    pub async fn call_with_progress(
        &self,
        plan: &Plan,
        origin: &Origin,
        values: &Values,
        watch: Watch<'_>,
    ) -> CallResult {
        let mut recording = Recording::new(self.audit.as_deref(), plan, values);
        let mut outcome = None;
        let mut steps = CallContext { origin, values, watch, outcome: &mut outcome };
        let answer = self.run_in_queue(plan, &mut steps, &mut recording).await;
        recording.set_end(match &answer {
            Ok(_) => CallEnd::Answered,
            Err(Error::Failed(_)) => CallEnd::Failed,
            Err(_) => CallEnd::Refused,
        });
        CallResult { answer, outcome }
    }

    async fn run_in_queue(
        &self,
        plan: &Plan,
        steps: &mut CallContext<'_>,
        recording: &mut Recording<'_>,
    ) -> Result<Answer, Error> {
        let CallContext { origin, values, watch, .. } = *steps;
        plan.check_ready(&|name| values.has(name))?;
        let _place = self.queued.try_acquire().map_err(|_| Error::Busy)?;
        // A call that waits longer than any call may take is refused.
        let turn = timeout(self.cap_time(self.options.limits.max_timeout), self.running.acquire());
        let Ok(Ok(_turn)) = turn.await else { return Err(Error::Busy) };
        let Limits { default_timeout, max_timeout, .. } = self.options.limits;
        let time = plan.time_limit(default_timeout, self.cap_time(max_timeout));
        let deadline = Instant::now() + time;
        let mut plan = Cow::Borrowed(plan);
        loop {
            recording.add_target(&plan.step);
            let done = timeout_at(deadline, self.run_step(&plan.step, origin, values, watch)).await;
            if let (Err(_), Step::CallTool(call)) = (&done, &plan.step) {
                self.servers.count_timeout(call, origin, values);
            }
            let outcome = steps.outcome.insert(done.unwrap_or(Outcome::TimedOut));
            match plan.next(outcome, &self.options.documents) {
                Next::Done(answer) => {
                    return answer.map_err(|mut failure| {
                        failure.message =
                            plan.mask_secrets(failure.message, &|name| values.get(name));
                        Error::Failed(failure)
                    });
                }
                Next::Go(next) => plan = Cow::Owned(*next),
            }
        }
    }

    /// Returns the tools that the MCP server of a step lists: the first page, as a JSON
    /// list. Returns `None` if the server does not run, or does not answer soon.
    pub async fn list_tools(
        &self,
        step: &Step,
        origin: &Origin,
        values: &Values,
    ) -> Option<String> {
        /// The list is only compared with the manifest, so it is not worth a longer wait.
        const LIST_TIMEOUT: Duration = Duration::from_secs(2);
        let Step::CallTool(call) = step else { return None };
        timeout(LIST_TIMEOUT, self.servers.list_tools(call, origin, values)).await.ok()?
    }

    /// Describes the exports of a Node module that a step looks for. Returns `None` for
    /// steps of other kinds.
    ///
    /// The result is a JSON list of objects with `export`, `name`, `description`, `execute`
    /// (true if it is a function), `secrets`, `approval`, `asks` (true if there is a
    /// `getApprovalMessage`) and the `message` that it returns for the arguments. The
    /// module is loaded, so its code runs, but its tools are not called.
    pub async fn list_exports(
        &self,
        step: &Step,
        origin: &Origin,
        time: Duration,
    ) -> Result<Option<String>, String> {
        let Step::Node(module) = step else { return Ok(None) };
        let (values, limits) = (Values::new(), &self.options.limits);
        let inspected = module::run_node(Task::Inspect, module, origin, &values, limits);
        match timeout(self.cap_time(time), inspected).await {
            Ok(Outcome::Value(list)) => Ok(Some(list)),
            Ok(Outcome::Threw(why) | Outcome::NotDone(why) | Outcome::Lost(why)) => Err(why),
            Err(_) => Err("it was not loaded in time".to_owned()),
            Ok(_) => Err("it says too much".to_owned()),
        }
    }

    /// Stops the MCP servers, and waits until they have ended. A server is killed after
    /// [`Limits::linger`].
    ///
    /// Dropping the host stops them without waiting. If the program then exits immediately,
    /// a server may keep running unless it ends by itself.
    pub async fn close(self) {
        self.servers.close().await;
    }

    /// Carries out one step immediately, for checks and installations. The step is not
    /// queued or recorded, and it is not checked if something is missing.
    pub async fn run_unchecked(
        &self,
        step: &Step,
        origin: &Origin,
        values: &Values,
        time: Duration,
    ) -> Outcome {
        timeout(self.cap_time(time), self.run_step(step, origin, values, &|_| ()))
            .await
            .unwrap_or(Outcome::TimedOut)
    }

    pub(crate) fn sender_and_limits(&self) -> (&Sender, &Limits) {
        (&self.sender, &self.options.limits)
    }

    /// Limits a call's time.
    pub(crate) fn cap_time(&self, time: Duration) -> Duration {
        /// Clocks can represent deadlines this far away.
        const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
        time.min(self.options.limits.max_timeout).min(YEAR)
    }

    async fn run_step(
        &self,
        step: &Step,
        origin: &Origin,
        values: &Values,
        watch: Watch<'_>,
    ) -> Outcome {
        let limits = &self.options.limits;
        match step {
            Step::Run(program) => program::run(program, origin, values, limits).await,
            Step::Send(request) => self.sender.send(request, values, limits).await,
            Step::CallTool(call) => {
                self.servers.call(call, origin, values, &self.sender, limits, watch).await
            }
            Step::Node(module) => {
                module::run_node(Task::Call, module, origin, values, limits).await
            }
            Step::Python(module) => module::call_python(module, origin, values, limits).await,
            Step::Call(nested) => Outcome::NotDone(format!(
                "{} is another tool: whoever knows all tools calls it",
                quoted(&nested.tool)
            )),
            Step::Fetch(file) => install::fetch(file, origin, &self.sender, limits).await,
            Step::Find(sought) => install::find(sought, origin),
            Step::Ask(_) => Outcome::NotDone("a person has to do it".to_owned()),
        }
    }
}

/// State that the steps of one call share.
struct CallContext<'s> {
    origin: &'s Origin,
    values: &'s Values,
    watch: Watch<'s>,
    outcome: &'s mut Option<Outcome>,
}
