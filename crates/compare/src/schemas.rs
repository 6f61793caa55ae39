//! Compares input and output schemas.

use super::change::{Class, Findings, Record};
use diagnostic::{Pointer, quoted};
use json_schema::{ChangeKind, Direction, SchemaChange, changes};
use json_text::{Document, Raw};
use manifest_core::{Limits, ToolDescriptor};

/// The input of a tool without an input schema: an object without named arguments.
const NO_ARGUMENTS: &str = r#"{"type": "object", "properties": {}}"#;

pub(super) fn compare_input(
    old: Option<&Raw<'_>>,
    new: Option<&Raw<'_>>,
    found: &mut Findings<'_>,
) {
    match (old, new) {
        (None, None) => {}
        (Some(_), None) => {
            let message = "it does not say any more what it takes";
            found.undecided("input-unstated", "/input_schema", message);
        }
        (old, Some(new)) => {
            let Some(old) = old else {
                let count = found.changes.len();
                compare(NO_ARGUMENTS, new.as_str(), Direction::Input, found);
                if found.changes.len() == count {
                    found.additive("input-stated", "/input_schema", "it says what it takes");
                }
                return;
            };
            compare(old.as_str(), new.as_str(), Direction::Input, found);
        }
    }
}

pub(super) fn compare_output(
    old: Option<&Raw<'_>>,
    new: Option<&Raw<'_>>,
    found: &mut Findings<'_>,
) {
    match (old, new) {
        (None, None) => {}
        (None, Some(_)) => {
            found.additive("output-stated", "/output_schema", "it says what comes back");
        }
        (Some(_), None) => {
            let message = "it does not say any more what comes back";
            found.breaking("output-unstated", "/output_schema", message);
        }
        (Some(old), Some(new)) => compare(old.as_str(), new.as_str(), Direction::Output, found),
    }
}

/// Returns the worst effect of a change of the input schema on callers, or `None` if nothing
/// changed.
pub fn input_class(old: &Raw<'_>, new: &Raw<'_>, limits: &Limits) -> Option<Class> {
    let mut found = Findings::new(limits, &ToolDescriptor::default());
    compare(old.as_str(), new.as_str(), Direction::Input, &mut found);
    found.changes.iter().map(|change| change.class).min()
}

fn compare(old: &str, new: &str, direction: Direction, found: &mut Findings<'_>) {
    let limits = json_text::Limits::none();
    let parsed = (Document::parse(old.as_bytes(), limits), Document::parse(new.as_bytes(), limits));
    let (Ok(old), Ok(new)) = parsed else {
        return; // descriptors hold JSON
    };
    let field = match direction {
        Direction::Input => "input_schema",
        Direction::Output => "output_schema",
    };
    for one in changes(old.root(), new.root(), direction, found.limits) {
        let (kind, message) = describe(&one, direction);
        let class = match (one.safe, one.kind) {
            (_, ChangeKind::Reworded) => Class::Prompt,
            (Some(false), _) => Class::Breaking,
            (None, _) => Class::Undecided,
            (Some(true), _) => Class::Additive,
        };
        found.push_at(class, kind, Pointer::root().push(field).join(&one.pointer), message);
    }
}

/// Returns the kind and the message of a change.
fn describe(found: &SchemaChange, direction: Direction) -> (&'static str, String) {
    let (kinds, rest) = match found.kind {
        ChangeKind::Added => (["input-added", "output-added"], "is new"),
        ChangeKind::RequiredAdded => {
            (["input-required-added", "output-required-added"], "is new, and must be there")
        }
        ChangeKind::Removed => (["input-removed", "output-removed"], "is gone"),
        ChangeKind::NowRequired => {
            (["input-now-required", "output-now-required"], "must be there now")
        }
        ChangeKind::NowOptional => {
            (["input-now-optional", "output-now-optional"], "may be left out now")
        }
        ChangeKind::Closed => {
            (["input-closed", "output-closed"], "members without a name are refused now")
        }
        ChangeKind::Opened => {
            (["input-opened", "output-opened"], "members without a name are taken now")
        }
        ChangeKind::Narrowed => (["input-narrowed", "output-narrowed"], "has fewer values"),
        ChangeKind::Widened => (["input-widened", "output-widened"], "has more values"),
        ChangeKind::Changed => (["input-changed", "output-changed"], "has other values"),
        ChangeKind::Undecided => (["input-undecided", "output-undecided"], "may have other values"),
        ChangeKind::DefaultAdded => (["input-default-added", "output-default-added"], "is new"),
        ChangeKind::DefaultChanged => {
            (["input-default-changed", "output-default-changed"], "has another default, or none")
        }
        ChangeKind::Reworded => {
            (["input-text-changed", "output-text-changed"], "is described in other words")
        }
    };
    let [input, output] = kinds;
    let kind = if direction == Direction::Input { input } else { output };
    let name = match found.pointer.split_last() {
        _ if matches!(found.kind, ChangeKind::Closed | ChangeKind::Opened) => String::new(),
        Some((_, name)) => quoted(&name) + " ",
        None => "the whole ".to_owned(),
    };
    (kind, format!("{name}{rest}"))
}
