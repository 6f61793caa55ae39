//! Finds the tool of a call, and plans the call.

use std::borrow::Cow;

use call::{HostFacts, Planned, Refused};
use manifest_core::{Diagnostic, Pointer, Profile, Report, did_you_mean, quoted};
use providers::Refusal;

use super::{FoundTool, Offer, ToolArguments, Toolbox};

/// The number of names in the message about an unknown tool.
const MAX_NAMES: usize = 8;

impl Toolbox {
    /// Finds a tool by the name that the provider calls it by, or else by its id or its name
    /// in its manifest, if that is unique.
    pub fn find(&self, name: &str) -> Result<FoundTool<'_>, Diagnostic> {
        if let Some(found) = self.offers.find(name) {
            return Ok(found);
        }
        let mut found = Vec::new();
        for file in &self.files {
            if let Ok(tool) = call::find_tool(file.tools(), name) {
                found.push((&*file.manifest, tool));
            }
        }
        match *found.as_slice() {
            [] => Err(self.unknown_tool(name)),
            [(manifest, tool)] => {
                Ok(FoundTool { manifest, tool, offer: self.offers.offer_of(tool) })
            }
            _ => {
                let message = format!("several documents have a tool named {}", quoted(name));
                Err(call::rules::UNKNOWN_TOOL.at_pointer(Pointer::root(), message))
            }
        }
    }

    fn unknown_tool(&self, name: &str) -> Diagnostic {
        for problem in self.problems() {
            if problem.tool.as_deref() == Some(name) {
                let message = format!("the tool cannot be called: {}", problem.reason);
                return call::rules::NO_CALL.at_pointer(Pointer::root(), message);
            }
        }
        let mut names: Vec<&str> = self.offers.iter().map(Offer::name).collect();
        if names.is_empty() {
            names = self.tools().map(|(_, tool)| tool.id.as_ref() as &str).collect();
        }
        let message = if let Some(guess) = did_you_mean(name, names.iter().copied()) {
            format!("no tool named {}; did you mean {}?", quoted(name), quoted(guess))
        } else {
            let shown: Vec<String> =
                names.iter().take(MAX_NAMES).map(|name| quoted(name)).collect();
            let more = if names.len() > MAX_NAMES { " and others" } else { "" };
            let shown = if shown.is_empty() { "none".to_owned() } else { shown.join(", ") };
            format!("no tool named {}; available: {shown}{more}", quoted(name))
        };
        call::rules::UNKNOWN_TOOL.at_pointer(Pointer::root(), message)
    }

    /// Plans a call that a model asks for: decodes the arguments as the offer of the tool
    /// promises, checks them, and asks the policy. If offers were made, a tool that is not
    /// among them is refused.
    ///
    /// The plan is carried out step by step: [`Plan::next`](call::Plan::next) judges the
    /// outcome of each. [`FoundTool::encode`] then writes the answer for the model.
    pub fn plan(&self, name: &str, arguments: impl ToolArguments) -> Planned {
        self.plan_with(name, arguments, &HostFacts::new(&self.policy))
    }

    /// Plans a call like [`plan`](Self::plan), with facts about the host, and under their
    /// policy.
    pub fn plan_with(
        &self,
        name: &str,
        arguments: impl ToolArguments,
        facts: &HostFacts<'_>,
    ) -> Planned {
        let FoundTool { manifest, tool, offer } = match self.find(name) {
            Ok(found) => found,
            Err(unknown) => return Planned::Refused(Refused::no_call(name, unknown.into())),
        };
        let mut arguments = match arguments.to_json() {
            Ok(arguments) => arguments,
            Err(error) => {
                let message = format!("the arguments cannot be written as JSON: {error}");
                let error = call::rules::ARGUMENTS.at_pointer(Pointer::root(), message);
                return Planned::Refused(Refused::wrong_arguments(&tool.id, error.into()));
            }
        };
        match offer {
            Some(offer) => match offer.decode(&arguments) {
                Ok(decoded) => arguments = Cow::Owned(decoded),
                Err(refusal) => {
                    let report = self.report(refusal);
                    return Planned::Refused(Refused::wrong_arguments(&tool.id, report));
                }
            },
            None if self.has_offers() => {
                let unknown = self.unknown_tool(&tool.id);
                return Planned::Refused(Refused::no_call(&tool.id, unknown.into()));
            }
            None => {}
        }
        let contract = (manifest.format().contract)(tool);
        call::plan(tool, &contract, &arguments, facts, &self.limits)
    }

    /// Returns the faults of arguments as a report.
    fn report(&self, refusal: Refusal) -> Report {
        let mut report = Report::new(Profile::Spec, self.limits.diagnostics.max(1));
        for fault in refusal.faults {
            report.push(refusal.rule.at_pointer(fault.pointer, fault.message));
        }
        report
    }

    fn has_offers(&self) -> bool {
        self.offers.options().is_some()
    }
}
