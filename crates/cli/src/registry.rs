//! Registries of Jumith tools: on disk, and over HTTP.

pub(crate) mod fetch;
pub(crate) mod folder;
pub(crate) mod http;
pub(crate) mod site;
pub(crate) mod unpack;
