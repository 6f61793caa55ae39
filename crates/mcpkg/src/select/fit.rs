//! How well a tool fits a machine, as a number to rank by.

use std::collections::{BTreeMap, BTreeSet};

use manifest_core::Limits;

use super::host::Host;
use super::select;
use crate::manifest::{Implementation, Manifest};

/// Fits as it fits any machine.
const ANYWHERE: f64 = 0.75;

/// How well a tool fits a host: one where its best implementation was made for the platform or the
/// GPU of the host, less where it fits any, and zero where none fits. A tool without implementations
/// fits any host.
pub fn fit(manifest: &Manifest<'_>, host: &Host, limits: &Limits) -> f64 {
    if manifest.implementations.is_empty() {
        return ANYWHERE;
    }
    let ranked = select(manifest, host, limits).ranked;
    let fits = ranked.iter().filter_map(|one| manifest.implementations.get(one.index));
    fits.map(|one| if is_made_for(one, host, limits) { 1.0 } else { ANYWHERE }).fold(0.0, f64::max)
}

/// Whether an implementation that fits was made for what this host is.
fn is_made_for(implementation: &Implementation<'_>, host: &Host, limits: &Limits) -> bool {
    let wants_gpu = || {
        let text = implementation.requirements.as_ref()?.as_str();
        let document = manifest_core::json::Document::parse(text.as_bytes(), limits).ok()?;
        document.root().get("gpu")?.bool()
    };
    !implementation.platforms.is_empty() || (host.gpu && wants_gpu() == Some(true))
}

/// How well a chain fits: as well as the worst of all that it calls, through chains of chains. A
/// tool that is not known cannot be called. `known` has the tools and how well each fits by itself.
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
