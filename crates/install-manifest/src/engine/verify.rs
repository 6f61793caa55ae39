//! Checks a tool over time, as its manifest requires.
//!
//! A manifest may declare how fast its tool is, how often it fails, and how often to check
//! this. It may also name a suite of cases, each with an input and the expected result. No
//! manifest declares how to run a case, because each tool has its own runner.
//!
//! ```
//! use toolglot_install_manifest::engine::verify::{Sample, broken_promises};
//! use toolglot_install_manifest::Sla;
//! use manifest_core::json::Number;
//!
//! let sla = Sla { error_rate_max: Number::parse("0.1"), ..Sla::default() };
//! let samples = [Sample { ms: 12, passed: true }, Sample { ms: 9, passed: false }];
//! assert_eq!(broken_promises(&sla, &samples), ["error_rate_max is 0.1, and of 2 runs failed 1"]);
//! ```

use crate::{Cadence, Schedule, Sla};
use manifest_core::json::Number;

/// The number of runs that a 95th percentile needs.
pub const MIN_SAMPLES: usize = 20;

/// One run of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The duration in milliseconds.
    pub ms: u64,
    /// True if the run was successful.
    pub passed: bool,
}

/// Returns a message for each promise of a manifest that the runs of its tool break. Times
/// are those of the runs that passed.
#[allow(clippy::cast_precision_loss)] // times and counts are small
pub fn broken_promises(sla: &Sla<'_>, samples: &[Sample]) -> Vec<String> {
    let mut broken = Vec::new();
    let mut times = Vec::new();
    for Sample { ms, passed } in samples {
        if *passed {
            times.push(*ms);
        }
    }
    times.sort_unstable();
    for (name, promised, twentieths) in
        [("p50_latency_ms", &sla.p50_latency_ms, 10), ("p95_latency_ms", &sla.p95_latency_ms, 19)]
    {
        // The nearest-rank percentile.
        let rank = (times.len() * twentieths).div_ceil(20);
        if let Some(most) = limit_value(promised.as_ref())
            && let Some(index) = rank.checked_sub(1)
            && let Some(found) = times.get(index)
            && *found as f64 > most
        {
            broken.push(format!("{name} is {most}, and was {found}"));
        }
    }
    let (runs, failed) = (samples.len(), samples.len() - times.len());
    if let Some(most) = limit_value(sla.error_rate_max.as_ref())
        && failed as f64 > most * runs as f64
    {
        broken.push(format!("error_rate_max is {most}, and of {runs} runs failed {failed}"));
    }
    broken
}

fn limit_value(number: Option<&Number<'_>>) -> Option<f64> {
    number.and_then(Number::to_f64)
}

/// Returns true if a tool that was last checked this long ago is due for a check.
///
/// ```
/// use toolglot_install_manifest::engine::verify::is_due;
/// use toolglot_install_manifest::{Cadence, Schedule};
///
/// let weekly = Schedule { cadence: Some(Cadence::Weekly), ..Schedule::default() };
/// assert!(!is_due(&weekly, 6 * 24 * 60 * 60 * 1000));
/// assert!(is_due(&weekly, 7 * 24 * 60 * 60 * 1000));
/// ```
pub fn is_due(schedule: &Schedule, ago_ms: u64) -> bool {
    const DAY: u64 = 24 * 60 * 60 * 1000;
    match schedule.cadence {
        Some(Cadence::Daily) => ago_ms >= DAY,
        Some(Cadence::Weekly) => ago_ms >= 7 * DAY,
        Some(Cadence::OnInstall | Cadence::Manual) | None => false,
    }
}
