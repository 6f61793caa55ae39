//! Plans calls: from a tool and its arguments to a step for a host.

use diagnostic::{Diagnostic, Pointer, Report, quoted};
use json_text::{Document, Number};
use manifest_core::descriptor::Invocation;
use manifest_core::format::{Contract, HostRules};
use manifest_core::{Limits, ToolDescriptor};
use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::judge::{Failure, Judge};
use crate::outcome::{Answer, Outcome};
use crate::policy::{Policy, Verdict};
use crate::step::Step;
use crate::step_builder::StepBuilder;
use crate::variable::Variable;
use crate::{allow_list, registry, rules};

/// The facts about a host that a plan depends on.
#[derive(Clone, Copy)]
pub struct HostFacts<'f> {
    /// Returns true if a variable has a value.
    pub has_value: &'f dyn Fn(&str) -> bool,
    /// The index of the implementation that fits this host, if the tool has several.
    pub implementation: Option<usize>,
    /// True if the program of the tool is known to be installed.
    pub installed: bool,
    /// The grants of the person.
    pub policy: &'f Policy,
}

impl std::fmt::Debug for HostFacts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facts")
            .field("implementation", &self.implementation)
            .field("installed", &self.installed)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// The plan of one call. It contains no values of variables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The id of the tool.
    pub tool: String,
    /// The step to carry out.
    pub step: Step,
    /// How to treat the outcome of the step.
    pub then: OutcomeUse,
    /// The time limit in milliseconds, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The variables that the step needs, with the details for collecting their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// The prerequisites of the step that are missing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// Warnings that a careful host looks at before it continues.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// How to treat the outcome of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeUse {
    /// The outcome is the answer, and is judged by these rules.
    Judge(Judge),
    /// The outcome is a registry, which contains the URL for the call itself.
    Registry {
        /// The id or name of the server, if it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// The name of the tool.
        tool: String,
        /// The arguments: a JSON object.
        arguments: String,
        /// The manifest's allow-list of destinations. If it is missing, all are allowed. If
        /// it is empty, none are.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reach: Option<Vec<String>>,
        /// How the answer is judged.
        judge: Judge,
    },
}

/// A missing prerequisite of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// The value of a variable.
    Value(String),
    /// The approval of a person, or a grant.
    Approval(Verdict),
    /// The program, which has to be installed in this way.
    Installation(String),
}

/// A problem that does not prevent the call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The code of the rule.
    pub rule: String,
    /// The place in the arguments.
    pub at: Pointer,
    /// The problem.
    pub message: String,
}

impl From<Diagnostic> for Warning {
    fn from(found: Diagnostic) -> Self {
        Self {
            rule: found.rule.code.to_owned(),
            at: found.pointer.clone(),
            message: found.message.clone(),
        }
    }
}

/// The result of [`Plan::next`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The call is over.
    Done(Result<Answer, Failure>),
    /// The call needs another step.
    Go(Box<Plan>),
}

/// Plans a call of a tool. `arguments` is a JSON object, or blank. The contract is that of
/// the tool's format ([`Format::contract`](manifest_core::Format)).
///
/// Fails with all errors of the arguments or, if there are none, all errors of the call.
pub fn plan(
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    arguments: &str,
    facts: &HostFacts<'_>,
    limits: &Limits,
) -> Result<Plan, Report> {
    plan_call(tool, None, contract, arguments, facts, limits)
}

/// Like [`plan`](plan()), for a tool of this manifest: errors in the manifest have their
/// position there.
pub fn plan_in_manifest(
    manifest: &Document<'_>,
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    arguments: &str,
    facts: &HostFacts<'_>,
    limits: &Limits,
) -> Result<Plan, Report> {
    plan_call(tool, Some(manifest), contract, arguments, facts, limits)
}

