//! What became of values, and why, where readers of the golden files found an account that
//! could be proved wrong. Expected values were written by hand from the specifications.

use serde_json::{Value, json};
use toolglot::FormatName::{Capability, InstallManifest, Jumith, Mcpkg, ToolsJson};

use crate::said::{Said, action, capability, jumith, manifest, mcpkg, tools, with};

/// What is asked for money says so, and nothing else.
#[test]
fn what_costs_money() {
    let said =
        |cost: Value| Said::of(InstallManifest, Jumith, &with(manifest(), json!({"cost": cost})));
    let pays = "/usesPayment";
    let fee = said(json!({"monthly_fee_cents": 500, "usage_model": "none"}));
    fee.is(pays, json!(true), "approximated", &["/cost/monthly_fee_cents"]);
    assert_eq!(fee.why(pays), "a fee is asked");
    let used = said(json!({"usage_model": "external"}));
    used.is(pays, json!(true), "approximated", &["/cost/usage_model"]);
    assert_eq!(used.why(pays), "the model of use says so");
    // Each says so with the other, and neither is only in the residue.
    let both = said(json!({"install_fee_cents": 100, "usage_model": "per-call"}));
    let [fee, model] = ["/cost/install_fee_cents", "/cost/usage_model"];
    both.is(pays, json!(true), "approximated", &[fee, model]);
    let why = "a fee is asked, and the model of use says so";
    both.line(&format!("approximated  {fee} → {pays} (together with {model}: {why})"));
    both.line(&format!("approximated  {model} → {pays} (together with {fee}: {why})"));
}

/// All that says how far a tool reaches is named, also where no one of them decides.
#[test]
fn the_verbs_of_files() {
    let scope = json!({
        "resource": "fs.local", "actions": ["read", "write", "delete"], "rationale": "Notes.",
    });
    let source = with(
        manifest(),
        json!({
            "scopes": [scope], "actions": [action(json!({"scopes_used": ["fs.local"]}))],
        }),
    );
    let said = Said::of(InstallManifest, Capability, &source);
    let places = ["/actions/0/scopes_used/0", "/scopes/0/actions/1", "/scopes/0/actions/2"];
    said.is("/permissions/filesystem", json!("write"), "approximated", &places);
    assert_eq!(said.class("/scopes/0/actions/1"), "approximated");
    assert_eq!(said.class("/scopes/0/actions/0"), "residue-only");
}

/// A call over the network says that it is used, as its grant does.
#[test]
fn a_grant_and_a_call() {
    let source = capability(json!({
        "permissions": {
            "network": "allowlist", "filesystem": "none", "devices": [],
            "network_allowlist": ["mail.example"],
        },
        "implementation": {"kind": "a2a_rpc", "a2a": {"endpoint": "https://mail.example/a2a"}},
    }));
    let said = Said::of(Capability, InstallManifest, &source);
    let places = ["/permissions/network", "/implementation/kind", "/implementation/a2a/endpoint"];
    said.is("/scopes/0/resource", json!("net.outbound"), "approximated", &places);
    assert_eq!(
        said.why("/scopes/0/resource"),
        "its call uses the network, and the source's host allows it"
    );
    // Unison lets a host stand for those below it.
    let reason = "The source's host lets it reach mail.example, with sub-domains.";
    assert_eq!(said.value("/scopes/0/rationale"), Some(&json!(reason)));
}

/// A smoke test is no call.
#[test]
fn a_check_is_no_call() {
    let python = json!({"kind": "python", "python": {"callable": "mail.send:run"}});
    let said =
        Said::of(Capability, InstallManifest, &capability(json!({"implementation": python})));
    let own = "the target requires a check: this is the bridge's own, without effects";
    for leaf in ["/smoke/kind", "/smoke/command/0", "/smoke/command/2", "/smoke/success/exit_code"]
    {
        assert_eq!(said.why(leaf), own, "{leaf}");
    }
    assert_eq!(said.value("/smoke/command/2"), Some(&json!("--check")));
    assert_eq!(said.why("/runtime/install/method"), "the bridge is to be there already");
    said.line("needs         the files that the call of the source names: mail.send");
    // What has no call cannot be checked: only that the bridge is there.
    let said = Said::of(Capability, InstallManifest, &capability(json!({})));
    assert_eq!(said.value("/smoke/command"), Some(&json!(["toolglot", "--version"])));
}

