//! The constraints of a schema on a value, collected in one place.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::fingerprint::{Fingerprint, combine, value_fingerprint};
use super::hints::{Declarations, Hints};
use super::numbers::Numbers;
use super::prover::{Operand, Prover};
use super::side::{ComparedSchema, cost};
use super::truth::Truth;
use crate::graph::{Step, Subschema};
use crate::keywords::{self, Applies, Role};
use crate::types::Types;
use json_text::Node;
use json_text::canonical;

/// A conjunction: every value that the schema accepts meets all of it.
#[derive(Clone, Debug)]
pub(super) struct Facts<'a> {
    /// True for the whole schema, false for a part of it.
    pub(super) root: bool,
    pub(super) types: Types,
    /// Lists of values, by canonical form. A value must be in each list.
    pub(super) values: Vec<Rc<BTreeMap<String, Node<'a>>>>,
    pub(super) numbers: Numbers<'a>,
    pub(super) length: Range,
    pub(super) patterns: BTreeSet<Cow<'a, str>>,
    pub(super) formats: BTreeSet<Cow<'a, str>>,
    pub(super) items: Range,
    pub(super) unique: bool,
    pub(super) arrays: Vec<ArrayShape>,
    pub(super) members: Range,
    pub(super) required: BTreeSet<Cow<'a, str>>,
    pub(super) objects: Vec<ObjectShape<'a>>,
    /// Schemas for member names.
    pub(super) names: Vec<usize>,
    pub(super) choices: Vec<Choice>,
    /// Constraints that are not read further: the types they apply to, and their print.
    pub(super) unread: Vec<(Types, Option<Fingerprint>)>,
    /// The declarations that senders follow.
    pub(super) declared: Rc<Declarations<'a>>,
}

/// A range of counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Range {
    pub(super) min: u64,
    pub(super) max: Option<u64>,
}

impl Range {
    pub(super) fn is_empty(self) -> bool {
        self.max.is_some_and(|max| max < self.min)
    }

    pub(super) fn contains(self, count: u64) -> bool {
        self.min <= count && self.max.is_none_or(|max| count <= max)
    }

    /// Returns true if no count is above `limit`.
    pub(super) fn at_most(self, limit: Option<u64>) -> bool {
        match (self.max, limit) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(max), Some(limit)) => max <= limit,
        }
    }

    fn raise_min(&mut self, count: u64) {
        self.min = self.min.max(count);
    }

    pub(super) fn lower_max(&mut self, count: u64) {
        self.max = Some(self.max.map_or(count, |max| max.min(count)));
    }
}

/// The constraints of one subschema on elements.
#[derive(Clone, Debug, Default)]
pub(super) struct ArrayShape {
    pub(super) first: Vec<usize>,
    pub(super) rest: Option<usize>,
}

/// The constraints of one subschema on members.
#[derive(Clone, Debug, Default)]
pub(super) struct ObjectShape<'a> {
    pub(super) properties: BTreeMap<Cow<'a, str>, usize>,
    /// True if there are schemas for names that match a pattern.
    pub(super) patterns: bool,
    pub(super) additional: Option<usize>,
    pub(super) print: Option<Fingerprint>,
    /// True if `properties` is present.
    pub(super) has_properties: bool,
}

/// `anyOf` or `oneOf`.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) parts: Vec<usize>,
    pub(super) exclusive: bool,
    pub(super) print: Option<Fingerprint>,
}

impl Choice {
    /// Returns true if both surely accept the same values.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.print.is_some() && self.print == other.print && self.exclusive == other.exclusive
    }
}

impl<'a> Facts<'a> {
    fn unconstrained() -> Self {
        Self {
            root: false,
            types: Types::ALL,
            values: Vec::new(),
            numbers: Numbers::default(),
            length: Range::default(),
            patterns: BTreeSet::new(),
            formats: BTreeSet::new(),
            items: Range::default(),
            unique: false,
            arrays: Vec::new(),
            members: Range::default(),
            required: BTreeSet::new(),
            objects: Vec::new(),
            names: Vec::new(),
            choices: Vec::new(),
            unread: Vec::new(),
            declared: Rc::default(),
        }
    }

    /// Returns the steps to visit all facts.
    pub(super) fn cost(&self) -> usize {
        let named: usize = self.objects.iter().map(|shape| shape.properties.len()).sum();
        let listed: usize = self.arrays.iter().map(|shape| shape.first.len()).sum();
        1 + named + listed + self.required.len() + self.unread.len() + self.choices.len()
    }

    /// Returns the types of which an unread constraint may refuse some values.
    pub(super) fn unread_types(&self) -> Types {
        if !self.choices.is_empty() {
            return Types::ALL;
        }
        self.unread.iter().fold(Types::NONE, |all, (types, _)| all.or(*types))
    }

