//! Calling a tool: what to run, and with what.

use std::ffi::OsString;
use std::fmt;
use std::time::Duration;

use manifest_core::Text;

use crate::{Location, ResolveError, Tool};

/// What a host brings to a call.
#[derive(Clone, Copy)]
pub struct Host<'h> {
    /// Where the manifest is.
    pub location: Location<'h>,
    /// How long a call may take, when its tool does not say.
    pub timeouts: Timeouts,
    /// The host's environment: the value of a variable, if it is set.
    pub environment: &'h dyn Fn(&str) -> Option<OsString>,
}

impl fmt::Debug for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Host")
            .field("location", &self.location)
            .field("timeouts", &self.timeouts)
            .finish_non_exhaustive()
    }
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

/// What to run for one call.
///
/// Run `argv` as it is, without a shell, in the host's own working directory,
/// with `env` as the whole environment. Write `stdin` to it and close that.
/// Read its output and its errors. When `timeout` has passed, end it. Then make
/// an [`Outcome`](crate::Outcome) of what happened.
///
/// Printing a plan for debugging shows the names of variables, never their
/// values, and not the arguments of the call.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Plan<'c> {
    /// The name of the tool.
    pub tool: Text<'c>,
    /// The program and its arguments.
    pub argv: Vec<Text<'c>>,
    /// The arguments of the call, as the model wrote them.
    pub stdin: &'c [u8],
    /// The whole environment: `PATH` and `HOME` unless they are empty, and the
    /// variables that the tool asks for, if they are set.
    pub env: Vec<(Text<'c>, OsString)>,
    /// The names of the variables in `env` that the tool asked for.
    pub env_keys: Vec<Text<'c>>,
    /// How long it may take.
    pub timeout: Duration,
}

impl fmt::Debug for Plan<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<_> = self.env.iter().map(|(name, _)| name).collect();
        f.debug_struct("Plan")
            .field("tool", &self.tool)
            .field("argv", &self.argv)
            .field("stdin", &format_args!("{} bytes", self.stdin.len()))
            .field("env", &names)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl Tool<'_> {
    /// Plans a call with the arguments that the model wrote, which are passed on
    /// to the byte. Blank ones become `{}`.
    ///
    /// With the feature `schema`, `check_arguments` checks them first.
    ///
    /// ```
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
    ///     environment: &|name| match name {
    ///         "PATH" => Some("/usr/bin".into()),
    ///         "TZ" => Some("UTC".into()),
    ///         _ => None,
    ///     },
    /// };
    /// let plan = tool.plan(r#"{"zone":"UTC"}"#, &host)?;
    /// assert_eq!(plan.argv, ["/srv/agent/tools/bin/get_time"]);
    /// assert_eq!(plan.stdin, br#"{"zone":"UTC"}"#);
    /// assert_eq!(plan.env, [("PATH".into(), "/usr/bin".into()), ("TZ".into(), "UTC".into())]);
    /// assert_eq!(plan.env_keys, ["TZ"]);
    /// assert_eq!(plan.timeout.as_secs(), 30);
    /// # Ok::<(), tools_json::ResolveError>(())
    /// ```
    pub fn plan<'c>(
        &'c self,
        arguments: &'c str,
        host: &Host<'_>,
    ) -> Result<Plan<'c>, ResolveError> {
        let argv = self.resolve(&host.location)?;
        let mut env: Vec<(Text<'c>, OsString)> = Vec::new();
        for name in ["PATH", "HOME"] {
            let value = (host.environment)(name).filter(|value| !value.is_empty());
            env.extend(value.map(|value| (Text::Borrowed(name), value)));
        }
        let mut env_keys = Vec::new();
        for name in self.env_names() {
            let Some(value) = (host.environment)(&name) else {
                continue;
            };
            env_keys.push(name.clone());
            if !env.iter().any(|(there, _)| *there == name) {
                env.push((name, value));
            }
        }
        Ok(Plan {
            tool: Text::Borrowed(&self.name),
            argv,
            stdin: text_or_empty_object(arguments).as_bytes(),
            env,
            env_keys,
            timeout: self.timeout().unwrap_or(host.timeouts.for_tools()),
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
