//! Flags for the tools that a conversion leaves out and the losses that it accepts.

use std::collections::BTreeSet;

use clap::ValueEnum;
use toolglot::{AcceptedLoss, ToolFilter};

/// What to leave out, and what to accept.
#[derive(Clone, clap::Args)]
pub(crate) struct Choices {
    /// Leave out tools of these kinds
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    without: Vec<Kind>,
    /// Accept what would refuse the conversion
    #[arg(long, value_name = "WHAT", value_delimiter = ',')]
    accept: Vec<Risk>,
}

/// Tools that can be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// Those that are switched off
    Disabled,
    /// Those that a person must approve
    Approval,
}

/// What can be accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Risk {
    /// That a tool that is switched off becomes callable
    Disabled,
    /// That nobody is asked before a call that needs approval
    Approval,
    /// With --strict, that a call goes through the bridge
    Bridge,
    /// That a tool gets another version, where the target cannot say the one that it has
    Version,
}

impl Choices {
    /// Returns the kinds of tools to leave out.
    pub(crate) fn without(&self) -> BTreeSet<ToolFilter> {
        let choice = |kind: &Kind| match kind {
            Kind::Disabled => ToolFilter::Disabled,
            Kind::Approval => ToolFilter::Approval,
        };
        self.without.iter().map(choice).collect()
    }

    /// Returns the losses that the person accepts.
    pub(crate) fn accept(&self) -> BTreeSet<AcceptedLoss> {
        let accept = |risk: &Risk| match risk {
            Risk::Disabled => AcceptedLoss::Disabled,
            Risk::Approval => AcceptedLoss::Approval,
            Risk::Bridge => AcceptedLoss::Bridge,
            Risk::Version => AcceptedLoss::Version,
        };
        self.accept.iter().map(accept).collect()
    }
}
