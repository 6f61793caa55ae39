//! Edits to a list of which a target could not say every element.

use std::collections::{BTreeMap, VecDeque};

use crate::json::{Node, compact};

/// What a list says after an edit: `was` was written for `value`, and is `now`.
///
/// An element that is still there stands for what it was written for. One that is
/// new or another stays as it is. What could not be written follows the element
/// that it followed. Lists of anything but scalars are not looked into.
pub(super) fn merged(was: Node<'_>, value: Node<'_>, now: Node<'_>) -> Option<String> {
    let (was, value, now) = (scalars(was)?, scalars(value)?, scalars(now)?);
    // For each element of the value, what was written for it, and the other way.
    let written = pair(&was, &value);
    let mut meant = vec![None; was.len()];
    for (index, written) in written.iter().enumerate() {
        if let Some(slot) = written.and_then(|written| meant.get_mut(written)) {
            *slot = Some(index);
        }
    }
    let mut kept: Vec<(Option<usize>, &str)> = Vec::new();
    for (element, written) in now.iter().zip(pair(&was, &now)) {
        let stays = written.and_then(|written| was.get(written)) == Some(element);
        let meant = written.and_then(|written| *meant.get(written)?);
        match meant.and_then(|meant| value.get(meant)) {
            Some(value) if stays => kept.push((meant, value)),
            // It was only written because the target wants something there.
            None if stays => {}
            _ => kept.push((meant, element)),
        }
    }
    let mut unwritten: BTreeMap<Option<usize>, Vec<&str>> = BTreeMap::new();
    let mut here = vec![false; value.len()];
    for slot in kept.iter().filter_map(|(meant, _)| *meant) {
        if let Some(here) = here.get_mut(slot) {
            *here = true;
        }
    }
    let mut last = None;
    for (index, (element, written)) in value.iter().zip(&written).enumerate() {
        if written.is_none() {
            unwritten.entry(last).or_default().push(element);
        } else if here.get(index) == Some(&true) {
            last = Some(index);
        }
    }
    let mut elements = unwritten.remove(&None).unwrap_or_default();
    for (meant, element) in kept {
        elements.push(element);
        if meant.is_some() {
            elements.append(&mut unwritten.remove(&meant).unwrap_or_default());
        }
    }
    Some(format!("[{}]", elements.join(",")))
}

fn scalars(list: Node<'_>) -> Option<Vec<String>> {
    let scalar = |node: Node<'_>| (!node.is_object() && !node.is_array()).then(|| compact(node));
    list.elements().map(scalar).collect::<Option<Vec<_>>>().filter(|_| list.is_array())
}

/// For each new element, the old one that it is: the first equal one that is left,
/// or, when as many are left on both sides, the one in the same place among them.
fn pair(old: &[String], new: &[String]) -> Vec<Option<usize>> {
    let mut places: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for (index, element) in old.iter().enumerate() {
        places.entry(element).or_default().push_back(index);
    }
    let mut pairs: Vec<Option<usize>> = new
        .iter()
        .map(|element| places.get_mut(element.as_str()).and_then(VecDeque::pop_front))
        .collect();
    let mut left: Vec<usize> = places.into_values().flatten().collect();
    left.sort_unstable();
    let open: Vec<_> = pairs.iter_mut().filter(|pair| pair.is_none()).collect();
    if open.len() == left.len() {
        for (pair, left) in open.into_iter().zip(left) {
            *pair = Some(left);
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may stop

    use super::merged;
    use crate::Limits;
    use crate::json::Document;

    #[track_caller]
    fn check([was, value, now]: [&str; 3], expected: &str) {
        let limits = Limits::default();
        let parse = |text| Document::parse(text, &limits).unwrap();
        let (was, value, now) =
            (parse(was.as_bytes()), parse(value.as_bytes()), parse(now.as_bytes()));
        assert_eq!(merged(was.root(), value.root(), now.root()).unwrap(), expected);
    }

    #[test]
    fn what_could_not_be_written_stays() {
        let (was, value) = (r#"["a","c"]"#, r#"["a","É","c","ß"]"#);
        check([was, value, r#"["ax","c"]"#], r#"["ax","É","c","ß"]"#);
        check([was, value, r#"["c"]"#], r#"["É","c","ß"]"#);
        check([was, value, r#"["c","a"]"#], r#"["c","ß","a","É"]"#);
        check([was, value, r#"["new","a","c"]"#], r#"["new","a","É","c","ß"]"#);
        check([was, value, "[]"], r#"["É","ß"]"#);
    }

    #[test]
    fn what_was_written_for_something_else_stands_for_it() {
        check([r#"["e","a"]"#, r#"["É","a"]"#, r#"["e","b"]"#], r#"["É","b"]"#);
        check([r#"["tool"]"#, "[]", r#"["tool","x"]"#], r#"["x"]"#);
        check(["[1,1]", "[1,1,2]", "[1]"], "[1,2]");
    }
}
