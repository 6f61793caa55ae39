//! Arguments put into templates; variables left as holes.
//!
//! A template is read in full before anything is put in, and what is put in is never read
//! again: a value that looks like a reference stays text.

use diagnostic::{Diagnostic, Pointer, quoted};
use json_text::{Kind, Node};
use manifest_core::Limits;
use manifest_core::descriptor::EnvVar;
use manifest_core::template::{self, Part};

use crate::rules;
use crate::text::{Hole, Template};

/// Where values come from.
pub(crate) struct Filler<'f> {
    pub(crate) variables: &'f [EnvVar<'f>],
    pub(crate) arguments: Node<'f>,
    pub(crate) limits: &'f Limits,
}

/// A template with its arguments put in.
pub(crate) struct Filled {
    pub(crate) text: Template,
    /// The paths of the arguments that were put in.
    pub(crate) used: Vec<String>,
    /// The value that the text begins with, if it begins with one.
    pub(crate) leading: Option<String>,
}

impl Filler<'_> {
    pub(crate) fn fill(
        &self,
        at: &Pointer,
        template: &str,
        hole: Hole,
    ) -> Result<Filled, Diagnostic> {
        let parts = self.parts(at, template)?;
        let mut filled = Filled { text: Template::default(), used: Vec::new(), leading: None };
        let mut length = 0;
        for (index, part) in parts.iter().enumerate() {
            let written = match *part {
                Part::Text(fixed) => fixed.to_owned(),
                Part::Env(name) => {
                    self.variable(at, name, hole)?;
                    filled.text.push_hole(name, hole);
                    continue;
                }
                Part::Input(path) => {
                    filled.used.push(path.to_owned());
                    let value = self.argument(at, path)?;
                    let written = hole.written(&value).map_err(|why| {
                        rules::VALUE.at_pointer(at.clone(), format!("{} {why}", quoted(path)))
                    })?;
                    if index == 0 {
                        filled.leading = Some(written.clone());
                    }
                    written
                }
            };
            length += written.len();
            if length > self.limits.filled_bytes {
                let message = format!("it grows to more than {} bytes", self.limits.filled_bytes);
                return Err(rules::SIZE.at_pointer(at.clone(), message));
            }
            filled.text.push_text(&written);
        }
        Ok(filled)
    }

    fn parts<'t>(&self, at: &Pointer, template: &'t str) -> Result<Vec<Part<'t>>, Diagnostic> {
        let long = |message: String| rules::SIZE.at_pointer(at.clone(), message);
        let Limits { template_bytes, template_references, .. } = *self.limits;
        if template.len() > template_bytes {
            return Err(long(format!("the template is longer than {template_bytes} bytes")));
        }
        if template.matches("${").count() > template_references {
            return Err(long(format!("there are more than {template_references} references")));
        }
        template::parse(template)
            .map_err(|error| rules::TEMPLATE.at_pointer(at.clone(), error.to_string()))
    }

    fn argument(&self, at: &Pointer, path: &str) -> Result<String, Diagnostic> {
        // Names of members only: an array has no names.
        let found = path.split('.').try_fold(self.arguments, Node::get);
        let Some(found) = found else {
            let message = format!("the arguments have no {}", quoted(path));
            return Err(rules::MISSING_ARGUMENT.at_pointer(at.clone(), message));
        };
        match found.kind() {
            Kind::String => Ok(found.text().unwrap_or_default().into_owned()),
            Kind::Number | Kind::Bool => Ok(found.raw().to_owned()),
            kind => {
                let message = format!("{} is {}", quoted(path), kind.described());
                Err(rules::VALUE.at_pointer(at.clone(), message))
            }
        }
    }

    fn variable(&self, at: &Pointer, name: &str, hole: Hole) -> Result<(), Diagnostic> {
        let known = self.variables.iter().find(|variable| *variable.name == name);
        let Some(variable) = known else {
            let message = format!("the tool declares no variable {}", quoted(name));
            return Err(rules::TEMPLATE.at_pointer(at.clone(), message));
        };
        if variable.is_secret() && hole != Hole::Header {
            let message = format!("{} is secret, and would be seen here", quoted(name));
            return Err(rules::SECRET_PLACE.at_pointer(at.clone(), message));
        }
        Ok(())
    }
}
