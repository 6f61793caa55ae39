//! Rates how well tools fit a machine.

use std::collections::{BTreeMap, BTreeSet};

use manifest_core::Limits;
use manifest_core::json::{Document, Node};

use crate::manifest::{Implementation, Manifest};
use crate::select::{Host, select};

/// The fit of an implementation that runs on any machine.
const ANY_MACHINE: f64 = 0.75;

/// Returns how well a tool fits a host. The result is one if an implementation that fits
/// was made for the platform or the GPU of the host, less if it runs on any host, and zero
/// if no implementation fits. A tool without implementations fits any host.
pub fn fit(manifest: &Manifest<'_>, host: &Host, limits: &Limits) -> f64 {
    if manifest.implementations.is_empty() {
        return ANY_MACHINE;
    }
    let mut best = 0.0_f64;
    for candidate in select(manifest, host, limits).ranked {
        if let Some(implementation) = manifest.implementations.get(candidate.index) {
            let is_made = is_made_for(implementation, host, limits);
            best = best.max(if is_made { 1.0 } else { ANY_MACHINE });
        }
    }
    best
}

/// Returns true if an implementation, which must fit, was made for this kind of host.
fn is_made_for(implementation: &Implementation<'_>, host: &Host, limits: &Limits) -> bool {
    if !implementation.platforms.is_empty() {
        return true;
    }
    match &implementation.requirements {
        Some(requirements) if host.gpu => {
            match Document::parse(requirements.as_str().as_bytes(), limits) {
                Ok(document) => document.root().get("gpu").and_then(Node::bool) == Some(true),
                Err(_) => false,
            }
        }
        _ => false,
    }
}

/// Returns how well a chain fits: as well as the worst tool that it calls, also through
/// other chains. The result is zero if a tool is unknown, because it cannot be called.
/// `known` maps ids to tools and their own fit.
pub fn chain_fit(manifest: &Manifest<'_>, known: &BTreeMap<&str, (&Manifest<'_>, f64)>) -> f64 {
    let mut seen = BTreeSet::new();
    let mut pending: Vec<&str> = manifest.chain.iter().map(|step| step.tool.as_ref()).collect();
    let mut worst: f64 = 1.0;
    while let Some(id) = pending.pop() {
        if !seen.insert(id) {
            continue;
        }
        let Some((tool, own)) = known.get(id) else { return 0.0 };
        if tool.chain.is_empty() {
            worst = worst.min(*own);
        }
        pending.extend(tool.chain.iter().map(|step| step.tool.as_ref()));
    }
    worst
}
