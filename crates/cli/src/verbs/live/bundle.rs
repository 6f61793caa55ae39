//! `toolglot bundle`

use std::path::{Path, PathBuf};

use clap::Subcommand;
use gateway::registry::{self, InstallStatus};
use toolglot::ValidateOptions;
use toolglot::json::Document;
use toolglot::jumith::{self, Bundle, ExpectedBundle, install};

use crate::files::input::{Input, display_path};
use crate::files::limits;
use crate::files::output;
use crate::terminal::console::{Failure, Terminal};
use crate::terminal::problem::FindingStyle;

/// Pack, check and unpack Jumith bundles
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  toolglot bundle pack tools/email.send/1.2.0 -o email.json
  toolglot bundle check email.json
  toolglot bundle unpack email.json -o installed/

Exit codes: 0 all is well, 1 the bundle is invalid, 2 wrong usage or a file trouble")]
pub(crate) struct Args {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    /// Make a bundle from a folder with manifest.json and files/
    Pack {
        /// The folder
        #[arg(value_name = "FOLDER")]
        folder: PathBuf,
        /// Where the bundle goes; - is standard output
        #[arg(long, short, value_name = "FILE", default_value = "-")]
        output: PathBuf,
    },
    /// Say all that is wrong with a bundle
    Check {
        /// The bundle; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// What the describe endpoint answered, to compare
        #[arg(long, value_name = "FILE")]
        describe: Option<PathBuf>,
        /// How to print what was found
        #[arg(long, value_name = "STYLE", default_value = "text")]
        format: FindingStyle,
    },
    /// Install a bundle below a folder, and nowhere else
    Unpack {
        /// The bundle; - is standard input
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The folder that tools are installed in
        #[arg(long, short, value_name = "FOLDER")]
        output: PathBuf,
    },
}

pub(crate) fn run(args: &Args, terminal: &Terminal) -> Result<(), Failure> {
    match &args.verb {
        Verb::Pack { folder, output } => pack(folder, output, terminal),
        Verb::Check { file, describe, format } => {
            check(file, describe.as_deref(), *format, terminal)
        }
        Verb::Unpack { file, output } => unpack(file, output, terminal),
    }
}

fn options() -> ValidateOptions {
    ValidateOptions { limits: limits::bundle(), ..limits::validate_options() }
}

fn pack(path: &Path, target: &Path, terminal: &Terminal) -> Result<(), Failure> {
    let package = registry::read_package(path);
    let package = package.map_err(|error| terminal.usage_error(&format!("cannot read {error}")))?;
    let name = path.join("manifest.json");
    let manifest = Input::new(&name, package.manifest.into_bytes());
    let limits = limits::bundle();
    let document = manifest.parse(&limits).map_err(|report| manifest.refuse(&report, terminal))?;
    let own = jumith::validate(&document, &options());
    if !own.is_valid() {
        return Err(manifest.refuse(&own, terminal));
    }
    let text = jumith::bundle::pack(document.root(), &package.files);
    let packed = Input::new(Path::new("the bundle"), text.clone().into_bytes());
    let bundle = packed.parse(&limits).map_err(|report| packed.refuse(&report, terminal))?;
    let report = Bundle::check(&bundle, &ExpectedBundle::default(), &options());
    if !report.is_valid() {
        terminal.show(&report, None);
        return Err(Failure::Invalid);
    }
    output::write(target, &(text + "\n"), terminal)
}

fn check(
    file: &Path,
    describe: Option<&Path>,
    style: FindingStyle,
    terminal: &Terminal,
) -> Result<(), Failure> {
    let limits = limits::bundle();
    let input = Input::read(file, limits.document_bytes, terminal)?;
    let document = match input.parse(&limits) {
        Ok(document) => document,
        Err(report) => return input.print_report(&report, style, terminal),
    };
    let describe = describe.map(|path| Input::read(path, limits.document_bytes, terminal));
    let describe = describe.transpose()?;
    let described: Option<Document<'_>> = match &describe {
        Some(input) => {
            Some(input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?)
        }
        None => None,
    };
    let expected = ExpectedBundle {
        describe: described.as_ref().map(Document::root),
        ..ExpectedBundle::default()
    };
    let report = Bundle::check(&document, &expected, &options());
    input.print_report(&report, style, terminal)?;
    if style != FindingStyle::Text {
        return Ok(());
    }
    let files = Bundle::read(&document).files.len();
    let files = if files == 1 { "1 file".to_owned() } else { format!("{files} files") };
    terminal.print(&format!("{}: a valid bundle of {files}\n", input.display_name()))
}

fn unpack(file: &Path, target: &Path, terminal: &Terminal) -> Result<(), Failure> {
    let limits = limits::bundle();
    let input = Input::read(file, limits.document_bytes, terminal)?;
    let document = input.parse(&limits).map_err(|report| input.refuse(&report, terminal))?;
    let plan = install::plan(&document, &ExpectedBundle::default(), &options());
    let plan = plan.map_err(|report| input.refuse(&report, terminal))?;
    let installed = registry::install(&plan, target)
        .map_err(|error| terminal.usage_error(&format!("cannot install: {error}")))?;
    let version = display_path(&target.join(&plan.folder));
    if installed == InstallStatus::Unchanged {
        return Err(terminal.usage_error(&format!("cannot install: {version} is there already")));
    }
    terminal.print(&format!("{version}\n"))
}
