//! Test documents: valid ones, ones with one defect, and mutants, which may be valid or
//! not.

use testkit::{Hints, Rng, Sample, Testkit, Tree, Vocabulary, generate_object, member, value};

use crate::conditions;
use crate::enums::Version;
use crate::table::TABLE;

mod defects;
mod mutant;
mod samples;

pub use defects::defect;
pub use mutant::mutate;

use samples::{RESOURCES, SAMPLES, UNDECLARED};

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// Where unknown members can be injected: into schemas and sample arguments only, because
/// all other objects are closed.
pub static VOCABULARY: Vocabulary =
    Vocabulary { names: &[], maps: &[], open: &["input", "schema", "arguments"] };

/// Members that are always generated. [`generate`] then removes the ones that do not fit.
const ALWAYS: &[&str] = &["entrypoint", "endpoint_url", "/actions", "/data_boundary"];

/// Generates a valid manifest with up to `size` actions, and the like, and schemas of up to `size`
/// properties.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    use Version::{V0_1, V0_2, V0_3, V0_3_1, V0_4};
    let versions = [V0_1, V0_2, V0_2, V0_3, V0_3_1, V0_4, V0_4];
    let version = versions.get(rng.below(versions.len())).copied().unwrap_or(V0_4);
    // The runtime, and the kinds of invocation that it supports.
    let (runtime, ways): (_, &[&str]) = match rng.below(8) {
        0 => ("mcp-stdio", &["mcp-tool", "stdin-json"]),
        1 => ("mcp-http", &["mcp-tool", "http"]),
        2 => ("python-module", COMMANDS),
        3 => ("node-module", COMMANDS),
        4 | 5 => ("container", &["http"]),
        _ => ("shell-binary", COMMANDS),
    };
    // Actions use some of the declared resources, and sometimes an undeclared one.
    let mut resources = RESOURCES.to_vec();
    rng.shuffle(&mut resources);
    resources.truncate(4);
    let used = [resources.as_slice(), &[rng.word(UNDECLARED)]].concat();
    let own: &[Sample<'_>] = &[
        ("runtime/kind", &[runtime]),
        ("invocation", ways),
        ("scopes/resource", &resources),
        ("scopes_used", &used),
    ];
    let samples = [own, SAMPLES].concat();
    let hints = Hints { samples: &samples, always: ALWAYS };
    let mut tree = generate_object(TABLE.root, version as u8, hints, rng, size);
    tree.put("/manifest_version", version.word().into());
    // Only an `mcp-stdio` server is asked for its tools, so only it needs no actions.
    let bare = version > V0_1 && tree.elements_mut("/actions").is_empty();
    if bare {
        tree.put("/runtime/kind", "mcp-stdio".into());
    }
    let server = ways.contains(&"http") && !bare;
    tree.remove(if server { "/runtime/entrypoint" } else { "/runtime/endpoint_url" });
    tree.append_indices("/actions", "/name");
    simplify(&mut tree, rng);
    fix_smoke_test(&mut tree, rng);
    declare_references(&mut tree);
    tree.remove_duplicates("/scopes", "/resource");
    fix_kill_switch(&mut tree);
    trim_data_boundary(&mut tree, rng);
    tree.render()
}

const COMMANDS: &[&str] = &["subcommand", "stdin-json"];

/// Simplifies most calls, so that other formats can express some of them.
fn simplify(tree: &mut Tree, rng: &mut Rng) {
    if rng.once_in(2) {
        tree.remove("/runtime/entrypoint/cwd");
    }
    for action in tree.elements_mut("/actions") {
        if rng.once_in(4) {
            continue;
        }
        if action.at("/invocation/kind") == Some(&"stdin-json".into()) {
            action.remove("/invocation/argv_template");
        }
        if let Some(Tree::Object(headers)) = action.at_mut("/invocation/headers") {
            headers.truncate(1);
        }
        if rng.once_in(3) {
            action.remove("/invocation/headers");
        }
    }
}

