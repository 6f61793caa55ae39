//! Conversions for hosts that send requests only: a gateway makes the calls.

use serde_json::Value;
use toolglot::convert::OutputDocument;
use toolglot::core::format::Defaults;
use toolglot::core::sha256_hex;
use toolglot::json::Document;
use toolglot::testkit::laws;
use toolglot::{FormatName, Limits, Options, RestoreOptions, RunMode, Target, convert, restore};

use crate::{Fixture, fixtures};

const GATEWAY: &str = "http://127.0.0.1:7373/a-token";

fn options() -> Options {
    let gateway = Some(GATEWAY.to_owned());
    Options { defaults: Defaults { gateway, ..Defaults::default() }, ..laws::accept_all() }
}

/// What Unison and the runner of MCPKG ask, by what their hosts are known to do.
fn is_asked(to: FormatName, document: &Value, source: &str) -> bool {
    let digest = sha256_hex(source.as_bytes());
    let text = |pointer: &str| document.pointer(pointer).and_then(Value::as_str);
    if to == FormatName::Capability {
        let allowed = document.pointer("/permissions/network_allowlist");
        let allowed = allowed.and_then(Value::as_array).unwrap();
        return text("/implementation/kind") == Some("mcp_tool")
            && text("/implementation/mcp/registry_url") == Some(&format!("{GATEWAY}/unison"))
            && text("/implementation/mcp/server_id") == Some(&format!("sha256:{digest}"))
            && allowed.iter().any(|rule| rule == "http://127.0.0.1:7373/");
    }
    let url = format!("{GATEWAY}/sources/{digest}/tools/");
    text("/auth/type") == Some("bearer")
        && text("/auth/configHints/env/0") == Some("TOOLGLOT_TOKEN")
        && text("/endpoint/type") == Some("http")
        && text("/endpoint/method") == Some("POST")
        && text("/endpoint/url").unwrap().starts_with(&url)
}

#[test]
fn what_has_a_call_is_asked_of_the_gateway() {
    let mut asked = 0;
    for Fixture { format, name, text } in fixtures() {
        for to in [FormatName::Capability, FormatName::Mcpkg] {
            if to == format {
                continue;
            }
            let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let made = convert(&source, format, to, &options()).unwrap();
            for tool in &made.tools {
                let document: Value =
                    serde_json::from_str(&made.documents[tool.document].text).unwrap();
                // A catalog has its capabilities in a list.
                let catalog = document.get("capabilities").filter(|_| to == FormatName::Capability);
                let document = catalog.map_or(&document, |tools| {
                    let is_it = |one: &&Value| one.get("id") == Some(&tool.target.clone().into());
                    tools.as_array().unwrap().iter().find(is_it).unwrap()
                });
                match &tool.runs {
                    RunMode::AsItIs => {}
                    RunMode::ThroughTheBridge => {
                        assert!(is_asked(to, document, &text), "{format}/{name} → {to}");
                        asked += 1;
                    }
                    RunMode::Not(why) => {
                        assert!(why.contains("no call could be read"), "{name}: {why}");
                    }
                }
            }
        }
    }
    assert!(asked > 20, "{asked}");
}

/// The residue says which gateway it was.
#[test]
fn the_way_back_gives_the_source() {
    for Fixture { format, name, text } in fixtures() {
        for to in [FormatName::Capability, FormatName::Mcpkg] {
            if to == format {
                continue;
            }
            let source = Document::parse(text.as_bytes(), &Limits::default()).unwrap();
            let made = convert(&source, format, to, &options()).unwrap();
            let residue = made.residue();
            let parsed: Vec<_> = made.documents.iter().map(OutputDocument::open).collect();
            let names = made.documents.iter().map(|one| Some(one.name.as_str()));
            let targets: Vec<_> =
                names.zip(&parsed).map(|(name, document)| Target { name, document }).collect();
            let back = restore(&targets, &residue, &RestoreOptions::default()).unwrap();
            assert_eq!(back.text, text, "{format}/{name} → {to}");
            assert!(back.lost_edits.is_empty(), "{format}/{name} → {to}");
        }
    }
}
