//! Functions of Node and Python, in processes of their own. `.ci/release` runs this, where both are.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

#[path = "../host/support.rs"]
#[allow(dead_code)] // the other tests need more of it
mod support;

use call::{ModuleCall, Outcome, Step};
use toolglot_host::{Origin, Values};

use support::{LONG, folder, host};

fn module(file: &str, export: &str, arguments: &str) -> ModuleCall {
    ModuleCall {
        module: file.to_owned(),
        exports: vec![export.to_owned(), "tool".to_owned(), "default".to_owned()],
        arguments: arguments.to_owned(),
        tool: "notes.find".to_owned(),
        variables: vec!["KEY".to_owned(), "UNSET".to_owned()],
    }
}

async fn call(step: Step, origin: &Origin) -> Outcome {
    let mut values = Values::new();
    values.set("KEY", "s3cret");
    values.set("OTHER", "not for this one");
    host().run_unchecked(&step, origin, &values, LONG).await
}

fn value(text: &str) -> Outcome {
    Outcome::Value(text.to_owned())
}

fn threw(outcome: Outcome) -> String {
    match outcome {
        Outcome::Threw(why) => why,
        other => panic!("{other:?}"),
    }
}

const NODE: &str = r#"
import { spawnSync } from 'node:child_process';
const call = (execute) => ({ name: 'x', description: 'y', execute });
export const tool = call(async (input, context) => ({ input, context }));
export const chatty = call(async () => {
  console.log('{"value": "not this"}');
  spawnSync('echo', ['\n{"value": "nor this"}'], { stdio: 'inherit' });
  return 'this';
});
export const sees = call(async () => ({
  argv: process.argv.length, key: process.env.KEY ?? null, path: 'PATH' in process.env,
}));
export const nothing = call(() => undefined);
export const rejects = call(async () => { throw new Error('no such note'); });
export const exits = call(() => { console.log('{"value":1}'); process.exit(0); });
export const lingers = call(() => { setInterval(() => {}, 1000); return [1.5, null]; });
export const large = call((input) => 'x'.repeat(input.length));
export const data = 7;
"#;

