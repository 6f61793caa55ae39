//! Plans: the step of a call, and how to treat its outcome.

use std::fmt;

use diagnostic::{Diagnostic, Pointer, quoted};
use manifest_core::format::HostRules;
use manifest_core::{Limits, ToolDescriptor};
use serde::{Deserialize, Serialize};

use crate::judge::{Failure, Judge};
use crate::outcome::{Answer, Outcome};
use crate::registry;
use crate::step::Step;
use crate::variable::Variable;

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
    /// What the host must provide before the step can be carried out.
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

/// Something that the host must provide before a call can be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Missing {
    /// The value of a variable.
    Value(String),
    /// The program, which has to be installed in this way.
    Installation(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value(name) => write!(f, "{} has no value", quoted(name)),
            Self::Installation(how) => write!(f, "install it first: {how}"),
        }
    }
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
