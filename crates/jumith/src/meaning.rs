//! Checks of meaning: what a table cannot say.

use std::collections::BTreeSet;

use manifest_core::json::Node;
use manifest_core::path::{self, PathLimits};
use manifest_core::read::strings;
use manifest_core::{Limits, Report, has_control, quoted, schema, version};

use crate::parts::{Part, Parts};
use crate::{names, rules};

/// Checks a manifest.
pub(crate) fn check(parts: &Parts<'_>, limits: &Limits, report: &mut Report) {
    for node in [parts.at(Part::Input), parts.at(Part::Output)].into_iter().flatten() {
        if node.is_object() || node.bool().is_some() {
            schema::check(node, limits).into_iter().for_each(|found| report.push(found));
        }
    }
    texts(parts, report);
    entry(parts, limits, report);
    secrets(parts.at(Part::RequiredSecrets), limits, report);
}

/// How long a path may be.
pub(crate) fn path_limits(limits: &Limits) -> PathLimits {
    PathLimits {
        bytes: limits.path_bytes,
        segment_bytes: limits.path_segment_bytes,
        segments: limits.path_segments,
    }
}

fn texts(parts: &Parts<'_>, report: &mut Report) {
    let said = [
        (Part::Id, "id"),
        (Part::Name, "name"),
        (Part::Version, "version"),
        (Part::Summary, "summary"),
        (Part::Description, "description"),
        (Part::Main, "main"),
    ];
    for (part, name) in said {
        if let Some((node, _)) = parts.text(part).filter(|(_, text)| names::is_blank(text)) {
            report.add(&rules::BLANK, node, format!("{} is blank", quoted(name)));
        }
    }
    let id = parts.text(Part::Id);
    if let Some((node, id)) = id.filter(|(_, id)| !names::is_blank(id) && !names::is_id(id)) {
        report.add(&rules::ID, node, format!("{} cannot be an id", quoted(&id)));
    }
    let version = parts.text(Part::Version);
    if let Some((node, text)) = version.filter(|(_, text)| !names::is_blank(text))
        && let Err(error) = version::parse_exact(&text)
    {
        report.add(&rules::VERSION, node, format!("{}: {error}", quoted(&text)));
    }
    let tags = strings(parts.at(Part::Tags)).map(|tag| (tag, "tag"));
    let shown = [(Part::Name, "name"), (Part::Provider, "provider")];
    let shown = shown.into_iter().filter_map(|(part, what)| Some((parts.at(part)?, what)));
    for (node, what) in shown.chain(tags) {
        if node.text().is_some_and(|text| has_control(&text)) {
            let message = format!("the {what} holds a control character");
            report.add(&rules::CONTROL_CHARACTER, node, message);
        }
    }
}

fn entry(parts: &Parts<'_>, limits: &Limits, report: &mut Report) {
    if let Some((node, main)) = parts.text(Part::Main).filter(|(_, main)| !names::is_blank(main))
        && let Err(error) = path::check_portable(&main, &path_limits(limits))
    {
        report.add(&rules::ENTRY_MAIN, node, format!("{}: {error}", quoted(&main)));
    }
    let export = parts.text(Part::Export);
    if let Some((node, export)) = export.filter(|(_, name)| !names::is_export(name)) {
        let message = format!("{} is not a name to export", quoted(&export));
        report.add(&rules::EXPORT, node, message);
    }
}

fn secrets(list: Option<Node<'_>>, limits: &Limits, report: &mut Report) {
    let Some(list) = list else { return };
    let (count, limit) = (strings(Some(list)).count(), limits.secrets);
    if count > limit {
        let message = format!("{count} secrets, more than the {limit} allowed");
        return report.add(&rules::SECRET_COUNT, list, message);
    }
    let mut seen = BTreeSet::new();
    for node in strings(Some(list)) {
        let secret = node.text().unwrap_or_default();
        if !names::is_secret(&secret) {
            let message = format!("{} cannot name a secret", quoted(&secret));
            report.add(&rules::SECRET_NAME, node, message);
        } else if !seen.insert(secret.clone()) {
            let message = format!("{} is declared twice", quoted(&secret));
            report.add(&rules::DUPLICATE_SECRET, node, message);
        }
    }
}
