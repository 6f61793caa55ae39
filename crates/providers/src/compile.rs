//! Compiles a schema for a target.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer, certain};
use json_schema::Relation;
use json_text::{Document, Edit, Node, Raw, apply, quote};
use manifest_core::Limits;

use crate::budget::Budget;
use crate::change::{Change, Code, Compiled};
use crate::classes::Classes;
use crate::codec::Codec;
use crate::dialect::{Dialect, Root};
use crate::graph::{Graph, Part, Word};
use crate::kinds::{AllKinds, Kinds};
use crate::load::load;
use crate::lower::{How, lower};
use crate::measure::measure;
use crate::rename::{rename, renamed_places};
use crate::rules;
use crate::write::{Spelling, write};

/// Compiles a schema for a target, and determines its relation to the source.
pub(crate) fn compile(
    text: &str,
    dialect: &Dialect,
    sentences: bool,
    limits: &Limits,
) -> Result<Compiled, Vec<Diagnostic>> {
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
    if is_taken_whole(document.root(), dialect) {
        return Ok(unchanged(text));
    }
    let one = |diagnostic| vec![diagnostic];
    let mut budget = Budget::new(limits);
    let graph = load(document.root(), &mut budget).map_err(one)?;
    let kinds = AllKinds::of(&graph);
    let read_as = as_arguments(&document, dialect, &graph, kinds.all(0));
    let mut compile =
        Compile { dialect, graph, changes: BTreeSet::new(), spelling: Spelling::default() };
    let newest = json_schema::Dialect::of(document.root()) == Some(json_schema::Dialect::default());
    if dialect.newest && !newest {
        compile.change(Code::Reworded, Pointer::root().push("$schema"));
    }
    if dialect.root == Root::Any && !document.root().is_object() {
        compile.change(Code::Reworded, Pointer::root());
    }
    if dialect.object_properties {
        compile.spelling.objects = true;
        flags(document.root()).for_each(|schema| compile.change(Code::Reworded, schema.pointer()));
    }
    compile.run(kinds, sentences, limits, budget).map_err(one)?;
    if compile.changes.is_empty() && dialect.subset.is_none() {
        return Ok(unchanged(text));
    }
    Ok(compile.finish(read_as, limits))
}

