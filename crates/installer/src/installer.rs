//! The inputs of an installation.

use std::path::Path;
use std::time::Duration;

use disk::store::{Prefix, Store, StoreTransaction};
use host::{Host, Limits, Options, Origin, Values};
use toolglot::ToolDescriptor;
use toolglot::call::{Next, Outcome, Plan, Step};
use toolglot::core::Limits as Documents;
use toolglot::install_engine::acquire::CodePermissions;
use toolglot::install_manifest::Manifest;

use crate::error::Error;

/// The maximum duration of one step of an installation.
pub(crate) const STEP_TIMEOUT: Duration = Duration::from_secs(30 * 60);

/// A manifest that was read and checked, with its tools.
#[derive(Clone, Copy, Debug)]
pub struct CheckedManifest<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// The parsed manifest.
    pub manifest: &'a Manifest<'a>,
    /// Its actions as tools.
    pub tools: &'a [ToolDescriptor<'a>],
}

/// Installs tools.
#[derive(Clone, Copy, Debug)]
pub struct Installer<'i> {
    /// Carries out the steps. Create it with [`host_options`], whose limits suit installations.
    pub host: &'i Host,
    /// Contains the installed tools.
    pub store: &'i Store,
    /// The code that the person allowed to run, in addition to the consent to a tool.
    pub permissions: CodePermissions,
}

/// Returns the options of a host for installations. Downloads may be larger than answers of
/// tools.
pub fn host_options(private_addresses: bool) -> Options {
    let limits = Limits { answer_bytes: 512 << 20, ..Limits::default() };
    Options { limits, private_addresses, ..Options::default() }
}

impl Installer<'_> {
    /// Locks the store to change it. Fails if another process is changing it.
    pub(crate) fn begin_transaction(&self) -> Result<StoreTransaction<'_>, Error> {
        self.store.begin_transaction()?.ok_or(Error::Busy)
    }

    /// Carries out a plan that is not a call, in this folder, and returns its outcome. If a
    /// program fails, the error contains its error output.
    pub(crate) async fn run_plan(&self, plan: &Plan, folder: &Path) -> Result<Outcome, Error> {
        let prefix = Prefix { directory: Some(folder.to_owned()), ..Prefix::default() };
        let origin = Origin { prefix, ..Origin::folder(folder) };
        let outcome =
            self.host.run_unchecked(&plan.step, &origin, &Values::new(), STEP_TIMEOUT).await;
        match plan.next(&outcome, &Documents::default()) {
            Next::Done(Ok(_)) => Ok(outcome),
            Next::Done(Err(failure)) => Err(step_error(&plan.step, &failure.to_string())),
            Next::Go(_) => Err(step_error(&plan.step, "it asks for another step")),
        }
    }
}

pub(crate) fn step_error(step: &Step, why: &str) -> Error {
    Error::Step(step.to_string(), why.to_owned())
}
