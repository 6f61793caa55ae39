//! The secrecy of a variable: declared by the variable itself, or by the parts of its
//! value.

use manifest_core::format::{Reader, Writer};
use manifest_core::json::{Member, Node};
use manifest_core::{By, Sourced};

use crate::names::{SECRET, either, spelled};

/// The declarations that decide whether a variable is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tellers {
    /// Those of the variable and its parts that are true: a value with a secret part is a
    /// secret.
    Secrets,
    /// That of the variable. If it is missing, secrecy is unknown.
    Itself,
    /// Those of all parts: a value without secret parts is not a secret.
    Parts,
}

impl Tellers {
    fn of(variable: Node<'_>) -> Self {
        let mut parts = parts(variable).map(|part| is_secret(part.value)).peekable();
        let own = is_secret(variable);
        if own == Some(true) {
            return Self::Secrets;
        }
        let any = parts.peek().is_some();
        let every = parts.try_fold(true, |every, part| match part {
            Some(true) => None,
            other => Some(every && other.is_some()),
        });
        match every {
            None => Self::Secrets,
            Some(true) if own.is_none() && any => Self::Parts,
            Some(_) => Self::Itself,
        }
    }

    /// Returns true if the declaration of the variable is one of them.
    fn has_whole(self, variable: Node<'_>) -> bool {
        self == Self::Itself || self == Self::Secrets && is_secret(variable) == Some(true)
    }

    /// Returns true if the declaration of a part is one of them.
    fn has_part(self, part: Node<'_>) -> bool {
        self == Self::Parts || self == Self::Secrets && is_secret(part) == Some(true)
    }
}

/// Lifts whether a variable is a secret. If it is not, also returns the declarations that
/// decide so.
pub(super) fn read<'a>(reader: &mut Reader<'a>, variable: Node<'a>) -> (Option<Sourced<bool>>, By) {
    let tellers = Tellers::of(variable);
    let whole = either(variable, &SECRET);
    let said = |part: Member<'a>| either(part.value, &SECRET);
    let told: Vec<Node<'a>> = whole
        .filter(|_| tellers.has_whole(variable))
        .into_iter()
        .chain(parts(variable).filter(|part| tellers.has_part(part.value)).filter_map(said))
        .collect();
    let Some(first) = told.first().copied() else { return (None, By::default()) };
    match tellers {
        Tellers::Secrets => {
            // True if the variable would be known to be public if these declarations were
            // false.
            let known = whole.is_some() || parts(variable).all(|part| said(part).is_some());
            let secret = if known && told.len() == 1 {
                reader.boolean(Some(first))
            } else {
                let by = reader.together(told);
                Some(reader.because_of(first, true).by(by))
            };
            (secret, By::default())
        }
        Tellers::Itself => {
            let by = reader.deciding(parts(variable).filter_map(said));
            let secret = reader.boolean(Some(first)).map(|secret| secret.by(by));
            (secret, reader.deciding(told.into_iter().chain(parts(variable).filter_map(said))))
        }
        Tellers::Parts => {
            let by = reader.deciding(told);
            (Some(reader.because_of(first, false).by(by)), by)
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
    let tellers = Tellers::of(variable);
    if tellers.has_whole(variable) {
        w.copy(spelled(variable, &SECRET, snake), secret);
    }
    let mut parts = parts(variable).filter(|part| tellers.has_part(part.value)).peekable();
    if parts.peek().is_some() {
        w.member("variables").object(|w| {
            for part in parts {
                w.member(&part.name()).object(|w| {
                    w.copy(spelled(part.value, &SECRET, snake), secret);
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
    either(node, &SECRET)?.bool()
}
