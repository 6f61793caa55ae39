//! Collects the values of a tool's variables, and their sources.

use disk::store::VariableSource;
use host::Values;
use toolglot::call::Variable;
use toolglot::core::Text;
use toolglot::install_engine::env::{Collection, Next, Options, Reply};
use toolglot::install_manifest::{EnvVar, Manifest};

use crate::error::Error;
use crate::person::Person;

/// Returns the variables of a manifest, for callers that read values from a file.
pub fn variables(manifest: &Manifest<'_>) -> Vec<Variable> {
    let text = |text: &Option<Text<'_>>| text.as_ref().map(ToString::to_string);
    let variable = |one: &EnvVar<'_>| Variable {
        name: one.name.to_string(),
        secret: one.secret,
        required: one.is_required(),
        prompt: Some(one.prompt.to_string()),
        pattern: text(&one.validation_regex),
        default: text(&one.default),
        obtain_url: text(&one.obtain_url),
        reference: None,
    };
    manifest.env.iter().map(variable).collect()
}

/// Collects values from the first source that has one: the given values, the environment,
/// the defaults, the person.
pub(crate) fn collect(
    manifest: &Manifest<'_>,
    given: &Values,
    person: &mut dyn Person,
) -> Result<(Values, Vec<VariableSource>), Error> {
    let options = Options { interactive: person.can_answer(), ..Options::default() };
    let overrides = |name: &str| given.get(name).map(str::to_owned);
    let environment = |name: &str| std::env::var(name).ok();
    let mut collection = Collection::new(&manifest.env, &overrides, &environment, &options)?;
    let found = loop {
        match collection.next()? {
            Next::Done(values) => break values,
            Next::Ask(prompt) => {
                let answer = person.answer(&prompt);
                collection.reply(answer.as_deref().map_or(Reply::Closed, Reply::Text))?;
            }
        }
    };
    let mut values = Values::new();
    found.iter().for_each(|(name, value)| values.set(name, value.expose()));
    let sources = collection.sources().iter().map(|(name, source)| VariableSource {
        name: name.clone(),
        source: source.as_str().to_owned(),
    });
    Ok((values, sources.collect()))
}
