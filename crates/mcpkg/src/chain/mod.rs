//! Chains: tools that call other tools, one after the other.

mod check;

pub(crate) use check::check;
