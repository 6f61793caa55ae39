//! What installing takes.

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

/// No step of an installation takes longer.
pub(crate) const LONGEST: Duration = Duration::from_secs(30 * 60);

/// A manifest that was read and checked, with the tools in it.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // whoever read it makes it
pub struct Tool<'a> {
    /// Its text.
    pub text: &'a [u8],
    /// What it says.
    pub manifest: &'a Manifest<'a>,
    /// Its actions.
    pub tools: &'a [ToolDescriptor<'a>],
}

/// Installs tools.
#[derive(Clone, Copy, Debug)]
#[allow(clippy::exhaustive_structs)] // whoever installs makes it
pub struct Installer<'i> {
    /// Carries out steps. [`options`] lets it take what installing takes.
    pub host: &'i Host,
    /// Where tools are kept.
    pub store: &'i Store,
    /// What the person agreed to beyond the consent to a tool.
    pub allowed: Allowed,
}

/// What a host may do that installs: files are larger than answers.
pub fn options(private_addresses: bool) -> Options {
    let limits = Limits { answer_bytes: 512 << 20, ..Limits::default() };
    Options { limits, private_addresses, ..Options::default() }
}

impl Installer<'_> {
    /// The store, while nobody else changes it.
    pub(crate) fn change(&self) -> Result<Change<'_>, Error> {
        self.store.change()?.ok_or(Error::Busy)
    }

    /// Carries a plan out that is no call, in this folder, and gives what came of it. A failure
    /// tells what the program said last.
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

/// A step that failed.
pub(crate) fn failed(step: &Step, why: &str) -> Error {
    Error::Step(step.to_string(), why.to_owned())
}
