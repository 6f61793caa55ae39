//! `toolglot explain`

use toolglot::core::{did_you_mean, quoted};
use toolglot::{Depth, Formats, Rule, Severity};

use crate::files::formats::{UNKNOWN_FORMAT, rules};
use crate::terminal::console::{Failure, Terminal};

/// Explain a rule, or list all rules
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot explain
  toolglot explain json/duplicate-key")]
pub(crate) struct Args {
    /// The code of the rule, as in error[CODE]
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let rules: Vec<&Rule> = rules(formats).chain([&UNKNOWN_FORMAT]).collect();
    let Some(code) = &args.code else {
        return terminal.print(&format_rule_list(&rules));
    };
    let alias = toolglot::install_manifest::rules::find(code);
    if let Some(rule) = rules.iter().copied().find(|rule| rule.code == code).or(alias) {
        return terminal.print(&format_rule(rule));
    }
    let hint = match guess_code(code, &rules) {
        Some(guess) => format!("did you mean {guess}?"),
        None => "`toolglot explain` lists all rules".to_owned(),
    };
    terminal.error(&format!("there is no rule {}; {hint}", quoted(code)));
    Err(Failure::Invalid)
}

fn format_rule_list(rules: &[&Rule]) -> String {
    let width = rules.iter().map(|rule| rule.code.len()).max().unwrap_or(0);
    let line = |rule: &&Rule| {
        let severity = severity(rule.severity);
        format!("{:width$}  {severity:7}  {}\n", rule.code, rule.summary)
    };
    rules.iter().map(line).collect()
}

fn format_rule(rule: &Rule) -> String {
    let depth = match rule.depth {
        Depth::Structure => "structure",
        Depth::Semantics => "semantics",
        Depth::Advice => "advice",
    };
    format!(
        "{} ({}, {depth})\n\n{}\n{}\n{}\n",
        rule.code,
        severity(rule.severity),
        wrap(rule.summary),
        wrap(rule.explanation),
        rule.docs_url(),
    )
}

fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// Returns the code that was probably meant: one whose last part is `code`, or else the
/// most similar.
fn guess_code<'r>(code: &str, rules: &[&'r Rule]) -> Option<&'r str> {
    let short = rules.iter().find(|rule| {
        let name = rule.code.rsplit('/').next();
        name == Some(code)
    });
    short.map(|rule| rule.code).or_else(|| did_you_mean(code, rules.iter().map(|rule| rule.code)))
}

/// Wraps a text into lines of at most 80 columns.
fn wrap(text: &str) -> String {
    let mut out = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        if column > 0 && column + 1 + word.len() > 80 {
            out.push('\n');
            column = 0;
        } else if column > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += word.len();
    }
    out + "\n"
}
