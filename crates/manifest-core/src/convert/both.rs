//! Edits on both sides: to the source of a conversion, and to its target.

use std::collections::{BTreeMap, BTreeSet};

use super::rename;
use super::rules::CONFLICT;
use crate::diagnostic::{Profile, Report};
use crate::json::{Document, Node, compact, quote};
use crate::{Limits, Pointer, printable};

/// What `mine` says with the changes that lead from `base` to `theirs`.
///
/// A place that both sides changed to different values is a conflict. All of them
/// are reported, at their place in `mine`.
pub(super) fn merged(
    base: &Document<'_>,
    mine: &Document<'_>,
    theirs: &Document<'_>,
    identity: &[&str],
    limits: &Limits,
) -> Result<String, Report> {
    let mut merger = Merger { identity, report: Report::new(Profile::Spec, limits.diagnostics) };
    let roots = [base, mine, theirs].map(|document| Some(document.root()));
    let text = merger.value(&Place { pointer: Pointer::root(), holder: mine.root() }, roots);
    if merger.report.is_valid() { Ok(text.unwrap_or_default()) } else { Err(merger.report) }
}

/// Where a value is or would be, in `mine`.
struct Place<'n> {
    pointer: Pointer,
    /// The closest value that is there.
    holder: Node<'n>,
}

const HELP: &str = "decide which of the two it is to be, and say so on one side";

/// The elements of a list, by what tells them apart.
type Keyed<'n> = Vec<(String, Node<'n>)>;

/// A value as it was, as it is here, and as it is there.
type Three<'n> = [Option<Node<'n>>; 3];

struct Merger<'i> {
    identity: &'i [&'i str],
    report: Report,
}

impl Merger<'_> {
    /// The text of the merged value, if there is one. It goes no deeper than the
    /// documents, which have a limit.
    fn value(&mut self, place: &Place<'_>, three: Three<'_>) -> Option<String> {
        let [base, mine, theirs] = three;
        if same(base, theirs) || same(mine, theirs) {
            return mine.map(compact);
        }
        if same(base, mine) {
            return theirs.map(compact);
        }
        if let (Some(mine), Some(theirs)) = (mine, theirs) {
            if three.iter().flatten().all(|node| node.is_object()) {
                return Some(self.object(place, base, mine, theirs));
            }
            let arrays = three.iter().flatten().all(|node| node.is_array());
            if let Some(lists) = self.keyed(three).filter(|_| arrays) {
                return Some(self.list(place, &lists));
            }
        }
        self.conflict(place, three);
        mine.map(compact)
    }

    fn object(
        &mut self,
        place: &Place<'_>,
        base: Option<Node<'_>>,
        mine: Node<'_>,
        theirs: Node<'_>,
    ) -> String {
        let old = base.map(Node::index_members);
        let (here, there) = (mine.index_members(), theirs.index_members());
        let added = theirs.members().filter(|member| here.get(&member.name()).is_none());
        let names = mine.members().chain(added).map(|member| member.name());
        let mut members = Vec::new();
        for name in names {
            let three =
                [old.as_ref().and_then(|old| old.get(&name)), here.get(&name), there.get(&name)];
            let below = place.below(&name, three[1].unwrap_or(mine));
            if let Some(value) = self.value(&below, three) {
                members.push(format!("{}:{value}", quote(&name)));
            }
        }
        format!("{{{}}}", members.join(","))
    }

    /// Elements that can be told apart on every side, by what tells them apart.
    fn keyed<'n>(&self, three: Three<'n>) -> Option<[Keyed<'n>; 3]> {
        let keyed = |list: Option<Node<'n>>| {
            let mut seen = BTreeSet::new();
            let elements = list.into_iter().flat_map(Node::elements).map(|element| {
                let key = self.identity.iter().find_map(|name| element.identity(name))?;
                seen.insert(key.to_string()).then(|| (key.into_owned(), element))
            });
            elements.collect::<Option<Vec<_>>>()
        };
        let [base, mine, theirs] = three.map(keyed);
        Some([base?, mine?, theirs?])
    }

    /// In the order of `mine`, behind which follows what only `theirs` has; in the
    /// order of `theirs`, if only that was changed.
    fn list(&mut self, place: &Place<'_>, [base, mine, theirs]: &[Keyed<'_>; 3]) -> String {
        // One that was renamed is still the same.
        let (mine, theirs) = (old_names(base, mine), old_names(base, theirs));
        let index = |list: &Keyed<'_>| -> BTreeMap<String, usize> {
            list.iter().enumerate().map(|(i, (key, _))| (key.clone(), i)).collect()
        };
        let (old, here, there) = (index(base), index(&mine), index(&theirs));
        let order = |list: &Keyed<'_>| -> Vec<String> {
            let everywhere = |key: &String| {
                old.contains_key(key) && here.contains_key(key) && there.contains_key(key)
            };
            list.iter().map(|(key, _)| key.clone()).filter(everywhere).collect()
        };
        let [was, is, will] = [base, &mine, &theirs].map(order);
        if was != is && was != will && is != will {
            let message = "both sides put these into another order, and not into the same";
            let found = CONFLICT.at_pointer(place.pointer.clone(), message);
            self.report.push(found.span(place.holder.span()).help(HELP));
        }
        let unchanged = base.iter().map(|(key, _)| key).eq(mine.iter().map(|(key, _)| key));
        let (first, second, known) = if unchanged || (was == is && was != will) {
            (&theirs, &mine, &there)
        } else {
            (&mine, &theirs, &here)
        };
        let rest = second.iter().filter(|(key, _)| !known.contains_key(key));
        let keys: Vec<&String> = first.iter().chain(rest).map(|(key, _)| key).collect();
        let mut elements = Vec::new();
        for key in keys {
            let three =
                [get(base, old.get(key)), get(&mine, here.get(key)), get(&theirs, there.get(key))];
            let below = match here.get(key) {
                Some(at) => place.below(&at.to_string(), three[1].unwrap_or(place.holder)),
                None => Place { pointer: place.pointer.clone(), holder: place.holder },
            };
            elements.extend(self.value(&below, three));
        }
        format!("[{}]", elements.join(","))
    }

    fn conflict(&mut self, place: &Place<'_>, [base, mine, theirs]: Three<'_>) {
        let said = |value: Option<Node<'_>>| match value {
            None => "nothing".to_owned(),
            Some(value) => printable(&compact(value), 64),
        };
        let [base, here, there] = [base, mine, theirs].map(said);
        let message = format!(
            "both sides changed this: it was {base}, and is {here} here and {there} in the target"
        );
        let span = mine.unwrap_or(place.holder).span();
        self.report.push(CONFLICT.at_pointer(place.pointer.clone(), message).span(span).help(HELP));
    }
}

