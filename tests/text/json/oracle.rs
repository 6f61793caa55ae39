//! Three-way merges against a slow one that is written on another library's tree,
//! and knows no text, no tape and no classes.

use std::collections::BTreeSet;

use json_text::{MergeOptions, merge};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::generate::Choices;
use super::{parse, to_value};

/// What a merge should say, and how many conflicts it has.
struct Oracle {
    conflicts: usize,
    /// Both sides changed a list whose elements have no key: which of them are the
    /// same is a guess, and not judged here.
    open: bool,
}

type Three<'v> = [Option<&'v Value>; 3];

impl Oracle {
    /// `[was, ours, theirs]` to what it is.
    fn value(&mut self, three: Three<'_>) -> Option<Value> {
        let [was, ours, theirs] = three;
        if was == theirs || ours == theirs {
            return ours.cloned();
        }
        if was == ours {
            return theirs.cloned();
        }
        if let (Some(Value::Object(ours)), Some(Value::Object(theirs))) = (ours, theirs) {
            let none = Map::new();
            match was {
                None => return Some(self.object(&none, ours, theirs)),
                Some(Value::Object(was)) => return Some(self.object(was, ours, theirs)),
                _ => {}
            }
        }
        if let (Some(Value::Array(ours)), Some(Value::Array(theirs))) = (ours, theirs) {
            let keyed = |list: &[Value]| list.iter().all(|element| key(element).is_some());
            let was = was.map(Value::as_array);
            match was {
                None if keyed(ours) && keyed(theirs) => return Some(self.list(&[], ours, theirs)),
                Some(Some(was)) => {
                    self.open |= !(keyed(was) && keyed(ours) && keyed(theirs));
                    return Some(self.list(was, ours, theirs));
                }
                _ => {}
            }
        }
        self.conflicts += 1;
        ours.cloned()
    }

    fn object(
        &mut self,
        was: &Map<String, Value>,
        ours: &Map<String, Value>,
        theirs: &Map<String, Value>,
    ) -> Value {
        let gone: Vec<_> = was.keys().filter(|name| !theirs.contains_key(*name)).collect();
        let come: Vec<_> = theirs.keys().filter(|name| !was.contains_key(*name)).collect();
        let mut result = ours.clone();
        let mut names: BTreeSet<&String> = was.keys().chain(theirs.keys()).collect();
        if let ([old], [new]) = (gone.as_slice(), come.as_slice())
            && was[*old] == theirs[*new]
            && !(ours.contains_key(*old) && ours.contains_key(*new))
        {
            names.remove(*old);
            names.remove(*new);
            match result.remove(*old) {
                Some(value) => drop(result.insert((*new).clone(), value)),
                None if !ours.contains_key(*new) => self.conflicts += 1,
                None => {}
            }
        }
        for name in names {
            match self.value([was.get(name), ours.get(name), theirs.get(name)]) {
                Some(value) => drop(result.insert(name.clone(), value)),
                None => drop(result.remove(name)),
            }
        }
        Value::Object(result)
    }

