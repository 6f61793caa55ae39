//! The files that a converted manifest needs for its bridge: the source, the files that its
//! calls name, and the launcher.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use disk::sources::StoredSource;
use disk::{Access, Folder};
use toolglot::convert::ToolOutcome;
use toolglot::core::{ok_or_bug, printable, secret, sha256_hex, some_or_bug};
use toolglot::json::{Document, Node, quote};
use toolglot::{Conversion, Format, Limits, Options, RunMode, ToolDescriptor};

use crate::files::input::display_path;

/// The launcher for a format whose programs must be in a folder below the manifest. It
/// finds the manifest's folder from its own path.
const LAUNCHER: &str = "\
#!/bin/sh
# Makes the call of the source that a converted tool stands for.
exec toolglot bridge --folder \"$(dirname \"$0\")/../..\" \"$@\"
";

/// The files written for the bridge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BridgeFiles {
    /// The names of the files.
    pub(crate) written: Vec<String>,
    /// Reasons why the bridge may not run.
    pub(crate) warnings: Vec<String>,
}

/// A conversion with tools that call the bridge.
#[derive(Debug)]
pub(crate) struct BridgeSetup<'c> {
    /// The conversion.
    pub(crate) conversion: &'c Conversion,
    /// Its source.
    pub(crate) source: &'c Document<'c>,
    /// The format of the source.
    pub(crate) from: &'static Format,
    /// The format of the target.
    pub(crate) to: &'static Format,
    /// The folder of the source, if it was read from one.
    pub(crate) folder: Option<PathBuf>,
}

