//! Runs the smoke test of an installed tool.

use std::time::{Duration, Instant};

use disk::store::Prefix;
use host::{Origin, Values};
use toolglot::Diagnostic;
use toolglot::install_engine::smoke::{self, SmokeVerdict};

use crate::error::Error;
use crate::installer::{CheckedManifest, Installer, step_error};

/// The result of a smoke test.
pub(crate) struct SmokeRun {
    /// The conditions that do not hold.
    pub(crate) failures: Vec<Diagnostic>,
    pub(crate) duration: Duration,
}

impl Installer<'_> {
    /// Runs the smoke test of a tool with its installed programs.
    pub(crate) async fn run_smoke_test(
        &self,
        tool: &CheckedManifest<'_>,
        prefix: &Prefix,
        values: &Values,
    ) -> Result<SmokeRun, Error> {
        let options = smoke::Options::default();
        let has = |name: &str| values.has(name);
        let plan =
            smoke::plan(tool.manifest, tool.tools, &has, &options).map_err(Error::Invalid)?;
        let missing = plan.variables.iter().find(|one| one.required && !values.has(&one.name));
        if let Some(variable) = missing {
            return Err(step_error(&plan.step, &format!("{} has no value", variable.name)));
        }
        let manifest = String::from_utf8_lossy(tool.text).into_owned();
        let folder = prefix.directory.clone();
        let origin = Origin { folder, manifest: Some(manifest), prefix: prefix.clone() };
        let time = Duration::from_millis(plan.timeout_ms.unwrap_or(60_000));
        let begun = Instant::now();
        let outcome = self.host.run_unchecked(&plan.step, &origin, values, time).await;
        let took = begun.elapsed();
        let value = |name: &str| values.get(name);
        let SmokeVerdict { failures, .. } = smoke::judge(tool.manifest, &outcome, &value, &options);
        Ok(SmokeRun { failures, duration: took })
    }
}
