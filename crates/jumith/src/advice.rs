//! What is valid, and worth a second thought.

use manifest_core::json::Node;
use manifest_core::read::strings;
use manifest_core::{Limits, Report, path, quoted};

use crate::meaning::path_limits;
use crate::parts::{Parts, text};
use crate::{names, rules};

/// Checks a manifest.
pub(crate) fn check(parts: &Parts<'_>, limits: &Limits, report: &mut Report) {
    let unusual = |id: &str| !names::is_usual_id(id) && names::is_id(id);
    if let Some((node, id)) = text(parts.id).filter(|(_, id)| unusual(id)) {
        report.add(&rules::ID_FORM, node, format!("{} is an unusual id", quoted(&id)));
    }
    let no_script = |main: &str| {
        ![".js", ".mjs", ".cjs"].iter().any(|extension| main.ends_with(extension))
            && path::check_portable(main, &path_limits(limits)).is_ok()
    };
    if let Some((node, main)) = text(parts.main).filter(|(_, main)| no_script(main)) {
        let message = format!("{} is not a JavaScript module", quoted(&main));
        report.add(&rules::ENTRY_EXTENSION, node, message);
    }
    let has_secrets = || strings(parts.required_secrets).next().is_some();
    if let Some((node, name)) = text(parts.name).filter(|(_, name)| name.contains('-'))
        && has_secrets()
    {
        let message = format!("the keys of the secrets begin with {}", quoted(&name));
        report.add(&rules::SECRET_AMBIGUOUS, node, message);
    }
    for node in strings(parts.tags) {
        let tag = node.text().unwrap_or_default();
        if names::is_blank(&tag) || tag.contains(',') {
            report.add(&rules::TAG, node, format!("nobody can filter by {}", quoted(&tag)));
        }
    }
    if parts.requires_approval.is_none() {
        report.add(&rules::NO_APPROVAL, parts.whole, "\"requiresApproval\" is missing");
    }
    if parts.input.is_none() && parts.schema.is_none_or(Node::is_object) {
        let place = parts.schema.unwrap_or(parts.whole);
        report.add(&rules::NO_SCHEMA, place, "there is no input schema");
    }
}