impl BridgeSetup<'_> {
    /// Returns the tools that call the bridge.
    fn tools(&self) -> impl Iterator<Item = &ToolOutcome> {
        self.conversion.tools.iter().filter(|tool| tool.runs == RunMode::ThroughTheBridge)
    }

    /// Writes the source for the bridge, the files that its calls name, and the launcher,
    /// to a folder, to the user's store, or to both.
    ///
    /// A source that contains a secret is not copied. If the tools call a gateway, nothing
    /// is written.
    pub(crate) fn write(
        &self,
        folder: Option<&Path>,
        to_store: bool,
        options: &Options,
    ) -> io::Result<BridgeFiles> {
        let mut beside = BridgeFiles::default();
        let by_gateway =
            options.defaults.gateway.is_some() && matches!(self.to.name, "capability" | "mcpkg");
        let nowhere = folder.is_none() && !to_store;
        if self.tools().next().is_none() || nowhere || by_gateway {
            return Ok(beside);
        }
        if !secret::scan(self.source.root(), 1).is_empty() {
            let warning = "the source holds a secret and is not copied: its bridge does not run";
            beside.warnings.push(warning.to_owned());
            return Ok(beside);
        }
        if to_store {
            let stored =
                self.collect_source(self.files(&options.limits), &mut beside).write_to_store()?;
            beside.written.push(display_path(&stored));
        }
        if let Some(folder) = folder {
            self.write_to(folder, options, &mut beside)?;
        }
        Ok(beside)
    }

    fn write_to(
        &self,
        folder: &Path,
        options: &Options,
        beside: &mut BridgeFiles,
    ) -> io::Result<()> {
        let opened = Folder::open(folder, Access::Shared)?;
        // The source's own folder already contains the files that its calls name.
        let in_place = self.folder().is_some_and(|own| is_same(own, folder));
        let files = if in_place { Vec::new() } else { self.files(&options.limits) };
        let written = self.collect_source(files, beside).write_beside(&opened)?;
        beside.written.extend(written);
        match self.to.name {
            "tools-json" => {
                let name = "tools/bin/toolglot-bridge";
                opened.write_program(name, LAUNCHER.as_bytes())?;
                beside.written.push(name.to_owned());
            }
            "jumith" => beside.written.extend(self.write_modules(&opened, options)?),
            _ => {}
        }
        Ok(())
    }

    /// Collects the source and its files, and adds a warning for each file that cannot be
    /// stored.
    fn collect_source(&self, files: Vec<String>, beside: &mut BridgeFiles) -> StoredSource<'_> {
        let kept = StoredSource::new(self.source.text(), files, self.folder());
        for (name, why) in &kept.skipped_files {
            let name = printable(name, 128);
            let warning = format!("{name} {why}: without it, the bridge may not run");
            if !beside.warnings.contains(&warning) {
                beside.warnings.push(warning);
            }
        }
        kept
    }

    fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the tools of the source. It was converted, so it is valid.
    fn lift_tools(&self, limits: &Limits) -> Vec<ToolDescriptor<'_>> {
        some_or_bug(ok_or_bug(self.from.lift(self.source, limits))).tools
    }

    /// Returns the files that calls of the bridged tools name.
    fn files(&self, limits: &Limits) -> Vec<String> {
        let bridged: BTreeSet<&str> = self.tools().map(|tool| tool.id.as_str()).collect();
        let tools = self.lift_tools(limits);
        let tools = tools.iter().filter(|tool| bridged.contains(tool.id.as_ref() as &str));
        let files: BTreeSet<String> = tools.flat_map(ToolDescriptor::local_files).collect();
        files.into_iter().collect()
    }

    /// Writes the modules that the bundles name as their entry.
    fn write_modules(&self, folder: &Folder, options: &Options) -> io::Result<Vec<String>> {
        let digest = sha256_hex(self.source.text().as_bytes());
        let tools = self.lift_tools(&options.limits);
        let mut written = Vec::new();
        for tool in self.tools() {
            let Some(document) = self.conversion.documents.get(tool.document) else { continue };
            let document = document.open();
            let main = document.root().get("entry").and_then(|entry| entry.get("main"));
            let Some(main) = main.and_then(Node::text) else { continue };
            let source = tools.iter().find(|one| *one.id.value == tool.id);
            let accepted = some_or_bug(source.map(|one| self.to.losses_to_accept(one)));
            let accepted = accepted.iter().map(|accept| ["--accept", accept.word()]);
            let allowed = options.defaults.private.then_some(["--allow", "private"]);
            let more: Vec<&str> = accepted.chain(allowed).flatten().collect();
            // A module may have no description.
            let text =
                |name| document.root().get(name).and_then(Node::text).unwrap_or(Cow::Borrowed(""));
            let (name, description) = (text("name"), text("description"));
            let module = module(&digest, &tool.id, &more, &name, &description);
            folder.write(main.as_ref(), module.as_bytes())?;
            written.push(main.into_owned());
        }
        Ok(written)
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

/// Returns the module of a bundle that starts the bridge. The folder of the module is two
/// levels below that of the manifest.
fn module(digest: &str, tool: &str, more: &[&str], name: &str, description: &str) -> String {
    let (source, tool) = (quote(&format!("sha256:{digest}")), quote(tool));
    let (name, description) = (quote(name), quote(description));
    let more: Vec<String> = more.iter().map(|word| format!(", {}", quote(word))).collect();
    let more = more.concat();
    format!(
        r#"// Makes the call of the source that a converted tool stands for.
import {{ spawn }} from "node:child_process";
import {{ fileURLToPath }} from "node:url";

const folder = fileURLToPath(new URL("../../", import.meta.url));
const line = ["bridge", "--for", "jumith", "--source", {source}, "--tool", {tool}{more}, "--folder", folder];

// Secrets come under keys that begin with the name of the tool.
const secrets = (env = {{}}) => {{
  const own = Object.entries(env).filter(([key]) => key.startsWith(`${{tool.name}}-`));
  return Object.fromEntries(own.map(([key, value]) => [key.slice(tool.name.length + 1), value]));
}};

export const tool = {{
  name: {name},
  description: {description},
  execute(input, context = {{}}) {{
    return new Promise((resolve, reject) => {{
      const env = {{ ...process.env, ...secrets(context.env) }};
      const child = spawn("toolglot", line, {{ env, stdio: ["pipe", "pipe", "pipe"] }});
      let out = "";
      let said = "";
      child.stdout.setEncoding("utf8").on("data", (text) => {{ out += text; }});
      child.stderr.setEncoding("utf8").on("data", (text) => {{ said += text; }});
      child.on("error", reject);
      child.stdin.on("error", () => {{}});
      child.on("close", (code) => {{
        if (code !== 0) return reject(new Error(said.trim() || `the bridge ended with code ${{code}}`));
        try {{ resolve(JSON.parse(out)); }} catch (error) {{ reject(error); }}
      }});
      child.stdin.end(JSON.stringify(input ?? {{}}));
    }});
  }},
}};

export default tool;
"#
    )
}