    fn list(&mut self, was: &[Value], ours: &[Value], theirs: &[Value]) -> Value {
        if self.open {
            return Value::Null;
        }
        let was: Vec<(String, &Value)> =
            was.iter().filter_map(|element| Some((key(element)?, element))).collect();
        let (ours, theirs) = (old_names(&was, ours), old_names(&was, theirs));
        let find = |list: &[(String, Value)], name: &str| {
            list.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
        };
        let old = |name: &str| was.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
        let everywhere = |name: &String| {
            old(name).is_some() && find(&ours, name).is_some() && find(&theirs, name).is_some()
        };
        let order = |names: Vec<String>| names.into_iter().filter(everywhere).collect::<Vec<_>>();
        let names = |list: &[(String, Value)]| list.iter().map(|(k, _)| k.clone()).collect();
        let order_was = order(was.iter().map(|(key, _)| key.clone()).collect());
        let (here, there) = (order(names(&ours)), order(names(&theirs)));
        if here != order_was && there != order_was && here != there {
            self.conflicts += 1;
        }
        let mut groups = grouped(&ours, &theirs);
        if here == order_was && there != order_was {
            let rank = |name: &Option<String>| {
                theirs.iter().position(|(key, _)| Some(key) == name.as_ref())
            };
            groups.sort_by_key(|(name, _)| rank(name));
        }
        let mut last: Option<String> = None;
        let mut added: Vec<(String, usize)> = Vec::new();
        for (name, _) in &theirs {
            if find(&ours, name).is_some() {
                last = Some(name.clone());
            } else if old(name).is_none() {
                // Behind what it follows; else before what it precedes; else last.
                let first = theirs.iter().find(|(key, _)| find(&ours, key).is_some());
                let at = |wanted: &Option<String>| {
                    groups.iter().position(|(group, _)| group == wanted).unwrap()
                };
                let group = match (&last, first) {
                    (Some(_), _) => at(&last),
                    (None, Some((first, _))) => at(&Some(first.clone())) - 1,
                    (None, None) => groups.len() - 1,
                };
                added.push((name.clone(), group));
            }
        }
        for (name, group) in added {
            groups[group].1.push(name);
        }
        let mut result = Vec::new();
        for name in groups.into_iter().flat_map(|(name, rest)| name.into_iter().chain(rest)) {
            let (ours, theirs) = (find(&ours, &name), find(&theirs, &name));
            result.extend(self.value([old(&name), ours.as_ref(), theirs.as_ref()]));
        }
        // What ours removed and theirs changed.
        for (name, value) in &theirs {
            if let Some(old) = old(name).filter(|_| find(&ours, name).is_none()) {
                self.conflicts += usize::from(old != value);
            }
        }
        Value::Array(result)
    }
}

/// The names of both, each with those behind it that only ours has: they follow what they
/// followed.
fn grouped(
    ours: &[(String, Value)],
    theirs: &[(String, Value)],
) -> Vec<(Option<String>, Vec<String>)> {
    let mut groups: Vec<(Option<String>, Vec<String>)> = vec![(None, Vec::new())];
    for (name, _) in ours {
        if theirs.iter().any(|(key, _)| key == name) {
            groups.push((Some(name.clone()), Vec::new()));
        } else {
            groups.last_mut().unwrap().1.push(name.clone());
        }
    }
    groups
}

fn key(element: &Value) -> Option<String> {
    Some(element.get("id")?.as_str()?.to_owned())
}

/// A list under the keys that its elements had: the only one with a new key is the
/// only one whose key is gone, if they have anything in common.
fn old_names(was: &[(String, &Value)], list: &[Value]) -> Vec<(String, Value)> {
    let mut list: Vec<(String, Value)> =
        list.iter().filter_map(|element| Some((key(element)?, element.clone()))).collect();
    let gone: Vec<_> = was.iter().filter(|(k, _)| !list.iter().any(|(l, _)| l == k)).collect();
    let come: Vec<usize> =
        (0..list.len()).filter(|at| !was.iter().any(|(k, _)| *k == list[*at].0)).collect();
    if let ([(name, old)], [at]) = (gone.as_slice(), come.as_slice()) {
        let new = &list[*at].1;
        let common = old.as_object().unwrap().iter().any(|(k, v)| new.get(k) == Some(v));
        if common {
            list[*at].0.clone_from(name);
        }
    }
    list
}

fn scalar(choices: &mut Choices<'_>) -> Value {
    match choices.below(5) {
        0 => json!(0),
        1 => json!(1),
        2 => json!("a"),
        3 => json!(true),
        _ => json!([]),
    }
}

