//! Every law, for every ordered pair of formats, on generated documents.
//!
//! A failure names its seed: `TOOLGLOT_SEED=7` runs that case alone.
//! `TOOLGLOT_CASES=100` runs a hundred times as many.

use toolglot::testkit::{self, laws};
use toolglot::{
    FORMATS, FormatName, Limits, Options, Residue, RestoreOptions, Target, convert, json::Document,
    restore, tools_json,
};
use toolglot_tests::seeds;

/// Cases for each ordered pair in a normal run.
const CASES: u64 = 8;

/// Holds the laws for the cases of a pair.
fn hold(from: FormatName, to: FormatName) {
    if let Err(broken) =
        testkit::check_laws(from.testkit().unwrap(), to.format().unwrap(), &FORMATS, seeds(CASES))
    {
        panic!("{broken}");
    }
}

/// A test for each ordered pair, so that a failure names its pair.
macro_rules! pairs {
    ($($name:ident: $from:ident => $to:ident;)*) => {
        $(#[test] fn $name() { hold(FormatName::$from, FormatName::$to); })*

        /// Rows L02, L03, L04 and L06 of the catalogue of attacks.
        #[test]
        fn no_pair_is_missing() {
            let tested = [$((FormatName::$from, FormatName::$to)),*];
            let all = || FormatName::ALL.iter().copied();
            for pair in all().flat_map(|from| all().map(move |to| (from, to))) {
                assert!(tested.contains(&pair), "{pair:?}");
            }
        }
    };
}

pairs! {
    tools_json_to_itself: ToolsJson => ToolsJson;
    tools_json_to_mcpkg: ToolsJson => Mcpkg;
    tools_json_to_capability: ToolsJson => Capability;
    tools_json_to_jumith: ToolsJson => Jumith;
    tools_json_to_install_manifest: ToolsJson => InstallManifest;
    tools_json_to_mcpb: ToolsJson => Mcpb;
    tools_json_to_server_json: ToolsJson => ServerJson;
    mcpkg_to_tools_json: Mcpkg => ToolsJson;
    mcpkg_to_itself: Mcpkg => Mcpkg;
    mcpkg_to_capability: Mcpkg => Capability;
    mcpkg_to_jumith: Mcpkg => Jumith;
    mcpkg_to_install_manifest: Mcpkg => InstallManifest;
    mcpkg_to_mcpb: Mcpkg => Mcpb;
    mcpkg_to_server_json: Mcpkg => ServerJson;
    capability_to_tools_json: Capability => ToolsJson;
    capability_to_mcpkg: Capability => Mcpkg;
    capability_to_itself: Capability => Capability;
    capability_to_jumith: Capability => Jumith;
    capability_to_install_manifest: Capability => InstallManifest;
    capability_to_mcpb: Capability => Mcpb;
    capability_to_server_json: Capability => ServerJson;
    jumith_to_tools_json: Jumith => ToolsJson;
    jumith_to_mcpkg: Jumith => Mcpkg;
    jumith_to_capability: Jumith => Capability;
    jumith_to_itself: Jumith => Jumith;
    jumith_to_install_manifest: Jumith => InstallManifest;
    jumith_to_mcpb: Jumith => Mcpb;
    jumith_to_server_json: Jumith => ServerJson;
    install_manifest_to_tools_json: InstallManifest => ToolsJson;
    install_manifest_to_mcpkg: InstallManifest => Mcpkg;
    install_manifest_to_capability: InstallManifest => Capability;
    install_manifest_to_jumith: InstallManifest => Jumith;
    install_manifest_to_itself: InstallManifest => InstallManifest;
    install_manifest_to_mcpb: InstallManifest => Mcpb;
    install_manifest_to_server_json: InstallManifest => ServerJson;
    mcpb_to_tools_json: Mcpb => ToolsJson;
    mcpb_to_mcpkg: Mcpb => Mcpkg;
    mcpb_to_capability: Mcpb => Capability;
    mcpb_to_jumith: Mcpb => Jumith;
    mcpb_to_install_manifest: Mcpb => InstallManifest;
    mcpb_to_itself: Mcpb => Mcpb;
    mcpb_to_server_json: Mcpb => ServerJson;
    server_json_to_tools_json: ServerJson => ToolsJson;
    server_json_to_mcpkg: ServerJson => Mcpkg;
    server_json_to_capability: ServerJson => Capability;
    server_json_to_jumith: ServerJson => Jumith;
    server_json_to_install_manifest: ServerJson => InstallManifest;
    server_json_to_mcpb: ServerJson => Mcpb;
    server_json_to_itself: ServerJson => ServerJson;
    tools_json_to_tool_list: ToolsJson => ToolList;
    mcpkg_to_tool_list: Mcpkg => ToolList;
    capability_to_tool_list: Capability => ToolList;
    jumith_to_tool_list: Jumith => ToolList;
    install_manifest_to_tool_list: InstallManifest => ToolList;
    mcpb_to_tool_list: Mcpb => ToolList;
    tool_list_to_tools_json: ToolList => ToolsJson;
    tool_list_to_mcpkg: ToolList => Mcpkg;
    tool_list_to_capability: ToolList => Capability;
    tool_list_to_jumith: ToolList => Jumith;
    tool_list_to_install_manifest: ToolList => InstallManifest;
    tool_list_to_mcpb: ToolList => Mcpb;
    tool_list_to_server_json: ToolList => ServerJson;
    server_json_to_tool_list: ServerJson => ToolList;
    tool_list_to_itself: ToolList => ToolList;
}

/// A document as deep as the limit allows is converted like any other.
#[test]
fn depth() {
    for depth in [100, 123, 124] {
        let deep = "[".repeat(depth) + &"]".repeat(depth);
        let text = format!(
            r#"{{"tools":[{{"name":"a","command":["/a"],"x":{deep},"schema":{{"default":{deep}}}}}]}}"#
        );
        if laws::check_valid(&tools_json::FORMAT, &text).is_err() {
            continue;
        }
        for to in FORMATS {
            laws::tree_fidelity(&tools_json::FORMAT, &text).unwrap();
            laws::round_trip(&tools_json::FORMAT, to, &text).unwrap();
        }
    }
}

/// A document that fills the limits converts, though it would pass them if it were
/// laid out for people, and comes back.
#[test]
fn no_room_for_layout() {
    let limits = Limits::default();
    let fill = |bytes: usize| format!("[{}0]", "\"0123456789\",".repeat(bytes / 13));
    let schema = fill(limits.schema_bytes - 100);
    let rest = fill(limits.document_bytes - limits.schema_bytes - 1_000);
    let text = format!(
        r#"{{"tools":[{{"name":"a","command":["/a"],"x":{rest},"schema":{{"default":{schema}}}}}]}}"#
    );
    let from = &tools_json::FORMAT;
    laws::check_valid(from, &text).unwrap();
    for to in FORMATS {
        laws::round_trip(from, to, &text).unwrap();
    }
}

/// A host that raises the limits can convert what they allow.
#[test]
fn size() {
    let limits = Limits { schema_bytes: 8 << 20, ..Limits::for_catalog() };
    let texts = |length: usize| format!("[{}0]", "\"0123456789\",".repeat(length));
    let text = format!(
        r#"{{"tools":[{{"name":"a","command":["/a"],"x":{},"schema":{{"enum":{}}}}}]}}"#,
        texts(100_000),
        texts(100_000),
    );
    let options = Options { limits: limits.clone(), ..Options::default() };
    let source = Document::parse(text.as_bytes(), &limits).unwrap();
    for to in FORMATS {
        let from = &tools_json::FORMAT;
        let converted = convert(&source, from, *to, &options).unwrap();
        let residue = converted.residue().to_json();
        let residue = Residue::parse(residue.as_bytes(), &limits).unwrap();
        let target = converted.documents[0].open();
        let target = Target { name: None, document: &target };
        let options = RestoreOptions { limits: limits.clone(), ..RestoreOptions::default() };
        let back = restore(&[target], &residue, &options).unwrap();
        assert!(back.text == text);
    }
}
