//! Generates documents from the table of a format.

use manifest_core::table::{Condition, Object, Reporter, Shape, TextShape};

use crate::rng::Rng;
use crate::tree::{Tree, member};
use crate::value;

/// Values that a table does not contain. A value is named by the end of its path, `name` or
/// `tool/name`, or by the whole path, `/name`. The path of a value in a branch contains the
/// word of the branch, `install/pip/package`. The path of an element contains no index.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'h> {
    /// Values to choose from. The first row that fits is used. Texts and words of branches
    /// are written as they are; other values are JSON. A row for a list contains its
    /// elements: `command/0` is for the first one. A row for a map contains its names:
    /// `env/HOME` has the values for one of them, and `env/*` the values for all others. A
    /// value without samples is anything that the table accepts.
    pub samples: &'h [Sample<'h>],
    /// Members that are always present. The format removes members that do not fit.
    pub always: &'h [&'h str],
}

/// The end of a path, and the values for it.
pub type Sample<'h> = (&'h str, &'h [&'h str]);

/// Generates an object of a table in a version: required members, and each other member
/// with even odds. Lists of objects have up to `size` elements, and schemas up to `size`
/// properties. The format must fulfil the conditions that its table cannot express.
///
/// ```
/// use manifest_core::table::{Member, Object, Shape, optional, required};
/// use toolglot_testkit::{Hints, Rng, generate_object};
///
/// static TOOL: [Member; 2] = [required("id", &Shape::NON_EMPTY_TEXT), optional("on", &Shape::Bool)];
/// let hints = Hints { samples: &[("id", &["a", "b"])], always: &["on"] };
/// let tree = generate_object(&Object::closed(&TOOL), 0, hints, &mut Rng::new(1), 2);
/// assert!(["a", "b"].map(Into::into).contains(tree.at("/id").unwrap()));
/// assert!(tree.at("/on").is_some());
/// ```
pub fn generate_object(
    object: &Object,
    version: u8,
    hints: Hints<'_>,
    rng: &mut Rng,
    size: usize,
) -> Tree {
    let mut drawing = Generator { version, hints, rng, size };
    drawing.members("", object).into()
}

struct Generator<'r> {
    version: u8,
    hints: Hints<'r>,
    rng: &'r mut Rng,
    size: usize,
}

// This recursion ends, because no object of a table contains itself.
impl<'r> Generator<'r> {
    fn members(&mut self, path: &str, object: &Object) -> Vec<(String, Tree)> {
        let version = self.version;
        let mut members = Vec::new();
        for row in object.members {
            if !row.is_in(version) {
                continue;
            }
            let path = format!("{path}/{}", row.name);
            let always = self.hints.always.iter().any(|end| matches_hint(&path, end));
            if row.required || always || self.rng.once_in(2) {
                members.push(member(row.name, self.shape(&path, row.shape)));
            }
        }
        self.fulfil_conditions(path, object, &mut members);
        // No check warns about unknown members of a free object.
        if object.extensible && self.rng.once_in(2) {
            members.push(member("x-free", value::value(self.rng, self.size)));
        }
        self.rng.shuffle(&mut members);
        members
    }

    /// Fulfils the conditions that a table can express.
    fn fulfil_conditions(
        &mut self,
        path: &str,
        object: &Object,
        members: &mut Vec<(String, Tree)>,
    ) {
        for need in object.conditions {
            if need.since > self.version {
                continue;
            }
            let missing = match need.condition {
                Condition::ExactlyOne(names) => match names.map(|name| has(members, name)) {
                    [true, true] => {
                        let less = self.rng.word(&names);
                        members.retain(|(name, _)| name != less);
                        continue;
                    }
                    [false, false] => self.rng.word(&names),
                    _ => continue,
                },
                Condition::AtLeastOne(names) if names.iter().any(|name| has(members, name)) => {
                    continue;
                }
                Condition::AtLeastOne(names) => self.rng.word(names),
                Condition::When { member: when, value, required } => {
                    if !members.contains(&member(when, value)) || has(members, required) {
                        continue;
                    }
                    required
                }
                Condition::Custom(_) => continue,
            };
            let mut rows = object.members.iter().filter(|row| row.is_in(self.version));
            if let Some(row) = rows.find(|row| row.name == missing) {
                let value = self.shape(&format!("{path}/{}", row.name), row.shape);
                members.push(member(row.name, value));
            }
        }
    }

    fn shape(&mut self, path: &str, shape: &Shape) -> Tree {
        let sample = self.sample(path);
        match shape {
            Shape::Text(text) => match sample {
                Some(sample) => sample.into(),
                None => self.text(text).into(),
            },
            Shape::Enum(words) => match sample {
                Some(sample) => sample.into(),
                None => self.rng.word(words).into(),
            },
            Shape::List { of, min, max } => self.list(path, of, *min, *max),
            Shape::Map(of) => self.map(path, of),
            Shape::Object(object) => self.members(path, object).into(),
            Shape::Union { tag, branches } => {
                let version = self.version;
                let branches: Vec<_> = branches.iter().filter(|one| one.is_in(version)).collect();
                let any = branches.get(self.rng.below(branches.len()));
                let chosen = branches.iter().find(|one| sample.as_deref() == Some(one.tag_value));
                let Some(branch) = chosen.or(any) else { return Tree::Object(Vec::new()) };
                let mut members =
                    self.members(&format!("{path}/{}", branch.tag_value), branch.object);
                members.push(member(tag, branch.tag_value));
                members.into()
            }
            // The first is the usual one.
            Shape::OneOf([usual, ..]) if self.rng.once_in(2) => self.shape(path, usual),
            Shape::OneOf(shapes) => match shapes.get(self.rng.below(shapes.len())) {
                Some(shape) => self.shape(path, shape),
                None => Tree::plain("null"),
            },
            Shape::Bool => Tree::plain(self.rng.word(&["true", "false"])),
            _ => match sample.and_then(|sample| Tree::parse(&sample)) {
                Some(tree) => tree,
                None => self.plain(shape),
            },
        }
    }

