//! Installing a tool: exact commands, or a download and what it must be.
//!
//! Nothing here is a line for a shell. Names, references and versions are checked
//! before they become arguments, so that none of them is taken for an option.
//!
//! ```
//! use call::Step;
//! use install_engine::acquire::{self, Host};
//! # use install_manifest::Manifest;
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
//! let installation = acquire::plan(&manifest, &Host::new("/srv/tools/tiny"))
//!     .map_err(|problems| format!("{problems:?}"))?;
//! let Step::Run(program) = &installation.plans[0].step else { return Err("a program".into()) };
//! let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
//! assert_eq!(argv[..4], ["python3", "-m", "pip", "install"]);
//! assert_eq!(argv.last().map(String::as_str), Some("tinytool>=1.2,<2"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::str::FromStr;

use call::{Download, Plan, Sought, Step, Then, What};
use install_manifest::installer as is;
use install_manifest::{Install, Layout, Locator, Manifest, RuntimeKind, rules};
use manifest_core::path::{PathLimits, check_portable};
use manifest_core::{Diagnostic, Limits, Pointer, quoted};
use serde::Serialize;

use crate::rules::VERSION_SPEC;
use crate::{http, own};

/// What a host installs with, and where to.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// How to install a tool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Installation {
    /// Every step, in order, each judged by itself. The first that fails is the last.
    pub plans: Vec<Plan>,
    /// What a careful host looks at before it goes on.
    pub warnings: Vec<Diagnostic>,
}

/// No specifier that means anything is longer, in bytes.
const LONGEST_SPEC: usize = 256;

/// Plans the installation of a tool, or gives every reason why not.
pub fn plan(manifest: &Manifest<'_>, host: &Host<'_>) -> Result<Installation, Vec<Diagnostic>> {
    let mut making =
        Making { manifest, host, errors: Vec::new(), warnings: Vec::new(), plans: Vec::new() };
    let kind = manifest.runtime.kind;
    match &manifest.runtime.install {
        Install::Pip { package, version_spec } => making.pip(package, version_spec.as_deref()),
        Install::Npm { package, version_spec } => making.npm(package, version_spec.as_deref()),
        Install::Git { url, reference, subpath, layout } => {
            making.git(url, reference, subpath.as_deref(), *layout, kind);
        }
        Install::Container { image } => making.container(image),
        Install::Url { url, sha256 } => making.download(url, sha256),
        Install::Preinstalled { locator } => making.locate(locator),
    }
    let Making { errors, warnings, plans, .. } = making;
    if errors.is_empty() { Ok(Installation { plans, warnings }) } else { Err(errors) }
}

struct Making<'h> {
    manifest: &'h Manifest<'h>,
    host: &'h Host<'h>,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
    plans: Vec<Plan>,
}

fn place(name: &str) -> Pointer {
    Pointer::parse(&format!("/runtime/install/{name}")).unwrap_or_default()
}

impl Making<'_> {
    /// One more step. An installer is given no variable of the tool.
    fn push(&mut self, step: Step) {
        self.plans.push(own::plan(self.manifest, &[], step, &|_| false));
    }

    fn run<S: AsRef<str>>(&mut self, argv: &[S]) {
        self.push(Step::Run(own::plain(argv)));
    }

    /// What the last step must print, apart from white space at the ends.
    fn prints(&mut self, text: String) {
        if let Some(Plan { then: Then::Judge(judge), .. }) = self.plans.last_mut() {
            judge.prints = Some(text);
        }
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
                    let refused = VERSION_SPEC.at_pointer(place("version_spec"), message);
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
            self.run(&[git, "-C", folder, "rev-parse", "--verify", "HEAD"]);
            self.prints(reference.to_ascii_lowercase());
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
        self.push(Step::Fetch(Download {
            url: url.to_owned(),
            sha256: sha256.to_owned(),
            // The name in the URL is a stranger's; this one cannot lead elsewhere.
            path: format!("{}/tool", self.host.folder),
        }));
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
                self.push(Step::Find(Sought { what: What::Program, name: binary.to_string() }));
            }
            Locator::McpServerId { server_id } => {
                self.push(Step::Find(Sought { what: What::Server, name: server_id.to_string() }));
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
