//! How actions are called.

use manifest_core::descriptor::{self, CommandInput};
use manifest_core::{Keyed, Text, url};

use super::fit;
use super::parts::borrow_all;
use crate::manifest::{Entrypoint, Invocation};
use crate::words::Method;

/// How an action is called, and through what.
pub(super) struct Called<'a> {
    pub(super) invocation: Invocation<'a>,
    pub(super) entrypoint: Option<Entrypoint<'a>>,
    pub(super) endpoint_url: Option<Text<'a>>,
}

/// What the calls of a package have in common.
pub(super) struct Call<'a> {
    pub(super) argv: &'a [Text<'a>],
    pub(super) url: Option<&'a str>,
    /// Whether there is to be no action.
    pub(super) whole: bool,
    /// Whether there was none.
    pub(super) actionless: bool,
}

impl<'a> Call<'a> {
    /// The call, when this format can say it.
    pub(super) fn lower(&self, invocation: &'a descriptor::Invocation<'_>) -> Option<Called<'a>> {
        match invocation {
            descriptor::Invocation::Command { argv, cwd, input } => self.command(argv, cwd, input),
            descriptor::Invocation::Http { method, url, path, headers } => {
                self.http(method, url, path.as_deref(), headers)
            }
            descriptor::Invocation::McpTool { tool, argv, url, server: None } => Some(Called {
                invocation: Invocation::McpTool { tool_name: Text::Borrowed(tool) },
                entrypoint: entrypoint(argv, None),
                endpoint_url: url.as_deref().map(Text::Borrowed),
            }),
            descriptor::Invocation::McpTool { .. }
            | descriptor::Invocation::CommandLine { .. }
            | descriptor::Invocation::Python { .. }
            | descriptor::Invocation::Node { .. }
            | descriptor::Invocation::A2a { .. } => None,
        }
    }

    #[allow(clippy::ref_option)] // the descriptor's fields, as they are
    fn command(
        &self,
        argv: &'a [Text<'_>],
        cwd: &'a Option<Text<'_>>,
        input: &'a CommandInput<'_>,
    ) -> Option<Called<'a>> {
        let (command, invocation) = match input {
            CommandInput::Templates(templates) if !templates.is_empty() => {
                (argv, Invocation::Subcommand { argv_template: borrow_all(templates) })
            }
            CommandInput::Stdin => {
                let begins = argv.len() > self.argv.len()
                    && !self.argv.is_empty()
                    && argv.iter().zip(self.argv).all(|(a, b)| a == b);
                let (command, rest) =
                    argv.split_at(if begins { self.argv.len() } else { argv.len() });
                // What begins like a template would be taken for one.
                if rest.iter().any(|argument| argument.contains("${")) {
                    return None;
                }
                (command, Invocation::StdinJson { argv_template: borrow_all(rest) })
            }
            // A manifest without actions does not say how it is called, and one
            // of 0.1 need not.
            CommandInput::Unstated if self.actionless => {
                (argv, Invocation::StdinJson { argv_template: Vec::new() })
            }
            _ if self.whole => (argv, Invocation::StdinJson { argv_template: Vec::new() }),
            CommandInput::Templates(_) | CommandInput::Argument | CommandInput::Unstated => {
                return None;
            }
        };
        let plain = !command.is_empty() && command.iter().all(|part| !part.contains('\0'));
        plain.then(|| Called {
            invocation,
            entrypoint: entrypoint(command, cwd.as_deref()),
            endpoint_url: self.url.filter(|_| self.whole).map(Text::Borrowed),
        })
    }

    fn http(
        &self,
        method: &'a str,
        url: &'a str,
        path: Option<&'a str>,
        headers: &'a Keyed<'_, Text<'_>>,
    ) -> Option<Called<'a>> {
        let method = Method::from_word(&method.to_ascii_uppercase())?;
        let rest = self.url.and_then(|base| Some((base, url.strip_prefix(base)?)));
        let (base, path) = match (path, rest) {
            (Some(path), _) => (url, Text::Borrowed(path)),
            (None, Some((base, rest))) if rest.starts_with('/') => (base, Text::Borrowed(rest)),
            (None, _) => match fit::split_url(url) {
                (base, path) if path.starts_with('/') => (base, Text::Borrowed(path)),
                (base, path) => (base, Text::Owned(format!("/{path}"))),
            },
        };
        let plain = !path.starts_with("//") && !path.contains(['\\', '#']) && !url.contains("${");
        (plain && url::check_http(base).is_ok()).then(|| Called {
            invocation: Invocation::Http {
                method,
                path,
                headers: headers
                    .iter()
                    .map(|(name, value)| (Text::Borrowed(name), Text::Borrowed(value.as_ref())))
                    .collect(),
            },
            entrypoint: None,
            endpoint_url: Some(Text::Borrowed(base)),
        })
    }
}

pub(super) fn entrypoint<'a>(
    command: &'a [Text<'_>],
    cwd: Option<&'a str>,
) -> Option<Entrypoint<'a>> {
    (!command.is_empty())
        .then(|| Entrypoint { command: borrow_all(command), cwd: cwd.map(Text::Borrowed) })
}
