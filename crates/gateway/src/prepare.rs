//! The first half of a call: checks the arguments, plans the call, and finds out whether a
//! person must be asked.

use std::sync::Arc;

use host::Origin;
use toolglot::call::{Concern, Grant, Missing, Plan, Policy, Verdict};
use toolglot::core::{printable, quoted};
use toolglot::descriptor::EnvVar;
use toolglot::mcpkg::chain::ChainError;
use toolglot::{Diagnostic, Report, ToolDescriptor};

use crate::chain::ChainTools;
use crate::gateway::Gateway;
use crate::manifest::Manifest;
use crate::plan::{
    available_values, installed_prefix, missing_on_host, plan_call, resolvable_secrets,
};
use crate::prepared_call::{PreparedCall, Question, ReadyCall, Refusal, Work};
use crate::skipped::display_path;
use crate::tool::{McpView, Tool};
use crate::tool_claims::ToolClaims;

/// Arguments in a question are cut to this many bytes.
const MAX_ARGUMENT_BYTES: usize = 600;

/// A tool, with the concerns that a person is asked about.
type RequiredApproval = (Arc<Tool>, Vec<Concern>);

impl Gateway {
    /// Prepares a call with arguments as an MCP client sends them.
    pub fn prepare(
        &self,
        tool: &Arc<Tool>,
        face: &McpView,
        sent: &str,
    ) -> Result<PreparedCall, Refusal> {
        let decoded = face.arguments.decode(sent);
        let arguments = decoded.map_err(|refusal| Refusal::Arguments(refusal.to_string()))?;
        self.prepare_call(tool, &arguments)
    }

    /// Prepares a call with arguments as the tool's own schema describes them.
    pub fn prepare_call(&self, tool: &Arc<Tool>, arguments: &str) -> Result<PreparedCall, Refusal> {
        if !tool.chain().is_empty() {
            return self.prepare_chain(tool, arguments);
        }
        let ready = self.plan_tool_call(tool, arguments, false)?;
        let verdict = ready.plan.missing.iter().find_map(|missing| match missing {
            Missing::Approval(verdict) => Some(verdict.clone()),
            _ => None,
        });
        let asked = required_approval(tool, verdict.unwrap_or(Verdict::Allow))?;
        check_missing(tool, &missing_requirements(&ready.plan))?;
        let question = question(tool, arguments, &Vec::from_iter(asked));
        Ok(PreparedCall { tool: Arc::clone(tool), work: Work::Call(Box::new(ready)), question })
    }

    /// Prepares a chain. Questions, refusals and missing values of all its steps are found
    /// before the first step is made.
    fn prepare_chain(&self, tool: &Arc<Tool>, arguments: &str) -> Result<PreparedCall, Refusal> {
        let not_called =
            |why: String| Refusal::Missing(format!("{} is not called: {why}.", quoted(tool.id())));
        let called = ChainTools::resolve(tool, &self.catalogue()).map_err(not_called)?;
        tool.manifest().with_chain(arguments, |begun| begun.map(drop)).map_err(
            |error| match error {
                ChainError::Input(_) => Refusal::Arguments(error.to_string()),
                error => not_called(error.to_string()),
            },
        )?;
        let (mut concerns, mut missing) = (Vec::new(), Vec::new());
        for one in [tool].into_iter().chain(called.iter()) {
            let looked = one.manifest().with_tool(one.id(), |descriptor| {
                let calling = (one.manifest().format().contract)(descriptor).host_rules;
                let verdict = self.policy(one, false).judge(descriptor, &calling);
                let values = self.missing_values(one, descriptor)?.into_iter();
                let mut lacks: Vec<_> =
                    values.map(|name| format!("{} has no value", quoted(&name))).collect();
                if one.chain().is_empty() {
                    let format = one.manifest().format();
                    lacks.extend(missing_on_host(descriptor, format, &origin(one.manifest())));
                }
                Ok::<_, Refusal>((required_approval(one, verdict)?, lacks))
            });
            let (asks, lacks) = looked.unwrap_or_else(|| Err(tool_missing()))?;
            concerns.extend(asks);
            missing.extend(lacks.into_iter().map(|what| format!("{}: {what}", quoted(one.id()))));
        }
        check_missing(tool, &missing)?;
        let question = question(tool, arguments, &concerns);
        let work = Work::Chain { tools: called, arguments: arguments.to_owned() };
        Ok(PreparedCall { tool: Arc::clone(tool), work, question })
    }

    /// Plans the call of one tool. The plan may still lack values, an approval or an
    /// installation.
    pub(crate) fn plan_tool_call(
        &self,
        tool: &Tool,
        arguments: &str,
        approved: bool,
    ) -> Result<ReadyCall, Refusal> {
        let manifest = tool.manifest();
        let planned = manifest.with_tool(tool.id(), |descriptor| {
            let given = available_values(descriptor, self.options().values.as_deref())
                .map_err(|error| Refusal::Missing(format!("values cannot be had: {error}")))?;
            let policy = self.policy(tool, approved);
            let origin = origin(manifest);
            let kept = resolvable_secrets(descriptor, &self.options().resolvers);
            let has = |name: &str| given.has(name) || kept.contains(name);
            let plan = plan_call(descriptor, manifest.format(), &origin, arguments, &policy, &has)
                .map_err(|report| Refusal::Arguments(argument_errors(&report)))?;
            if manifest.lacks_files(&plan.step, descriptor) {
                return Err(Refusal::Missing(format!(
                    "{} is not called: the files that it names are not kept with its source. \
                     Convert the source again with --store, or with -o FOLDER.",
                    quoted(tool.id())
                )));
            }
            let claims = ToolClaims::of(tool, descriptor, &plan);
            let approved = policy.grants.contains(&Grant::Approved);
            Ok(ReadyCall {
                plan,
                origin,
                values: given,
                claims,
                format: manifest.format(),
                approved,
            })
        });
        planned.unwrap_or_else(|| Err(tool_missing()))
    }

