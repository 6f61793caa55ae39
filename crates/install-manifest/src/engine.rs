//! Plans a host's work with a Toolspace install manifest that was read and checked.
//!
//! The modules follow the life of a tool: [`consent`] before the installation,
//! [`env`](mod@env) to collect variables, [`acquire`] to install, [`smoke`] to check the
//! installation, [`verify`] to check it over time, [`revoke`] to revoke it. Actions are
//! called like the tools of any format, with [`call::plan()`]. [`diff`](mod@diff) compares
//! two manifests before an upgrade, [`estimate`] plans the request for a cost estimate,
//! [`index`] reads lists of manifests, and [`scaffold`](mod@scaffold) writes a new
//! manifest.
//!
//! A [`Plan`](call::Plan) describes exactly what to run or to send, and contains no value
//! of a variable. The host carries it out and returns the [`Outcome`](call::Outcome), which
//! a function of this crate judges. This crate itself does no I/O.
//!
//! ```
//! use call::{End, Outcome, Step};
//! use toolglot_install_manifest::engine::consent::Summary;
//! use toolglot_install_manifest::engine::smoke::{self, Options};
//! use toolglot_install_manifest::{FORMAT, Manifest};
//! use manifest_core::{Limits, json::Document};
//!
//! let text = br#"{
//!   "manifest_version": "0.2",
//!   "tool": {
//!     "id": "tinytool",
//!     "version": "1.0.0",
//!     "name": "Tiny Tool",
//!     "summary": "A tiny tool.",
//!     "homepage": "https://example.com/tinytool"
//!   },
//!   "runtime": {
//!     "kind": "shell-binary",
//!     "install": {"method": "pip", "package": "tinytool", "version_spec": "==1.0.0"},
//!     "entrypoint": {"command": ["tinytool"]}
//!   },
//!   "actions": [{
//!     "name": "version",
//!     "summary": "Print the version.",
//!     "invocation": {"kind": "subcommand", "argv_template": ["--version"]},
//!     "side_effects": "none"
//!   }],
//!   "smoke": {
//!     "kind": "shell",
//!     "command": ["tinytool", "--version"],
//!     "success": {"exit_code": 0}
//!   },
//!   "kill_switch": {"kind": "manual", "instructions_url": "https://example.com/revoke"}
//! }"#;
//! let document = Document::parse(text, &Limits::default())?;
//! let manifest = Manifest::read(&document).ok_or("not a manifest")?;
//!
//! // What the owner is to agree to.
//! let summary = Summary::new(&manifest);
//! let kinds: Vec<_> = summary.concerns.iter().map(|concern| concern.kind).collect();
//! assert_eq!(kinds, ["manual-kill-switch"]);
//!
//! // How the installation is checked: the host runs it, and tells what came of it.
//! let (tools, options) = (FORMAT.lift_valid(&document, 0).tools, Options::default());
//! let plan = smoke::plan(&manifest, &tools, &|_| false, &options)
//!     .map_err(manifest_core::Report::from)?;
//! let Step::Run(program) = &plan.step else { panic!("a program") };
//! assert_eq!(program.argv, ["tinytool".into(), "--version".into()]);
//! let stdout = b"1.0.0\n".to_vec();
//! let outcome = Outcome::Exited { end: End::Exit(0), stdout, stderr: vec![] };
//! assert!(smoke::judge(&manifest, &outcome, &|_| None, &options).passed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "acquire")]
pub mod acquire;
pub mod consent;
pub mod diff;
pub mod env;
pub mod estimate;
pub mod index;
mod plan_step;
pub mod revoke;
pub mod rules;
pub mod scaffold;
pub mod smoke;
mod values;
pub mod verify;
