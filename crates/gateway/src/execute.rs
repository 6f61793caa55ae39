//! The second half of a call: makes it, or runs the steps of a chain.

use std::pin::Pin;
use std::sync::{Arc, PoisonError};

use host::{CallResult, Error, Origin, Progress, Values, Watch};
use toolglot::call::{Answer, Judge, NestedCall, Outcome, Plan};
use toolglot::core::{printable, quoted};
use toolglot::mcpkg::chain::{ChainAction, ChainOptions, ChainRun, Trace};
use toolglot::{Limits, mcpkg};

use crate::answers::as_json;
use crate::chain::ChainTools;
use crate::gateway::Gateway;
use crate::module::check_module;
use crate::prepared_call::{PlannedCall, PreparedCall, Refusal, Work};
use crate::tool::Tool;
use crate::tool_claims::ToolClaims;

/// A callback that receives the input and the result of each step of a chain.
pub type Tracer<'t> = &'t (dyn Fn(&Trace) + Send + Sync);

/// A boxed future, because nested chains recurse.
type BoxFuture<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

impl Gateway {
    /// Makes a call. Refuses it if it still needs approval.
    pub async fn call(
        &self,
        prepared: &PreparedCall,
        watch: Watch<'_>,
    ) -> Result<CallResult, Refusal> {
        self.call_traced(prepared, watch, &|_| ()).await
    }

    /// Makes a call like [`Gateway::call`], and traces each step of a chain.
    pub async fn call_traced(
        &self,
        prepared: &PreparedCall,
        watch: Watch<'_>,
        trace: Tracer<'_>,
    ) -> Result<CallResult, Refusal> {
        if prepared.question().is_some() {
            return Err(prepared.approval_required());
        }
        match &prepared.work {
            Work::Call(call) => self.execute(call, watch).await,
            Work::Chain { tools, arguments } => {
                let runner = ChainRunner { gateway: self, tools, watch, trace };
                Ok(CallResult::from_answer(runner.run(&prepared.tool, arguments).await))
            }
        }
    }

    /// Makes a planned call. Refuses it if its module requires an approval that was not
    /// given, or if a value is missing.
    async fn execute(&self, call: &PlannedCall, watch: Watch<'_>) -> Result<CallResult, Refusal> {
        let origin = &call.origin;
        let mut plan = match call.planned.clone().ready() {
            Ok(plan) => plan,
            Err(refused) => return Err(Refusal::NotApproved(refused.for_model())),
        };
        match check_module(&self.host, &mut plan, call.format, origin).await {
            Err(why) => return Err(Refusal::Missing(format!("It is not called: {why}."))),
            Ok(Some(module)) if module.requires_approval && !call.approved => {
                return Err(Refusal::NotApproved(format!(
                    "It is not called: its module asks for approval, although its manifest does \
                     not. {} The person at this machine can approve it with `toolglot approve`.",
                    module.question
                )));
            }
            Ok(_) => {}
        }
        let values = self.collect_values(&plan, call.values.clone()).await?;
        let called = self.host.call_with_progress(&plan, origin, &values, watch).await;
        if let Some(claims) = &call.claims {
            self.check_claims(claims, &plan, origin, &values).await;
        }
        Ok(called)
    }

    /// Looks up the secrets of a call, and returns the values of all its variables.
    async fn collect_values(&self, plan: &Plan, mut given: Values) -> Result<Values, Refusal> {
        let resolved = self.options.resolvers.resolve(&plan.variables, &mut given).await;
        let why = match resolved {
            Ok(()) => match host::collect(&plan.variables, &given, None) {
                Ok(values) => return Ok(values),
                Err(problems) => {
                    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
                }
            },
            Err(why) => why.to_string(),
        };
        Err(Refusal::Missing(format!("The call is not made: {why}.")))
    }

