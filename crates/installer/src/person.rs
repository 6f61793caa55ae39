//! Whoever decides.

use toolglot::call::Instructions;
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::env::Prompt;

/// The owner of an agent, or who answers for them.
pub trait Person {
    /// Whether they agree to what installing a tool means.
    fn agrees(&mut self, summary: &Summary<'_>) -> bool;

    /// Whether they can be asked for values.
    fn can_answer(&self) -> bool;

    /// The value that they give, without the line break at its end. Nothing, when they are gone.
    /// A secret is not shown while it is typed.
    fn answers(&mut self, prompt: &Prompt) -> Option<String>;

    /// Whether they have done this.
    fn has_done(&mut self, what: &Instructions) -> bool;

    /// What is done now, in a line.
    fn hears(&mut self, line: &str);
}
