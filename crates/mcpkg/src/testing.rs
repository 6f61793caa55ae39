//! Tests of a tool: the cases of a package, a runner without I/O, and reports.
//!
//! The host makes the calls. [`TestRun`] returns the next one, and judges its outcome:
//!
#![cfg_attr(all(feature = "call", feature = "schema"), doc = "```")]
#![cfg_attr(not(all(feature = "call", feature = "schema")), doc = "```ignore")]
//! use std::time::Duration;
//!
//! use call::Outcome;
//! use manifest_core::{Limits, json::Document};
//! use toolglot_mcpkg::Manifest;
//! use toolglot_mcpkg::testing::{TestCase, TestOptions, TestRun};
//!
//! let limits = Limits::default();
//! let manifest = Document::parse(
//!     br#"{"toolId": "demo.echo", "input_schema": {"required": ["message"]}}"#,
//!     &limits,
//! )?;
//! let case = Document::parse(
//!     br#"{"name": "simple", "input": {"message": "hello"}, "expected": {"message": "hello"}}"#,
//!     &limits,
//! )?;
//!
//! let cases = vec![("tests/simple.test.json".into(), TestCase::read(&case))];
//! let mut run = TestRun::new(&Manifest::read(&manifest), cases, TestOptions::default());
//! while let Some(call) = run.next() {
//!     assert_eq!(call.input, r#"{"message": "hello"}"#);
//!     // Here the host calls the tool, and takes the time.
//!     let outcome = Outcome::Responded { status: 200, body: br#"{"message": "hello"}"#.to_vec() };
//!     run.resume(&outcome, Duration::from_millis(12));
//! }
//! let report = run.finish();
//! assert_eq!(report.summary().passed, 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod case;
mod judge;
mod junit;
mod reference;
mod report;
#[cfg(all(feature = "call", feature = "schema"))]
mod run;

pub use case::{Assertion, Operator, TestCase, check};
pub use judge::{Reason, judge};
pub use report::{Summary, TestReport, TestResult, Verdict};
#[cfg(all(feature = "call", feature = "schema"))]
pub use run::{TestCall, TestOptions, TestRun};
