//! Removes unsatisfiable parts.

use crate::change::ChangeKind;
use crate::graph::{Graph, Id, KeywordValue, Subschema, is_tighter};
use crate::lowering::Lowering;
use crate::type_set::TypeSet;
use crate::write::write_type;

/// Removes unsatisfiable alternatives, members, elements and kinds of values. Returns false
/// if the whole schema is unsatisfiable.
pub(crate) fn prune_unsatisfiable(lower: &mut Lowering<'_>) -> bool {
    let found = UnsatisfiableParts::of(&lower.out);
    if found.is_unsatisfiable(0) {
        return false;
    }
    if !found.never.contains(&true) {
        return true;
    }
    for id in (0..found.never.len()).filter(|id| !found.is_unsatisfiable(*id)) {
        let kinds = found.kinds.get(id).copied().unwrap_or(TypeSet::ALL);
        let mut gone = Vec::new();
        let mut empty = false;
        if let Some(part) = lower.out.parts.get_mut(id) {
            if part.declared_types() != kinds {
                part.restrict_types(kinds);
            }
            for (name, word) in &mut part.keywords {
                match word {
                    KeywordValue::List(parts) => parts.retain(|id| !found.is_unsatisfiable(*id)),
                    KeywordValue::Map(named) => {
                        let never = named.iter().filter(|(_, id)| found.is_unsatisfiable(*id));
                        gone.extend(never.map(|(name, _)| name.clone()));
                        named.retain(|(_, id)| !found.is_unsatisfiable(*id));
                    }
                    KeywordValue::Part(inner) => {
                        empty |= name == "items" && found.is_unsatisfiable(*inner);
                    }
                    KeywordValue::Ref(_) | KeywordValue::Json(_) => {}
                }
            }
        }
        for name in gone {
            lower.note_omitted_member(id, &name);
        }
        if empty {
            lower.close_list(id);
        }
    }
    true
}

/// The unsatisfiable parts of a graph.
struct UnsatisfiableParts {
    never: Vec<bool>,
    /// The kinds of values that each part still accepts.
    kinds: Vec<TypeSet>,
}

/// The effect on a part if a part that it needs is unsatisfiable.
#[derive(Clone, Copy)]
enum Loss {
    /// It loses one of its alternatives.
    Choice,
    /// It loses all values of a kind.
    Kind(TypeSet),
}

impl UnsatisfiableParts {
    fn of(graph: &Graph) -> Self {
        let mut found = Self {
            never: graph.parts.iter().map(|part| part.unsatisfiable).collect(),
            kinds: graph.parts.iter().map(Subschema::declared_types).collect(),
        };
        let mut users: Vec<Vec<(Id, Loss)>> = vec![Vec::new(); graph.parts.len()];
        let mut choices: Vec<usize> = vec![0; graph.parts.len()];
        for (id, part) in graph.parts.iter().enumerate() {
            let needs = part.needs();
            if part.keyword("anyOf").is_some() && needs.is_empty() {
                found.never.get_mut(id).into_iter().for_each(|never| *never = true);
            }
            for (inner, loss) in needs {
                users.get_mut(inner).into_iter().for_each(|users| users.push((id, loss)));
                let choice = usize::from(matches!(loss, Loss::Choice));
                choices.get_mut(id).into_iter().for_each(|choices| *choices += choice);
            }
        }
        let mut pending: Vec<Id> =
            (0..graph.parts.len()).filter(|id| found.is_unsatisfiable(*id)).collect();
        while let Some(id) = pending.pop() {
            for (user, loss) in users.get(id).into_iter().flatten() {
                let slots = (found.kinds.get_mut(*user), choices.get_mut(*user));
                let (Some(kinds), Some(choices)) = slots else { continue };
                let nothing = match loss {
                    Loss::Choice => {
                        *choices -= 1;
                        *choices == 0
                    }
                    Loss::Kind(kind) => {
                        *kinds = kinds.without(*kind);
                        *kinds == TypeSet::NONE
                    }
                };
                let never = found.never.get_mut(*user).filter(|never| nothing && !**never);
                if let Some(never) = never {
                    *never = true;
                    pending.push(*user);
                }
            }
        }
        found
    }

    fn is_unsatisfiable(&self, id: Id) -> bool {
        self.never.get(id).copied().unwrap_or(true)
    }
}

impl Subschema {
    /// Returns the parts that it needs, each with its loss if that part is unsatisfiable.
    fn needs(&self) -> Vec<(Id, Loss)> {
        let mut needs = Vec::new();
        let required = self.required();
        for (name, word) in &self.keywords {
            match (name.as_str(), word) {
                ("$ref", KeywordValue::Ref(target)) => needs.push((*target, Loss::Choice)),
                ("anyOf", KeywordValue::List(any)) => {
                    needs.extend(any.iter().map(|id| (*id, Loss::Choice)));
                }
                ("properties", KeywordValue::Map(named)) => {
                    let needed = named.iter().filter(|(name, _)| required.contains(name));
                    needs.extend(needed.map(|(_, id)| (*id, Loss::Kind(TypeSet::OBJECT))));
                }
                ("items", KeywordValue::Part(items)) => {
                    let some =
                        self.json("minItems").is_some_and(|least| is_tighter(least, "0", true));
                    needs.extend(some.then_some((*items, Loss::Kind(TypeSet::ARRAY))));
                }
                _ => {}
            }
        }
        needs
    }

    /// Restricts the part to values of these kinds.
    fn restrict_types(&mut self, kinds: TypeSet) {
        let mut text = String::new();
        write_type(kinds, &mut text);
        self.set("type", KeywordValue::Json(text));
        let of = |words: &[&str], kind: TypeSet, name: &str| {
            words.contains(&name) && !kinds.intersects(kind)
        };
        self.keywords.retain(|(name, _)| {
            !of(OF_OBJECTS, TypeSet::OBJECT, name) && !of(OF_LISTS, TypeSet::ARRAY, name)
        });
    }
}

const OF_OBJECTS: &[&str] =
    &["properties", "required", "additionalProperties", "minProperties", "maxProperties"];
const OF_LISTS: &[&str] = &["items", "minItems", "maxItems"];

impl Lowering<'_> {
    /// Records that an unsatisfiable member is not named. A target that refuses unnamed
    /// members still refuses it. Otherwise it may have any value, which is a change.
    pub(crate) fn note_omitted_member(&mut self, id: Id, name: &str) {
        if !self.dialect.subset.is_some_and(|subset| subset.closed) {
            self.record_change(ChangeKind::Dropped, self.out.get(id).at("properties").push(name));
        }
    }

    /// Restricts a list to the empty one, as far as the target can express that.
    fn close_list(&mut self, id: Id) {
        let takes = self.dialect.subset.is_some_and(|subset| subset.keywords.contains(&"maxItems"));
        if !takes {
            self.record_change(ChangeKind::Dropped, self.out.get(id).at("items"));
        }
        let any = self.out.push(Subschema {
            at: self.out.get(id).at.clone(),
            unsatisfiable: false,
            keywords: vec![("type".to_owned(), KeywordValue::Json("\"string\"".to_owned()))],
        });
        if let Some(part) = self.out.parts.get_mut(id) {
            part.set("items", KeywordValue::Part(any));
            if takes {
                part.set("maxItems", KeywordValue::Json("0".to_owned()));
            }
        }
    }
}
