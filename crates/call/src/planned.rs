//! Decisions about planned calls: ready, ask a person, or refused.
//!
//! Only a [`Plan`] has a step to carry out. A call that a person must approve has one after
//! [`Ask::approve`], and a refused call never has one. Both can be shown.

use std::fmt;

use diagnostic::{Report, printable, quoted};
use serde::{Serialize, Serializer};

use crate::plan::{Missing, OutcomeUse, Plan, Warning};
use crate::policy::{Concern, Verdict, join_concerns};
use crate::step::Step;
use crate::variable::Variable;

/// The input in a question is cut to this many bytes.
const MAX_INPUT_BYTES: usize = 600;

/// A reference to a stored value is cut to this many bytes.
const MAX_REFERENCE_BYTES: usize = 400;

/// The pointer of an error is cut to this many bytes.
const MAX_POINTER_BYTES: usize = 512;

/// The decision about a call.
///
/// It can be shown as JSON, with the step also of a call that is not ready. Then `missing`
/// begins with the approval, and the value is no valid [`Plan`].
#[must_use]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Planned {
    /// The call may be made.
    Ready(Plan),
    /// The call may be made if a person agrees.
    Ask(Ask),
    /// The call must not be made.
    Refused(Refused),
}

impl Planned {
    /// Returns the plan if nobody must be asked. A call that a person must approve is
    /// refused, because nobody can be asked.
    pub fn ready(self) -> Result<Plan, Refused> {
        match self {
            Self::Ready(plan) => Ok(plan),
            Self::Ask(ask) => Err(ask.into_refused(RefusalReason::NotAsked)),
            Self::Refused(refused) => Err(refused),
        }
    }

    /// Returns what the host must provide before the call can be made, besides an approval.
    pub fn missing(&self) -> &[Missing] {
        match self.plan() {
            Some(plan) => &plan.missing,
            None => &[],
        }
    }

    /// Returns the warnings that a careful host looks at before it continues.
    pub fn warnings(&self) -> &[Warning] {
        match self.plan() {
            Some(plan) => &plan.warnings,
            None => &[],
        }
    }

    /// Lets a host fit the step and what is missing to its machine, whatever the decision
    /// is: check which files the step names, replace their paths, and remove what it has.
    /// Does nothing if there is no step, because the arguments or the manifest are wrong.
    pub fn adapt(&mut self, adapt: impl FnOnce(&mut Step, &mut Vec<Missing>)) {
        let plan = match self {
            Self::Ready(plan) => Some(plan),
            Self::Ask(ask) => Some(&mut ask.plan),
            Self::Refused(refused) => refused.plan.as_deref_mut(),
        };
        if let Some(plan) = plan {
            adapt(&mut plan.step, &mut plan.missing);
        }
    }

    fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Ready(plan) => Some(plan),
            Self::Ask(ask) => Some(&ask.plan),
            Self::Refused(refused) => refused.plan.as_deref(),
        }
    }
}

impl Plan {
    /// Returns the decision about this plan that follows from a verdict.
    ///
    /// Calls are planned with [`plan`](crate::plan()), which decides. This is for steps that
    /// are made by other means, such as the first call of a chain.
    pub fn decide(self, verdict: Verdict) -> Planned {
        match verdict {
            Verdict::Allow => Planned::Ready(self),
            Verdict::Ask(concerns) => Planned::Ask(Ask { plan: self, concerns }),
            Verdict::Refuse(concerns) => Planned::Refused(Refused {
                tool: self.tool.clone(),
                reason: RefusalReason::Policy(concerns),
                plan: Some(Box::new(self)),
            }),
        }
    }
}

/// A call that a person must approve.
///
/// ```compile_fail
/// fn step(ask: toolglot_call::Ask) -> toolglot_call::Step {
///     ask.plan.step
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ask {
    plan: Plan,
    concerns: Vec<Concern>,
}

