//! Compiles a schema for a target.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer};
use json_schema::Relation;
use json_schema::graph::Graph;
use json_schema::types::Types;
use json_text::{Document, Edit, Node, Raw, apply};
use manifest_core::Limits;

use crate::budget::Budget;
use crate::change::{Change, ChangeKind, CompiledSchema};
use crate::classes::Classes;
use crate::codec::Codec;
use crate::dialect::{Root, TargetDialect};
use crate::json::write_strings;
use crate::load::load;
use crate::lower::{LowerOptions, lower};
use crate::measure::check_sizes;
use crate::part_types::PartTypes;
use crate::parts::{KeywordValue, Part, SchemaParts, parse_valid};
use crate::rename::{rename, renamed_places};
use crate::rules;
use crate::write::{Spelling, write};

/// Compiles a schema for a target, and determines its relation to the source.
pub(crate) fn compile(
    text: &str,
    dialect: &TargetDialect,
    sentences: bool,
    limits: &Limits,
) -> Result<CompiledSchema, Vec<Diagnostic>> {
    let document = Document::parse(text.as_bytes(), limits).map_err(|found| vec![found])?;
    let root = document.root();
    if accepts_unchanged(root, dialect) {
        refuse(json_schema::check(root, limits), dialect, limits)?;
        return Ok(unchanged_schema(text));
    }
    let (source, found) = Graph::read(root, limits);
    refuse(found, dialect, limits)?;
    let mut budget = Budget::new(limits);
    let schema = load(&source, &mut budget).map_err(|found| vec![found])?;
    let types = PartTypes::of(&schema);
    let read_as = with_argument_type(&document, dialect, &schema, types.all(0));
    let mut compiler =
        Compiler { dialect, schema, changes: BTreeSet::new(), spelling: Spelling::default() };
    if dialect.only_2020_12 && source.dialect != json_schema::Dialect::default() {
        compiler.change(ChangeKind::Reworded, Pointer::root().push("$schema"));
    }
    if dialect.root == Root::Any && !root.is_object() {
        compiler.change(ChangeKind::Reworded, Pointer::root());
    }
    if dialect.object_properties {
        compiler.spelling.objects = true;
        for property in boolean_properties(root) {
            compiler.change(ChangeKind::Reworded, property.pointer());
        }
    }
    compiler.run(types, sentences, limits, budget).map_err(|found| vec![found])?;
    if compiler.changes.is_empty() && dialect.subset.is_none() {
        return Ok(unchanged_schema(text));
    }
    Ok(compiler.finish(read_as, limits))
}

/// Fails with the diagnostics of a schema that cannot be used.
fn refuse(
    found: Vec<Diagnostic>,
    dialect: &TargetDialect,
    limits: &Limits,
) -> Result<(), Vec<Diagnostic>> {
    // A pattern that we cannot run does not matter if the target accepts every pattern. But
    // a list of diagnostics that is full may lack the worst.
    let is_complete = found.len() < limits.diagnostics.max(1);
    let are_patterns =
        found.iter().all(|found| found.rule.code == json_schema::rules::PATTERN.code);
    if found.is_empty() || (dialect.subset.is_none() && is_complete && are_patterns) {
        return Ok(());
    }
    Err(found)
}

/// Returns true if the target clearly accepts the schema unchanged.
fn accepts_unchanged(root: Node<'_>, dialect: &TargetDialect) -> bool {
    if dialect.subset.is_some() || dialect.property.is_some() || dialect.requires_items {
        return false;
    }
    if dialect.object_properties && !boolean_properties(root).is_empty() {
        return false;
    }
    if dialect.root == Root::Any {
        return root.is_object();
    }
    let is_object = root.get("type").and_then(Node::text).as_deref() == Some("object");
    is_object && (dialect.root == Root::Object || !root.members().any(|m| is_choice(&m.name())))
}

/// Keywords that make the root a choice, besides `$ref`.
const CHOICES: &[&str] = &["anyOf", "oneOf", "allOf", "enum", "not"];

/// Returns true if a keyword makes the root a choice.
fn is_choice(keyword: &str) -> bool {
    CHOICES.contains(&keyword) || keyword == "$ref"
}

