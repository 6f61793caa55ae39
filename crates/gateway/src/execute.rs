//! The second half of a call: makes it, or runs the steps of a chain.

use std::pin::Pin;
use std::sync::Arc;

use host::{Error, Progress, Watch};
use toolglot::call::{Answer, Judge, NestedCall, Outcome};
use toolglot::core::{printable, quoted};
use toolglot::mcpkg::chain::{ChainAction, ChainError, ChainOptions, ChainRun, Trace};
use toolglot::{Limits, mcpkg};

use crate::as_json::as_json;
use crate::chain::ChainTools;
use crate::gateway::Gateway;
use crate::prepared_call::{PreparedCall, Refusal, Work};
use crate::tool::Tool;

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
    ) -> Result<host::CallResult, Refusal> {
        self.call_traced(prepared, watch, &|_| ()).await
    }

    /// Makes a call like [`Gateway::call`], and traces each step of a chain.
    pub async fn call_traced(
        &self,
        prepared: &PreparedCall,
        watch: Watch<'_>,
        trace: Tracer<'_>,
    ) -> Result<host::CallResult, Refusal> {
        if prepared.question().is_some() {
            return Err(prepared.approval_required());
        }
        match &prepared.work {
            Work::Call(ready) => self.execute(ready, watch).await,
            Work::Chain { tools: called, arguments } => {
                let running = ChainRunner { gateway: self, tools: called, watch, trace };
                Ok(host::CallResult::from_answer(running.run(&prepared.tool, arguments).await))
            }
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
            let read = tool.manifest().with_tool(tool.id(), |descriptor| {
                Judge::for_tool(descriptor, &(tool.manifest().format().contract)(descriptor))
            });
            let Some(judge) = read else {
                return Err(Error::Missing(Vec::new()));
            };
            let outcome = match self.run_steps(tool, arguments).await {
                Ok(output) => Outcome::Value(output),
                Err(why) => Outcome::Threw(why),
            };
            judge.judge(&outcome, &Limits::default()).map_err(Error::Failed)
        })
    }

    /// Makes all steps in order, and returns the chain's output.
    async fn run_steps(self, tool: &Arc<Tool>, arguments: &str) -> Result<String, String> {
        let document = tool.manifest().document().map_err(|found| found.to_string())?;
        let manifest = mcpkg::Manifest::read(&document);
        let stops = |error: ChainError| error.to_string();
        let mut run = ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())
            .map_err(stops)?;
        loop {
            let (index, name, nested) = match run.next().map_err(stops)? {
                ChainAction::Done(output) => return Ok(output.to_owned()),
                ChainAction::Call(next) => {
                    (next.step, printable(next.name, 128), next.call.clone())
                }
            };
            self.report_progress(index, tool, &nested);
            let answer = self.run_step(&nested).await;
            let answer = answer.map_err(|why| {
                format!("step {} ({name}, {}): {why}", index + 1, quoted(&nested.tool))
            })?;
            run.resume(answer.as_bytes()).map_err(stops)?;
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
            // The person who approved the chain was asked about its steps.
            let ready = self.gateway.plan_tool_call(tool, &nested.arguments, true);
            let ready = ready.map_err(|refusal| refusal.to_string())?;
            let called = self.gateway.execute(&ready, &|_| ()).await;
            called.map_err(|refusal| refusal.to_string())?.answer
        } else {
            let inner = ChainRunner { watch: &|_| (), ..self };
            inner.run(tool, &nested.arguments).await
        };
        let answer = answer.map_err(|error| error.to_string())?;
        Ok(as_json(answer))
    }

    /// Reports that a step begins.
    #[allow(clippy::cast_precision_loss)] // there are few steps
    fn report_progress(self, index: usize, tool: &Tool, nested: &NestedCall) {
        let message = format!("calls {}", quoted(&nested.tool));
        let total = tool.chain().len() as f64;
        (self.watch)(Progress::new(index as f64, Some(total), Some(message)));
    }
}
