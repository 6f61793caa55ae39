//! The arguments of `toolglot validate`, and texts for its results.

use std::path::PathBuf;

use clap::ValueEnum;
use toolglot::core::path::PathStyle;
use toolglot::{Format, Profile, Report, Severity, ValidateOptions};

use crate::files::formats;
use crate::files::jsonl::Jsonl;
use crate::files::limits;
use crate::terminal::problem::FindingStyle;

/// Check files, and say all that is wrong with them
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot validate tools.json
  toolglot validate --profile strict --format json manifests/
  toolglot validate --format sarif manifests/ > found.sarif
  toolglot validate --fix tools.json
  toolglot validate --jsonl big.tools.json
  toolglot explain json/unknown-member

With --jsonl each file is a stream: JSON Lines, an array, or a catalog, however long. The verdict
is one for each entry, and for what is around the list of a catalog if that is not in order.

Exit codes: 0 all valid, 1 some invalid, 2 wrong usage or unreadable files")]
pub(crate) struct Args {
    /// The files to check, folders of them, or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The format of the files; without it, each is detected
    #[arg(long, value_name = "FORMAT", value_parser = formats::parser())]
    pub(crate) from: Option<&'static Format>,
    /// Whose behaviour to follow
    #[arg(long, value_name = "PROFILE", default_value = "spec")]
    pub(crate) profile: ProfileName,
    /// The system that tools are to run on: it decides whether the path of a program is absolute
    #[arg(long, value_name = "SYSTEM", default_value = "posix")]
    pub(crate) platform: PlatformName,
    /// How to print the result
    #[arg(long, value_name = "STYLE", default_value = "text")]
    pub(crate) format: FindingStyle,
    /// Correct what has one obvious correction, in the files: misspelt names and words, versions
    /// such as v1.2
    #[arg(long, conflicts_with = "jsonl")]
    pub(crate) fix: bool,
    /// Pass over files in no known format, as below a folder
    #[arg(long)]
    pub(crate) known_only: bool,
    /// Whether files are streams.
    #[command(flatten)]
    pub(crate) jsonl: Jsonl,
}

/// Whose behaviour to follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProfileName {
    /// The text of the specification
    Spec,
    /// The specification, with every warning an error
    Strict,
}

/// A kind of system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlatformName {
    /// Linux, macOS and others
    Posix,
    /// Windows
    Windows,
}

impl From<PlatformName> for PathStyle {
    fn from(name: PlatformName) -> Self {
        match name {
            PlatformName::Posix => Self::Posix,
            PlatformName::Windows => Self::Windows,
        }
    }
}

impl From<ProfileName> for Profile {
    fn from(name: ProfileName) -> Self {
        match name {
            ProfileName::Spec => Self::Spec,
            ProfileName::Strict => Self::Strict,
        }
    }
}

impl Args {
    /// Returns the options for validating documents.
    pub(crate) fn options(&self) -> ValidateOptions {
        let (profile, platform) = (self.profile.into(), self.platform.into());
        ValidateOptions { profile, platform, ..limits::validate_options() }
    }
}

/// Returns true for a count of zero, which is not serialised.
#[allow(clippy::trivially_copy_pass_by_ref)] // the signature that serde asks for
pub(crate) fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// Returns the number of diagnostics of each severity, such as `, 2 warnings`.
pub(crate) fn counts(report: &Report) -> String {
    let number = |severity, word| {
        let found = report.diagnostics.iter();
        match found.filter(|found| found.severity == severity).count() {
            0 => String::new(),
            1 => format!(", 1 {word}"),
            many => format!(", {many} {word}s"),
        }
    };
    let left_out = match report.left_out {
        0 => String::new(),
        more => format!(", {more} more"),
    };
    number(Severity::Error, "error")
        + &number(Severity::Warning, "warning")
        + &number(Severity::Info, "info")
        + &left_out
}