    /// Returns the variables that a tool requires and that have no value.
    fn missing_values(
        &self,
        tool: &Tool,
        descriptor: &ToolDescriptor<'_>,
    ) -> Result<Vec<String>, Refusal> {
        let calling = (tool.manifest().format().contract)(descriptor).host_rules;
        let given = available_values(descriptor, self.options().values.as_deref())
            .map_err(|error| Refusal::Missing(format!("values cannot be had: {error}")))?;
        let kept = resolvable_secrets(descriptor, &self.options().resolvers);
        let lacks = |variable: &&EnvVar<'_>| {
            let name: &str = &variable.name;
            let has = given.has(name) || kept.contains(name);
            calling.requires(variable) && variable.default.is_none() && !has
        };
        let variables = descriptor.package.env.iter();
        Ok(variables.filter(lacks).map(|variable| variable.name.to_string()).collect())
    }

    /// Returns the policy for one tool, including its own grants and its approval.
    fn policy(&self, tool: &Tool, approved: bool) -> Policy {
        let mut policy = self.options().policy.clone();
        policy.grants.extend(tool.extra_grants());
        let approvals = self.options().approvals.as_ref();
        if approved || approvals.is_some_and(|all| all.has(tool.manifest().digest(), tool.id())) {
            policy.grants.insert(Grant::Approved);
        }
        policy
    }
}

fn origin(manifest: &Manifest) -> Origin {
    let folder = Some(manifest.folder());
    Origin { folder, manifest: Some(manifest.text()), prefix: installed_prefix(manifest.digest()) }
}

fn tool_missing() -> Refusal {
    Refusal::Missing("the tool is no longer in its manifest".to_owned())
}

/// Returns the concerns that a person must be asked about, or `None` if there are none.
/// Fails if the policy refuses the call, because then no approval helps.
fn required_approval(
    tool: &Arc<Tool>,
    verdict: Verdict,
) -> Result<Option<RequiredApproval>, Refusal> {
    match verdict {
        Verdict::Allow => Ok(None),
        Verdict::Ask(concerns) => Ok(Some((Arc::clone(tool), concerns))),
        Verdict::Refuse(concerns) => {
            let is_final = concerns.iter().any(|concern| concern.is_final());
            let help = "Whoever runs toolglot can grant that, with --allow or --policy.";
            let help = if is_final { "No grant helps." } else { help };
            let (id, why) = (quoted(tool.id()), reasons(&concerns));
            Err(Refusal::NotGranted(format!("{id} is not called: {why}. {help}")))
        }
    }
}

/// Builds the question about a call and the calls that it makes, or returns `None` if there
/// are no concerns.
fn question(tool: &Arc<Tool>, arguments: &str, concerns: &[RequiredApproval]) -> Option<Question> {
    if concerns.is_empty() {
        return None;
    }
    let id = quoted(tool.id());
    let reasons = concerns.iter().map(|(one, why)| {
        if Arc::ptr_eq(one, tool) {
            return reasons(why);
        }
        format!("of {}: {}", quoted(one.id()), reasons(why))
    });
    let reasons = reasons.collect::<Vec<_>>().join("; ");
    let text = format!(
        "Call {id} of {}? It {}.\nArguments: {}\nYou are asked because {reasons}.",
        display_path(tool.manifest().path()),
        tool.call_description(),
        printable(arguments, MAX_ARGUMENT_BYTES),
    );
    let commands = concerns.iter().map(|(one, _)| {
        let file = display_path(one.manifest().path());
        format!("`toolglot approve {file} {}`", printable(one.id(), 128))
    });
    let unasked = format!(
        "{id} is not called: it needs approval, because {reasons}. The person at this machine can \
         approve it with {}, then call it again.",
        commands.collect::<Vec<_>>().join(" and "),
    );
    Some(Question { text, refusal: unasked })
}

/// Returns everything a plan lacks except an approval. A client cannot provide it during a
/// call.
fn missing_requirements(plan: &Plan) -> Vec<String> {
    let lacking = plan.missing.iter().filter_map(|missing| match missing {
        Missing::Value(name) => Some(format!("{} has no value", quoted(name))),
        Missing::Installation(how) => Some(format!("it is not installed ({how})")),
        Missing::Approval(_) => None,
    });
    lacking.collect()
}

fn check_missing(tool: &Tool, lacking: &[String]) -> Result<(), Refusal> {
    if lacking.is_empty() {
        return Ok(());
    }
    Err(Refusal::Missing(format!(
        "{} is not called: {}. Whoever runs toolglot can see to it: values come from its \
         environment, or from the file of --values.",
        quoted(tool.id()),
        lacking.join("; ")
    )))
}

fn reasons(concerns: &[Concern]) -> String {
    concerns.iter().map(|concern| concern.message()).collect::<Vec<_>>().join("; ")
}

/// Lists all errors of a report, so that a model can correct its call.
fn argument_errors(report: &Report) -> String {
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
