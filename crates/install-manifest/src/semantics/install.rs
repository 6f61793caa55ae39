//! Checks of the arguments of installers.

use manifest_core::json::Node;
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{has_control, quoted};

use super::Check;
use crate::installer::{
    is_git_reference, is_image, is_npm_package, is_pip_package, is_program, is_python_module,
};
use crate::manifest::{Install, Locator, NodeValue, nearest_node};
use crate::rules;

impl Check<'_, '_> {
    pub(super) fn check_install(&mut self) {
        let NodeValue { value: runtime, node } = &self.manifest.runtime;
        let node = nearest_node(*node, &["install"]);
        match &runtime.install {
            Install::Pip { package, version_spec } => {
                self.check_argument(node, &["package"], package, is_pip_package);
                self.check_version_spec(node, version_spec.as_deref());
            }
            Install::Npm { package, version_spec } => {
                self.check_argument(node, &["package"], package, is_npm_package);
                self.check_version_spec(node, version_spec.as_deref());
            }
            Install::Git { url, reference, subpath, layout: _ } => {
                self.check_url(node, &["url"], url, &["https", "http", "ssh", "git"]);
                self.check_argument(node, &["ref"], reference, is_git_reference);
                if let Some(subpath) = subpath
                    && let Err(error) = check_portable(subpath, &PathLimits::from(self.limits))
                {
                    let message = format!("{}: {error}", quoted(subpath));
                    self.report_at(&rules::INSTALL_ARGUMENT, node, &["subpath"], message);
                }
            }
            Install::Container { image } => self.check_argument(node, &["image"], image, is_image),
            Install::Url { url, sha256: _ } => {
                self.check_url(node, &["url"], url, &["https", "http"]);
            }
            Install::Preinstalled { locator } => match locator {
                Locator::PythonModule { module } => {
                    self.check_argument(node, &["locator", "module"], module, is_python_module);
                }
                Locator::BinaryOnPath { binary } => {
                    self.check_argument(node, &["locator", "binary"], binary, is_program);
                }
                // Only the host's own registry knows the ids of its servers.
                Locator::McpServerId { .. } => {}
            },
        }
    }

    fn check_argument(
        &mut self,
        node: Node<'_>,
        path: &[&str],
        text: &str,
        is_one: fn(&str) -> bool,
    ) {
        if !is_one(text) {
            let message = format!("{} cannot be handed to an installer", quoted(text));
            self.report_at(&rules::INSTALL_ARGUMENT, node, path, message);
        }
    }

    /// Checks the syntax that all version specifiers share. The plan of an installation
    /// checks the rest.
    fn check_version_spec(&mut self, node: Node<'_>, spec: Option<&str>) {
        if let Some(spec) = spec
            && (spec.starts_with('-')
                || has_control(spec)
                || spec.contains([';', '@', '/', '\\', '#']))
        {
            let message = format!("{} is not a version specifier", quoted(spec));
            self.report_at(&rules::INSTALL_ARGUMENT, node, &["version_spec"], message);
        }
    }
}
