//! The law of the true ledger.

use std::collections::BTreeMap;

use super::changes::{MaskedConversion, is_within};
use super::support::{
    LawResult, accept_all, check_valid, leaves, open_documents, parse, tree, try_convert,
};
use crate::Tree;
use convert::{Class, SourceLeaf, TargetPlace};
use json_text::{Node, compact};
use manifest_core::Format;
use manifest_core::format::Derivation;

/// Variants of a document: for each leaf that has some, valid documents with another value
/// in its place.
pub type Mutants = Vec<(String, Vec<String>)>;

/// Checks that the ledger lists every leaf of the source and of the target once, that
/// native values are in the target as they were written, and that no value is said
/// to be only in the residue if a value of the target comes from it.
pub fn complete_ledger(from: &'static Format, to: &'static Format, text: &str) -> LawResult {
    let Some(conversion) = try_convert(from, to, text, &accept_all())? else { return Ok(()) };
    let source = parse(text)?;
    let account = conversion.report();
    let own = leaves(&source);
    if !account.source.iter().map(|leaf| leaf.source.as_str()).eq(pointers(&own)) {
        return Err(format!("the ledger does not list the leaves of the source once\n{text}"));
    }
    for (index, document) in conversion.documents.iter().enumerate() {
        let parsed = document.open();
        let there = leaves(&parsed);
        let listed = account.target.iter().filter(|leaf| leaf.target.document == index);
        if !listed.map(|leaf| leaf.target.pointer.as_str()).eq(pointers(&there)) {
            return Err(format!("the ledger does not list the leaves of\n{}", document.text));
        }
    }
    let documents: Vec<_> = open_documents(&conversion).into_iter().map(|(_, one)| one).collect();
    for (leaf, (at, node)) in account.source.iter().zip(&own) {
        if leaf.class != Class::Native {
            continue;
        }
        for to in &leaf.target {
            let document = documents.get(to.document);
            let same = document.and_then(|document| document.root().at(&to.pointer));
            if same.is_none_or(|same| compact(same) != compact(*node)) {
                return Err(format!("{at:?} is not native at {:?}\n{text}", to.pointer));
            }
        }
    }
    let classes: BTreeMap<&str, Class> =
        account.source.iter().map(|leaf| (leaf.source.as_str(), leaf.class)).collect();
    for leaf in &account.target {
        if leaf.how > Derivation::Approximated {
            continue;
        }
        for from in &leaf.source {
            let from = from.pointer.as_str();
            for (at, class) in classes.range(from..).take_while(|(at, _)| at.starts_with(from)) {
                if *class == Class::ResidueOnly && is_within(at, from) {
                    let what = leaf.target.pointer.as_str();
                    return Err(format!(
                        "{at:?} is only in the residue, and {what:?} comes from it\n{text}"
                    ));
                }
            }
        }
    }
    Ok(())
}

