//! Planning a call, with what this machine knows.

use std::collections::BTreeSet;
use std::path::Path;

use disk::store::Prefix;
use disk::store::Store;
use host::{FileError, Origin, Resolvers, Values};
use toolglot::call::{
    Facts, Grant, Judge, Missing, Nested, Plan, Policy, Step, Then, Variable, Verdict, plan, rules,
};
use toolglot::core::Pointer;
use toolglot::descriptor::{CommandInput, EnvVar, Invocation, SideEffects};
use toolglot::json::Document;
use toolglot::jumith::secrets::{self, Naming};
use toolglot::mcpkg::chain::{ChainError, ChainOptions, ChainRun, Next};
use toolglot::{Format, Limits, Report, ToolDescriptor, mcpkg};

use crate::machine::fitting;
use crate::scripts::settle;

/// Plans a call of a tool of a format: of several implementations, that which fits this machine.
/// What is there already need not be installed.
pub fn planned(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
    arguments: &str,
    policy: &Policy,
    has: &dyn Fn(&str) -> bool,
) -> Result<Plan, Report> {
    if let Some(first) = chained(tool, format, origin, arguments, policy, has) {
        return first;
    }
    let implementation = fitting(tool, format, origin)?;
    let facts = Facts { has, implementation, installed: false, policy };
    let contract = (format.contract)(tool);
    let mut made = plan(tool, &contract, arguments, &facts, &Limits::default())?;
    settle(&mut made.step, tool, origin);
    if host::is_there(&made.step, origin).is_ok() {
        made.missing.retain(|missing| !matches!(missing, Missing::Installation(_)));
    }
    Ok(made)
}

/// What this machine lacks for a call, whatever its arguments are: an implementation that fits, an
/// installation, or the program.
pub(crate) fn absent(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
) -> Option<String> {
    let mut bare = ToolDescriptor { input_schema: None, ..tool.clone() };
    let others = bare.implementations.iter_mut().filter_map(|one| one.invocation.as_mut());
    for call in bare.invocation.iter_mut().chain(others) {
        if let Invocation::Command(command) = &mut call.value {
            // Templates ask for arguments, and come after the words that name the program.
            command.input = CommandInput::Stdin;
        }
    }
    let plan = match planned(&bare, format, origin, "{}", &Policy::default(), &|_| true) {
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
    installation.or_else(|| host::is_there(&plan.step, origin).err())
}

/// The plan of a chain, as far as it can be known: the call of its first step. Nothing for a tool
/// that is called in another way.
pub fn chained(
    tool: &ToolDescriptor<'_>,
    format: &Format,
    origin: &Origin,
    arguments: &str,
    policy: &Policy,
    has: &dyn Fn(&str) -> bool,
) -> Option<Result<Plan, Report>> {
    let text = origin.manifest.as_ref().filter(|_| tool.is_chain())?;
    let first = begun(text, arguments).map_err(|error| {
        let rule = match error {
            ChainError::Input(_) => &rules::ARGUMENTS,
            _ => &rules::NO_CALL,
        };
        Report::from(rule.at_pointer(Pointer::root(), error.to_string()))
    });
    Some(first.map(|nested| {
        let contract = (format.contract)(tool);
        let then = Then::Judge(Judge::of(tool, &contract));
        let mut plan = Plan::of_step(tool, &contract.calling, Step::Call(nested), then, has);
        let verdict = policy.judge(tool, &contract.calling);
        let verdict = Some(verdict).filter(|verdict| *verdict != Verdict::Allow);
        plan.missing.extend(verdict.map(Missing::Approval));
        plan
    }))
}

/// The call that a chain begins with.
fn begun(manifest: &str, arguments: &str) -> Result<Nested, ChainError> {
    let document = Document::parse(manifest.as_bytes(), &Limits::default());
    let document = document.map_err(|found| ChainError::Invalid(found.message.clone()))?;
    let manifest = mcpkg::Manifest::read(&document);
    let mut run = ChainRun::new(&manifest, arguments.as_bytes(), ChainOptions::default())?;
    match run.next()? {
        Next::Call(first) => Ok(first.call),
        Next::Done(_) => Err(ChainError::Invalid("there are no steps".to_owned())),
    }
}

/// Where the programs are that were installed for the manifest of this SHA-256. What was agreed
/// to is that text, and no other.
pub fn installed(digest: &str) -> Prefix {
    Store::of_user().and_then(|store| store.prefix(digest)).unwrap_or_default()
}

/// The values that are there without asking anybody: those of a file win over the environment.
///
/// A secret of a Jumith tool may stand under its key, which begins with the name of the tool. That
/// is its value then, so that two tools can have secrets of one name.
pub fn given(tool: &ToolDescriptor<'_>, file: Option<&Path>) -> Result<Values, FileError> {
    let is_node = tool.calls().any(|call| matches!(call, Invocation::Node(_)));
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
    // `env://NAME` is another variable that is declared: others are not for tools.
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

/// The secrets of a tool that programs of the user know the place of.
pub fn kept(tool: &ToolDescriptor<'_>, resolvers: &Resolvers) -> BTreeSet<String> {
    let follows = |variable: &&EnvVar<'_>| {
        variable.reference.as_deref().is_some_and(|place| resolvers.follows(place))
    };
    let secrets = tool.package.env.iter().filter(|variable| variable.is_secret());
    secrets.filter(follows).map(|variable| variable.name.to_string()).collect()
}

/// What is granted to tools that are served, beside this: naming a file or a folder is the consent
/// to what its manifests do not say. What is unknown may change things, too, so who says so is not
/// asked more.
pub fn serving(mut policy: Policy) -> Policy {
    policy.grants.insert(Grant::Unknown);
    policy.effects.get_or_insert(SideEffects::Write);
    policy
}
