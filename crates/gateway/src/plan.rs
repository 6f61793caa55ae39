//! Planning of calls, with facts about this machine.

use std::collections::BTreeSet;
use std::path::Path;

use disk::store::{Prefix, Store};
use host::{FileError, Origin, Resolvers, Values};
use toolglot::call::{
    Grant, HostFacts, Judge, Missing, NestedCall, OutcomeUse, Plan, Planned, Policy, Refused, Step,
    Variable, plan, rules,
};
use toolglot::core::Pointer;
use toolglot::descriptor::{CommandInput, EnvVar, Invocation, SideEffects};
use toolglot::json::Document;
use toolglot::jumith::secrets::{self, Naming};
use toolglot::mcpkg::chain::{ChainAction, ChainError, ChainOptions, ChainRun};
use toolglot::{Format, Limits, ToolDescriptor, mcpkg};

use crate::local_host::select_implementation;
use crate::scripts::resolve_scripts;

/// Plans a call. If the tool has several implementations, this uses the best fit for this
/// machine. A program that is already present does not count as a missing installation.
pub fn plan_call(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
    arguments: &str,
    policy: &Policy,
    has: &dyn Fn(&str) -> bool,
) -> Planned {
    if let Some(first) = plan_chain(tool, format, origin, arguments, policy, has) {
        return first;
    }
    let implementation = match select_implementation(tool, format, origin) {
        Ok(implementation) => implementation,
        Err(report) => return Planned::Refused(Refused::no_call(&tool.id, report)),
    };
    let facts = HostFacts { has_value: has, implementation, installed: false, policy };
    let contract = (format.contract)(tool);
    let mut planned = plan(tool, &contract, arguments, &facts, &Limits::default());
    planned.adapt(|step, missing| {
        resolve_scripts(step, tool, origin);
        if host::check_present(step, origin).is_ok() {
            missing.retain(|missing| !matches!(missing, Missing::Installation(_)));
        }
    });
    planned
}

/// Returns what this machine lacks for a call with any arguments: an implementation that
/// fits, an installation, or the program.
pub(crate) fn missing_on_host(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
) -> Option<String> {
    let mut bare = ToolDescriptor { input_schema: None, ..tool.clone() };
    let others = bare.implementations.iter_mut().filter_map(|one| one.invocation.as_mut());
    for call in bare.invocation.iter_mut().chain(others) {
        if let Invocation::Command(command) = &mut call.value {
            // Templates need arguments, and come after the words that name the program.
            command.input = CommandInput::Stdin;
        }
    }
    let mut planned = plan_call(&bare, format, origin, "{}", &Policy::default(), &|_| true);
    if let Planned::Refused(refused) = &planned
        && let Some(report) = refused.report()
    {
        // Other errors are about the arguments.
        let about_host = [&rules::IMPLEMENTATION, &rules::NO_CALL, &rules::SHELL];
        let errors = report.errors().filter(|error| about_host.contains(&error.rule));
        let errors: Vec<&str> = errors.map(|error| error.message.as_str()).collect();
        return if errors.is_empty() { None } else { Some(errors.join("; ")) };
    }
    for missing in planned.missing() {
        if let Missing::Installation(how) = missing {
            return Some(format!("it is not installed ({how})"));
        }
    }
    let mut absent = None;
    planned.adapt(|step, _| absent = host::check_present(step, origin).err());
    absent
}

/// Plans a chain as far as it is known in advance: the call of its first step. Returns
/// `None` for a tool that is not a chain.
pub fn plan_chain(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
    arguments: &str,
    policy: &Policy,
    has: &dyn Fn(&str) -> bool,
) -> Option<Planned> {
    let Some(text) = &origin.manifest else { return None };
    if !tool.is_chain() {
        return None;
    }
    let step = match first_call(text, arguments) {
        Ok(nested) => Step::Call(nested),
        Err(error) => {
            let is_input = matches!(error, ChainError::Input(_));
            let rule = if is_input { &rules::ARGUMENTS } else { &rules::NO_CALL };
            let report = rule.at_pointer(Pointer::root(), error.to_string()).into();
            return Some(Planned::Refused(if is_input {
                Refused::wrong_arguments(&tool.id, report)
            } else {
                Refused::no_call(&tool.id, report)
            }));
        }
    };
    let contract = (format.contract)(tool);
    let then = OutcomeUse::Judge(Judge::for_tool(tool, &contract));
    let plan = Plan::from_step(tool, &contract.host_rules, step, then, has);
    Some(plan.decide(policy.judge(tool, &contract.host_rules)))
}

