//! The rules that a format's host follows around a call.

use crate::descriptor::{EnvVar, ToolDescriptor};

/// The rules that a host follows around a call: short descriptions for reports, and
/// [`HostRules`] for programs that make calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The treatment of arguments that the input schema does not name, for example
    /// [`Contract::REFUSED`].
    pub extra_arguments: &'static str,
    /// The location of examples, tests and checks. Empty if the format has none.
    pub examples: &'static str,
    /// True if the defaults of the input schema are filled in first.
    pub fills_defaults: bool,
    /// True if the host obeys a declared time-out.
    pub keeps_timeout: bool,
    /// The environment of a call, besides the declared variables.
    pub environment: &'static str,
    /// The working directory of a program.
    pub directory: &'static str,
    /// The time limit of a call that declares no time-out.
    pub timeout: &'static str,
    /// The part of the outcome that is the result.
    pub result: &'static str,
    /// The outcomes that count as a failure.
    pub failure: &'static str,
    /// The same rules, as values for programs that make calls.
    pub host_rules: HostRules,
}

impl Contract {
    /// The value of [`Contract::extra_arguments`] for hosts that refuse such arguments.
    pub const REFUSED: &'static str = "refused";
    /// The value of [`Contract::timeout`] if neither host nor specification sets a limit.
    pub const UNSPECIFIED: &'static str = "not said";
    /// A host whose rules are not specified, for formats that declare some of them.
    pub const UNKNOWN: Self = Self {
        extra_arguments: Self::UNSPECIFIED,
        examples: "",
        fills_defaults: false,
        keeps_timeout: false,
        environment: Self::UNSPECIFIED,
        directory: Self::UNSPECIFIED,
        timeout: Self::UNSPECIFIED,
        result: Self::UNSPECIFIED,
        failure: Self::UNSPECIFIED,
        host_rules: HostRules::PLAIN,
    };
}

/// The rules that a host follows around a call, as values for programs that make calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRules {
    /// How results and failures are recognised.
    pub outcome_rules: OutcomeRules,
    /// The place to search for a program whose path is not absolute.
    pub program_search: ProgramSearch,
    /// The variables of the host's own environment that a program inherits.
    pub inherited_env: &'static [&'static str],
    /// The default time-out in milliseconds, if the format defines one.
    pub default_timeout_ms: Option<u32>,
    /// The maximum time-out in milliseconds, if the format defines one.
    pub max_timeout_ms: Option<u32>,
    /// True if a variable is required unless it declares the opposite.
    pub variables_required: bool,
    /// The upper-case prefix of the variables that hold the result of an OAuth sign-in. If
    /// it is set, a tool that requires a sign-in is not called unless it declares such a
    /// variable.
    pub sign_in_prefix: Option<&'static str>,
}

impl HostRules {
    /// The result as the tool declares it, programs of the search path, and the variables
    /// that programs usually need.
    pub const PLAIN: Self = Self {
        outcome_rules: OutcomeRules::Declared,
        program_search: ProgramSearch::SearchPath,
        inherited_env: &["PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "SYSTEMROOT"],
        default_timeout_ms: None,
        max_timeout_ms: None,
        variables_required: false,
        sign_in_prefix: None,
    };

    /// Returns true if a call requires a value for this variable.
    pub fn requires(&self, variable: &EnvVar<'_>) -> bool {
        match &variable.required {
            Some(required) => required.value,
            None => self.variables_required,
        }
    }

    /// Returns true if a tool requires an OAuth sign-in first, and declares no variable for
    /// it.
    pub fn lacks_sign_in(&self, tool: &ToolDescriptor<'_>) -> bool {
        let (Some(prefix), Some(scheme)) = (self.sign_in_prefix, &tool.auth.scheme) else {
            return false;
        };
        let mut variables = tool.package.env.iter();
        scheme.value == "oauth2"
            && !variables.any(|variable| variable.name.to_uppercase().starts_with(prefix))
    }
}

/// How a host recognises the result of a call, and a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum OutcomeRules {
    /// The output format that the tool declares. An exit code other than 0 or a status
    /// other than 2xx is a failure.
    Declared,
    /// JSON. An exit code other than 0 or a status other than 2xx is a failure.
    Json,
    /// JSON. An empty body is `{}`. A body that is not JSON is wrapped together with its
    /// status. No status is a failure, but an exit code other than 0 is.
    AnyStatus,
    /// Standard output on one line, in any format. An exit code other than 0 is a failure.
    OneLine,
    /// The exit code, standard output and standard error of a program, as JSON. The call
    /// does not fail, whatever the exit code.
    Process,
}

/// The place to search for a program whose path is not absolute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ProgramSearch {
    /// The search path or, if the path contains a slash, the working directory.
    #[default]
    SearchPath,
    /// The search path or, if the path contains a slash, the folder of the manifest.
    Folder,
    /// `/bin` and `/usr/bin` or, if the path contains a slash, the working directory.
    System,
}
