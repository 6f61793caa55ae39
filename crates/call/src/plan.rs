//! From a tool and its arguments to what a host is to do.

use std::collections::{BTreeMap, BTreeSet};

use diagnostic::{Diagnostic, Pointer, Report, quoted};
use json_text::Document;
use manifest_core::descriptor::{EnvVar, Invocation};
use manifest_core::format::{Calling, Contract};
use manifest_core::{Limits, ToolDescriptor};
use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::judge::{Failure, Judge};
use crate::making::Making;
use crate::outcome::{Answer, Outcome};
use crate::policy::{Policy, Verdict};
use crate::step::Step;
use crate::{reach, registry, rules};

/// What a host knows before a call.
#[derive(Clone, Copy)]
pub struct Facts<'f> {
    /// Whether a variable has a value.
    pub has: &'f dyn Fn(&str) -> bool,
    /// Which implementation fits this host, of a tool that has several.
    pub implementation: Option<usize>,
    /// Whether the program of the tool is known to be there.
    pub installed: bool,
    /// What the person has granted.
    pub policy: &'f Policy,
}

impl std::fmt::Debug for Facts<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Facts")
            .field("implementation", &self.implementation)
            .field("installed", &self.installed)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}

/// What to do for one call. It holds no value of a variable.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The id of the tool.
    pub tool: String,
    /// What to run or send.
    pub step: Step,
    /// What to do with what comes of it.
    pub then: Then,
    /// How long it may take, in milliseconds, if anything says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    /// The variables that the step needs, for whoever collects their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<Variable>,
    /// What must be there before the step is done.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<Missing>,
    /// What a careful host looks at before it goes on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<Warning>,
}

/// What follows a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Then {
    /// Its outcome is the answer, judged so.
    Judge(Judge),
    /// Its outcome is a registry, which tells where the call itself goes.
    Registry {
        /// The name of the server there, if it is said.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        server: Option<String>,
        /// The name of the tool.
        tool: String,
        /// The arguments: a JSON object.
        arguments: String,
        /// What the manifest lets the call reach, in the words of an allow-list; anything, if it
        /// does not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reach: Option<Vec<String>>,
        /// How the answer is judged.
        judge: Judge,
    },
}

/// A variable that a call needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Whether its value is never to be shown.
    pub secret: bool,
    /// Whether the call cannot be made without it.
    pub required: bool,
    /// What to ask for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt: Option<String>,
    /// ECMAScript pattern of the value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The value where nobody gives one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
    /// Where to get a value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub obtain_url: Option<String>,
    /// Where the value is kept: `vault://kv/github#token`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
}

/// What a call still lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// The value of a variable.
    Value(String),
    /// Leave of a person, or a grant.
    Approval(Verdict),
    /// The program has to be installed first, in this way.
    Installation(String),
}

/// Something to look at before going on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Warning {
    /// The code of the rule.
    pub rule: String,
    /// Where in the arguments.
    pub at: Pointer,
    /// What about it.
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

/// What comes after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// The call is over.
    Done(Result<Answer, Failure>),
    /// Another step.
    Go(Box<Plan>),
}

/// Plans a call of a tool with these arguments, which are JSON. Gives every reason why that
/// cannot be done.
///
/// The contract is that of the tool's format ([`Format::contract`](manifest_core::Format)).
pub fn plan(
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    arguments: &str,
    facts: &Facts<'_>,
    limits: &Limits,
) -> Result<Plan, Report> {
    planned(tool, None, contract, arguments, facts, limits)
}

/// [Plans](plan()) a call of a tool of this manifest: what is wrong with the manifest is said
/// where it stands there.
pub fn plan_of(
    manifest: &Document<'_>,
    tool: &ToolDescriptor<'_>,
    contract: &Contract,
    arguments: &str,
    facts: &Facts<'_>,
    limits: &Limits,
) -> Result<Plan, Report> {
    planned(tool, Some(manifest), contract, arguments, facts, limits)
}

