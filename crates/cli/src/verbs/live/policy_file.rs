//! Policies that a person keeps in a file.

use std::path::PathBuf;

use toolglot::call::Policy;

use crate::files::input::Input;
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};

/// A policy of the person.
#[derive(clap::Args)]
pub(crate) struct PolicyFile {
    /// A file that says what is granted, a JSON object
    #[arg(
        long = "policy",
        value_name = "FILE",
        long_help = "\
A file that says what is granted, a JSON object:
  grants   approved, unknown, disabled, untrusted: what is not asked or refused
  effects  none, read, write, destructive: the most that tools may change unasked
  files    none, read, write: the most that they may do with files unasked
  hosts    the hosts that they may reach unasked; any, if there is no list
  devices  the devices that they may use unasked
  channels vdi_vpn: how they may be driven beside programmatic"
    )]
    policy_file: Option<PathBuf>,
}

impl PolicyFile {
    /// Reads the policy file. Without one, returns the default policy.
    pub(crate) fn read(&self, terminal: &Terminal) -> Result<Policy, Failure> {
        let Some(file) = &self.policy_file else { return Ok(Policy::default()) };
        let input = Input::read(file, limits::document().document_bytes, terminal)?;
        serde_json::from_slice(input.bytes()).map_err(|error| {
            terminal.usage_error(&format!("{} is no policy: {error}", input.display_name()))
        })
    }
}
