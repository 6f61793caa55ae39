//! Reading several manifests, for verbs that give their tools to model providers.

use std::path::{Path, PathBuf};

use toolglot::Formats;
use toolglot::providers::Source;

use crate::files::formats::Candidates;
use crate::files::input::{check_stdin_once, display_path, is_standard};
use crate::files::limits;
use crate::files::parsed::{FileDescription, ParsedFile};
use crate::files::paths;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::Style;

/// Manifests that are looked at together.
#[derive(clap::Args)]
pub(crate) struct ManifestArgs {
    /// The manifests, folders of them, or patterns; - is standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Begin the names of a file's tools with this
    #[arg(long = "prefix", value_name = "FILE=NAME", value_parser = parse_prefix)]
    prefixes: Vec<(PathBuf, String)>,
}

impl ManifestArgs {
    /// Reads the manifests and calls `run` with their tools. If one cannot be read or is
    /// invalid, shows the errors. In the JSON style, prints the result of `json` for all
    /// files.
    pub(crate) fn with_tools<T>(
        &self,
        style: Style,
        formats: Formats<'static>,
        json: impl Fn(Vec<FileDescription<'_>>) -> String,
        terminal: &Terminal,
        run: impl FnOnce(&[Source<'_, '_>], Vec<FileDescription<'_>>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let files = paths::expand(&self.files, formats, terminal)?;
        check_stdin_once(&files, terminal)?;
        let unknown = self.prefixes.iter().find(|(file, _)| !files.contains(file));
        if let Some((file, _)) = unknown {
            return Err(
                terminal.usage_error(&format!("{} is not among the files", display_path(file)))
            );
        }
        let limits = limits::catalog();
        let asked = crate::files::parsed::read(&files, &limits);
        let candidates = Candidates { set: formats, explicit: None };
        let opened = crate::files::parsed::collect_or_results(
            asked.iter().map(|asked| asked.open(candidates, &limits)),
        )
        .map_err(|results| {
            crate::files::parsed::refuse(style, &results, ParsedFile::describe, &json, terminal)
        })?;
        let lifted = opened.iter().map(|opened| Ok((opened.lift(&limits)?, opened)));
        let lifted = crate::files::parsed::collect_or_results(lifted).map_err(|results| {
            crate::files::parsed::refuse(
                style,
                &results,
                |(_, opened)| opened.describe(),
                &json,
                terminal,
            )
        })?;
        let paths: Vec<Option<String>> = files.iter().map(|file| absolute_path(file)).collect();
        let sources: Vec<Source<'_, '_>> = lifted
            .iter()
            .zip(files.iter().zip(&paths))
            .map(|((lifted, opened), (file, path))| Source {
                label: &opened.file.name,
                prefix: self.prefix(file),
                path: path.as_deref(),
                tools: &lifted.tools,
            })
            .collect();
        run(&sources, opened.iter().map(ParsedFile::describe).collect())
    }

    /// Returns the prefix for the names of a file's tools.
    fn prefix(&self, file: &Path) -> Option<&str> {
        self.prefixes.iter().find(|(own, _)| own == file).map(|(_, name)| name.as_str())
    }
}

fn parse_prefix(text: &str) -> Result<(PathBuf, String), &'static str> {
    let pair = text.rsplit_once('=').filter(|(_, name)| !name.is_empty());
    pair.map(|(file, name)| (file.into(), name.to_owned())).ok_or("this is not FILE=NAME")
}

/// Returns the absolute path of a file, for programs with another working directory. `None`
/// for standard input, or if the path is not UTF-8.
fn absolute_path(file: &Path) -> Option<String> {
    let path = std::path::absolute(file).ok().filter(|_| !is_standard(file))?;
    path.to_str().map(str::to_owned)
}
