//! Functions of other languages, called in a process of their own runtime.
//!
//! The text of the launcher is an argument of the runtime. The data of the call goes over
//! standard input. The result is on a line that begins with a random mark, so that a
//! function cannot print something that is taken for its result.

use std::io;
use std::path::Path;

use call::{ModuleCall, Outcome, Program};
use json_text::quote;
use serde::Deserialize;
use serde_json::value::RawValue;

use crate::limits::Limits;
use crate::origin::{Origin, resolve_below};
use crate::program::run;
use crate::values::Values;

/// Environment variables that a runtime needs to work as usual. Variables of the tool are
/// passed with the arguments instead.
const INHERITED_ENV: &[&str] = &["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/// The task of a launcher.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    Call,
    /// Describe the exports of the module, and call no tool.
    Inspect,
}

/// Calls a tool that a Node module exports. The module is a file below the manifest's
/// folder.
pub(crate) async fn call_node(
    module: &ModuleCall,
    origin: &Origin,
    values: &Values,
    limits: &Limits,
) -> Outcome {
    run_node(Task::Call, module, origin, values, limits).await
}

/// Describes the exports of a Node module that a step looks for. No tool is called.
pub(crate) async fn inspect_node(module: &ModuleCall, origin: &Origin, limits: &Limits) -> Outcome {
    run_node(Task::Inspect, module, origin, &Values::new(), limits).await
}

async fn run_node(
    task: Task,
    module: &ModuleCall,
    origin: &Origin,
    values: &Values,
    limits: &Limits,
) -> Outcome {
    let path = match resolve_below(origin.root(), Path::new(&module.module)) {
        Ok(path) => path,
        Err(error) => return Outcome::NotDone(format!("{}: {error}", module.module)),
    };
    let Some(path) = path.to_str() else {
        return Outcome::NotDone("the folder of the manifest is not written in UTF-8".to_owned());
    };
    let argv = ["node", "--input-type=module", "-e", include_str!("module/launch.mjs")];
    launch(&argv, path, task, module, origin, values, limits).await
}

/// Calls a Python function. Its module is imported by name, from the manifest's folder
/// first.
pub(crate) async fn call_python(
    module: &ModuleCall,
    origin: &Origin,
    values: &Values,
    limits: &Limits,
) -> Outcome {
    let argv = ["python3", "-c", include_str!("module/launch.py")];
    launch(&argv, &module.module, Task::Call, module, origin, values, limits).await
}

async fn launch(
    argv: &[&str],
    name: &str,
    task: Task,
    module: &ModuleCall,
    origin: &Origin,
    values: &Values,
    limits: &Limits,
) -> Outcome {
    let prepared = disk::random_name()
        .and_then(|mark| Ok((launcher_input(&mark, name, task, module, origin, values)?, mark)));
    let (input, mark) = match prepared {
        Ok(prepared) => prepared,
        Err(error) => return Outcome::NotDone(error.to_string()),
    };
    let program = Program {
        argv: argv.iter().map(|word| (*word).into()).collect(),
        inherit: INHERITED_ENV.iter().map(ToString::to_string).collect(),
        stdin: Some(input),
        ..Program::default()
    };
    match run(&program, origin, values, limits).await {
        Outcome::Exited { stdout, stderr, .. } => {
            parse_result(&stdout, &mark).unwrap_or_else(|| {
                let message = call::decode_lossy(&stderr);
                Outcome::Threw(format!("the function ended without a result: {}", message.trim()))
            })
        }
        other => other,
    }
}

/// Builds the input of a launcher.
fn launcher_input(
    mark: &str,
    name: &str,
    task: Task,
    module: &ModuleCall,
    origin: &Origin,
    values: &Values,
) -> io::Result<String> {
    let folder = origin.root().canonicalize()?;
    let exports: Vec<String> = module.exports.iter().map(|name| quote(name)).collect();
    let variable = |name: &String| Some(format!("{}:{}", quote(name), quote(values.get(name)?)));
    let env: Vec<String> = module.variables.iter().filter_map(variable).collect();
    Ok(format!(
        r#"{{"mark":{},"inspect":{},"module":{},"folder":{},"exports":[{}],"tool":{},"env":{{{}}},"manifest":{},"arguments":{}}}"#,
        quote(mark),
        task == Task::Inspect,
        quote(name),
        quote(&folder.to_string_lossy()),
        exports.join(","),
        quote(&module.tool),
        env.join(","),
        origin.manifest.as_deref().unwrap_or("null"),
        module.arguments,
    ))
}

#[derive(Deserialize)]
struct ModuleAnswer<'a> {
    #[serde(borrow)]
    value: Option<&'a RawValue>,
    error: Option<String>,
}

/// Returns the result of the call, if the launcher wrote one.
fn parse_result(stdout: &[u8], mark: &str) -> Option<Outcome> {
    let lines = stdout.split(|byte| *byte == b'\n');
    let line = lines.filter_map(|line| line.strip_prefix(mark.as_bytes())).next_back()?;
    match serde_json::from_slice(line).ok()? {
        ModuleAnswer { error: Some(why), .. } => Some(Outcome::Threw(why)),
        ModuleAnswer { value, .. } => {
            Some(Outcome::Value(value.map_or("null", RawValue::get).to_owned()))
        }
    }
}
