//! Plans calls: from a tool and its arguments to a decision.

use diagnostic::{Diagnostic, Pointer, Report, Rule, quoted};
use json_text::{Document, Number};
use manifest_core::descriptor::Invocation;
use manifest_core::format::{Contract, HostRules};
use manifest_core::{Limits, ToolDescriptor};

use crate::arguments::Arguments;
use crate::judge::Judge;
use crate::plan::{Missing, OutcomeUse, Plan, Warning};
use crate::planned::{Planned, Refused};
use crate::policy::Policy;
use crate::step_builder::StepBuilder;
use crate::{allow_list, rules};

/// The facts about a host that a plan depends on.
///
/// ```
/// use toolglot_call::{HostFacts, Policy};
///
/// let policy = Policy::default();
/// let has_value = |name: &str| name == "API_KEY";
/// let facts = HostFacts { has_value: &has_value, ..HostFacts::new(&policy) };
/// assert!(facts.installed && facts.implementation.is_none());
/// ```
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

impl<'f> HostFacts<'f> {
    /// Creates the facts of a host that has no values and has chosen no implementation, and
    /// where the program is installed.
    pub fn new(policy: &'f Policy) -> Self {
        Self { has_value: &|_| false, implementation: None, installed: true, policy }
    }
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

/// The rules that arguments can break. Errors of other rules are about the manifest.
static ARGUMENT_RULES: &[&Rule] = &[
    &rules::ARGUMENTS,
    &rules::UNKNOWN_ARGUMENT,
    &rules::MISSING_ARGUMENT,
    &rules::VALUE,
    &rules::SIZE,
];

/// Plans a call of a tool, and decides if it may be made. `arguments` is a JSON object, or
/// blank. The contract is that of the tool's format
/// ([`Format::contract`](manifest_core::Format)).
///
/// A refusal has all errors of the arguments or, if there are none, all errors of the call
/// or, if there are none, the concerns of the policy.
pub fn plan(
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    arguments: &str,
    facts: &HostFacts<'_>,
    limits: &Limits,
) -> Planned {
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
) -> Planned {
    plan_call(tool, Some(manifest), contract, arguments, facts, limits)
}

fn plan_call(
    tool: &ToolDescriptor<'_>,
    manifest: Option<&Document<'_>>,
    contract: &Contract,
    arguments: &str,
    facts: &HostFacts<'_>,
    limits: &Limits,
) -> Planned {
    match build_plan(tool, manifest, contract, arguments, facts, limits) {
        Ok(plan) => plan.decide(facts.policy.judge(tool, &contract.host_rules)),
        Err(refused) => Planned::Refused(refused),
    }
}

/// Returns the plan of a call that nobody has decided about.
fn build_plan(
    tool: &ToolDescriptor<'_>,
    manifest: Option<&Document<'_>>,
    contract: &Contract,
    arguments: &str,
    facts: &HostFacts<'_>,
    limits: &Limits,
) -> Result<Plan, Refused> {
    let arguments = match checked(tool, contract, arguments, limits) {
        Ok(arguments) => arguments,
        Err(errors) => return Err(Refused::wrong_arguments(&tool.id, to_report(errors, limits))),
    };
    let document = match Document::parse(arguments.as_str().as_bytes(), limits) {
        Ok(document) => document,
        Err(error) => return Err(Refused::wrong_arguments(&tool.id, error.into())),
    };
    let Some(call) = choose_call(tool, facts) else {
        let message = format!("no call of {} could be read from its manifest", quoted(&tool.id));
        let error = rules::NO_CALL.at_pointer(Pointer::root(), message);
        return Err(Refused::no_call(&tool.id, error.into()));
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
        _ => return Err(refuse(tool, builder.errors, limits)),
    };
    let then = outcome_use(tool, contract, call.invocation, &arguments);
    let plan = Plan::from_step(tool, &contract.host_rules, step, then, facts.has_value);
    let mut missing = missing_installation(tool, facts);
    missing.extend(plan.missing);
    let warnings = builder.warnings.into_iter().take(limits.diagnostics);
    Ok(Plan {
        missing,
        timeout_ms: effective_timeout_ms(call.timeout_ms, contract),
        warnings: warnings.map(Warning::from).collect(),
        ..plan
    })
}

/// Returns the refusal of a call whose step cannot be built. The arguments are to blame if
/// all errors are about them.
fn refuse(tool: &ToolDescriptor<'_>, errors: Vec<Diagnostic>, limits: &Limits) -> Refused {
    let about_arguments = errors.iter().all(|error| ARGUMENT_RULES.contains(&error.rule));
    let report = to_report(errors, limits);
    if about_arguments {
        Refused::wrong_arguments(&tool.id, report)
    } else {
        Refused::no_call(&tool.id, report)
    }
}

/// Returns how to treat the outcome of a call.
fn outcome_use(
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    invocation: &Invocation<'_>,
    arguments: &Arguments,
) -> OutcomeUse {
    let judge = Judge::for_tool(tool, contract);
    match invocation {
        Invocation::RegistryTool(registry) => OutcomeUse::Registry {
            server: registry.server.as_ref().map(|text| text.to_string()),
            tool: registry.tool.to_string(),
            arguments: arguments.as_str().to_owned(),
            reach: allow_list::declared_destinations(tool),
            judge,
        },
        _ => OutcomeUse::Judge(judge),
    }
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

/// Returns the installation of the program, if it is missing.
fn missing_installation(tool: &ToolDescriptor<'_>, facts: &HostFacts<'_>) -> Vec<Missing> {
    if !facts.installed
        && let Some(how) = &tool.package.acquisition
        && let Some(how) = how.summary()
    {
        return vec![Missing::Installation(how)];
    }
    Vec::new()
}
