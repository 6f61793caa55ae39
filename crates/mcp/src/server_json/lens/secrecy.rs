//! The secrecy of a variable: declared by the variable itself, or by the parts of its
//! value.

use manifest_core::format::{Reader, Writer};
use manifest_core::json::{Member, Node};
use manifest_core::{InfluenceId, Sourced};

use crate::server_json::spellings::{SECRET, member, spelling};

/// The declarations that decide whether a variable is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SecrecySource {
    /// Those of the variable and its parts that are true: a value with a secret part is a
    /// secret.
    TrueDeclarations,
    /// That of the variable. If it is missing, secrecy is unknown.
    Variable,
    /// Those of all parts: a value without secret parts is not a secret.
    Parts,
}

impl SecrecySource {
    fn of(variable: Node<'_>) -> Self {
        let mut parts = parts(variable).map(|part| is_secret(part.value)).peekable();
        let own = is_secret(variable);
        if own == Some(true) {
            return Self::TrueDeclarations;
        }
        let any = parts.peek().is_some();
        let every = parts.try_fold(true, |every, part| match part {
            Some(true) => None,
            other => Some(every && other.is_some()),
        });
        match every {
            None => Self::TrueDeclarations,
            Some(true) if own.is_none() && any => Self::Parts,
            Some(_) => Self::Variable,
        }
    }

    /// Returns true if the declaration of the variable is one of them.
    fn includes_variable(self, variable: Node<'_>) -> bool {
        self == Self::Variable
            || self == Self::TrueDeclarations && is_secret(variable) == Some(true)
    }

    /// Returns true if the declaration of a part is one of them.
    fn includes_part(self, part: Node<'_>) -> bool {
        self == Self::Parts || self == Self::TrueDeclarations && is_secret(part) == Some(true)
    }
}

/// Lifts whether a variable is a secret. If it is not, also returns the declarations that
/// decide so.
pub(super) fn read<'a>(
    reader: &mut Reader<'a>,
    variable: Node<'a>,
) -> (Option<Sourced<bool>>, InfluenceId) {
    let tellers = SecrecySource::of(variable);
    let whole = member(variable, &SECRET);
    let said = |part: Member<'a>| member(part.value, &SECRET);
    let told: Vec<Node<'a>> = whole
        .filter(|_| tellers.includes_variable(variable))
        .into_iter()
        .chain(parts(variable).filter(|part| tellers.includes_part(part.value)).filter_map(said))
        .collect();
    let Some(first) = told.first().copied() else { return (None, InfluenceId::default()) };
    match tellers {
        SecrecySource::TrueDeclarations => {
            // True if the variable would be known to be public if these declarations were
            // false.
            let known = whole.is_some() || parts(variable).all(|part| said(part).is_some());
            let secret = if known && told.len() == 1 {
                reader.boolean(Some(first))
            } else {
                let by = reader.add_joint_influences(told);
                Some(reader.inferred(first, true).with_influence(by))
            };
            (secret, InfluenceId::default())
        }
        SecrecySource::Variable => {
            let by = reader.add_influences(parts(variable).filter_map(said));
            let secret = reader.boolean(Some(first)).map(|secret| secret.with_influence(by));
            (
                secret,
                reader.add_influences(told.into_iter().chain(parts(variable).filter_map(said))),
            )
        }
        SecrecySource::Parts => {
            let by = reader.add_influences(told);
            (Some(reader.inferred(first, false).with_influence(by)), by)
        }
    }
}

/// Writes whether a variable is a secret, into the members that declare it in the source.
pub(super) fn write(
    w: &mut Writer<'_>,
    variable: Node<'_>,
    secret: Option<&Sourced<bool>>,
    snake: bool,
) {
    let tellers = SecrecySource::of(variable);
    if tellers.includes_variable(variable) {
        w.copy(spelling(variable, &SECRET, snake), secret);
    }
    let mut parts = parts(variable).filter(|part| tellers.includes_part(part.value)).peekable();
    if parts.peek().is_some() {
        w.member("variables").object(|w| {
            for part in parts {
                w.member(&part.name()).object(|w| {
                    w.copy(spelling(part.value, &SECRET, snake), secret);
                });
            }
        });
    }
}

/// Returns the variables in the value of a variable.
fn parts(variable: Node<'_>) -> impl Iterator<Item = Member<'_>> {
    variable.get("variables").into_iter().flat_map(Node::members)
}

fn is_secret(node: Node<'_>) -> Option<bool> {
    member(node, &SECRET)?.bool()
}
