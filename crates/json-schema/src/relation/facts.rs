//! The constraints of a schema on a value, collected in one place.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::super::graph::{Step, Subschema};
use super::super::keywords::{self, Applies, Role};
use super::cost::cost;
use super::fingerprint::{Fingerprint, combine, value_fingerprint};
use super::hints::{Declarations, Hints};
use super::numbers::Numbers;
use super::prover::{Operand, Prover};
use super::side::ComparedSchema;
use super::truth::Truth;
use super::types::Types;
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

    /// Returns true if no count is above `limit`.
    pub(super) fn at_most(self, limit: Option<u64>) -> bool {
        limit.is_none_or(|limit| self.max.is_some_and(|max| max <= limit))
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
        let count = || {
            let number = value.number();
            // A count that does not fit is larger than any length.
            number.and_then(|n| u64::try_from(n.to_i64()?).ok()).unwrap_or(u64::MAX)
        };
        match name {
            "type" => self.types = self.types.and(Types::from_keyword(value)),
            "const" => self.values.push(Rc::new([(canonical(value), value)].into())),
            "enum" => {
                let values = value.elements().map(|value| (canonical(value), value));
                self.values.push(Rc::new(values.collect()));
            }
            "minLength" => self.length.raise_min(count()),
            "maxLength" => self.length.lower_max(count()),
            "minItems" => self.items.raise_min(count()),
            "maxItems" => self.items.lower_max(count()),
            "minProperties" => self.members.raise_min(count()),
            "maxProperties" => self.members.lower_max(count()),
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
            let size = self.side(which).graph.subschemas.get(index).map_or(0, cost);
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
    let Some(part) = side.graph.subschemas.get(index) else { return };
    if let Some(alias) = part.alias {
        pending.extend(part.edges.get(alias).map(|found| found.target));
        return;
    }
    if part.node.bool() == Some(false) {
        facts.types = Types::NONE;
    }
    for member in part.node.members() {
        let keyword = keywords::find(&member.name(), side.graph.dialect);
        match keyword.map(|keyword| (keyword.role, keyword.name)) {
            Some((Role::Assertion | Role::Pattern, name)) => facts.assert(name, member.value),
            Some((Role::Applicator(_), "dependencies")) => {
                // The text contains the lists of names; the schemas are uses.
                let prints = part.edges.iter().filter(|found| found.keyword == "dependencies");
                let schemas = prints.map(|found| (found.name(), side.print(found.target)));
                let text = ("", Some(value_fingerprint(member.value)));
                facts.unread.push((Types::OBJECT, combine(schemas.chain([text]))));
            }
            _ => {}
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
    for found in &part.edges {
        let target = found.target;
        let print = side.print(target);
        let key = || format!("{}\u{1}{}", found.keyword, found.name());
        match (found.applies, found.keyword) {
            (Applies::Definition, _) | (_, "dependencies") => {}
            (Applies::Always, _) => pending.push(target),
            (Applies::Conditional, "anyOf" | "oneOf") => {
                choices.entry(found.keyword).or_default().push(target);
            }
            (Applies::Conditional, "if" | "then" | "else") => {
                condition.push((found.keyword, print));
            }
            (Applies::Conditional, "not") => {
                facts.unread.push((Types::ALL, combine([("not", print)])));
            }
            (Applies::Conditional, _) => {
                let named = combine([(found.name(), print), ("", Some([0; 32]))]);
                facts.unread.push((Types::OBJECT, named));
            }
            (Applies::Property, _) => {
                if let Step::Name(name) = &found.step {
                    object.properties.insert(name.clone(), target);
                    shape_prints.push((key(), print));
                }
            }
            (Applies::PatternProperties, _) => {
                object.patterns = true;
                shape_prints.push((key(), print));
            }
            (Applies::AdditionalProperties, _) => {
                object.additional = Some(target);
                shape_prints.push((key(), print));
            }
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
    facts.choices.extend(choices.into_iter().map(|(keyword, parts)| {
        let print = combine(parts.iter().map(|part| (keyword, side.print(*part))));
        Choice { parts, exclusive: keyword == "oneOf", print }
    }));
    if !array.first.is_empty() || array.rest.is_some() {
        facts.arrays.push(array);
    }
    add_object(part, object, &shape_prints, facts);
}

/// Adds the shape of an object, unless the schema has no keyword for members. `prints` are the
/// fingerprints of its subschemas.
fn add_object<'a>(
    part: &Subschema<'a>,
    mut object: ObjectShape<'a>,
    prints: &[(String, Option<Fingerprint>)],
    facts: &mut Facts<'a>,
) {
    object.has_properties = part.node.get("properties").is_some();
    if !prints.is_empty() || object.has_properties {
        object.print = combine(prints.iter().map(|(key, print)| (key.as_str(), *print)));
        facts.objects.push(object);
    }
}

/// Returns the print of `contains` and its counts.
fn contains_fingerprint(
    side: &ComparedSchema<'_>,
    part: &Subschema<'_>,
    print: Option<Fingerprint>,
) -> Option<Fingerprint> {
    let count = |name| {
        keywords::find(name, side.graph.dialect)?;
        part.node.get(name).map(value_fingerprint)
    };
    let counts = ["minContains", "maxContains"];
    let counts = counts.into_iter().filter_map(|name| Some((name, Some(count(name)?))));
    combine(counts.chain([("contains", print)]))
}