fn pointers<'l>(leaves: &'l [(String, Node<'_>)]) -> impl Iterator<Item = &'l str> {
    leaves.iter().map(|(at, _)| at.as_str())
}

/// Checks the claims of the ledger by changing leaves of the source.
///
/// - If a native or equivalent leaf changes, the target changes at the named places.
/// - If an approximated leaf changes, some value changes the target there. If it is joint
///   with others, the target stays the same there, or the new ledger no longer calls it
///   joint.
/// - If a leaf that is only in the residue changes, the target stays the same except for the bridge, or the new
///   ledger puts it elsewhere.
/// - Every change of the target names the leaf that caused it.
pub fn true_ledger(
    from: &'static Format,
    to: &'static Format,
    text: &str,
    mutants: &Mutants,
) -> LawResult {
    // Mutants have a plain layout, and so must the source.
    let source = tree(text)?;
    let text = &source.render();
    let Some(before) = MaskedConversion::of(from, to, text)? else { return Ok(()) };
    for (at, variants) in mutants {
        let Some(leaf) = before.leaf(at) else { continue };
        let (mut moved, mut asked) = (false, false);
        for changed in variants {
            let Some(after) = MaskedConversion::of(from, to, changed)? else { continue };
            asked = true;
            let is_respelled = is_same_value(from, at, text, changed);
            let change = LeafChange { leaf, before: &before, after: &after, to, is_respelled };
            moved |= change.check().map_err(|what| format!("{at:?} {what}\n{text}\n{changed}"))?;
        }
        if leaf.class == Class::Approximated && asked && !moved && !is_exempt(from, to, &source, at)
        {
            return Err(format!("{at:?} is approximated, and nothing moves the target\n{text}"));
        }
    }
    Ok(())
}

/// A change of one leaf of the source, and the conversions before and after it.
struct LeafChange<'c> {
    leaf: &'c SourceLeaf,
    before: &'c MaskedConversion,
    after: &'c MaskedConversion,
    to: &'static Format,
    /// True if the leaf only has another spelling.
    is_respelled: bool,
}

impl LeafChange<'_> {
    /// Checks what the ledger claims of the leaf. Returns true if the target changed at an
    /// approximated value.
    fn check(&self) -> Result<bool, String> {
        let Self { leaf, before, after, .. } = self;
        let at = leaf.source.as_str();
        let now = after.leaf(at);
        let moved = match leaf.class {
            Class::Native | Class::Equivalent => {
                self.check_kept(now)?;
                false
            }
            Class::Approximated if before.is_joint(leaf) => {
                let stays_joint =
                    now.is_some_and(|now| now.class == leaf.class && after.is_joint(now));
                if stays_joint
                    && let Some(to) = leaf.target.iter().find(|to| before.changes_at(to, after))
                {
                    return Err(format!("is said with others, and moves {:?}", to.pointer));
                }
                true
            }
            Class::Approximated => leaf.target.iter().any(|to| before.changes_at(to, after)),
            Class::ResidueOnly => {
                // The whole call decides whether the bridge is used.
                let is_claimed =
                    now.is_some_and(|now| now.class == leaf.class) && before.runs() == after.runs();
                if is_claimed && before.changes_outside_bridge(after) {
                    return Err("is only in the residue, and moves the target".to_owned());
                }
                false
            }
        };
        // An empty list that has elements now is no leaf: its elements are named.
        if now.is_some()
            && let Some(place) = before.unexplained_change(after, at)
        {
            return Err(format!("moves {place:?}, which does not name it"));
        }
        Ok(moved)
    }

    /// Checks that a native or equivalent leaf changes the target at every named place.
    fn check_kept(&self, now: Option<&SourceLeaf>) -> Result<(), String> {
        let class = now.map(|now| now.class);
        let is_native = (self.leaf.class, class) == (Class::Native, Some(Class::Native));
        // Another spelling need not change the target, unless the leaf is native in both.
        if self.is_respelled && !is_native {
            return Ok(());
        }
        for to in &self.leaf.target {
            let is_shortened = class == Some(Class::Approximated) && may_shorten(self.to, to);
            if !is_shortened && !self.before.changes_at(to, self.after) {
                let class = self.leaf.class.as_str();
                return Err(format!("is {class} at {:?}, which stays", to.pointer));
            }
        }
        Ok(())
    }
}

fn is_exempt(from: &Format, to: &Format, source: &Tree, at: &str) -> bool {
    EXEMPTIONS.iter().any(|(format, target, exempt, _)| {
        from.name == *format && target.is_none_or(|target| to.name == target) && exempt(source, at)
    })
}

