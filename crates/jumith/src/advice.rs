//! Advice on valid manifests.

use manifest_core::json::Node;
use manifest_core::read::string_elements;
use manifest_core::{Limits, Report, path, quoted};

use crate::node_map::{NodeKey, NodeMap};
use crate::semantics::path_limits;
use crate::{names, rules};

/// Checks a manifest.
pub(crate) fn check(whole: Node<'_>, parts: &NodeMap<'_>, limits: &Limits, report: &mut Report) {
    let unusual = |id: &str| !names::is_usual_id(id) && names::is_id(id);
    if let Some((node, id)) = parts.text(NodeKey::Id).filter(|(_, id)| unusual(id)) {
        report.add(&rules::ID_FORM, node, format!("{} is an unusual id", quoted(&id)));
    }
    let no_script = |main: &str| {
        ![".js", ".mjs", ".cjs"].iter().any(|extension| main.ends_with(extension))
            && path::check_portable(main, &path_limits(limits)).is_ok()
    };
    if let Some((node, main)) = parts.text(NodeKey::Main).filter(|(_, main)| no_script(main)) {
        let message = format!("{} is not a JavaScript module", quoted(&main));
        report.add(&rules::ENTRY_EXTENSION, node, message);
    }
    let has_secrets = || string_elements(parts.at(NodeKey::RequiredSecrets)).next().is_some();
    if let Some((node, name)) = parts.text(NodeKey::Name).filter(|(_, name)| name.contains('-'))
        && has_secrets()
    {
        let message = format!("the keys of the secrets begin with {}", quoted(&name));
        report.add(&rules::SECRET_AMBIGUOUS, node, message);
    }
    for node in string_elements(parts.at(NodeKey::Tags)) {
        let tag = node.text().unwrap_or_default();
        if names::is_blank(&tag) || tag.contains(',') {
            report.add(&rules::TAG, node, format!("nobody can filter by {}", quoted(&tag)));
        }
    }
    if parts.at(NodeKey::RequiresApproval).is_none() {
        report.add(&rules::NO_APPROVAL, whole, "\"requiresApproval\" is missing");
    }
    if parts.at(NodeKey::Input).is_none() && parts.at(NodeKey::Schema).is_none_or(Node::is_object) {
        let place = parts.at(NodeKey::Schema).unwrap_or(whole);
        report.add(&rules::NO_SCHEMA, place, "there is no input schema");
    }
}
