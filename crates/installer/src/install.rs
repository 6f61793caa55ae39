//! Installs a tool.

use std::io;
use std::path::Path;

use disk::store::{InstallFolder, InstalledTool, Prefix, Record, Software, TestResult};
use host::Values;
use toolglot::call::{FindKind, Instructions, Plan, Step};
use toolglot::install_engine::acquire::{self, Installation};
use toolglot::install_engine::consent::Summary;
use toolglot::install_manifest::{FORMAT, Install};

use crate::error::Error;
use crate::installer::{CheckedManifest, Installer, step_error};
use crate::person::Person;
use crate::values;

impl Installer<'_> {
    /// Installs a tool, and returns the written record. `given` are values that the person
    /// gave beforehand.
    ///
    /// Asks the person for consent before anything else. A failure leaves no files behind,
    /// except in the storage of a container program.
    pub async fn install(
        &self,
        tool: &CheckedManifest<'_>,
        given: &Values,
        person: &mut dyn Person,
    ) -> Result<Record, Error> {
        let manifest = tool.manifest;
        if !person.confirm_install(&Summary::new(manifest)) {
            return Err(Error::Declined);
        }
        let change = self.begin_transaction()?;
        let (id, version) = (manifest.canonical_id(), &manifest.tool.version);
        for InstalledTool { record, .. } in self.store.all()? {
            let is_it = record.id == *id && record.version == **version;
            if is_it && record.format != FORMAT.name {
                return Err(Error::InstalledFromOtherFormat(record.format));
            }
        }
        let site = change.create_folder(&id, version)?;
        let plan = self.plan_install(tool, &site)?;
        let (values, variables) = values::collect(manifest, given, person)?;
        let installed = self.run_steps(tool, &plan, &site, person).await?;
        let (programs, directory) = relative_paths(&plan, &site.tool());
        let prefix = Prefix {
            programs: plan.programs.iter().map(Into::into).collect(),
            directory: plan.directory.as_ref().map(Into::into),
        };
        person.on_step("runs the smoke test");
        let run = self.run_smoke_test(tool, &prefix, &values).await?;
        if !run.failures.is_empty() {
            return Err(Error::Smoke(run.failures));
        }
        let now = Record::now_ms();
        let record = Record {
            format: FORMAT.name.to_owned(),
            method: method_name(&manifest.runtime.install).to_owned(),
            installed,
            installed_ms: now,
            variables,
            test: Some(TestResult { passed: true, at_ms: now }),
            programs,
            directory,
            ..Record::default()
        };
        Ok(change.commit(site, record, tool.text)?)
    }

    /// Plans the installation of a tool into a folder.
    fn plan_install(
        &self,
        tool: &CheckedManifest<'_>,
        site: &InstallFolder,
    ) -> Result<Installation, Error> {
        let folder = site.tool();
        let Some(folder) = folder.to_str() else {
            return Err(io::Error::other("the path of the store is not Unicode").into());
        };
        // Podman accepts the same commands.
        let podman = !host::has_program("docker") && host::has_program("podman");
        let container = if podman { "podman" } else { "docker" };
        let host = acquire::InstallHost {
            container,
            permissions: self.permissions,
            ..acquire::InstallHost::new(folder)
        };
        let plan = acquire::plan(tool.manifest, &host).map_err(Error::Invalid)?;
        if plan.builds { Err(Error::BuildNotAllowed) } else { Ok(plan) }
    }

    /// Carries out every step, and returns the installed software.
    async fn run_steps(
        &self,
        tool: &CheckedManifest<'_>,
        plan: &Installation,
        site: &InstallFolder,
        person: &mut dyn Person,
    ) -> Result<Vec<Software>, Error> {
        for one in &plan.plans {
            person.on_step(&one.step.to_string());
            self.run_step(one, &site.tool(), person).await?;
        }
        let listed = match &plan.listing {
            // Without a list, the record has what the manifest declares.
            Some(listing) => self.run_plan(listing, &site.tool()).await.ok(),
            None => None,
        };
        let mut installed = Vec::new();
        for part in acquire::components(tool.manifest, listed.as_ref()) {
            installed.push(Software { name: part.name, version: part.version });
        }
        Ok(installed)
    }

    /// Carries out one step. Only the person knows which MCP servers their host has.
    async fn run_step(
        &self,
        plan: &Plan,
        folder: &Path,
        person: &mut dyn Person,
    ) -> Result<(), Error> {
        match &plan.step {
            Step::Find(sought) if sought.what == FindKind::Server => {
                let text = format!("Your host must know the MCP server {}.", sought.name);
                if person.confirm_done(&Instructions { url: None, text: Some(text) }) {
                    Ok(())
                } else {
                    Err(step_error(&plan.step, "the host does not know it"))
                }
            }
            _ => {
                self.run_plan(plan, folder).await?;
                Ok(())
            }
        }
    }
}

/// Returns the folders of the programs and the working directory, relative to the folder of
/// the tool.
fn relative_paths(plan: &Installation, folder: &Path) -> (Vec<String>, Option<String>) {
    let programs = plan.programs.iter().map(|path| relative_path(path, folder)).collect();
    (programs, plan.directory.as_ref().map(|path| relative_path(path, folder)))
}

fn relative_path(path: &str, folder: &Path) -> String {
    let path = Path::new(path);
    path.strip_prefix(folder).unwrap_or(path).display().to_string()
}

/// Returns the name of an installation method, for the record.
const fn method_name(install: &Install<'_>) -> &'static str {
    match install {
        Install::Pip { .. } => "pip",
        Install::Npm { .. } => "npm",
        Install::Git { .. } => "git",
        Install::Container { .. } => "container",
        Install::Url { .. } => "url",
        Install::Preinstalled { .. } => "preinstalled",
    }
}
