//! A whole host of an agent, with I/O of its own: it offers the tools of some manifests to a model,
//! asks a person where the policy wants one, runs the programs, and returns the answers. Its words
//! are the manifests. A line of input is a call (a name and arguments), or the person's answer.

use std::io::{self, Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use std::{collections::BTreeMap, env, error::Error, fs, path::Path, thread};

use toolglot::call::{DEFAULT_TIMEOUT, MAX_TIMEOUT, Program, Step, collect_values, join_below};
use toolglot::call::{End, Next, Outcome, Plan, Planned, Policy};
use toolglot::{Toolbox, providers::Target};

fn main() -> Result<(), Box<dyn Error>> {
    let mut tools = Toolbox::new(Policy::default());
    for path in env::args().skip(1) {
        let _ = tools.add(&path, fs::read(&path)?); // a broken file is listed below
    }
    println!("{}", serde_json::to_string(tools.offers(Target::OpenAiResponses))?);
    tools.problems().for_each(|problem| eprintln!("{problem}"));
    let mut lines = io::stdin().lines();
    while let Some(line) = lines.next().transpose()? {
        let (name, arguments) = line.split_once(' ').unwrap_or((&line, ""));
        let answer = match tools.plan(name, arguments) {
            Planned::Ready(plan) => call(&tools, name, plan),
            Planned::Ask(ask) => {
                eprintln!("{} [y/n]", ask.question());
                match lines.next().transpose()?.as_deref() {
                    Some("y") => call(&tools, name, ask.approve()),
                    _ => Ok(ask.declined().for_model()),
                }
            }
            Planned::Refused(why) => Ok(why.for_model()),
        };
        println!("{}", answer.unwrap_or_else(|failure| failure.to_string()).trim_end());
    }
    Ok(())
}

/// Carries out a plan, step by step, and returns the answer for the model.
fn call(tools: &Toolbox, name: &str, mut plan: Plan) -> Result<String, Box<dyn Error>> {
    let tool = tools.find(name)?;
    let file = fs::canonicalize(tool.manifest.name())?;
    let folder = file.parent().ok_or("the manifest has no folder")?;
    loop {
        let Step::Run(program) = &plan.step else { return Err("it is not a program".into()) };
        match plan.next(&run(program, &plan, folder)?, tools.limits()) {
            Next::Done(answer) => return Ok(tool.encode(&answer?)?),
            Next::Go(next) => plan = *next,
        }
    }
}

/// Runs a program. What it writes as errors is for the person.
fn run(program: &Program, plan: &Plan, folder: &Path) -> Result<Outcome, Box<dyn Error>> {
    let own: BTreeMap<String, String> = env::vars().collect();
    let given = |name: &str| own.get(name).map(String::as_str);
    let values = collect_values(&plan.variables, &given, None);
    let values = BTreeMap::from_iter(values.map_err(|problems| format!("{problems:?}"))?);
    let value = |name: &str| values.get(name).map(String::as_str);
    plan.check_ready(&|name| values.contains_key(name))?;
    let words = program.fill_argv(&value)?;
    let (path, arguments) = words.split_first().ok_or("there is no program")?;
    let below = join_below(folder, path.as_ref()).ok_or("the program is elsewhere")?;
    let mut command =
        Command::new(if path.contains('/') { below.as_path() } else { path.as_ref() });
    command.args(arguments).current_dir(folder.join(program.cwd.as_deref().unwrap_or(".")));
    command.env_clear().envs(program.environment(&given, &value));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let (input, text) = (child.stdin.take(), program.stdin.clone().unwrap_or_default());
    thread::spawn(move || input.map(|mut input| input.write_all(text.as_bytes())));
    let mut output = child.stdout.take().ok_or("there is no output")?.take(1 << 20);
    let reader = thread::spawn(move || {
        let mut stdout = Vec::new();
        output.read_to_end(&mut stdout).map(|_| stdout)
    });
    let end = Instant::now() + plan.time_limit(DEFAULT_TIMEOUT, MAX_TIMEOUT);
    while child.try_wait()?.is_none() {
        if Instant::now() > end {
            child.kill().and_then(|()| child.wait())?;
            return Ok(Outcome::TimedOut);
        }
        thread::sleep(Duration::from_millis(5));
    }
    let end = End::Exit(child.wait()?.code().unwrap_or(-1));
    let stdout = reader.join().map_err(|_| "the output cannot be read")??;
    let is_whole = stdout.len() < 1 << 20;
    let outcome = Outcome::Exited { end, stdout, stderr: Vec::new() };
    Ok(if is_whole { outcome } else { Outcome::TooMuch { limit: 1 << 20 } })
}
