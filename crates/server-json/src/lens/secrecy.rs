//! Whether a variable is a secret: it says so itself, or what its value is made of does.

use manifest_core::format::{Reader, Writer};
use manifest_core::json::{Member, Node};
use manifest_core::{By, Sourced};

use crate::names::{SECRET, either, spelled};

/// Who says whether a variable is a secret.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tellers {
    /// The variable and the parts that are secrets: what is made of one is one.
    Secrets,
    /// The variable, unless it is silent: then nobody knows.
    Itself,
    /// All of its parts: what is made of no secrets is none.
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

    /// Whether the variable is one of them.
    fn has_whole(self, variable: Node<'_>) -> bool {
        self == Self::Itself || self == Self::Secrets && is_secret(variable) == Some(true)
    }

    /// Whether a part is one of them.
    fn has_part(self, part: Node<'_>) -> bool {
        self == Self::Parts || self == Self::Secrets && is_secret(part) == Some(true)
    }
}

/// Whether a variable is a secret, and what decides that it is none.
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
            // Without it, it would be known to be none.
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

/// Writes whether a variable is a secret, wherever that was said.
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

/// What the value of a variable is made of.
fn parts(variable: Node<'_>) -> impl Iterator<Item = Member<'_>> {
    variable.get("variables").into_iter().flat_map(Node::members)
}

fn is_secret(node: Node<'_>) -> Option<bool> {
    either(node, &SECRET)?.bool()
}