/// Returns true if the target clearly accepts the schema unchanged.
fn is_taken_whole(root: Node<'_>, dialect: &Dialect) -> bool {
    let object = || root.get("type").and_then(Node::text).as_deref() == Some("object");
    let restricted = dialect.subset.is_some() || dialect.property.is_some() || dialect.items;
    let plain = !dialect.object_properties || flags(root).next().is_none();
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
fn flags(root: Node<'_>) -> impl Iterator<Item = Node<'_>> {
    let properties = root.get("properties").into_iter().flat_map(Node::members);
    properties.map(|member| member.value).filter(|schema| schema.bool().is_some())
}

fn unchanged(text: &str) -> Compiled {
    Compiled {
        schema: Raw::from_built(text.to_owned()),
        relation: Relation::Equal,
        changes: Vec::new(),
        codec: Codec::default(),
        compared: None,
        graph: None,
    }
}

/// A schema that is being compiled.
struct Compile<'d> {
    dialect: &'d Dialect,
    graph: Graph,
    changes: BTreeSet<(Pointer, Code)>,
    spelling: Spelling,
}

/// Keywords that make the root a choice, besides `$ref`.
const CHOICES: &[&str] = &["anyOf", "oneOf", "allOf", "enum", "not"];

impl Compile<'_> {
    fn run(
        &mut self,
        all: AllKinds,
        sentences: bool,
        limits: &Limits,
        budget: Budget,
    ) -> Result<(), Diagnostic> {
        let kinds = all.all(0);
        if kinds == Kinds::NONE {
            return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), "this takes nothing"));
        }
        if let Some(subset) = self.dialect.subset {
            let source = std::mem::take(&mut self.graph);
            let object = kinds == Kinds::ALL && self.dialect.arguments;
            let (dialect, most) = (self.dialect, limits.subschemas);
            let how = How { dialect, object, sentences, most, budget };
            (self.graph, self.changes) = lower(source, all, &how)?;
            self.spelling.gemini = self.dialect.gemini;
            let root = self.graph.get(0);
            if root.own_types() != Kinds::OBJECT || root.word("anyOf").is_some() {
                self.wrap();
            }
            if subset.required {
                self.require();
            }
        } else {
            self.root(kinds);
            if self.dialect.items {
                self.items();
            }
            if self.dialect.named {
                self.name_required();
            }
        }
        if let Some(grammar) = self.dialect.property {
            self.spelling.renamed = rename(&self.graph, grammar)?;
            self.changes.extend(renamed_places(&self.graph, &self.spelling.renamed));
        }
        match self.dialect.sizes {
            Some(sizes) => measure(&self.graph, &self.spelling, sizes),
            None => Ok(()),
        }
    }

    fn change(&mut self, code: Code, at: Pointer) {
        self.changes.insert((at, code));
    }

    fn wrap(&mut self) {
        self.spelling.wrap = Some(self.dialect.wrap);
        self.change(Code::Wrapped, Pointer::root());
    }

    /// Makes the root acceptable to the target.
    fn root(&mut self, kinds: Kinds) {
        if self.dialect.root == Root::Any {
            return;
        }
        if self.dialect.root == Root::Plain
            && let [(_, Word::Ref(target))] = self.graph.get(0).words.as_slice()
        {
            let words = self.graph.get(*target).words.clone();
            if let Some(root) = self.graph.parts.first_mut() {
                root.words = words;
            }
            self.change(Code::Merged, Pointer::root().push("$ref"));
        }
        let root = self.graph.get(0);
        let choice = |word: &&str| root.word(word).is_some();
        let plain = self.dialect.root != Root::Plain || !CHOICES.iter().any(choice);
        let object = kinds == Kinds::OBJECT || (kinds == Kinds::ALL && self.dialect.arguments);
        if !plain || !object {
            return self.wrap();
        }
        if root.json("type") != Some("\"object\"") {
            self.graph.free_root();
            name_object(&mut self.graph);
            self.change(Code::Typed, Pointer::root());
        }
    }

    /// Adds a missing schema for the elements of each list.
    fn items(&mut self) {
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let list = part.word("type").is_some() && part.own_types().meets(Kinds::ARRAY);
            if !list || part.word("items").is_some() {
                continue;
            }
            let at = part.at.clone();
            let any = self.graph.push(Part { at: at.clone(), ..Part::default() });
            if let Some(part) = self.graph.parts.get_mut(id) {
                part.set("items", Word::Part(any));
            }
            self.change(Code::Items, at);
        }
    }

    /// Adds required names to the properties.
    fn name_required(&mut self) {
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let known: BTreeSet<&str> =
                part.named("properties").iter().map(|(name, _)| name.as_str()).collect();
            let missing = part.required_in_order().into_iter();
            let missing: Vec<String> =
                missing.filter(|name| !known.contains(name.as_str())).collect();
            if missing.is_empty() {
                continue;
            }
            // The schema of unnamed members applied to these, unless there are patterns.
            let at = part.at("required");
            let others = part.part("additionalProperties");
            let others = others.filter(|_| part.word("patternProperties").is_none());
            let mut named = part.named("properties").to_vec();
            for name in missing {
                let any = || Part { at: at.clone(), ..Part::default() };
                let child = others.unwrap_or_else(|| self.graph.push(any()));
                named.push((name, child));
            }
            if let Some(part) = self.graph.parts.get_mut(id) {
                part.set("properties", Word::Named(named));
            }
            self.change(Code::Named, at);
        }
    }

    /// Prepares a target that requires every member: `null` replaces an absent member,
    /// unless `null` already has a meaning there. In that case the member becomes required.
    fn require(&mut self) {
        self.spelling.all_required = true;
        let classes = Classes::of(&self.graph);
        let kinds = AllKinds::of(&self.graph);
        let mut optional = Vec::new();
        let mut nullable = BTreeSet::new();
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let required = part.required();
            for (name, child) in part.named("properties") {
                let place = (classes.class(id), name.clone());
                if kinds.all(*child).meets(Kinds::NULL) {
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
                self.change(Code::Required, at);
            } else {
                self.spelling.absent.insert((id, name));
                self.change(Code::NullForAbsent, at);
            }
        }
        for (id, names) in needed {
            let Some(part) = self.graph.parts.get_mut(id) else { continue };
            let names = part.required().into_iter().chain(names).map(|name| quote(&name));
            let word = Word::Json(format!("[{}]", names.collect::<Vec<_>>().join(",")));
            part.set("required", word);
        }
    }

    /// Writes the schema, and compares it with the source.
    fn finish(self, read_as: String, limits: &Limits) -> Compiled {
        let Self { graph, changes, spelling, .. } = self;
        let changes = changes.into_iter().map(|(at, code)| Change { code, at }).collect();
        let meant = write(&graph, 0, &Spelling::default());
        let sent = write(&graph, 0, &spelling);
        let open = |text| certain(Document::parse(text, json_text::Limits::none()));
        let documents = open(read_as.as_bytes()).zip(open(meant.as_bytes()));
        let relation = documents.as_ref().map_or(Relation::Undecided, |(source, meant)| {
            json_schema::relation(source.root(), meant.root(), limits)
        });
        drop(documents);
        let graph = Arc::new(graph);
        Compiled {
            schema: Raw::from_built(sent),
            relation,
            changes,
            codec: Codec::new(Arc::clone(&graph), spelling),
            compared: Some((read_as, meant)),
            graph: Some(graph),
        }
    }
}

/// Sets the type of the root to `object`.
fn name_object(graph: &mut Graph) {
    if let Some(root) = graph.parts.first_mut() {
        root.words.retain(|(name, _)| name != "type");
        root.words.insert(0, ("type".to_owned(), Word::Json("\"object\"".to_owned())));
    }
}

/// Returns the source, with the type `object` at the root if it describes arguments and
/// allows every type.
fn as_arguments(source: &Document<'_>, dialect: &Dialect, graph: &Graph, kinds: Kinds) -> String {
    if !dialect.arguments || kinds != Kinds::ALL {
        return source.text().to_owned();
    }
    let mut graph = graph.clone();
    let edit = Edit::Insert(Pointer::root().push("type"), "\"object\"".to_owned());
    match apply(source, &[edit]) {
        // Edit the text of the source, unless something refers to its root.
        Ok(typed) if !graph.free_root() => typed,
        _ => {
            name_object(&mut graph);
            write(&graph, 0, &Spelling::default())
        }
    }
}
