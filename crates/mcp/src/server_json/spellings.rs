//! Members whose spelling depends on the date.

use manifest_core::json::Node;

/// The spellings of a member: in camel case, in snake case, then an older name.
pub(crate) type Spellings = [&'static str];

pub(crate) static ENVIRONMENT: [&str; 2] = ["environmentVariables", "environment_variables"];
pub(crate) static REGISTRY: [&str; 3] = ["registryType", "registry_type", "registry_name"];
pub(crate) static BASE_URL: [&str; 2] = ["registryBaseUrl", "registry_base_url"];
pub(crate) static DIGEST: [&str; 2] = ["fileSha256", "file_sha256"];
pub(crate) static HINT: [&str; 2] = ["runtimeHint", "runtime_hint"];
pub(crate) static RUNTIME_ARGUMENTS: [&str; 2] = ["runtimeArguments", "runtime_arguments"];
pub(crate) static ARGUMENTS: [&str; 2] = ["packageArguments", "package_arguments"];
pub(crate) static REQUIRED: [&str; 2] = ["isRequired", "is_required"];
pub(crate) static SECRET: [&str; 2] = ["isSecret", "is_secret"];

/// Returns the first of these members that is present.
pub(crate) fn member<'a>(node: Node<'a>, names: &Spellings) -> Option<Node<'a>> {
    names.iter().find_map(|name| node.get(name))
}

/// Returns the spelling of a member in a node or, if it is missing, in the date of the
/// document.
pub(crate) fn spelling(node: Node<'_>, names: &[&'static str; 2], is_snake: bool) -> &'static str {
    let [camel, snake] = *names;
    if node.get(camel).is_some() {
        camel
    } else if node.get(snake).is_some() || is_snake {
        snake
    } else {
        camel
    }
}