/// Approximated leaves that need not have a value that changes the target: the source's
/// format, the target's unless it holds for all, a test for such leaves, and the reason.
type Exemption = (&'static str, Option<&'static str>, fn(&Tree, &str) -> bool, &'static str);

const EXEMPTIONS: &[Exemption] = &[
    (
        "install-manifest",
        None,
        |source, at| {
            let Some(action) = at.strip_suffix("/side_effects") else { return false };
            let name = source.at(&format!("{action}/name"));
            name.is_some() && name == source.at("/smoke/action")
        },
        "what a smoke test calls must only read, and all that only reads is approximated alike",
    ),
    (
        "tool-list",
        Some("jumith"),
        |source, at| {
            let Some(hints) = at.strip_suffix("/destructiveHint") else { return false };
            source.at(&format!("{hints}/readOnlyHint")) != Some(&Tree::plain("true"))
        },
        "whether a tool writes or destroys, a person is asked; only where it is said to read as well \
         does one of the two move the target",
    ),
    (
        "tools-json",
        Some("mcpb"),
        |source, at| {
            let (Some((list, _)), Some(name)) = (at.rsplit_once('/'), source.at(at)) else {
                return false;
            };
            let name = to_upper_case(name);
            let Some(list) = source.at(list) else { return false };
            let names = list.elements().iter().map(to_upper_case);
            member_of(at) == "envPassthrough"
                && names.filter(|one| one.trim() == name.trim()).count() > 1
        },
        "of a name that is spelled in two ways, the other stands in where names are keys",
    ),
];

/// Values that a target shortens, so that another value may be written the same: the
/// target, its member, and the reason. The value must then be called approximated.
const SHORTENED: &[(&str, &str, &str)] =
    &[("install-manifest", "version", "versions have no build, and no capitals")];

/// Returns true if a target may shorten the value at a place.
fn may_shorten(to: &Format, place: &TargetPlace) -> bool {
    let last = place.pointer.as_str().rsplit('/').next();
    SHORTENED.iter().any(|(format, member, _)| to.name == *format && last == Some(member))
}

/// Values with several spellings: the format, the member, a function that normalises them,
/// and the reason.
type Spelling = (&'static str, &'static str, fn(&Tree) -> Tree, &'static str);

const SPELLINGS: &[Spelling] = &[
    (
        "tools-json",
        "envPassthrough",
        |name| Tree::from(to_upper_case(name).trim()),
        "the host looks for the name in upper case, without white space around it",
    ),
    ("mcpkg", "method", |name| to_upper_case(name).into(), "the client sends it in upper case"),
    (
        "tool-list",
        "type",
        |name| to_upper_case(name).into(),
        "Gemini's names of types are read in both cases",
    ),
    (
        "server-json",
        "registryBaseUrl",
        without_slash,
        "what is below a URL has one slash before it",
    ),
    (
        "server-json",
        "registry_base_url",
        without_slash,
        "what is below a URL has one slash before it",
    ),
    ("mcpkg", "input_schema", as_object, "both schemas take everything, or nothing"),
    ("mcpkg", "output_schema", as_object, "both schemas take everything, or nothing"),
    ("jumith", "input", as_object, "both schemas take everything, or nothing"),
    ("jumith", "output", as_object, "both schemas take everything, or nothing"),
    ("tool-list", "outputSchema", as_object, "both schemas take everything, or nothing"),
    ("tool-list", "parametersJsonSchema", as_object, "both schemas take everything, or nothing"),
    ("tool-list", "parameters_json_schema", as_object, "both schemas take everything, or nothing"),
    ("tool-list", "responseJsonSchema", as_object, "both schemas take everything, or nothing"),
    ("tool-list", "response_json_schema", as_object, "both schemas take everything, or nothing"),
];

fn to_upper_case(value: &Tree) -> String {
    match value {
        Tree::Text(text) => text.to_uppercase(),
        other => other.render(),
    }
}

fn without_slash(url: &Tree) -> Tree {
    match url {
        Tree::Text(text) => Tree::from(text.trim_end_matches('/')),
        other => other.clone(),
    }
}

/// Returns a boolean schema as an object.
fn as_object(schema: &Tree) -> Tree {
    let empty = Tree::Object(Vec::new());
    match schema {
        Tree::Plain(text) if text == "true" => empty,
        Tree::Plain(text) if text == "false" => Tree::Object(vec![crate::member("not", empty)]),
        _ => schema.clone(),
    }
}

/// Returns true if a leaf has the same value in two documents, in another spelling.
fn is_same_value(from: &Format, at: &str, text: &str, changed: &str) -> bool {
    for (format, name, normal, _) in SPELLINGS {
        if from.name != *format || member_of(at) != *name {
            continue;
        }
        if let (Some(before), Some(after)) = (Tree::parse(text), Tree::parse(changed))
            && let (Some(before), Some(after)) = (before.at(at), after.at(at))
            && normal(before) == normal(after)
        {
            return true;
        }
    }
    false
}

/// Values of documents by the name of their member.
#[derive(Clone, Debug, Default)]
pub struct Values(BTreeMap<String, Vec<Tree>>);

impl Values {
    /// Collects the values of some documents, up to a limit for each member.
    pub fn of(texts: impl IntoIterator<Item = String>) -> Self {
        const MOST: usize = 64;
        let mut values = Self::default();
        for text in texts {
            let Some(source) = Tree::parse(&text) else { continue };
            for (pointer, leaf) in source.leaves() {
                let known = values.0.entry(member_of(&pointer).to_owned()).or_default();
                if known.len() < MOST && !known.contains(leaf) {
                    known.push(leaf.clone());
                }
            }
        }
        values
    }

    /// Returns the values of members with the same name as that of a leaf.
    pub fn for_member_of(&self, pointer: &str) -> Vec<Tree> {
        self.0.get(member_of(pointer)).cloned().unwrap_or_default()
    }
}

/// Returns the name of the member that a leaf is in, itself or as an element.
pub fn member_of(pointer: &str) -> &str {
    let mut tokens = pointer.rsplit('/');
    // A pointer begins with an empty token, so one is always found.
    tokens.find(|token| token.parse::<usize>().is_err()).unwrap_or("")
}

/// Returns, for each leaf that `values` has an answer for, the valid documents with another
/// value in its place. The values are made from the leaf, or are those in the answer.
pub fn mutants_of_leaves(
    format: &Format,
    text: &str,
    mut values: impl FnMut(&str) -> Option<Vec<Tree>>,
) -> Result<Mutants, String> {
    let source = tree(text)?;
    let mut found = Vec::new();
    for (pointer, leaf) in source.leaves() {
        let Some(others) = values(&pointer) else { continue };
        let mut texts = Vec::new();
        for value in mutants(leaf).into_iter().chain(others) {
            if texts.len() < 6
                && value.normalized() != leaf.normalized()
                && let Some(mutant) = replace_value(&source, &pointer, value)
                && check_valid(format, &mutant).is_ok()
            {
                texts.push(mutant);
            }
        }
        found.push((pointer, texts));
    }
    Ok(found)
}

/// Replaces one value of a document.
fn replace_value(source: &Tree, pointer: &str, value: Tree) -> Option<String> {
    let mut changed = source.clone();
    *changed.at_mut(pointer)? = value;
    Some(changed.render())
}

/// Returns other values for a leaf. Values that are likely to be valid come first.
fn mutants(leaf: &Tree) -> Vec<Tree> {
    match leaf {
        // If any text is accepted as a URL, only a real one may change the values derived
        // from it.
        Tree::Text(text) if text.contains("://") => vec![
            Tree::from("https://other.example.net/y"),
            Tree::Text(format!("a{text}")),
            Tree::Text(format!("{text}x")),
            Tree::Text(format!("{text}2")),
            Tree::from("none"),
        ],
        Tree::Text(text) => vec![
            Tree::Text(format!("a{text}")),
            Tree::Text(format!("{text}x")),
            Tree::Text(format!("{text}2")),
            Tree::from("none"),
            Tree::from("bearer"),
            Tree::from("9.8.7"),
            Tree::from("https://other.example.net/y"),
        ],
        Tree::Plain(text) => match text.as_str() {
            "true" => vec![Tree::plain("false")],
            "false" => vec![Tree::plain("true")],
            "null" => vec![Tree::from("x")],
            number => vec![
                Tree::plain(&format!("1{}", number.trim_start_matches('-'))),
                Tree::plain("987654"),
                Tree::plain("0.5"),
                Tree::plain("0"),
            ],
        },
        Tree::Array(_) => vec![Tree::Array(vec![Tree::from("x")])],
        Tree::Object(_) => vec![Tree::Object(vec![crate::member("x", "x")])],
    }
}
