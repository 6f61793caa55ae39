//! Plans the request for a provider's cost estimate, and reads the response.
//!
//! ```
//! use call::Outcome;
//! use toolglot_install_manifest::engine::estimate;
//!
//! let body = br#"{"monthly_estimate_cents": 1250, "basis": "500 calls a day"}"#.to_vec();
//! let estimate = estimate::judge(&Outcome::Responded { status: 200, body })?;
//! assert_eq!(estimate.to_string(), "$12.50 a month, on the basis of \"500 calls a day\"");
//! # Ok::<(), String>(())
//! ```

use std::fmt;

use crate::{Cost, Manifest, rules};
use call::{Outcome, Request, Step};
use manifest_core::json::{Document, Kind, Node};
use manifest_core::{Diagnostic, Limits, Pointer, Text, printable, quoted};
use serde::Serialize;

use crate::http;

/// A provider's estimate.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Estimate {
    /// The cost of a month, in US cents.
    pub monthly_estimate_cents: f64,
    /// The basis of the estimate, in the provider's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<String>,
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${:.2} a month", self.monthly_estimate_cents / 100.0)?;
        match &self.basis {
            Some(basis) => write!(f, ", on the basis of {}", quoted(basis)),
            None => Ok(()),
        }
    }
}

/// Returns the request for an estimate, or `None` if the manifest declares no URL for it.
pub fn step(manifest: &Manifest<'_>) -> Result<Option<Step>, Diagnostic> {
    let Some(Cost { estimate_url: Some(url), .. }) = &manifest.cost else { return Ok(None) };
    if let Err(error) = http::parse_url(url) {
        let at = Pointer::root().push("cost").push("estimate_url");
        return Err(rules::URL.at_pointer(at, error));
    }
    Ok(Some(Step::Send(Request {
        method: "GET".to_owned(),
        url: url.as_ref().into(),
        headers: vec![("accept".to_owned(), "application/json".into())],
        body: None,
    })))
}

/// Reads the estimate from the response, or returns the reason why it is missing.
pub fn judge(outcome: &Outcome) -> Result<Estimate, String> {
    let body = match outcome {
        Outcome::Responded { status: 200..=299, body } => body,
        Outcome::Responded { status, .. } => return Err(format!("the status is {status}")),
        Outcome::TimedOut => return Err("there was no answer in time".to_owned()),
        Outcome::TooMuch { limit } => return Err(format!("more than {limit} bytes came back")),
        Outcome::NotDone(reason) | Outcome::Lost(reason) => return Err(printable(reason, 256)),
        _ => return Err("nothing came back".to_owned()),
    };
    let document = match Document::parse(body, &Limits::default()) {
        Ok(document) => document,
        Err(error) => return Err(error.message.clone()),
    };
    let root = document.root();
    if let Some(node) = root.get("monthly_estimate_cents")
        && node.kind() == Kind::Number
        && let Ok(monthly_estimate_cents) = node.raw().parse::<f64>()
        && monthly_estimate_cents.is_finite()
        && monthly_estimate_cents >= 0.0
    {
        let basis = root.get("basis").and_then(Node::text).map(Text::into_owned);
        return Ok(Estimate { monthly_estimate_cents, basis });
    }
    Err("\"monthly_estimate_cents\" is no amount".to_owned())
}
