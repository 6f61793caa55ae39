//! Plans the installation of a tool: exact commands, or a download and its digest.
//!
//! No command goes through a shell. Names, references and versions are checked before they
//! become arguments, so that they cannot be taken for options.
//!
//! Everything except container images is installed below one folder: Python packages into
//! the virtual environment `venv`, Node packages into `node_modules`, a repository into
//! `source`, and a download into `bin`, or into the folder itself if the tool is started as
//! `./NAME`. Installing runs no code of the tool unless the owner [allowed](CodePermissions) it.
//!
//! ```
//! use call::Step;
//! use toolglot_install_manifest::engine::acquire::{self, InstallHost};
//! # use toolglot_install_manifest::Manifest;
//! # use manifest_core::{Limits, json::Document};
//!
//! # let text = br#"{
//! #   "manifest_version": "0.2",
//! #   "tool": {"id": "tiny", "version": "1.0.0", "name": "Tiny", "summary": "Tiny.",
//! #     "homepage": "https://example.com"},
//! #   "runtime": {"kind": "python-module", "install": {"method": "pip", "package": "tinytool",
//! #     "version_spec": ">=1.2,<2"}},
//! #   "smoke": {"kind": "shell", "command": ["tiny"], "success": {}},
//! #   "kill_switch": {"kind": "none"}
//! # }"#;
//! # let document = Document::parse(text, &Limits::default())?;
//! let manifest = Manifest::read(&document).ok_or("not a manifest")?;
//! let installation = acquire::plan(&manifest, &InstallHost::new("/srv/tools/tiny"))
//!     .map_err(manifest_core::Report::from)?;
//! let Step::Run(program) = &installation.plans[1].step else { return Err("a program".into()) };
//! let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
//! assert_eq!(argv[..5], ["/srv/tools/tiny/venv/bin/python", "-I", "-m", "pip", "install"]);
//! assert_eq!(argv.last().map(String::as_str), Some("tinytool>=1.2,<2"));
//! assert_eq!(installation.programs, ["/srv/tools/tiny/venv/bin"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::str::FromStr;

use crate::grammar;
use crate::installer as is;
use crate::{Install, Layout, Locator, Manifest, RuntimeKind, rules};
use call::{Download, FindKind, FindTarget, OutcomeUse, Plan, Program, Step};
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{Diagnostic, Pointer, quoted};
use serde::Serialize;

use crate::engine::plan_step;
use crate::engine::rules::VERSION_SPEC;
use crate::http;

mod components;

pub use components::{Component, components};

/// The folder and the programs for an installation, and the permissions of the owner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstallHost<'h> {
    /// An empty folder for the tool. All files are installed below it.
    pub folder: &'h str,
    /// The Python program that creates the virtual environment.
    pub python: &'h str,
    /// The npm program.
    pub npm: &'h str,
    /// The git program.
    pub git: &'h str,
    /// The container program, such as `docker` or `podman`.
    pub container: &'h str,
    /// The code that the owner allowed to run.
    pub permissions: CodePermissions,
}

impl<'h> InstallHost<'h> {
    /// Creates a host with the usual programs, which allows no code of the tool to run.
    pub const fn new(folder: &'h str) -> Self {
        let allowed = CodePermissions { sdist: false, scripts: false };
        Self {
            folder,
            python: "python3",
            npm: "npm",
            git: "git",
            container: "docker",
            permissions: allowed,
        }
    }
}

/// Code of strangers that an installation may run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CodePermissions {
    /// Python packages may be built, which runs their code.
    pub sdist: bool,
    /// npm packages may run their install scripts.
    pub scripts: bool,
}

/// The plan of an installation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Installation {
    /// The steps, in order. Each is judged by itself, and the first failure ends the
    /// installation.
    pub plans: Vec<Plan>,
    /// The step that lists the installed packages, for [`components()`]. `None` if the manifest
    /// itself names all components.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listing: Option<Plan>,
    /// The folders of the installed programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The working directory of the programs, if they are files of a repository or of the
    /// folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// True if a package must be built, which runs its code, and [`CodePermissions::sdist`] does
    /// not allow it. The host must not continue in this case.
    pub builds: bool,
    /// Warnings to check before the installation, for example about versions that are not
    /// pinned.
    pub warnings: Vec<Diagnostic>,
}

