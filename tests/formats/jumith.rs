//! Tests of `jumith`.

mod bundles;
mod client;
mod host;
mod hostile;
mod hub;
mod lens;
mod search;
mod server;
mod table;
mod vectors;
