//! The arguments of the bridge command: the tools of a source that it names, and their
//! grants.

use std::collections::BTreeSet;
use std::path::PathBuf;

use toolglot::call::Grant;
use toolglot::core::descriptor::RiskProfile;
use toolglot::core::quoted;
use toolglot::descriptor::Invocation;
use toolglot::{AcceptedLoss, Format, Formats, ToolDescriptor};

/// The tools of one source, as the server command of a converted bundle names them: `--for
/// FORMAT --source sha256:HEX --tool ID [--accept WHAT] [--allow WHAT] --tool ID …`.
///
/// ```
/// use toolglot_gateway::BridgeSpec;
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
#[derive(Clone, Debug)]
pub(crate) struct BridgeTool {
    pub(crate) id: String,
    pub(crate) accepted: Vec<AcceptedLoss>,
    pub(crate) untrusted: bool,
}

impl BridgeTool {
    fn new(id: &str) -> Self {
        Self { id: id.to_owned(), accepted: Vec::new(), untrusted: false }
    }
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
        let Some(host) = formats.by_name(host) else {
            return Err("there is no format of that name".to_owned());
        };
        let Some(digest) = source.strip_prefix("sha256:") else {
            return Err("--source is sha256: and 64 hexadecimal digits".to_owned());
        };
        let Some((first, rest)) = words.split_first() else {
            return Err("no tool is named".to_owned());
        };
        let (mut tools, mut private) = (Vec::new(), false);
        let mut tool = BridgeTool::new(first);
        for pair in rest.chunks(2) {
            let mut pair = pair.iter().map(String::as_str);
            match (pair.next().unwrap_or(""), pair.next()) {
                ("--tool", Some(id)) => {
                    tools.push(std::mem::replace(&mut tool, BridgeTool::new(id)));
                }
                ("--accept", Some("disabled")) => tool.accepted.push(AcceptedLoss::Disabled),
                ("--accept", Some("approval")) => tool.accepted.push(AcceptedLoss::Approval),
                ("--allow", Some("untrusted")) => tool.untrusted = true,
                ("--allow", Some("private")) => private = true,
                (word, _) => {
                    let word = quoted(word);
                    return Err(format!(
                        "{word} is no part of a line that names tools of a source"
                    ));
                }
            }
        }
        tools.push(tool);
        Ok(Self { host, digest: digest.to_owned(), folder, tools, private })
    }
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
    if tool.invocations().any(Invocation::is_pinned) {
        return Err("the source calls a bridge itself");
    }
    // If the host's format supports a safety feature, the host has already enforced it.
    for needed in host.losses_to_accept(tool) {
        if accepted.contains(&needed) {
            continue;
        }
        return Err(match needed {
            AcceptedLoss::Disabled => {
                "the source switches this tool off, and the line does not accept that"
            }
            AcceptedLoss::Approval | AcceptedLoss::Bridge | AcceptedLoss::Version => {
                "the source asks for approval, and the line does not accept its absence"
            }
        });
    }
    let mut grants = BTreeSet::from([Grant::Approved, Grant::Unknown]);
    if !RiskProfile::of(tool).is_enabled() {
        grants.insert(Grant::Disabled);
    }
    if untrusted {
        grants.insert(Grant::Untrusted);
    }
    Ok(grants)
}