/// The texts of a tool, and those of its package.
#[test]
fn texts_that_stand_for_others() {
    let mut source = manifest();
    source["tool"]["description"] = json!("Keeps notes. In files.");
    let own = "the tool itself has no description: this is its summary";
    for to in [Capability, Jumith, Mcpkg] {
        let said = Said::of(InstallManifest, to, &source);
        assert_eq!(said.value("/description"), Some(&json!("Finds notes.")), "{to}");
        assert_eq!(said.why("/description"), own, "{to}");
    }
    // A summary is one sentence.
    let said = Said::of(Mcpkg, Jumith, &mcpkg(json!({"description": "Sends. And waits."})));
    said.is("/summary", json!("Sends."), "approximated", &["/description"]);
    assert_eq!(said.why("/summary"), "the first sentence of the description");
    said.is("/description", json!("Sends. And waits."), "native", &["/description"]);
}

/// What is not there does not "not fit".
#[test]
fn what_is_not_there() {
    let said = Said::of(ToolsJson, Mcpkg, &tools(json!({})));
    assert_eq!(said.why("/name"), "the source has no title");
    assert_eq!(said.why("/capabilities/0"), "the source has no tags");
    let said = Said::of(ToolsJson, Jumith, &tools(json!({})));
    said.is("/name", json!("find"), "approximated", &["/tools/0/name"]);
    assert_eq!(
        said.why("/name"),
        "the source has no name for people: this is what it is called by"
    );
    let said = Said::of(Capability, Jumith, &capability(json!({})));
    assert_eq!(said.why("/name"), "the source has no name: the last part of its id");
    let said = Said::of(Jumith, Mcpkg, &jumith(json!({"tags": [" "]})));
    assert_eq!(said.why("/capabilities/0"), "the source has no tags that fit");
    // Every one of these formats describes tools.
    for (from, source) in [
        (ToolsJson, tools(json!({}))),
        (Mcpkg, mcpkg(json!({}))),
        (Jumith, jumith(json!({}))),
        (InstallManifest, manifest()),
    ] {
        let said = Said::of(from, Capability, &source);
        said.is("/type", json!("tool"), "assumed", &[]);
        assert_eq!(said.why("/type"), "the source describes one callable tool", "{from}");
    }
}

/// An allow-list names variables that may be there. Nobody says that they are secrets, or
/// how calls are authenticated.
#[test]
fn variables_are_no_keys() {
    let source = tools(json!({"envPassthrough": ["TZ", "NO_PROXY"], "command": ["./tools/bin/f"]}));
    let said = Said::of(ToolsJson, Mcpkg, &source);
    said.is("/auth/configHints/env/0", json!("TZ"), "native", &["/tools/0/envPassthrough/0"]);
    said.is("/auth/type", json!("api_key"), "assumed", &[]);
    assert_eq!(
        said.why("/auth/type"),
        "a type must stand beside the names of variables, and the source has none"
    );
    let must = "the source does not say whether it is a secret, and here it must be given";
    assert_eq!(Said::of(ToolsJson, Jumith, &source).why("/requiredSecrets/0"), must);
    assert_eq!(Said::of(ToolsJson, Capability, &source).why("/secrets/0/name"), must);
    let said = Said::of(ToolsJson, InstallManifest, &source);
    assert_eq!(
        said.why("/env/0/secret"),
        "the source does not say whether it is a secret: taken for one"
    );
}

/// Beside secrets, a manifest of MCPKG names what else must be set.
#[test]
fn variables_beside_secrets() {
    let env = json!([
        {"name": "REGION", "prompt": "Where.", "secret": false},
        {"name": "TOKEN", "prompt": "It.", "secret": true},
    ]);
    let said = Said::of(InstallManifest, Mcpkg, &with(manifest(), json!({"env": env})));
    said.is("/auth/configHints/env/0", json!("REGION"), "native", &["/env/0/name"]);
    said.is("/auth/configHints/env/1", json!("TOKEN"), "approximated", &["/env/1/name"]);
    said.is("/auth/type", json!("api_key"), "approximated", &["/env/1/secret"]);
    assert_eq!(
        said.why("/auth/type"),
        "it is given secrets, and the source does not say how calls are authenticated"
    );
}

