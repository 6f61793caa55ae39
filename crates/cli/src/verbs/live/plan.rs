//! `toolglot plan`

use std::path::{Path, PathBuf};

use host::Origin;
use serde::Serialize;
use toolglot::call::{self, HostFacts, Missing, Plan, Planned, Policy, Refused};
use toolglot::core::Diagnostic;
use toolglot::install_engine::acquire::{self, InstallHost};
use toolglot::install_engine::{revoke, smoke};
use toolglot::install_manifest::Success;
use toolglot::json::{Document, pretty};
use toolglot::{Formats, LiftedDocument, Limits, Profile, Report};

use crate::files::formats::Candidates;
use crate::files::input::{Input, check_stdin_once, folder};
use crate::files::installable::{self, Installable, is_env_set};
use crate::files::limits;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::mask_secrets;
use crate::verbs::live::call_errors::{describe_lacks, describe_missing};

/// Say exactly what installing, calling, checking or revoking a tool takes, and do none of it
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot plan install install.json --folder /srv/tools/notes
  toolglot plan invoke install.json find '{\"query\": \"tea\"}'
  toolglot plan invoke tools.json get_time '{\"zone\": \"UTC\"}'
  API_KEY=... toolglot plan smoke install.json
  toolglot plan revoke install.json

A call is planned for a tool of any format; installing, checking and revoking is what install
manifests have words for. There is no value of a variable in a plan: where one goes, it names
the variable, and says which values the environment does not have.

Exit codes: 0 planned, 1 it cannot be done, 2 wrong usage or an unreadable file")]
pub(crate) struct Args {
    #[command(subcommand)]
    kind: PlanKind,
}

