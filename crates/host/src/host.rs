//! Calls, from the plan to the answer.

use std::borrow::Cow;
use std::fmt;
use std::io;
use std::time::Duration;

use call::{Answer, Failure, Missing, Next, Outcome, Plan, Step};
use diagnostic::quoted;
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout, timeout_at};

use crate::audit::{Audit, Ended, Recording};
use crate::http::Sender;
use crate::limits::Limits;
use crate::mcp::Servers;
use crate::origin::Origin;
use crate::progress::Watch;
use crate::values::Values;
use crate::{install, module, program};

/// What a host may do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// What calls may cost.
    pub limits: Limits,
    /// What reading their answers may cost.
    pub documents: manifest_core::Limits,
    /// Whether tools may reach this machine and the networks around it.
    pub private_addresses: bool,
    /// Whether the proxies that the environment names are used. A proxy resolves names by
    /// itself, so that only addresses in URLs are looked at.
    pub proxies: bool,
}

/// Carries out plans. One serves a whole program: it keeps connections and MCP servers.
///
/// Dropping a future of it gives that call up: its processes are ended, its connections closed.
pub struct Host {
    options: Options,
    sender: Sender,
    servers: Servers,
    audit: Option<Box<dyn Audit>>,
    /// Calls that are made.
    turns: Semaphore,
    /// Calls that are made or wait.
    places: Semaphore,
}

/// What came of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Called {
    /// The answer, as the tool's format reads it.
    pub answer: Result<Answer, Error>,
    /// What came of its last step, as it was seen. Nothing, where none was made.
    pub outcome: Option<Outcome>,
}

impl Called {
    /// What came of calls that were made one after the other.
    pub const fn answered(answer: Result<Answer, Error>) -> Self {
        Self { answer, outcome: None }
    }

    /// What an MCP server returned, as it wrote it: a `CallToolResult`. It may have more than the
    /// answer, such as images, and may tell of a failure.
    pub fn returned(&self) -> Option<&str> {
        match &self.outcome {
            Some(Outcome::Returned(result)) => Some(result),
            _ => None,
        }
    }
}

/// Why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Error {
    /// It was not made, because this is still missing.
    Missing(Vec<Missing>),
    /// It was not made, because the secret of this name would be seen in an argument or a URL.
    Exposed(String),
    /// It was not made, because too many others wait.
    Busy,
    /// It was made, and failed.
    Failed(Failure),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing(missing) => {
                f.write_str("the call is not made: ")?;
                for (index, one) in missing.iter().enumerate() {
                    f.write_str(if index > 0 { "; " } else { "" })?;
                    match one {
                        Missing::Value(name) => write!(f, "{} has no value", quoted(name))?,
                        Missing::Approval(_) => f.write_str("it is not approved")?,
                        Missing::Installation(how) => write!(f, "install it first: {how}")?,
                    }
                }
                Ok(())
            }
            Self::Exposed(name) => {
                write!(f, "the call is not made: {} is secret, and would be seen", quoted(name))
            }
            Self::Busy => f.write_str("the call is not made: too many others wait; try later"),
            Self::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Debug for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host").field("options", &self.options).finish_non_exhaustive()
    }
}

impl Host {
    /// A host that may do this.
    pub fn new(options: Options) -> io::Result<Self> {
        let Limits { calls, waiting, .. } = options.limits;
        let calls = calls.clamp(1, Semaphore::MAX_PERMITS / 2);
        Ok(Self {
            sender: Sender::new(options.private_addresses, options.proxies)?,
            servers: Servers::default(),
            audit: None,
            turns: Semaphore::new(calls),
            places: Semaphore::new(calls + waiting.min(Semaphore::MAX_PERMITS / 2)),
            options,
        })
    }

    /// Lets somebody keep a record of each call.
    #[must_use]
    pub fn audited_by(mut self, audit: impl Audit + 'static) -> Self {
        self.audit = Some(Box::new(audit));
        self
    }

    /// Makes a call, when it is its turn.
    ///
    /// Nothing is done while something is missing. `values` are those of [`collect`].
    ///
    /// [`collect`]: crate::collect
    pub async fn call(
        &self,
        plan: &Plan,
        origin: &Origin,
        values: &Values,
    ) -> Result<Answer, Error> {
        self.call_watched(plan, origin, values, &|_| ()).await.answer
    }

    /// Makes a call like [`Host::call`], tells of its progress, and keeps what came of
    /// its last step.
    pub async fn call_watched(
        &self,
        plan: &Plan,
        origin: &Origin,
        values: &Values,
        watch: Watch<'_>,
    ) -> Called {
        let mut recording = Recording::new(self.audit.as_deref(), plan, values);
        let mut outcome = None;
        let mut steps = Steps { origin, values, watch, outcome: &mut outcome };
        let answer = self.in_turn(plan, &mut steps, &mut recording).await;
        recording.ends(match &answer {
            Ok(_) => Ended::Answered,
            Err(Error::Failed(_)) => Ended::Failed,
            Err(_) => Ended::Refused,
        });
        Called { answer, outcome }
    }