/// A secret whose name is none in tools.json is passed on under one that is.
#[test]
fn secrets_are_passed_on() {
    let source = jumith(json!({"requiredSecrets": ["smtp_pass"]}));
    let said = Said::of(Jumith, ToolsJson, &source);
    // The first eight digits of the SHA-256 of "smtp_pass".
    let name = json!(format!("SMTP_PASS_{SMTP_PASS}"));
    said.is("/tools/0/envPassthrough/0", name, "approximated", &["/requiredSecrets/0"]);
    assert_eq!(
        said.why("/tools/0/envPassthrough/0"),
        "a name that is made to fit, and not that its value is secret"
    );
    assert!(!said.notices().iter().any(|notice| notice.contains("smtp_pass")));
    said.line(
        "needs         its secrets under the names that the target has, which are not those of the \
         source: tool:mail.send",
    );
    let said = Said::of(Jumith, Mcpkg, &source);
    said.is("/auth/type", json!("api_key"), "approximated", &["/requiredSecrets/0"]);
}

/// From `printf %s smtp_pass | sha256sum`.
const SMTP_PASS: &str = "DC8DD6F0";

/// What calls are authenticated by.
#[test]
fn credentials() {
    let source =
        mcpkg(json!({"auth": {"type": "bearer", "configHints": {"env": ["STRIPE_API_KEY"]}}}));
    let why = "the source does not call it a secret, but calls are authenticated by it";
    assert_eq!(Said::of(Mcpkg, Jumith, &source).why("/requiredSecrets/0"), why);
    assert_eq!(Said::of(Mcpkg, Capability, &source).why("/secrets/0/name"), why);
    assert_eq!(Said::of(Mcpkg, InstallManifest, &source).why("/env/0/secret"), why);
    // Being set up before use and being asked with a request are two things.
    let said = Said::of(Capability, Mcpkg, &capability(json!({"requires_oauth": true})));
    said.is("/auth/type", json!("oauth2"), "approximated", &["/requires_oauth"]);
    let said = Said::of(Mcpkg, Capability, &mcpkg(json!({"auth": {"type": "oauth2"}})));
    said.is("/requires_oauth", json!(true), "approximated", &["/auth/type"]);
}

/// The same words are native, whatever they are called.
#[test]
fn the_same_words() {
    let said = Said::of(Jumith, InstallManifest, &jumith(json!({})));
    said.is("/tool/summary", json!("Sends."), "native", &["/summary"]);
    let said = Said::of(Mcpkg, InstallManifest, &mcpkg(json!({})));
    said.is("/actions/0/invocation/kind", json!("http"), "native", &["/endpoint/type"]);
    let said = Said::of(ToolsJson, Capability, &tools(json!({"timeoutSec": 5})));
    said.is("/runtime/timeout_seconds", json!(5), "native", &["/tools/0/timeoutSec"]);
    let listed = json!({"secrets": [{"name": "API_KEY", "ref": "vault://a#b"}]});
    let said = Said::of(Capability, Jumith, &capability(listed));
    said.is("/requiredSecrets/0", json!("API_KEY"), "native", &["/secrets/0/name"]);
}

/// Two lists of tags are one elsewhere, and a word that both have is there once.
#[test]
fn two_lists_of_tags() {
    let source =
        mcpkg(json!({"capabilities": ["payments"], "meta": {"tags": ["stripe", "payments"]}}));
    for (to, tags) in [(Jumith, "/tags"), (InstallManifest, "/tool/tags")] {
        let said = Said::of(Mcpkg, to, &source);
        assert_eq!(said.value(tags), Some(&json!(["payments", "stripe"])), "{to}");
        let first = format!("{tags}/0");
        said.is(&first, json!("payments"), "approximated", &["/capabilities/0", "/meta/tags/1"]);
        said.is(&format!("{tags}/1"), json!("stripe"), "native", &["/meta/tags/0"]);
        assert_eq!(said.class("/meta/tags/1"), "approximated", "{to}");
    }
}

/// Who publishes a tool.
#[test]
fn publishers() {
    let said = Said::of(Jumith, Mcpkg, &jumith(json!({"provider": "acme"})));
    let one = "the source has one word for the publisher, and not two";
    said.is("/meta/publisher/name", json!("acme"), "approximated", &["/provider"]);
    assert_eq!(said.why("/meta/publisher/name"), one);
    let mut source = manifest();
    source["tool"]["author"] = json!({"name": "Acme"});
    let said = Said::of(InstallManifest, Jumith, &source);
    assert_eq!(said.why("/provider"), "the target has one word for who publishes it");
    source["tool"]["namespace"] = json!("acme");
    let said = Said::of(InstallManifest, Jumith, &source);
    assert_eq!(said.why("/provider"), "the namespace stands for the publisher's name");
    let said =
        Said::of(Mcpkg, InstallManifest, &mcpkg(json!({"meta": {"license": "Proprietary"}})));
    assert_eq!(said.why("/tool/license"), "PROPRIETARY is the word for closed tools here");
}

