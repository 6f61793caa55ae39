//! The person at the terminal, for verbs that install, verify or revoke.

use installer::{Error, Person};
use toolglot::call::Instructions;
use toolglot::core::printable;
use toolglot::install_engine::consent::Summary;
use toolglot::install_engine::env::Prompt;

use crate::files::installable::Installable;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::person;

/// The person who runs the program.
pub(crate) struct TerminalPerson<'t> {
    pub(crate) terminal: &'t Terminal,
    /// True to agree to everything without being asked.
    pub(crate) yes: bool,
}

impl TerminalPerson<'_> {
    /// Asks a question. With `--yes`, returns true without asking. If there is no terminal,
    /// prints `otherwise` and returns false.
    fn confirm(&self, question: &str, otherwise: &str) -> bool {
        if self.yes {
            return true;
        }
        if !person::is_present() {
            self.terminal.error(otherwise);
            return false;
        }
        person::confirm(question, self.terminal)
    }
}

impl Person for TerminalPerson<'_> {
    fn confirm_install(&mut self, summary: &Summary<'_>) -> bool {
        self.terminal.status(&format!("{}\n", summary.text()));
        self.confirm("Install it?", "installing needs consent: read this, and agree with --yes")
    }

    fn can_answer(&self) -> bool {
        person::is_present()
    }

    fn answer(&mut self, prompt: &Prompt) -> Option<String> {
        if let Some(url) = &prompt.obtain_url {
            self.terminal.status(&format!("get one at {}\n", printable(url, 512)));
        }
        let shown = prompt.to_string();
        if prompt.secret {
            return rpassword::prompt_password(shown).ok();
        }
        person::ask(&shown, self.terminal)
    }

    fn confirm_done(&mut self, what: &Instructions) -> bool {
        for text in [&what.text, &what.url].into_iter().flatten() {
            self.terminal.status(&format!("by hand: {}\n", printable(text, 4096)));
        }
        self.confirm("Is that done?", "do this by hand, and say that it is done with --yes")
    }

    fn on_step(&mut self, line: &str) {
        self.terminal.status(&format!("now: {line}\n"));
    }
}

/// Shows an error of the installer.
pub(crate) fn show_error(error: Error, found: &Installable<'_>, terminal: &Terminal) -> Failure {
    if !matches!(error, Error::Declined) {
        terminal.error(&error.to_string());
    }
    match error {
        Error::Invalid(problems) => found.refuse(problems, terminal),
        Error::Smoke(problems) => {
            found.show(problems, terminal);
            Failure::Failed
        }
        Error::Step(..) => Failure::Failed,
        Error::Store(_) => Failure::Usage,
        _ => Failure::Refused,
    }
}