fn plan_call(
    tool: &ToolDescriptor<'_>,
    manifest: Option<&Document<'_>>,
    contract: &Contract,
    arguments: &str,
    facts: &HostFacts<'_>,
    limits: &Limits,
) -> Result<Plan, Report> {
    let arguments =
        checked(tool, contract, arguments, limits).map_err(|errors| to_report(errors, limits))?;
    let document = Document::parse(arguments.as_str().as_bytes(), limits).map_err(Report::from)?;
    let Some(call) = choose_call(tool, facts) else {
        let message = format!("no call of {} could be read from its manifest", quoted(&tool.id));
        return Err(Report::from(rules::NO_CALL.at_pointer(Pointer::root(), message)));
    };
    let mut builder = StepBuilder {
        tool,
        contract,
        arguments: &document,
        limits,
        has: facts.has_value,
        manifest,
        errors: Vec::new(),
        warnings: Vec::new(),
    };
    let step = match builder.step(call.invocation) {
        Some(step) if builder.errors.is_empty() => step,
        _ => return Err(to_report(builder.errors, limits)),
    };
    let judge = Judge::for_tool(tool, contract);
    let then = match call.invocation {
        Invocation::RegistryTool(registry) => OutcomeUse::Registry {
            server: registry.server.as_ref().map(|text| text.to_string()),
            tool: registry.tool.to_string(),
            arguments: arguments.as_str().to_owned(),
            reach: allow_list::declared_destinations(tool),
            judge,
        },
        _ => OutcomeUse::Judge(judge),
    };
    let plan = Plan::from_step(tool, &contract.host_rules, step, then, facts.has_value);
    let warnings = builder.warnings.into_iter().take(limits.diagnostics);
    let mut missing = missing_prerequisites(tool, &contract.host_rules, facts);
    missing.extend(plan.missing);
    Ok(Plan {
        missing,
        timeout_ms: effective_timeout_ms(call.timeout_ms, contract),
        warnings: warnings.map(Warning::from).collect(),
        ..plan
    })
}

/// Returns the tool with this id or callable name. Fails if there is none, or if several
/// tools have the name.
///
/// ```
/// use manifest_core::ToolDescriptor;
///
/// let tools = [ToolDescriptor { id: "notes.find".into(), ..ToolDescriptor::default() }];
/// assert!(toolglot_call::find_tool(&tools, "notes.find").is_ok());
/// let unknown = toolglot_call::find_tool(&tools, "notes.fnd").unwrap_err();
/// assert_eq!(unknown.help.as_deref(), Some("did you mean \"notes.find\"?"));
/// ```
pub fn find_tool<'t, 'a>(
    tools: &'t [ToolDescriptor<'a>],
    name: &str,
) -> Result<&'t ToolDescriptor<'a>, Diagnostic> {
    let by_id = tools.iter().find(|tool| tool.id.as_ref() == name);
    let mut called = tools.iter().filter(|tool| tool.callable_name().value == name);
    let refuse = |message: String| rules::UNKNOWN_TOOL.at_pointer(Pointer::root(), message);
    match (by_id, called.next(), called.next()) {
        (Some(tool), ..) | (None, Some(tool), None) => Ok(tool),
        (None, Some(_), Some(_)) => {
            let message = format!("several tools are called {}", quoted(name));
            Err(refuse(message).help("say the id"))
        }
        (None, None, _) => {
            let refused = refuse(format!("there is no tool {}", quoted(name)));
            let known = tools.iter().flat_map(|tool| [tool.callable_name().value, &tool.id]);
            Err(match manifest_core::did_you_mean(name, known) {
                Some(guess) => refused.help(format!("did you mean {}?", quoted(guess))),
                None if tools.is_empty() => refused.help("the manifest has no tools"),
                None => refused.help(list_ids(tools)),
            })
        }
    }
}

