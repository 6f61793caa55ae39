//! Documents drawn from the table of a format.

use manifest_core::table::{Member, Object, Shape};

use crate::rng::Rng;
use crate::tree::{Tree, member};
use crate::value;

/// Strings by the name of the member that they stand in, itself or as an element; for a map,
/// its names. A text for which there are none is any text.
pub type Samples = &'static [(&'static str, &'static [&'static str])];

/// An object as a table has it in a version: what must be there, and each other member once
/// in two. What must hold between members is for the format to see to.
///
/// ```
/// use manifest_core::table::{Member, Object, Shape, may, must};
/// use testkit::{Rng, draw};
///
/// static TOOL: [Member; 2] = [must("id", &Shape::SOME_TEXT), may("on", &Shape::Bool)];
/// let tree = draw(&Object::closed(&TOOL), 0, &[("id", &["a", "b"])], &mut Rng::new(1), 2);
/// assert!(["a", "b"].map(Into::into).contains(tree.at("/id").unwrap()));
/// ```
pub fn draw(object: &Object, version: u8, samples: Samples, rng: &mut Rng, size: usize) -> Tree {
    let mut drawing = Drawing { version, samples, rng, size };
    drawing.object(object)
}

struct Drawing<'r> {
    version: u8,
    samples: Samples,
    rng: &'r mut Rng,
    size: usize,
}

impl Drawing<'_> {
    // Tables end: no object is inside itself.
    fn object(&mut self, object: &Object) -> Tree {
        self.members(object).into()
    }

    fn members(&mut self, object: &Object) -> Vec<(String, Tree)> {
        let version = self.version;
        let there = object.members.iter().filter(|member| member.is_in(version));
        let mut members = Vec::new();
        for Member { name, shape, required, .. } in there {
            if *required || self.rng.once_in(2) {
                members.push(member(name, self.shape(name, shape)));
            }
        }
        self.rng.shuffle(&mut members);
        members
    }

    fn shape(&mut self, name: &str, shape: &Shape) -> Tree {
        match shape {
            Shape::Any => value::value(self.rng, self.size),
            Shape::Opaque => vec![member("x", value::value(self.rng, self.size))].into(),
            Shape::Bool => Tree::plain(self.rng.word(&["true", "false"])),
            Shape::Integer { min, max } | Shape::Number { min, max } => match (min, max) {
                (Some(bound), _) | (None, Some(bound)) => Tree::plain(&bound.to_string()),
                (None, None) => Tree::plain(self.rng.word(&["0", "7", "-1", "100"])),
            },
            Shape::Text(_) => self.text(name).into(),
            Shape::Word(words) => self.rng.word(words).into(),
            Shape::List { of, min, max } => {
                let most = max.unwrap_or(usize::MAX).min(min + self.size);
                let count = min + self.rng.below(most - min + 1);
                (0..count).map(|_| self.shape(name, of)).collect::<Vec<_>>().into()
            }
            Shape::Map(of) => {
                let mut members: Vec<(String, Tree)> = Vec::new();
                for _ in 0..self.rng.below(self.size + 1) {
                    let name = self.text(name);
                    if !value::has(&members, &name) {
                        let value = self.shape("", of);
                        members.push((name, value));
                    }
                }
                members.into()
            }
            Shape::Object(object) => self.object(object),
            Shape::Union { tag, branches } => {
                let version = self.version;
                let branches: Vec<_> = branches.iter().filter(|one| one.is_in(version)).collect();
                let Some(branch) = branches.get(self.rng.below(branches.len())) else {
                    return Tree::Object(Vec::new());
                };
                let mut members = self.members(branch.object);
                members.push(member(tag, branch.word));
                members.into()
            }
            Shape::OneOf(shapes) => match shapes.get(self.rng.below(shapes.len())) {
                Some(shape) => self.shape(name, shape),
                None => Tree::plain("null"),
            },
        }
    }

    fn text(&mut self, name: &str) -> String {
        match self.samples.iter().find(|(known, _)| *known == name) {
            Some((_, samples)) => self.rng.word(samples).to_owned(),
            None => value::text(self.rng),
        }
    }
}
