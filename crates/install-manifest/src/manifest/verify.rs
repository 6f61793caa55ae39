//! Verification of a tool over time.

use manifest_core::Text;
use manifest_core::json::{Node, Number};
use serde::Serialize;

use super::decode;
use crate::enums::Cadence;

/// How a tool is verified over time (0.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Verify<'a> {
    /// Test cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<Suite<'a>>,
    /// The expected latency and error rate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sla: Option<Sla<'a>>,
    /// When to check.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schedule: Option<Schedule>,
}

/// Test cases.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Suite<'a> {
    /// A reference to the test cases.
    #[serde(rename = "ref")]
    pub reference: Text<'a>,
    /// The format of the test cases: `jsonl-cases`.
    pub format: Text<'a>,
    /// The fraction of cases that must pass, from 0 to 1. Absent means all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pass_threshold: Option<Number<'a>>,
    /// The number of cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub case_count: Option<Number<'a>>,
}

/// The expected latency and error rate of a tool.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Sla<'a> {
    /// The median latency of a call, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_latency_ms: Option<Number<'a>>,
    /// The 95th percentile of the latency, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_latency_ms: Option<Number<'a>>,
    /// The fraction of calls that may fail, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_rate_max: Option<Number<'a>>,
}

/// When to check a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Schedule {
    /// How often to check. Absent means on installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cadence: Option<Cadence>,
    /// True if the tool is also checked on installation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub on_install: Option<bool>,
}

/// The texts of [`Suite::format`].
pub(crate) const SUITE_FORMATS: &[&str] = &["jsonl-cases"];

impl<'a> Verify<'a> {
    pub(super) fn read(node: Node<'a>) -> Option<Self> {
        let [suite, sla, schedule] = decode::members(node, &["suite", "sla", "schedule"])?;
        Some(Self {
            suite: decode::optional(suite, Suite::read)?,
            sla: decode::optional(sla, Sla::read)?,
            schedule: decode::optional(schedule, Schedule::read)?,
        })
    }
}

impl<'a> Suite<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [reference, format, threshold, count] =
            decode::members(node, &["ref", "format", "pass_threshold", "case_count"])?;
        Some(Self {
            reference: reference?.text()?,
            format: format?.text()?,
            pass_threshold: decode::number(threshold)?,
            case_count: decode::number(count)?,
        })
    }
}

impl<'a> Sla<'a> {
    fn read(node: Node<'a>) -> Option<Self> {
        let [p50, p95, errors] =
            decode::members(node, &["p50_latency_ms", "p95_latency_ms", "error_rate_max"])?;
        Some(Self {
            p50_latency_ms: decode::number(p50)?,
            p95_latency_ms: decode::number(p95)?,
            error_rate_max: decode::number(errors)?,
        })
    }
}

impl Schedule {
    fn read(node: Node<'_>) -> Option<Self> {
        let [cadence, on_install] = decode::members(node, &["cadence", "on_install"])?;
        Some(Self {
            cadence: decode::optional(cadence, |node| decode::word(node, Cadence::from_word))?,
            on_install: decode::optional(on_install, Node::bool)?,
        })
    }
}
