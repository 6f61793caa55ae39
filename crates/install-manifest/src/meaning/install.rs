//! Arguments of installers.

use manifest_core::path::{PathLimits, check_portable};
use manifest_core::quoted;

use super::Check;
use crate::manifest::{Install, Locator};
use crate::rules;

impl Check<'_, '_> {
    pub(super) fn install(&mut self) {
        match &self.manifest.runtime.install {
            Install::Pip { package, version_spec } => {
                self.argument("/runtime/install/package", package, is_pip_package);
                self.version_spec("/runtime/install/version_spec", version_spec.as_deref());
            }
            Install::Npm { package, version_spec } => {
                self.argument("/runtime/install/package", package, is_npm_package);
                self.version_spec("/runtime/install/version_spec", version_spec.as_deref());
            }
            Install::Git { url, reference, subpath, layout: _ } => {
                self.url("/runtime/install/url", url, &["https", "http", "ssh", "git"]);
                self.argument("/runtime/install/ref", reference, is_git_reference);
                if let Some(subpath) = subpath {
                    let limits = PathLimits {
                        bytes: self.limits.path_bytes,
                        segment_bytes: self.limits.path_segment_bytes,
                        segments: self.limits.path_segments,
                    };
                    if let Err(error) = check_portable(subpath, &limits) {
                        let message = format!("{}: {error}", quoted(subpath));
                        self.push(&rules::INSTALL_ARGUMENT, "/runtime/install/subpath", message);
                    }
                }
            }
            Install::Container { image } => {
                self.argument("/runtime/install/image", image, is_image);
            }
            Install::Url { url, sha256: _ } => {
                self.url("/runtime/install/url", url, &["https", "http"]);
            }
            Install::Preinstalled { locator } => match locator {
                Locator::PythonModule { module } => {
                    self.argument("/runtime/install/locator/module", module, is_python_module);
                }
                Locator::BinaryOnPath { binary } => {
                    self.argument("/runtime/install/locator/binary", binary, is_program);
                }
                // Only the host's own registry knows what it calls a server.
                Locator::McpServerId { .. } => {}
            },
        }
    }

    fn argument(&mut self, at: &str, text: &str, is_one: fn(&str) -> bool) {
        if !is_one(text) {
            let message = format!("{} cannot be handed to an installer", quoted(text));
            self.push(&rules::INSTALL_ARGUMENT, at, message);
        }
    }

    /// What every version specifier has in common. Whether it is one of its kind
    /// is known when the installation is planned.
    fn version_spec(&mut self, at: &str, spec: Option<&str>) {
        let harmless = |spec: &&str| {
            !spec.starts_with('-')
                && !spec.chars().any(char::is_control)
                && !spec.contains([';', '@', '/', '\\', '#'])
        };
        if let Some(spec) = spec.filter(|spec| !harmless(spec)) {
            let message = format!("{} is not a version specifier", quoted(spec));
            self.push(&rules::INSTALL_ARGUMENT, at, message);
        }
    }
}

/// A name, with extras in brackets.
pub(crate) fn is_pip_package(text: &str) -> bool {
    let (name, extras) = match text.split_once('[') {
        Some((name, rest)) => (name, rest.strip_suffix(']')),
        None => (text, Some("")),
    };
    let word = |word: &str| {
        word.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
            && word.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
            && word.bytes().last().is_some_and(|b| b.is_ascii_alphanumeric())
    };
    let extras = extras.map(|extras| extras.split(',').all(|e| e.is_empty() || word(e.trim())));
    word(name) && extras == Some(true)
}

/// A name, with a scope in front.
pub(crate) fn is_npm_package(text: &str) -> bool {
    let word = |word: &str| {
        word.bytes().all(|b| b.is_ascii_alphanumeric() || b"._~-".contains(&b))
            && word.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric())
    };
    match text.strip_prefix('@') {
        Some(scoped) => {
            scoped.split_once('/').is_some_and(|(scope, name)| word(scope) && word(name))
        }
        None => word(text),
    }
}

/// What git takes for the name of a tag, a branch or a commit.
pub(crate) fn is_git_reference(text: &str) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"~^:?*[\\".contains(c);
    !text.is_empty()
        && !text.starts_with(['-', '/', '.'])
        && !text.ends_with(['/', '.'])
        && !text.contains("..")
        && !text.contains("//")
        && !text.contains("@{")
        && text.chars().all(plain)
}

pub(crate) fn is_image(text: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-/:@[]+".contains(&b);
    text.bytes().all(plain)
        && text.bytes().next().is_some_and(|b| b.is_ascii_alphanumeric() || b == b'[')
}

pub(crate) fn is_python_module(text: &str) -> bool {
    let word = |word: &str| {
        word.chars().all(|c| c.is_alphanumeric() || c == '_')
            && word.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_')
    };
    text.split('.').all(word)
}

/// The name of a program, and no path to one.
pub(crate) fn is_program(text: &str) -> bool {
    let plain = |c: char| !c.is_whitespace() && !c.is_control() && !"/\\:".contains(c);
    !text.is_empty() && !text.starts_with(['-', '.']) && text.chars().all(plain)
}
