//! Compares facts about objects.

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::facts::{Facts, ObjectShape};
use super::hints::Hints;
use super::prover::{Prover, ValueScope};
use super::truth::Truth;
use super::types::Types;

impl ObjectShape<'_> {
    /// Returns the schema of a member. `None` as name means a member without a schema of
    /// its own.
    pub(super) fn member_schema(&self, name: Option<&str>) -> Option<usize> {
        let own = name.and_then(|name| self.properties.get(name).copied());
        // A name that matches a pattern does not count as additional.
        own.or(self.additional.filter(|_| !self.patterns))
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
        let known = |name: &Cow<'_, str>| shape.properties.contains_key(name);
        self.is_closed(sub) && sub.declared.names.iter().all(known)
    }

    /// Checks that `sup` accepts a member.
    pub(super) fn member_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>, name: &str) -> Truth {
        let Some(ours) = self.member(sub, Some(name)) else { return Truth::Yes };
        let blind = sub.unread_types().has(Types::OBJECT) || !sub.names.is_empty();
        let blind = blind || sub.objects.iter().any(|shape| shape.patterns);
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
        let part = self.sub.graph.subschemas.get(self.sub.graph.resolve_alias(part));
        part.is_some_and(|part| part.node.bool() == Some(false))
    }

    /// Checks that the facts of `sub` about objects imply those of `sup`.
    pub(super) fn objects_within(&mut self, sub: &Facts<'a>, sup: &Facts<'a>) -> Truth {
        let mut verdict = self.counts_within(sub, sup);
        for part in &sup.names {
            let known = sub.names.iter().any(|ours| self.same_fingerprint(&[*ours], *part));
            let known =
                known || self.within(sub.names.clone(), Hints::default(), *part) == Truth::Yes;
            verdict = verdict.and(if known { Truth::Yes } else { Truth::Unknown });
        }
        if verdict == Truth::No || sub.members.at_most(Some(0)) {
            return verdict;
        }
        let shapes = sub.objects.iter().chain(&sup.objects);
        let names: BTreeSet<&str> = shapes
            .flat_map(|shape| shape.properties.keys())
            .chain(&sub.required)
            .chain(&sub.declared.names)
            .map(AsRef::as_ref)
            .collect();
        // A schema for names may refuse any of these names.
        let blind = !sub.names.is_empty();
        for shape in &sup.objects {
            if shape.patterns {
                let same = |ours: &ObjectShape<'_>| ours.print == shape.print;
                let known = shape.print.is_some() && sub.objects.iter().any(same);
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
                let patterns = sub.objects.iter().any(|shape| shape.patterns);
                let found = self.within(ours, sub.declared.member(name), wanted);
                verdict = verdict.and(found.unknown_if(blind || patterns));
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
            let limited = self.is_closed(sub) || !sub.names.is_empty();
            let shut = |part: Option<usize>| part.is_some_and(|part| self.is_false_schema(part));
            let limited = limited || sub.objects.iter().any(|shape| shut(shape.additional));
            let names = u64::try_from(sub.declared.names.len()).unwrap_or(u64::MAX);
            let few = self.is_closed(sub) && sup.members.max.is_some_and(|max| names <= max);
            verdict = verdict.and(match (few, limited) {
                (true, _) => Truth::Yes,
                (_, true) => Truth::Unknown,
                _ => Truth::No,
            });
        }
        verdict
    }
}
