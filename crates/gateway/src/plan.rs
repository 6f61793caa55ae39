//! Planning a call, with what this machine knows.

use std::collections::BTreeSet;
use std::path::Path;

use host::{FileError, Origin, Values};
use toolglot::call::{Facts, Grant, Missing, Plan, Policy, Variable, plan};
use toolglot::descriptor::SideEffects;
use toolglot::{Format, Limits, Report, ToolDescriptor};

use crate::scripts::settle;

/// Plans a call of a tool of a format. What is there already need not be installed.
pub fn planned(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
    arguments: &str,
    policy: &Policy,
    has: &dyn Fn(&str) -> bool,
) -> Result<Plan, Report> {
    let facts = Facts { has, implementation: None, installed: false, policy };
    let contract = (format.contract)(tool);
    let mut made = plan(tool, &contract, arguments, &facts, &Limits::default())?;
    settle(&mut made.step, tool, origin);
    if host::is_there(&made.step, origin).is_ok() {
        made.missing.retain(|missing| !matches!(missing, Missing::Installation(_)));
    }
    Ok(made)
}

/// The values that are there without asking anybody: those of a file win over the environment.
pub fn given(tool: &ToolDescriptor<'_>, file: Option<&Path>) -> Result<Values, FileError> {
    let declared: Vec<Variable> = tool
        .package
        .env
        .iter()
        .map(|variable| Variable {
            name: variable.name.to_string(),
            secret: variable.is_secret(),
            required: false,
            prompt: None,
            pattern: None,
            default: None,
            obtain_url: None,
        })
        .collect();
    let mut values = Values::from_environment(&declared);
    if let Some(file) = file {
        values.extend(Values::from_file(file, &declared)?);
    }
    Ok(values)
}

/// What is granted to tools that are served, beside this: naming a file or a folder is the consent
/// to what its manifests do not say. What is unknown may change things, too, so who says so is not
/// asked more.
pub(crate) fn serving(mut grants: BTreeSet<Grant>) -> Policy {
    grants.insert(Grant::Unknown);
    Policy { grants, effects: Some(SideEffects::Write), ..Policy::default() }
}
