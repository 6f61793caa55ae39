//! Templates of smoke tests, in which `${NAME}` refers to the value of a variable.

use crate::{EnvVar, rules};
use call::{PlaceholderPosition, Template};
use manifest_core::template::{self, TemplatePart};
use manifest_core::{Diagnostic, Limits, Pointer, quoted};

/// The variables that templates may refer to.
pub(super) struct Variables<'v> {
    pub(super) env: &'v [EnvVar<'v>],
    pub(super) limits: &'v Limits,
}

impl Variables<'_> {
    /// Parses a template into a text with holes for its variables. Fails if a variable is
    /// not declared, or if a URL contains a secret, or a variable in its scheme.
    pub(super) fn parse_template(
        &self,
        at: &Pointer,
        template: &str,
        place: PlaceholderPosition,
    ) -> Result<Template, Diagnostic> {
        let in_url = place == PlaceholderPosition::Url;
        let (mut text, mut before) = (Template::default(), String::new());
        for part in self.parse_parts(at, template)? {
            let TemplatePart::Env(name) = part else {
                let fixed = if let TemplatePart::Text(fixed) = part { fixed } else { "" };
                before.push_str(fixed);
                text.push_text(fixed);
                continue;
            };
            let variable = self.find_variable(at, name)?;
            if variable.secret && in_url {
                let message = format!("{} is secret, and would be seen here", quoted(name));
                return Err(rules::SECRET_PLACE.at_pointer(at.clone(), message));
            }
            let hole = match before.split_once("://") {
                _ if !in_url => place,
                Some((_, rest)) if rest.contains(['/', '?']) => PlaceholderPosition::Url,
                Some(_) => PlaceholderPosition::Host,
                None => {
                    let message = format!("{} cannot be the scheme of a URL", quoted(name));
                    return Err(call::rules::VALUE.at_pointer(at.clone(), message));
                }
            };
            text.push_placeholder(name, hole);
        }
        match text.check(place) {
            Ok(()) => Ok(text),
            Err(why) => Err(call::rules::VALUE.at_pointer(at.clone(), why)),
        }
    }

    /// Fills a template. The inner error is the name of a variable without a value.
    pub(super) fn fill<'v>(
        &self,
        at: &Pointer,
        template: &str,
        value: &dyn Fn(&str) -> Option<&'v str>,
    ) -> Result<Result<String, String>, Diagnostic> {
        let mut text = String::new();
        for part in self.parse_parts(at, template)? {
            match part {
                TemplatePart::Text(fixed) => text.push_str(fixed),
                TemplatePart::Env(name) => match value(&self.find_variable(at, name)?.name) {
                    Some(value) => text.push_str(value),
                    None => return Ok(Err(name.to_owned())),
                },
                TemplatePart::Input(_) => {}
            }
            if text.len() > self.limits.filled_bytes {
                let message = format!("it grows to more than {} bytes", self.limits.filled_bytes);
                return Err(call::rules::SIZE.at_pointer(at.clone(), message));
            }
        }
        Ok(Ok(text))
    }

    fn parse_parts<'t>(
        &self,
        at: &Pointer,
        template: &'t str,
    ) -> Result<Vec<TemplatePart<'t>>, Diagnostic> {
        let Limits { template_bytes, template_references, .. } = *self.limits;
        if template.len() > template_bytes {
            let message = format!("the template is longer than {template_bytes} bytes");
            return Err(call::rules::SIZE.at_pointer(at.clone(), message));
        }
        if template.matches("${").count() > template_references {
            let message = format!("there are more than {template_references} references");
            return Err(call::rules::SIZE.at_pointer(at.clone(), message));
        }
        template::parse_smoke(template)
            .map_err(|error| rules::TEMPLATE.at_pointer(at.clone(), error.to_string()))
    }

    fn find_variable(&self, at: &Pointer, name: &str) -> Result<&EnvVar<'_>, Diagnostic> {
        self.env.iter().find(|variable| variable.name == name).ok_or_else(|| {
            let message = format!("the manifest declares no variable {}", quoted(name));
            rules::TEMPLATE_ENV.at_pointer(at.clone(), message)
        })
    }
}