    /// Generates a value that is not composed of other shapes.
    fn plain(&mut self, shape: &Shape) -> Tree {
        match shape {
            Shape::Integer { min, max } => Tree::Plain(self.number(*min, *max, false)),
            Shape::Number { min, max } => Tree::Plain(self.number(*min, *max, true)),
            // Most objects of any form are JSON Schemas.
            Shape::Opaque => match self.rng.below(8) {
                0 => Tree::Object(Vec::new()),
                1 => value::empty_object_schema(),
                2 => vec![member("x", value::value(self.rng, self.size))].into(),
                _ => value::schema(self.rng, self.size),
            },
            _ => value::value(self.rng, self.size),
        }
    }

    fn list(&mut self, path: &str, of: &Shape, min: usize, max: Option<usize>) -> Tree {
        let count = self.count(of, min).min(max.unwrap_or(usize::MAX));
        let first = format!("{path}/0");
        let first = if self.row(&first).is_some() { &first } else { path };
        let mut elements = Vec::with_capacity(count);
        for index in 0..count {
            elements.push(self.shape(if index == 0 { first } else { path }, of));
        }
        elements.into()
    }

    fn map(&mut self, path: &str, of: &Shape) -> Tree {
        let mut members: Vec<(String, Tree)> = Vec::new();
        for _ in 0..self.count(of, 0) {
            let name = self.sample(path).unwrap_or_else(|| value::name(self.rng));
            if !value::has_member(&members, &name) {
                let own = format!("{path}/{name}");
                let any = format!("{path}/*");
                let value = self.shape(if self.row(&own).is_some() { &own } else { &any }, of);
                members.push((name, value));
            }
        }
        members.into()
    }

    /// Returns the number of elements. Of objects, there are up to `size`.
    fn count(&mut self, of: &Shape, min: usize) -> usize {
        let large = matches!(of, Shape::Object(_) | Shape::Union { .. });
        let (most, none) = if large { (self.size, 16) } else { (3, 4) };
        if self.rng.once_in(none) { min } else { min.max(1) + self.rng.below(most) }
    }

    fn sample(&mut self, path: &str) -> Option<String> {
        let (_, samples) = self.row(path)?;
        Some(self.rng.word(samples).to_owned())
    }

    fn row(&self, path: &str) -> Option<Sample<'r>> {
        self.hints.samples.iter().copied().find(|(end, _)| matches_hint(path, end))
    }

    /// Generates a text, sometimes of exactly the maximum length.
    fn text(&mut self, text: &TextShape) -> String {
        let drawn = match (self.rng.below(12), text.max) {
            (0, Some(max)) => self.rng.word(&["x", "é", "\u{1f600}"]).repeat(max),
            (0 | 1, _) => value::long_text(self.rng),
            (2..=4, _) => value::words(self.rng),
            _ => value::text(self.rng),
        };
        let drawn: String = drawn.chars().take(text.max.unwrap_or(usize::MAX)).collect();
        // If a format checks a text itself and requires some text, blank text is invalid
        // too.
        let blank = matches!(text.reporter, Reporter::Format) && drawn.trim().is_empty();
        if text.min > 0 && (drawn.is_empty() || blank) { "x".repeat(text.min) } else { drawn }
    }

    /// Generates a number between the bounds, often one of them or zero.
    fn number(&mut self, min: Option<i64>, max: Option<i64>, broken: bool) -> String {
        let low = min.unwrap_or(-5);
        let high = max.unwrap_or(low.saturating_add(600));
        // An empty range has one number: its beginning.
        let some = usize::try_from(high.saturating_sub(low)).unwrap_or(0);
        let some = i64::try_from(self.rng.below(some + 1)).unwrap_or(0);
        let some = low.saturating_add(some);
        match self.rng.below(7) {
            0 => low.to_string(),
            1 => high.to_string(),
            2 if low <= 0 && high >= 0 => "0".to_owned(),
            3 => format!("{some}.0"),
            4 => format!("{some}e0"),
            5 if broken && some >= 0 && some < high => format!("{some}.25"),
            _ => some.to_string(),
        }
    }
}

fn has(members: &[(String, Tree)], name: &str) -> bool {
    members.iter().any(|(found, _)| found == name)
}

/// Returns true if a hint names the end of a path or the whole path.
fn matches_hint(path: &str, end: &str) -> bool {
    match path.strip_suffix(end) {
        Some(before) => before.is_empty() || before.ends_with('/'),
        None => false,
    }
}
