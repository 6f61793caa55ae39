//! MCPKG packages, for the verbs that read or write them.

use std::path::{Path, PathBuf};

use toolglot::core::SourceText;
use toolglot::mcpkg::package::{CheckOptions, Findings, Package};
use toolglot::{Profile, Report, ValidateOptions};

use crate::files::input::Input;
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};

/// Reads a file that may be a package. Stops reading once the file exceeds the limit.
pub(crate) fn load(path: &Path, terminal: &Terminal) -> Result<Input, Failure> {
    let input = Input::load(path, limits::document().archive_bytes);
    input.map_err(|error| terminal.usage_error(&error))
}

/// Returns the package in a file, or a report if it is not one.
pub(crate) fn read(input: &Input) -> Result<Package<'_>, Report> {
    let manifest = matches!(input.bytes().trim_ascii_start(), [b'{' | b'[', ..]);
    Package::read(input.bytes(), &limits::document()).map_err(|mut report| {
        for found in report.diagnostics.iter_mut().filter(|_| manifest) {
            *found = found.clone().help("this is JSON: `toolglot validate` reads manifests");
        }
        report
    })
}

/// Like `read`, but shows the report.
pub(crate) fn open<'i>(input: &'i Input, terminal: &Terminal) -> Result<Package<'i>, Failure> {
    read(input).map_err(|report| refuse(&input.display_name(), &report, terminal))
}

/// Shows why a package is refused.
#[must_use]
pub(crate) fn refuse(name: &str, report: &Report, terminal: &Terminal) -> Failure {
    terminal.show(report, None);
    terminal.error(&format!("{name} is refused"));
    Failure::Invalid
}

/// Returns the options for checking a package. The clock is read here, because library
/// crates do not read it.
pub(crate) fn check_options(profile: Profile, file: Option<&Path>) -> CheckOptions {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    CheckOptions {
        validate: ValidateOptions { profile, ..limits::validate_options() },
        file_name: file.and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned()),
        now: now.ok().and_then(|now| i64::try_from(now.as_secs()).ok()),
    }
}

/// Returns a file of a package, for the findings about it. Findings about the archive, or
/// about a missing file, have no text.
pub(crate) fn source_text<'p>(package: &'p Package<'_>, name: &'p str) -> SourceText<'p> {
    SourceText { name, bytes: package.file(name).unwrap_or(&[]) }
}

/// Shows the findings of a package, with the lines that they refer to.
pub(crate) fn show_findings(findings: &Findings, package: &Package<'_>, terminal: &Terminal) {
    for found in &findings.files {
        let source = source_text(package, &found.file);
        terminal.show(&found.report, (!found.file.is_empty()).then_some(&source));
    }
}

/// Returns true if two paths lead to the same file.
pub(crate) fn is_same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or(PathBuf::from(path));
    real(a) == real(b)
}