/// The maximum length of a version specifier, in bytes.
const MAX_SPEC_BYTES: usize = 256;

/// Plans the installation of a tool, or returns every reason why it cannot be installed.
pub fn plan(
    manifest: &Manifest<'_>,
    host: &InstallHost<'_>,
) -> Result<Installation, Vec<Diagnostic>> {
    let mut planner = InstallPlanner {
        manifest,
        host,
        errors: Vec::new(),
        installation: Installation {
            plans: Vec::new(),
            listing: None,
            programs: Vec::new(),
            directory: None,
            builds: false,
            warnings: Vec::new(),
        },
    };
    let kind = manifest.runtime.kind;
    match &manifest.runtime.install {
        Install::Pip { package, version_spec } => planner.pip(package, version_spec.as_deref()),
        Install::Npm { package, version_spec } => planner.npm(package, version_spec.as_deref()),
        Install::Git { url, reference, subpath, layout } => {
            planner.git(url, reference, subpath.as_deref(), *layout, kind);
        }
        Install::Container { image } => planner.container(image),
        Install::Url { url, sha256 } => planner.download(url, sha256),
        Install::Preinstalled { locator } => planner.locate(locator),
    }
    if planner.errors.is_empty() { Ok(planner.installation) } else { Err(planner.errors) }
}

/// The variables of the host that an installer inherits in addition to those of every
/// program. They configure which servers it uses, and how it reaches them.
const INSTALLER_ENV: &[&str] = &[
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SSH_AUTH_SOCK",
    "XDG_CONFIG_HOME",
    "PIP_CONFIG_FILE",
    "PIP_INDEX_URL",
    "PIP_CERT",
    "NPM_CONFIG_REGISTRY",
    "NPM_CONFIG_CAFILE",
    "NODE_EXTRA_CA_CERTS",
    "GIT_SSL_CAINFO",
    "DOCKER_HOST",
    "DOCKER_CONFIG",
    "CONTAINER_HOST",
];

struct InstallPlanner<'h> {
    manifest: &'h Manifest<'h>,
    host: &'h InstallHost<'h>,
    errors: Vec<Diagnostic>,
    installation: Installation,
}

/// Returns the pointer of a member of `install`. The name may have several parts.
fn install_pointer(name: &str) -> Pointer {
    Pointer::from_trusted(&format!("/runtime/install/{name}"))
}

