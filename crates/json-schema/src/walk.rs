//! Reads a schema into a [`Graph`], and checks every keyword on the way.

use std::collections::BTreeMap;

use super::graph::{Edge, Graph, Location, Step, Subschema};
use super::keywords::{self, Applies, Keyword, Role, Shape};
use super::patterns::Budget;
use super::{Dialect, rules, shape};
use crate::Limits;
use diagnostic::{Diagnostic, printable, quoted, some_or_bug};
use json_text::{Kind, Member, Node, NodeValue};

/// The identifiers and anchors of a schema.
#[derive(Default)]
pub(super) struct Names<'a> {
    /// The schemas with an identifier. The first is the whole schema.
    pub(super) resources: Vec<Resource<'a>>,
    pub(super) by_uri: BTreeMap<String, usize>,
    /// Anchors by resource and name.
    pub(super) anchors: BTreeMap<(usize, String), Anchor<'a>>,
    /// The number of resources with a dynamic anchor, by its name.
    pub(super) dynamic: BTreeMap<String, usize>,
    /// The number of resources with `$recursiveAnchor`.
    pub(super) recursive: usize,
}

pub(super) struct Resource<'a> {
    pub(super) uri: String,
    pub(super) root: Node<'a>,
    pub(super) part: usize,
}

pub(super) struct Anchor<'a> {
    pub(super) node: Node<'a>,
    pub(super) part: usize,
    pub(super) dynamic: bool,
}

/// An unresolved reference.
#[derive(Clone, Copy)]
pub(super) struct Reference<'a> {
    pub(super) part: usize,
    /// Its index in the uses of the part.
    pub(super) index: usize,
    pub(super) keyword: &'static str,
    pub(super) value: Node<'a>,
}

/// A schema that is being read.
pub(super) struct Walk<'a, 'l> {
    pub(super) graph: Graph<'a>,
    pub(super) references: Vec<Reference<'a>>,
    pub(super) names: Names<'a>,
    patterns: Budget<'l>,
    limits: &'l Limits,
    /// The number of parts that are read.
    read_count: usize,
    /// True if reading on is pointless.
    pub(super) stopped: bool,
    out: Vec<Diagnostic>,
}

impl<'a, 'l> Walk<'a, 'l> {
    pub(super) fn new(schema: Node<'a>, dialect: Dialect, limits: &'l Limits) -> Self {
        let mut walk = Self {
            graph: Graph { dialect, subschemas: Vec::new() },
            references: Vec::new(),
            names: Names::default(),
            patterns: Budget::new(limits),
            limits,
            read_count: 0,
            stopped: false,
            out: Vec::new(),
        };
        walk.add(schema, Location::Root, 0, 0);
        walk
    }

    /// Reads every added part, and the parts inside it.
    pub(super) fn read_pending(&mut self) {
        while !self.stopped && self.read_count < self.graph.subschemas.len() {
            self.read_part(self.read_count);
            self.read_count += 1;
        }
    }

    /// Returns the graph and the diagnostics.
    pub(super) fn into_parts(self) -> (Graph<'a>, Vec<Diagnostic>) {
        (self.graph, self.out)
    }

