//! Which MCPKG packages somebody looks for.

use std::path::Path;

use toolglot::core::printable;
use toolglot::mcpkg::Manifest;
use toolglot::mcpkg::package::Package;
use toolglot::mcpkg::select::{Software, Wanted};

use crate::package;
use console::input::shown;
use console::limits;
use console::problem::{Style, json_line};
use console::terminal::{Failure, Terminal};

/// What a package must have.
#[derive(clap::Args)]
pub(crate) struct WantedArgs {
    /// Only packages that have this capability; may be given several times
    #[arg(long, value_name = "WORD")]
    capability: Vec<String>,
    /// Only packages with an implementation in this language
    #[arg(long, value_name = "NAME")]
    language: Option<String>,
    /// Only packages with an implementation for this runtime: node, python@3.11
    #[arg(long, value_name = "NAME[@VERSION]")]
    runtime: Option<String>,
    /// Only packages with an implementation for this platform, such as linux-x64, or for any
    #[arg(long, value_name = "PLATFORM")]
    platform: Option<String>,
}

/// A package that was found, for programs.
#[derive(serde::Serialize)]
struct Found {
    file: String,
    tool_id: String,
    version: String,
    description: String,
}

impl WantedArgs {
    /// Whether anything is wanted.
    pub(crate) const fn is_made(&self) -> bool {
        !self.capability.is_empty()
            || self.language.is_some()
            || self.runtime.is_some()
            || self.platform.is_some()
    }

    pub(crate) fn read(&self) -> Wanted {
        let runtime = self.runtime.as_deref().map(|text| match text.split_once('@') {
            Some((name, version)) => Software::new(name, version),
            None => Software { name: text.to_owned(), version: None },
        });
        Wanted {
            capabilities: self.capability.clone(),
            language: self.language.clone(),
            runtime,
            platform: self.platform.clone(),
        }
    }

    /// Lists the packages of a folder that have all of it, and all of these words.
    pub(crate) fn search(
        &self,
        folder: &Path,
        words: &[String],
        style: Style,
        terminal: &Terminal,
    ) -> Result<(), Failure> {
        let trouble = |error| terminal.trouble(&format!("cannot read {}: {error}", shown(folder)));
        let entries = std::fs::read_dir(folder).map_err(trouble)?;
        let mut files: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|end| end == "mcpkg") && file.is_file());
        files.sort();
        let (wanted, mut found) = (self.read(), Vec::new());
        for file in files {
            let input = package::load(&file, terminal)?;
            match Package::read(input.bytes(), &limits::usual()) {
                Ok(package) => found.extend(one(&package, &wanted, words, &file)),
                Err(_) => terminal.say(&format!("warning: {} is no package\n", input.shown())),
            }
        }
        let lines = found.iter().map(|one| match style {
            Style::Json => json_line(one),
            Style::Text => line(one),
        });
        terminal.print(&lines.collect::<String>())?;
        if found.is_empty() { Err(Failure::Invalid) } else { Ok(()) }
    }
}

/// The package, if it is wanted.
fn one(package: &Package<'_>, wanted: &Wanted, words: &[String], file: &Path) -> Option<Found> {
    let document = package.document(&limits::usual()).ok()?;
    let manifest = Manifest::read(&document);
    let Manifest { tool_id, name, description, capabilities, .. } = &manifest;
    let texts = [tool_id, name, description].into_iter().chain(capabilities);
    let text = texts.map(|text| text.to_lowercase()).collect::<Vec<_>>().join("\n");
    let has_words = words.iter().all(|word| text.contains(&word.to_lowercase()));
    (has_words && wanted.finds(&manifest)).then(|| Found {
        file: shown(file),
        tool_id: tool_id.to_string(),
        version: manifest.version.to_string(),
        description: description.to_string(),
    })
}

fn line(found: &Found) -> String {
    let Found { file, tool_id, version, description } = found;
    let [id, version, about] = [tool_id, version, description].map(|text| printable(text, 200));
    format!("{id}  {version}  {about}  {file}\n")
}
