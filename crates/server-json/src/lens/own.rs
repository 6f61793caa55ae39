//! The package and the remote of a `server.json` that goes back to its own format, as far as they
//! were read.

use manifest_core::descriptor::EnvVar;
use manifest_core::format::{Unit, Writer};
use manifest_core::json::Node;

use super::lift::is_asked;
use super::secrecy;
use crate::dates::{SNAKE, version_of};
use crate::names::{ENVIRONMENT, REQUIRED, either, spelled};

/// Writes what was read of the first package and of the first remote.
pub(super) fn write(w: &mut Writer<'_>, unit: &Unit<'_, '_>) {
    let Some(package) = unit.tools.first().map(|tool| &tool.package) else { return };
    let Some(root) = package.at.and_then(|at| unit.context.node(at)) else { return };
    let first = |name: &str| root.get(name).and_then(|list| list.elements().next());
    // Variables that are fixed stay in the list, though nothing is read of them.
    let fixed = |node: Node<'_>| {
        let mut list = either(node, &ENVIRONMENT).into_iter().flat_map(Node::elements);
        list.any(|variable| !is_asked(variable))
    };
    // A package stays, whatever becomes of its variables.
    if let Some(node) = first("packages") {
        let snake = version_of(root) == SNAKE;
        w.member("packages").list(|w| {
            w.item().object(|w| {
                if package.env.is_empty() && !fixed(node) {
                    return;
                }
                let list = either(node, &ENVIRONMENT).into_iter().flat_map(Node::elements);
                let list: Vec<Node<'_>> = list.collect();
                w.member(spelled(node, &ENVIRONMENT, snake)).list(|w| {
                    for variable in &package.env {
                        // One that is new is spelled as its package is.
                        let node = read_from(variable, &list).unwrap_or(node);
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

/// The node that a variable was read from: it may have another name now.
fn read_from<'n>(variable: &EnvVar<'_>, list: &[Node<'n>]) -> Option<Node<'n>> {
    let EnvVar { name, prompt, secret, required, default, .. } = variable;
    let texts = [Some(name), prompt.as_ref(), default.as_ref()].into_iter().flatten();
    let words = [secret, required].into_iter().flatten();
    let mut places = texts.filter_map(|text| text.at).chain(words.filter_map(|word| word.at));
    let entry = places.find(|place| place.document == 0)?.entry;
    let index = list.partition_point(|node| node.index_after() <= entry);
    list.get(index).copied().filter(|node| node.index() <= entry)
}

/// Writes a variable of a package over what was said of it.
fn write_variable(w: &mut Writer<'_>, variable: &EnvVar<'_>, node: Node<'_>, snake: bool) {
    // What a value looks like, where to get one and where it is kept have no words here.
    let EnvVar { name, prompt, secret, required, default, pattern: _, obtain_url: _, reference: _ } =
        variable;
    w.member("name").copy(name);
    w.copy("description", prompt.as_ref());
    w.copy(spelled(node, &REQUIRED, snake), required.as_ref());
    w.copy("default", default.as_ref());
    secrecy::write(w, node, secret.as_ref(), snake);
}
