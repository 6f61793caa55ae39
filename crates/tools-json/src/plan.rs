//! Plans calls of tools.

use std::sync::Arc;
use std::time::Duration;

use call::{Judge, OutcomeUse, Plan, Program, Step, Template};
use manifest_core::descriptor::{EnvVar, Package};
use manifest_core::format::HostRules;
use manifest_core::{Text, ToolDescriptor};

use crate::{FORMAT, Location, ResolveError, Tool};

/// The host's settings for a call.
#[derive(Clone, Copy, Debug)]
pub struct Host<'h> {
    /// The location of the manifest.
    pub location: Location<'h>,
    /// The time limits of tools that declare no limit.
    pub timeouts: Timeouts,
}

/// The time limits of tools that declare no limit. Zero counts as absent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    /// The limit for tools: agentcli's `-tool-timeout`.
    pub tool: Option<Duration>,
    /// The limit for everything, if `tool` is absent: agentcli's `-timeout`.
    pub fallback: Option<Duration>,
}

impl Timeouts {
    /// Returns the time limit of a tool that declares no limit: `tool`, else `any`, else 30
    /// seconds.
    pub fn tool_or_default(&self) -> Duration {
        [self.tool, self.fallback]
            .into_iter()
            .flatten()
            .find(|timeout| !timeout.is_zero())
            .unwrap_or(Duration::from_secs(30))
    }
}

impl Tool<'_> {
    /// Plans a call with the arguments that the model wrote, which are passed on unchanged.
    /// Blank arguments become `{}`.
    ///
    /// The program runs without a shell, in the host's own working directory. Its
    /// [environment](Program::environment) contains `PATH`, `HOME`, and the variables that
    /// the tool asks for and the host has. With the feature `schema`, check the arguments
    /// with `check_arguments` first.
    ///
    /// ```
    /// use call::Step;
    /// use manifest_core::path::PathStyle;
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
    ///         path_style: PathStyle::Posix,
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
        let calling = (FORMAT.contract)(&tool).host_rules;
        let HostRules {
            outcome_rules: reading, program_search: base, inherited_env: inherits, ..
        } = calling;
        let step = Step::Run(Program {
            argv: argv.iter().map(|word| Template::from(word.as_ref())).collect(),
            base,
            inherit: inherits.iter().map(ToString::to_string).collect(),
            variables: names,
            stdin: Some(text_or_empty_object(arguments).to_owned()),
            ..Program::default()
        });
        let timeout = self.timeout().unwrap_or(host.timeouts.tool_or_default());
        Ok(Plan {
            timeout_ms: Some(u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX)),
            ..Plan::from_step(
                &tool,
                &calling,
                step,
                OutcomeUse::Judge(Judge::for_reading(reading)),
                &|_| true,
            )
        })
    }

    /// Returns the time limit of the tool, if it declares one.
    pub fn timeout(&self) -> Option<Duration> {
        let seconds = self.timeout_sec.and_then(|s| u64::try_from(s).ok())?;
        (seconds > 0).then(|| Duration::from_secs(seconds))
    }
}

/// Returns the arguments of a call, or `{}` if they are blank.
pub(crate) fn text_or_empty_object(arguments: &str) -> &str {
    if arguments.trim().is_empty() { "{}" } else { arguments }
}
