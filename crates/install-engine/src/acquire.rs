//! Installing a tool: exact commands, or a download and what it must be.
//!
//! Nothing here is a line for a shell. Names, references and versions are checked
//! before they become arguments, so that none of them is taken for an option.
//!
//! ```
//! use install_engine::acquire::{self, Host, Step};
//! use install_manifest::{Install, RuntimeKind};
//!
//! let install = Install::Pip { package: "tinytool".into(), version_spec: Some(">=1.2,<2".into()) };
//! let plan = acquire::plan(&install, RuntimeKind::PythonModule, &Host::new("/srv/tools/tiny"))
//!     .map_err(|problems| format!("{problems:?}"))?;
//! let [Step::Run { argv, .. }] = plan.steps.as_slice() else { return Err("one step".into()) };
//! assert_eq!(argv[..4], ["python3", "-m", "pip", "install"]);
//! assert_eq!(argv.last().map(String::as_str), Some("tinytool>=1.2,<2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::str::FromStr;

use install_manifest::installer as is;
use install_manifest::{Install, Layout, Locator, RuntimeKind, rules};
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{Diagnostic, Limits, Pointer, quoted, sha256_hex};
use serde::Serialize;

use crate::http;
use crate::plan::rules as plan_rules;

/// What a host installs with, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::exhaustive_structs)] // built by struct update syntax on purpose
pub struct Host<'h> {
    /// An empty folder for the tool. Files that are not installed by a package
    /// manager go here.
    pub folder: &'h str,
    /// The Python that the tool will run in.
    pub python: &'h str,
    /// The npm program.
    pub npm: &'h str,
    /// The git program.
    pub git: &'h str,
    /// The container program: `docker`, `podman`.
    pub container: &'h str,
}

impl<'h> Host<'h> {
    /// The usual programs.
    pub const fn new(folder: &'h str) -> Self {
        Self { folder, python: "python3", npm: "npm", git: "git", container: "docker" }
    }
}

/// How to install a tool: every step, in order. The first that fails is the last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Plan {
    /// What to do.
    pub steps: Vec<Step>,
    /// What a careful host looks at before it goes on.
    pub warnings: Vec<Diagnostic>,
}

/// One step of an installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
#[allow(clippy::exhaustive_enums)] // hosts must handle every one
pub enum Step {
    /// Run a program. Its exit code must be 0.
    Run {
        /// The program and its arguments.
        argv: Vec<String>,
        /// What it must print, apart from white space at the ends.
        #[serde(skip_serializing_if = "Option::is_none")]
        prints: Option<String>,
    },
    /// Fetch a file, [check it](is_download), and only then keep it as an executable.
    Download {
        /// Where from.
        url: String,
        /// Its SHA-256, in lower-case hexadecimal.
        sha256: String,
        /// Where to.
        path: String,
    },
    /// Look for a program on the search path. It must be there.
    FindProgram {
        /// Its name.
        name: String,
    },
    /// Look for an MCP server that the host knows. It must be there.
    FindServer {
        /// Its id.
        id: String,
    },
}

/// Whether the bytes are those of a [`Step::Download`].
///
/// ```
/// let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
/// assert!(install_engine::acquire::is_download(b"abc", sha256));
/// assert!(!install_engine::acquire::is_download(b"abd", sha256));
/// ```
pub fn is_download(bytes: &[u8], sha256: &str) -> bool {
    sha256_hex(bytes) == sha256
}

/// No specifier that means anything is longer, in bytes.
const LONGEST_SPEC: usize = 256;

