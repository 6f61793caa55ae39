//! Generates documents for tests: valid ones, and ones with one defect.

use testkit::{Hints, Rng, Testkit, Tree, Vocabulary, generate_object, value};

use crate::table::{CATALOG_TABLE, ROOT};

mod defects;

pub use defects::{concerns_no_document, defect};

/// The generators of this format.
pub static TESTKIT: Testkit =
    Testkit { format: &crate::FORMAT, generate, defect, vocabulary: &VOCABULARY };

/// The member names of this format. Its objects are closed, so only schemas accept unknown
/// members.
pub static VOCABULARY: Vocabulary = Vocabulary {
    names: &[
        "catalog_version",
        "capabilities",
        "id",
        "type",
        "version",
        "description",
        "origin",
        "interfaces",
        "permissions",
        "runtime",
        "trust_level",
        "enabled",
        "requires_oauth",
        "execution",
        "secrets",
        "implementation",
    ],
    maps: &[],
    open: &["inputs", "outputs"],
};

const HINTS: Hints<'_> = Hints {
    samples: &[
        ("catalog_version", &[r#""catalog.v1""#]),
        ("id", &["demo.echo", "mcp.tool:search", "acme/files", "Read File", "é~", "A", "tool:x"]),
        (
            "version",
            &["1.0.0", "0.1.0", "1.2.3-rc.1+build.5", "10.20.30", "1.0.0-RC.1", "1.0.0+Build"],
        ),
        (
            "digest",
            &[
                "0000000000000000000000000000000000000000000000000000000000000000",
                "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "sha256:0000000000000000000000000000000000000000000000000000000000000000",
                "5555555555555555555555555555555555555555555555555555555555555555",
                "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
                "sha256:FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF",
                "sha256:5555555555555555555555555555555555555555555555555555555555555555",
                "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
                "sha256:F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5F5",
            ],
        ),
        ("signature", &["", "ed25519:abc", "é"]),
        ("origin/url", &["https://example.com/a.json", "http://localhost:8080/é?a=b"]),
        ("path", &[".", "", "../up", "a b"]),
        ("devices", &["camera", "/dev/ttyUSB0", "é", "", "device.gps"]),
        (
            "network_allowlist",
            &[
                "api.example.com",
                "*.example.org",
                "https://example.net/v1/",
                "[::1]:8080",
                "*",
                "a.example",
                "",
            ],
        ),
        ("cpu", LIMITS),
        ("memory", LIMITS),
        (
            "timeout_seconds",
            &["0", "-0", "5", "0.5", "1.0", "3e1", "1E-400", "300.1", "1e307", "0.0001"],
        ),
        ("secrets/name", &["GITHUB_TOKEN", "OAUTH_GOOGLE", "api key", "é", "smtp.pass"]),
        (
            "ref",
            &["vault://kv/unison/github#token", "secret://oauth/google/x", "op://a/b", "env://A"],
        ),
        (
            "argv/0",
            &[
                "echo",
                "./tools/bin/get_time",
                "/usr/bin/env",
                "/opt/acme/bin/tool",
                "/opt/acme/bin/tool",
                "two words",
                "",
            ],
        ),
        // Templates of other formats are plain text here.
        ("argv", value::ARGUMENTS),
        ("callable", &["a.b:c", "pkg.tools:run", "_x:_y"]),
        ("registry_url", &["https://registry.example.com/mcp"]),
        ("tool_name", &["search", "é", "a b"]),
        ("server_id", &["files", ""]),
        ("endpoint", &["https://a.example/rpc", "http://[::1]/"]),
    ],
    always: &[
        "network_allowlist",
        "implementation/command",
        "implementation/python",
        "implementation/mcp",
        "implementation/a2a",
    ],
};

const LIMITS: &[&str] = &["default", "500m", "128Mi", "1", "0.5"];

/// Generates a valid document: one manifest, or a catalog of up to `size` manifests, with
/// schemas of up to `size` properties.
pub fn generate(rng: &mut Rng, size: usize) -> String {
    if rng.once_in(2) {
        return manifest(rng, 0, size).render();
    }
    let mut catalog = generate_object(CATALOG_TABLE.root, 0, HINTS, rng, size);
    for manifest in catalog.elements_mut("/capabilities") {
        make_valid(manifest, rng);
    }
    catalog.append_indices("/capabilities", "/id");
    if rng.once_in(4) {
        catalog.put("/x-note", value::value(rng, 3));
    }
    catalog.render()
}

/// Generates a valid manifest. The number makes its id unique.
pub fn manifest(rng: &mut Rng, number: usize, size: usize) -> Tree {
    let mut manifest = generate_object(&ROOT, 0, HINTS, rng, size);
    make_valid(&mut manifest, rng);
    if let Some(Tree::Text(id)) = manifest.at_mut("/id") {
        id.push_str(&number.to_string());
    }
    manifest
}

/// Establishes the conditions between the members of a manifest.
fn make_valid(manifest: &mut Tree, rng: &mut Rng) {
    let list = "/permissions/network_allowlist";
    if manifest.elements_mut(list).is_empty() {
        manifest.put("/permissions/network", "deny".into());
    }
    if manifest.at("/permissions/network") == Some(&"deny".into()) && !rng.once_in(3) {
        manifest.remove(list);
    }
    manifest.remove_duplicates("/secrets", "/name");
    // Commands get no arguments. Other formats can express such a tool if its schema
    // accepts none.
    if rng.once_in(4) {
        manifest.put("/interfaces/inputs", value::empty_object_schema());
    }
    let kind = manifest.at("/implementation/kind").cloned();
    let blocks =
        [("command", "command"), ("python", "python"), ("mcp_tool", "mcp"), ("a2a_rpc", "a2a")];
    for (word, block) in blocks {
        // Blocks of other kinds are ignored, and most documents have none.
        if kind.as_ref() != Some(&word.into()) && !rng.once_in(16) {
            manifest.remove(&format!("/implementation/{block}"));
        }
    }
}
