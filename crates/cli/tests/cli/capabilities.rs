//! Capabilities that are installed and called: declared first, granted, in place, and gone again.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::{Value, json as value};
use toolglot::core::sha256_hex;

use crate::program::{Folder, Ran, command, json, run, workspace};

const BASE: &str = "examples/catalogs/manifest.base.json";
const COUNT: &str = "examples/manifests/count.capability.json";

/// A capability that answers with a number, whose program is beside its manifest.
fn offered(folder: &Folder, number: u32, changes: &[(&str, Value)]) -> String {
    let program = format!("#!/bin/sh\necho {number}\n");
    let path = folder.write("count", &program);
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let mut manifest = json(&workspace(COUNT));
    manifest["version"] = format!("{number}.0.0").into();
    manifest["origin"] = value!({
        "source": "local", "path": "count", "digest": sha256_hex(program.as_bytes())
    });
    manifest["implementation"]["command"]["argv"] = value!(["./count"]);
    for (place, change) in changes {
        let (parent, name) = place.rsplit_once('/').unwrap();
        manifest.pointer_mut(parent).unwrap()[name] = change.clone();
    }
    folder.write("count.json", manifest.to_string())
}

/// The manifest of a capability that a program answers, changed.
pub(crate) fn capability(changes: &[(&str, Value)]) -> String {
    let mut manifest = json(&workspace(COUNT));
    for (name, change) in changes {
        manifest[name] = change.clone();
    }
    manifest.to_string()
}

/// A verb of catalogs, with the base and a store in the folder.
fn catalog(folder: &Folder, verb: &[&str]) -> Ran {
    run(&[&["catalog"], verb, &["--base", BASE, "--store", &folder.path("store")]].concat())
}

/// What a capability printed.
fn printed(ran: &Ran) -> String {
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    json(&ran.out)["stdout"].as_str().unwrap().to_owned()
}

fn refused(ran: &Ran, why: &str) {
    assert_eq!((ran.code, ran.out.as_str()), (Some(3), ""), "{}", ran.err);
    assert!(ran.err.contains(why), "{why}: {}", ran.err);
}