fn planned(
    tool: &ToolDescriptor<'_>,
    manifest: Option<&Document<'_>>,
    contract: &Contract,
    arguments: &str,
    facts: &Facts<'_>,
    limits: &Limits,
) -> Result<Plan, Report> {
    let arguments =
        checked(tool, contract, arguments, limits).map_err(|errors| all(errors, limits))?;
    let document = Document::parse(arguments.as_str().as_bytes(), limits).map_err(Report::from)?;
    let call = chosen(tool, facts).ok_or_else(|| {
        let message = format!("no call of {} could be read from its manifest", quoted(&tool.id));
        Report::from(rules::NO_CALL.at_pointer(Pointer::root(), message))
    })?;
    let (wrong, warnings) = (Vec::new(), Vec::new());
    let (arguments_of, has) = (&document, facts.has);
    let mut making =
        Making { tool, contract, arguments: arguments_of, limits, has, manifest, wrong, warnings };
    let step = making.step(call.invocation);
    let Some(step) = step.filter(|_| making.wrong.is_empty()) else {
        return Err(all(making.wrong, limits));
    };
    let judge = Judge::of(tool, contract);
    let then = match call.invocation {
        Invocation::RegistryTool(registry) => Then::Registry {
            server: registry.server.as_ref().map(|text| text.to_string()),
            tool: registry.tool.to_string(),
            arguments: arguments.as_str().to_owned(),
            reach: reach::granted(tool),
            judge,
        },
        _ => Then::Judge(judge),
    };
    let plan = Plan::of_step(tool, &contract.calling, step, then, facts.has);
    let warnings = making.warnings.into_iter().take(limits.diagnostics);
    Ok(Plan {
        missing: [before(tool, &contract.calling, facts), plan.missing].concat(),
        timeout_ms: timeout(call.timeout_ms, contract),
        warnings: warnings.map(Warning::from).collect(),
        ..plan
    })
}

/// The tool of that id or name.
///
/// ```
/// use manifest_core::ToolDescriptor;
///
/// let tools = [ToolDescriptor { id: "notes.find".into(), ..ToolDescriptor::default() }];
/// assert!(call::find(&tools, "notes.find").is_ok());
/// let unknown = call::find(&tools, "notes.fnd").unwrap_err();
/// assert_eq!(unknown.help.as_deref(), Some("did you mean \"notes.find\"?"));
/// ```
pub fn find<'t, 'a>(
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
                None => refused.help(there_are(tools)),
            })
        }
    }
}

