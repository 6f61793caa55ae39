//! Chains: checks against known tools, runs, pictures.

use std::collections::BTreeMap;

use manifest_core::descriptor::SideEffects;
use manifest_core::json::Document;
use manifest_core::{Limits, ValidateOptions};
use mcpkg::Manifest;
use mcpkg::chain::{
    Argument, AssembledChain, ChainAction, ChainError, ChainInfo, ChainOptions, ChainRun,
    KnownTool, assemble, check_tools, mermaid, risk,
};

fn document(text: &str) -> Document<'_> {
    Document::parse(text.as_bytes(), &Limits::default()).unwrap()
}

const CHAIN: &str = r#"{
  "toolId": "demo.chain",
  "input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "n": {"type": "integer", "default": 3}}},
  "chain": [
    {"step": "read", "tool": "demo.read", "inputMapping": {"path": "$.input.path"}, "outputKey": "text"},
    {"step": "count", "tool": "demo.count", "inputMapping": {"text": "$.text.content", "n": "$.input.n", "first": "$.text.lines[0]"}}
  ]
}"#;
const READ: &str = r#"{"toolId": "demo.read",
  "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": false},
  "output_schema": {"type": "object", "properties": {"content": {"type": "string"}}}}"#;
const COUNT: &str = r#"{"toolId": "demo.count",
  "input_schema": {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": ["number", "null"]}, "unit": {"default": "words"}}, "required": ["text", "unit"]}}"#;

/// What is found in a chain, with these tools.
fn found(
    chain: &str,
    tools: &[(&str, Option<SideEffects>)],
    declared: Option<SideEffects>,
) -> Vec<String> {
    let documents: Vec<_> = tools.iter().map(|(text, _)| document(text)).collect();
    let manifests: Vec<_> = documents.iter().map(Manifest::read).collect();
    let known: BTreeMap<&str, KnownTool<'_>> = manifests
        .iter()
        .zip(tools)
        .map(|(manifest, (_, side_effects))| {
            (manifest.tool_id.as_ref(), KnownTool { manifest, side_effects: *side_effects })
        })
        .collect();
    let report = check_tools(&document(chain), &known, declared, &ValidateOptions::default());
    report
        .diagnostics
        .iter()
        .map(|found| format!("{} {}: {}", found.rule.code, found.pointer.as_str(), found.message))
        .collect()
}

const NONE: Option<SideEffects> = Some(SideEffects::None);

#[test]
fn a_chain_fits_its_tools() {
    let tools = [(READ, NONE), (COUNT, NONE)];
    assert_eq!(found(CHAIN, &tools, NONE), [""; 0]);
    assert_eq!(
        found(CHAIN, &tools[..1], None),
        ["mcpkg/chain-tool /chain/1/tool: \"demo.count\" is not known"]
    );
    let lacking = CHAIN.replace("\"text\": \"$.text.content\", ", "");
    assert_eq!(
        found(&lacking, &tools, NONE),
        ["mcpkg/chain-input /chain/1/inputMapping: \"demo.count\" requires \"text\""]
    );
    let odd = CHAIN.replace(
        "{\"path\": \"$.input.path\"}",
        "{\"path\": \"$.input.path\", \"x\": \"$.input.n\"}",
    );
    assert_eq!(
        found(&odd, &tools, NONE),
        ["mcpkg/chain-input /chain/0/inputMapping/x: \"demo.read\" does not take \"x\""]
    );
    let swapped = CHAIN.replace("\"path\": \"$.input.path\"", "\"path\": \"$.input.n\"");
    assert_eq!(
        found(&swapped, &tools, NONE),
        [
            "mcpkg/chain-input /chain/0/inputMapping/path: \"demo.read\" takes string here, and gets number"
        ]
    );
    let later = CHAIN.replace("\"n\": \"$.input.n\"", "\"n\": \"$.text.content\"");
    assert_eq!(
        found(&later, &tools, NONE),
        [
            "mcpkg/chain-input /chain/1/inputMapping/n: \"demo.count\" takes null or number here, and gets string"
        ]
    );
}

/// Row Q17 of the catalogue of attacks.
#[test]
fn a_cycle_through_others_is_found() {
    let step = |id: &str, tool: &str| {
        format!(r#"{{"toolId": "{id}", "chain": [{{"step": "a", "tool": "{tool}"}}]}}"#)
    };
    let (a, b, c) = (step("x.a", "x.b"), step("x.b", "x.c"), step("x.c", "x.a"));
    let tools = [(a.as_str(), None), (b.as_str(), None), (c.as_str(), None)];
    assert_eq!(
        found(&a, &tools, None),
        ["mcpkg/chain-cycle /chain/0/tool: \"x.b\" leads back to this chain"]
    );
    // One that leads into a cycle of others is not itself part of it, and ends.
    let d = step("x.d", "x.a");
    assert_eq!(found(&d, &tools, None), [""; 0]);
}

#[test]
fn a_chain_is_as_risky_as_its_riskiest_step() {
    use SideEffects::{Destructive, None as Nothing, Read, Write};
    let chain = document(CHAIN);
    let chain = Manifest::read(&chain);
    let (read, count) = (document(READ), document(COUNT));
    let (read, count) = (Manifest::read(&read), Manifest::read(&count));
    let of = |first: Option<SideEffects>, second: Option<SideEffects>| {
        let tools = BTreeMap::from([
            ("demo.read", KnownTool { manifest: &read, side_effects: first }),
            ("demo.count", KnownTool { manifest: &count, side_effects: second }),
        ]);
        risk(&chain, &tools)
    };
    assert_eq!(of(Some(Read), Some(Write)), Some(Write));
    assert_eq!(of(Some(Nothing), Some(Nothing)), Some(Nothing));
    assert_eq!(of(Some(Read), None), Some(Destructive), "who does not say may do anything");
    assert_eq!(risk(&chain, &BTreeMap::new()), Some(Destructive));
    assert_eq!(risk(&read, &BTreeMap::new()), None, "not a chain");
    // Through a chain in a chain.
    let outer = document(r#"{"toolId": "x.o", "chain": [{"step": "a", "tool": "demo.chain"}]}"#);
    let outer = Manifest::read(&outer);
    let tools = BTreeMap::from([
        ("demo.chain", KnownTool { manifest: &chain, side_effects: Some(Nothing) }),
        ("demo.read", KnownTool { manifest: &read, side_effects: Some(Read) }),
        ("demo.count", KnownTool { manifest: &count, side_effects: Some(Write) }),
    ]);
    assert_eq!(risk(&outer, &tools), Some(Write));
    let tools = [(READ, Some(Read)), (COUNT, Some(Write))];
    assert_eq!(
        found(CHAIN, &tools, Some(Read)),
        ["mcpkg/chain-risk /chain: the chain is declared read, and a step is write"]
    );
    assert_eq!(found(CHAIN, &tools, Some(Write)), [""; 0]);
}

/// Runs the chain with these outputs, up to an error.
fn run(
    input: &str,
    outputs: &[&str],
    options: ChainOptions,
) -> Result<(Vec<String>, String), ChainError> {
    let document = document(CHAIN);
    let manifest = Manifest::read(&document);
    let mut run = ChainRun::new(&manifest, input.as_bytes(), options)?;
    let mut inputs = Vec::new();
    let mut outputs = outputs.iter();
    while let ChainAction::Call(call) = run.next()? {
        inputs.push(call.call.arguments.clone());
        run.resume(outputs.next().expect("an output").as_bytes())?;
    }
    let outcome = run.finish().unwrap();
    assert_eq!(outcome.trace.len(), 2);
    Ok((inputs, outcome.output))
}

#[test]
fn a_chain_runs_to_its_end() {
    let options = ChainOptions::default;
    let outputs = [r#" {"content": "a b", "lines": ["a b"]} "#, r#"{"count": 2.0}"#];
    let (inputs, output) = run(r#"{"path": "p"}"#, &outputs, options()).unwrap();
    assert_eq!(inputs, [r#"{"path":"p"}"#, r#"{"text":"a b","n":3,"first":"a b"}"#]);
    // Values travel as they are written.
    assert_eq!(output, r#"{"count": 2.0}"#);
    // What is not found is left out.
    let outputs = [r#"{"content": "a"}"#, "1"];
    let (inputs, _) = run("{}", &outputs, options()).unwrap();
    assert_eq!(inputs, ["{}", r#"{"text":"a","n":3}"#]);
    let strict = ChainOptions { strict: true, ..options() };
    let error = run("{}", &outputs, strict).unwrap_err();
    assert_eq!(error, ChainError::Missing { step: 0, argument: "path".to_owned() });
}

#[test]
fn a_run_stops_at_what_does_not_fit() {
    let options = ChainOptions::default;
    let error = |input, outputs: &[&str], options| run(input, outputs, options).unwrap_err();
    assert_eq!(
        error(r#"{"n": "x"}"#, &[], options()),
        ChainError::Input("/n: expected integer".to_owned())
    );
    assert!(matches!(error("[]", &[], options()), ChainError::Input(_)));
    assert!(matches!(error("{", &[], options()), ChainError::Input(_)));
    assert!(matches!(error("{}", &["<html>"], options()), ChainError::Output { step: 0, .. }));
    assert!(matches!(error("{}", &[r#"{"a":1,"a":2}"#], options()), ChainError::Output { .. }));
    let limited = |limits| ChainOptions { limits, ..options() };
    let small = Limits { chain_bytes: 64, ..Limits::default() };
    let long = format!("{{\"content\": \"{}\"}}", "x".repeat(99));
    assert_eq!(error("{}", &[&long], limited(small)), ChainError::TooMuchData);
    // An output that fits, and arguments that repeat it.
    let twice = Limits { chain_bytes: 150, ..Limits::default() };
    assert_eq!(error("{}", &[&long], limited(twice)), ChainError::TooMuchData);
    let few = Limits { chain_steps: 1, ..Limits::default() };
    assert!(matches!(error("{}", &[], limited(few)), ChainError::Invalid(_)));
}

#[test]
fn outputs_come_in_turn() {
    let document = document(CHAIN);
    let manifest = Manifest::read(&document);
    let mut run = ChainRun::new(&manifest, b"{}", ChainOptions::default()).unwrap();
    assert_eq!(run.resume(b"{}"), Err(ChainError::OutOfTurn));
    let first = run.next().map(|next| format!("{next:?}")).unwrap();
    assert_eq!(run.next().map(|next| format!("{next:?}")).unwrap(), first);
    run.resume(b"{}").unwrap();
    assert_eq!(run.resume(b"{}"), Err(ChainError::OutOfTurn));
    assert_eq!(run.trace().len(), 1);
    assert!(run.finish().is_none(), "not at the end");
}

#[test]
fn a_chain_that_is_invalid_does_not_run() {
    for mapping in ["\"$.later.x\"", "\"$..x\"", "\"x\"", "\"$[0]\""] {
        let text = format!(
            r#"{{"toolId": "a.b", "chain": [{{"step": "s", "tool": "c.d", "inputMapping": {{"x": {mapping}}}}}]}}"#
        );
        let document = document(&text);
        let manifest = Manifest::read(&document);
        let mut run = ChainRun::new(&manifest, b"{}", ChainOptions::default()).unwrap();
        assert!(matches!(run.next(), Err(ChainError::Invalid(_))), "{mapping}");
    }
}

#[test]
fn an_output_cannot_take_the_place_of_another() {
    for steps in [
        r#"{"tool": "a.b", "outputKey": "input"}"#,
        r#"{"tool": "a.b"}"#,
        r#"{"tool": "a.b", "step": "x"}, {"tool": "a.b", "outputKey": "x"}"#,
    ] {
        let text = format!(r#"{{"chain": [{steps}]}}"#);
        let document = document(&text);
        let manifest = Manifest::read(&document);
        let run = ChainRun::new(&manifest, b"{}", ChainOptions::default());
        assert!(matches!(run, Err(ChainError::Invalid(_))), "{steps}");
    }
}

#[test]
fn a_key_like_proto_is_plain() {
    let text = r#"{"toolId": "a.b", "chain": [{"step": "__proto__", "tool": "c.d", "inputMapping": {"__proto__": "$.input['a\"b']"}}]}"#;
    let document = document(text);
    let manifest = Manifest::read(&document);
    let mut run = ChainRun::new(&manifest, br#"{"a\"b": 1}"#, ChainOptions::default()).unwrap();
    let ChainAction::Call(call) = run.next().unwrap() else { panic!("a call") };
    assert_eq!(call.call.arguments, r#"{"__proto__":1}"#);
}

#[test]
fn a_picture_shows_where_values_come_from() {
    let document = document(CHAIN);
    let manifest = Manifest::read(&document);
    assert_eq!(
        mermaid(&manifest, &Limits::default()),
        "flowchart TD\n  input([input])\n  step0[\"read<br/>demo.read\"]\n  \
         step1[\"count<br/>demo.count\"]\n  output([output])\n  input -->|path| step0\n  \
         input -->|n| step1\n  step0 -->|text, first| step1\n  step1 --> output\n"
    );
}

#[test]
fn names_cannot_break_out_of_a_picture() {
    let text = r#"{"chain": [{"step": "\"]; click x \"javascript:alert(1)\"\n<script>", "tool": "a|b", "inputMapping": {"x|y": "$.input.x"}}]}"#;
    let document = document(text);
    let picture = mermaid(&Manifest::read(&document), &Limits::default());
    assert_eq!(picture.lines().count(), 6);
    assert!(!picture.contains("<script>") && !picture.contains("click x"), "{picture}");
    assert!(!picture.contains("x|y") && !picture.contains("javascript:"), "{picture}");
}

#[test]
fn an_output_may_be_as_deep_as_any_document() {
    let deep = |levels: usize| {
        format!("{{\"content\": {}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1))
    };
    let depth = Limits::default().depth;
    run("{}", &[&deep(depth), "{}"], ChainOptions::default()).unwrap();
    let error = run("{}", &[&deep(depth + 1), "{}"], ChainOptions::default()).unwrap_err();
    assert!(matches!(error, ChainError::Output { step: 0, .. }), "{error}");
}

/// A chain of tools, and what its maker is told.
fn assembled(tools: &[&str], mappings: &[(&str, &str, &str)]) -> Result<AssembledChain, String> {
    let documents: Vec<_> = tools.iter().map(|text| document(text)).collect();
    let manifests: Vec<_> = documents.iter().map(Manifest::read).collect();
    let mappings: Vec<_> = mappings
        .iter()
        .map(|(step, name, path)| ((*step).to_owned(), (*name).to_owned(), (*path).to_owned()))
        .collect();
    let start = ChainInfo {
        tool_id: "demo.made.chain",
        name: "Made",
        version: "2.0.0",
        description: "Made of others.",
        mappings: &mappings,
    };
    assemble(&start, &manifests.iter().collect::<Vec<_>>())
}

fn places(arguments: &[Argument]) -> Vec<String> {
    arguments.iter().map(|one| format!("{}.{}", one.step, one.name)).collect()
}

/// The chain of section 11.2 of the specification, made of tools whose names meet.
#[test]
fn a_chain_is_put_together_by_names_and_types() {
    let read = r#"{"toolId": "tools.pdf.read_local", "capabilities": ["pdf", "local"],
      "input_schema": {"properties": {"pdfPath": {"type": "string"}}, "required": ["pdfPath"]},
      "output_schema": {"properties": {"text": {"type": "string"}, "pages": {"type": "integer"}}}}"#;
    let clean = r#"{"toolId": "tools.text.clean", "capabilities": ["text", "local"],
      "input_schema": {"properties": {"text": {"type": "string"}}, "required": ["text"]},
      "output_schema": {"properties": {"text": {"type": "string"}}}}"#;
    let embed = r##"{"toolId": "tools.embeddings.generate", "capabilities": ["embeddings"],
      "input_schema": {"properties": {"text": {"type": "string"}, "pages": {"type": "array"},
        "embedding-model": {"$ref": "#/$defs/model", "type": "string", "default": "small"}},
        "required": ["text", "embedding-model"], "$defs": {"model": {}}},
      "output_schema": {"type": "object", "properties": {"embeddings": {"type": "array"}}}}"##;
    let tools = [read, clean, embed];
    let made = assembled(&tools, &[]).unwrap();
    let value: serde_json::Value = serde_json::from_str(&made.text).unwrap();
    let mappings: Vec<_> =
        value["chain"].as_array().unwrap().iter().map(|step| &step["inputMapping"]).collect();
    assert_eq!(mappings[0], &serde_json::json!({"pdfPath": "$.input.pdfPath"}));
    assert_eq!(mappings[1], &serde_json::json!({"text": "$.read_local.text"}));
    assert_eq!(
        mappings[2],
        &serde_json::json!({
            "text": "$.clean.text", "pages": "$.input.pages",
            "embedding-model": "$.input[\"embedding-model\"]"
        }),
        "the nearest, of a fitting type"
    );
    assert_eq!(
        value["input_schema"],
        serde_json::json!({"type": "object", "required": ["pdfPath"], "properties": {
            "pdfPath": {"type": "string"}, "pages": {"type": "array"},
            "embedding-model": {"type": "string"}
        }})
    );
    assert_eq!(value["output_schema"]["properties"]["embeddings"]["type"], "array");
    assert_eq!(value["capabilities"], serde_json::json!(["pdf", "local", "text", "embeddings"]));
    assert_eq!(places(&made.caller_arguments), ["generate.pages", "generate.embedding-model"]);
    assert_eq!(places(&made.unmapped_arguments), [""; 0]);
    let known = tools.map(|tool| (tool, NONE));
    assert_eq!(found(&made.text, &known, NONE), [""; 0]);
    let report = mcpkg::validate(&document(&made.text), &ValidateOptions::default());
    assert!(report.is_valid(), "{report}");
}

#[test]
fn what_cannot_be_mapped_is_told() {
    let one = r#"{"toolId": "a.one", "input_schema": {"properties": {"n": {"type": "string"}}}}"#;
    let two = r#"{"toolId": "b.one", "input_schema":
      {"properties": {"n": {"type": "integer"}}, "required": ["n"]}}"#;
    let made = assembled(&[one, two], &[]).unwrap();
    assert_eq!(places(&made.unmapped_arguments), ["one_2.n"]);
    let known = [(one, NONE), (two, NONE)];
    assert_eq!(
        found(&made.text, &known, NONE),
        ["mcpkg/chain-input /chain/1: \"b.one\" requires \"n\""]
    );
    let mapped = assembled(&[one, two], &[("one_2", "n", "$.input.count")]).unwrap();
    assert_eq!(found(&mapped.text, &known, NONE), [""; 0]);
    assert!(assembled(&[one], &[("two", "n", "$.input.n")]).unwrap_err().contains("they are one"));
    assert!(assembled(&[], &[]).is_err());
    // Names that paths or the input have already.
    let odd = r#"{"toolId": "a.input"}"#;
    let made = assembled(&[odd, odd, r#"{"toolId": "a.2-d"}"#], &[]).unwrap();
    let value: serde_json::Value = serde_json::from_str(&made.text).unwrap();
    let names: Vec<_> = value["chain"].as_array().unwrap().iter().map(|s| &s["step"]).collect();
    assert_eq!(names, ["input_2", "input_3", "step_2_d"]);
}

#[test]
fn names_have_the_short_escapes() {
    let tool = r#"{"toolId": "a.one", "input_schema":
      {"properties": {"a\b\f\u0001": {}}, "required": ["a\b\f\u0001"]}}"#;
    let text = assembled(&[tool], &[]).unwrap().text;
    // A property of the chain's input, which requires it, and the argument of the step.
    assert_eq!(text.matches(r#""a\b\f\u0001""#).count(), 3, "{text}");
    assert!(text.contains(r#""$.input[\"a\\b\\f\\u0001\"]""#), "{text}");
}
