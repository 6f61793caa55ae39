//! The inputs of an installation.

use std::path::Path;
use std::time::Duration;

use disk::store::Prefix;
use disk::store::{Change, Store};
use host::{Host, Limits, Options, Origin, Values};
use toolglot::ToolDescriptor;
use toolglot::call::{Next, Outcome, Plan, Step};
use toolglot::core::Limits as Documents;
use toolglot::install_engine::acquire::Allowed;
use toolglot::install_manifest::Manifest;

use crate::error::Error;

/// The maximum duration of one step of an installation.
pub(crate) const LONGEST: Duration = Duration::from_secs(30 * 60);

/// A manifest that was read and checked, with its tools.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // callers write it as a literal
pub struct Tool<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// The parsed manifest.
    pub manifest: &'a Manifest<'a>,
    /// Its actions as tools.
    pub tools: &'a [ToolDescriptor<'a>],
}

/// Installs tools.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // callers write it as a literal
pub struct Installer<'i> {
    /// Carries out the steps. Create it with [`options`], whose limits suit installations.
    pub host: &'i Host,
    /// Contains the installed tools.
    pub store: &'i Store,
    /// The code that the person allowed to run, in addition to the consent to a tool.
    pub allowed: Allowed,
}

/// Returns the options of a host for installations. Downloads may be larger than answers of
/// tools.
pub fn options(private_addresses: bool) -> Options {
    let limits = Limits { answer_bytes: 512 << 20, ..Limits::default() };
    Options { limits, private_addresses, ..Options::default() }
}

impl Installer<'_> {
    /// Locks the store to change it. Fails if another process is changing it.
    pub(crate) fn change(&self) -> Result<Change<'_>, Error> {
        self.store.change()?.ok_or(Error::Busy)
    }

    /// Carries out a plan that is not a call, in this folder, and returns its outcome. If a
    /// program fails, the error contains its error output.
    pub(crate) async fn carry_out(&self, plan: &Plan, folder: &Path) -> Result<Outcome, Error> {
        let prefix = Prefix { directory: Some(folder.to_owned()), ..Prefix::default() };
        let origin = Origin { prefix, ..Origin::folder(folder) };
        let outcome = self.host.carry_out(&plan.step, &origin, &Values::new(), LONGEST).await;
        match plan.next(&outcome, &Documents::default()) {
            Next::Done(Ok(_)) => Ok(outcome),
            Next::Done(Err(failure)) => Err(failed(&plan.step, &failure.to_string())),
            Next::Go(_) => Err(failed(&plan.step, "it asks for another step")),
        }
    }
}

pub(crate) fn failed(step: &Step, why: &str) -> Error {
    Error::Step(step.to_string(), why.to_owned())
}