impl<'n> Place<'n> {
    fn below(&self, token: &str, holder: Node<'n>) -> Self {
        Self { pointer: self.pointer.clone().push(token), holder }
    }
}

fn get<'n>(list: &Keyed<'n>, at: Option<&usize>) -> Option<Node<'n>> {
    list.get(*at?).map(|(_, node)| *node)
}

/// A list under the names that its elements had: where one name is gone and one is new,
/// and the elements say half of the rest in common, they are the same.
fn old_names<'n>(base: &Keyed<'_>, list: &Keyed<'n>) -> Keyed<'n> {
    let names = |list: &Keyed<'_>| -> BTreeSet<String> {
        list.iter().map(|(key, _)| key.clone()).collect()
    };
    let (before, now) = (names(base), names(list));
    let renamed = rename::renamed(&before, &now).filter(|(old, new)| {
        let old = base.iter().find(|(key, _)| key == old).map(|(_, node)| *node);
        let new = list.iter().find(|(key, _)| key == new).map(|(_, node)| *node);
        old.zip(new).is_some_and(|(old, new)| {
            let pairs = old.members().filter_map(|m| Some((m.value, new.get(&m.name())?)));
            let same = pairs.filter(|(old, new)| old.same_value(*new)).count();
            same > 0 && 2 * same + 1 >= old.members().count()
        })
    });
    let old = |key: &String| match &renamed {
        Some((old, new)) if new == key => old.clone(),
        _ => key.clone(),
    };
    list.iter().map(|(key, node)| (old(key), *node)).collect()
}

