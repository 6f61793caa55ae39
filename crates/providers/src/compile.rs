//! Compiles a schema for a target.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer, ok_or_bug};
use json_schema::Relation;
use json_text::{Document, Edit, Node, Raw, apply, quote};
use manifest_core::Limits;

use crate::budget::Budget;
use crate::change::{Change, ChangeKind, CompiledSchema};
use crate::classes::Classes;
use crate::codec::Codec;
use crate::dialect::{Root, TargetDialect};
use crate::graph::{Graph, KeywordValue, Subschema};
use crate::load::load;
use crate::lower::{LowerOptions, lower};
use crate::measure::check_sizes;
use crate::rename::{rename, renamed_places};
use crate::rules;
use crate::type_set::{GraphTypes, TypeSet};
use crate::write::{Spelling, write};

/// Compiles a schema for a target, and determines its relation to the source.
pub(crate) fn compile(
    text: &str,
    dialect: &TargetDialect,
    sentences: bool,
    limits: &Limits,
) -> Result<CompiledSchema, Vec<Diagnostic>> {
    let document = Document::parse(text.as_bytes(), limits).map_err(|found| vec![found])?;
    let found = json_schema::check(document.root(), limits);
    // A pattern that we cannot run does not matter if the target accepts every pattern.
    let patterns = found.iter().all(|found| found.rule.code == json_schema::rules::PATTERN.code);
    // A list of diagnostics that is full may lack the worst.
    let all = found.len() < limits.diagnostics.max(1);
    let may_pass = patterns && all && dialect.subset.is_none();
    if !found.is_empty() && !may_pass {
        return Err(found);
    }
    if accepts_unchanged(document.root(), dialect) {
        return Ok(unchanged_schema(text));
    }
    let one = |diagnostic| vec![diagnostic];
    let mut budget = Budget::new(limits);
    let graph = load(document.root(), &mut budget).map_err(one)?;
    let kinds = GraphTypes::of(&graph);
    let read_as = with_argument_type(&document, dialect, &graph, kinds.all(0));
    let mut compile =
        Compiler { dialect, graph, changes: BTreeSet::new(), spelling: Spelling::default() };
    let newest = json_schema::Dialect::of(document.root()) == Some(json_schema::Dialect::default());
    if dialect.only_2020_12 && !newest {
        compile.change(ChangeKind::Reworded, Pointer::root().push("$schema"));
    }
    if dialect.root == Root::Any && !document.root().is_object() {
        compile.change(ChangeKind::Reworded, Pointer::root());
    }
    if dialect.object_properties {
        compile.spelling.objects = true;
        boolean_properties(document.root())
            .for_each(|schema| compile.change(ChangeKind::Reworded, schema.pointer()));
    }
    compile.run(kinds, sentences, limits, budget).map_err(one)?;
    if compile.changes.is_empty() && dialect.subset.is_none() {
        return Ok(unchanged_schema(text));
    }
    Ok(compile.finish(read_as, limits))
}

/// Returns true if the target clearly accepts the schema unchanged.
fn accepts_unchanged(root: Node<'_>, dialect: &TargetDialect) -> bool {
    let object = || root.get("type").and_then(Node::text).as_deref() == Some("object");
    let restricted =
        dialect.subset.is_some() || dialect.property.is_some() || dialect.requires_items;
    let plain = !dialect.object_properties || boolean_properties(root).next().is_none();
    !restricted
        && plain
        && match dialect.root {
            Root::Any => root.is_object(),
            Root::Object => object(),
            Root::Plain => object() && root.members().all(|word| !is_choice(&word.name())),
        }
}

/// Returns true if a keyword makes the root a choice.
fn is_choice(word: &str) -> bool {
    CHOICES.contains(&word) || word == "$ref"
}

/// Returns the properties of the root whose schemas are `true` or `false`.
fn boolean_properties(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let properties = root.get("properties").into_iter().flat_map(Node::members);
    properties.map(|member| member.value).filter(|schema| schema.bool().is_some())
}

fn unchanged_schema(text: &str) -> CompiledSchema {
    CompiledSchema {
        schema: Raw::from_trusted(text.to_owned()),
        relation: Relation::Equal,
        changes: Vec::new(),
        codec: Codec::default(),
        comparison: None,
        graph: None,
    }
}

