//! The package and the remote of a `server.json` that goes back to its own format, as far as they
//! were read.

use manifest_core::descriptor::EnvVar;
use manifest_core::format::{Unit, Writer};
use manifest_core::json::Node;

use super::lift::{is_asked, secret_part};
use crate::dates::{SNAKE, version_of};
use crate::names::{ENVIRONMENT, REQUIRED, SECRET, either, spelled};

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
                w.member(spelled(node, &ENVIRONMENT, snake)).list(|w| {
                    for variable in &package.env {
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

/// Writes a variable of a package.
fn write_variable(w: &mut Writer<'_>, variable: &EnvVar<'_>, package: Node<'_>, snake: bool) {
    // What a value looks like, where to get one and where it is kept have no words here.
    let EnvVar { name, prompt, secret, required, default, pattern: _, obtain_url: _, reference: _ } =
        variable;
    let mut list = either(package, &ENVIRONMENT).into_iter().flat_map(Node::elements);
    let is_it = |node: &Node<'_>| node.get("name").and_then(Node::text).as_ref() == Some(name);
    let node = list.find(is_it).unwrap_or(package);
    w.member("name").copy(name);
    w.copy("description", prompt.as_ref());
    w.copy(spelled(node, &REQUIRED, snake), required.as_ref());
    w.copy("default", default.as_ref());
    match secret_part(node) {
        Some(part) => w.member("variables").object(|w| {
            w.member(&part.name()).object(|w| {
                w.copy(spelled(part.value, &SECRET, snake), secret.as_ref());
            });
        }),
        None => w.copy(spelled(node, &SECRET, snake), secret.as_ref()),
    }
}
