//! The first half of a call: checks the arguments, plans the call, and finds out whether a
//! person must be asked.

use std::collections::BTreeSet;
use std::sync::Arc;

use host::{Origin, Values};
use toolglot::ToolDescriptor;
use toolglot::call::{
    Concern, Grant, Missing, Planned, Policy, Verdict, explain_arguments, join_concerns,
};
use toolglot::core::{printable, quoted};
use toolglot::mcpkg::chain::ChainError;

use crate::chain::ChainTools;
use crate::gateway::Gateway;
use crate::manifest::Manifest;
use crate::plan::{
    available_values, installed_prefix, missing_on_host, plan_call, resolvable_secrets,
};
use crate::prepared_call::{PlannedCall, PreparedCall, Question, Refusal, Work};
use crate::skipped::display_path;
use crate::tool::{McpView, Tool};
use crate::tool_claims::ToolClaims;

/// Arguments in a question are cut to this many bytes.
const MAX_ARGUMENT_BYTES: usize = 600;

/// A tool, with the concerns that a person is asked about.
type RequiredApproval = (Arc<Tool>, Vec<Concern>);

/// The values of a tool's variables, as far as no person is needed for them.
struct Inputs {
    values: Values,
    /// Secrets that can be looked up once the call is approved.
    resolvable: BTreeSet<String>,
}

impl Inputs {
    fn has(&self, name: &str) -> bool {
        self.values.has(name) || self.resolvable.contains(name)
    }
}

impl Gateway {
    /// Prepares a call with arguments as an MCP client sends them.
    pub(crate) fn prepare(
        &self,
        tool: &Arc<Tool>,
        view: &McpView,
        sent: &str,
    ) -> Result<PreparedCall, Refusal> {
        match view.arguments.decode(sent) {
            Ok(arguments) => self.prepare_call(tool, &arguments),
            Err(error) => Err(Refusal::Arguments(error.to_string())),
        }
    }

    /// Prepares a call with arguments as the tool's own schema describes them.
    pub fn prepare_call(&self, tool: &Arc<Tool>, arguments: &str) -> Result<PreparedCall, Refusal> {
        if !tool.chain().is_empty() {
            return self.prepare_chain(tool, arguments);
        }
        let call = self.plan_tool_call(tool, arguments, false)?;
        let mut lacking = Vec::new();
        for missing in call.planned.missing() {
            lacking.push(match missing {
                Missing::Value(_) => missing.to_string(),
                Missing::Installation(how) => format!("it is not installed ({how})"),
            });
        }
        check_missing(tool, &lacking)?;
        let mut approvals = Vec::new();
        if let Planned::Ask(ask) = &call.planned {
            approvals.push((Arc::clone(tool), ask.concerns().to_vec()));
        }
        let question = question(tool, arguments, &approvals);
        Ok(PreparedCall { tool: Arc::clone(tool), work: Work::Call(Box::new(call)), question })
    }

    /// Prepares a chain. Questions, refusals and missing values of all its steps are found
    /// before the first step is made.
    fn prepare_chain(&self, tool: &Arc<Tool>, arguments: &str) -> Result<PreparedCall, Refusal> {
        let tools = match ChainTools::resolve(tool, &self.catalogue()) {
            Ok(tools) => tools,
            Err(why) => return Err(not_called(tool, &why)),
        };
        match tool.manifest().check_chain(arguments) {
            Ok(()) => {}
            Err(error @ ChainError::Input(_)) => return Err(Refusal::Arguments(error.to_string())),
            Err(error) => return Err(not_called(tool, &error.to_string())),
        }
        let (mut approvals, mut lacking) = (Vec::new(), Vec::new());
        for one in std::iter::once(tool).chain(tools.iter()) {
            let (approval, lacks) = self.check_without_arguments(one)?;
            approvals.extend(approval);
            for what in lacks {
                lacking.push(format!("{}: {what}", quoted(one.id())));
            }
        }
        check_missing(tool, &lacking)?;
        let question = question(tool, arguments, &approvals);
        let work = Work::Chain { tools, arguments: arguments.to_owned() };
        Ok(PreparedCall { tool: Arc::clone(tool), work, question })
    }

    /// Checks a chain, or a tool that it calls. Returns the approval that it requires, and
    /// everything else that it lacks.
    fn check_without_arguments(
        &self,
        tool: &Arc<Tool>,
    ) -> Result<(Option<RequiredApproval>, Vec<String>), Refusal> {
        let manifest = tool.manifest();
        let Some(descriptor) = manifest.tool(tool.id()) else { return Err(tool_missing()) };
        let rules = (manifest.format().contract)(descriptor).host_rules;
        let inputs = self.inputs(descriptor)?;
        let mut lacking = Vec::new();
        for variable in &descriptor.package.env {
            let needs_value = rules.requires(variable) && variable.default.is_none();
            if needs_value && !inputs.has(&variable.name) {
                lacking.push(format!("{} has no value", quoted(&variable.name)));
            }
        }
        if tool.chain().is_empty() {
            lacking.extend(missing_on_host(descriptor, manifest.format(), &origin(manifest)));
        }
        let verdict = self.policy(tool, false).judge(descriptor, &rules);
        Ok((required_approval(tool, &verdict)?, lacking))
    }