fn same(a: Option<Node<'_>>, b: Option<Node<'_>>) -> bool {
    match (a, b) {
        (None, None) => true,
        (Some(a), Some(b)) => a.same_value(b),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a test may stop

    use super::merged;
    use crate::Limits;
    use crate::json::Document;

    fn merge([base, mine, theirs]: [&str; 3]) -> Result<String, Vec<String>> {
        let limits = Limits::default();
        let parse = |text| Document::parse(text, &limits).unwrap();
        let (base, mine, theirs) =
            (parse(base.as_bytes()), parse(mine.as_bytes()), parse(theirs.as_bytes()));
        let merged = merged(&base, &mine, &theirs, &["id"], &limits);
        merged.map_err(|report| report.errors().map(|d| d.pointer.to_string()).collect())
    }

    #[test]
    fn edits_to_different_places_meet() {
        let base = r#"{"a":1,"b":{"c":[1],"d":2}}"#;
        let (mine, theirs) = (r#"{"a":9,"b":{"c":[1]}}"#, r#"{"b":{"c":[1,2],"d":2},"a":1,"e":0}"#);
        assert_eq!(merge([base, mine, theirs]).unwrap(), r#"{"a":9,"b":{"c":[1,2]},"e":0}"#);
        assert_eq!(merge([base, mine, mine]).unwrap(), mine);
    }

    #[test]
    fn elements_meet_by_what_identifies_them() {
        let base = r#"[{"id":"a","x":1},{"id":"b"},{"id":"c"}]"#;
        let mine = r#"[{"id":"c"},{"id":"a","x":1},{"id":"b","y":1},{"id":"m"}]"#;
        let theirs = r#"[{"id":"a","x":2},{"id":"b"},{"id":"t"}]"#;
        let both = r#"[{"id":"a","x":2},{"id":"b","y":1},{"id":"m"},{"id":"t"}]"#;
        assert_eq!(merge([base, mine, theirs]).unwrap(), both);
    }

    #[test]
    fn what_is_renamed_on_one_side_is_edited_on_the_other() {
        let base = r#"[{"id":"a","x":1},{"id":"b"}]"#;
        let (mine, theirs) =
            (r#"[{"id":"c","x":1},{"id":"b"}]"#, r#"[{"id":"a","x":2},{"id":"b"}]"#);
        let both = r#"[{"id":"c","x":2},{"id":"b"}]"#;
        assert_eq!(merge([base, mine, theirs]).unwrap(), both);
        assert_eq!(merge([base, theirs, mine]).unwrap(), both);
    }

    #[test]
    fn renaming_contradicts_renaming_and_removing() {
        let base = r#"[{"id":"a","x":1},{"id":"b"}]"#;
        let [here, there] =
            [r#"[{"id":"c","x":1},{"id":"b"}]"#, r#"[{"id":"d","x":1},{"id":"b"}]"#];
        let gone = r#"[{"id":"b"}]"#;
        assert_eq!(merge([base, here, there]).unwrap_err(), ["/0/id"]);
        assert_eq!(merge([base, here, here]).unwrap(), here);
        assert_eq!(merge([base, here, gone]).unwrap_err(), ["/0"]);
        assert_eq!(merge([base, gone, here]).unwrap_err(), [""]);
    }

    #[test]
    fn two_orders_contradict_each_other() {
        let [base, mine, theirs] = ["abc", "bac", "acb"].map(|names| {
            let list: Vec<_> = names.chars().map(|name| format!(r#"{{"id":"{name}"}}"#)).collect();
            format!("[{}]", list.join(","))
        });
        assert_eq!(merge([&base, &mine, &theirs]).unwrap_err(), [""]);
        assert_eq!(merge([&base, &mine, &mine]).unwrap(), mine);
        assert_eq!(merge([&base, &mine, &base]).unwrap(), mine);
        assert_eq!(merge([&base, &base, &mine]).unwrap(), mine);
    }

    #[test]
    fn all_conflicts_are_reported_where_they_are() {
        let base = r#"{"a":1,"b":[{"id":"x","n":1}],"c":1}"#;
        let mine = r#"{"a":2,"b":[{"id":"x","n":2}],"d":1}"#;
        let theirs = r#"{"a":3,"b":[],"c":2,"d":2}"#;
        assert_eq!(merge([base, mine, theirs]).unwrap_err(), ["/a", "/b/0", "/d", "/c"]);
    }
}
