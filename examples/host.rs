//! A host in a few lines: the tools of a folder, listed for a model, and the calls that it asks for.
//! Its words are the folder, and then names and arguments in turn.
use std::{error::Error, fs, io::Write, path::Path};

use host::{Host, Options, Origin, Values, collect};
use toolglot::call::{Grant, Policy};
use toolglot::providers::{Revision, Target};

type Done = Result<(), Box<dyn Error>>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Done {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let (folder, asked) = words.split_first().ok_or("name a folder")?;
    serve(folder.as_ref(), asked, &mut std::io::stdout()).await
}

pub(crate) async fn serve(at: &Path, asked: &[String], out: &mut impl Write) -> Done {
    let host = Host::new(Options { private_addresses: true, ..Options::default() })?;
    // What the person has agreed to: what manifests do not say, and nothing that they ask about.
    let policy = Policy { grants: [Grant::Unknown].into(), ..Policy::default() };
    let mut tools = toolglot::Toolbox::new(policy);
    for file in fs::read_dir(at)?.collect::<Result<Vec<_>, _>>()? {
        if file.path().extension() == Some("json".as_ref()) {
            tools.add(file.file_name().to_string_lossy(), fs::read(file.path())?)?;
        }
    }
    writeln!(out, "{}", serde_json::to_string(tools.offers(Target::Mcp(Revision::R20251125)))?)?;
    for [name, sent] in asked.as_chunks().0 {
        let plan = tools.plan(name, sent).ready()?;
        let tool = tools.find(name)?;
        let origin = Origin { manifest: Some(tool.manifest.text().into()), ..Origin::folder(at) };
        let values = collect(&plan.variables, &Values::new(), None)?;
        let answer = host.call(&plan, &origin, &values).await?;
        writeln!(out, "{name} answers {}", tool.encode(&answer)?.trim())?;
    }
    host.close().await;
    Ok(())
}
