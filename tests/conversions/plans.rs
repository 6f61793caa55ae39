//! What we plan for a call is what the tool's own host asks for.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use toolglot::FormatName::{self, Mcpb, ServerJson, ToolList};
use toolglot::call::{HostFacts, OutcomeUse, Plan, Planned, Policy, Program, Server, Step, plan};
use toolglot::json::Document;
use toolglot::testkit::Rng;
use toolglot::{Limits, Report, ToolDescriptor};

use crate::asked::{Asked, asked, with_defaults};
use crate::calls::{arguments, schema};
use crate::fixtures;

const SEEDS: u64 = 96;

/// The formats whose documents are about a server.
const SERVERS: [FormatName; 3] = [Mcpb, ServerJson, ToolList];

/// Whether a host gives a program the variables that a document names. The host of MCPKG gives
/// it its own environment, where they are; Unison gives it none of them.
fn gives_variables(format: FormatName) -> bool {
    matches!(format, FormatName::ToolsJson | FormatName::InstallManifest)
}

/// How a server is started.
fn started(program: &Program) -> Value {
    let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
    let mut entrypoint = json!({ "command": argv });
    if let Some(cwd) = &program.cwd {
        entrypoint["cwd"] = json!(cwd);
    }
    entrypoint
}

/// A plan in the words of the oracle.
fn planned(format: FormatName, document: &Value, tool: usize, plan: &Plan) -> Asked {
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    match &plan.step {
        Step::Run(Program { argv, stdin, cwd, variables, .. }) => Asked::Run {
            argv: argv.iter().map(ToString::to_string).collect(),
            stdin: stdin.as_deref().map(parsed),
            // A package's own folder is where its programs run, and goes without saying.
            cwd: cwd.clone().filter(|cwd| format != FormatName::Mcpkg || cwd != "."),
            named: variables.iter().filter(|_| gives_variables(format)).cloned().collect(),
        },
        Step::Send(request) if matches!(plan.then, OutcomeUse::Registry { .. }) => {
            assert_eq!((request.method.as_str(), &request.body), ("GET", &None));
            Asked::Own(json!(["registry", request.url.to_string()]))
        }
        Step::Send(request) => {
            let headers = request.headers.iter();
            let headers: BTreeMap<String, String> = headers
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_string()))
                .filter(|(name, value)| {
                    (name.as_str(), value.as_str()) != ("content-type", "application/json")
                })
                .collect();
            Asked::Send {
                method: request.method.clone(),
                url: request.url.to_string(),
                headers,
                body: request.body.as_ref().map(|body| parsed(&body.to_string())),
            }
        }
        Step::CallTool(call) => {
            let manifest = document["runtime"].clone();
            let server = match &call.server {
                Server::Stdio(program) if SERVERS.contains(&format) => started(program),
                Server::Stdio(program) => {
                    let argv: Vec<String> = program.argv.iter().map(ToString::to_string).collect();
                    assert_eq!(json!(argv), manifest["entrypoint"]["command"]);
                    manifest["entrypoint"].clone()
                }
                Server::Http { .. } => manifest["entrypoint"].clone(),
            };
            let url = match &call.server {
                Server::Http { url } => json!(url),
                Server::Stdio(_) => manifest["endpoint_url"].clone(),
            };
            Asked::Mcp(json!([server, url, call.tool, parsed(&call.arguments)]))
        }
        Step::Node(module) => {
            let export = &document["entry"]["export"];
            assert_eq!(
                module.exports.first().map(|one| json!(one)),
                export.as_str().map(|one| json!(one)).or(Some(json!("tool")))
            );
            Asked::Own(json!(["node", module.module, export]))
        }
        Step::Python(module) => {
            let callable = format!("{}:{}", module.module, module.exports[0]);
            Asked::Own(json!(["python", {"callable": callable}, parsed(&module.arguments)]))
        }
        Step::Call(_) => panic!("{tool}: no tool of these calls another"),
        step => panic!("{tool}: {step:?} is no call"),
    }
}

/// The plan of a call, whoever decides about it. That of a refused call is only shown.
fn shown(planned: Planned) -> Result<Plan, Report> {
    let refused = match planned {
        Planned::Ready(plan) => return Ok(plan),
        Planned::Ask(ask) => return Ok(ask.approve()),
        Planned::Refused(refused) => refused,
    };
    if let Some(report) = refused.report() {
        return Err(report.clone());
    }
    let mut shown = serde_json::to_value(&refused).unwrap();
    // The approval is no part of a plan.
    shown["missing"].as_array_mut().unwrap().remove(0);
    Ok(serde_json::from_value(shown).unwrap())
}