    /// Returns the types without those that contradictory facts rule out.
    pub(super) fn possible(&self) -> Types {
        let mut types = self.types;
        if self.numbers.no_integers() {
            types = types.without(Types::INTEGER);
        }
        if self.numbers.no_fractions() {
            types = types.without(Types::FRACTION);
        }
        if self.length.is_empty() {
            types = types.without(Types::STRING);
        }
        if self.items.is_empty() {
            types = types.without(Types::ARRAY);
        }
        let needed = u64::try_from(self.required.len()).unwrap_or(u64::MAX);
        if self.members.is_empty() || self.members.max.is_some_and(|max| max < needed) {
            types = types.without(Types::OBJECT);
        }
        types
    }

    /// Checks that the facts about strings imply those of `other`.
    pub(super) fn strings_within(&self, other: &Self) -> Truth {
        let length = self.length.min >= other.length.min && self.length.at_most(other.length.max);
        let texts =
            other.patterns.is_subset(&self.patterns) && other.formats.is_subset(&self.formats);
        match (length, texts) {
            (true, true) => Truth::Yes,
            // Strings of every allowed length exist.
            (false, _) if self.patterns.is_empty() && self.formats.is_empty() => Truth::No,
            _ => Truth::Unknown,
        }
    }

    /// Reads an assertion.
    fn assert(&mut self, name: &str, value: Node<'a>) {
        match name {
            "type" => self.types = self.types.and(Types::from_keyword(value)),
            "const" => self.values.push(Rc::new([(canonical(value), value)].into())),
            "enum" => {
                let mut values = BTreeMap::new();
                for value in value.elements() {
                    values.insert(canonical(value), value);
                }
                self.values.push(Rc::new(values));
            }
            "minLength" => self.length.raise_min(count(value)),
            "maxLength" => self.length.lower_max(count(value)),
            "minItems" => self.items.raise_min(count(value)),
            "maxItems" => self.items.lower_max(count(value)),
            "minProperties" => self.members.raise_min(count(value)),
            "maxProperties" => self.members.lower_max(count(value)),
            "uniqueItems" => self.unique |= value.bool() == Some(true),
            "required" => self.required.extend(value.elements().filter_map(Node::text)),
            "pattern" => self.patterns.extend(value.text()),
            "format" => self.formats.extend(value.text()),
            "dependentRequired" => {
                self.unread.push((Types::OBJECT, Some(value_fingerprint(value))));
            }
            // These are read together with `contains`.
            "minContains" | "maxContains" => {}
            name => {
                if !self.numbers.assert(name, value) {
                    self.unread.push((Types::ALL, None));
                }
            }
        }
    }
}

fn count(value: Node<'_>) -> u64 {
    let count = value.number().and_then(|number| number.to_i64());
    // A count that does not fit is larger than any length.
    count.and_then(|count| u64::try_from(count).ok()).unwrap_or(u64::MAX)
}

impl<'a> Prover<'_, 'a> {
    fn side(&self, which: Operand) -> &ComparedSchema<'a> {
        match which {
            Operand::Sub => self.sub,
            Operand::Sup => self.sup,
        }
    }

    /// Returns the facts of all the parts together.
    pub(super) fn facts(&mut self, which: Operand, parts: &[usize]) -> Facts<'a> {
        let mut facts = Facts::unconstrained();
        self.add_facts(which, parts, &mut facts);
        facts
    }

    /// Returns the facts of parts of the first schema, with the declarations that senders
    /// follow.
    pub(super) fn sender_facts(&mut self, parts: &[usize], hints: &Hints) -> Facts<'a> {
        let mut facts = self.facts(Operand::Sub, parts);
        facts.declared = Rc::new(self.collect_declarations(parts, hints));
        facts
    }

    /// Adds the facts of parts. If the steps run out, adds an unread constraint instead.
    pub(super) fn add_facts(&mut self, which: Operand, parts: &[usize], facts: &mut Facts<'a>) {
        let mut pending = parts.to_vec();
        let mut seen = BTreeSet::new();
        while let Some(index) = pending.pop() {
            if !seen.insert(index) {
                continue;
            }
            let size = self.side(which).part(index).map_or(0, cost);
            if !self.spend(1 + size) {
                facts.unread.push((Types::ALL, None));
                return;
            }
            read_part(self.side(which), index, facts, &mut pending);
        }
    }
}

