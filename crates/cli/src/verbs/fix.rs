//! Applies obvious corrections to a file.

use std::path::Path;

use toolglot::core::{Diagnostic, Fix};
use toolglot::json::Document;
use toolglot::{DetectError, Limits, Report, ValidateOptions};

use crate::files::formats::Candidates;
use crate::files::input::{Input, is_standard};
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::summary::count_noun;

/// The maximum number of rounds. The value of a misspelt member is checked only after its
/// name is corrected.
const MAX_ROUNDS: usize = 8;

/// Corrects a file as far as possible, and reports the number of corrections.
pub(crate) fn fix_file(
    input: Input,
    file: &Path,
    candidates: Candidates,
    options: &ValidateOptions,
    terminal: &Terminal,
) -> Result<Input, Failure> {
    if is_standard(file) || input.bundle().is_some() {
        return Err(terminal.usage_error("--fix corrects files of JSON, and nothing else"));
    }
    let Ok(mut text) = String::from_utf8(input.bytes().to_vec()) else { return Ok(input) };
    let mut count = 0;
    for _ in 0..MAX_ROUNDS {
        let fixes = fixes(&text, candidates, options);
        let Some((next, made)) = apply_fixes(&text, &fixes, &options.limits) else { break };
        (text, count) = (next, count + made);
    }
    if count == 0 {
        return Ok(input);
    }
    output::write(file, &text, terminal)?;
    terminal.status(&format!(
        "{}: {} made\n",
        input.display_name(),
        count_noun(count, "correction")
    ));
    Ok(Input::new(file, text.into_bytes()))
}

/// Returns the corrections of a text. A document in no format is validated as the nearest
/// one, if it has all members that this format requires.
fn fixes(text: &str, candidates: Candidates, options: &ValidateOptions) -> Vec<Fix> {
    let Ok(document) = Document::parse(text.as_bytes(), &options.limits) else { return Vec::new() };
    let format = candidates.explicit.or_else(|| match candidates.set.detect(&document) {
        Ok((format, _)) => Some(format),
        Err(DetectError::Near(near)) if near.missing.is_empty() => {
            candidates.set.by_name(near.format)
        }
        Err(_) => None,
    });
    let Some(format) = format else { return Vec::new() };
    let Report { diagnostics, .. } = format.validate(&document, options);
    diagnostics.iter().filter_map(|found: &Diagnostic| found.fix.clone()).collect()
}

/// Applies corrections, and returns the text and their number. If they overlap, or together
/// give invalid JSON such as duplicate members, applies only the first that works alone.
/// Returns `None` if none of them does.
fn apply_fixes(text: &str, fixes: &[Fix], limits: &Limits) -> Option<(String, usize)> {
    let is_json = |text: &String| Document::parse(text.as_bytes(), limits).is_ok();
    if let Some(all) = apply_all(text, fixes).filter(is_json) {
        return Some((all, fixes.len()));
    }
    fixes.iter().find_map(|fix| {
        let one = apply_all(text, std::slice::from_ref(fix)).filter(is_json)?;
        Some((one, 1))
    })
}

/// Applies all corrections. Returns `None` if the list is empty or two of them overlap.
fn apply_all(text: &str, fixes: &[Fix]) -> Option<String> {
    let mut fixes: Vec<&Fix> = fixes.iter().collect();
    fixes.sort_by_key(|fix| fix.span.start);
    let (mut out, mut end) = (String::with_capacity(text.len()), 0);
    for fix in &fixes {
        out.push_str(text.get(end..fix.span.start)?);
        out.push_str(&fix.text);
        end = fix.span.end;
    }
    out.push_str(text.get(end..)?);
    (!fixes.is_empty()).then_some(out)
}
