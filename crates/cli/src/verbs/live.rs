//! Verbs that call, serve, install and share tools: the feature `live`.
//!
//! They start programs and connect to servers. The rest of this crate only reads and writes
//! files.

use crate::terminal::console::{Failure, Terminal};
use clap::Subcommand;
use toolglot::Formats;

mod approve;
mod audit;
mod bridge;
mod bundle;
mod call;
mod call_chain;
mod call_errors;
mod callable;
mod catalog;
mod chain;
mod consent;
mod consent_prompt;
mod doctor;
mod fetch;
mod index;
mod inspect;
mod install;
mod install_package;
mod installed;
mod keygen;
mod mcp;
mod modules;
mod package_list;
mod package_query;
mod packages;
mod plan;
mod policy_file;
mod publish;
mod pull;
mod remotes;
mod revoke;
mod search;
mod serve;
mod sign;
mod state;
mod test;
mod tester;
mod trust;
mod values;
mod verify;

#[derive(Subcommand)]
pub(crate) enum Verb {
    Call(call::Args),
    Bridge(bridge::Args),
    Mcp(mcp::Args),
    Approve(approve::Args),
    Search(search::Args),
    Pull(pull::Args),
    Bundle(bundle::Args),
    Publish(publish::Args),
    Yank(publish::YankArgs),
    Serve(serve::Args),
    Inspect(inspect::Args),
    Test(test::Args),
    Catalog(catalog::Args),
    Chain(chain::Args),
    Consent(consent::Args),
    Plan(plan::Args),
    Index(index::Args),
    Install(install::Args),
    Installed(installed::Args),
    Verify(verify::Args),
    Revoke(revoke::Args),
    Keygen(keygen::Args),
    Sign(sign::Args),
    Trust(trust::Args),
    Where(state::WhereArgs),
    Forget(state::ForgetArgs),
    Doctor(doctor::Args),
}

impl Verb {
    pub(crate) fn run(
        &self,
        formats: Formats<'static>,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        match self {
            Self::Call(args) => call::run(args, formats, terminal),
            Self::Bridge(args) => bridge::run(args, formats, terminal),
            Self::Mcp(args) => mcp::run(args, formats, terminal),
            Self::Approve(args) => approve::run(args, formats, terminal),
            Self::Search(args) => search::run(args, terminal),
            Self::Pull(args) => pull::run(args, terminal),
            Self::Bundle(args) => bundle::run(args, terminal),
            Self::Publish(args) => publish::run(args, terminal),
            Self::Yank(args) => publish::yank(args, terminal),
            Self::Serve(args) => serve::run(args, formats, terminal),
            Self::Inspect(args) => inspect::run(args, terminal),
            Self::Test(args) => test::run(args, terminal),
            Self::Catalog(args) => catalog::run(args, terminal),
            Self::Chain(args) => chain::run(args, terminal),
            Self::Consent(args) => consent::run(args, terminal),
            Self::Plan(args) => plan::run(args, formats, terminal),
            Self::Index(args) => index::run(args, terminal),
            Self::Install(args) => install::run(args, terminal),
            Self::Installed(args) => installed::run(args, terminal),
            Self::Verify(args) => verify::run(args, formats, terminal),
            Self::Revoke(args) => revoke::run(args, terminal),
            Self::Keygen(args) => keygen::run(args, terminal),
            Self::Sign(args) => sign::run(args, terminal),
            Self::Trust(args) => trust::run(args, terminal),
            Self::Where(args) => state::print_locations(args, terminal),
            Self::Forget(args) => state::forget(args, terminal),
            Self::Doctor(args) => doctor::run(args, formats, terminal),
        }
    }
}