    /// Warns if an MCP server lists a tool differently than its manifest, once for each
    /// tool.
    async fn check_claims(
        &self,
        claims: &ToolClaims,
        plan: &Plan,
        origin: &Origin,
        values: &Values,
    ) {
        let is_new = {
            let mut compared = self.compared_tools.lock().unwrap_or_else(PoisonError::into_inner);
            compared.insert(claims.key.clone())
        };
        if is_new
            && let Some(listed) = self.host.list_tools(&plan.step, origin, values).await
            && let Some(difference) = claims.difference(&listed)
        {
            (self.warn)(&difference);
        }
    }
}

/// Runs a chain.
#[derive(Clone, Copy)]
struct ChainRunner<'r> {
    gateway: &'r Gateway,
    tools: &'r ChainTools,
    watch: Watch<'r>,
    trace: Tracer<'r>,
}

impl<'r> ChainRunner<'r> {
    /// Runs a chain to its end. `ChainTools::resolve` has already limited how deep chains nest.
    fn run<'f>(
        self,
        tool: &'f Arc<Tool>,
        arguments: &'f str,
    ) -> BoxFuture<'f, Result<Answer, Error>>
    where
        'r: 'f,
    {
        Box::pin(async move {
            let manifest = tool.manifest();
            let descriptor = manifest.tool(tool.id()).ok_or(Error::Missing(Vec::new()))?;
            let judge = Judge::for_tool(descriptor, &(manifest.format().contract)(descriptor));
            let outcome = match self.run_steps(tool, arguments).await {
                Ok(output) => Outcome::Value(output),
                Err(why) => Outcome::Threw(why),
            };
            judge.judge(&outcome, &Limits::default()).map_err(Error::Failed)
        })
    }

    /// Makes all steps in order, and returns the chain's output.
    async fn run_steps(self, tool: &Arc<Tool>, arguments: &str) -> Result<String, String> {
        let document = tool.manifest().document();
        let manifest = mcpkg::Manifest::read(&document);
        let mut run = ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())
            .map_err(|error| error.to_string())?;
        loop {
            let (index, name, nested) = match run.next().map_err(|error| error.to_string())? {
                ChainAction::Done(output) => return Ok(output.to_owned()),
                ChainAction::Call(next) => {
                    (next.step, printable(next.name, 128), next.call.clone())
                }
            };
            self.report_progress(index, tool, &nested);
            let answer = self.run_step(&nested).await.map_err(|why| {
                format!("step {} ({name}, {}): {why}", index + 1, quoted(&nested.tool))
            })?;
            run.resume(answer.as_bytes()).map_err(|error| error.to_string())?;
            if let Some(trace) = run.trace().last() {
                (self.trace)(trace);
            }
        }
    }

    /// Makes the call of one step, and returns its answer as JSON.
    async fn run_step(self, nested: &NestedCall) -> Result<String, String> {
        let Some(tool) = self.tools.tool(&nested.tool) else {
            return Err("it is not known".to_owned());
        };
        let answer = if tool.chain().is_empty() {
            self.call_tool(tool, nested).await.map_err(|refusal| refusal.to_string())?.answer
        } else {
            let inner = ChainRunner { watch: &|_| (), ..self };
            inner.run(tool, &nested.arguments).await
        };
        answer.map(as_json).map_err(|error| error.to_string())
    }

    async fn call_tool(self, tool: &Tool, nested: &NestedCall) -> Result<CallResult, Refusal> {
        // The person who approved the chain was asked about its steps.
        let call = self.gateway.plan_tool_call(tool, &nested.arguments, true)?;
        self.gateway.execute(&call, &|_| ()).await
    }

    /// Reports that a step begins.
    #[allow(clippy::cast_precision_loss)] // there are few steps
    fn report_progress(self, index: usize, tool: &Tool, nested: &NestedCall) {
        let message = format!("calls {}", quoted(&nested.tool));
        let total = tool.chain().len() as f64;
        (self.watch)(Progress::new(index as f64, Some(total), Some(message)));
    }
}
