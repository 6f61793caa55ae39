//! Checking over time.

use install_manifest::engine::verify::{MIN_SAMPLES, Sample, broken_promises, is_due};
use install_manifest::{Cadence, Schedule, Sla};
use manifest_core::json::Number;

fn samples(times: impl IntoIterator<Item = u64>) -> Vec<Sample> {
    times.into_iter().map(|ms| Sample { ms, passed: true }).collect()
}

/// The schema's words: half of all calls, and nineteen of twenty, are faster than that.
#[test]
fn promises() {
    let sla = |p50: &'static str, p95: &'static str| Sla {
        p50_latency_ms: Number::parse(p50),
        p95_latency_ms: Number::parse(p95),
        error_rate_max: None,
    };
    // 1 to 20 ms: ten take 10 at most, nineteen take 19 at most.
    let runs = samples((1..=20).rev());
    assert_eq!(runs.len(), MIN_SAMPLES);
    assert!(broken_promises(&sla("10", "19"), &runs).is_empty());
    assert_eq!(broken_promises(&sla("9.5", "19"), &runs), ["p50_latency_ms is 9.5, and was 10"]);
    assert_eq!(broken_promises(&sla("10", "18"), &runs), ["p95_latency_ms is 18, and was 19"]);
    // One of twenty may be as slow as it likes.
    let runs = samples((1..20).chain([1_000_000]));
    assert!(broken_promises(&sla("10", "19"), &runs).is_empty());
    assert!(broken_promises(&sla("10", "19"), &[]).is_empty());

    let rate = |most: &'static str| Sla { error_rate_max: Number::parse(most), ..Sla::default() };
    let mut runs = samples(1..=20);
    runs[3].passed = false;
    assert!(broken_promises(&rate("0.05"), &runs).is_empty());
    let expected = ["error_rate_max is 0.01, and of 20 runs failed 1"];
    assert_eq!(broken_promises(&rate("0.01"), &runs), expected);
    assert!(broken_promises(&rate("0"), &[]).is_empty());
}

#[test]
fn when_a_check_is_due() {
    let hour = 60 * 60 * 1000;
    for (cadence, last_well, due) in [
        (Some(Cadence::Daily), 23 * hour, Some(24 * hour)),
        (Some(Cadence::Weekly), 167 * hour, Some(168 * hour)),
        (Some(Cadence::Manual), u64::MAX, None),
        (Some(Cadence::OnInstall), u64::MAX, None),
        (None, u64::MAX, None),
    ] {
        let schedule = Schedule { cadence, on_install: None };
        assert!(!is_due(&schedule, last_well), "{cadence:?}");
        assert!(due.is_none_or(|due| is_due(&schedule, due)), "{cadence:?}");
    }
}
