//! The arguments of the bridge command: the tools of a source that it names, and their
//! grants.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use toolglot::call::{Answer, Grant, Server, Step, ToolCall};
use toolglot::core::descriptor::RiskProfile;
use toolglot::core::quoted;
use toolglot::descriptor::Invocation;
use toolglot::{AcceptedLoss, Format, Formats, ToolDescriptor};

use crate::as_json::as_json;

/// The tools of one source, as the server command of a converted bundle names them: `--for
/// FORMAT --source sha256:HEX --tool ID [--accept WHAT] [--allow WHAT] --tool ID …`.
///
/// ```
/// use gateway::BridgeSpec;
///
/// let words = ["find", "--accept", "approval", "--tool", "list"].map(str::to_owned);
/// let source = format!("sha256:{}", "0".repeat(64));
/// assert!(BridgeSpec::new("mcpb", &source, &words, None, toolglot::FORMATS).is_ok());
/// assert!(BridgeSpec::new("mcpb", "tools.json", &words, None, toolglot::FORMATS).is_err());
/// ```
#[derive(Clone, Debug)]
pub struct BridgeSpec {
    pub(crate) host: &'static Format,
    pub(crate) digest: String,
    pub(crate) folder: Option<PathBuf>,
    pub(crate) tools: Vec<BridgeTool>,
    /// True if tools may reach this machine and the networks around it.
    pub(crate) private: bool,
}

/// One tool that a bridge command names.
#[derive(Clone, Debug, Default)]
pub(crate) struct BridgeTool {
    pub(crate) id: String,
    pub(crate) accepted: Vec<AcceptedLoss>,
    pub(crate) untrusted: bool,
}

impl BridgeSpec {
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
        let host = formats.by_name(host);
        let host = host.ok_or_else(|| "there is no format of that name".to_owned())?;
        let digest = source.strip_prefix("sha256:");
        let digest = digest.ok_or("--source is sha256: and 64 hexadecimal digits")?.to_owned();
        let mut line = Self { host, digest, folder, tools: Vec::new(), private: false };
        let Some((first, rest)) = words.split_first() else {
            return Err("no tool is named".to_owned());
        };
        line.tools.push(BridgeTool { id: first.clone(), ..BridgeTool::default() });
        for pair in rest.chunks(2) {
            let [word, value] = pair else { return Err(unexpected_argument(pair.first())) };
            let Some(last) = line.tools.last_mut() else { continue };
            match (word.as_str(), value.as_str()) {
                ("--tool", id) => {
                    line.tools.push(BridgeTool { id: id.into(), ..BridgeTool::default() });
                }
                ("--accept", "disabled") => last.accepted.push(AcceptedLoss::Disabled),
                ("--accept", "approval") => last.accepted.push(AcceptedLoss::Approval),
                ("--allow", "untrusted") => last.untrusted = true,
                ("--allow", "private") => line.private = true,
                _ => return Err(unexpected_argument(Some(word))),
            }
        }
        Ok(line)
    }

    /// Returns true if tools may reach this machine and the networks around it.
    pub fn allows_private_addresses(&self) -> bool {
        self.private
    }
}

fn unexpected_argument(word: Option<&String>) -> String {
    let word = word.map_or("", String::as_str);
    format!("{} is no part of a line that names tools of a source", quoted(word))
}

/// Returns the grants of a bridge command for a tool of its source. Whoever runs the
/// command has agreed to unknown effects and to everything it accepts. Fails if the tool is
/// a bridge itself, or if it declares a safety feature that the host's format lacks and the
/// command does not accept its loss.
pub fn bridge_grants(
    tool: &ToolDescriptor<'_>,
    host: &Format,
    accepted: &[AcceptedLoss],
    untrusted: bool,
) -> Result<BTreeSet<Grant>, &'static str> {
    let is_bridge = |call: &Invocation<'_>| call.is_pinned();
    if tool.invocations().any(is_bridge) {
        return Err("the source calls a bridge itself");
    }
    // If the host's format supports a safety feature, the host has already enforced it.
    match host.losses_to_accept(tool).into_iter().find(|needed| !accepted.contains(needed)) {
        None => {}
        Some(AcceptedLoss::Disabled) => {
            return Err("the source switches this tool off, and the line does not accept that");
        }
        Some(AcceptedLoss::Approval | AcceptedLoss::Bridge | AcceptedLoss::Version) => {
            return Err("the source asks for approval, and the line does not accept its absence");
        }
    }
    let off = !RiskProfile::of(tool).is_enabled();
    let more = [(off, Grant::Disabled), (untrusted, Grant::Untrusted)];
    let more = more.into_iter().filter_map(|(granted, grant)| granted.then_some(grant));
    Ok([Grant::Approved, Grant::Unknown].into_iter().chain(more).collect())
}

/// Returns true if a step depends on files in a folder. The digest of the source does not
/// cover them.
pub fn depends_on_folder(step: &Step) -> bool {
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
pub fn encode_for_host(answer: Answer, host: &Format) -> Vec<u8> {
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