/// A person who must be asked is said by the one word that makes a host ask.
#[test]
fn approval_is_said_once() {
    let said = Said::of(Jumith, InstallManifest, &jumith(json!({"requiresApproval": true})));
    said.line(
        "approximated  /requiresApproval → /actions/0/side_effects \
         (a person must be asked: destructive is the word that makes a host ask)",
    );
    // Where it was waived, no target says nearly the same.
    for to in [ToolsJson, Mcpkg] {
        let said = Said::of(Jumith, to, &jumith(json!({"requiresApproval": true})));
        assert_eq!(said.class("/requiresApproval"), "residue-only", "{to}");
    }
}

/// What a tool cannot run without.
#[test]
fn what_a_tool_needs() {
    let step = |name: &str, tool: &str| json!({"step": name, "tool": tool, "outputKey": name});
    let mut source = mcpkg(json!({
        "chain": [step("a", "acme.pdf.read"), step("b", "acme.text.clean"), step("c", "acme.pdf.read")],
    }));
    source.as_object_mut().unwrap().remove("endpoint");
    let said = Said::of(Mcpkg, InstallManifest, &source);
    said.line("needs         the tool \"acme.pdf.read\", which its chain calls, in .mcp/tools: acme.mail.send");
    said.line("needs         the tool \"acme.text.clean\", which its chain calls, in .mcp/tools: acme.mail.send");
    said.line(
        "implied       time-out where none is said: that of each step → kept by the bridge only: \
         acme.mail.send",
    );
    let said = Said::of(Mcpkg, Capability, &source);
    assert_eq!(said.class("/chain/0/tool"), "approximated");
    // A request runs as it is, and the manifest still wants a program.
    let said = Said::of(Mcpkg, InstallManifest, &mcpkg(json!({})));
    said.line("needs         `toolglot` on the search path: acme.mail.send");
    let endpoint = json!({"type": "local", "command": "send"});
    let mut source = mcpkg(json!({
        "implementations": [
            {"id": "a", "runtime": "node", "endpoint": endpoint, "requirements": {"node": ">=18"}},
        ],
    }));
    source.as_object_mut().unwrap().remove("endpoint");
    let said = Said::of(Mcpkg, ToolsJson, &source);
    said.line(
        "needs         what the source asks of a host for its implementations: `runtime` and \
         `requirements`: acme.mail.send",
    );
    // A script is relative to where it is, and `node` is not.
    let mut source = manifest();
    for (command, relative) in [
        (json!(["node", "notes.js"]), true),
        (json!(["node", "/opt/notes.js"]), false),
        (json!(["python", "-m", "notes"]), false),
    ] {
        source["runtime"]["entrypoint"]["command"] = command.clone();
        let said = Said::of(InstallManifest, ToolsJson, &source);
        assert_eq!(
            said.text.contains("the files that the call of the source names"),
            relative,
            "{command}"
        );
    }
}

/// A host that looks at the names of arguments does so before the bridge sees them.
#[test]
fn unnamed_arguments_and_examples() {
    let closed = json!({"type": "object", "properties": {}, "additionalProperties": false});
    let refused = "arguments that the schema does not name: passed on → refused";
    let source = tools(json!({"command": ["./tools/bin/f"], "schema": closed}));
    let said = Said::of(ToolsJson, InstallManifest, &source);
    assert!(said.text.contains(refused), "{}", said.text);
    let open = tools(json!({"command": ["./tools/bin/f"], "schema": {"type": "object"}}));
    assert!(!Said::of(ToolsJson, InstallManifest, &open).text.contains(refused));
    // Examples are files in MCPKG, and a conversion writes one manifest.
    let said = Said::of(InstallManifest, Mcpkg, &manifest());
    said.line(
        "implied       examples and checks: in the manifest → in files beside the manifest, which \
         no conversion reads or writes: notes.find",
    );
    // Where there are no secrets, nothing is handed over.
    let said = Said::of(Jumith, Mcpkg, &jumith(json!({})));
    assert!(!said.text.contains("environment"), "{}", said.text);
}