fn tree(choices: &mut Choices<'_>, depth: usize) -> Value {
    match choices.below(if depth == 0 { 1 } else { 6 }) {
        0 => scalar(choices),
        1 => (0..choices.below(4)).map(|_| scalar(choices)).collect(),
        2 | 3 => {
            let names = ["a", "b", "c", "d", "e"];
            let count = choices.below(5);
            (0..count).map(|_| (choices.of(&names).to_owned(), tree(choices, depth - 1))).collect()
        }
        _ => {
            let mut seen = BTreeSet::new();
            let elements = (0..choices.below(6)).filter_map(|_| {
                let id = choices.of(&["p", "q", "r", "s", "t", "u"]);
                let mut element = json!({ "id": id });
                for name in ["x", "y", "z"].iter().take(choices.below(4)) {
                    element[name] = tree(choices, depth.saturating_sub(2));
                }
                seen.insert(id).then_some(element)
            });
            elements.collect()
        }
    }
}

/// A tree with a few changes.
fn changed(value: &Value, choices: &mut Choices<'_>, depth: usize) -> Value {
    match value {
        _ if choices.below(12) == 11 => tree(choices, depth),
        Value::Object(members) => {
            let mut result = Map::new();
            for (name, value) in members {
                let fixed = name == "id";
                match choices.below(8) {
                    6 if !fixed => {}
                    7 if fixed => drop(result.insert(name.clone(), json!(choices.of(&["v", "w"])))),
                    7 => drop(result.insert(choices.of(&["f", "g"]).to_owned(), value.clone())),
                    _ if fixed => drop(result.insert(name.clone(), value.clone())),
                    _ => drop(result.insert(name.clone(), changed(value, choices, depth - 1))),
                }
            }
            if choices.below(5) == 4 {
                result.insert(choices.of(&["f", "g", "h"]).to_owned(), scalar(choices));
            }
            Value::Object(result)
        }
        Value::Array(elements) => {
            let mut result: Vec<Value> = Vec::new();
            for element in elements {
                let at = match choices.below(8) {
                    6 => continue,
                    7 => choices.below(result.len() + 1),
                    _ => result.len(),
                };
                result.insert(at, changed(element, choices, depth - 1));
            }
            if choices.below(4) == 3 && elements.iter().all(|element| key(element).is_some()) {
                let at = choices.below(result.len() + 1);
                result.insert(at, json!({ "id": choices.of(&["m", "n"]), "x": 1 }));
            }
            let mut seen = BTreeSet::new();
            result.retain(|element| key(element).is_none_or(|key| seen.insert(key)));
            Value::Array(result)
        }
        _ if choices.below(3) == 2 => scalar(choices),
        _ => value.clone(),
    }
}

proptest! {
    #![proptest_config(toolglot_tests::random(6000))]

    #[test]
    fn merges_agree_with_a_slow_one(
        bytes in prop::collection::vec(any::<u8>(), 1..80),
        here in prop::collection::vec(any::<u8>(), 0..60),
        there in prop::collection::vec(any::<u8>(), 0..60),
    ) {
        let was = tree(&mut Choices::new(&bytes), 5);
        let ours = changed(&was, &mut Choices::new(&here), 9);
        let theirs = changed(&was, &mut Choices::new(&there), 9);
        let mut oracle = Oracle { conflicts: 0, open: false };
        let expected = oracle.value([Some(&was), Some(&ours), Some(&theirs)]).unwrap();
        if oracle.open {
            return Ok(());
        }

        let texts = [&was, &ours, &theirs].map(Value::to_string);
        let [was, ours, theirs] = [&texts[0], &texts[1], &texts[2]].map(|text| parse(text));
        let options = MergeOptions { keys: &["id"], partial: false };
        let merged = merge(&ours, was.root(), theirs.root(), &options);
        let result = parse(&merged.text);
        prop_assert_eq!(to_value(result.root()), expected, "{:?}", texts);
        prop_assert_eq!(merged.conflicts.len(), oracle.conflicts, "{:?}", texts);
        prop_assert_eq!(merged.changes.is_empty(), merged.text == texts[1]);
    }
}
