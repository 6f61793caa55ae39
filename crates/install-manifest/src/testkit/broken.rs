//! One document for each rule.

use manifest_core::Rule;
use manifest_core::testkit::{Rng, Tree, member};

/// A document without a fault.
pub(super) fn clean() -> Tree {
    Tree::parse(include_str!("clean.json")).unwrap_or_else(|| Tree::Object(Vec::new()))
}

/// Puts a JSON value at a place; the object around it must be there.
fn with(place: &str, value: &str) -> Option<Tree> {
    let mut tree = clean();
    put(&mut tree, place, value)?;
    Some(tree)
}

fn put(tree: &mut Tree, place: &str, value: &str) -> Option<()> {
    let (holder, name) = place.rsplit_once('/')?;
    let value = Tree::parse(value)?;
    match tree.at_mut(holder)? {
        Tree::Object(members) => {
            match members.iter_mut().find(|(found, _)| found == name) {
                Some((_, found)) => *found = value,
                None => members.push(member(name, value)),
            }
            Some(())
        }
        Tree::Array(elements) => {
            *elements.get_mut(name.parse::<usize>().ok()?)? = value;
            Some(())
        }
        _ => None,
    }
}

fn without(place: &str) -> Option<Tree> {
    let mut tree = clean();
    let (holder, name) = place.rsplit_once('/')?;
    match tree.at_mut(holder)? {
        Tree::Object(members) => members.retain(|(found, _)| found != name),
        _ => return None,
    }
    Some(tree)
}

/// A document that breaks a rule of this format and no other.
pub(super) fn document(rng: &mut Rng, rule: &'static Rule) -> Option<Tree> {
    let code = rule.code.strip_prefix("install-manifest/").unwrap_or(rule.code);
    match code {
        "json/type" => with("/tool/license", rng.word(&["null", "1", "[]", "{}"])),
        "json/required" => without(rng.word(&["/smoke", "/tool/homepage", "/runtime/kind"])),
        "manifest-version" => match rng.below(2) {
            0 => without("/manifest_version"),
            _ => with("/manifest_version", rng.word(&["0.2", "\"0.2.0\"", "null", "\" 0.2\""])),
        },
        "unknown-member" => with(rng.word(&["/x", "/tool/nme", "/actions/0/zzz"]), "1"),
        "length" => with("/tool/name", "\"\""),
        "pattern" => with("/tool/id", rng.word(&["\"ab\"", "\"Abc\"", "\"abc\\n\""])),
        "word" => with("/runtime/kind", "\"http\""),
        "tag" => with("/kill_switch/kind", "\"button\""),
        "count" => with("/runtime/entrypoint/command", "[]"),
        "integer" => with("/smoke/success/exit_code", rng.word(&["0.5", "1e-1"])),
        "range" => with("/smoke/timeout_seconds", rng.word(&["0", "301", "-1", "1e3"])),
        "exactly-one" => match rng.below(2) {
            0 => with("/kill_switch/instructions", "\"Rotate the key.\""),
            _ => without("/kill_switch/instructions_url"),
        },
        "terms-url" => without("/data_boundary/transmits/0/vendor_tos_url"),
        "actions-required" => {
            let mut tree = with("/actions", "[]")?;
            put(&mut tree, "/runtime/kind", "\"python-module\"")?;
            Some(tree)
        }
        "boundary-required" => without("/data_boundary"),
        "nothing-to-revoke" => with("/kill_switch", r#"{"kind": "none"}"#),
        "uri" => with("/tool/homepage", rng.word(&["\"here\"", "\"\"", "\"a b\""])),
        "email" => with("/support/security_email", rng.word(&["\"me\"", "\"@x\"", "\"a b@c\""])),
        _ => None,
    }
}
