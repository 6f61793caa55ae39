//! Checks if a tool is still the approved one.

use disk::store::{FileChange, InstalledTool, Record, TestResult};
use host::Values;
use serde::Serialize;
use toolglot::core::sha256_hex;
use toolglot::install_engine::acquire;
use toolglot::install_engine::verify::{MIN_SAMPLES, Sample, broken_promises, is_due};
use toolglot::install_manifest::{Install, Locator, Verify};
use toolglot::mcpkg::meta::ed25519::SignatureStatus;

use crate::error::Error;
use crate::installer::{CheckedManifest, Installer};
use crate::person::Person;
use crate::values;

/// The maximum number of changed files that a check names.
const MAX_NAMED_FILES: usize = 20;

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Check {
    /// The subject of the check: `manifest`, `package`, `files`, `signature`, `approval`,
    /// `content`, `source`, `preinstalled`, `smoke`, `sla`, `schedule`, `suite`.
    pub what: &'static str,
    /// True if the check passed, or `None` if the result is unknown.
    pub holds: Option<bool>,
    /// A description of the result.
    pub found: String,
}

impl Check {
    /// Creates a check that passed or failed.
    pub fn new(what: &'static str, holds: bool, found: impl Into<String>) -> Self {
        Self { what, holds: Some(holds), found: found.into() }
    }

    /// Creates a check with an unknown result, for this reason.
    pub fn unknown(what: &'static str, why: impl Into<String>) -> Self {
        Self { what, holds: None, found: why.into() }
    }
}

impl Installer<'_> {
    /// Checks an installed tool. `tool` is its current manifest: a file that the user
    /// named, or the stored copy. If `values` are given, the smoke test runs. If the
    /// manifest promises times or an error rate, it runs often enough to measure them.
    pub async fn verify(
        &self,
        tool: &CheckedManifest<'_>,
        installed: &InstalledTool,
        values: Option<&Values>,
        person: &mut dyn Person,
    ) -> Result<Vec<Check>, Error> {
        let mut checks = vec![check_manifest(tool, installed)?, files_check(&installed.changes()?)];
        if let Install::Preinstalled { locator } = &tool.manifest.runtime.install {
            checks.push(self.check_preinstalled(tool, installed, locator).await?);
        }
        if let Some(given) = values {
            checks.extend(self.smoke(tool, installed, given, person).await?);
        }
        let last_test = match (values, &installed.record.test) {
            (None, Some(test)) => test.at_ms,
            _ => Record::now_ms(),
        };
        if let Some(verify) = &tool.manifest.verify {
            checks.extend(check_schedule(verify, last_test));
        }
        Ok(checks)
    }

    /// Checks that a preinstalled tool is still present.
    async fn check_preinstalled(
        &self,
        tool: &CheckedManifest<'_>,
        installed: &InstalledTool,
        locator: &Locator<'_>,
    ) -> Result<Check, Error> {
        if let Locator::McpServerId { .. } = locator {
            let why = "which servers there are, the host of the tool knows";
            return Ok(Check::unknown("preinstalled", why));
        }
        let plan = acquire::plan(tool.manifest, &acquire::InstallHost::new(""));
        for one in &plan.map_err(Error::Invalid)?.plans {
            if let Err(error) = self.run_plan(one, &installed.tool()).await {
                return Ok(Check::new("preinstalled", false, error.to_string()));
            }
        }
        Ok(Check::new("preinstalled", true, "it is there"))
    }

    /// Runs the smoke test, and records the result.
    async fn smoke(
        &self,
        tool: &CheckedManifest<'_>,
        installed: &InstalledTool,
        given: &Values,
        person: &mut dyn Person,
    ) -> Result<Vec<Check>, Error> {
        let (values, _) = values::collect(tool.manifest, given, person)?;
        let sla = tool.manifest.verify.as_ref().and_then(|asked| asked.sla.as_ref());
        let mut samples = Vec::new();
        let mut failures = Vec::new();
        for time in 0..if sla.is_some() { MIN_SAMPLES } else { 1 } {
            let run = self.run_smoke_test(tool, &installed.prefix(), &values).await?;
            let ms = u64::try_from(run.duration.as_millis()).unwrap_or(u64::MAX);
            samples.push(Sample { ms, passed: run.failures.is_empty() });
            if time == 0 {
                failures = run.failures;
            }
        }
        let passed = failures.is_empty();
        let mut checks = vec![if passed {
            Check::new("smoke", true, "it passed")
        } else {
            let failures: Vec<String> = failures.iter().map(ToString::to_string).collect();
            Check::new("smoke", false, failures.join("; "))
        }];
        if let Some(sla) = sla {
            let broken = broken_promises(sla, &samples);
            checks.push(if broken.is_empty() {
                let found = format!("{MIN_SAMPLES} runs of the smoke test keep what is promised");
                Check::new("sla", true, found)
            } else {
                Check::new("sla", false, broken.join("; "))
            });
        }
        let test = Some(TestResult { passed, at_ms: Record::now_ms() });
        self.begin_transaction()?.write_record(&Record { test, ..installed.record.clone() })?;
        Ok(checks)
    }
}

/// Checks if a manifest is the approved one.
fn check_manifest(tool: &CheckedManifest<'_>, installed: &InstalledTool) -> Result<Check, Error> {
    let agreed = &installed.record.manifest;
    let now = sha256_hex(tool.text);
    Ok(if now != *agreed {
        let found = format!("agreed to was sha256:{agreed}, this is sha256:{now}");
        Check::new("manifest", false, found)
    } else if installed.manifest()?.is_none() {
        Check::new("manifest", false, "the copy in the store is gone, or another")
    } else {
        Check::new("manifest", true, format!("sha256:{now}"))
    })
}

/// Creates the check of the installed files from their changes.
pub(crate) fn files_check(changed: &[FileChange]) -> Check {
    if changed.is_empty() {
        return Check::new("files", true, "all are as they were installed");
    }
    let mut named: Vec<String> =
        changed.iter().take(MAX_NAMED_FILES).map(ToString::to_string).collect();
    if changed.len() > MAX_NAMED_FILES {
        named.push(format!("and {} more", changed.len() - MAX_NAMED_FILES));
    }
    Check::new("files", false, named.join("; "))
}

impl From<&SignatureStatus> for Check {
    /// Creates the check of a signature. Its result is unknown if the package is unsigned,
    /// or if no key of the publisher is trusted.
    fn from(standing: &SignatureStatus) -> Self {
        let holds = match standing {
            SignatureStatus::Good { .. } => Some(true),
            SignatureStatus::Broken { .. } => Some(false),
            _ => None,
        };
        Self { what: "signature", holds, found: standing.to_string() }
    }
}

/// Checks the schedule and the suite of a manifest.
fn check_schedule(verify: &Verify<'_>, last_test: u64) -> Vec<Check> {
    let mut checks = Vec::new();
    if let Some(schedule) = &verify.schedule {
        let due = is_due(schedule, Record::now_ms().saturating_sub(last_test));
        let found = if due { "the smoke test is due" } else { "the smoke test is not due" };
        checks.push(Check::new("schedule", !due, found));
    }
    if verify.suite.is_some() {
        let why = "it is not run: no manifest says how, each tool has a runner of its own";
        checks.push(Check::unknown("suite", why));
    }
    checks
}
