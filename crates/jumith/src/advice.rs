//! Advice on valid manifests.

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::read::string_elements;
use manifest_core::{Limits, Report, quoted};

use crate::table::{Key, Nodes};
use crate::{names, rules};

/// Checks a manifest.
pub(crate) fn check(root: Node<'_>, nodes: &Nodes<'_>, limits: &Limits, report: &mut Report) {
    if let Some((node, id)) = nodes.text(Key::Id)
        && !names::is_usual_id(&id)
        && names::is_id(&id)
    {
        report.add(&rules::ID_FORM, node, format!("{} is an unusual id", quoted(&id)));
    }
    if let Some((node, main)) = nodes.text(Key::Main)
        && ![".js", ".mjs", ".cjs"].iter().any(|extension| main.ends_with(extension))
        && path::check_portable(&main, &PathLimits::from(limits)).is_ok()
    {
        let message = format!("{} is not a JavaScript module", quoted(&main));
        report.add(&rules::ENTRY_EXTENSION, node, message);
    }
    if let Some((node, name)) = nodes.text(Key::Name)
        && name.contains('-')
        && string_elements(nodes.get(Key::RequiredSecrets)).next().is_some()
    {
        let message = format!("the keys of the secrets begin with {}", quoted(&name));
        report.add(&rules::SECRET_AMBIGUOUS, node, message);
    }
    for node in string_elements(nodes.get(Key::Tags)) {
        let Some(tag) = node.text() else { continue };
        if names::is_blank(&tag) || tag.contains(',') {
            report.add(&rules::TAG, node, format!("nobody can filter by {}", quoted(&tag)));
        }
    }
    if nodes.get(Key::RequiresApproval).is_none() {
        report.add(&rules::NO_APPROVAL, root, "\"requiresApproval\" is missing");
    }
    let schema = nodes.get(Key::Schema);
    if nodes.get(Key::Input).is_none() && schema.is_none_or(Node::is_object) {
        report.add(&rules::NO_SCHEMA, schema.unwrap_or(root), "there is no input schema");
    }
}