/// Reads one part. Pushes the parts that it always applies onto `pending`.
fn read_part<'a>(
    side: &ComparedSchema<'a>,
    index: usize,
    facts: &mut Facts<'a>,
    pending: &mut Vec<usize>,
) {
    let Some(part) = side.part(index) else { return };
    if let Some(reference) = part.alias() {
        pending.push(reference.target);
        return;
    }
    if part.is_false() {
        facts.types = Types::NONE;
    }
    for member in part.node.members() {
        let Some(keyword) = keywords::find(&member.name(), side.graph.dialect) else { continue };
        if matches!(keyword.role, Role::Assertion | Role::Pattern) {
            facts.assert(keyword.name, member.value);
        } else if keyword.name == "dependencies" {
            // The text contains the lists of names; the schemas are edges.
            let mut prints = vec![("", Some(value_fingerprint(member.value)))];
            for edge in &part.edges {
                if edge.keyword == "dependencies" {
                    prints.push((edge.name(), side.fingerprint(edge.target)));
                }
            }
            facts.unread.push((Types::OBJECT, combine(prints)));
        }
    }
    read_subschemas(side, part, facts, pending);
}

/// Reads the subschemas of a part.
fn read_subschemas<'a>(
    side: &ComparedSchema<'a>,
    part: &Subschema<'a>,
    facts: &mut Facts<'a>,
    pending: &mut Vec<usize>,
) {
    let mut array = ArrayShape::default();
    let mut object = ObjectShape::default();
    let mut shape_prints = Vec::new();
    let mut choices: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    let mut condition = Vec::new();
    for edge in &part.edges {
        let target = edge.target;
        let print = side.fingerprint(target);
        if is_about_members(edge.applies) {
            shape_prints.push((format!("{}\u{1}{}", edge.keyword, edge.name()), print));
        }
        match (edge.applies, edge.keyword) {
            (Applies::Definition, _) | (_, "dependencies") => {}
            (Applies::Always, _) => pending.push(target),
            (Applies::Conditional, "anyOf" | "oneOf") => {
                choices.entry(edge.keyword).or_default().push(target);
            }
            (Applies::Conditional, "if" | "then" | "else") => {
                condition.push((edge.keyword, print));
            }
            (Applies::Conditional, "not") => {
                facts.unread.push((Types::ALL, combine([("not", print)])));
            }
            (Applies::Conditional, _) => {
                let named = combine([(edge.name(), print), ("", Some([0; 32]))]);
                facts.unread.push((Types::OBJECT, named));
            }
            (Applies::Property, _) => {
                if let Step::Name(name) = &edge.step {
                    object.properties.insert(name.clone(), target);
                }
            }
            (Applies::PatternProperties, _) => object.patterns = true,
            (Applies::AdditionalProperties, _) => object.additional = Some(target),
            (Applies::PropertyNames, _) => facts.names.push(target),
            (Applies::Item, _) => array.first.push(target),
            (Applies::AdditionalItems, _) => array.rest = Some(target),
            (Applies::Contains, _) => {
                facts.unread.push((Types::ARRAY, contains_fingerprint(side, part, print)));
            }
            // Their meaning depends on all other keywords.
            (Applies::UnevaluatedProperties, _) => facts.unread.push((Types::OBJECT, None)),
            (Applies::UnevaluatedItems, _) => facts.unread.push((Types::ARRAY, None)),
        }
    }
    if condition.iter().any(|(keyword, _)| *keyword == "if") {
        facts.unread.push((Types::ALL, combine(condition)));
    }
    for (keyword, parts) in choices {
        let print = combine(parts.iter().map(|part| (keyword, side.fingerprint(*part))));
        facts.choices.push(Choice { parts, exclusive: keyword == "oneOf", print });
    }
    if !array.first.is_empty() || array.rest.is_some() {
        facts.arrays.push(array);
    }
    object.has_properties = part.node.get("properties").is_some();
    // Without a keyword for members, the schema has no shape.
    if !shape_prints.is_empty() || object.has_properties {
        object.print = combine(shape_prints.iter().map(|(key, print)| (key.as_str(), *print)));
        facts.objects.push(object);
    }
}

/// Returns true if a subschema is for the values of members.
fn is_about_members(applies: Applies) -> bool {
    matches!(
        applies,
        Applies::Property | Applies::PatternProperties | Applies::AdditionalProperties
    )
}

/// Returns the print of `contains` and its counts.
fn contains_fingerprint(
    side: &ComparedSchema<'_>,
    part: &Subschema<'_>,
    print: Option<Fingerprint>,
) -> Option<Fingerprint> {
    let mut prints = vec![("contains", print)];
    for name in ["minContains", "maxContains"] {
        if side.graph.dialect.defines(name)
            && let Some(count) = part.node.get(name)
        {
            prints.push((name, Some(value_fingerprint(count))));
        }
    }
    combine(prints)
}
