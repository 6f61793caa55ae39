//! Which resources a tool uses, and of what kind they are.

use std::collections::{BTreeMap, BTreeSet};

use super::parts::Scope;
use super::risk::Filesystem;
use super::tool::ToolDescriptor;
use crate::provenance::{Place, Sourced};
use json_text::Text;

impl<'a> ToolDescriptor<'a> {
    /// The resources that a tool uses: all of its package, where it does not say which.
    pub fn used(&self) -> BTreeSet<&str> {
        if self.scopes_used.is_empty() {
            return self.package.scopes.iter().map(|scope| scope.resource.as_ref()).collect();
        }
        self.scopes_used.iter().map(|resource| resource.as_ref()).collect()
    }

    /// The resources that a tool says it uses and its package does not declare, of those
    /// kinds. What it does with them nobody says.
    pub fn undeclared(&self, kinds: &[&str]) -> Vec<&Sourced<Text<'a>>> {
        let used = self.used_undeclared().into_iter();
        used.filter(|used| is_of(used, kinds)).collect()
    }

    /// All of those.
    fn used_undeclared(&self) -> Vec<&Sourced<Text<'a>>> {
        let declared: BTreeSet<&str> =
            self.package.scopes.iter().map(|scope| scope.resource.as_ref() as &str).collect();
        let used = self.scopes_used.iter();
        used.filter(|used| !declared.contains(used.as_ref() as &str)).collect()
    }

    /// The scopes of its package that a tool uses, of the kinds that are asked for. With
    /// each, the places that say so: its own and, where the tool names it, that one.
    pub fn scopes_of(&self, kinds: &[&str]) -> Vec<(&Scope<'a>, Vec<Place>)> {
        let used = self.used_scopes().into_iter();
        used.filter(|(scope, _)| is_of(&scope.resource, kinds)).collect()
    }

    /// The scopes of its package that a tool uses: all of them, where it does not say which.
    pub fn used_scopes(&self) -> Vec<(&Scope<'a>, Vec<Place>)> {
        let used = self.scopes_used.iter().map(|one| (one.as_ref(), one.at));
        let used: BTreeMap<&str, Option<Place>> = used.collect();
        let scopes = self.package.scopes.iter();
        let with_places = |scope: &'_ Scope<'a>| match used.get(scope.resource.as_ref()) {
            Some(named) => Some(named.iter().copied().collect()),
            None if used.is_empty() => Some(scope.resource.at.into_iter().collect()),
            None => None,
        };
        scopes.filter_map(|scope| Some((scope, with_places(scope)?))).collect()
    }

    /// What a tool uses besides the network, files and devices, and what its credentials
    /// must grant: the name of each, and the provider's name where there is one.
    pub fn other_uses(&self) -> Vec<(&str, Option<&str>)> {
        let ours = |resource: &str| {
            [Scope::NETWORK, Scope::FILES, Scope::DEVICES]
                .iter()
                .any(|kinds| is_of(resource, kinds))
        };
        let declared = self.used_scopes().into_iter().map(|(scope, _)| {
            (scope.resource.as_ref(), scope.provider_scope.as_deref().map(AsRef::as_ref))
        });
        let undeclared = self.used_undeclared().into_iter().map(|used| (used.as_ref(), None));
        let granted = self.auth.scopes.iter().map(|scope| (scope.as_ref(), None));
        declared.chain(undeclared).filter(|(name, _)| !ours(name)).chain(granted).collect()
    }
}

/// What stands between the parts of a resource.
const PARTS: [char; 3] = ['.', ':', '/'];

/// What stands for a host or device that nobody names: it declares, and grants nothing.
pub const UNKNOWN: &str = "unknown.invalid";

/// Whether a resource is of a kind: the word itself, or what begins with it and a dot.
fn is_of(resource: &str, kinds: &[&str]) -> bool {
    let first = resource.split(PARTS).next().unwrap_or_default();
    kinds.iter().any(|kind| kind.eq_ignore_ascii_case(first))
}

impl Scope<'_> {
    /// What scopes of the network begin with.
    pub const NETWORK: &'static [&'static str] = &["net", "network", "http", "https", "internet"];
    /// What scopes of files begin with.
    pub const FILES: &'static [&'static str] = &["fs", "filesystem", "file", "files"];
    /// What scopes of devices begin with.
    pub const DEVICES: &'static [&'static str] = &["device", "devices"];

    /// What a scope of files does with them: the widest of its verbs.
    pub fn files(&self) -> Option<Filesystem> {
        self.actions.iter().map(|verb| Self::file_verb(verb)).max()
    }

    /// What a verb does with files: whatever is not reading may write.
    pub fn file_verb(verb: &str) -> Filesystem {
        if verb == "read" { Filesystem::Read } else { Filesystem::Write }
    }

    /// The device that a scope of devices names.
    pub fn device(resource: &str) -> &str {
        resource.split_once(PARTS).map_or(UNKNOWN, |(_, device)| device)
    }
}
