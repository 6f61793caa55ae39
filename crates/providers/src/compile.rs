//! A schema of a stranger in the words of a target.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use diagnostic::{Diagnostic, Pointer};
use json_schema::Relation;
use json_text::{Document, Edit, Node, Raw, apply, quote};
use manifest_core::Limits;

use crate::change::{Change, Code, Compiled};
use crate::classes::Classes;
use crate::codec::Codec;
use crate::dialect::{Dialect, Root};
use crate::graph::{Graph, Part, Word, read};
use crate::kinds::Kinds;
use crate::lower::lower;
use crate::measure::measure;
use crate::rules;
use crate::write::{Spelling, write};

/// Says a schema in the words of a target, and how that relates to the source.
pub(crate) fn compile(
    text: &str,
    dialect: &Dialect,
    sentences: bool,
    limits: &Limits,
) -> Result<Compiled, Vec<Diagnostic>> {
    let document = Document::parse(text.as_bytes(), limits).map_err(|found| vec![found])?;
    let found = json_schema::check(document.root(), limits);
    // A pattern that cannot be run here is no matter of a target that takes all of them.
    let patterns = found.iter().all(|found| found.rule.code == json_schema::rules::PATTERN.code);
    // A list that is full may have left the worst out.
    let all = found.len() < limits.diagnostics.max(1);
    let may_pass = patterns && all && dialect.subset.is_none();
    if !found.is_empty() && !may_pass {
        return Err(found);
    }
    if is_taken_whole(document.root(), dialect) {
        return Ok(unchanged(text));
    }
    let one = |diagnostic| vec![diagnostic];
    let graph = Graph::load(document.root()).map_err(one)?;
    let mut compile =
        Compile { dialect, graph, changes: Vec::new(), spelling: Spelling::default() };
    let newest = json_schema::Dialect::of(document.root()) == Some(json_schema::Dialect::default());
    if dialect.newest && !newest {
        compile.change(Code::Reworded, Pointer::root().push("$schema"));
    }
    if dialect.object_properties {
        compile.spelling.objects = true;
        flags(document.root()).for_each(|schema| compile.change(Code::Reworded, schema.pointer()));
    }
    compile.run(sentences, limits).map_err(one)?;
    if compile.changes.is_empty() && dialect.subset.is_none() {
        return Ok(unchanged(text));
    }
    Ok(compile.finish(&document, limits))
}

/// Whether a glance shows that nothing has to be changed.
fn is_taken_whole(root: Node<'_>, dialect: &Dialect) -> bool {
    let object = || root.get("type").and_then(Node::text).as_deref() == Some("object");
    let restricted = dialect.subset.is_some() || dialect.property.is_some() || dialect.items;
    let plain = !dialect.object_properties || flags(root).next().is_none();
    !restricted
        && plain
        && match dialect.root {
            Root::Any => true,
            Root::Object => object(),
            Root::Plain => false,
        }
}

/// The properties of a root whose schema is `true` or `false`.
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

/// A schema on its way to a target.
struct Compile<'d> {
    dialect: &'d Dialect,
    graph: Graph,
    changes: Vec<Change>,
    spelling: Spelling,
}

/// Words that make a choice of a root.
const CHOICES: &[&str] = &["anyOf", "oneOf", "allOf", "enum", "not"];

