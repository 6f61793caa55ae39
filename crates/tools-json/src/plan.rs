//! Calling a tool: what to run, and with what.

use std::sync::Arc;
use std::time::Duration;

use call::{Judge, Plan, Program, Step, Template, Then};
use manifest_core::descriptor::{EnvVar, Package};
use manifest_core::format::Calling;
use manifest_core::{Text, ToolDescriptor};

use crate::{FORMAT, Location, ResolveError, Tool};

/// What a host brings to a call.
#[derive(Clone, Copy, Debug)]
pub struct Host<'h> {
    /// Where the manifest is.
    pub location: Location<'h>,
    /// How long a call may take, when its tool does not say.
    pub timeouts: Timeouts,
}

/// How long a call may take, when its tool does not say. Zero is the same as
/// absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// For tools: agentcli's `-tool-timeout`.
    pub tool: Option<Duration>,
    /// For everything, when there is none for tools: agentcli's `-timeout`.
    pub any: Option<Duration>,
}

impl Timeouts {
    /// The time that a call of a tool gets when the tool does not say: the one
    /// for tools, else the one for everything, else 30 seconds.
    pub fn for_tools(&self) -> Duration {
        [self.tool, self.any]
            .into_iter()
            .flatten()
            .find(|timeout| !timeout.is_zero())
            .unwrap_or(Duration::from_secs(30))
    }
}

impl Tool<'_> {
    /// Plans a call with the arguments that the model wrote, which are passed on
    /// to the byte. Blank ones become `{}`.
    ///
    /// The program is run without a shell, in the host's own working directory. Its
    /// [environment](Program::environment) is `PATH` and `HOME`, and the variables that the
    /// tool asks for and the host has. With the feature `schema`, `check_arguments` checks
    /// the arguments first.
    ///
    /// ```
    /// use call::Step;
    /// use manifest_core::path::Flavour;
    /// use tools_json::{Host, Location, Timeouts, Tool};
    ///
    /// let tool = Tool {
    ///     name: "get_time".into(),
    ///     command: vec!["./tools/bin/get_time".into()],
    ///     env_passthrough: vec!["tz".into(), "LANG".into()],
    ///     ..Tool::default()
    /// };
    /// let host = Host {
    ///     location: Location {
    ///         directory: "/srv/agent",
    ///         flavour: Flavour::Posix,
    ///         allow_absolute: false,
    ///     },
    ///     timeouts: Timeouts::default(),
    /// };
    /// let plan = tool.plan(r#"{"zone":"UTC"}"#, &host)?;
    /// assert_eq!(plan.timeout_ms, Some(30_000));
    /// let Step::Run(program) = &plan.step else { panic!("a program") };
    /// assert_eq!(program.argv, ["/srv/agent/tools/bin/get_time".into()]);
    /// assert_eq!(program.stdin.as_deref(), Some(r#"{"zone":"UTC"}"#));
    /// let environment = |name: &str| match name {
    ///     "PATH" => Some("/usr/bin"),
    ///     "TZ" => Some("UTC"),
    ///     _ => None,
    /// };
    /// let given = program.environment(&environment, &environment);
    /// assert!(given.into_iter().eq([("PATH", "/usr/bin"), ("TZ", "UTC")]));
    /// # Ok::<(), tools_json::ResolveError>(())
    /// ```
    pub fn plan(&self, arguments: &str, host: &Host<'_>) -> Result<Plan, ResolveError> {
        let argv = self.resolve(&host.location)?;
        let names: Vec<String> = self.env_names().iter().map(ToString::to_string).collect();
        let variable =
            |name: &String| EnvVar { name: Text::Owned(name.clone()).into(), ..EnvVar::default() };
        let tool = ToolDescriptor {
            id: Text::Borrowed(self.name.as_ref()).into(),
            package: Arc::new(Package {
                env: names.iter().map(variable).collect(),
                ..<_>::default()
            }),
            ..ToolDescriptor::default()
        };
        let calling = (FORMAT.contract)(&tool).calling;
        let Calling { reading, base, inherits, .. } = calling;
        let step = Step::Run(Program {
            argv: argv.iter().map(|word| Template::from(word.as_ref())).collect(),
            base,
            inherit: inherits.iter().map(ToString::to_string).collect(),
            variables: names,
            stdin: Some(text_or_empty_object(arguments).to_owned()),
            ..Program::default()
        });
        let timeout = self.timeout().unwrap_or(host.timeouts.for_tools());
        Ok(Plan {
            timeout_ms: Some(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            ..Plan::of_step(&tool, &calling, step, Then::Judge(Judge::by(reading)), &|_| true)
        })
    }

    /// How long a call may take, if the tool says.
    pub fn timeout(&self) -> Option<Duration> {
        let seconds = self.timeout_sec.and_then(|s| u64::try_from(s).ok())?;
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }
}

/// The arguments of a call, which may be left out.
pub(crate) fn text_or_empty_object(arguments: &str) -> &str {
    if arguments.trim().is_empty() { "{}" } else { arguments }
}
