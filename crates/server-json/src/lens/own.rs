//! The package and the remote of a `server.json` that goes back to its own format, as far as they
//! were read.

use manifest_core::descriptor::{Acquisition, EnvVar, Package};
use manifest_core::format::{Unit, Writer};
use manifest_core::json::{Node, Raw};
use manifest_core::{Place, Sourced, Text};

use super::names::{
    DIGEST, ENVIRONMENT, IDENTIFIER, Names, REGISTRY, REQUIRED, SECRET, either, spelled,
};
use crate::dates::{SNAKE, version_of};

/// Writes what was read of the first package and of the first remote.
pub(super) fn write(w: &mut Writer<'_>, unit: &Unit<'_, '_>) {
    let Some(package) = unit.tools.first().map(|tool| &tool.package) else { return };
    let Some((root, at)) = package.at.and_then(|at| Some((unit.context.node(at)?, at))) else {
        return;
    };
    let first = |name: &str| root.get(name).and_then(|list| list.elements().next());
    if let Some(node) = first("packages").filter(|_| says_package(package)) {
        let source = Source { node, at, snake: version_of(root) == SNAKE };
        w.member("packages").list(|w| w.item().object(|w| source.write(w, package)));
    }
    if let Some(url) = package.url.as_ref().filter(|_| first("remotes").is_some()) {
        w.member("remotes").list(|w| w.item().object(|w| w.member("url").copy(url)));
    }
}

fn says_package(package: &Package<'_>) -> bool {
    package.acquisition.is_some() || !package.env.is_empty()
}

/// The package as it stands in the source.
struct Source<'n> {
    node: Node<'n>,
    at: Place,
    snake: bool,
}

impl Source<'_> {
    fn write(&self, w: &mut Writer<'_>, package: &Package<'_>) {
        if let Some(acquisition) = &package.acquisition {
            self.write_acquisition(w, acquisition);
        }
        if !package.env.is_empty() {
            w.member(self.name(&ENVIRONMENT)).list(|w| {
                for variable in &package.env {
                    w.item().object(|w| self.write_variable(w, variable));
                }
            });
        }
    }

    /// How a member is spelled here.
    fn name(&self, names: &Names) -> &'static str {
        spelled(self.node, names, self.snake)
    }

    fn write_acquisition(&self, w: &mut Writer<'_>, acquisition: &Sourced<Acquisition<'_>>) {
        let (word, identifier, version, digest) = match &acquisition.value {
            Acquisition::Npm { package, version_spec } => {
                ("npm", package, version_spec.as_ref(), None)
            }
            Acquisition::Pip { package, version_spec } => {
                ("pypi", package, version_spec.as_ref(), None)
            }
            Acquisition::Container { image } => ("oci", image, None, None),
            Acquisition::Download { url, sha256 } => ("mcpb", url, None, Some(sha256)),
            // There is no such registry.
            Acquisition::Git { .. } | Acquisition::Preinstalled { .. } => return self.as_it_was(w),
        };
        w.member(self.name(&REGISTRY)).same(word, acquisition.at.as_slice());
        w.member(self.name(&IDENTIFIER)).copy(identifier);
        if let Some(version) = version {
            self.write_version(w, version, word == "pypi");
        }
        if let Some(digest) = digest {
            w.member(self.name(&DIGEST)).copy(digest);
        }
    }

    /// One version. A specifier of pip is one where it asks for that one and no other.
    fn write_version(&self, w: &mut Writer<'_>, version: &Sourced<Text<'_>>, pip: bool) {
        match version.strip_prefix("==") {
            Some(exact) if pip => w.member("version").same(exact, version.at.as_slice()),
            None if pip => self.member_as_it_was(w, "version"),
            _ => w.member("version").copy(version),
        }
    }

    fn as_it_was(&self, w: &mut Writer<'_>) {
        let names: [&Names; 3] = [&REGISTRY, &IDENTIFIER, &DIGEST];
        let names = names.map(|names| self.name(names));
        for name in names.into_iter().chain(["version"]) {
            self.member_as_it_was(w, name);
        }
    }

    fn member_as_it_was(&self, w: &mut Writer<'_>, name: &str) {
        if let Some(node) = self.node.get(name) {
            let at = Some(self.at.of(node));
            w.member(name).copy(&Sourced { value: Raw::from_node(node), at });
        }
    }

    fn write_variable(&self, w: &mut Writer<'_>, variable: &EnvVar<'_>) {
        // What a value looks like, where to get one and where it is kept have no words here. A
        // default stays as it was.
        let EnvVar {
            name,
            prompt,
            secret,
            required,
            default: _,
            pattern: _,
            obtain_url: _,
            reference: _,
        } = variable;
        let list = either(self.node, &ENVIRONMENT).into_iter().flat_map(Node::elements);
        let is_it = |node: &Node<'_>| node.get("name").and_then(Node::text).as_ref() == Some(name);
        let node = list.clone().find(is_it).unwrap_or(self.node);
        w.member("name").copy(name);
        w.copy("description", prompt.as_ref());
        w.copy(spelled(node, &REQUIRED, self.snake), required.as_ref());
        w.copy(spelled(node, &SECRET, self.snake), secret.as_ref());
    }
}