impl Compile<'_> {
    fn run(&mut self, sentences: bool, limits: &Limits) -> Result<(), Diagnostic> {
        let kinds = self.graph.kinds(0);
        if kinds == Kinds::NONE {
            return Err(rules::UNSATISFIABLE.at_pointer(Pointer::root(), "this takes nothing"));
        }
        if let Some(subset) = self.dialect.subset {
            let source = std::mem::take(&mut self.graph);
            let object = kinds == Kinds::ALL && self.dialect.arguments;
            let made = lower(source, self.dialect, object, sentences, limits.subschemas)?;
            (self.graph, self.changes) = made;
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
        }
        self.rename()?;
        let changed = |a: &Change, b: &Change| (&a.at, a.code).cmp(&(&b.at, b.code));
        self.changes.sort_by(changed);
        self.changes.dedup();
        measure(&self.graph, 0, self.dialect.sizes)
    }

    fn change(&mut self, code: Code, at: Pointer) {
        self.changes.push(Change { code, at });
    }

    fn wrap(&mut self) {
        self.spelling.wrap = Some(self.dialect.wrap);
        self.change(Code::Wrapped, Pointer::root());
    }

    /// Makes the root what the target wants.
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

    /// Gives every list a schema for its elements.
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

    /// Where every member must be there, one that may be left out is `null` instead; unless
    /// `null` means something there already, then it must be there.
    fn require(&mut self) {
        self.spelling.all_required = true;
        let classes = Classes::of(&self.graph);
        let mut optional = Vec::new();
        let mut nullable = BTreeSet::new();
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let required = part.required();
            for (name, child) in part.named("properties") {
                let place = (classes.class(id), name.clone());
                if self.graph.kinds(*child).meets(Kinds::NULL) {
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

    /// Gives properties names that the target takes.
    fn rename(&mut self) -> Result<(), Diagnostic> {
        let Some(grammar) = self.dialect.property else { return Ok(()) };
        let mut names: BTreeMap<String, Pointer> = BTreeMap::new();
        let mut renamed: BTreeMap<String, String> = BTreeMap::new();
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            for (name, _) in part.named("properties") {
                let at = part.at("properties").push(name);
                if !grammar.takes(name) {
                    renamed.insert(name.clone(), grammar.fit(name).into_owned());
                    self.changes.push(Change { code: Code::Renamed, at: at.clone() });
                }
                names.entry(name.clone()).or_insert(at);
            }
        }
        let mut taken = BTreeSet::new();
        let twin = renamed.iter().find(|(_, to)| names.contains_key(*to) || !taken.insert(*to));
        if let Some((name, _)) = twin {
            let at = names.get(name).cloned().unwrap_or_default();
            return Err(rules::PROPERTY_CLASH.at_pointer(at, "two properties would have one name"));
        }
        if !renamed.is_empty() {
            self.no_other_names()?;
        }
        self.spelling.renamed = renamed;
        Ok(())
    }

    /// Nothing may be said of names that are renamed, but by `properties` and the like.
    fn no_other_names(&self) -> Result<(), Diagnostic> {
        for id in self.graph.reachable(0) {
            let part = self.graph.get(id);
            let objects = |text: &str| {
                read(text, |value| value.descendants().any(Node::is_object)).unwrap_or_default()
            };
            let words = ["patternProperties", "propertyNames", "enum", "const"];
            let found = words.into_iter().find(|word| match part.word(word) {
                Some(Word::Json(text)) => objects(text),
                Some(_) => true,
                None => false,
            });
            if let Some(word) = found {
                let message = "a property that must be renamed could be meant here, too";
                return Err(rules::PROPERTY_CLASH.at_pointer(part.at(word), message));
            }
        }
        Ok(())
    }

    /// Writes the schema, and compares it with the source.
    fn finish(self, source: &Document<'_>, limits: &Limits) -> Compiled {
        let Self { dialect, graph, changes, spelling } = self;
        let meant = write(&graph, 0, &Spelling::default());
        let sent = write(&graph, 0, &spelling);
        let read_as = as_arguments(source, dialect);
        let open = |text| Document::parse(text, json_text::Limits::none()).ok();
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

/// Lets the root name the one type that arguments have.
fn name_object(graph: &mut Graph) {
    if let Some(root) = graph.parts.first_mut() {
        root.words.retain(|(name, _)| name != "type");
        root.words.insert(0, ("type".to_owned(), Word::Json("\"object\"".to_owned())));
    }
}

/// The source as one reads it who knows that arguments are objects: where it names no type,
/// it names that one.
fn as_arguments(source: &Document<'_>, dialect: &Dialect) -> String {
    let root = source.root();
    let graph = Graph::load(root).ok().filter(|_| dialect.arguments);
    let Some(mut graph) = graph.filter(|graph| graph.kinds(0) == Kinds::ALL) else {
        return source.text().to_owned();
    };
    let edit = Edit::Insert(Pointer::root().push("type"), "\"object\"".to_owned());
    match apply(source, &[edit]) {
        // The source itself, where it can be.
        Ok(typed) if !graph.free_root() => typed,
        _ => {
            name_object(&mut graph);
            write(&graph, 0, &Spelling::default())
        }
    }
}
