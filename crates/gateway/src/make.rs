//! The second half of a call: makes it, or runs the steps of a chain.

use std::pin::Pin;
use std::sync::Arc;

use host::{Error, Progress, Watch};
use toolglot::call::{Answer, Judge, Nested, Outcome};
use toolglot::core::{printable, quoted};
use toolglot::mcpkg::chain::{ChainError, ChainOptions, ChainRun, Next, Trace};
use toolglot::{Limits, mcpkg};

use crate::as_json::as_json;
use crate::chain::Called;
use crate::gateway::Gateway;
use crate::prepared::{Prepared, Refusal, Work};
use crate::tool::Tool;

/// A callback that receives the input and the result of each step of a chain.
pub type Tracer<'t> = &'t (dyn Fn(&Trace) + Send + Sync);

/// A boxed future, because nested chains recurse.
type Boxed<'f, T> = Pin<Box<dyn Future<Output = T> + Send + 'f>>;

impl Gateway {
    /// Makes a call. Refuses it if it still needs approval.
    pub async fn call(
        &self,
        prepared: &Prepared,
        watch: Watch<'_>,
    ) -> Result<host::Called, Refusal> {
        self.call_traced(prepared, watch, &|_| ()).await
    }

    /// Makes a call like [`Gateway::call`], and traces each step of a chain.
    pub async fn call_traced(
        &self,
        prepared: &Prepared,
        watch: Watch<'_>,
        trace: Tracer<'_>,
    ) -> Result<host::Called, Refusal> {
        if prepared.question().is_some() {
            return Err(prepared.unasked());
        }
        match &prepared.work {
            Work::Call(ready) => self.make(ready, watch).await,
            Work::Chain { called, arguments } => {
                let running = Running { gateway: self, called, watch, trace };
                Ok(host::Called::answered(running.chain(&prepared.tool, arguments).await))
            }
        }
    }
}

/// Runs a chain.
#[derive(Clone, Copy)]
struct Running<'r> {
    gateway: &'r Gateway,
    called: &'r Called,
    watch: Watch<'r>,
    trace: Tracer<'r>,
}

impl<'r> Running<'r> {
    /// Runs a chain to its end. `Called::by` has already limited how deep chains nest.
    fn chain<'f>(self, tool: &'f Arc<Tool>, arguments: &'f str) -> Boxed<'f, Result<Answer, Error>>
    where
        'r: 'f,
    {
        Box::pin(async move {
            let read = tool.manifest().tool(tool.id(), |descriptor| {
                Judge::of(descriptor, &(tool.manifest().format().contract)(descriptor))
            });
            let Some(judge) = read else {
                return Err(Error::Missing(Vec::new()));
            };
            let outcome = match self.steps(tool, arguments).await {
                Ok(output) => Outcome::Value(output),
                Err(why) => Outcome::Threw(why),
            };
            judge.judge(&outcome, &Limits::default()).map_err(Error::Failed)
        })
    }

    /// Makes all steps in order, and returns the chain's output.
    async fn steps(self, tool: &Arc<Tool>, arguments: &str) -> Result<String, String> {
        let document = tool.manifest().document().map_err(|found| found.to_string())?;
        let manifest = mcpkg::Manifest::read(&document);
        let stops = |error: ChainError| error.to_string();
        let mut run = ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())
            .map_err(stops)?;
        loop {
            let (index, name, nested) = match run.next().map_err(stops)? {
                Next::Done(output) => return Ok(output.to_owned()),
                Next::Call(next) => (next.step, printable(next.name, 128), next.call.clone()),
            };
            self.tell(index, tool, &nested);
            let answer = self.step(&nested).await;
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
    async fn step(self, nested: &Nested) -> Result<String, String> {
        let Some(tool) = self.called.tool(&nested.tool) else {
            return Err("it is not known".to_owned());
        };
        let answer = if tool.chain().is_empty() {
            // The person who approved the chain was asked about its steps.
            let ready = self.gateway.ready(tool, &nested.arguments, true);
            let ready = ready.map_err(|refusal| refusal.to_string())?;
            let called = self.gateway.make(&ready, &|_| ()).await;
            called.map_err(|refusal| refusal.to_string())?.answer
        } else {
            let inner = Running { watch: &|_| (), ..self };
            inner.chain(tool, &nested.arguments).await
        };
        let answer = answer.map_err(|error| error.to_string())?;
        Ok(as_json(answer))
    }

    /// Reports that a step begins.
    #[allow(clippy::cast_precision_loss)] // there are few steps
    fn tell(self, index: usize, tool: &Tool, nested: &Nested) {
        let message = format!("calls {}", quoted(&nested.tool));
        let total = tool.chain().len() as f64;
        (self.watch)(Progress::new(index as f64, Some(total), Some(message)));
    }
}