#[derive(clap::Subcommand)]
enum PlanKind {
    /// How to install the tool
    Install {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// An empty folder for the tool
        #[arg(long, value_name = "FOLDER", default_value = "tool")]
        folder: String,
    },
    /// How to call a tool
    Invoke {
        /// The manifest, of any format; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The tool: its id, or the name that callers use
        #[arg(value_name = "TOOL")]
        tool: String,
        /// The arguments: a JSON object
        #[arg(value_name = "INPUT", default_value = "{}")]
        input: String,
        /// A file with the arguments; - is standard input
        #[arg(long, value_name = "FILE", conflicts_with = "input")]
        input_file: Option<PathBuf>,
    },
    /// How to check an installation
    Smoke {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// How to revoke the tool
    Revoke {
        /// The install manifest; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
}

pub(crate) fn run(
    args: &Args,
    formats: Formats<'static>,
    terminal: &Terminal,
) -> Result<(), Failure> {
    match &args.kind {
        PlanKind::Install { file, folder } => installable::with_manifest(file, terminal, |found| {
            let plan = acquire::plan(found.manifest, &InstallHost::new(folder))
                .map_err(|problems| found.refuse(problems, terminal))?;
            found.show(plan.warnings.clone(), terminal);
            print(&plan, terminal)
        }),
        PlanKind::Invoke { file, tool, input, input_file } => {
            check_stdin_once([file].into_iter().chain(input_file), terminal)?;
            let limit = limits::document().document_bytes;
            let from_file = input_file.as_ref().map(|path| Input::read(path, limit, terminal));
            let from_file = from_file.transpose()?;
            let text = match &from_file {
                Some(input) => String::from_utf8_lossy(input.bytes()).into_owned(),
                None => input.clone(),
            };
            let manifest = Input::read(file, limit, terminal)?;
            print(&plan_call(file, &manifest, formats, tool, &text, terminal)?, terminal)
        }
        PlanKind::Smoke { file } => installable::with_manifest(file, terminal, |found| {
            let options = smoke::Options::default();
            let plan = smoke::plan(found.manifest, &found.tools(), &is_env_set, &options);
            let plan = plan.map_err(|problems| found.refuse(problems, terminal))?;
            print_missing(&plan.missing, terminal);
            let success = smoke::conditions(found.manifest, &plan);
            print(&SmokePlan { plan, success }, terminal)
        }),
        PlanKind::Revoke { file } => {
            installable::with_manifest(file, terminal, |found: &Installable<'_>| {
                let plan = revoke::plan(found.manifest, &found.tools(), &is_env_set);
                let plan = plan.map_err(|problem| found.refuse(vec![problem], terminal))?;
                plan.plan.iter().for_each(|plan| print_missing(&plan.missing, terminal));
                print(&plan, terminal)
            })
        }
    }
}

/// Plans a call of a tool of any format. Shows errors at their lines.
fn plan_call(
    file: &Path,
    input: &Input,
    formats: Formats<'static>,
    tool: &str,
    arguments: &str,
    terminal: &Terminal,
) -> Result<Planned, Failure> {
    let limits = limits::document();
    let refuse = |report: Report| input.refuse(&report, terminal);
    let document = input.parse(&limits).map_err(refuse)?;
    let (format, _) =
        Candidates { set: formats, explicit: None }.detect(&document).map_err(refuse)?;
    let LiftedDocument { tools, .. } = format.lift(&document, &limits).map_err(refuse)?;
    let alone = |found: Diagnostic| {
        let mut report = Report::new(Profile::Spec, 1);
        report.push(found);
        terminal.show(&report, None);
        Failure::Invalid
    };
    let tool = call::find_tool(&tools, tool).map_err(alone)?;
    let policy = Policy::default();
    let text = String::from_utf8_lossy(input.bytes()).into_owned();
    let origin = Origin { folder: folder(file), manifest: Some(text), ..Origin::default() };
    let planned = match gateway::plan_chain(tool, format, &origin, arguments, &policy, &is_env_set)
    {
        Some(planned) => planned,
        None => match gateway::select_implementation(tool, format, &origin) {
            Err(report) => Planned::Refused(Refused::no_call(&tool.id, report)),
            Ok(implementation) => {
                let facts = HostFacts {
                    has_value: &is_env_set,
                    implementation,
                    installed: false,
                    policy: &policy,
                };
                let contract = (format.contract)(tool);
                call::plan_in_manifest(&document, tool, &contract, arguments, &facts, &limits)
            }
        },
    };
    if let Planned::Refused(refused) = &planned
        && let Some(report) = refused.report()
    {
        // Errors with a span are in the manifest. The others concern the arguments.
        let located = report.diagnostics.iter().any(|found| found.span.is_some());
        terminal.show(report, located.then(|| input.source()).as_ref());
        return Err(Failure::Invalid);
    }
    for warning in planned.warnings() {
        terminal.status(&format!("warning[{}]: {}\n", warning.rule, warning.message));
    }
    for what in describe_lacks(&planned) {
        terminal.status(&format!("missing: {what}\n"));
    }
    Ok(planned)
}

/// Prints the values that a plan lacks.
fn print_missing(missing: &[Missing], terminal: &Terminal) {
    for missing in missing {
        terminal.status(&format!("missing: {}\n", describe_missing(missing)));
    }
}

/// The plan of a smoke test, with the conditions for success.
#[derive(Serialize)]
struct SmokePlan<'m> {
    #[serde(flatten)]
    plan: Plan,
    success: Success<'m>,
}

/// Prints a plan as JSON. It contains no values of variables. If the manifest itself
/// contains secrets, they are masked here.
fn print(plan: &impl Serialize, terminal: &Terminal) -> Result<(), Failure> {
    // The plan consists of strings, numbers and lists, so serialising it cannot fail.
    let text = mask_secrets(&serde_json::to_string(plan).unwrap_or_default());
    let limits = Limits { document_bytes: 16 << 20, ..limits::document() };
    let pretty = match Document::parse(text.as_bytes(), &limits) {
        Ok(document) => pretty(document.root()),
        Err(_) => text,
    };
    terminal.print(&format!("{}\n", crate::terminal::console::escape_json(&pretty)))
}