/// Plans the installation of a tool, or gives every reason why not.
pub fn plan(
    install: &Install<'_>,
    kind: RuntimeKind,
    host: &Host<'_>,
) -> Result<Plan, Vec<Diagnostic>> {
    let mut making = Making { host, errors: Vec::new(), warnings: Vec::new(), steps: Vec::new() };
    match install {
        Install::Pip { package, version_spec } => making.pip(package, version_spec.as_deref()),
        Install::Npm { package, version_spec } => making.npm(package, version_spec.as_deref()),
        Install::Git { url, reference, subpath, layout } => {
            making.git(url, reference, subpath.as_deref(), *layout, kind);
        }
        Install::Container { image } => making.container(image),
        Install::Url { url, sha256 } => making.download(url, sha256),
        Install::Preinstalled { locator } => making.locate(locator),
    }
    let Making { errors, warnings, steps, .. } = making;
    if errors.is_empty() { Ok(Plan { steps, warnings }) } else { Err(errors) }
}

struct Making<'h> {
    host: &'h Host<'h>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    steps: Vec<Step>,
}

fn place(name: &str) -> Pointer {
    Pointer::parse(&format!("/runtime/install/{name}")).unwrap_or_default()
}

impl Making<'_> {
    fn run<S: AsRef<str>>(&mut self, argv: &[S]) {
        let argv = argv.iter().map(|part| part.as_ref().to_owned()).collect();
        self.steps.push(Step::Run { argv, prints: None });
    }

    fn argument(&mut self, name: &str, text: &str, is_one: fn(&str) -> bool) {
        if !is_one(text) {
            let message = format!("{} cannot be handed to an installer", quoted(text));
            self.errors.push(rules::INSTALL_ARGUMENT.at_pointer(place(name), message));
        }
    }

    fn unpinned(&mut self, name: &str, message: &str) {
        self.warnings.push(rules::UNPINNED.at_pointer(place(name), message));
    }

    /// A version specifier, checked by a crate made for it.
    fn version(&mut self, spec: Option<&str>, is_good: fn(&str) -> bool, example: &str) {
        match spec {
            None => self.unpinned("version_spec", "the newest version is installed"),
            Some(spec) => {
                if spec.len() > LONGEST_SPEC || !is_good(spec) {
                    let message = format!("{} is not a version specifier", quoted(spec));
                    let refused =
                        plan_rules::VERSION_SPEC.at_pointer(place("version_spec"), message);
                    self.errors.push(refused.help(format!("write one such as {example}")));
                }
            }
        }
    }

    fn pip(&mut self, package: &str, spec: Option<&str>) {
        self.argument("package", package, is::is_pip_package);
        let is_good = |spec: &str| pep440_rs::VersionSpecifiers::from_str(spec).is_ok();
        self.version(spec, is_good, "\">=1.2,<2\"");
        let requirement = format!("{package}{}", spec.unwrap_or_default().trim());
        let python = self.host.python;
        let quiet = ["--no-input", "--disable-pip-version-check"];
        let [input, check] = quiet;
        self.run(&[python, "-m", "pip", "install", input, check, "--", &requirement]);
    }

    fn npm(&mut self, package: &str, spec: Option<&str>) {
        self.argument("package", package, is::is_npm_package);
        let is_good = |spec: &str| nodejs_semver::Range::parse(spec).is_ok();
        self.version(spec, is_good, "\"^1.2.3\"");
        let spec = spec.map(str::trim).filter(|spec| !spec.is_empty());
        let package = match spec {
            Some(spec) => format!("{package}@{spec}"),
            None => package.to_owned(),
        };
        let Host { npm, folder, .. } = *self.host;
        self.run(&[npm, "install", "--no-fund", "--no-audit", "--prefix", folder, "--", &package]);
    }

    fn git(
        &mut self,
        url: &str,
        reference: &str,
        subpath: Option<&str>,
        layout: Option<Layout>,
        kind: RuntimeKind,
    ) {
        let Host { git, folder, python, npm, .. } = *self.host;
        if let Err(error) = git_url(url) {
            self.errors.push(rules::URL.at_pointer(place("url"), error));
        }
        self.argument("ref", reference, is::is_git_reference);
        let limits = Limits::default();
        let limits = PathLimits {
            bytes: limits.path_bytes,
            segment_bytes: limits.path_segment_bytes,
            segments: limits.path_segments,
        };
        if let Some(subpath) = subpath
            && let Err(error) = check_portable(subpath, &limits)
        {
            let message = format!("{}: {error}", quoted(subpath));
            self.errors.push(rules::INSTALL_ARGUMENT.at_pointer(place("subpath"), message));
        }
        self.run(&[git, "init", "--quiet", "--", folder]);
        // A URL with a helper in front would run it.
        let safe = "protocol.ext.allow=never";
        self.run(&[
            git,
            "-C",
            folder,
            "-c",
            safe,
            "fetch",
            "--quiet",
            "--depth=1",
            "--",
            url,
            reference,
        ]);
        self.run(&[git, "-C", folder, "checkout", "--quiet", "--detach", "FETCH_HEAD", "--"]);
        if is::is_commit(reference) {
            let argv = [git, "-C", folder, "rev-parse", "--verify", "HEAD"];
            self.steps.push(Step::Run {
                argv: argv.map(str::to_owned).to_vec(),
                prints: Some(reference.to_ascii_lowercase()),
            });
        } else {
            self.unpinned("ref", "the reference is not a full commit, and can move");
        }
        let package = match subpath {
            Some(subpath) => format!("{folder}/{subpath}"),
            None => folder.to_owned(),
        };
        match (layout, kind) {
            (Some(Layout::Package), RuntimeKind::PythonModule) => {
                self.run(&[python, "-m", "pip", "install", "--no-input", "--", &package]);
            }
            (Some(Layout::Package), RuntimeKind::NodeModule) => {
                self.run(&[npm, "install", "--no-fund", "--no-audit", "--prefix", &package]);
            }
            _ => {}
        }
    }

    fn container(&mut self, image: &str) {
        self.argument("image", image, is::is_image);
        if !is::has_digest(image) {
            self.unpinned("image", "the image has no digest, and can change");
        }
        self.run(&[self.host.container, "pull", "--quiet", image]);
    }

    fn download(&mut self, url: &str, sha256: &str) {
        if let Err(error) = http::check(url) {
            self.errors.push(rules::URL.at_pointer(place("url"), error));
        }
        let hex = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        if sha256.len() != 64 || !sha256.bytes().all(hex) {
            let message = format!("{} is not a SHA-256", quoted(sha256));
            self.errors.push(rules::PATTERN.at_pointer(place("sha256"), message));
        }
        self.steps.push(Step::Download {
            url: url.to_owned(),
            sha256: sha256.to_owned(),
            // The name in the URL is a stranger's; this one cannot lead elsewhere.
            path: format!("{}/tool", self.host.folder),
        });
    }

    fn locate(&mut self, locator: &Locator<'_>) {
        match locator {
            Locator::PythonModule { module } => {
                self.argument("locator/module", module, is::is_python_module);
                let program = "import importlib.util, sys; \
                               sys.exit(importlib.util.find_spec(sys.argv[1]) is None)";
                self.run(&[self.host.python, "-c", program, module]);
            }
            Locator::BinaryOnPath { binary } => {
                self.argument("locator/binary", binary, is::is_program);
                self.steps.push(Step::FindProgram { name: binary.clone().into_owned() });
            }
            Locator::McpServerId { server_id } => {
                self.steps.push(Step::FindServer { id: server_id.clone().into_owned() });
            }
        }
    }
}

/// A repository on a server: https, http, ssh or git, with no more than a user
/// name, and that only where ssh needs one.
fn git_url(text: &str) -> Result<(), String> {
    let (scheme, rest) = text.split_once("://").unwrap_or_default();
    let rest = match scheme {
        "ssh" => rest.strip_prefix("git@").unwrap_or(rest),
        "https" | "http" | "git" => rest,
        _ => return Err(format!("{}: the scheme must be https, http, ssh or git", quoted(text))),
    };
    let host = rest.split('/').next().unwrap_or_default();
    if host.starts_with('-') {
        return Err(format!("{}: a host does not begin with a hyphen", quoted(text)));
    }
    http::check(&format!("https://{rest}")).map(|_| ())
}
