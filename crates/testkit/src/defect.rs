//! Documents with one defect, from a format's list of ways or in the JSON text.

use super::{Rng, Tree};
use diagnostic::Rule;
use manifest_core::Limits;

/// A way to break a rule: the rule's code, the places to write to, and the new value. One
/// of the places and one of the values are chosen. Several ways may have the same code.
pub type Defect = (&'static str, &'static [&'static str], Mutation);

/// The value that breaks a rule.
#[derive(Clone, Copy, Debug)]
pub enum Mutation {
    /// One of these strings.
    Text(&'static [&'static str]),
    /// One of these values, as JSON.
    Json(&'static [&'static str]),
    /// The place is removed.
    Remove,
}

/// Breaks a clean document in one of the ways that have the code. Returns `None` if no way
/// has it.
pub fn apply_defect(clean: &Tree, ways: &[Defect], code: &str, rng: &mut Rng) -> Option<Tree> {
    let ways: Vec<&Defect> = ways.iter().filter(|way| way.0 == code).collect();
    let (_, places, to) = ways.get(rng.below(ways.len()))?;
    let mut tree = clean.clone();
    let place = rng.word(places);
    match to {
        Mutation::Text(texts) => tree.put(place, rng.word(texts).into())?,
        Mutation::Json(values) => tree.put(place, Tree::parse(rng.word(values))?)?,
        Mutation::Remove => tree.remove(place)?,
    }
    Some(tree)
}

/// Breaks this rule of the JSON text layer and no other, in a valid document that is an
/// object.
///
/// Returns `None` for rules that depend on the format.
pub fn break_json(document: &str, rule: &'static Rule, rng: &mut Rng) -> Option<String> {
    let limits = Limits::default();
    let open = document.find('{')? + 1;
    let comma = match Tree::parse(document)?.members() {
        [] => "",
        _ => ",",
    };
    let (head, tail) = document.split_at(open);
    let mut name = "x-defect".to_owned();
    let value = match rule.code {
        "json/syntax" => {
            rng.word(&["{a:1}", "[1,]", "01", "'a'", "NaN", "/**/1", "\"\t\""]).to_owned()
        }
        "json/encoding" => return Some(format!("\u{feff}{document}")),
        "json/surrogate" => {
            rng.word(&[r#""\ud800""#, r#""\udc00\ud800""#, r#""\uDBFF!""#]).to_owned()
        }
        "json/duplicate-key" => {
            rng.word(&[r#"{"a":1,"a":1}"#, r#"[{"a":1,"\u0061":2}]"#]).to_owned()
        }
        "json/trailing" => {
            return Some(format!("{document}{}", rng.word(&["1", " {}", "\n]"])));
        }
        "json/size" => return Some(document.to_owned() + &past_limit(" ", limits.document_bytes)),
        "json/depth" => past_limit("[", limits.depth) + &past_limit("]", limits.depth),
        "json/nodes" => format!("[{}0]", past_limit("0,", limits.nodes)),
        "json/string-size" => format!("\"{}\"", past_limit("x", limits.string_bytes)),
        "json/key-size" => {
            name = past_limit("x", limits.key_bytes);
            "0".to_owned()
        }
        "json/number-size" => past_limit("1", limits.number_bytes),
        "json/unknown-member" => "0".to_owned(),
        _ => return None,
    };
    Some(format!("{head}\"{name}\":{value}{comma}{tail}"))
}

/// Returns a text that is repeated once more than the limit allows.
fn past_limit(text: &str, limit: usize) -> String {
    text.repeat(limit + 1)
}