    /// Plans the call of one tool. It may still need an approval, and lack values or an
    /// installation.
    pub(crate) fn plan_tool_call(
        &self,
        tool: &Tool,
        arguments: &str,
        approved: bool,
    ) -> Result<PlannedCall, Refusal> {
        let manifest = tool.manifest();
        let Some(descriptor) = manifest.tool(tool.id()) else { return Err(tool_missing()) };
        let inputs = self.inputs(descriptor)?;
        let has = |name: &str| inputs.has(name);
        let policy = self.policy(tool, approved);
        let (format, origin) = (manifest.format(), origin(manifest));
        let mut planned = plan_call(descriptor, format, &origin, arguments, &policy, &has);
        let (mut lacks_files, mut claims) = (false, None);
        planned.adapt(|step, _| {
            lacks_files = manifest.lacks_files(step, descriptor);
            claims = ToolClaims::of(tool, descriptor, step);
        });
        if lacks_files {
            return Err(Refusal::Missing(format!(
                "{} is not called: the files that it names are not kept with its source. \
                 Convert the source again with --store, or with -o FOLDER.",
                quoted(tool.id())
            )));
        }
        if let Planned::Refused(refused) = &planned {
            return Err(match refused.report() {
                Some(report) => Refusal::Arguments(explain_arguments(report)),
                None => not_granted(tool, refused.concerns()),
            });
        }
        let approved = policy.grants.contains(&Grant::Approved);
        Ok(PlannedCall { planned, origin, values: inputs.values, claims, format, approved })
    }

    fn inputs(&self, descriptor: &ToolDescriptor<'_>) -> Result<Inputs, Refusal> {
        let resolvable = resolvable_secrets(descriptor, &self.options.resolvers);
        match available_values(descriptor, self.options.values.as_deref()) {
            Ok(values) => Ok(Inputs { values, resolvable }),
            Err(error) => Err(Refusal::Missing(format!("values cannot be had: {error}"))),
        }
    }

    /// Returns the policy for one tool, including its own grants and its approval.
    fn policy(&self, tool: &Tool, approved: bool) -> Policy {
        let mut policy = self.options.policy.clone();
        policy.grants.extend(tool.extra_grants());
        let approvals = self.options.approvals.as_ref();
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

fn not_called(tool: &Tool, why: &str) -> Refusal {
    Refusal::Missing(format!("{} is not called: {why}.", quoted(tool.id())))
}

fn tool_missing() -> Refusal {
    Refusal::Missing("the tool is no longer in its manifest".to_owned())
}

/// Returns the concerns that a person must be asked about, or `None` if there are none.
/// Fails if the policy refuses the call, because then no approval helps.
fn required_approval(
    tool: &Arc<Tool>,
    verdict: &Verdict,
) -> Result<Option<RequiredApproval>, Refusal> {
    match verdict {
        Verdict::Allow => Ok(None),
        Verdict::Ask(concerns) => Ok(Some((Arc::clone(tool), concerns.clone()))),
        Verdict::Refuse(concerns) => Err(not_granted(tool, concerns)),
    }
}

/// Returns the refusal of a call that the policy refuses.
fn not_granted(tool: &Tool, concerns: &[Concern]) -> Refusal {
    let is_final = concerns.iter().any(|concern| concern.is_final());
    let help = "Whoever runs toolglot can grant that, with --allow or --policy.";
    let help = if is_final { "No grant helps." } else { help };
    let (id, why) = (quoted(tool.id()), join_concerns(concerns));
    Refusal::NotGranted(format!("{id} is not called: {why}. {help}"))
}

/// Builds the question about a call and the calls that it makes, or returns `None` if no
/// approval is required.
fn question(tool: &Arc<Tool>, arguments: &str, approvals: &[RequiredApproval]) -> Option<Question> {
    if approvals.is_empty() {
        return None;
    }
    let (mut reasons, mut commands) = (Vec::new(), Vec::new());
    for (one, concerns) in approvals {
        let why = join_concerns(concerns);
        let is_itself = Arc::ptr_eq(one, tool);
        reasons.push(if is_itself { why } else { format!("of {}: {why}", quoted(one.id())) });
        let file = display_path(one.manifest().path());
        commands.push(format!("`toolglot approve {file} {}`", printable(one.id(), 128)));
    }
    let (id, reasons) = (quoted(tool.id()), reasons.join("; "));
    let text = format!(
        "Call {id} of {}? It {}.\nArguments: {}\nYou are asked because {reasons}.",
        display_path(tool.manifest().path()),
        tool.call_description(),
        printable(arguments, MAX_ARGUMENT_BYTES),
    );
    let refusal = format!(
        "{id} is not called: it needs approval, because {reasons}. The person at this machine can \
         approve it with {}, then call it again.",
        commands.join(" and "),
    );
    Some(Question { text, refusal })
}

/// Fails if something other than an approval is missing. A client cannot provide it during
/// a call.
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
