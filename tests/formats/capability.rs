//! Tests of `capability`.

mod catalogs;
mod gates;
mod install;
mod lens;
mod mutants;
mod robust;
mod secrets;
mod table;
mod vectors;
