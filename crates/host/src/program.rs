//! Programs, which run without a shell and with the exact environment.

pub(crate) mod find;

use std::convert::Infallible;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use call::{ModuleCall, Outcome, Program, ProgramSearch, Server, Step, ToolCall};
use diagnostic::printable;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::time::timeout;

use crate::limits::Limits;
use crate::origin::{Origin, resolve_below};
use crate::process::Process;
use crate::values::Values;

/// Builds the command for a program. Fails if it cannot be run.
pub(crate) fn command(
    program: &Program,
    origin: &Origin,
    values: &Values,
) -> Result<Command, String> {
    let words = program.fill_argv(&|name| values.get(name)).map_err(|error| error.to_string())?;
    let (Some(name), Some(written)) = (words.first(), program.argv.first()) else {
        return Err("the step names no program".to_owned());
    };
    let folder = working_directory(program, origin).map_err(|error| {
        let cwd = program.cwd.as_deref().unwrap_or(".");
        format!("{cwd}: {error}")
    })?;
    let path = find::find(name, program.base, origin, folder.as_deref())
        .map_err(|error| format!("{written}: {error}"))?;
    let mut command = Command::new(path);
    command.args(words.iter().skip(1)).env_clear();
    let collected = |name: &str| values.get(name).map(OsString::from);
    command.envs(program.environment(&|name| inherited_variable(name, origin), &collected));
    if let Some(folder) = folder {
        command.current_dir(folder);
    }
    Ok(command)
}

/// Returns a variable of our own environment for a program. Its `PATH` begins with the
/// programs that were installed for it.
fn inherited_variable(name: &str, origin: &Origin) -> Option<OsString> {
    if name == "PATH" && !origin.prefix.programs.is_empty() {
        return std::env::join_paths(origin.search_path()).ok();
    }
    std::env::var_os(name)
}

/// Checks that the program or the module of a step is present. Its own dependencies are not
/// checked.
///
/// ```
/// use call::{Program, Step};
/// use toolglot_host::{Origin, check_present};
///
/// let step = |name: &str| {
///     Step::Run(Program { argv: vec![name.to_owned().into()], ..Program::default() })
/// };
/// assert!(check_present(&step("sh"), &Origin::default()).is_ok());
/// assert!(check_present(&step("no-such-program"), &Origin::default()).is_err());
/// ```
pub fn check_present(step: &Step, origin: &Origin) -> Result<(), String> {
    let (name, found) = match step {
        Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. }) => {
            let name = program.argv.first().map_or_else(String::new, ToString::to_string);
            let found = find_program(program, &name, origin);
            (name, found)
        }
        Step::Node(module) => (module.module.clone(), find_module(module, origin)),
        Step::Python(module) => (module.module.clone(), find_on_path("python3", origin)),
        Step::Send(_)
        | Step::CallTool(_)
        | Step::Call(_)
        | Step::Fetch(_)
        | Step::Find(_)
        | Step::Ask(_) => return Ok(()),
    };
    found.map_err(|error| format!("{}: {error}", printable(&name, 200)))
}

fn find_program(program: &Program, name: &str, origin: &Origin) -> io::Result<()> {
    let folder = working_directory(program, origin)?;
    find::find(name, program.base, origin, folder.as_deref())?.metadata()?;
    Ok(())
}

fn find_module(module: &ModuleCall, origin: &Origin) -> io::Result<()> {
    resolve_below(origin.root(), Path::new(&module.module))?;
    find_on_path("node", origin)
}

fn find_on_path(name: &str, origin: &Origin) -> io::Result<()> {
    find::find(name, ProgramSearch::SearchPath, origin, None)?;
    Ok(())
}

/// Returns the folder in which a program runs, or `None` for the working directory of this
/// process. A relative folder is below that of the manifest.
fn working_directory(program: &Program, origin: &Origin) -> io::Result<Option<PathBuf>> {
    let Some(cwd) = &program.cwd else { return Ok(origin.prefix.directory.clone()) };
    let path = Path::new(cwd);
    if path.is_absolute() {
        return Ok(Some(path.to_owned()));
    }
    Ok(Some(resolve_below(origin.root(), path)?))
}

/// Runs a program until it ends. Dropping the future ends the program and its group.
pub(crate) async fn run(
    program: &Program,
    origin: &Origin,
    values: &Values,
    limits: &Limits,
) -> Outcome {
    let process = match command(program, origin, values) {
        Ok(command) => Process::start(command).map_err(|error| error.to_string()),
        Err(why) => Err(why),
    };
    match process {
        Ok(process) => finish(process, program.stdin.as_deref().unwrap_or(""), limits).await,
        Err(why) => Outcome::NotDone(format!("the program cannot be started: {why}")),
    }
}

/// Writes the input of a program, and reads its output until it ends.
pub(crate) async fn finish(process: Process, input: &str, limits: &Limits) -> Outcome {
    // The group must live until this function returns or is dropped.
    let Process { stdin, stdout, stderr, end: mut ended, group: _group } = process;
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let limit = limits.answer_bytes;
    let end = {
        let reading = async {
            tokio::try_join!(
                read_limited(stdout, &mut out, limit),
                read_limited(stderr, &mut err, limit)
            )
        };
        tokio::pin!(reading);
        let end = async {
            tokio::select! {
                read = &mut reading => match read {
                    Ok(_) => Ok((&mut ended).await),
                    Err(too_much) => Err(too_much),
                },
                end = &mut ended => match timeout(limits.linger, reading).await {
                    Ok(Err(too_much)) => Err(too_much),
                    // Other processes still hold the output open. They are not waited for.
                    Ok(Ok(_)) | Err(_) => Ok(end),
                },
            }
        };
        tokio::select! {
            end = end => end,
            never = write_input(stdin, input) => match never {},
        }
    };
    match end {
        Err(TooMuch) => Outcome::TooMuch { limit: limit as u64 },
        Ok(Ok(end)) => Outcome::Exited { end, stdout: out, stderr: err },
        Ok(Err(_)) => Outcome::Lost("how the program ended cannot be known".to_owned()),
    }
}

/// Writes the input and closes it. Ignores errors, because a program need not read it.
async fn write_input(mut stdin: ChildStdin, input: &str) -> Infallible {
    let _ = stdin.write_all(input.as_bytes()).await;
    drop(stdin);
    std::future::pending().await
}

/// The output is longer than the limit.
pub(crate) struct TooMuch;

/// Reads to the end. Fails if there is more than `limit`.
pub(crate) async fn read_limited(
    mut from: impl AsyncRead + Unpin,
    into: &mut Vec<u8>,
    limit: usize,
) -> Result<(), TooMuch> {
    let mut chunk = vec![0; 16 << 10];
    loop {
        match from.read(&mut chunk).await {
            Ok(0) | Err(_) => return Ok(()),
            Ok(count) if into.len() + count > limit => return Err(TooMuch),
            Ok(count) => into.extend_from_slice(chunk.get(..count).unwrap_or_default()),
        }
    }
}