/// The ids of tools: the first few of many.
fn there_are(tools: &[ToolDescriptor<'_>]) -> String {
    const SHOWN: usize = 8;
    let ids: Vec<String> = tools.iter().take(SHOWN).map(|tool| quoted(&tool.id)).collect();
    let more = match tools.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("there are {}{more}", ids.join(", "))
}

impl Plan {
    /// A plan around a step that is there already: that of a check, an installation, a
    /// revocation. It has the variables that the step needs, and says which values are missing.
    pub fn of_step(
        tool: &ToolDescriptor<'_>,
        calling: &Calling,
        step: Step,
        then: Then,
        has: &dyn Fn(&str) -> bool,
    ) -> Self {
        let variables = variables(tool, calling, &step);
        let lacking = variables.iter().filter(|variable| {
            variable.required && variable.default.is_none() && !has(&variable.name)
        });
        Self {
            tool: tool.id.to_string(),
            missing: lacking.map(|variable| Missing::Value(variable.name.clone())).collect(),
            timeout_ms: None,
            warnings: Vec::new(),
            step,
            then,
            variables,
        }
    }

    /// What comes after its step.
    pub fn next(&self, outcome: &Outcome, limits: &Limits) -> Next {
        match &self.then {
            Then::Judge(judge) => Next::Done(judge.judge(outcome, limits)),
            Then::Registry { server, tool, arguments, reach, judge } => {
                let json = Judge { schema: None, format: None, ..judge.clone() };
                let found = json.judge(outcome, limits).and_then(|answer| {
                    let url = registry::url(&answer, server.as_deref(), tool, limits)?;
                    registry::request(url, arguments, reach.as_deref())
                });
                match found {
                    Err(failure) => Next::Done(Err(failure)),
                    Ok(request) => Next::Go(Box::new(Self {
                        step: Step::Send(request),
                        then: Then::Judge(judge.clone()),
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
    Arguments::checked(tool, contract, text, limits)
}

#[cfg(not(feature = "schema"))]
fn checked(
    _: &ToolDescriptor<'_>,
    _: &Contract,
    text: &str,
    limits: &Limits,
) -> Result<Arguments, Vec<Diagnostic>> {
    Arguments::unchecked(text, limits).map_err(|error| vec![error])
}

fn all(errors: Vec<Diagnostic>, limits: &Limits) -> Report {
    let mut report = Report::new(diagnostic::Profile::Spec, limits.diagnostics.max(1));
    for error in errors {
        report.push(error);
    }
    report
}

/// The call to make, and how long it may take.
struct Chosen<'t, 'a> {
    invocation: &'t Invocation<'a>,
    timeout_ms: Option<f64>,
}

/// The tool's own call, or that of the implementation that fits the host.
fn chosen<'t, 'a>(tool: &'t ToolDescriptor<'a>, facts: &Facts<'_>) -> Option<Chosen<'t, 'a>> {
    let own = tool.timeout_ms.as_ref().and_then(|number| number.to_f64());
    match (tool.invocation.as_deref(), facts.implementation) {
        (Some(invocation), None) => Some(Chosen { invocation, timeout_ms: own }),
        (call, index) => {
            let implementation = match index {
                Some(index) => tool.implementations.get(index),
                None => tool.implementations.iter().find(|one| one.invocation.is_some()),
            };
            let time = implementation.and_then(|one| one.timeout_ms.as_ref());
            let invocation = implementation.and_then(|one| one.invocation.as_deref()).or(call)?;
            Some(Chosen { invocation, timeout_ms: time.and_then(|time| time.to_f64()).or(own) })
        }
    }
}

/// What is said, else what is usual for the host; never more than it grants.
fn timeout(said: Option<f64>, contract: &Contract) -> Option<u64> {
    let calling = &contract.calling;
    let said = said.filter(|said| *said > 0.0 && contract.keeps_timeout);
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // it saturates
    let wanted = said.map(|said| said.ceil() as u64).or(calling.usual_ms.map(u64::from));
    match calling.most_ms.map(u64::from) {
        Some(most) => Some(wanted.map_or(most, |wanted| wanted.min(most))),
        None => wanted,
    }
}

/// The variables that a step needs, as the tool declares them.
fn variables(tool: &ToolDescriptor<'_>, calling: &Calling, step: &Step) -> Vec<Variable> {
    let text = |text: &Option<manifest_core::Sourced<json_text::Text<'_>>>| {
        text.as_ref().map(|text| text.to_string())
    };
    let declared: BTreeMap<&str, &EnvVar<'_>> =
        tool.package.env.iter().map(|variable| (variable.name.as_ref(), variable)).collect();
    let in_text: BTreeSet<&str> = step.holes().into_iter().collect();
    let needed = |name: &str| {
        let found = declared.get(name)?;
        Some(Variable {
            name: name.to_owned(),
            secret: found.is_secret(),
            // A text with a hole in it is another text.
            required: calling.needs(found) || in_text.contains(name),
            prompt: text(&found.prompt),
            pattern: text(&found.pattern),
            default: text(&found.default),
            obtain_url: text(&found.obtain_url),
            reference: text(&found.reference),
        })
    };
    step.variables().into_iter().filter_map(needed).collect()
}

/// What must be there before anything is asked for: leave, and the program.
fn before(tool: &ToolDescriptor<'_>, calling: &Calling, facts: &Facts<'_>) -> Vec<Missing> {
    let mut missing = Vec::new();
    match facts.policy.judge(tool, calling) {
        Verdict::Allow => {}
        verdict => missing.push(Missing::Approval(verdict)),
    }
    if let Some(how) = tool.package.acquisition.as_deref().filter(|_| !facts.installed)
        && let Some(how) = how.in_words()
    {
        missing.push(Missing::Installation(how));
    }
    missing
}