/// Makes the smoke test call an existing action without side effects, and expect any value.
fn fix_smoke_test(tree: &mut Tree, rng: &mut Rng) {
    let name = tree.at("/actions/0/name").cloned();
    match (tree.at("/smoke/kind").and_then(Tree::text), name) {
        (Some("action-call"), Some(name)) => {
            tree.put("/smoke/action", name);
            tree.put("/actions/0/side_effects", rng.word(&["none", "read"]).into());
        }
        (Some("action-call"), None) => {
            let shell = Tree::parse(r#"{"kind": "shell", "command": ["x"], "success": {}}"#);
            shell.and_then(|shell| tree.put("/smoke", shell));
        }
        _ => {}
    }
    if let Some(value) = tree.at_mut("/smoke/success/json_pointer_equals/~1a~01b") {
        *value = value::value(rng, 4);
    }
}

/// Variables that templates refer to, each with true if it is secret.
const VARIABLES: [(&str, bool); 4] =
    [("API_KEY", true), ("SMTP_2_PASS", true), ("REGION", false), ("USER_EMAIL", false)];

/// Declares the inputs and variables that templates refer to.
fn declare_references(tree: &mut Tree) {
    for action in tree.elements_mut("/actions") {
        if action.at("/invocation").is_some_and(|call| call.render().contains("${input.to}")) {
            declare_input(action);
        }
    }
    let text = tree.render();
    let is_used =
        |name: &str| ["${", "${env."].iter().any(|open| text.contains(&format!("{open}{name}}}")));
    let used = VARIABLES.iter().filter(|(name, _)| is_used(name));
    let used: Vec<Tree> = used
        .map(|(name, _)| {
            let secret = Tree::plain("false");
            vec![member("name", *name), member("prompt", "x"), member("secret", secret)].into()
        })
        .collect();
    match tree.at_mut("/env") {
        Some(Tree::Array(variables)) => variables.extend(used),
        _ if !used.is_empty() => drop(tree.put("/env", used.into())),
        _ => {}
    }
    tree.remove_duplicates("/env", "/name");
    for variable in tree.elements_mut("/env") {
        let name = variable.at("/name").and_then(Tree::text);
        if VARIABLES.iter().any(|(known, secret)| *secret && name == Some(known)) {
            variable.put("/secret", Tree::plain("true"));
            variable.remove("/default");
        } else {
            variable.put("/secret", Tree::plain("false"));
        }
    }
}

/// Declares the input that the action's templates refer to.
fn declare_input(action: &mut Tree) {
    if action.at("/input").is_none() {
        action.put("/input", Tree::Object(Vec::new()));
    }
    if action.at("/input/properties").is_none() {
        action.put("/input/properties", Tree::Object(Vec::new()));
    }
    let to = vec![member("type", "string"), member("default", "me")];
    action.put("/input/properties/to", to.into());
}

/// Makes a manifest whose kill switch is `none` valid: removes variables and persisted
/// data, or declares a URL if templates need the variables.
fn fix_kill_switch(tree: &mut Tree) {
    if tree.at("/kill_switch/kind").and_then(Tree::text) != Some("none") {
        return;
    }
    let nothing = || Tree::Array(Vec::new());
    if tree.render().contains("${") {
        let switch = vec![member("kind", "url"), member("url", "https://api.example.com/revoke")];
        tree.put("/kill_switch", switch.into());
    } else {
        for list in ["/env", "/data_boundary/persists"] {
            if let Some(list) = tree.at_mut(list) {
                *list = nothing();
            }
        }
    }
}

/// Removes half of the data boundaries, unless a scope is about private data.
fn trim_data_boundary(tree: &mut Tree, rng: &mut Rng) {
    let resource =
        |scope: &Tree| scope.at("/resource").and_then(Tree::text).map(conditions::is_private);
    let private = tree.elements_mut("/scopes").iter().any(|scope| resource(scope) == Some(true));
    if !private && rng.once_in(2) {
        tree.remove("/data_boundary");
    }
}