impl Ask {
    /// Returns the question for a person: what the call does, what it is given, and why
    /// they are asked. Safe to print.
    pub fn question(&self) -> String {
        let mut lines = vec![format!("Call {}? It {}.", quoted(&self.plan.tool), self.action())];
        if let Some(input) = self.plan.step.input() {
            lines.push(format!("Input: {}", printable(&input, MAX_INPUT_BYTES)));
        }
        for variable in &self.plan.variables {
            if let Some(reference) = &variable.reference {
                let place = printable(reference, MAX_REFERENCE_BYTES);
                lines.push(format!("{} is kept at {place}.", quoted(&variable.name)));
            }
        }
        lines.push(format!("You are asked because {}.", join_concerns(&self.concerns)));
        lines.join("\n")
    }

    /// Returns the reasons to ask, most serious first.
    pub fn concerns(&self) -> &[Concern] {
        &self.concerns
    }

    /// Returns what the call does: one printable line that begins with a verb.
    pub fn action(&self) -> String {
        self.plan.step.to_string()
    }

    /// Returns the variables that the call needs.
    pub fn variables(&self) -> &[Variable] {
        &self.plan.variables
    }

    /// Returns the plan, because a person approved the call.
    pub fn approve(self) -> Plan {
        self.plan
    }

    /// Returns the refusal, because a person declined.
    pub fn declined(self) -> Refused {
        self.into_refused(RefusalReason::Declined)
    }

    fn into_refused(self, reason: fn(Vec<Concern>) -> RefusalReason) -> Refused {
        Refused {
            tool: self.plan.tool.clone(),
            reason: reason(self.concerns),
            plan: Some(Box::new(self.plan)),
        }
    }
}

/// A call that must not be made, and the reason.
///
/// Its `Display` form is one line for a person. [`Refused::for_model`] is for a model.
///
/// ```compile_fail
/// fn step(refused: toolglot_call::Refused) -> toolglot_call::Step {
///     refused.step
/// }
/// ```
///
/// ```compile_fail
/// fn plan(refused: toolglot_call::Refused) -> toolglot_call::Plan {
///     *refused.plan.unwrap()
/// }
/// ```
///
/// ```compile_fail
/// fn plan(refused: toolglot_call::Refused) -> toolglot_call::Plan {
///     refused.approve()
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The id of the tool.
    tool: String,
    reason: RefusalReason,
    /// What would have been done, to show it.
    plan: Option<Box<Plan>>,
}

/// The reason for a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RefusalReason {
    /// The arguments are wrong. Others may be right.
    Arguments(Report),
    /// The manifest declares no call that can be made.
    Manifest(Report),
    /// The policy refuses the call.
    Policy(Vec<Concern>),
    /// A person was asked, and declined.
    Declined(Vec<Concern>),
    /// A person must be asked, and nobody could be.
    NotAsked(Vec<Concern>),
}

impl Refused {
    /// Creates the refusal of a call with wrong arguments.
    pub fn wrong_arguments(tool: &str, report: Report) -> Self {
        Self { tool: tool.to_owned(), reason: RefusalReason::Arguments(report), plan: None }
    }

    /// Creates the refusal of a call that its manifest does not properly declare.
    pub fn no_call(tool: &str, report: Report) -> Self {
        Self { tool: tool.to_owned(), reason: RefusalReason::Manifest(report), plan: None }
    }

    /// Returns the reason.
    pub const fn reason(&self) -> &RefusalReason {
        &self.reason
    }

    /// Returns the concerns about the call, most serious first. There are none if the
    /// arguments or the manifest are wrong.
    pub fn concerns(&self) -> &[Concern] {
        match &self.reason {
            RefusalReason::Arguments(_) | RefusalReason::Manifest(_) => &[],
            RefusalReason::Policy(concerns)
            | RefusalReason::Declined(concerns)
            | RefusalReason::NotAsked(concerns) => concerns,
        }
    }

    /// Returns the errors, if the arguments or the manifest are wrong.
    pub const fn report(&self) -> Option<&Report> {
        match &self.reason {
            RefusalReason::Arguments(report) | RefusalReason::Manifest(report) => Some(report),
            RefusalReason::Policy(_) | RefusalReason::Declined(_) | RefusalReason::NotAsked(_) => {
                None
            }
        }
    }

