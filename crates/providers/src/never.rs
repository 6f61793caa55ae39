//! Removes unsatisfiable parts.

use crate::change::Code;
use crate::graph::{Graph, Id, Part, Word, tighter};
use crate::kinds::Kinds;
use crate::making::Lower;
use crate::write::types;

/// Removes unsatisfiable alternatives, members, elements and kinds of values. Returns false
/// if the whole schema is unsatisfiable.
pub(crate) fn drop_never(lower: &mut Lower<'_>) -> bool {
    let found = NeverParts::of(&lower.out);
    if found.is_never(0) {
        return false;
    }
    if !found.never.contains(&true) {
        return true;
    }
    for id in (0..found.never.len()).filter(|id| !found.is_never(*id)) {
        let kinds = found.kinds.get(id).copied().unwrap_or(Kinds::ALL);
        let mut gone = Vec::new();
        let mut empty = false;
        if let Some(part) = lower.out.parts.get_mut(id) {
            if part.own_types() != kinds {
                part.keep(kinds);
            }
            for (name, word) in &mut part.words {
                match word {
                    Word::Parts(parts) => parts.retain(|id| !found.is_never(*id)),
                    Word::Named(named) => {
                        let never = named.iter().filter(|(_, id)| found.is_never(*id));
                        gone.extend(never.map(|(name, _)| name.clone()));
                        named.retain(|(_, id)| !found.is_never(*id));
                    }
                    Word::Part(inner) => empty |= name == "items" && found.is_never(*inner),
                    Word::Ref(_) | Word::Json(_) => {}
                }
            }
        }
        for name in gone {
            lower.leave_out(id, &name);
        }
        if empty {
            lower.close_list(id);
        }
    }
    true
}

/// The unsatisfiable parts of a graph.
struct NeverParts {
    never: Vec<bool>,
    /// The kinds of values that each part still accepts.
    kinds: Vec<Kinds>,
}

/// The effect on a part if a part that it needs is unsatisfiable.
#[derive(Clone, Copy)]
enum Loss {
    /// It loses one of its alternatives.
    Choice,
    /// It loses all values of a kind.
    Kind(Kinds),
}

impl NeverParts {
    fn of(graph: &Graph) -> Self {
        let mut found = Self {
            never: graph.parts.iter().map(|part| part.never).collect(),
            kinds: graph.parts.iter().map(Part::own_types).collect(),
        };
        let mut users: Vec<Vec<(Id, Loss)>> = vec![Vec::new(); graph.parts.len()];
        let mut choices: Vec<usize> = vec![0; graph.parts.len()];
        for (id, part) in graph.parts.iter().enumerate() {
            let needs = part.needs();
            if part.word("anyOf").is_some() && needs.is_empty() {
                found.never.get_mut(id).into_iter().for_each(|never| *never = true);
            }
            for (inner, loss) in needs {
                users.get_mut(inner).into_iter().for_each(|users| users.push((id, loss)));
                let choice = usize::from(matches!(loss, Loss::Choice));
                choices.get_mut(id).into_iter().for_each(|choices| *choices += choice);
            }
        }
        let mut pending: Vec<Id> =
            (0..graph.parts.len()).filter(|id| found.is_never(*id)).collect();
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
                        *kinds == Kinds::NONE
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

    fn is_never(&self, id: Id) -> bool {
        self.never.get(id).copied().unwrap_or(true)
    }
}

impl Part {
    /// Returns the parts that it needs, each with its loss if that part is unsatisfiable.
    fn needs(&self) -> Vec<(Id, Loss)> {
        let mut needs = Vec::new();
        let required = self.required();
        for (name, word) in &self.words {
            match (name.as_str(), word) {
                ("$ref", Word::Ref(target)) => needs.push((*target, Loss::Choice)),
                ("anyOf", Word::Parts(any)) => {
                    needs.extend(any.iter().map(|id| (*id, Loss::Choice)));
                }
                ("properties", Word::Named(named)) => {
                    let needed = named.iter().filter(|(name, _)| required.contains(name));
                    needs.extend(needed.map(|(_, id)| (*id, Loss::Kind(Kinds::OBJECT))));
                }
                ("items", Word::Part(items)) => {
                    let some = self.json("minItems").is_some_and(|least| tighter(least, "0", true));
                    needs.extend(some.then_some((*items, Loss::Kind(Kinds::ARRAY))));
                }
                _ => {}
            }
        }
        needs
    }

    /// Restricts the part to values of these kinds.
    fn keep(&mut self, kinds: Kinds) {
        let mut text = String::new();
        types(kinds, &mut text);
        self.set("type", Word::Json(text));
        let of =
            |words: &[&str], kind: Kinds, name: &str| words.contains(&name) && !kinds.meets(kind);
        self.words.retain(|(name, _)| {
            !of(OF_OBJECTS, Kinds::OBJECT, name) && !of(OF_LISTS, Kinds::ARRAY, name)
        });
    }
}

const OF_OBJECTS: &[&str] =
    &["properties", "required", "additionalProperties", "minProperties", "maxProperties"];
const OF_LISTS: &[&str] = &["items", "minItems", "maxItems"];

impl Lower<'_> {
    /// Records that an unsatisfiable member is not named. A target that refuses unnamed
    /// members still refuses it. Otherwise it may have any value, which is a change.
    pub(crate) fn leave_out(&mut self, id: Id, name: &str) {
        if !self.dialect.subset.is_some_and(|subset| subset.closed) {
            self.change(Code::Dropped, self.out.get(id).at("properties").push(name));
        }
    }

    /// Restricts a list to the empty one, as far as the target can express that.
    fn close_list(&mut self, id: Id) {
        let takes = self.dialect.subset.is_some_and(|subset| subset.words.contains(&"maxItems"));
        if !takes {
            self.change(Code::Dropped, self.out.get(id).at("items"));
        }
        let any = self.out.push(Part {
            at: self.out.get(id).at.clone(),
            never: false,
            words: vec![("type".to_owned(), Word::Json("\"string\"".to_owned()))],
        });
        if let Some(part) = self.out.parts.get_mut(id) {
            part.set("items", Word::Part(any));
            if takes {
                part.set("maxItems", Word::Json("0".to_owned()));
            }
        }
    }
}
