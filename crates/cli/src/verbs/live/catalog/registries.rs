//! Registries that offer capabilities: catalogs in files, and indexes over HTTPS.

use std::path::Path;

use host::Host;
use installer::registries::{self, RegistryError};
use toolglot::capability::registries::{Candidate, read_static};
use toolglot::capability::{CatalogEntry, Policy};
use toolglot::core::{did_you_mean, quoted, url};
use toolglot::{Report, ValidateOptions};

use crate::files::input::Input;
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::verbs::live::values;

/// The registries that are asked, and what they may be asked for.
#[derive(clap::Args)]
pub(super) struct RegistryArgs {
    /// A registry: a catalog in a file, or the address of an index, https only
    #[arg(long, value_name = "FILE|URL")]
    registry: Vec<String>,
    /// A registry that is verified, or what its address begins with: what it says of trust counts
    #[arg(long, value_name = "URL", requires = "registry")]
    verified: Vec<String>,
    /// Another host that an index may name manifests of
    #[arg(long, value_name = "HOST", requires = "registry")]
    egress: Vec<String>,
    /// Let registries be on this machine or in private networks
    #[arg(long, requires = "registry")]
    private: bool,
}

/// The candidates of registries.
pub(super) struct RegistryCandidates {
    pub(super) candidates: Vec<Candidate>,
    /// True if no entry was left out.
    pub(super) is_complete: bool,
}

impl RegistryArgs {
    /// Returns true if a registry is named.
    pub(super) const fn is_given(&self) -> bool {
        !self.registry.is_empty()
    }

    /// Reads the candidates of all registries.
    pub(super) fn read(&self, terminal: &Terminal) -> Result<RegistryCandidates, Failure> {
        let mut offers = RegistryCandidates { candidates: Vec::new(), is_complete: true };
        for place in &self.registry {
            let (found, whole) = if is_address(place) {
                self.read_index(place, terminal)?
            } else {
                read_registry(Path::new(place), terminal)?
            };
            offers.candidates.extend(found);
            offers.is_complete &= whole;
        }
        Ok(offers)
    }

    /// Returns the only capability that is offered as `ID` or `ID@VERSION`, with its whole
    /// manifest.
    pub(super) fn fetch_entry(
        &self,
        name: &str,
        terminal: &Terminal,
    ) -> Result<CatalogEntry, Failure> {
        let offers = self.read(terminal)?;
        let id = |one: &Candidate| one.entry.id().to_owned();
        let full = |one: &Candidate| format!("{}@{}", id(one), one.entry.manifest().version);
        let is_it = |one: &&Candidate| id(one) == name || full(one) == name;
        let mut found: Vec<&Candidate> = offers.candidates.iter().filter(is_it).collect();
        let refuse = |message: &str| {
            terminal.error(message);
            Failure::Refused
        };
        let candidate = match (found.pop(), found.is_empty()) {
            (Some(one), true) => one.clone(),
            (Some(_), false) => {
                let message = format!("{} is offered several times: say ID@VERSION", quoted(name));
                return Err(refuse(&format!("{message}, and one registry")));
            }
            (None, _) => {
                let ids: Vec<String> = offers.candidates.iter().map(id).collect();
                let guess = did_you_mean(name, ids.iter().map(String::as_str));
                let hint = guess
                    .map_or(String::new(), |guess| format!(": did you mean {}?", quoted(guess)));
                return Err(refuse(&format!("no registry offers {}{hint}", quoted(name))));
            }
        };
        let policy = self.policy();
        let whole = self.with_host(terminal, async |host| {
            registries::fetch_complete(candidate, &policy, async |fetch| {
                registries::fetch(host, fetch).await
            })
            .await
        })?;
        whole.to_entry().ok_or_else(|| refuse("the registry does not say where the manifest is"))
    }

    /// Reads the index at an address. Returns its candidates, and true if no entry was left
    /// out.
    fn read_index(
        &self,
        url: &str,
        terminal: &Terminal,
    ) -> Result<(Vec<Candidate>, bool), Failure> {
        let policy = self.policy();
        let (found, mut report) = self.with_host(terminal, async |host| {
            registries::fetch_offers(url, &policy, async |fetch| {
                registries::fetch(host, fetch).await
            })
            .await
        })?;
        show_answer_report(&mut report, terminal);
        Ok((found, report.is_valid()))
    }

    fn with_host<T>(
        &self,
        terminal: &Terminal,
        ask: impl AsyncFnOnce(&Host) -> Result<T, RegistryError>,
    ) -> Result<T, Failure> {
        let host = Host::new(installer::host_options(self.private));
        let host = host.map_err(|error| terminal.usage_error(&error.to_string()))?;
        values::with_host(host, terminal, async |host| {
            ask(host).await.map_err(|trouble| show_error(trouble, terminal))
        })
    }

    /// Returns a policy that permits requests to the named registries and the hosts of
    /// `--egress`.
    fn policy(&self) -> Policy {
        let named = self.registry.iter().filter(|place| is_address(place));
        let egress = named.filter_map(|place| origin(place)).chain(self.egress.iter().cloned());
        Policy {
            egress: egress.collect(),
            verified_registries: self.verified.clone(),
            private_network: self.private,
            ..Policy::default()
        }
    }
}

/// Returns the common prefix of all addresses of a server.
fn origin(address: &str) -> Option<String> {
    let url = url::check_http(address).ok()?;
    let port = url.port.map_or(String::new(), |port| format!(":{port}"));
    Some(format!("https://{}{port}/", url.host))
}

fn is_address(place: &str) -> bool {
    place.starts_with("https://") || place.starts_with("http://")
}

/// Reads a catalog in a file. Returns its candidates, and true if no entry was left out.
fn read_registry(file: &Path, terminal: &Terminal) -> Result<(Vec<Candidate>, bool), Failure> {
    let limits = limits::catalog();
    let input = Input::read(file, limits.document_bytes, terminal)?;
    let document = input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
    let validate = ValidateOptions { limits, ..limits::validate_options() };
    let (candidates, report) =
        read_static(&document, &validate).map_err(|report| input.refuse(&report, terminal))?;
    terminal.show(&report, Some(&input.source()));
    Ok((candidates, report.is_valid()))
}

/// Shows why a registry cannot be read.
fn show_error(trouble: RegistryError, terminal: &Terminal) -> Failure {
    match trouble {
        RegistryError::Invalid(mut report) => {
            show_answer_report(&mut report, terminal);
            Failure::Invalid
        }
        RegistryError::Denied(denial) => {
            terminal.error(&denial.to_string());
            Failure::Refused
        }
        trouble => terminal.usage_error(&trouble.to_string()),
    }
}

/// Shows a report on an answer. Clears its spans, because the user has not seen the answer.
fn show_answer_report(report: &mut Report, terminal: &Terminal) {
    report.diagnostics.iter_mut().for_each(toolglot::Diagnostic::clear_spans);
    terminal.show(report, None);
}
