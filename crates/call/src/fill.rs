//! Fills arguments into templates, and leaves placeholders for variables.
//!
//! A template is parsed completely before a value is filled in, and values are never
//! parsed. A value that looks like a reference stays text.

use std::collections::BTreeMap;

use diagnostic::{Rule, quoted};
use json_text::{Kind, Node};
use manifest_core::Limits;
use manifest_core::descriptor::EnvVar;
use manifest_core::template::{self, TemplatePart};

use crate::http::is_path;
use crate::rules;
use crate::template::{PlaceholderPosition, Template};

/// The values for templates.
pub(crate) struct Filler<'f> {
    pub(crate) variables: BTreeMap<&'f str, &'f EnvVar<'f>>,
    pub(crate) arguments: Node<'f>,
    pub(crate) limits: &'f Limits,
}

/// A template with its arguments filled in.
pub(crate) struct FilledTemplate {
    pub(crate) text: Template,
    /// The paths of the arguments that were filled in.
    pub(crate) argument_paths: Vec<String>,
    /// The value at the start of the text, if the template starts with an argument.
    pub(crate) leading_value: Option<String>,
}

/// The rule that a template breaks, and a message.
pub(crate) type TemplateProblem = (&'static Rule, String);

impl Filler<'_> {
    pub(crate) fn fill(
        &self,
        template: &str,
        hole: PlaceholderPosition,
    ) -> Result<FilledTemplate, TemplateProblem> {
        let mut filled = FilledTemplate {
            text: Template::default(),
            argument_paths: Vec::new(),
            leading_value: None,
        };
        let (mut length, mut in_query) = (0, false);
        for (index, part) in self.parts(template)?.iter().enumerate() {
            let written = match *part {
                TemplatePart::Text(fixed) => fixed.to_owned(),
                TemplatePart::Env(name) => {
                    self.variable(name, hole)?;
                    filled.text.push_placeholder(name, hole);
                    continue;
                }
                TemplatePart::Input(path) => {
                    filled.argument_paths.push(path.to_owned());
                    let value = self.argument(path)?;
                    let nothing = in_query && value.is_empty();
                    let written = match hole.encode(&value) {
                        _ if nothing => value,
                        Ok(written) => written,
                        Err(why) => {
                            return Err((&rules::VALUE, format!("{} {why}", quoted(path))));
                        }
                    };
                    if index == 0 {
                        filled.leading_value = Some(written.clone());
                    }
                    written
                }
            };
            length += written.len();
            if length > self.limits.filled_bytes {
                let message = format!("it grows to more than {} bytes", self.limits.filled_bytes);
                return Err((&rules::SIZE, message));
            }
            in_query |= hole == PlaceholderPosition::Url && written.contains('?');
            filled.text.push_text(&written);
        }
        check_position(&filled.text, hole)?;
        Ok(filled)
    }

    fn parts<'t>(&self, template: &'t str) -> Result<Vec<TemplatePart<'t>>, TemplateProblem> {
        let Limits { template_bytes, template_references, .. } = *self.limits;
        if template.len() > template_bytes {
            let message = format!("the template is longer than {template_bytes} bytes");
            return Err((&rules::SIZE, message));
        }
        if template.matches("${").count() > template_references {
            let message = format!("there are more than {template_references} references");
            return Err((&rules::SIZE, message));
        }
        template::parse(template).map_err(|error| (&rules::TEMPLATE, error.to_string()))
    }

    fn argument(&self, path: &str) -> Result<String, TemplateProblem> {
        // A path contains names of members only, so it cannot lead into an array.
        let found = path.split('.').try_fold(self.arguments, Node::get);
        let Some(found) = found else {
            let message = format!("the arguments have no {}", quoted(path));
            return Err((&rules::MISSING_ARGUMENT, message));
        };
        match found.kind() {
            Kind::String => Ok(found.text().unwrap_or_default().into_owned()),
            Kind::Number | Kind::Bool => Ok(found.raw().to_owned()),
            kind => Err((&rules::VALUE, format!("{} is {}", quoted(path), kind.with_article()))),
        }
    }

    fn variable(&self, name: &str, hole: PlaceholderPosition) -> Result<(), TemplateProblem> {
        let Some(variable) = self.variables.get(name) else {
            let message = format!("the tool declares no variable {}", quoted(name));
            return Err((&rules::TEMPLATE, message));
        };
        if variable.is_secret() && hole != PlaceholderPosition::Header {
            let message = format!("{} is secret, and would be seen here", quoted(name));
            return Err((&rules::SECRET_PLACE, message));
        }
        Ok(())
    }
}

/// Checks that a filled template is allowed in its position.
fn check_position(text: &Template, hole: PlaceholderPosition) -> Result<(), TemplateProblem> {
    if hole == PlaceholderPosition::Url && !is_path(&text.to_string()) {
        return Err((&rules::VALUE, "the path does not stay on its host".to_owned()));
    }
    text.check(hole).map_err(|why| (&rules::VALUE, why.to_owned()))
}