#[test]
fn from_a_catalog_to_a_call_to_a_reset() {
    let folder = Folder::new("capability-flow");
    let manifest = offered(&folder, 3, &[]);
    // A registry offers it; no catalog declares it.
    let registry = folder.write("registry.json", format!("[{}]", folder.read("count.json")));
    let ran = catalog(&folder, &["resolve", "count files", "--registry", &registry]);
    assert!(ran.out.contains("files.count@3.0.0:static:"), "{}{}", ran.out, ran.err);
    assert!(ran.out.ends_with("not installed\n"), "{}", ran.out);
    refused(&catalog(&folder, &["call", "count files"]), "no catalog declares");
    refused(&catalog(&folder, &["call", "files.count"]), "no catalog declares");
    assert!(!Path::new(&folder.path("store")).exists());

    let ran = catalog(&folder, &["install", &manifest]);
    assert_eq!((ran.code, ran.err.as_str()), (Some(0), "installed \"files.count\" \"3.0.0\"\n"));
    let listed = catalog(&folder, &["list"]).out;
    assert!(listed.contains("files.count  3.0.0  local  local\n"), "{listed}");
    let verify = |name: &str| run(&["verify", name, "--store", &folder.path("store")]);
    for name in ["files.count", &manifest] {
        let ran = verify(name);
        assert!(
            ran.code == Some(0) && ran.out.contains("holds    files"),
            "{}{}",
            ran.out,
            ran.err
        );
    }
    refused(&verify("no.such"), "is not installed in");
    // Nothing is granted by default.
    refused(&catalog(&folder, &["call", "count files"]), "file access not allowed by policy");
    let ran = catalog(&folder, &["call", "count files", "--files", "read"]);
    assert_eq!(printed(&ran), "3\n");
    assert!(ran.err.contains("\"files.count\" fits best"), "{}", ran.err);
    let policy = folder.write("policy.json", r#"{"files": "read"}"#);
    let ran = catalog(&folder, &["call", "files.count", "--policy", &policy]);
    assert_eq!(printed(&ran), "3\n");
    // It was copied: what became of its source is no matter.
    let newer = offered(&folder, 4, &[]);
    assert_eq!(printed(&catalog(&folder, &["call", "files.count", "--files", "read"])), "3\n");
    assert_eq!(catalog(&folder, &["install", &newer]).code, Some(0));
    assert_eq!(printed(&catalog(&folder, &["call", "files.count", "--files", "read"])), "4\n");
    assert_eq!(fs::read_dir(folder.path("store/installed")).unwrap().count(), 1);

    let ran = catalog(&folder, &["reset"]);
    refused(&ran, "nobody said yes");
    assert_eq!(printed(&catalog(&folder, &["call", "files.count", "--files", "read"])), "4\n");
    assert_eq!(catalog(&folder, &["reset", "--yes"]).code, Some(0));
    refused(&catalog(&folder, &["call", "files.count", "--files", "read"]), "no catalog declares");
    assert_eq!(fs::read_dir(folder.path("store/installed")).unwrap().count(), 0);
    // What was shipped stays, and needs no installation.
    assert_eq!(printed(&catalog(&folder, &["call", "demo.echo"])), "{\"said\": \"hello\"}\n");
}

/// The user's own store, and a local catalog elsewhere: only their owner can read them.
#[test]
fn stores_have_their_places() {
    let folder = Folder::new("capability-places");
    let manifest = offered(&folder, 3, &[]);
    let own = |verb: &[&str]| -> Ran {
        let mut command = command(&[&["catalog"], verb].concat());
        command.env("XDG_DATA_HOME", folder.path("data")).output().unwrap().into()
    };
    let mode = |name: &str| fs::metadata(folder.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(own(&["install", &manifest]).code, Some(0));
    assert_eq!(printed(&own(&["call", "count", "--files", "read"])), "3\n");
    assert!(own(&["list"]).out.contains("files.count"));
    assert_eq!(mode("data/toolglot/capabilities"), 0o700);
    assert_eq!(mode("data/toolglot/capabilities/manifest.local.json"), 0o600);
    assert_eq!(own(&["reset", "--yes"]).code, Some(0));
    assert_eq!(own(&["list"]).out, "");

    let local = folder.path("local.json");
    let ran = own(&["install", &manifest, "--local", &local]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!((mode("local.json"), mode("local.json.store")), (0o600, 0o700));
    let ran = own(&["call", "count", "--files", "read", "--local", &local]);
    assert_eq!(printed(&ran), "3\n");
    let ran = own(&["add", COUNT, "--local", &folder.path("added.json")]);
    assert_eq!((ran.code, mode("added.json")), (Some(0), 0o600), "{}", ran.err);
}

#[test]
fn what_is_only_declared_is_not_called() {
    let folder = Folder::new("capability-declared");
    let manifest = offered(&folder, 3, &[]);
    let call = || catalog(&folder, &["call", "files.count", "--files", "read"]);
    assert_eq!(catalog(&folder, &["install", &manifest]).code, Some(0));
    let place = fs::read_dir(folder.path("store/installed")).unwrap().next().unwrap().unwrap();
    // What was changed since is not what was installed.
    fs::write(place.path().join("content/count"), "#!/bin/sh\necho 5\n").unwrap();
    refused(&call(), "not in place as it was installed");
    fs::remove_dir_all(place.path()).unwrap();
    refused(&call(), "not in place as it was installed");
    assert_eq!(catalog(&folder, &["install", &manifest]).code, Some(0));
    assert_eq!(printed(&call()), "3\n");
    assert_eq!(catalog(&folder, &["reset", "--yes"]).code, Some(0));
    // Adding declares, and puts nothing in place.
    assert_eq!(catalog(&folder, &["add", &manifest]).code, Some(0));
    refused(&call(), "not in place as it was installed");
    // What was shipped and switched off stays off.
    assert_eq!(catalog(&folder, &["remove", "demo.echo"]).code, Some(0));
    refused(&catalog(&folder, &["call", "demo.echo"]), "capability disabled");
}

#[test]
fn devices_channels_and_trust_are_granted_by_name() {
    let folder = Folder::new("capability-grants");
    let none = ("/permissions/filesystem", value!("none"));
    let install = |changes: &[(&str, Value)], more: &[&str]| {
        let manifest = offered(&folder, 3, &[std::slice::from_ref(&none), changes].concat());
        catalog(&folder, &[&["install", &manifest], more].concat())
    };
    let call = |more: &[&str]| catalog(&folder, &[&["call", "files.count"], more].concat());

    assert_eq!(
        install(&[("/permissions/devices", value!(["camera", "screen"]))], &[]).code,
        Some(0)
    );
    refused(&call(&["--device", "camera"]), "device not allowed by policy: \"screen\"");
    assert_eq!(printed(&call(&["--device", "camera", "--device", "screen"])), "3\n");
    let policy = folder.write("policy.json", r#"{"devices": ["screen", "camera"]}"#);
    assert_eq!(printed(&call(&["--policy", &policy])), "3\n");

    assert_eq!(install(&[("/execution", value!({"channel": "vdi_vpn"}))], &[]).code, Some(0));
    refused(&call(&[]), "the capability declares the channel vdi_vpn");
    assert_eq!(printed(&call(&["--channel", "vdi_vpn"])), "3\n");

    let stranger = [("/trust_level", value!("community"))];
    refused(&install(&stranger, &[]), "trust_level not allowed by policy: community");
    assert_eq!(install(&stranger, &["--allow", "community"]).code, Some(0));
    refused(&call(&[]), "trust_level not allowed by policy: community");
    assert_eq!(printed(&call(&["--allow", "community"])), "3\n");
}

/// The content must be what the manifest pins, and a catalog must not lose what is broken.
#[test]
fn what_does_not_fit_is_not_installed() {
    let folder = Folder::new("capability-unfit");
    let digest = "a1".repeat(32);
    let manifest = offered(&folder, 3, &[("/origin/digest", value!(digest))]);
    let ran = catalog(&folder, &["install", &manifest]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("capability/digest-mismatch"), "{}", ran.err);
    assert!(!Path::new(&folder.path("store/manifest.local.json")).exists());
    let manifest = offered(&folder, 3, &[]);
    folder.write("store/manifest.local.json", r#"{"capabilities": [{"id": "x"}]}"#);
    let ran = catalog(&folder, &["install", &manifest]);
    assert_eq!(ran.code, Some(1), "{}", ran.err);
    assert!(ran.err.contains("would lose them"), "{}", ran.err);
    // A reset helps, whatever is in the file.
    folder.write("store/manifest.local.json", "{");
    assert_eq!(catalog(&folder, &["reset", "--yes"]).code, Some(0));
    assert_eq!(catalog(&folder, &["install", &manifest]).code, Some(0));
}

/// What a crash left is gone when the next one starts.
#[test]
fn the_next_call_cleans_up() {
    let folder = Folder::new("capability-crash");
    let manifest = offered(&folder, 3, &[]);
    assert_eq!(catalog(&folder, &["install", &manifest]).code, Some(0));
    for left in ["staging/a/manifest.json", "installed/b/manifest.json", ".tmp-c"] {
        folder.write(&format!("store/{left}"), "{");
    }
    assert_eq!(printed(&catalog(&folder, &["call", "count", "--files", "read"])), "3\n");
    for left in ["staging/a", "installed/b", ".tmp-c"] {
        assert!(!Path::new(&folder.path(&format!("store/{left}"))).exists(), "{left}");
    }
}

#[test]
fn one_of_several_has_to_be_named() {
    let folder = Folder::new("capability-several");
    for id in ["files.count", "count.files"] {
        let manifest = offered(&folder, 3, &[("/id", value!(id))]);
        assert_eq!(catalog(&folder, &["install", &manifest]).code, Some(0));
    }
    let ran = catalog(&folder, &["call", "count files", "--files", "read"]);
    refused(&ran, "say which of \"files.count\", \"count.files\"");
    assert_eq!(printed(&catalog(&folder, &["call", "count.files", "--files", "read"])), "3\n");
}

/// What only a person at a screen can drive is not called by a program, and what needs a sign-in
/// is not called without a secret for it, whoever agrees.
#[test]
fn files_of_capabilities_are_judged_like_catalogs() {
    let folder = Folder::new("capability-files");
    let desktop = [("execution", value!({"channel": "vdi_vpn"}))];
    let file = folder.write("desktop.json", capability(&desktop));
    let call = |more: &[&str]| run(&[&["call", &file, "--yes"], more].concat());
    refused(&call(&[]), "over a private network (vdi_vpn)");
    refused(&call(&["--allow", "disabled,untrusted,private"]), "a grant (--allow)");
    assert_eq!(printed(&call(&["--allow", "vdi_vpn"])), "{\"count\": 3}\n");
    let policy = folder.write("policy.json", r#"{"channels": ["vdi_vpn"]}"#);
    assert_eq!(printed(&call(&["--policy", &policy])), "{\"count\": 3}\n");

    let secret = |name: &str| value!([{"name": name, "ref": "vault://kv/count#token"}]);
    let signed = |secrets: Value| {
        let changes = [("requires_oauth", value!(true)), ("secrets", secrets)];
        let file = folder.write("signed.json", capability(&changes));
        let mut command = command(&["call", &file, "--yes", "--allow", "vdi_vpn,untrusted"]);
        command.env("OAUTH_COUNT", "hunter2").env("TOKEN", "hunter2").output().unwrap().into()
    };
    for secrets in [value!([]), secret("TOKEN")] {
        let ran: Ran = signed(secrets);
        refused(&ran, "needs a sign-in with OAuth");
        refused(&ran, "what no grant gives");
    }
    assert_eq!(printed(&signed(secret("OAUTH_COUNT"))), "{\"count\": 3}\n");
}

/// What a registry offers is installed by its id, with the trust that it has.
#[test]
fn what_a_registry_offers_is_installed_by_its_id() {
    let folder = Folder::new("capability-registry");
    let registry = format!(
        "[{}, {}]",
        capability(&[("id", value!("a.one"))]),
        capability(&[("id", value!("a.two")), ("trust_level", value!("untrusted"))])
    );
    let registry = folder.write("registry.json", registry);
    let install = |more: &[&str]| {
        catalog(&folder, &[&["install"], more, &["--registry", &registry]].concat())
    };
    refused(&install(&["a.on"]), "did you mean \"a.one\"?");
    refused(&install(&["a.two"]), "trust_level not allowed by policy: untrusted");
    assert_eq!(install(&["a.one@0.2.0"]).code, Some(0));
    assert_eq!(install(&["a.two", "--allow", "untrusted"]).code, Some(0));
    let ran = catalog(&folder, &["call", "a.one", "--files", "read"]);
    assert_eq!(printed(&ran), "{\"count\": 3}\n");
    refused(&catalog(&folder, &["call", "a.two", "--files", "read"]), "untrusted");
}

/// Nothing is sent where policy does not allow it.
#[test]
fn a_registry_is_asked_over_https_only() {
    let folder = Folder::new("capability-https");
    for (url, why) in [
        ("http://registry.example/index.json", "http"),
        ("https://127.0.0.1:1/index.json", "private networks are not allowed by policy"),
    ] {
        for verb in [["resolve", "echo"], ["install", "demo.echo"]] {
            let ran = catalog(&folder, &[&verb[..], &["--registry", url]].concat());
            refused(&ran, why);
        }
    }
    // It may be asked, and nobody is there.
    let named = ["resolve", "echo", "--registry", "https://127.0.0.1:1/index.json", "--private"];
    assert_eq!(catalog(&folder, &named).code, Some(2));
}

/// A secret is got by its reference, once the call is approved, from the program that the person
/// names; no manifest names one.
#[test]
fn a_secret_is_got_by_its_reference() {
    let folder = Folder::new("capability-resolver");
    let script = |name: &str, text: &str| {
        let path = folder.write(name, format!("#!/bin/sh\n{text}\n"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    };
    let show = script("show", "printf '%s' \"$TOKEN\"");
    let asked = folder.path("asked");
    let vault = script("vault", &format!("cat >> {asked}; printf 'hunt%s\\n' er2"));
    let secrets = |place: &str| value!([{"name": "TOKEN", "ref": place}]);
    let argv = value!({"kind": "command", "command": {"argv": [show]}});
    let file = |place: &str| {
        let changes = [("secrets", secrets(place)), ("implementation", argv.clone())];
        folder.write("kept.json", capability(&changes))
    };
    let kept = file("vault://kv/count#token");
    let resolver = format!("vault={vault}");
    let without = run(&["call", &kept, "--yes"]);
    refused(&without, "\"TOKEN\" has no value");
    let unapproved = run(&["call", &kept, "--resolver", &resolver]);
    refused(&unapproved, "the call needs approval");
    refused(&unapproved, "\"TOKEN\" is kept at vault://kv/count#token");
    refused(&run(&["approve", &kept]), ", with vault://kv/count#token");
    // Where all else is granted, it is asked for the secret alone.
    let policy = folder.write("policy.json", r#"{"grants": ["unknown"]}"#);
    let plain = folder.write("plain.json", capability(&[("implementation", argv.clone())]));
    assert_eq!(printed(&run(&["call", &plain, "--policy", &policy])), "");
    let unapproved = run(&["call", &kept, "--policy", &policy, "--resolver", &resolver]);
    refused(&unapproved, "this tool is given secrets of yours");
    assert!(!Path::new(&asked).exists(), "nobody asks for what is not approved");
    let ran = run(&["call", &kept, "--yes", "--resolver", &resolver]);
    assert_eq!(printed(&ran), "hunter2");
    assert!(!ran.err.contains("hunter2"), "{}", ran.err);
    assert_eq!(folder.read("asked"), "vault://kv/count#token\n");
    let ran = run(&["call", &kept, "--yes", "--resolver", &resolver, "--dry-run"]);
    assert!(ran.code == Some(0) && !ran.out.contains("hunter2"), "{}{}", ran.out, ran.err);
    refused(&run(&["call", &kept, "--yes", "--resolver", "vault=false"]), "exit code 1");
    assert_eq!(run(&["call", &kept, "--resolver", "vault"]).code, Some(2));
    // Another variable of the environment is a place only if it is declared.
    let call = |place: &str| -> Ran {
        let file = file(place);
        let mut command = command(&["call", &file, "--yes"]);
        command.env("OTHER", "hunter2").output().unwrap().into()
    };
    refused(&call("env://OTHER"), "\"TOKEN\" has no value");
}
