//! Differences between the hosts of both formats around a call.

use manifest_core::descriptor::ToolDescriptor;
use manifest_core::format::{Contract, Format};

use crate::needs::starts_a_program;
use crate::output::{HostDifference, RunMode, ToolOutcome};

/// The subject, the behaviour of the source's host, and that of the target's host.
type Row = (&'static str, &'static str, &'static str);

/// Adds the differences between both hosts for one tool, if it runs.
pub(crate) fn add_differences(
    [source, target]: [&ToolDescriptor<'_>; 2],
    [from, to]: [&Format; 2],
    outcome: &ToolOutcome,
    found: &mut Vec<HostDifference>,
) {
    let exact = match outcome.runs {
        RunMode::AsItIs => true,
        RunMode::ThroughTheBridge => false,
        RunMode::Not(_) => return,
    };
    let (before, after) = ((from.contract)(source), (to.contract)(target));
    let Contract {
        extra_arguments: unnamed,
        examples,
        fills_defaults,
        keeps_timeout: _,
        environment,
        directory,
        timeout: _,
        result,
        failure,
        // The texts above describe it.
        host_rules: _,
    } = before;
    // The bridge keeps the source's contract as far as possible. But the target's host
    // starts it: that host checks and fills in arguments first, waits, and reads the
    // result.
    let fills = exact || after.fills_defaults;
    let program = exact || source.invocations().any(starts_a_program);
    let rows: [(bool, Row); 7] = [
        (
            exact || after.extra_arguments == Contract::REFUSED,
            ("arguments that the schema does not name", unnamed, after.extra_arguments),
        ),
        (
            fills && source.has_defaults(),
            (
                "defaults of the input schema",
                defaults_behaviour(fills_defaults),
                defaults_behaviour(after.fills_defaults),
            ),
        ),
        (program, ("environment", environment, after.environment)),
        (program, ("working directory", directory, after.directory)),
        (exact, ("failure", failure, after.failure)),
        (true, ("result", result, after.result)),
        (
            source.has_examples() && !after.examples.is_empty(),
            ("examples and checks", examples, after.examples),
        ),
    ];
    let timeout = timeout_row([source, target], [&before, &after], exact);
    for (applies, (about, source, target)) in rows.into_iter().chain([(true, timeout)]) {
        if !applies || source == target {
            continue;
        }
        let known = found
            .iter_mut()
            .find(|known| known.about == about && known.source == source && known.target == target);
        match known {
            Some(known) => known.tools.push(outcome.id.clone()),
            None => found.push(HostDifference {
                about: about.into(),
                source: source.into(),
                target: target.into(),
                tools: vec![outcome.id.clone()],
            }),
        }
    }
}

fn defaults_behaviour(fills: bool) -> &'static str {
    if fills { "filled in first" } else { "not filled in" }
}

/// Returns the row about time-outs.
fn timeout_row(
    [source, target]: [&ToolDescriptor<'_>; 2],
    [before, after]: [&Contract; 2],
    exact: bool,
) -> Row {
    const SAID: &str = "as it says";
    const BRIDGE_ONLY: &str = "kept by the bridge only";
    let still = target.has_timeout() && after.keeps_timeout;
    match (source.has_timeout(), before.keeps_timeout) {
        // The bridge keeps the time-outs of the steps of a chain.
        (false, _) if !source.chain.is_empty() && after.timeout == Contract::UNSPECIFIED => {
            ("time-out where none is said", before.timeout, BRIDGE_ONLY)
        }
        (false, _) => ("time-out where none is said", before.timeout, after.timeout),
        (true, _) if still => {
            ("time-out", if before.keeps_timeout { SAID } else { before.timeout }, SAID)
        }
        (true, true) if !exact => ("time-out", SAID, BRIDGE_ONLY),
        (true, true) => ("time-out", SAID, after.timeout),
        (true, false) => ("time-out", before.timeout, after.timeout),
    }
}
