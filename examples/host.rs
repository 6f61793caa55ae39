//! A host in a few lines: a folder of manifests of all formats, listed for a model, and the calls
//! that the model asks for. Its words are the folder, and then names and arguments in turn.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use host::{Host, Options, Origin, Values, collect};
use toolglot::call::{Grant, HostFacts, Policy, plan};
use toolglot::providers::{self, Revision, Target};
use toolglot::{FORMATS, Limits, json::Document};

type Done = Result<(), Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (folder, asked) = words.split_first().ok_or("name a folder")?;
    serve(Path::new(folder), asked, &mut std::io::stdout()).await
}

/// Lists the tools in a folder, and makes the calls that are asked for.
pub(crate) async fn serve(at: &Path, asked: &[String], out: &mut impl Write) -> Done {
    let host = Host::new(Options { private_addresses: true, ..Options::default() })?;
    // What the person has agreed to: what manifests do not say, and nothing that they ask about.
    let granted = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
    let has = |_: &str| false;
    let facts =
        HostFacts { has_value: &has, implementation: None, installed: true, policy: &granted };
    let limits = Limits::default();
    for entry in std::fs::read_dir(at)? {
        let path = entry?.path();
        if path.extension() != Some("json".as_ref()) {
            continue;
        }
        let text = std::fs::read_to_string(&path)?;
        let document = Document::parse(text.as_bytes(), &limits)?;
        let (format, _) = FORMATS.detect(&document)?;
        let tools = format.lift(&document, &limits)?.tools;
        let target = providers::Options::new(Target::Mcp(Revision::R20251125));
        for offer in &providers::export(&tools, &target).offers {
            writeln!(out, "{}", offer.json.as_str())?;
            for [_, sent] in asked.as_chunks().0.iter().filter(|[name, _]| *name == offer.name) {
                let arguments = offer.argument_converter(&limits)?.decode(sent)?;
                let contract = (format.contract)(offer.tool);
                let plan = plan(offer.tool, &contract, &arguments, &facts, &limits)?;
                let values = collect(&plan.variables, &Values::new(), None)?;
                let origin = Origin { manifest: Some(text.clone()), ..Origin::folder(at) };
                let answer = host.call(&plan, &origin, &values).await?.text().unwrap_or_default();
                writeln!(out, "{} answers {}", offer.name, answer.trim())?;
            }
        }
    }
    host.close().await;
    Ok(())
}