/// Lists the ids of the first few tools.
fn list_ids(tools: &[ToolDescriptor<'_>]) -> String {
    const SHOWN: usize = 8;
    let ids: Vec<String> = tools.iter().take(SHOWN).map(|tool| quoted(&tool.id)).collect();
    let more = match tools.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("there are {}{more}", ids.join(", "))
}

impl Plan {
    /// Creates a plan for an existing step, for example of a check, an installation or a
    /// revocation. It contains the variables that the step needs, and lists missing values.
    pub fn from_step(
        tool: &ToolDescriptor<'_>,
        calling: &HostRules,
        step: Step,
        then: OutcomeUse,
        has: &dyn Fn(&str) -> bool,
    ) -> Self {
        let variables = Variable::of_step(tool, calling, &step);
        let mut missing = Vec::new();
        for variable in &variables {
            if variable.needs_value() && !has(&variable.name) {
                missing.push(Missing::Value(variable.name.clone()));
            }
        }
        Self {
            tool: tool.id.to_string(),
            missing,
            timeout_ms: None,
            warnings: Vec::new(),
            step,
            then,
            variables,
        }
    }

    /// Returns the result of the call, or its next step.
    pub fn next(&self, outcome: &Outcome, limits: &Limits) -> Next {
        match &self.then {
            OutcomeUse::Judge(judge) => Next::Done(judge.judge(outcome, limits)),
            OutcomeUse::Registry { server, tool, arguments, reach, judge } => {
                let json = Judge { schema: None, format: None, ..judge.clone() };
                let request = match json.judge(outcome, limits) {
                    Ok(registry) => {
                        let server = server.as_deref();
                        registry::call_request(
                            &registry,
                            (server, tool),
                            arguments,
                            reach.as_deref(),
                            limits,
                        )
                    }
                    Err(failure) => Err(failure),
                };
                match request {
                    Err(failure) => Next::Done(Err(failure)),
                    Ok(request) => Next::Go(Box::new(Self {
                        step: Step::Send(request),
                        then: OutcomeUse::Judge(judge.clone()),
                        warnings: Vec::new(),
                        ..self.clone()
                    })),
                }
            }
        }
    }
}

#[cfg(feature = "schema")]
fn checked(
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    text: &str,
    limits: &Limits,
) -> Result<Arguments, Vec<Diagnostic>> {
    Arguments::validate(tool, contract, text, limits)
}

#[cfg(not(feature = "schema"))]
fn checked(
    _: &ToolDescriptor<'_>,
    _: &Contract,
    text: &str,
    limits: &Limits,
) -> Result<Arguments, Vec<Diagnostic>> {
    Arguments::parse(text, limits).map_err(|error| vec![error])
}

fn to_report(errors: Vec<Diagnostic>, limits: &Limits) -> Report {
    let mut report = Report::new(diagnostic::Profile::Spec, limits.diagnostics.max(1));
    for error in errors {
        report.push(error);
    }
    report
}

/// The call to make, and its time limit in milliseconds.
struct CallChoice<'t, 'a> {
    invocation: &'t Invocation<'a>,
    timeout_ms: Option<f64>,
}

/// Returns the tool's own call, or that of the implementation that fits the host.
fn choose_call<'t, 'a>(
    tool: &'t ToolDescriptor<'a>,
    facts: &HostFacts<'_>,
) -> Option<CallChoice<'t, 'a>> {
    let mut invocation = tool.invocation.as_deref();
    let mut timeout_ms = tool.timeout_ms.as_deref().and_then(Number::to_f64);
    let implementation = match facts.implementation {
        Some(index) => tool.implementations.get(index),
        None if invocation.is_some() => None,
        None => tool.implementations.iter().find(|one| one.invocation.is_some()),
    };
    if let Some(one) = implementation {
        invocation = one.invocation.as_deref().or(invocation);
        timeout_ms = one.timeout_ms.as_deref().and_then(Number::to_f64).or(timeout_ms);
    }
    Some(CallChoice { invocation: invocation?, timeout_ms })
}

/// Returns the declared time-out, otherwise the host's default, but at most the host's
/// maximum.
fn effective_timeout_ms(declared: Option<f64>, contract: &Contract) -> Option<u64> {
    let HostRules { default_timeout_ms, max_timeout_ms, .. } = contract.host_rules;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
    let wanted = match declared {
        Some(declared) if declared > 0.0 && contract.keeps_timeout => Some(declared.ceil() as u64),
        _ => default_timeout_ms.map(u64::from),
    };
    match (wanted, max_timeout_ms.map(u64::from)) {
        (Some(wanted), Some(most)) => Some(wanted.min(most)),
        (wanted, most) => wanted.or(most),
    }
}

/// Returns the prerequisites that come before the values of variables: approval and
/// installation.
fn missing_prerequisites(
    tool: &ToolDescriptor<'_>,
    calling: &HostRules,
    facts: &HostFacts<'_>,
) -> Vec<Missing> {
    let mut missing = Vec::new();
    match facts.policy.judge(tool, calling) {
        Verdict::Allow => {}
        verdict => missing.push(Missing::Approval(verdict)),
    }
    if !facts.installed
        && let Some(how) = &tool.package.acquisition
        && let Some(how) = how.summary()
    {
        missing.push(Missing::Installation(how));
    }
    missing
}
