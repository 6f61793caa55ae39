//! The arguments of the bridge command: the tools of a source that it names, and their
//! grants.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::call::{Answer, Grant, Server, Step, ToolCall};
use toolglot::core::descriptor::Caution;
use toolglot::core::quoted;
use toolglot::descriptor::Invocation;
use toolglot::{Accept, Format, Formats, ToolDescriptor};

use crate::as_json::as_json;

/// The tools of one source, as the server command of a converted bundle names them: `--for
/// FORMAT --source sha256:HEX --tool ID [--accept WHAT] [--allow WHAT] --tool ID …`.
///
/// ```
/// use gateway::Line;
///
/// let words = ["find", "--accept", "approval", "--tool", "list"].map(str::to_owned);
/// let source = format!("sha256:{}", "0".repeat(64));
/// assert!(Line::new("mcpb", &source, &words, None, toolglot::FORMATS).is_ok());
/// assert!(Line::new("mcpb", "tools.json", &words, None, toolglot::FORMATS).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Line {
    pub(crate) host: &'static Format,
    pub(crate) digest: String,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) tools: Vec<Pinned>,
    /// True if tools may reach this machine and the networks around it.
    pub(crate) private: bool,
}

/// One tool that a bridge command names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pinned {
    pub(crate) id: String,
    pub(crate) accepted: Vec<Accept>,
    pub(crate) untrusted: bool,
}

impl Line {
    /// Parses the arguments of a bridge command. `host` is the format whose host starts the
    /// command, `source` the digest of the source. `words` begin with the id of the first
    /// tool. `--accept` and `--allow untrusted` apply to the tool before them. The source
    /// is looked for below `folder`, and in the store.
    pub fn new(
        host: &str,
        source: &str,
        words: &[String],
        folder: Option<PathBuf>,
        formats: Formats<'static>,
    ) -> Result<Self, String> {
        let host = formats.named(host);
        let host = host.ok_or_else(|| "there is no format of that name".to_owned())?;
        let digest = source.strip_prefix("sha256:");
        let digest = digest.ok_or("--source is sha256: and 64 hexadecimal digits")?.to_owned();
        let mut line = Self { host, digest, folder, tools: Vec::new(), private: false };
        let Some((first, rest)) = words.split_first() else {
            return Err("no tool is named".to_owned());
        };
        line.tools.push(Pinned { id: first.clone(), ..Pinned::default() });
        for pair in rest.chunks(2) {
            let [word, value] = pair else { return Err(odd(pair.first())) };
            let Some(last) = line.tools.last_mut() else { continue };
            match (word.as_str(), value.as_str()) {
                ("--tool", id) => line.tools.push(Pinned { id: id.into(), ..Pinned::default() }),
                ("--accept", "disabled") => last.accepted.push(Accept::Disabled),
                ("--accept", "approval") => last.accepted.push(Accept::Approval),
                ("--allow", "untrusted") => last.untrusted = true,
                ("--allow", "private") => line.private = true,
                _ => return Err(odd(Some(word))),
            }
        }
        Ok(line)
    }

    /// Returns true if tools may reach this machine and the networks around it.
    pub fn allows_private(&self) -> bool {
        self.private
    }
}

fn odd(word: Option<&String>) -> String {
    let word = word.map_or("", String::as_str);
    format!("{} is no part of a line that names tools of a source", quoted(word))
}

/// Returns the grants of a bridge command for a tool of its source. Whoever runs the
/// command has agreed to unknown effects and to everything it accepts. Fails if the tool is
/// a bridge itself, or if it declares a safety feature that the host's format lacks and the
/// command does not accept its loss.
pub fn grants(
    tool: &ToolDescriptor<'_>,
    host: &Format,
    accepted: &[Accept],
    untrusted: bool,
) -> Result<BTreeSet<Grant>, &'static str> {
    let is_bridge = |call: &Invocation<'_>| call.is_pinned();
    if tool.calls().any(is_bridge) {
        return Err("the source calls a bridge itself");
    }
    // If the host's format supports a safety feature, the host has already enforced it.
    match host.accepted(tool).into_iter().find(|needed| !accepted.contains(needed)) {
        None => {}
        Some(Accept::Disabled) => {
            return Err("the source switches this tool off, and the line does not accept that");
        }
        Some(Accept::Approval | Accept::Bridge | Accept::Version) => {
            return Err("the source asks for approval, and the line does not accept its absence");
        }
    }
    let off = !Caution::of(tool).is_enabled();
    let more = [(off, Grant::Disabled), (untrusted, Grant::Untrusted)];
    let more = more.into_iter().filter_map(|(granted, grant)| granted.then_some(grant));
    Ok([Grant::Approved, Grant::Unknown].into_iter().chain(more).collect())
}

/// Returns true if a step depends on files in a folder. The digest of the source does not
/// cover them.
pub fn is_relative(step: &Step) -> bool {
    match step {
        Step::Run(program) | Step::CallTool(ToolCall { server: Server::Stdio(program), .. }) => {
            let name = program.argv.first().map(ToString::to_string).unwrap_or_default();
            let is_below = |path: &str| !Path::new(path).is_absolute();
            name.contains('/') && is_below(&name) || program.cwd.as_deref().is_some_and(is_below)
        }
        Step::Node(_) | Step::Python(_) | Step::Fetch(_) => true,
        Step::Send(_) | Step::CallTool(_) | Step::Call(_) | Step::Find(_) | Step::Ask(_) => false,
    }
}

/// Encodes an answer for the calling host. It becomes JSON if the host accepts nothing
/// else.
pub fn for_host(answer: Answer, host: &Format) -> Vec<u8> {
    let takes_json = matches!(host.name, "mcpkg" | "jumith");
    if !takes_json {
        return match answer.text() {
            Some(text) if text.is_empty() || text.ends_with('\n') => text.into_bytes(),
            Some(text) => (text + "\n").into_bytes(),
            None => answer.into_bytes(),
        };
    }
    format!("{}\n", as_json(answer)).into_bytes()
}
