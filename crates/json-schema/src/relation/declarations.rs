//! The members that a schema declares anywhere. Senders are assumed to send no others.
//!
//! A schema may declare a member where it always applies, or where it may apply: in an
//! alternative, behind a condition, or depending on another member.
//! [`Facts`](super::facts::Facts) contains only parts that always apply, and constrains
//! values. [`Declarations`] covers all parts that may apply. It constrains nothing, and lists
//! the members to expect.

use std::collections::BTreeSet;

use super::hints::{Declarations, HintShape, Hints};
use super::prover::{Prover, ValueScope};
use super::side::cost;
use crate::graph::{Step, Subschema};
use crate::keywords::{self, Applies};
use json_text::Node;

impl<'a> Prover<'_, 'a> {
    /// Collects the declarations of parts that apply, and of hinted parts that may apply.
    pub(super) fn collect_declarations(
        &mut self,
        parts: &[usize],
        hints: &Hints,
    ) -> Declarations<'a> {
        let mut found = Declarations::default();
        if self.reading == ValueScope::Accepted {
            found.allows_others = true;
            return found;
        }
        found.loose = hints.loose;
        let mut fewest = 0;
        // The flag is true if the part may have to fail for the value to be accepted.
        let mut pending: Vec<(usize, bool)> =
            parts.iter().chain(&hints.parts).map(|part| (*part, false)).collect();
        let mut seen = BTreeSet::new();
        while let Some((index, fails)) = pending.pop() {
            if !seen.insert((index, fails)) {
                continue;
            }
            let Some(part) = self.sub.part(index) else { continue };
            if !self.spend(1 + cost(part)) {
                found.loose = true;
                break;
            }
            if let Some(reference) = part.alias() {
                pending.push((reference.target, fails));
                continue;
            }
            for member in part.node.members() {
                let Some(keyword) = keywords::find(&member.name(), self.sub.graph.dialect) else {
                    continue;
                };
                match keyword.name {
                    "required" => {
                        found.names.extend(member.value.elements().filter_map(Node::text));
                    }
                    "dependentRequired" | "dependencies" => {
                        for entry in member.value.members() {
                            found.names.insert(entry.name());
                            found.names.extend(entry.value.elements().filter_map(Node::text));
                        }
                    }
                    // A listed value declares everything inside it.
                    "const" => found.loose |= is_container(member.value),
                    "enum" => found.loose |= member.value.elements().any(is_container),
                    "minProperties" => {
                        let count = member.value.number().and_then(|count| count.to_i64());
                        let count = count.and_then(|count| usize::try_from(count).ok());
                        fewest = fewest.max(count.unwrap_or(usize::MAX));
                        found.allows_others |= fails;
                    }
                    "maxProperties" => found.allows_others |= fails,
                    _ => {}
                }
            }
            self.collect_nested_declarations(part, fails, &mut found, &mut pending);
        }
        // More members are required than have names.
        found.allows_others |= found.loose || fewest > found.names.len();
        found
    }

    /// Reads the declarations in the subschemas of a part.
    fn collect_nested_declarations(
        &self,
        part: &Subschema<'a>,
        fails: bool,
        found: &mut Declarations<'a>,
        pending: &mut Vec<(usize, bool)>,
    ) {
        let mut shape = HintShape::default();
        for inside in &part.edges {
            let target = inside.target;
            match inside.applies {
                Applies::Definition => {}
                Applies::Always => pending.push((target, fails)),
                Applies::Conditional => {
                    if let Step::Name(name) = &inside.step {
                        found.names.insert(name.clone());
                    }
                    pending.push((target, fails || matches!(inside.keyword, "not" | "if")));
                }
                Applies::Property => {
                    if let Step::Name(name) = &inside.step {
                        found.names.insert(name.clone());
                        shape.members.insert(name.clone(), target);
                    }
                }
                Applies::PropertyNames => found.allows_others = true,
                Applies::PatternProperties => {
                    found.allows_others = true;
                    shape.some_members.push(target);
                }
                Applies::AdditionalProperties => {
                    found.allows_others |= fails || !self.is_false_schema(target);
                    shape.other_members = Some(target);
                }
                Applies::UnevaluatedProperties => {
                    found.allows_others |= fails || !self.is_false_schema(target);
                    shape.some_members.push(target);
                }
                Applies::Item => shape.elements.push(target),
                Applies::AdditionalItems => shape.other_elements = Some(target),
                Applies::Contains | Applies::UnevaluatedItems => {
                    shape.some_elements.push(target);
                }
            }
        }
        found.shapes.push(shape);
    }
}

fn is_container(value: Node<'_>) -> bool {
    value.is_object() || value.is_array()
}
