//! Writes the lifted parts of the package and the remote back into their own format.

use manifest_core::descriptor::EnvVar;
use manifest_core::format::{ToolGroup, Writer};
use manifest_core::json::Node;

use super::lift::is_askable;
use super::secrecy;
use crate::server_json::dates::{SNAKE, version_of};
use crate::server_json::spellings::{ENVIRONMENT, REQUIRED, member, spelling};

/// Writes the lifted values of the first package and of the first remote.
pub(super) fn write_source(w: &mut Writer<'_>, unit: &ToolGroup<'_, '_>) {
    let Some(package) = unit.tools.first().map(|tool| &tool.package) else { return };
    let Some(root) = package.at.and_then(|at| unit.context.node(at)) else { return };
    let first = |name: &str| root.get(name).and_then(|list| list.elements().next());
    // Fixed variables are not lifted, but keep the list in place.
    let fixed = |node: Node<'_>| {
        let mut list = member(node, &ENVIRONMENT).into_iter().flat_map(Node::elements);
        list.any(|variable| !is_askable(variable))
    };
    // The package stays even if its variables are removed.
    if let Some(node) = first("packages") {
        let snake = version_of(root) == SNAKE;
        w.member("packages").list(|w| {
            w.item().object(|w| {
                if package.env.is_empty() && !fixed(node) {
                    return;
                }
                let list = member(node, &ENVIRONMENT).into_iter().flat_map(Node::elements);
                let list: Vec<Node<'_>> = list.collect();
                w.member(spelling(node, &ENVIRONMENT, snake)).list(|w| {
                    for variable in &package.env {
                        // A new variable takes the spelling of its package.
                        let node = source_node(variable, &list).unwrap_or(node);
                        w.item().object(|w| write_variable(w, variable, node, snake));
                    }
                });
            });
        });
    }
    if let Some(url) = package.url.as_ref().filter(|_| first("remotes").is_some()) {
        w.member("remotes").list(|w| w.item().object(|w| w.member("url").copy(url)));
    }
}

/// Returns the node that a variable was read from, even if it was renamed.
fn source_node<'n>(variable: &EnvVar<'_>, list: &[Node<'n>]) -> Option<Node<'n>> {
    let EnvVar { name, prompt, secret, required, default, .. } = variable;
    let texts = [Some(name), prompt.as_ref(), default.as_ref()].into_iter().flatten();
    let words = [secret, required].into_iter().flatten();
    let mut places = texts.filter_map(|text| text.at).chain(words.filter_map(|word| word.at));
    let entry = places.find(|place| place.document == 0)?.entry;
    let index = list.partition_point(|node| node.index_after() <= entry);
    list.get(index).copied().filter(|node| node.index() <= entry)
}

/// Writes a variable of a package.
fn write_variable(w: &mut Writer<'_>, variable: &EnvVar<'_>, node: Node<'_>, snake: bool) {
    // `pattern`, `obtain_url` and `reference` have no member here.
    let EnvVar { name, prompt, secret, required, default, pattern: _, obtain_url: _, reference: _ } =
        variable;
    w.member("name").copy(name);
    w.copy("description", prompt.as_ref());
    w.copy(spelling(node, &REQUIRED, snake), required.as_ref());
    w.copy("default", default.as_ref());
    secrecy::write(w, node, secret.as_ref(), snake);
}
