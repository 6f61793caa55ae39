//! Ranks the implementations that fit a host, and explains why the others do not.
//!
//! ```
//! use manifest_core::{Limits, json::Document};
//! use toolglot_mcpkg::Manifest;
//! use toolglot_mcpkg::select::{Host, Software, select};
//!
//! let document = Document::parse(
//!     br#"{"toolId": "tools.pdf.read", "implementations": [
//!       {"id": "dotnet", "runtime": "net8.0", "endpoint": {"type": "local", "command": "a"}},
//!       {"id": "node", "runtime": "node", "platforms": ["linux-x64"],
//!        "requirements": {"minNodeVersion": "18.0.0"},
//!        "endpoint": {"type": "local", "command": "node b.js"}}
//!     ]}"#,
//!     &Limits::default(),
//! )?;
//! let host = Host {
//!     platform: Some("linux-x64".into()),
//!     runtimes: vec![Software::new("node", "20.11.1")],
//!     ..Host::default()
//! };
//! let selection = select(&Manifest::read(&document), &host, &Limits::default());
//! assert_eq!(selection.best().unwrap().id.as_deref(), Some("node"));
//! assert_eq!(selection.refused[0].reasons[0].to_string(), "there is no runtime \"net8.0\"");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use manifest_core::Limits;
use manifest_core::json::Document;

use crate::manifest::{Implementation, Manifest};

mod criteria;
mod host;
mod packages;
mod requirements;
mod version;

pub use criteria::Criteria;
pub use host::{Host, Reason, Software};

/// An implementation, and the reasons against it.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Candidate {
    /// The index in the manifest, as `call::Facts::implementation` requires it.
    pub index: usize,
    /// The id.
    pub id: Option<String>,
    /// The reasons why it does not fit. If it is ranked anyway, these are its unknown
    /// requirements.
    pub reasons: Vec<Reason>,
}

/// The implementations of a tool, divided into ranked and refused ones.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Selection {
    /// The implementations that fit, best first.
    pub ranked: Vec<Candidate>,
    /// The implementations that do not fit.
    pub refused: Vec<Candidate>,
}

impl Selection {
    /// Returns the best implementation, if one fits.
    pub fn best(&self) -> Option<&Candidate> {
        self.ranked.first()
    }
}

/// Ranks the implementations of a tool for a host.
///
/// An implementation fits if its language, runtime and platform do, and all its
/// requirements are met. An implementation that names the host's platform comes before one
/// for any platform; otherwise the order of the manifest counts.
pub fn select(manifest: &Manifest<'_>, host: &Host, limits: &Limits) -> Selection {
    let mut ranked = Vec::new();
    let mut refused = Vec::new();
    for (index, implementation) in manifest.implementations.iter().enumerate() {
        let reasons = reasons(implementation, host, limits);
        let only_unknown = reasons.iter().all(|reason| matches!(reason, Reason::Unknown(_)));
        let id = implementation.id.as_ref().map(ToString::to_string);
        let fits = reasons.is_empty() || (only_unknown && host.accept_unknown);
        let rank = (!reasons.is_empty(), implementation.platforms.is_empty());
        let candidate = Candidate { index, id, reasons };
        if fits {
            ranked.push((rank, candidate));
        } else {
            refused.push(candidate);
        }
    }
    // The sort is stable: equals stay in the order of the manifest.
    ranked.sort_by_key(|(rank, _)| *rank);
    Selection { ranked: ranked.into_iter().map(|(_, candidate)| candidate).collect(), refused }
}

fn reasons(implementation: &Implementation<'_>, host: &Host, limits: &Limits) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if let Some(language) = implementation.language.as_deref()
        && !host.languages.is_empty()
        && !host.languages.iter().any(|known| known.eq_ignore_ascii_case(language))
    {
        reasons.push(Reason::Language(language.to_owned()));
    }
    if let Some(runtime) = implementation.runtime.as_deref()
        && !host.runtimes.iter().any(|known| version::is_runtime(runtime, known))
    {
        reasons.push(Reason::Runtime(runtime.to_owned()));
    }
    // A browser has no platform, but some manifests list it as one.
    let is_browser = host.runtimes.iter().any(|runtime| runtime.name == "browser");
    let mut is_here = implementation.platforms.is_empty();
    for platform in &implementation.platforms {
        is_here |= host.platform.as_deref() == Some(platform.as_ref());
        is_here |= is_browser && platform.as_ref() == "browser";
    }
    if !is_here {
        reasons.push(Reason::Platform);
    }
    if let Some(requirements) = &implementation.requirements {
        match Document::parse(requirements.as_str().as_bytes(), limits) {
            Ok(document) => {
                requirements::check(document.root(), implementation, host, &mut reasons);
            }
            Err(found) => reasons.push(Reason::Unknown(found.message.clone())),
        }
    }
    reasons
}
