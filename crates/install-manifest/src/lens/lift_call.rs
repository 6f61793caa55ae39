//! Lifts the installation and the invocation.

use manifest_core::descriptor::{
    Acquisition, Body, Command, CommandInput, Http, Invocation, McpTool, Package,
};
use manifest_core::format::Reader;
use manifest_core::json::Node;
use manifest_core::{Sourced, Text};

use super::optional::{OptionalNode, of};
use crate::table::{
    INSTALL_CONTAINER, INSTALL_GIT, INSTALL_PREINSTALLED, INSTALL_URL, INVOCATION_HTTP,
    INVOCATION_MCP_TOOL, INVOCATION_STDIN_JSON, PACKAGE,
};
use manifest_core::template;

pub(super) fn lift_install<'a>(
    reader: &mut Reader<'a>,
    node: OptionalNode<'a>,
) -> Option<Sourced<Acquisition<'a>>> {
    let method = node?.get("method");
    let acquisition = match method?.text()?.as_ref() {
        word @ ("pip" | "npm") => {
            let [package, version_spec] = of(node, &PACKAGE);
            let (package, version_spec) = (reader.text(package)?, reader.text(version_spec));
            match word {
                "pip" => Acquisition::Pip { package, version_spec },
                _ => Acquisition::Npm { package, version_spec },
            }
        }
        "git" => {
            let [url, reference, subpath, layout] = of(node, &INSTALL_GIT);
            Acquisition::Git {
                url: reader.text(url)?,
                reference: reader.text(reference)?,
                subpath: reader.text(subpath),
                layout: reader.text(layout),
            }
        }
        "container" => {
            let [image] = of(node, &INSTALL_CONTAINER);
            Acquisition::Container { image: reader.text(image)? }
        }
        "url" => {
            let [url, sha256] = of(node, &INSTALL_URL);
            Acquisition::Download { url: reader.text(url)?, sha256: reader.text(sha256)? }
        }
        _ => {
            let [locator] = of(node, &INSTALL_PREINSTALLED);
            Acquisition::Preinstalled { locator: reader.raw(locator)? }
        }
    };
    reader.word(method, |_| Some(acquisition))
}

pub(super) fn lift_call<'a>(
    reader: &mut Reader<'a>,
    node: OptionalNode<'a>,
    package: &Package<'a>,
) -> Option<Sourced<Invocation<'a>>> {
    let kind = node?.get("kind");
    let (mut argv, cwd) = (package.command.clone(), package.cwd.clone());
    let call = match kind?.text()?.as_ref() {
        word @ ("subcommand" | "stdin-json") => {
            let [template] = of(node, &INVOCATION_STDIN_JSON);
            let words = reader.texts(template);
            let input = if word == "subcommand" {
                CommandInput::Templates(words)
            } else if words.iter().any(|word| template::has_reference(word)) {
                CommandInput::TemplatesAndStdin(words)
            } else {
                if !words.is_empty() {
                    argv = argv.iter().cloned().chain(words).collect();
                }
                CommandInput::Stdin
            };
            Invocation::Command(Command { argv, cwd, input })
        }
        "http" => {
            let [method, path, headers] = of(node, &INVOCATION_HTTP);
            let mut values = Vec::new();
            for one in headers.into_iter().flat_map(Node::members) {
                if let Some(value) = reader.text(Some(one.value)) {
                    values.push((one.name(), value));
                }
            }
            Invocation::Http(Http {
                method: reader.text(method)?,
                // A valid manifest has the URL. Without it, the plan of the call reports that.
                url: package.url.clone().unwrap_or(Text::Borrowed("").into()),
                path: reader.text(path),
                headers: values.into_iter().collect(),
                body: Body::Rest,
            })
        }
        _ => {
            let [tool] = of(node, &INVOCATION_MCP_TOOL);
            let tool = reader.text(tool)?;
            // A runtime may have both a program and a URL. Its kind decides which of them
            // is the server.
            let runtime =
                reader.root().get("runtime").and_then(|runtime| runtime.get("kind")?.text());
            let url = package.url.clone();
            Invocation::McpTool(match runtime.as_deref() {
                Some("mcp-stdio") if !argv.is_empty() => McpTool { tool, argv, cwd, url: None },
                Some("mcp-http") if url.is_some() => {
                    McpTool { tool, argv: <_>::default(), cwd: None, url }
                }
                _ => McpTool { tool, argv, cwd, url },
            })
        }
    };
    reader.word(kind, |_| Some(call))
}
