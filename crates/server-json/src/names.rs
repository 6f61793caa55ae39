//! Members that dates spell in their own way.

use manifest_core::json::Node;

/// What a member is called: in camel case, then in snake case, then as it was before.
pub(crate) type Names = [&'static str];

pub(crate) static ENVIRONMENT: [&str; 2] = ["environmentVariables", "environment_variables"];
pub(crate) static REGISTRY: [&str; 3] = ["registryType", "registry_type", "registry_name"];
pub(crate) static BASE_URL: [&str; 2] = ["registryBaseUrl", "registry_base_url"];
pub(crate) static DIGEST: [&str; 2] = ["fileSha256", "file_sha256"];
pub(crate) static HINT: [&str; 2] = ["runtimeHint", "runtime_hint"];
pub(crate) static RUNTIME_ARGUMENTS: [&str; 2] = ["runtimeArguments", "runtime_arguments"];
pub(crate) static ARGUMENTS: [&str; 2] = ["packageArguments", "package_arguments"];
pub(crate) static REQUIRED: [&str; 2] = ["isRequired", "is_required"];
pub(crate) static SECRET: [&str; 2] = ["isSecret", "is_secret"];

/// The first of these members that is there.
pub(crate) fn either<'a>(node: Node<'a>, names: &Names) -> Option<Node<'a>> {
    names.iter().find_map(|name| node.get(name))
}

/// How a member is spelled where it stands or, where it does not, in its date.
pub(crate) fn spelled(node: Node<'_>, names: &Names, snake: bool) -> &'static str {
    let there = names.iter().find(|name| node.get(name).is_some());
    there.or(names.get(usize::from(snake))).copied().unwrap_or_default()
}
