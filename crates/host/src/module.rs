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

/// The task of a launcher.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    Call,
    /// Describe the exports of the module, and call no tool.
    Inspect,
}

/// Runs a Node module, which is a file below the manifest's folder.
pub(crate) async fn run_node(
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
    let launch = Launch { argv: &argv, name: path, task, module };
    launch.run(origin, values, limits).await
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
    let launch = Launch { argv: &argv, name: &module.module, task: Task::Call, module };
    launch.run(origin, values, limits).await
}

/// A launcher, with its task.
struct Launch<'l> {
    argv: &'l [&'l str],
    /// The path or the name of the module, as the runtime needs it.
    name: &'l str,
    task: Task,
    module: &'l ModuleCall,
}

impl Launch<'_> {
    async fn run(self, origin: &Origin, values: &Values, limits: &Limits) -> Outcome {
        let (mark, input) = match self.input(origin, values) {
            Ok(input) => input,
            Err(error) => return Outcome::NotDone(error.to_string()),
        };
        let program = Program {
            argv: self.argv.iter().map(|word| (*word).into()).collect(),
            inherit: ModuleCall::INHERITED.iter().map(ToString::to_string).collect(),
            stdin: Some(input),
            ..Program::default()
        };
        match run(&program, origin, values, limits).await {
            Outcome::Exited { stdout, stderr, .. } => {
                parse_result(&stdout, &mark).unwrap_or_else(|| {
                    let error = call::decode_lossy(&stderr);
                    let message = format!("the function ended without a result: {}", error.trim());
                    Outcome::Threw(message)
                })
            }
            other => other,
        }
    }

    /// Returns the mark of the result, and the input of the launcher.
    fn input(&self, origin: &Origin, values: &Values) -> io::Result<(String, String)> {
        let module = self.module;
        let mark = disk::random_name()?;
        let folder = origin.root().canonicalize()?;
        let exports: Vec<String> = module.exports.iter().map(|name| quote(name)).collect();
        let mut env = Vec::new();
        for name in &module.variables {
            if let Some(value) = values.get(name) {
                env.push(format!("{}:{}", quote(name), quote(value)));
            }
        }
        let input = format!(
            r#"{{"mark":{},"inspect":{},"module":{},"folder":{},"exports":[{}],"tool":{},"env":{{{}}},"manifest":{},"arguments":{}}}"#,
            quote(&mark),
            self.task == Task::Inspect,
            quote(self.name),
            quote(&folder.to_string_lossy()),
            exports.join(","),
            quote(&module.tool),
            env.join(","),
            origin.manifest.as_deref().unwrap_or("null"),
            module.arguments,
        );
        Ok((mark, input))
    }
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