/// Returns the properties of the root whose schemas are `true` or `false`.
fn boolean_properties(root: Node<'_>) -> Vec<Node<'_>> {
    let Some(properties) = root.get("properties") else { return Vec::new() };
    let schemas = properties.members().map(|member| member.value);
    schemas.filter(|schema| schema.bool().is_some()).collect()
}

fn unchanged_schema(text: &str) -> CompiledSchema {
    CompiledSchema {
        schema: Raw::from_trusted(text.to_owned()),
        relation: Relation::Equal,
        changes: Vec::new(),
        codec: Codec::default(),
        comparison: None,
        parts: None,
    }
}

/// A schema that is being compiled.
struct Compiler<'d> {
    dialect: &'d TargetDialect,
    schema: SchemaParts,
    changes: BTreeSet<(Pointer, ChangeKind)>,
    spelling: Spelling,
}

impl Compiler<'_> {
    fn run(
        &mut self,
        types: PartTypes,
        sentences: bool,
        limits: &Limits,
        budget: Budget,
    ) -> Result<(), Diagnostic> {
        let root_types = types.all(0);
        if root_types.is_empty() {
            return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), "this takes nothing"));
        }
        if let Some(subset) = self.dialect.subset {
            let source = std::mem::take(&mut self.schema);
            let options = LowerOptions {
                dialect: self.dialect,
                object: root_types == Types::ALL && self.dialect.arguments,
                sentences,
                max_parts: limits.subschemas,
                budget,
            };
            (self.schema, self.changes) = lower(source, types, &options)?;
            self.spelling.gemini = self.dialect.gemini;
            let root = self.schema.get(0);
            if root.declared_types() != Types::OBJECT || root.has("anyOf") {
                self.wrap();
            }
            if subset.required {
                self.require_all_members();
            }
        } else {
            self.fix_root(root_types);
            if self.dialect.requires_items {
                self.add_missing_items();
            }
            if self.dialect.requires_properties {
                self.name_required();
            }
        }
        if let Some(grammar) = self.dialect.property {
            self.spelling.new_names = rename(&self.schema, grammar)?;
            self.changes.extend(renamed_places(&self.schema, &self.spelling.new_names));
        }
        match self.dialect.sizes {
            Some(sizes) => check_sizes(&self.schema, &self.spelling, sizes),
            None => Ok(()),
        }
    }

    fn change(&mut self, kind: ChangeKind, at: Pointer) {
        self.changes.insert((at, kind));
    }

    fn wrap(&mut self) {
        self.spelling.wrap = Some(self.dialect.wrap);
        self.change(ChangeKind::Wrapped, Pointer::root());
    }

    /// Makes the root acceptable to the target.
    fn fix_root(&mut self, types: Types) {
        if self.dialect.root == Root::Any {
            return;
        }
        let must_be_plain = self.dialect.root == Root::Plain;
        if must_be_plain
            && let [(_, KeywordValue::Ref(target))] = self.schema.get(0).keywords.as_slice()
        {
            let keywords = self.schema.get(*target).keywords.clone();
            if let Some(root) = self.schema.parts.first_mut() {
                root.keywords = keywords;
            }
            self.change(ChangeKind::Merged, Pointer::root().push("$ref"));
        }
        let root = self.schema.get(0);
        let is_choice = must_be_plain && CHOICES.iter().any(|keyword| root.has(keyword));
        let is_object = types == Types::OBJECT || (types == Types::ALL && self.dialect.arguments);
        if is_choice || !is_object {
            return self.wrap();
        }
        if root.json("type") != Some("\"object\"") {
            self.schema.detach_root();
            set_object_type(&mut self.schema);
            self.change(ChangeKind::Typed, Pointer::root());
        }
    }

    /// Adds a missing schema for the elements of each list.
    fn add_missing_items(&mut self) {
        for id in self.schema.reachable(0) {
            let part = self.schema.get(id);
            let is_list = part.has("type") && part.declared_types().intersects(Types::ARRAY);
            if !is_list || part.has("items") {
                continue;
            }
            let at = part.at.clone();
            let any = self.schema.push(Part::anything(at.clone()));
            if let Some(part) = self.schema.parts.get_mut(id) {
                part.set("items", KeywordValue::Part(any));
            }
            self.change(ChangeKind::Items, at);
        }
    }

    /// Adds required names to the properties.
    fn name_required(&mut self) {
        for id in self.schema.reachable(0) {
            let part = self.schema.get(id);
            let mut named = part.properties().to_vec();
            let known: BTreeSet<&String> = part.properties().iter().map(|(n, _)| n).collect();
            let mut missing = part.required_in_order();
            missing.retain(|name| !known.contains(name));
            if missing.is_empty() {
                continue;
            }
            let at = part.at("required");
            // The schema of unnamed members applied to these, unless there are patterns.
            let mut others = None;
            if !part.has("patternProperties") {
                others = part.subschema("additionalProperties");
            }
            for name in missing {
                let child = match others {
                    Some(others) => others,
                    None => self.schema.push(Part::anything(at.clone())),
                };
                named.push((name, child));
            }
            if let Some(part) = self.schema.parts.get_mut(id) {
                part.set("properties", KeywordValue::Map(named));
            }
            self.change(ChangeKind::Named, at);
        }
    }

    /// Prepares a target that requires every member: `null` replaces an absent member,
    /// unless `null` already has a meaning there. In that case the member becomes required.
    fn require_all_members(&mut self) {
        self.spelling.all_required = true;
        let classes = Classes::of(&self.schema);
        let types = PartTypes::of(&self.schema);
        let mut optional = Vec::new();
        let mut nullable = BTreeSet::new();
        for id in self.schema.reachable(0) {
            let part = self.schema.get(id);
            let required = part.required();
            for (name, child) in part.properties() {
                let place = (classes.class(id), name.clone());
                if types.all(*child).intersects(Types::NULL) {
                    nullable.insert(place.clone());
                }
                if !required.contains(name) {
                    optional.push((id, place));
                }
            }
        }
        let mut needed: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (id, place) in optional {
            let is_nullable = nullable.contains(&place);
            let (_, name) = place;
            let at = self.schema.get(id).at_property(&name);
            if is_nullable {
                needed.entry(id).or_default().push(name);
                self.change(ChangeKind::Required, at);
            } else {
                self.spelling.null_members.insert((id, name));
                self.change(ChangeKind::NullForAbsent, at);
            }
        }
        for (id, names) in needed {
            let Some(part) = self.schema.parts.get_mut(id) else { continue };
            let mut text = String::new();
            write_strings(part.required().iter().chain(&names), &mut text);
            part.set("required", KeywordValue::Json(text));
        }
    }

    /// Writes the schema, and compares it with the source.
    fn finish(self, read_as: String, limits: &Limits) -> CompiledSchema {
        let Self { schema, changes, spelling, .. } = self;
        let meant = write(&schema, 0, &Spelling::default());
        let sent = write(&schema, 0, &spelling);
        let relation = match (parse_valid(&read_as), parse_valid(&meant)) {
            (Some(source), Some(meant)) => {
                json_schema::relation(source.root(), meant.root(), limits)
            }
            _ => Relation::Undecided,
        };
        let parts = Arc::new(schema);
        CompiledSchema {
            schema: Raw::from_trusted(sent),
            relation,
            changes: changes.into_iter().map(|(at, kind)| Change { kind, at }).collect(),
            codec: Codec::new(Arc::clone(&parts), spelling),
            comparison: Some((read_as, meant)),
            parts: Some(parts),
        }
    }
}

/// Sets the type of the root to `object`.
fn set_object_type(schema: &mut SchemaParts) {
    if let Some(root) = schema.parts.first_mut() {
        root.keywords.retain(|(name, _)| name != "type");
        root.keywords.insert(0, ("type".to_owned(), KeywordValue::Json("\"object\"".to_owned())));
    }
}

/// Returns the source, with the type `object` at the root if it describes arguments and
/// allows every type.
fn with_argument_type(
    source: &Document<'_>,
    dialect: &TargetDialect,
    schema: &SchemaParts,
    types: Types,
) -> String {
    if !dialect.arguments || types != Types::ALL {
        return source.text().to_owned();
    }
    let mut schema = schema.clone();
    let edit = Edit::Insert(Pointer::root().push("type"), "\"object\"".to_owned());
    // Edit the text of the source, unless something refers to its root.
    if let Ok(typed) = apply(source, &[edit])
        && !schema.detach_root()
    {
        return typed;
    }
    set_object_type(&mut schema);
    write(&schema, 0, &Spelling::default())
}
