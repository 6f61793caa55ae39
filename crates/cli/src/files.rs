//! Files: read within limits, written whole, and the places of those that a conversion needs.

pub(crate) mod bridge_files;
pub(crate) mod formats;
pub(crate) mod input;
#[cfg_attr(
    not(feature = "live"),
    expect(dead_code, reason = "most of it is for verbs that install")
)]
pub(crate) mod installable;
pub(crate) mod jsonl;
pub(crate) mod limits;
pub(crate) mod manifests;
pub(crate) mod mcpb;
pub(crate) mod output;
pub(crate) mod outputs;
pub(crate) mod package;
pub(crate) mod parallel;
pub(crate) mod parsed;
pub(crate) mod paths;
pub(crate) mod pending;
pub(crate) mod residues;
pub(crate) mod targets;
