//! Checks of the arguments of installers.

use manifest_core::json::Node;
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{has_control, quoted};

use super::Check;
use crate::installer::{
    is_git_reference, is_image, is_npm_package, is_pip_package, is_program, is_python_module,
};
use crate::manifest::{Install, Locator, Placed, nearest};
use crate::rules;

impl Check<'_, '_> {
    pub(super) fn install(&mut self) {
        let Placed { value: runtime, node } = &self.manifest.runtime;
        let node = nearest(*node, &["install"]);
        match &runtime.install {
            Install::Pip { package, version_spec } => {
                self.argument(node, &["package"], package, is_pip_package);
                self.version_spec(node, version_spec.as_deref());
            }
            Install::Npm { package, version_spec } => {
                self.argument(node, &["package"], package, is_npm_package);
                self.version_spec(node, version_spec.as_deref());
            }
            Install::Git { url, reference, subpath, layout: _ } => {
                self.url(node, &["url"], url, &["https", "http", "ssh", "git"]);
                self.argument(node, &["ref"], reference, is_git_reference);
                if let Some(subpath) = subpath {
                    let limits = PathLimits {
                        bytes: self.limits.path_bytes,
                        segment_bytes: self.limits.path_segment_bytes,
                        segments: self.limits.path_segments,
                    };
                    if let Err(error) = check_portable(subpath, &limits) {
                        let message = format!("{}: {error}", quoted(subpath));
                        self.push(&rules::INSTALL_ARGUMENT, node, &["subpath"], message);
                    }
                }
            }
            Install::Container { image } => self.argument(node, &["image"], image, is_image),
            Install::Url { url, sha256: _ } => {
                self.url(node, &["url"], url, &["https", "http"]);
            }
            Install::Preinstalled { locator } => match locator {
                Locator::PythonModule { module } => {
                    self.argument(node, &["locator", "module"], module, is_python_module);
                }
                Locator::BinaryOnPath { binary } => {
                    self.argument(node, &["locator", "binary"], binary, is_program);
                }
                // Only the host's own registry knows the ids of its servers.
                Locator::McpServerId { .. } => {}
            },
        }
    }

    fn argument(&mut self, node: Node<'_>, path: &[&str], text: &str, is_one: fn(&str) -> bool) {
        if !is_one(text) {
            let message = format!("{} cannot be handed to an installer", quoted(text));
            self.push(&rules::INSTALL_ARGUMENT, node, path, message);
        }
    }

    /// Checks the syntax that all version specifiers share. The plan of an installation
    /// checks the rest.
    fn version_spec(&mut self, node: Node<'_>, spec: Option<&str>) {
        let harmless = |spec: &&str| {
            !spec.starts_with('-')
                && !has_control(spec)
                && !spec.bytes().any(|b| matches!(b, b';' | b'@' | b'/' | b'\\' | b'#'))
        };
        if let Some(spec) = spec.filter(|spec| !harmless(spec)) {
            let message = format!("{} is not a version specifier", quoted(spec));
            self.push(&rules::INSTALL_ARGUMENT, node, &["version_spec"], message);
        }
    }
}
