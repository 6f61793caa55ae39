//! The resources that a tool uses, and their kinds.

use std::collections::{BTreeMap, BTreeSet};

use super::enums::Filesystem;
use super::parts::Scope;
use super::tool::ToolDescriptor;
use crate::provenance::{Place, Sourced};
use json_text::Text;

impl<'a> ToolDescriptor<'a> {
    /// Returns the resources that the tool uses: all resources of its package unless it
    /// lists its own.
    pub fn used_resources(&self) -> BTreeSet<&str> {
        if self.scopes_used.is_empty() {
            self.package.scopes.iter().map(|scope| scope.resource.as_ref()).collect()
        } else {
            self.scopes_used.iter().map(|resource| resource.as_ref()).collect()
        }
    }

    /// Returns the resources of these kinds that the tool lists and its package does not
    /// declare. Their actions are unknown.
    pub fn undeclared_resources_of(&self, kinds: &[&str]) -> Vec<&Sourced<Text<'a>>> {
        let mut used = self.undeclared_resources();
        used.retain(|resource| is_resource_kind(resource, kinds));
        used
    }

    /// Returns the undeclared resources of every kind.
    fn undeclared_resources(&self) -> Vec<&Sourced<Text<'a>>> {
        let declared: BTreeSet<&str> =
            self.package.scopes.iter().map(|scope| scope.resource.as_ref() as &str).collect();
        let mut used = Vec::from_iter(&self.scopes_used);
        used.retain(|resource| !declared.contains(resource.as_ref() as &str));
        used
    }

    /// Returns the scopes of its package that the tool uses, if their resource is of one of
    /// these kinds. Each has the place where the tool lists it, or its place in the package
    /// if the tool lists none.
    pub fn used_scopes_of(&self, kinds: &[&str]) -> Vec<(&Scope<'a>, Vec<Place>)> {
        let mut used = self.used_scopes();
        used.retain(|(scope, _)| is_resource_kind(&scope.resource, kinds));
        used
    }

    /// Returns the scopes of its package that the tool uses: all of them unless it lists
    /// its own.
    pub fn used_scopes(&self) -> Vec<(&Scope<'a>, Vec<Place>)> {
        let listed: BTreeMap<&str, Option<Place>> =
            self.scopes_used.iter().map(|one| (one.as_ref(), one.at)).collect();
        let mut used = Vec::new();
        for scope in &self.package.scopes {
            let at = match listed.get(scope.resource.as_ref()) {
                Some(at) => *at,
                None if listed.is_empty() => scope.resource.at,
                None => continue,
            };
            used.push((scope, Vec::from_iter(at)));
        }
        used
    }

    /// Returns the names of the scopes that the tool uses besides the network, files and
    /// devices, then the scopes that its credentials must grant. Each has the provider's
    /// name, if there is one.
    pub fn other_uses(&self) -> Vec<(&str, Option<&str>)> {
        let mut uses: Vec<(&str, Option<&str>)> = Vec::new();
        for (scope, _) in self.used_scopes() {
            let provider = scope.provider_scope.as_deref().map(AsRef::as_ref);
            uses.push((scope.resource.as_ref(), provider));
        }
        for resource in self.undeclared_resources() {
            uses.push((resource.as_ref(), None));
        }
        let known = [Scope::NETWORK, Scope::FILES, Scope::DEVICES];
        uses.retain(|(name, _)| !known.iter().any(|kinds| is_resource_kind(name, kinds)));
        uses.extend(self.auth.scopes.iter().map(|scope| (scope.as_ref(), None)));
        uses
    }
}

/// The separators between the parts of a resource.
const SEPARATORS: [char; 3] = ['.', ':', '/'];

/// The placeholder for a host or device without a known name. It declares access, and
/// grants none.
pub const UNKNOWN_NAME: &str = "unknown.invalid";

/// Compares the first part of the resource with each kind, ignoring case.
fn is_resource_kind(resource: &str, kinds: &[&str]) -> bool {
    let first = resource.split(SEPARATORS).next().unwrap_or(resource);
    kinds.iter().any(|kind| kind.eq_ignore_ascii_case(first))
}

impl Scope<'_> {
    /// First parts of resources that are about the network.
    pub const NETWORK: &'static [&'static str] = &["net", "network", "http", "https", "internet"];
    /// First parts of resources that are about files.
    pub const FILES: &'static [&'static str] = &["fs", "filesystem", "file", "files"];
    /// First parts of resources that are about devices.
    pub const DEVICES: &'static [&'static str] = &["device", "devices"];

    /// Returns the widest access of its actions, or `None` if it has no actions.
    pub fn file_access(&self) -> Option<Filesystem> {
        self.actions.iter().map(|verb| Self::file_access_of(verb)).max()
    }

    /// Returns the access of one action: every action except `read` may write.
    pub fn file_access_of(verb: &str) -> Filesystem {
        if verb == "read" { Filesystem::Read } else { Filesystem::Write }
    }

    /// Returns the device that a resource names, or [`UNKNOWN_NAME`].
    pub fn device(resource: &str) -> &str {
        resource.split_once(SEPARATORS).map_or(UNKNOWN_NAME, |(_, device)| device)
    }
}
