//! Checks the module of a Jumith tool against its contract.

use std::time::Duration;

use host::{Host, Origin};
use serde::Deserialize;
use thiserror::Error;
use toolglot::call::{Plan, Step};
use toolglot::json::Document;
use toolglot::jumith::contract::{self, Export};
use toolglot::jumith::{self, Manifest, secrets};
use toolglot::{Diagnostic, Format, Limits, Profile, Report};

/// The time limit for loading a module.
const LOAD_TIMEOUT: Duration = Duration::from_secs(60);

/// The result of checking a module that meets its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ModuleCheck {
    /// True if the module requires approval, even if the manifest does not.
    pub requires_approval: bool,
    /// The question for a person. It begins with our own words, and ends with the module's
    /// message.
    pub question: String,
    /// True if `question` contains a message of the module.
    pub has_message: bool,
    /// Differences between the module and the manifest.
    pub warnings: Vec<Diagnostic>,
}

/// The reason why a module is not called.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModuleError {
    /// The module cannot be loaded, for this reason.
    #[error("the module cannot be loaded: {0}")]
    Load(String),
    /// The module differs from the manifest, or is not a tool at all.
    #[error("the module is not what the manifest says: {}", join_errors(.0))]
    Contract(Report),
}

fn join_errors(report: &Report) -> String {
    report.errors().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// An export of a module, as the host reports it.
#[derive(Deserialize)]
struct FoundExport {
    export: String,
    name: Option<String>,
    description: Option<String>,
    execute: bool,
    secrets: Vec<String>,
    approval: Option<bool>,
    asks: bool,
    message: Option<String>,
}

impl FoundExport {
    fn export(&self) -> Export<'_> {
        Export {
            export: &self.export,
            name: self.name.as_deref(),
            description: self.description.as_deref(),
            has_execute: self.execute,
            required_secrets: self.secrets.iter().map(String::as_str).collect(),
            requires_approval: self.approval,
            has_approval_message: self.asks,
        }
    }
}

/// Loads the module of a Jumith tool and checks it against its manifest. Sets the plan to
/// call the export that was found. Returns `None` for other tools.
///
/// Loading runs the module's code, so a person must have agreed to that before.
pub async fn check_module(
    host: &Host,
    plan: &mut Plan,
    format: &Format,
    origin: &Origin,
) -> Result<Option<ModuleCheck>, ModuleError> {
    if format.name != jumith::FORMAT.name {
        return Ok(None);
    }
    let loaded =
        host.list_exports(&plan.step, origin, LOAD_TIMEOUT).await.map_err(ModuleError::Load)?;
    let (Some(list), Step::Node(module)) = (loaded, &mut plan.step) else { return Ok(None) };
    let found: Vec<FoundExport> = serde_json::from_str(&list)
        .map_err(|_| ModuleError::Load("it says nothing that makes sense".to_owned()))?;
    let text = origin.manifest.as_deref().unwrap_or_default();
    let document = Document::parse(text.as_bytes(), &Limits::default())
        .map_err(|found| ModuleError::Contract(found.into()))?;
    let exports: Vec<Export<'_>> = found.iter().map(FoundExport::export).collect();
    let agreed = contract::check_module(&Manifest::read(&document), &exports, Profile::Spec)
        .map_err(ModuleError::Contract)?;
    let chosen = found.iter().find(|one| one.export == agreed.export);
    let message = chosen.and_then(|one| one.message.as_deref());
    module.exports = vec![agreed.export];
    Ok(Some(ModuleCheck {
        requires_approval: chosen.is_some_and(|one| one.approval == Some(true)),
        question: secrets::approval_message(&agreed.name, message),
        has_message: message.is_some_and(|message| !message.trim().is_empty()),
        warnings: agreed.report.diagnostics,
    }))
}
