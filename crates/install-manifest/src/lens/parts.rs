//! The smaller parts of a manifest, from those of a descriptor.

use manifest_core::descriptor::{self, Acquisition, OutputFormat};
use manifest_core::json::Raw;
use manifest_core::{Keyed, Text};

use super::fit;
use super::lower::WrittenInstall;
use crate::grammar;
use crate::manifest::{Author, EnvVar, Example, Install, Output, Scope};
use crate::words::{Layout, Verb, Version};

pub(super) fn lower_install<'a>(
    acquisition: Option<&'a Acquisition<'_>>,
    nowhere: String,
    wanted: Option<Version>,
) -> WrittenInstall<'a> {
    let older = wanted.is_some_and(|wanted| wanted < Version::V0_4);
    WrittenInstall::Typed(match acquisition {
        Some(Acquisition::Pip { package, version_spec }) => {
            Install::Pip { package: Text::Borrowed(package), version_spec: borrow(version_spec) }
        }
        Some(Acquisition::Npm { package, version_spec }) => {
            Install::Npm { package: Text::Borrowed(package), version_spec: borrow(version_spec) }
        }
        Some(Acquisition::Git { url, reference, subpath, layout }) => Install::Git {
            url: Text::Borrowed(url),
            reference: Text::Borrowed(reference),
            subpath: borrow(subpath),
            layout: layout.as_deref().and_then(Layout::from_word),
        },
        Some(Acquisition::Container { image }) => {
            Install::Container { image: Text::Borrowed(image) }
        }
        Some(Acquisition::Download { url, sha256 }) => {
            Install::Url { url: Text::Borrowed(url), sha256: Text::Borrowed(sha256) }
        }
        Some(Acquisition::Preinstalled { locator }) if !older => {
            return WrittenInstall::Preinstalled {
                method: "preinstalled",
                locator: locator.clone(),
            };
        }
        // Nothing is installed by accident.
        Some(Acquisition::Preinstalled { .. }) | None => Install::Git {
            url: Text::Owned(nowhere),
            reference: Text::Borrowed("unknown"),
            subpath: None,
            layout: None,
        },
    })
}

/// Variables whose names this format takes. A value that nothing is known of is
/// a secret.
pub(super) fn lower_env<'a>(env: &'a Keyed<'_, descriptor::EnvVar<'_>>) -> Vec<EnvVar<'a>> {
    let variables = env.iter().filter(|(name, _)| grammar::ENV_NAME.matches(name)).take(32);
    variables
        .map(|(name, variable)| {
            let descriptor::EnvVar {
                prompt,
                secret,
                required,
                pattern,
                default,
                obtain_url,
                // No home here.
                reference: _,
            } = variable;
            let prompt = prompt.as_deref().and_then(|prompt| fit::text(prompt, 800));
            let secret = secret.unwrap_or(true);
            EnvVar {
                name: Text::Borrowed(name),
                prompt: prompt.unwrap_or_else(|| Text::Owned(format!("The value of {name}."))),
                secret,
                required: *required,
                validation_regex: borrow(pattern),
                default: borrow(default).filter(|_| !secret),
                obtain_url: borrow(obtain_url),
            }
        })
        .collect()
}

pub(super) fn lower_scopes<'a>(scopes: &'a Keyed<'_, descriptor::Scope<'_>>) -> Vec<Scope<'a>> {
    let scopes = scopes.iter().filter_map(|(resource, scope)| {
        let descriptor::Scope { actions, rationale, provider_scope, used: _ } = scope;
        let verbs: Vec<Verb> = actions.iter().filter_map(|verb| Verb::from_word(verb)).collect();
        let rationale = rationale.as_deref().and_then(|rationale| fit::text(rationale, 280));
        (!verbs.is_empty()).then(|| Scope {
            resource: Text::Borrowed(resource),
            actions: verbs,
            rationale: rationale.unwrap_or(Text::Borrowed("The source does not say.")),
            provider_scope: borrow(provider_scope),
        })
    });
    scopes.take(32).collect()
}

pub(super) fn lower_author<'a>(publisher: &'a descriptor::Publisher<'_>) -> Option<Author<'a>> {
    let descriptor::Publisher { id: _, name, url, email } = publisher;
    let author = Author { name: borrow(name), email: borrow(email), url: borrow(url) };
    (author != Author::default()).then_some(author)
}

/// A schema that is an object, or says the same as one.
pub(super) fn lower_schema<'a>(schema: Option<&Raw<'a>>) -> Option<Raw<'a>> {
    Some(match schema?.as_str() {
        "true" => Raw::constant("{}"),
        "false" => Raw::constant(r#"{"not":{}}"#),
        text if text.starts_with('{') => schema?.clone(),
        _ => return None,
    })
}

pub(super) fn lower_output<'a>(
    schema: Option<&Raw<'a>>,
    format: Option<OutputFormat>,
) -> Option<Output<'a>> {
    if schema.is_none() && format.is_none() {
        return None;
    }
    Some(Output { format: format.unwrap_or(OutputFormat::Json), schema: lower_schema(schema) })
}

pub(super) fn lower_examples<'a>(examples: &'a [descriptor::Example<'_>]) -> Vec<Example<'a>> {
    let examples = examples.iter().take(4).map(|example| {
        let descriptor::Example { description, input, output } = example;
        let description = description.as_deref().and_then(|text| fit::text(text, 280));
        Example {
            description: description.unwrap_or_default(),
            input: input.clone(),
            output: output.clone(),
        }
    });
    examples.collect()
}

pub(super) fn object<'a>(value: Option<&Raw<'a>>) -> Option<Raw<'a>> {
    value.filter(|value| value.as_str().starts_with('{')).cloned()
}

#[allow(clippy::ref_option)] // the descriptor's fields, as they are
pub(super) fn borrow<'a>(text: &'a Option<Text<'_>>) -> Option<Text<'a>> {
    text.as_deref().map(Text::Borrowed)
}

pub(super) fn borrow_all<'a>(texts: &'a [Text<'_>]) -> Vec<Text<'a>> {
    texts.iter().map(|text| Text::Borrowed(text.as_ref())).collect()
}