    async fn in_turn(
        &self,
        plan: &Plan,
        steps: &mut Steps<'_>,
        recording: &mut Recording<'_>,
    ) -> Result<Answer, Error> {
        let Steps { origin, values, watch, .. } = *steps;
        check(plan, values)?;
        let _place = self.places.try_acquire().map_err(|_| Error::Busy)?;
        // Whoever waits longer than any call may take is not served any more.
        let turn = timeout(self.at_most(self.options.limits.most), self.turns.acquire());
        let _turn = turn.await.ok().and_then(Result::ok).ok_or(Error::Busy)?;
        let time = plan.timeout_ms.map_or(self.options.limits.usual, Duration::from_millis);
        let deadline = Instant::now() + self.at_most(time);
        let mut plan = Cow::Borrowed(plan);
        loop {
            recording.reaches(&plan.step);
            let done = timeout_at(deadline, self.done(&plan.step, origin, values, watch)).await;
            if let (Err(_), Step::CallTool(call)) = (&done, &plan.step) {
                self.servers.overdue(call, origin, values);
            }
            let outcome = steps.outcome.insert(done.unwrap_or(Outcome::TimedOut));
            match plan.next(outcome, &self.options.documents) {
                Next::Done(answer) => {
                    return answer.map_err(|mut failure| {
                        failure.message = hidden(failure.message, &plan, values);
                        Error::Failed(failure)
                    });
                }
                Next::Go(next) => plan = Cow::Owned(*next),
            }
        }
    }

    /// What the MCP server of a step says that its tools are: a JSON list, the first page of it.
    /// Nothing if the server does not run, or does not say so soon.
    pub async fn listed(&self, step: &Step, origin: &Origin, values: &Values) -> Option<String> {
        /// Nobody waits longer for what is only compared.
        const SOON: Duration = Duration::from_secs(2);
        let Step::CallTool(call) = step else { return None };
        timeout(SOON, self.servers.listed(call, origin, values)).await.ok()?
    }

    /// Ends the MCP servers, and waits until they have ended: [`Limits::linger`] at most.
    ///
    /// A host that is dropped ends them too, but nobody waits: a program that ends at once after
    /// that may leave a server running which does not end by itself.
    pub async fn close(self) {
        self.servers.close().await;
    }

    /// Carries out one step, at once: for checks and installations. Nothing is looked at but the
    /// step itself.
    pub async fn carry_out(
        &self,
        step: &Step,
        origin: &Origin,
        values: &Values,
        time: Duration,
    ) -> Outcome {
        timeout(self.at_most(time), self.done(step, origin, values, &|_| ()))
            .await
            .unwrap_or(Outcome::TimedOut)
    }

    /// What sends requests, and what their answers may cost.
    pub(crate) fn sending(&self) -> (&Sender, &Limits) {
        (&self.sender, &self.options.limits)
    }

    /// A time that a call may take.
    pub(crate) fn at_most(&self, time: Duration) -> Duration {
        /// Nobody waits longer, and clocks can tell it.
        const YEAR: Duration = Duration::from_secs(365 * 24 * 60 * 60);
        time.min(self.options.limits.most).min(YEAR)
    }

    async fn done(
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
            Step::Node(module) => module::node(module, origin, values, limits).await,
            Step::Python(module) => module::python(module, origin, values, limits).await,
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

/// What the steps of one call share.
struct Steps<'s> {
    origin: &'s Origin,
    values: &'s Values,
    watch: Watch<'s>,
    outcome: &'s mut Option<Outcome>,
}

/// A text without the secrets that the call was given. Tools print their environment, and what
/// they failed on.
fn hidden(mut said: String, plan: &Plan, values: &Values) -> String {
    /// A shorter value says nothing, and would make holes in every text.
    const SHORTEST: usize = 6;
    for variable in plan.variables.iter().filter(|variable| variable.secret) {
        if let Some(value) = values.get(&variable.name).filter(|value| value.len() >= SHORTEST) {
            said = said.replace(value, &format!("${{{}}}", variable.name));
        }
    }
    said
}

/// Whether nothing is missing, and no secret would be seen.
fn check(plan: &Plan, values: &Values) -> Result<(), Error> {
    let is_missing = |missing: &&Missing| match missing {
        Missing::Value(name) => !values.has(name),
        Missing::Approval(_) | Missing::Installation(_) => true,
    };
    let mut missing: Vec<Missing> = plan.missing.iter().filter(is_missing).cloned().collect();
    for variable in plan.variables.iter().filter(|one| one.required && !values.has(&one.name)) {
        let value = Missing::Value(variable.name.clone());
        if !missing.contains(&value) {
            missing.push(value);
        }
    }
    if !missing.is_empty() {
        return Err(Error::Missing(missing));
    }
    // A plan that was stored may have been changed since.
    let is_open = |name: &str| plan.variables.iter().any(|one| one.name == name && !one.secret);
    let seen = match &plan.step {
        Step::Send(request) => request.url.variables().find(|name| !is_open(name)),
        step => step.holes().into_iter().find(|name| !is_open(name)),
    };
    seen.map_or(Ok(()), |name| Err(Error::Exposed(name.to_owned())))
}