/// A schema that is being compiled.
struct Compiler<'d> {
    dialect: &'d TargetDialect,
    graph: Graph,
    changes: BTreeSet<(Pointer, ChangeKind)>,
    spelling: Spelling,
}

/// Keywords that make the root a choice, besides `$ref`.
const CHOICES: &[&str] = &["anyOf", "oneOf", "allOf", "enum", "not"];

impl Compiler<'_> {
    fn run(
        &mut self,
        all: GraphTypes,
        sentences: bool,
        limits: &Limits,
        budget: Budget,
    ) -> Result<(), Diagnostic> {
        let kinds = all.all(0);
        if kinds == TypeSet::NONE {
            return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), "this takes nothing"));
        }
        if let Some(subset) = self.dialect.subset {
            let source = std::mem::take(&mut self.graph);
            let object = kinds == TypeSet::ALL && self.dialect.arguments;
            let (dialect, most) = (self.dialect, limits.subschemas);
            let how = LowerOptions { dialect, object, sentences, max_parts: most, budget };
            (self.graph, self.changes) = lower(source, all, &how)?;
            self.spelling.gemini = self.dialect.gemini;
            let root = self.graph.get(0);
            if root.declared_types() != TypeSet::OBJECT || root.keyword("anyOf").is_some() {
                self.wrap();
            }
            if subset.required {
                self.require_all_members();
            }
        } else {
            self.fix_root(kinds);
            if self.dialect.requires_items {
                self.add_missing_items();
            }
            if self.dialect.requires_properties {
                self.name_required();
            }
        }
        if let Some(grammar) = self.dialect.property {
            self.spelling.new_names = rename(&self.graph, grammar)?;
            self.changes.extend(renamed_places(&self.graph, &self.spelling.new_names));
        }
        match self.dialect.sizes {
            Some(sizes) => check_sizes(&self.graph, &self.spelling, sizes),
            None => Ok(()),
        }
    }

    fn change(&mut self, code: ChangeKind, at: Pointer) {
        self.changes.insert((at, code));
    }

    fn wrap(&mut self) {
        self.spelling.wrap = Some(self.dialect.wrap);
        self.change(ChangeKind::Wrapped, Pointer::root());
    }

    /// Makes the root acceptable to the target.
    fn fix_root(&mut self, kinds: TypeSet) {
        if self.dialect.root == Root::Any {
            return;
        }
        if self.dialect.root == Root::Plain
            && let [(_, KeywordValue::Ref(target))] = self.graph.get(0).keywords.as_slice()
        {
            let words = self.graph.get(*target).keywords.clone();
            if let Some(root) = self.graph.parts.first_mut() {
                root.keywords = words;
            }
            self.change(ChangeKind::Merged, Pointer::root().push("$ref"));
        }
        let root = self.graph.get(0);
        let choice = |word: &&str| root.keyword(word).is_some();
        let plain = self.dialect.root != Root::Plain || !CHOICES.iter().any(choice);
        let object = kinds == TypeSet::OBJECT || (kinds == TypeSet::ALL && self.dialect.arguments);
        if !plain || !object {
            return self.wrap();
        }
        if root.json("type") != Some("\"object\"") {
            self.graph.detach_root();
            set_object_type(&mut self.graph);
            self.change(ChangeKind::Typed, Pointer::root());
        }
    }

    /// Adds a missing schema for the elements of each list.
    fn add_missing_items(&mut self) {
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let list =
                part.keyword("type").is_some() && part.declared_types().intersects(TypeSet::ARRAY);
            if !list || part.keyword("items").is_some() {
                continue;
            }
            let at = part.at.clone();
            let any = self.graph.push(Subschema { at: at.clone(), ..Subschema::default() });
            if let Some(part) = self.graph.parts.get_mut(id) {
                part.set("items", KeywordValue::Part(any));
            }
            self.change(ChangeKind::Items, at);
        }
    }

    /// Adds required names to the properties.
    fn name_required(&mut self) {
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let known: BTreeSet<&str> =
                part.map("properties").iter().map(|(name, _)| name.as_str()).collect();
            let missing = part.required_in_order().into_iter();
            let missing: Vec<String> =
                missing.filter(|name| !known.contains(name.as_str())).collect();
            if missing.is_empty() {
                continue;
            }
            // The schema of unnamed members applied to these, unless there are patterns.
            let at = part.at("required");
            let others = part.subschema("additionalProperties");
            let others = others.filter(|_| part.keyword("patternProperties").is_none());
            let mut named = part.map("properties").to_vec();
            for name in missing {
                let any = || Subschema { at: at.clone(), ..Subschema::default() };
                let child = others.unwrap_or_else(|| self.graph.push(any()));
                named.push((name, child));
            }
            if let Some(part) = self.graph.parts.get_mut(id) {
                part.set("properties", KeywordValue::Map(named));
            }
            self.change(ChangeKind::Named, at);
        }
    }

    /// Prepares a target that requires every member: `null` replaces an absent member,
    /// unless `null` already has a meaning there. In that case the member becomes required.
    fn require_all_members(&mut self) {
        self.spelling.all_required = true;
        let classes = Classes::of(&self.graph);
        let kinds = GraphTypes::of(&self.graph);
        let mut optional = Vec::new();
        let mut nullable = BTreeSet::new();
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let required = part.required();
            for (name, child) in part.map("properties") {
                let place = (classes.class(id), name.clone());
                if kinds.all(*child).intersects(TypeSet::NULL) {
                    nullable.insert(place.clone());
                }
                if !required.contains(name) {
                    optional.push((id, place));
                }
            }
        }
        let mut needed: BTreeMap<usize, Vec<String>> = BTreeMap::new();
        for (id, place) in optional {
            let name = place.1.clone();
            let at = self.graph.get(id).at("properties").push(&name);
            if nullable.contains(&place) {
                needed.entry(id).or_default().push(name);
                self.change(ChangeKind::Required, at);
            } else {
                self.spelling.null_members.insert((id, name));
                self.change(ChangeKind::NullForAbsent, at);
            }
        }
        for (id, names) in needed {
            let Some(part) = self.graph.parts.get_mut(id) else { continue };
            let names = part.required().into_iter().chain(names).map(|name| quote(&name));
            let word = KeywordValue::Json(format!("[{}]", names.collect::<Vec<_>>().join(",")));
            part.set("required", word);
        }
    }

    /// Writes the schema, and compares it with the source.
    fn finish(self, read_as: String, limits: &Limits) -> CompiledSchema {
        let Self { graph, changes, spelling, .. } = self;
        let changes = changes.into_iter().map(|(at, code)| Change { kind: code, at }).collect();
        let meant = write(&graph, 0, &Spelling::default());
        let sent = write(&graph, 0, &spelling);
        let open = |text| ok_or_bug(Document::parse(text, json_text::Limits::none()));
        let documents = open(read_as.as_bytes()).zip(open(meant.as_bytes()));
        let relation = documents.as_ref().map_or(Relation::Undecided, |(source, meant)| {
            json_schema::relation(source.root(), meant.root(), limits)
        });
        drop(documents);
        let graph = Arc::new(graph);
        CompiledSchema {
            schema: Raw::from_trusted(sent),
            relation,
            changes,
            codec: Codec::new(Arc::clone(&graph), spelling),
            comparison: Some((read_as, meant)),
            graph: Some(graph),
        }
    }
}

/// Sets the type of the root to `object`.
fn set_object_type(graph: &mut Graph) {
    if let Some(root) = graph.parts.first_mut() {
        root.keywords.retain(|(name, _)| name != "type");
        root.keywords.insert(0, ("type".to_owned(), KeywordValue::Json("\"object\"".to_owned())));
    }
}

/// Returns the source, with the type `object` at the root if it describes arguments and
/// allows every type.
fn with_argument_type(
    source: &Document<'_>,
    dialect: &TargetDialect,
    graph: &Graph,
    kinds: TypeSet,
) -> String {
    if !dialect.arguments || kinds != TypeSet::ALL {
        return source.text().to_owned();
    }
    let mut graph = graph.clone();
    let edit = Edit::Insert(Pointer::root().push("type"), "\"object\"".to_owned());
    match apply(source, &[edit]) {
        // Edit the text of the source, unless something refers to its root.
        Ok(typed) if !graph.detach_root() => typed,
        _ => {
            set_object_type(&mut graph);
            write(&graph, 0, &Spelling::default())
        }
    }
}
