//! Compares facts about objects.

use std::collections::BTreeSet;

use super::facts::{Facts, ObjectShape};
use super::hints::Hints;
use super::prover::{Prover, ValueScope};
use super::truth::Truth;
use crate::graph::Subschema;
use crate::types::Types;

impl ObjectShape<'_> {
    /// Returns the schema of a member. `None` as name means a member without a schema of
    /// its own.
    pub(super) fn member_schema(&self, name: Option<&str>) -> Option<usize> {
        if let Some(own) = name.and_then(|name| self.properties.get(name)) {
            return Some(*own);
        }
        // A name that matches a pattern does not count as additional.
        if self.patterns { None } else { self.additional }
    }
}

impl<'a> Prover<'_, 'a> {
    /// Returns true if only named members can occur.
    fn is_closed(&self, sub: &Facts<'_>) -> bool {
        let named = sub.root || sub.objects.iter().any(|shape| shape.has_properties);
        self.reading == ValueScope::Declared && named && !sub.declared.allows_others
    }

    /// Returns the schemas of a member, or `None` if it cannot occur.
    fn member(&self, sub: &Facts<'_>, name: Option<&str>) -> Option<Vec<usize>> {
        let known = name.is_some_and(|name| sub.declared.names.contains(name));
        if !known && self.is_closed(sub) {
            return None;
        }
        Some(sub.objects.iter().filter_map(|shape| shape.member_schema(name)).collect())
    }

    /// Returns true if only members that a shape names are sent.
    pub(super) fn sends_only(&self, sub: &Facts<'_>, shape: &ObjectShape<'_>) -> bool {
        self.is_closed(sub)
            && sub.declared.names.iter().all(|name| shape.properties.contains_key(name))
    }

    /// Checks that `sup` accepts a member.
    pub(super) fn member_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>, name: &str) -> Truth {
        let Some(ours) = self.member(sub, Some(name)) else { return Truth::Yes };
        let blind = sub.unread_types().has(Types::OBJECT)
            || !sub.names.is_empty()
            || sub.objects.iter().any(|shape| shape.patterns);
        let mut verdict = Truth::Yes;
        for shape in &sup.objects {
            if shape.patterns {
                verdict = verdict.and(Truth::Unknown);
            } else if let Some(wanted) = shape.member_schema(Some(name)) {
                let hints = sub.declared.member(Some(name));
                verdict = verdict.and(self.within(ours.clone(), hints, wanted).unknown_if(blind));
            }
        }
        verdict
    }

    /// Returns true if a part is, or refers to, the schema `false`.
    pub(super) fn is_false_schema(&self, part: usize) -> bool {
        self.sub.part(self.sub.graph.resolve_alias(part)).is_some_and(Subschema::is_false)
    }

    /// Checks that the facts of `sub` about objects imply those of `sup`.
    pub(super) fn objects_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let mut verdict = self.counts_within(sub, sup);
        for part in &sup.names {
            let known = sub.names.iter().any(|ours| self.same_fingerprint(&[*ours], *part))
                || self.within(sub.names.clone(), Hints::default(), *part) == Truth::Yes;
            verdict = verdict.and(if known { Truth::Yes } else { Truth::Unknown });
        }
        if verdict == Truth::No || sub.members.at_most(Some(0)) {
            return verdict;
        }
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for shape in sub.objects.iter().chain(&sup.objects) {
            names.extend(shape.properties.keys().map(AsRef::as_ref));
        }
        names.extend(sub.required.iter().map(AsRef::as_ref));
        names.extend(sub.declared.names.iter().map(AsRef::as_ref));
        // A schema for names, or for names that match a pattern, may refuse any of these.
        let blind = !sub.names.is_empty() || sub.objects.iter().any(|shape| shape.patterns);
        for shape in &sup.objects {
            if shape.patterns {
                let known = shape.print.is_some()
                    && sub.objects.iter().any(|ours| ours.print == shape.print);
                verdict = verdict.and(if known { Truth::Yes } else { Truth::Unknown });
                continue;
            }
            // `None` represents all other names.
            for name in names.iter().copied().map(Some).chain([None]) {
                let Some(wanted) = shape.member_schema(name) else { continue };
                if !self.spend(1 + sub.objects.len() + sub.declared.cost()) {
                    return verdict.and(Truth::Unknown);
                }
                let Some(ours) = self.member(sub, name) else { continue };
                let found = self.within(ours, sub.declared.member(name), wanted);
                verdict = verdict.and(found.unknown_if(blind));
                if verdict == Truth::No {
                    return verdict;
                }
            }
        }
        verdict
    }

    /// Checks the number of members and the required ones.
    fn counts_within(&self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let needed = u64::try_from(sub.required.len()).unwrap_or(u64::MAX);
        let least = sub.members.min.max(needed);
        if least < sup.members.min {
            return Truth::No;
        }
        let mut verdict = Truth::Yes;
        if !sup.required.is_subset(&sub.required) {
            // `minProperties` may require so many members that none can be omitted.
            verdict = Truth::No.unknown_if(sub.members.min > needed);
        }
        if !sub.members.at_most(sup.members.max) {
            let is_closed = self.is_closed(sub);
            let names = u64::try_from(sub.declared.names.len()).unwrap_or(u64::MAX);
            let mut additional = sub.objects.iter().filter_map(|shape| shape.additional);
            let is_few = is_closed && sup.members.max.is_some_and(|max| names <= max);
            let is_limited = is_closed
                || !sub.names.is_empty()
                || additional.any(|part| self.is_false_schema(part));
            if !is_few {
                verdict = verdict.and(Truth::No.unknown_if(is_limited));
            }
        }
        verdict
    }
}
