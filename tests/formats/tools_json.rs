//! Tests of `tools-json`.

mod agentcli;
mod attacks;
mod audit;
mod call;
mod lens;
mod path;
mod reference;
mod table;
