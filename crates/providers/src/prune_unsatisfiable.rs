//! Removes unsatisfiable parts.

use json_schema::types::Types;

use crate::change::ChangeKind;
use crate::lowering::Lowering;
use crate::parts::{Id, KeywordValue, Part, SchemaParts};
use crate::write::write_type;

/// Removes unsatisfiable alternatives, members, elements and types. Returns false if the
/// whole schema is unsatisfiable.
pub(crate) fn prune_unsatisfiable(lower: &mut Lowering<'_>) -> bool {
    let found = UnsatisfiableParts::of(&lower.out);
    if found.is_unsatisfiable(0) {
        return false;
    }
    if !found.unsatisfiable.contains(&true) {
        return true;
    }
    for (id, types) in found.types.iter().enumerate() {
        let Some(part) = lower.out.parts.get_mut(id) else { continue };
        if found.is_unsatisfiable(id) {
            continue;
        }
        let mut omitted = Vec::new();
        let mut is_empty_list = false;
        if part.declared_types() != *types {
            part.restrict_types(*types);
        }
        for (keyword, value) in &mut part.keywords {
            match value {
                KeywordValue::List(parts) => parts.retain(|id| !found.is_unsatisfiable(*id)),
                KeywordValue::Map(named) => named.retain(|(name, id)| {
                    let omit = found.is_unsatisfiable(*id);
                    if omit {
                        omitted.push(name.clone());
                    }
                    !omit
                }),
                KeywordValue::Part(inner) => {
                    is_empty_list |= keyword == "items" && found.is_unsatisfiable(*inner);
                }
                KeywordValue::Ref(_) | KeywordValue::Json(_) => {}
            }
        }
        for name in omitted {
            lower.note_omitted_member(id, &name);
        }
        if is_empty_list {
            lower.close_list(id);
        }
    }
    true
}

/// The unsatisfiable parts of a schema.
struct UnsatisfiableParts {
    unsatisfiable: Vec<bool>,
    /// The types that each part still accepts.
    types: Vec<Types>,
}

/// The effect on a part if a part that it needs is unsatisfiable.
#[derive(Clone, Copy)]
enum Loss {
    /// It loses one of its alternatives.
    Choice,
    /// It loses all values of a type.
    Type(Types),
}

impl UnsatisfiableParts {
    fn of(schema: &SchemaParts) -> Self {
        let mut found = Self { unsatisfiable: Vec::new(), types: Vec::new() };
        let mut users: Vec<Vec<(Id, Loss)>> = vec![Vec::new(); schema.parts.len()];
        // The number of alternatives that each part has left.
        let mut choices: Vec<usize> = Vec::new();
        for (id, part) in schema.parts.iter().enumerate() {
            let needs = part.needs();
            let has_no_choice = part.has("anyOf") && needs.is_empty();
            found.unsatisfiable.push(part.unsatisfiable || has_no_choice);
            found.types.push(part.declared_types());
            choices.push(needs.iter().filter(|(_, loss)| matches!(loss, Loss::Choice)).count());
            for (inner, loss) in needs {
                if let Some(users) = users.get_mut(inner) {
                    users.push((id, loss));
                }
            }
        }
        let mut pending: Vec<Id> =
            (0..schema.parts.len()).filter(|id| found.is_unsatisfiable(*id)).collect();
        while let Some(id) = pending.pop() {
            for (user, loss) in users.get(id).into_iter().flatten() {
                let (Some(types), Some(choices), Some(unsatisfiable)) = (
                    found.types.get_mut(*user),
                    choices.get_mut(*user),
                    found.unsatisfiable.get_mut(*user),
                ) else {
                    continue;
                };
                let is_lost = match loss {
                    Loss::Choice => {
                        *choices -= 1;
                        *choices == 0
                    }
                    Loss::Type(lost) => {
                        *types = types.without(*lost);
                        types.is_empty()
                    }
                };
                if is_lost && !*unsatisfiable {
                    *unsatisfiable = true;
                    pending.push(*user);
                }
            }
        }
        found
    }

    fn is_unsatisfiable(&self, id: Id) -> bool {
        self.unsatisfiable.get(id).copied().unwrap_or(true)
    }
}

impl Part {
    /// Returns the parts that it needs, each with its loss if that part is unsatisfiable.
    fn needs(&self) -> Vec<(Id, Loss)> {
        let mut needs = Vec::new();
        let required = self.required();
        for (name, value) in &self.keywords {
            match (name.as_str(), value) {
                ("$ref", KeywordValue::Ref(target)) => needs.push((*target, Loss::Choice)),
                ("anyOf", KeywordValue::List(any)) => {
                    needs.extend(any.iter().map(|id| (*id, Loss::Choice)));
                }
                ("properties", KeywordValue::Map(named)) => {
                    for (name, id) in named {
                        if required.contains(name) {
                            needs.push((*id, Loss::Type(Types::OBJECT)));
                        }
                    }
                }
                ("items", KeywordValue::Part(items)) if self.is_positive("minItems") => {
                    needs.push((*items, Loss::Type(Types::ARRAY)));
                }
                _ => {}
            }
        }
        needs
    }

    /// Restricts the part to values of these types.
    fn restrict_types(&mut self, types: Types) {
        let mut text = String::new();
        write_type(types, &mut text);
        self.set("type", KeywordValue::Json(text));
        self.keywords.retain(|(name, _)| match name.as_str() {
            "properties"
            | "required"
            | "additionalProperties"
            | "minProperties"
            | "maxProperties" => types.intersects(Types::OBJECT),
            "items" | "minItems" | "maxItems" => types.intersects(Types::ARRAY),
            _ => true,
        });
    }
}

impl Lowering<'_> {
    /// Records that an unsatisfiable member is not named. A target that refuses unnamed
    /// members still refuses it. Otherwise it may have any value, which is a change.
    pub(crate) fn note_omitted_member(&mut self, id: Id, name: &str) {
        if !self.dialect.subset.is_some_and(|subset| subset.closed) {
            self.record_change(ChangeKind::Dropped, self.out.get(id).at_property(name));
        }
    }

    /// Restricts a list to the empty one, as far as the target can express that.
    fn close_list(&mut self, id: Id) {
        let has_max = self.dialect.subset.is_some_and(|subset| subset.supports("maxItems"));
        if !has_max {
            self.record_change(ChangeKind::Dropped, self.out.get(id).at("items"));
        }
        let any = self.out.push(Part {
            at: self.out.get(id).at.clone(),
            unsatisfiable: false,
            keywords: vec![("type".to_owned(), KeywordValue::Json("\"string\"".to_owned()))],
        });
        if let Some(part) = self.out.parts.get_mut(id) {
            part.set("items", KeywordValue::Part(any));
            if has_max {
                part.set("maxItems", KeywordValue::Json("0".to_owned()));
            }
        }
    }
}
