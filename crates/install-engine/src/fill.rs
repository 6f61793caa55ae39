//! Putting values into templates, as each place needs them.
//!
//! A template is read in full before anything is put in, and what is put in is
//! never read again: a value that looks like a reference stays text.

use install_manifest::EnvVar;
use install_manifest::template::{self, Part, TemplateError};
use manifest_core::json::{Kind, Node};
use manifest_core::{Diagnostic, Limits, Pointer, quoted};

use crate::http;
use crate::plan::rules;
use crate::values::{Sensitive, Values};

/// Where a template is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// One argument of a program.
    Argument,
    /// The path of a request, and its query.
    Path,
    /// A whole URL.
    Url,
    /// The value of a header.
    Header,
    /// A body, or a text to compare with.
    Text,
}

/// Where values come from.
pub(crate) struct Filler<'f> {
    pub(crate) env: &'f [EnvVar<'f>],
    pub(crate) values: &'f Values,
    pub(crate) input: Option<Node<'f>>,
    pub(crate) limits: &'f Limits,
}

/// A template with its values.
pub(crate) struct Filled<'t> {
    pub(crate) text: Sensitive,
    /// The paths of the input that were put in.
    pub(crate) inputs: Vec<&'t str>,
    /// Whether the text begins with a value.
    pub(crate) leads: bool,
}

impl Filler<'_> {
    /// Fills a template of an action.
    pub(crate) fn action<'t>(
        &self,
        at: &Pointer,
        template: &'t str,
        place: Place,
    ) -> Result<Filled<'t>, Diagnostic> {
        self.fill(at, template, place, template::parse)
    }

    /// Fills a template of a smoke test.
    pub(crate) fn smoke<'t>(
        &self,
        at: &Pointer,
        template: &'t str,
        place: Place,
    ) -> Result<Filled<'t>, Diagnostic> {
        self.fill(at, template, place, template::parse_smoke)
    }

    fn fill<'t>(
        &self,
        at: &Pointer,
        template: &'t str,
        place: Place,
        parse: fn(&'t str) -> Result<Vec<Part<'t>>, TemplateError>,
    ) -> Result<Filled<'t>, Diagnostic> {
        let long = |message: String| rules::TEMPLATE_SIZE.at_pointer(at.clone(), message);
        let Limits { template_bytes, template_references, filled_bytes, .. } = *self.limits;
        if template.len() > template_bytes {
            return Err(long(format!("the template is longer than {template_bytes} bytes")));
        }
        if template.matches("${").count() > template_references {
            return Err(long(format!("there are more than {template_references} references")));
        }
        let parts = parse(template).map_err(|error| {
            install_manifest::rules::TEMPLATE.at_pointer(at.clone(), error.to_string())
        })?;
        let mut text = Sensitive::public("");
        let mut inputs = Vec::new();
        for part in &parts {
            let (value, secret) = match *part {
                Part::Text(fixed) => (fixed.to_owned(), false),
                Part::Input(path) => {
                    inputs.push(path);
                    let value = self.input_value(at, path)?;
                    (placed(at, place, text.expose(), path, &value)?, false)
                }
                Part::Env(name) => {
                    let (value, secret) = self.env_value(at, name, place)?;
                    (placed(at, place, text.expose(), name, value)?, secret)
                }
            };
            if text.expose().len() + value.len() > filled_bytes {
                return Err(long(format!("it grows to more than {filled_bytes} bytes")));
            }
            text.push(&value, secret);
        }
        fits(at, place, text.expose(), parts.len() > 1)?;
        let leads = !matches!(parts.first(), None | Some(Part::Text(_)));
        Ok(Filled { text, inputs, leads })
    }

    fn input_value(&self, at: &Pointer, path: &str) -> Result<String, Diagnostic> {
        // Names of members only: an array has no names.
        let found = self.input.and_then(|input| path.split('.').try_fold(input, Node::get));
        let Some(found) = found else {
            let message = format!("the input has no {}", quoted(path));
            return Err(rules::MISSING_VALUE.at_pointer(at.clone(), message));
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

    fn env_value(
        &self,
        at: &Pointer,
        name: &str,
        place: Place,
    ) -> Result<(&str, bool), Diagnostic> {
        let Some(variable) = self.env.iter().find(|variable| variable.name == name) else {
            let message = format!("the manifest declares no variable {}", quoted(name));
            return Err(install_manifest::rules::TEMPLATE_ENV.at_pointer(at.clone(), message));
        };
        if variable.secret && matches!(place, Place::Argument | Place::Path | Place::Url) {
            let message = format!("{} is secret, and would be seen here", quoted(name));
            return Err(install_manifest::rules::SECRET_PLACE.at_pointer(at.clone(), message));
        }
        let Some(value) = self.values.get(name) else {
            let message = format!("{} has no value", quoted(name));
            return Err(rules::MISSING_VALUE.at_pointer(at.clone(), message));
        };
        Ok((value.expose(), variable.secret || value.is_secret()))
    }
}

/// A value as it is written at its place. Messages name it, and never show it.
fn placed(
    at: &Pointer,
    place: Place,
    before: &str,
    name: &str,
    value: &str,
) -> Result<String, Diagnostic> {
    if !matches!(place, Place::Path | Place::Url) {
        return Ok(value.to_owned());
    }
    let refuse =
        |what: &str| Err(rules::VALUE.at_pointer(at.clone(), format!("{} {what}", quoted(name))));
    let in_query = before.contains('?');
    if value.is_empty() && !in_query {
        return refuse("is empty, and would leave a segment of the path out");
    }
    let encoded = http::percent_encode(value);
    if place == Place::Url {
        match before.split_once("://") {
            None => return refuse("cannot be the scheme of a URL"),
            Some((_, rest)) if !rest.contains(['/', '?']) && encoded != value => {
                return refuse("cannot be a part of a host name");
            }
            Some(_) => {}
        }
    }
    Ok(encoded)
}

/// Whether a filled template can stand at its place. What an author wrote out in
/// full has been checked with the manifest, and is checked here again.
fn fits(at: &Pointer, place: Place, text: &str, joined: bool) -> Result<(), Diagnostic> {
    let refuse = |message: &str| Err(rules::VALUE.at_pointer(at.clone(), message));
    match place {
        Place::Argument if text.contains('\0') => refuse("an argument must not hold a NUL"),
        Place::Header if !http::is_header_value(text) => {
            refuse("a header takes printable ASCII without blanks at its ends")
        }
        Place::Path if !http::is_path(text) => {
            let message = format!("{} is not a path", quoted(text));
            Err(install_manifest::rules::HTTP_PATH.at_pointer(at.clone(), message))
        }
        Place::Path | Place::Url => {
            let path = text.split(['?', '#']).next().unwrap_or_default();
            let path = path.split_once("://").map_or(path, |(_, rest)| rest);
            // Encoding cannot save these: they mean the same when encoded.
            if path.split('/').any(http::is_dot_segment) && (joined || place == Place::Path) {
                return refuse("a segment of the path is \".\" or \"..\"");
            }
            Ok(())
        }
        Place::Argument | Place::Header | Place::Text => Ok(()),
    }
}