/// The oracle's words for what it and we say otherwise.
fn reworded(name: FormatName, asked: Asked) -> Asked {
    match asked {
        Asked::Own(value) if value[0] == "registry" => {
            Asked::Own(json!(["registry", value[1]["registry_url"]]))
        }
        // A hole is shown by the name of its variable. Only an action has some.
        Asked::Run { argv, stdin, cwd, named } if name == FormatName::InstallManifest => {
            let argv = argv.into_iter().map(|word| word.replace("${env.", "${")).collect();
            Asked::Run { argv, stdin, cwd, named }
        }
        // The first of several variables that has a value is sent; here none has.
        Asked::Send { method, url, headers, body } => {
            let first = |value: String| match value.split_once('|') {
                Some((first, _)) => format!("{first}}}"),
                None => value,
            };
            let headers = headers.into_iter().map(|(name, value)| (name, first(value))).collect();
            Asked::Send { method, url: url.replace(' ', "%20"), headers, body }
        }
        other => other,
    }
}

/// What was planned, and what was refused.
#[derive(Default)]
struct Seen {
    kinds: BTreeMap<(&'static str, &'static str), usize>,
    refused: BTreeMap<String, usize>,
}

impl Seen {
    fn check(&mut self, name: FormatName, text: &str) {
        let Ok(value) = serde_json::from_str::<Value>(text) else { return };
        let limits = Limits::default();
        let policy = Policy::default();
        let facts = HostFacts { installed: false, ..HostFacts::new(&policy) };
        let document = Document::parse(text.as_bytes(), &limits).unwrap();
        let lifted = name.format().unwrap().lift(&document, &limits).unwrap();
        for (index, tool) in lifted.tools.iter().enumerate() {
            let schema = schema(name, &value, index);
            let input = with_defaults(schema, &arguments(schema));
            let contract = (name.format().unwrap().contract)(tool);
            let wanted = asked(name, &value, index, &input);
            let mut made = shown(plan(tool, &contract, &input.to_string(), &facts, &limits));
            if let Err(report) = &made
                && report.diagnostics.iter().all(|found| found.rule.code == "call/network")
            {
                // The manifest keeps its own call from going there. What it would ask for is
                // seen without that rule.
                *self.refused.entry(format!("{name} call/network")).or_default() += 1;
                let open = ToolDescriptor { permissions: <_>::default(), ..tool.clone() };
                made = shown(plan(&open, &contract, &input.to_string(), &facts, &limits));
            }
            match made {
                Ok(made) => self.planned(name, &value, index, &made, wanted),
                Err(report) => {
                    for found in &report.diagnostics {
                        let none = matches!(wanted, Asked::Nothing | Asked::Own(_));
                        assert!(found.rule.code != "call/no-call" || none, "{wanted:?}");
                        *self.refused.entry(format!("{name} {}", found.rule.code)).or_default() +=
                            1;
                    }
                }
            }
        }
    }

    fn planned(
        &mut self,
        name: FormatName,
        value: &Value,
        tool: usize,
        made: &Plan,
        wanted: Asked,
    ) {
        let wanted = match wanted {
            // A converted tool is called by its line, as any other.
            Asked::Bridge(_) => return,
            // The oracle has no words for these.
            Asked::Own(own) if own[0].is_array() || own[0] == "a2a" || own[0] == "unstated" => {
                return;
            }
            other => reworded(name, other),
        };
        assert_eq!(planned(name, value, tool, made), wanted, "{name} {}\n{value}", made.tool);
        let kind = match &made.step {
            Step::Run(_) => "run",
            Step::Send(_) => "send",
            Step::CallTool(_) => "mcp",
            Step::Node(_) => "node",
            Step::Python(_) => "python",
            Step::Call(_) => "call",
            step => panic!("{step:?} is no call"),
        };
        *self.kinds.entry((name.as_str(), kind)).or_default() += 1;
        // A plan can be stored.
        let stored: Plan = serde_json::from_str(&serde_json::to_string(made).unwrap()).unwrap();
        assert_eq!(&stored, made);
    }
}

#[test]
fn a_plan_asks_for_what_the_host_of_the_tool_asks_for() {
    let fixtures = fixtures();
    let mut seen = Seen::default();
    for name in FormatName::ALL.iter().copied() {
        for seed in 0..SEEDS {
            seen.check(name, &(name.testkit().unwrap().generate)(&mut Rng::new(seed), 3));
        }
        for fixture in fixtures.iter().filter(|fixture| fixture.format == name) {
            seen.check(name, &fixture.text);
        }
    }
    println!("{:?}\nrefused: {:?}", seen.kinds, seen.refused);
    let kinds: BTreeSet<(&str, &str)> = seen.kinds.keys().copied().collect();
    let wanted = BTreeSet::from([
        ("tools-json", "run"),
        ("mcpkg", "run"),
        ("mcpkg", "send"),
        ("capability", "run"),
        ("capability", "python"),
        ("capability", "send"),
        ("jumith", "node"),
        ("install-manifest", "run"),
        ("install-manifest", "send"),
        ("install-manifest", "mcp"),
        ("mcpb", "mcp"),
        ("server-json", "mcp"),
        ("tool-list", "mcp"),
    ]);
    assert_eq!(kinds, wanted);
}