    /// Returns the message for a model. It has all errors of the arguments, so that the
    /// model can correct them.
    pub fn for_model(&self) -> String {
        match &self.reason {
            RefusalReason::Arguments(report) => explain_arguments(report),
            RefusalReason::Manifest(report) => format!(
                "The call of {} cannot be made, whatever its arguments are:\n{}",
                quoted(&self.tool),
                list_errors(report).trim_end(),
            ),
            RefusalReason::Policy(concerns) if concerns.iter().any(|one| one.is_final()) => {
                format!("{self}. No grant helps.")
            }
            RefusalReason::Policy(_) => format!("{self}. Whoever runs this host can grant that."),
            RefusalReason::Declined(_) => format!("{self}."),
            RefusalReason::NotAsked(_) => format!("{self}. Nobody could be asked."),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let id = quoted(&self.tool);
        match &self.reason {
            RefusalReason::Arguments(report) | RefusalReason::Manifest(report) => report.fmt(f),
            RefusalReason::Policy(concerns) => {
                write!(f, "{id} is not called: {}", join_concerns(concerns))
            }
            RefusalReason::Declined(_) => {
                write!(f, "{id} is not called: the person did not approve this call")
            }
            RefusalReason::NotAsked(concerns) => {
                let why = join_concerns(concerns);
                write!(f, "{id} is not called: it needs approval, because {why}")
            }
        }
    }
}

impl std::error::Error for Refused {}

/// Lists all errors of arguments for a model, so that it can correct its call.
pub fn explain_arguments(report: &Report) -> String {
    format!(
        "The call cannot be made with these arguments:\n{}Correct this and call the tool again.",
        list_errors(report)
    )
}

/// Lists the errors of a report, one on each line.
fn list_errors(report: &Report) -> String {
    let mut text = String::new();
    for error in report.errors() {
        text += "- ";
        if !error.pointer.is_root() {
            text.extend(["at ", &*printable(error.pointer.as_str(), MAX_POINTER_BYTES), ": "]);
        }
        text += &error.message;
        text += "\n";
    }
    text
}

impl Serialize for Ask {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        ShownPlan::new(&self.plan, Approval::Ask(&self.concerns)).serialize(serializer)
    }
}

impl Serialize for Refused {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let approval = match &self.reason {
            RefusalReason::Arguments(report) | RefusalReason::Manifest(report) => {
                return ShownErrors { tool: &self.tool, report }.serialize(serializer);
            }
            RefusalReason::Policy(concerns) => Approval::Refuse(concerns),
            RefusalReason::Declined(concerns) | RefusalReason::NotAsked(concerns) => {
                Approval::Ask(concerns)
            }
        };
        match &self.plan {
            Some(plan) => ShownPlan::new(plan, approval).serialize(serializer),
            None => approval.serialize(serializer),
        }
    }
}

/// The JSON form of a refused call without a step.
#[derive(Serialize)]
struct ShownErrors<'r> {
    tool: &'r str,
    report: &'r Report,
}

/// The JSON form of a plan that lacks an approval. It has the members of [`Plan`].
#[derive(Serialize)]
struct ShownPlan<'p> {
    tool: &'p str,
    step: &'p Step,
    then: &'p OutcomeUse,
    #[serde(skip_serializing_if = "Option::is_none")]
    timeout_ms: Option<u64>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    variables: &'p [Variable],
    missing: Vec<ShownMissing<'p>>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    warnings: &'p [Warning],
}

/// The JSON form of something that a call lacks.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum ShownMissing<'p> {
    Approval(Approval<'p>),
    #[serde(untagged)]
    Other(&'p Missing),
}

/// The JSON form of the decision about a call that is not ready, as in [`Verdict`].
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Approval<'p> {
    Ask(&'p [Concern]),
    Refuse(&'p [Concern]),
}

impl<'p> ShownPlan<'p> {
    fn new(plan: &'p Plan, approval: Approval<'p>) -> Self {
        let Plan { tool, step, then, timeout_ms, variables, missing, warnings } = plan;
        let mut lacks = vec![ShownMissing::Approval(approval)];
        lacks.extend(missing.iter().map(ShownMissing::Other));
        Self { tool, step, then, timeout_ms: *timeout_ms, variables, missing: lacks, warnings }
    }
}
