//! Tests of `install-manifest`.

mod attacks;
mod differential;
mod generated;
mod lens;
mod rules;
mod table;
mod vectors;
