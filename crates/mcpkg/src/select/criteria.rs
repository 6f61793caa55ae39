//! Criteria to search a registry by.

use manifest_core::read::equal_fold;

use super::host::Software;
use super::version::is_runtime;
use crate::manifest::{Implementation, Manifest};

/// The criteria that a tool must meet: section 10.3 of the specification.
///
/// ```
/// use manifest_core::{Limits, json::Document};
/// use toolglot_mcpkg::Manifest;
/// use toolglot_mcpkg::select::{Software, Criteria};
///
/// let document = Document::parse(
///     br#"{"toolId": "tools.pdf.read", "capabilities": ["pdf", "local"], "implementations": [
///       {"id": "js-node", "language": "javascript", "runtime": "node"},
///       {"id": "python", "language": "python", "runtime": "python3.11"}
///     ]}"#,
///     &Limits::default(),
/// )?;
/// let tool = Manifest::read(&document);
/// let mut wanted = Criteria {
///     capabilities: vec!["pdf".into()],
///     language: Some("javascript".into()),
///     ..Criteria::default()
/// };
/// assert!(wanted.matches(&tool));
/// // One implementation must have both.
/// wanted.runtime = Some(Software { name: "python".into(), version: Some("3.11.4".into()) });
/// assert!(!wanted.matches(&tool));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Criteria {
    /// The capabilities, all of which the tool must have.
    pub capabilities: Vec<String>,
    /// The language of one of its implementations.
    pub language: Option<String>,
    /// The runtime of the same implementation. If it has no version, any version fits.
    pub runtime: Option<Software>,
    /// The platform of the same implementation, for example `linux-x64`. An implementation
    /// without platforms supports all, and so does a tool without implementations.
    pub platform: Option<String>,
}

impl Criteria {
    /// Returns true if a tool meets all criteria. A tool without implementations has no
    /// language and no runtime.
    pub fn matches(&self, manifest: &Manifest<'_>) -> bool {
        for word in &self.capabilities {
            if !manifest.capabilities.iter().any(|own| equal_fold(own, word)) {
                return false;
            }
        }
        let all = &manifest.implementations;
        let any_call = self.language.is_none()
            && self.runtime.is_none()
            && (self.platform.is_none() || all.is_empty());
        any_call || all.iter().any(|one| self.matches_implementation(one))
    }

    fn matches_implementation(&self, implementation: &Implementation<'_>) -> bool {
        if let Some(wanted) = &self.language {
            match &implementation.language {
                Some(language) if language.eq_ignore_ascii_case(wanted) => {}
                _ => return false,
            }
        }
        if let Some(wanted) = &self.runtime {
            let Some(runtime) = implementation.runtime.as_deref() else { return false };
            let runtime = if wanted.version.is_some() { runtime } else { without_version(runtime) };
            if !is_runtime(runtime, wanted) {
                return false;
            }
        }
        let platforms = &implementation.platforms;
        match &self.platform {
            Some(wanted) => platforms.is_empty() || platforms.iter().any(|own| own == wanted),
            None => true,
        }
    }
}

/// Returns the name of a runtime without its version: `python` for `python3.11`.
fn without_version(runtime: &str) -> &str {
    let name = runtime.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    name.trim_end_matches(['-', '@', ' '])
}