    /// Adds a diagnostic, and stops at the limit.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) {
        let limit = self.limits.diagnostics.max(1);
        if self.out.len() < limit {
            self.out.push(diagnostic);
        }
        self.stopped |= self.out.len() >= limit;
    }

    /// Adds a subschema to be read.
    pub(super) fn add(&mut self, node: Node<'a>, place: Location, depth: usize, resource: usize) {
        let limit = self.limits.subschemas;
        if self.graph.subschemas.len() >= limit {
            self.report(rules::COUNT.at(node, format!("more than {limit} subschemas")));
            self.stopped = true;
        }
        self.graph.subschemas.push(Subschema {
            node,
            location: place,
            depth,
            resource,
            edges: Vec::new(),
            alias: None,
        });
    }

    fn read_part(&mut self, part: usize) {
        let Some(&Subschema { node, depth, .. }) = self.graph.subschemas.get(part) else { return };
        if depth > self.limits.schema_depth {
            let limit = self.limits.schema_depth;
            let message = format!("more than {limit} subschemas inside each other");
            return self.report(rules::DEPTH.at(node, message));
        }
        let dialect = self.graph.dialect;
        match node.kind() {
            Kind::Object => {}
            Kind::Bool if dialect > Dialect::Draft4 || self.may_be_bool(part) => return,
            kind => {
                let message = format!("expected a schema, found {}", kind.with_article());
                return self.report(rules::INVALID.at(node, message));
            }
        }
        // In older dialects, `$ref` disables its siblings.
        let alone = dialect.ref_disables_siblings() && node.get("$ref").is_some();
        self.register_names(part, alone);
        for member in node.members() {
            if self.stopped {
                break;
            }
            if let Some(keyword) = keywords::find(&member.name(), dialect) {
                self.keyword(part, keyword, member, alone);
            }
        }
        if dialect == Dialect::Draft4 {
            self.check_draft4_bounds(node);
        }
    }

    /// Returns true if a keyword of draft-04 accepts a boolean as this part.
    fn may_be_bool(&self, part: usize) -> bool {
        let parts = &self.graph.subschemas;
        let Some(Location::Inside { part, index }) = parts.get(part).map(|part| &part.location)
        else {
            return false;
        };
        let Some(edge) = parts.get(*part).and_then(|part| part.edges.get(*index)) else {
            return false;
        };
        let keyword = keywords::find(edge.keyword, self.graph.dialect);
        keyword.is_some_and(|keyword| keyword.shape == Shape::SchemaOrBool)
    }

    fn keyword(&mut self, part: usize, keyword: &'static Keyword, member: Member<'a>, alone: bool) {
        let value = member.value;
        if let Some((wrong, expected)) = shape::mismatch(value, keyword.shape, self.graph.dialect) {
            let found = match wrong.value() {
                NodeValue::String(text) => quoted(&text),
                NodeValue::Number(number) => printable(number.as_str(), 64),
                _ => wrong.kind().with_article().to_owned(),
            };
            let message = format!("{} takes {expected}, found {found}", keyword.name);
            return self.report(rules::INVALID.at(wrong, message));
        }
        match keyword.role {
            Role::Annotation | Role::Assertion => {}
            Role::Name => self.check_dialect(keyword.name, value),
            Role::Pattern => self.check_pattern(value, value),
            Role::Reference => {
                let index = self.add_edge(part, keyword.name, Step::Value, Applies::Always);
                self.open_reference(part, index, alone);
                self.references.push(Reference { part, index, keyword: keyword.name, value });
            }
            Role::Applicator(applies) => {
                let idle = alone || (keyword.name == "additionalItems" && !self.lists_items(part));
                let applies = if idle { Applies::Definition } else { applies };
                self.apply(part, keyword, applies, value);
            }
        }
    }

    /// Returns true if `items` is an array. Otherwise `additionalItems` has no effect.
    fn lists_items(&self, part: usize) -> bool {
        let Some(part) = self.graph.subschemas.get(part) else { return false };
        part.node.get("items").is_some_and(Node::is_array)
    }

    /// Adds the subschemas in the value of a keyword.
    fn apply(&mut self, part: usize, keyword: &Keyword, applies: Applies, value: Node<'a>) {
        let listed = value.is_array();
        match keyword.shape {
            Shape::Schemas | Shape::SchemaOrSchemas if listed => {
                let applies = match applies {
                    Applies::AdditionalItems => Applies::Item,
                    applies => applies,
                };
                for (index, element) in value.elements().enumerate() {
                    self.child(part, keyword.name, Step::Index(index), applies, element);
                }
            }
            Shape::SchemasByName | Shape::SchemasOrStringsByName => {
                let names_only = keyword.shape == Shape::SchemasOrStringsByName;
                for member in value.members() {
                    if applies == Applies::PatternProperties {
                        self.check_pattern(member.key, member.value);
                    }
                    if !(names_only && member.value.is_array()) {
                        let step = Step::Name(member.name());
                        self.child(part, keyword.name, step, applies, member.value);
                    }
                }
            }
            _ => self.child(part, keyword.name, Step::Value, applies, value),
        }
    }

    fn child(
        &mut self,
        part: usize,
        keyword: &'static str,
        step: Step<'a>,
        applies: Applies,
        node: Node<'a>,
    ) {
        if self.stopped {
            return;
        }
        let Some(&Subschema { depth, resource, .. }) = self.graph.subschemas.get(part) else {
            return;
        };
        let index = self.add_edge(part, keyword, step, applies);
        self.add(node, Location::Inside { part, index }, depth + 1, resource);
    }

    /// Records that a part applies the part that is added next. Returns the index of the
    /// use.
    fn add_edge(
        &mut self,
        part: usize,
        keyword: &'static str,
        step: Step<'a>,
        applies: Applies,
    ) -> usize {
        let target = self.graph.subschemas.len();
        let Some(part) = self.graph.subschemas.get_mut(part) else {
            return 0;
        };
        part.edges.push(Edge { keyword, step, applies, target });
        part.edges.len() - 1
    }

    /// Leaves the target of a reference open. Marks the part as an alias if it has no other
    /// effect.
    fn open_reference(&mut self, part: usize, index: usize, alone: bool) {
        let Some(part) = self.graph.subschemas.get_mut(part) else {
            return;
        };
        if let Some(reference) = part.edges.get_mut(index) {
            reference.target = usize::MAX;
        }
        if alone || part.node.members().nth(1).is_none() {
            part.alias = Some(index);
        }
    }

    fn check_pattern(&mut self, source: Node<'a>, at: Node<'a>) {
        if self.stopped {
            return;
        }
        // It is a name, or a value whose shape was checked.
        let source = some_or_bug(source.text());
        if let Err(message) = self.patterns.admit(&source) {
            self.report(rules::PATTERN.at(at, message));
        }
    }

    /// Checks that a subschema keeps the dialect, and that its vocabularies are known.
    fn check_dialect(&mut self, keyword: &str, value: Node<'a>) {
        let dialect = self.graph.dialect;
        if keyword == "$schema" {
            if value.text().and_then(|uri| Dialect::from_uri(&uri)) != Some(dialect) {
                let message = format!("expected the dialect of the whole, {}", dialect.name());
                self.report(rules::DIALECT.at(value, message));
            }
        } else if keyword == "$vocabulary" {
            let mut names = value.members();
            if let Some(unknown) = names.find(|name| !dialect.has_vocabulary(&name.name())) {
                let message = format!("unknown vocabulary {}", quoted(&unknown.name()));
                self.report(rules::DIALECT.at(unknown.value, message));
            }
        }
    }

    /// Checks that the bounds that draft-04 makes exclusive are present.
    fn check_draft4_bounds(&mut self, node: Node<'a>) {
        for (exclusive, bound) in [("exclusiveMaximum", "maximum"), ("exclusiveMinimum", "minimum")]
        {
            if let (Some(at), None) = (node.get(exclusive), node.get(bound)) {
                let message = format!("{exclusive} needs {bound} beside it");
                self.report(rules::INVALID.at(at, message));
            }
        }
    }
}