/// Returns the first call of a chain.
fn first_call(manifest: &str, arguments: &str) -> Result<NestedCall, ChainError> {
    let document = Document::parse(manifest.as_bytes(), &Limits::default());
    let document = document.map_err(|found| ChainError::Invalid(found.message.clone()))?;
    let manifest = mcpkg::Manifest::read(&document);
    let mut run = ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())?;
    match run.next()? {
        ChainAction::Call(first) => Ok(first.call),
        ChainAction::Done(_) => Err(ChainError::Invalid("there are no steps".to_owned())),
    }
}

/// Returns the locations of the programs that were installed for the manifest with this
/// SHA-256. Consent to an installation covers that text only.
pub fn installed_prefix(digest: &str) -> Prefix {
    let Some(store) = Store::of_user() else { return Prefix::default() };
    store.prefix(digest).unwrap_or_default()
}

/// Returns the values that are available without asking a person. A file's values override
/// the environment's.
///
/// A secret of a Jumith tool may be stored under its key, which begins with the tool's
/// name, so that two tools can have secrets of the same name. Then the key's value is used.
pub fn available_values(
    tool: &ToolDescriptor<'_>,
    file: Option<&Path>,
) -> Result<Values, FileError> {
    let is_node = tool.invocations().any(|call| matches!(call, Invocation::Node(_)));
    let key = |name: &str| secrets::key(tool.callable_name().value, name, Naming::Plain);
    let mut declared: Vec<Variable> = Vec::new();
    for variable in &tool.package.env {
        declared.push(lookup(variable.name.to_string(), variable));
        if is_node {
            declared.push(lookup(key(&variable.name), variable));
        }
    }
    let mut values = Values::from_environment(&declared);
    if let Some(file) = file {
        values.extend(Values::from_file(file, &declared)?);
    }
    if is_node {
        for variable in &tool.package.env {
            if let Some(value) = values.get(&key(&variable.name)).map(str::to_owned) {
                values.set(&variable.name, value);
            }
        }
    }
    // `env://NAME` must name another declared variable: the rest of the environment is not
    // for tools.
    for variable in &tool.package.env {
        if let Some(place) = &variable.reference
            && let Some(name) = place.strip_prefix("env://")
            && let Some(value) = values.get(name).map(str::to_owned)
            && !values.has(&variable.name)
        {
            values.set(&variable.name, value);
        }
    }
    Ok(values)
}

/// Returns a variable for looking up the value of a declared one, under a name.
fn lookup(name: String, declared: &EnvVar<'_>) -> Variable {
    Variable {
        name,
        secret: declared.is_secret(),
        required: false,
        prompt: None,
        pattern: None,
        default: None,
        obtain_url: None,
        reference: None,
    }
}

/// Returns the names of a tool's secrets that the user's resolvers can look up.
pub fn resolvable_secrets(tool: &ToolDescriptor<'_>, resolvers: &Resolvers) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for variable in &tool.package.env {
        if let Some(reference) = &variable.reference
            && variable.is_secret()
            && resolvers.supports(reference)
        {
            names.insert(variable.name.to_string());
        }
    }
    names
}

/// Adds the grants of a server. Naming a file or a folder is consent to effects that its
/// manifests do not declare. These may include changes, so a tool that declares changes is
/// not asked about either.
pub fn with_server_grants(mut policy: Policy) -> Policy {
    policy.grants.insert(Grant::Unknown);
    policy.effects.get_or_insert(SideEffects::Write);
    policy
}