impl InstallPlanner<'_> {
    fn push(&mut self, step: Step) {
        self.installation.plans.push(plan_step::plan(self.manifest, &[], step, &|_| false));
    }

    fn run<S: AsRef<str>>(&mut self, argv: &[S]) {
        self.push(installer_step(argv));
    }

    fn set_listing<S: AsRef<str>>(&mut self, argv: &[S]) {
        self.installation.listing =
            Some(plan_step::plan(self.manifest, &[], installer_step(argv), &|_| false));
    }

    /// Installs a package into a new virtual environment. With `-I`, Python does not import
    /// from the working directory.
    fn install_python(&mut self, what: &str) {
        let InstallHost { folder, python, permissions: allowed, .. } = *self.host;
        let venv = format!("{folder}/venv");
        self.run(&[python, "-I", "-m", "venv", "--", &venv]);
        let python = format!("{venv}/bin/python");
        let mut argv = vec![python.as_str(), "-I", "-m", "pip", "install", "--no-input"];
        argv.push("--disable-pip-version-check");
        if !allowed.sdist {
            argv.extend(["--only-binary", ":all:"]);
        }
        argv.extend(["--", what]);
        self.run(&argv);
        let quiet = "--disable-pip-version-check";
        self.set_listing(&[python.as_str(), "-I", "-m", "pip", "list", quiet, "--format=json"]);
        self.installation.programs.push(format!("{venv}/bin"));
    }

    /// Installs `package` into the folder `prefix`, or the dependencies of that folder if
    /// `package` is `None`.
    fn install_node(&mut self, prefix: &str, package: Option<&str>) {
        let InstallHost { npm, permissions: allowed, .. } = *self.host;
        let mut argv = vec![npm, "install", "--no-fund", "--no-audit"];
        if !allowed.scripts {
            argv.push("--ignore-scripts");
        }
        argv.extend(["--prefix", prefix]);
        if let Some(package) = package {
            argv.extend(["--", package]);
        }
        self.run(&argv);
        self.set_listing(&[npm, "ls", "--all", "--json", "--prefix", prefix]);
        self.installation.programs.push(format!("{prefix}/node_modules/.bin"));
    }

    /// Requires the last step to print this text, apart from white space at the ends.
    fn require_output(&mut self, text: String) {
        if let Some(Plan { then: OutcomeUse::Judge(judge), .. }) =
            self.installation.plans.last_mut()
        {
            judge.prints = Some(text);
        }
    }

    fn check_argument(&mut self, name: &str, text: &str, is_one: fn(&str) -> bool) {
        if !is_one(text) {
            let message = format!("{} cannot be handed to an installer", quoted(text));
            self.errors.push(rules::INSTALL_ARGUMENT.at_pointer(install_pointer(name), message));
        }
    }

    fn warn_unpinned(&mut self, name: &str, message: &str) {
        self.installation.warnings.push(rules::UNPINNED.at_pointer(install_pointer(name), message));
    }

    /// Checks a version specifier with the parser of its ecosystem. Warns if it is missing.
    fn check_version(&mut self, spec: Option<&str>, is_good: fn(&str) -> bool, example: &str) {
        match spec {
            None => self.warn_unpinned("version_spec", "the newest version is installed"),
            Some(spec) => {
                if spec.len() > MAX_SPEC_BYTES || !is_good(spec) {
                    let message = format!("{} is not a version specifier", quoted(spec));
                    let refused = VERSION_SPEC.at_pointer(install_pointer("version_spec"), message);
                    self.errors.push(refused.help(format!("write one such as {example}")));
                }
            }
        }
    }

    fn pip(&mut self, package: &str, spec: Option<&str>) {
        self.check_argument("package", package, is::is_pip_package);
        self.check_version(spec, is_pip_specifier, "\">=1.2,<2\"");
        self.install_python(&format!("{package}{}", spec.unwrap_or("").trim()));
    }

    fn npm(&mut self, package: &str, spec: Option<&str>) {
        self.check_argument("package", package, is::is_npm_package);
        self.check_version(spec, is_npm_range, "\"^1.2.3\"");
        let package = match spec.unwrap_or("").trim() {
            "" => package.to_owned(),
            spec => format!("{package}@{spec}"),
        };
        self.install_node(self.host.folder, Some(&package));
    }

    fn git(
        &mut self,
        url: &str,
        reference: &str,
        subpath: Option<&str>,
        layout: Option<Layout>,
        kind: RuntimeKind,
    ) {
        if let Err(error) = check_git_url(url) {
            self.errors.push(rules::URL.at_pointer(install_pointer("url"), error));
        }
        self.check_argument("ref", reference, is::is_git_reference);
        if let Some(subpath) = subpath
            && let Err(error) = check_portable(subpath, &PathLimits::default())
        {
            let message = format!("{}: {error}", quoted(subpath));
            self.errors
                .push(rules::INSTALL_ARGUMENT.at_pointer(install_pointer("subpath"), message));
        }
        let source = format!("{}/source", self.host.folder);
        self.checkout(url, reference, &source);
        let package = match subpath {
            Some(subpath) => format!("{source}/{subpath}"),
            None => source,
        };
        match (layout, kind) {
            (Some(Layout::Package), RuntimeKind::PythonModule) => {
                self.installation.builds = !self.host.permissions.sdist;
                self.install_python(&package);
            }
            (Some(Layout::Package), RuntimeKind::NodeModule) => self.install_node(&package, None),
            _ => {}
        }
        self.installation.directory = Some(package);
    }

    /// Checks out one commit of a repository.
    fn checkout(&mut self, url: &str, reference: &str, source: &str) {
        let git = self.host.git;
        self.run(&[git, "init", "--quiet", "--", source]);
        // A URL of the `ext` transport would run a command.
        let safe = "protocol.ext.allow=never";
        let fetch = [git, "-C", source, "-c", safe, "fetch", "--quiet", "--depth=1", "--"];
        self.run(&[&fetch[..], &[url, reference]].concat());
        self.run(&[git, "-C", source, "checkout", "--quiet", "--detach", "FETCH_HEAD", "--"]);
        let head = [git, "-C", source, "rev-parse", "--verify", "HEAD"];
        if is::is_commit(reference) {
            self.run(&head);
            self.require_output(reference.to_ascii_lowercase());
        } else {
            self.warn_unpinned("ref", "the reference is not a full commit, and can move");
        }
        self.set_listing(&head);
    }

    fn container(&mut self, image: &str) {
        self.check_argument("image", image, is::is_image);
        if !is::has_digest(image) {
            self.warn_unpinned("image", "the image has no digest, and can change");
        }
        self.run(&[self.host.container, "pull", "--quiet", image]);
    }

    fn download(&mut self, url: &str, sha256: &str) {
        if let Err(error) = http::parse_url(url) {
            self.errors.push(rules::URL.at_pointer(install_pointer("url"), error));
        }
        if !grammar::SHA256.matches(sha256) {
            let message = format!("{} is not a SHA-256", quoted(sha256));
            self.errors.push(rules::PATTERN.at_pointer(install_pointer("sha256"), message));
        }
        let folder = self.host.folder;
        // The file gets the name that starts the tool. If that name is missing or could
        // lead elsewhere, the file is called `tool`.
        let started = match &self.manifest.runtime.entrypoint {
            Some(entrypoint) => entrypoint.command.first().map_or("./tool", AsRef::as_ref),
            None => "./tool",
        };
        let path = if is::is_program(started) {
            self.installation.programs.push(format!("{folder}/bin"));
            format!("{folder}/bin/{started}")
        } else {
            self.installation.directory = Some(folder.to_owned());
            match started.strip_prefix("./") {
                Some(name) if is::is_program(name) => format!("{folder}/{name}"),
                _ => format!("{folder}/tool"),
            }
        };
        let (url, sha256) = (url.to_owned(), sha256.to_owned());
        self.push(Step::Fetch(Download { url, sha256, path }));
    }

    fn locate(&mut self, locator: &Locator<'_>) {
        match locator {
            Locator::PythonModule { module } => {
                self.check_argument("locator/module", module, is::is_python_module);
                let program = "import importlib.util, sys; \
                               sys.exit(importlib.util.find_spec(sys.argv[1]) is None)";
                self.run(&[self.host.python, "-c", program, module]);
            }
            Locator::BinaryOnPath { binary } => {
                self.check_argument("locator/binary", binary, is::is_program);
                let target = FindTarget { what: FindKind::Program, name: binary.to_string() };
                self.push(Step::Find(target));
            }
            Locator::McpServerId { server_id } => {
                let target = FindTarget { what: FindKind::Server, name: server_id.to_string() };
                self.push(Step::Find(target));
            }
        }
    }
}

fn is_pip_specifier(text: &str) -> bool {
    pep440_rs::VersionSpecifiers::from_str(text).is_ok()
}

fn is_npm_range(text: &str) -> bool {
    nodejs_semver::Range::parse(text).is_ok()
}

/// Returns the step that runs an installer. It gets no variables of the tool.
fn installer_step<S: AsRef<str>>(argv: &[S]) -> Step {
    let mut program: Program = plan_step::plain_program(argv);
    program.inherit.extend(INSTALLER_ENV.iter().map(ToString::to_string));
    Step::Run(program)
}

/// Checks the URL of a repository. The scheme must be https, http, ssh or git. The only
/// user name that is allowed is `git`, and only with ssh.
fn check_git_url(text: &str) -> Result<(), String> {
    let rest = match text.split_once("://") {
        Some(("ssh", rest)) => rest.strip_prefix("git@").unwrap_or(rest),
        Some(("https" | "http" | "git", rest)) => rest,
        _ => return Err(format!("{}: the scheme must be https, http, ssh or git", quoted(text))),
    };
    if rest.starts_with('-') {
        return Err(format!("{}: a host does not begin with a hyphen", quoted(text)));
    }
    http::parse_url(&format!("https://{rest}")).map(|_| ())
}
