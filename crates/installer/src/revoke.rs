//! Revokes a tool.

use disk::store::InstalledTool;
use host::{Origin, Values};
use toolglot::call::{Outcome, Step};
use toolglot::install_engine::revoke::{self, Revocation};

use crate::error::Error;
use crate::installer::{CheckedManifest, Installer, STEP_TIMEOUT, step_error};
use crate::person::Person;
use crate::values;

impl Installer<'_> {
    /// Carries out the kill switch of a tool, and removes the tool. Returns the names of
    /// the secrets that should be deleted wherever they are stored.
    ///
    /// If the kill switch fails, the tool stays, so that it can be revoked again. With
    /// `anyway`, it is removed nevertheless, and no names are returned.
    pub async fn revoke(
        &self,
        tool: &CheckedManifest<'_>,
        installed: &InstalledTool,
        given: &Values,
        anyway: bool,
        person: &mut dyn Person,
    ) -> Result<Vec<String>, Error> {
        let change = self.begin_transaction()?;
        let forget = match self.run_kill_switch(tool, installed, given, person).await {
            Ok(forget) => forget,
            Err(error) if anyway => {
                person.on_step(&format!("goes on although {error}"));
                Vec::new()
            }
            Err(error) => return Err(error),
        };
        change.remove(&installed.record)?;
        Ok(forget)
    }

    async fn run_kill_switch(
        &self,
        tool: &CheckedManifest<'_>,
        installed: &InstalledTool,
        given: &Values,
        person: &mut dyn Person,
    ) -> Result<Vec<String>, Error> {
        let Revocation { plan, forget, .. } =
            revoke::plan(tool.manifest, tool.tools, &|_: &str| true)
                .map_err(|found| Error::Invalid(vec![found]))?;
        let Some(plan) = plan else { return Ok(forget) };
        person.on_step(&plan.step.to_string());
        let outcome = if let Step::Ask(instructions) = &plan.step {
            if !person.confirm_done(instructions) {
                return Err(Error::Declined);
            }
            Outcome::Done
        } else {
            let values = if plan.step.variables().is_empty() {
                Values::new()
            } else {
                values::collect(tool.manifest, given, person)?.0
            };
            let prefix = installed.prefix();
            let origin = Origin { folder: prefix.directory.clone(), manifest: None, prefix };
            self.host.run_unchecked(&plan.step, &origin, &values, STEP_TIMEOUT).await
        };
        revoke::judge(&outcome).map_err(|why| step_error(&plan.step, &why))?;
        Ok(forget)
    }
}
