//! The person who decides.

use toolglot::call::Instructions;
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::env::Prompt;

/// The owner of an agent, or a program that answers for them.
pub trait Person {
    /// Shows the summary of a tool. Returns true if the person agrees to the installation.
    fn confirm_install(&mut self, summary: &Summary<'_>) -> bool;

    /// Returns true if the person can be asked for values.
    fn can_answer(&self) -> bool;

    /// Returns the person's answer, without the line break at its end, or `None` if the
    /// input is closed. A secret must not be shown while it is typed.
    fn answer(&mut self, prompt: &Prompt) -> Option<String>;

    /// Asks the person to follow these instructions. Returns true if they did.
    fn confirm_done(&mut self, what: &Instructions) -> bool;

    /// Reports the current step in a line.
    fn on_step(&mut self, line: &str);
}