#[tokio::test]
async fn a_node_tool_is_called_as_its_host_calls_it() {
    let root = folder("node");
    std::fs::create_dir(root.join("lib")).unwrap();
    std::fs::write(root.join("lib/main.mjs"), NODE).unwrap();
    std::fs::write(root.parent().unwrap().join("outside.mjs"), NODE).unwrap();
    let origin = Origin::folder(&root);
    let node = async |export: &str, arguments: &str| {
        call(Step::Node(module("lib/main.mjs", export, arguments)), &origin).await
    };
    // The key of a secret is `<toolName>-<secretName>`, and the module says what its name is.
    let whole = r#"{"input":{"a":"\n'\"$x"},"context":{"toolName":"x","env":{"x-KEY":"s3cret"}}}"#;
    assert_eq!(node("missing", r#"{"a": "\n'\"$x"}"#).await, value(whole));
    assert_eq!(node("chatty", "{}").await, value("\"this\""));
    assert_eq!(node("sees", "{}").await, value(r#"{"argv":1,"key":null,"path":true}"#));
    assert_eq!(node("nothing", "{}").await, value("null"));
    assert_eq!(node("lingers", "{}").await, value("[1.5,null]"));
    assert_eq!(threw(node("rejects", "{}").await), "no such note");
    assert!(threw(node("exits", "{}").await).contains("without a result"));
    assert!(threw(node("data", "{}").await).contains("is a tool"));
    // More than a pipe holds, and more than is taken.
    let large = node("large", r#"{"length": 900000}"#).await;
    assert!(matches!(large, Outcome::Value(text) if text.len() == 900_002));
    let large = node("large", r#"{"length": 2000000}"#).await;
    assert_eq!(large, Outcome::TooMuch { limit: 1 << 20 });
    for file in ["../outside.mjs", "lib/none.mjs", "/etc/passwd"] {
        let outcome = call(Step::Node(module(file, "tool", "{}")), &origin).await;
        assert!(matches!(outcome, Outcome::NotDone(_)), "{file}: {outcome:?}");
    }
}

const CAREFUL: &str = "
export const careful = {
  name: 'mail', description: 'Sends.', requiredSecrets: ['user', 7], requiresApproval: true,
  getApprovalMessage(input) { return `Send to ${input.to}?`; },
  execute() { throw new Error('called'); },
};
export const tool = { name: 7, getApprovalMessage() { throw new Error('no'); } };
export default 'text';
";

#[tokio::test]
async fn a_module_says_what_it_is_and_is_not_called() {
    let root = folder("exported");
    std::fs::write(root.join("main.mjs"), CAREFUL).unwrap();
    std::fs::write(root.join("broken.mjs"), "throw new Error('broken');").unwrap();
    let origin = Origin::folder(&root);
    let exported = async |step: Step| host().list_exports(&step, &origin, LONG).await;
    let step = Step::Node(module("main.mjs", "careful", r#"{"to": "bob"}"#));
    let expected = r#"[{"export":"careful","name":"mail","description":"Sends.","execute":true,"secrets":["user"],"approval":true,"asks":true,"message":"Send to bob?"},{"export":"tool","name":null,"description":null,"execute":false,"secrets":[],"approval":null,"asks":true,"message":null},{"export":"default","name":null,"description":null,"execute":false,"secrets":[],"approval":null,"asks":false,"message":null}]"#;
    assert_eq!(exported(step).await.unwrap().unwrap(), expected);
    let none = exported(Step::Python(module("main", "f", "{}"))).await;
    assert_eq!(none, Ok(None), "it has no such contract");
    let step = Step::Node(module("broken.mjs", "tool", "{}"));
    assert_eq!(exported(step).await.unwrap_err(), "broken");
}

const PYTHON: &str = r#"
import os, subprocess, sys
def one(args):
    return {"args": args, "key": os.environ.get("KEY"), "other": os.environ.get("OTHER")}
def two(manifest, args):
    return [manifest["id"], args]
def chatty(args):
    print('{"value": "not this"}')
    subprocess.run(["echo", '{"value": "nor this"}'])
    return "this \u00e9"
def raises(args):
    raise KeyError("note")
def exits(args):
    sys.exit(0)
def dies(args):
    print('{"value": 1}', flush=True)
    os._exit(0)
def odd(args):
    return float("nan")
"#;

#[tokio::test]
async fn a_python_function_is_called_as_its_host_calls_it() {
    let root = folder("python");
    std::fs::create_dir(root.join("notes")).unwrap();
    std::fs::write(root.join("notes/__init__.py"), "").unwrap();
    std::fs::write(root.join("notes/find.py"), PYTHON).unwrap();
    let origin = Origin { manifest: Some(r#"{"id": "m"}"#.to_owned()), ..Origin::folder(&root) };
    let python = async |function: &str| {
        let module = ModuleCall {
            exports: vec![function.to_owned()],
            ..module("notes.find", "", r#"{"a": 1.5}"#)
        };
        call(Step::Python(module), &origin).await
    };
    let whole = r#"{"args": {"a": 1.5}, "key": "s3cret", "other": null}"#;
    assert_eq!(python("one").await, value(whole));
    assert_eq!(python("two").await, value(r#"["m", {"a": 1.5}]"#));
    assert_eq!(python("chatty").await, value(r#""this \u00e9""#));
    assert_eq!(threw(python("raises").await), "KeyError: 'note'");
    assert!(threw(python("exits").await).contains("SystemExit"));
    assert!(threw(python("dies").await).contains("without a result"));
    assert!(threw(python("odd").await).contains("ValueError"));
    assert!(threw(python("none").await).contains("AttributeError"));
    let nowhere =
        ModuleCall { exports: vec!["f".to_owned()], ..module("no.such.module", "", "{}") };
    assert!(threw(call(Step::Python(nowhere), &origin).await).contains("ModuleNotFoundError"));
    let two = ModuleCall { exports: vec!["two".to_owned()], ..module("notes.find", "", "{}") };
    let unknown = call(Step::Python(two), &Origin::folder(&root)).await;
    assert!(threw(unknown).contains("manifest"));
}
