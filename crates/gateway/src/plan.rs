//! Planning of calls, with facts about this machine.

use std::collections::BTreeSet;
use std::path::Path;

use disk::store::Prefix;
use disk::store::Store;
use host::{FileError, Origin, Resolvers, Values};
use toolglot::call::{
    Grant, HostFacts, Judge, Missing, NestedCall, OutcomeUse, Plan, Policy, Step, Variable,
    Verdict, plan, rules,
};
use toolglot::core::Pointer;
use toolglot::descriptor::{CommandInput, EnvVar, Invocation, SideEffects};
use toolglot::json::Document;
use toolglot::jumith::secrets::{self, Naming};
use toolglot::mcpkg::chain::{ChainAction, ChainError, ChainOptions, ChainRun};
use toolglot::{Format, Limits, Report, ToolDescriptor, mcpkg};

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
) -> Result<Plan, Report> {
    if let Some(first) = plan_chain(tool, format, origin, arguments, policy, has) {
        return first;
    }
    let implementation = select_implementation(tool, format, origin)?;
    let facts = HostFacts { has_value: has, implementation, installed: false, policy };
    let contract = (format.contract)(tool);
    let mut made = plan(tool, &contract, arguments, &facts, &Limits::default())?;
    resolve_scripts(&mut made.step, tool, origin);
    if host::check_present(&made.step, origin).is_ok() {
        made.missing.retain(|missing| !matches!(missing, Missing::Installation(_)));
    }
    Ok(made)
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
    let plan = match plan_call(&bare, format, origin, "{}", &Policy::default(), &|_| true) {
        Ok(plan) => plan,
        Err(report) => {
            let here = [&rules::IMPLEMENTATION, &rules::NO_CALL, &rules::SHELL];
            let found = report.errors().filter(|found| here.contains(&found.rule));
            let found: Vec<&str> = found.map(|found| found.message.as_str()).collect();
            return (!found.is_empty()).then(|| found.join("; "));
        }
    };
    let installation = plan.missing.iter().find_map(|missing| match missing {
        Missing::Installation(how) => Some(format!("it is not installed ({how})")),
        _ => None,
    });
    installation.or_else(|| host::check_present(&plan.step, origin).err())
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
) -> Option<Result<Plan, Report>> {
    let text = origin.manifest.as_ref().filter(|_| tool.is_chain())?;
    let first = first_call(text, arguments).map_err(|error| {
        let rule = match error {
            ChainError::Input(_) => &rules::ARGUMENTS,
            _ => &rules::NO_CALL,
        };
        Report::from(rule.at_pointer(Pointer::root(), error.to_string()))
    });
    Some(first.map(|nested| {
        let contract = (format.contract)(tool);
        let then = OutcomeUse::Judge(Judge::for_tool(tool, &contract));
        let mut plan = Plan::from_step(tool, &contract.host_rules, Step::Call(nested), then, has);
        let verdict = policy.judge(tool, &contract.host_rules);
        let verdict = Some(verdict).filter(|verdict| *verdict != Verdict::Allow);
        plan.missing.extend(verdict.map(Missing::Approval));
        plan
    }))
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
    Store::of_user().and_then(|store| store.prefix(digest)).unwrap_or_default()
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
        let name = variable.name.to_string();
        let key = is_node.then(|| key(&name));
        declared.extend([Some(name), key].into_iter().flatten().map(|name| Variable {
            name,
            secret: variable.is_secret(),
            required: false,
            prompt: None,
            pattern: None,
            default: None,
            obtain_url: None,
            reference: None,
        }));
    }
    let mut values = Values::from_environment(&declared);
    if let Some(file) = file {
        values.extend(Values::from_file(file, &declared)?);
    }
    for variable in tool.package.env.iter().filter(|_| is_node) {
        if let Some(value) = values.get(&key(&variable.name)).map(str::to_owned) {
            values.set(&variable.name, value);
        }
    }
    // `env://NAME` must name another declared variable: the rest of the environment is not
    // for tools.
    for variable in &tool.package.env {
        let named = variable.reference.as_deref().and_then(|place| place.strip_prefix("env://"));
        if let Some(value) = named.and_then(|name| values.get(name)).map(str::to_owned)
            && !values.has(&variable.name)
        {
            values.set(&variable.name, value);
        }
    }
    Ok(values)
}

/// Returns the names of a tool's secrets that the user's resolvers can look up.
pub fn resolvable_secrets(tool: &ToolDescriptor<'_>, resolvers: &Resolvers) -> BTreeSet<String> {
    let follows = |variable: &&EnvVar<'_>| {
        variable.reference.as_deref().is_some_and(|place| resolvers.supports(place))
    };
    let secrets = tool.package.env.iter().filter(|variable| variable.is_secret());
    secrets.filter(follows).map(|variable| variable.name.to_string()).collect()
}

/// Adds the grants of a server. Naming a file or a folder is consent to effects that its
/// manifests do not declare. These may include changes, so a tool that declares changes is
/// not asked about either.
pub fn with_server_grants(mut policy: Policy) -> Policy {
    policy.grants.insert(Grant::Unknown);
    policy.effects.get_or_insert(SideEffects::Write);
    policy
}
