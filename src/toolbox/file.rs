//! One document of a toolbox.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use manifest_core::{Diagnostic, Manifest, ManifestError, Pointer, Report, ToolDescriptor, quoted};

/// A problem with a document of a toolbox, or with one of its tools. The others go on
/// working.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The name of the document.
    pub file: String,
    /// The id of the tool, if the rest of the document can be used.
    pub tool: Option<String>,
    /// The reason.
    pub reason: ManifestError,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tool {
            Some(tool) => write!(f, "{} of {}: {}", quoted(tool), quoted(&self.file), self.reason),
            None => write!(f, "{}: {}", quoted(&self.file), self.reason),
        }
    }
}

impl Problem {
    /// Creates a problem with a tool.
    pub(super) fn of_tool(file: &str, tool: &str, reasons: impl Into<Report>) -> Self {
        let (file, tool) = (file.to_owned(), Some(tool.to_owned()));
        Self { file, tool, reason: ManifestError::Invalid(reasons.into()) }
    }
}

/// A valid document of a toolbox.
#[derive(Debug)]
pub(super) struct File {
    pub(super) manifest: Arc<Manifest>,
    /// The tools that can be called, unless those are all of them.
    callable: Option<Vec<ToolDescriptor<'static>>>,
    /// The tools that cannot be called.
    pub(super) problems: Vec<Problem>,
}

impl File {
    pub(super) fn new(manifest: Manifest) -> Self {
        let mut callable = Vec::new();
        let mut problems = Vec::new();
        let mut by_id: BTreeMap<&str, Vec<&ToolDescriptor<'static>>> = BTreeMap::new();
        for tool in manifest.tools() {
            by_id.entry(tool.id.as_ref()).or_default().push(tool);
        }
        for tool in manifest.tools() {
            // The first tool of an id stands for all of them.
            let Some(same) = by_id.remove(tool.id.as_ref() as &str) else { continue };
            match check_callable(tool, &same) {
                Ok(()) => callable.push(tool),
                Err(why) => problems.push(Problem::of_tool(manifest.name(), &tool.id, why)),
            }
        }
        let is_all = callable.len() == manifest.tools().len();
        let callable = if is_all { None } else { Some(callable.into_iter().cloned().collect()) };
        Self { manifest: Arc::new(manifest), callable, problems }
    }

    /// Returns the tools that can be called.
    pub(super) fn tools(&self) -> &[ToolDescriptor<'static>] {
        self.callable.as_deref().unwrap_or(self.manifest.tools())
    }
}

/// Checks that a tool can be called. `same` are all tools with its id.
fn check_callable(
    tool: &ToolDescriptor<'static>,
    same: &[&ToolDescriptor<'static>],
) -> Result<(), Diagnostic> {
    let at = Pointer::root();
    if same.iter().any(|other| *other != tool) {
        let message = format!("several different tools have the id {}", quoted(&tool.id));
        return Err(providers::rules::NAME_CLASH.at_pointer(at.push("id"), message));
    }
    if tool.is_chain() {
        let message = "this tool is a chain of calls of other tools, which are called one by one";
        return Err(call::rules::NO_CALL.at_pointer(at, message));
    }
    if !tool.has_call() {
        let message = "no call of this tool could be read from its manifest";
        return Err(call::rules::NO_CALL.at_pointer(at, message));
    }
    Ok(())
}
