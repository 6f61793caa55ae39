//! From a tool and its arguments to what a host is to do.

use diagnostic::{Diagnostic, Pointer, Report, quoted};
use json_text::{Document, Raw};
use manifest_core::descriptor::{ErrorEnvelope, Invocation};
use manifest_core::format::Contract;
use manifest_core::{Limits, ToolDescriptor};
use serde::{Deserialize, Serialize};

use crate::arguments::Arguments;
use crate::judge::{Failure, Judge};
use crate::making::Making;
use crate::outcome::{Answer, Outcome};
use crate::policy::{Policy, Verdict};
use crate::registry;
use crate::rules;
use crate::step::Step;

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
        /// How the answer is judged.
        judge: Judge,
    },
}

/// A variable that a call needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
}

/// What a call still lacks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    let arguments =
        checked(tool, contract, arguments, limits).map_err(|errors| all(errors, limits))?;
    let document = Document::parse(arguments.as_str().as_bytes(), limits).map_err(Report::from)?;
    let call = chosen(tool, facts).ok_or_else(|| {
        let message = format!("{} does not say how it is called", quoted(&tool.id));
        Report::from(rules::NO_CALL.at_pointer(Pointer::root(), message))
    })?;
    let mut making = Making::new(tool, contract, &document, limits, facts.has);
    let step = making.step(call.invocation);
    let Some(step) = step.filter(|_| making.errors.is_empty()) else {
        return Err(all(making.errors, limits));
    };
    let judge = judge(tool, contract);
    let then = match call.invocation {
        Invocation::RegistryTool(registry) => Then::Registry {
            server: registry.server.as_ref().map(|text| text.to_string()),
            tool: registry.tool.to_string(),
            arguments: arguments.as_str().to_owned(),
            judge,
        },
        _ => Then::Judge(judge),
    };
    let variables = variables(tool, &step);
    Ok(Plan {
        tool: tool.id.to_string(),
        missing: missing(tool, &variables, facts),
        timeout_ms: timeout(call.timeout_ms, contract),
        warnings: making.warnings.into_iter().map(Warning::from).collect(),
        step,
        then,
        variables,
    })
}

impl Plan {
    /// What comes after its step.
    pub fn next(&self, outcome: &Outcome, limits: &Limits) -> Next {
        match &self.then {
            Then::Judge(judge) => Next::Done(judge.judge(outcome, limits)),
            Then::Registry { server, tool, arguments, judge } => {
                let json = Judge { schema: None, format: None, ..judge.clone() };
                let found = json.judge(outcome, limits).and_then(|answer| {
                    registry::request(&answer, server.as_deref(), tool, arguments, limits)
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

fn judge(tool: &ToolDescriptor<'_>, contract: &Contract) -> Judge {
    let is_json = tool.output_is_no_json().is_none();
    let schema = tool.output_schema.as_ref().filter(|_| is_json);
    Judge {
        reading: contract.calling.reading,
        format: tool.output_format.as_deref().copied(),
        envelope: tool.error_envelope.as_deref() == Some(&ErrorEnvelope::Standard),
        idempotent: tool.idempotent.as_deref() == Some(&true),
        schema: schema.map(|schema| Raw::clone(schema).into_owned()),
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
fn variables(tool: &ToolDescriptor<'_>, step: &Step) -> Vec<Variable> {
    let text = |text: &Option<manifest_core::Sourced<json_text::Text<'_>>>| {
        text.as_ref().map(|text| text.to_string())
    };
    let in_text = step.holes();
    let declared = |name: &str| {
        let found = tool.package.env.iter().find(|variable| *variable.name == name)?;
        Some(Variable {
            name: name.to_owned(),
            secret: found.is_secret(),
            // A text with a hole in it is another text.
            required: found.required.as_deref() == Some(&true) || in_text.contains(&name),
            prompt: text(&found.prompt),
            pattern: text(&found.pattern),
            default: text(&found.default),
            obtain_url: text(&found.obtain_url),
        })
    };
    step.variables().into_iter().filter_map(declared).collect()
}

fn missing(tool: &ToolDescriptor<'_>, variables: &[Variable], facts: &Facts<'_>) -> Vec<Missing> {
    let mut missing = Vec::new();
    match facts.policy.judge(tool) {
        Verdict::Allow => {}
        verdict => missing.push(Missing::Approval(verdict)),
    }
    if let Some(how) = tool.package.acquisition.as_deref().filter(|_| !facts.installed)
        && let Some(how) = how.in_words()
    {
        missing.push(Missing::Installation(how));
    }
    let lacking = variables.iter().filter(|variable| {
        variable.required && variable.default.is_none() && !(facts.has)(&variable.name)
    });
    missing.extend(lacking.map(|variable| Missing::Value(variable.name.clone())));
    missing
}
