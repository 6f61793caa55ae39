//! Members that dates spell in their own way.

use manifest_core::json::Node;

/// What a member is called: in camel case, then in snake case.
pub(super) type Names = [&'static str];

pub(super) static ENVIRONMENT: [&str; 2] = ["environmentVariables", "environment_variables"];
pub(super) static REQUIRED: [&str; 2] = ["isRequired", "is_required"];
pub(super) static SECRET: [&str; 2] = ["isSecret", "is_secret"];

/// The first of these members that is there.
pub(super) fn either<'a>(node: Node<'a>, names: &Names) -> Option<Node<'a>> {
    names.iter().find_map(|name| node.get(name))
}

/// How a member is spelled where it stands or, where it does not, in its date.
pub(super) fn spelled(node: Node<'_>, names: &Names, snake: bool) -> &'static str {
    let there = names.iter().find(|name| node.get(name).is_some());
    there.or(names.get(usize::from(snake))).copied().unwrap_or_default()
}
