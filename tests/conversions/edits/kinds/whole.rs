//! Edits of names, of calls, and of whole tools.

use serde_json::{Value, json};
use toolglot::FormatName::{
    Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};

use super::super::homes::words;
use super::{At, Case, Change, Targets, put};

impl Targets<'_> {
    pub(super) fn names(&mut self, at: &At) {
        let ids: &[&str] = match self.format {
            InstallManifest if at.entry.is_empty() => &["/tool/id"],
            ToolList if self.value(at, &format!("{}/function", at.entry)).is_some() => {
                &["/function/name"]
            }
            InstallManifest | Mcpb | ServerJson | ToolList | ToolsJson => &["/name"],
            Mcpkg => &["/toolId"],
            Capability | Jumith => &["/id"],
            other => panic!("{other} is a new format"),
        };
        for id in ids {
            let place = format!("{}{id}", at.entry);
            let Some(old) = self.value(at, &place).and_then(|id| Some(id.as_str()?.to_owned()))
            else {
                continue;
            };
            let last = if *id == "/tool/id" { "renamed-tool" } else { "renamed" };
            let new = match old.rsplit_once('.') {
                Some((head, _)) => format!("{head}.{last}"),
                None => last.to_owned(),
            };
            let change = Change::Tool { old, new: new.clone() };
            self.push("rename a tool", at, &[(place, Some(json!(new)))], change);
        }
        if self.format == Jumith {
            let place = format!("{}/name", at.entry);
            self.push(
                "change a callable name",
                at,
                &[(place, Some(json!("renamed")))],
                Change::Alone,
            );
        }
        if self.format == InstallManifest && !at.entry.is_empty() {
            self.push(
                "rename a package",
                at,
                &[("/tool/id".to_owned(), Some(json!("renamed-package")))],
                Change::Alone,
            );
        }
    }

    pub(super) fn calls(&mut self, at: &At) {
        let document = &self.documents[at.document];
        if let Some(place) = words(self.format, document, &at.entry) {
            let line = document.pointer(&place).unwrap();
            let old: Vec<String> = match line {
                Value::String(line) => line.split(' ').map(str::to_owned).collect(),
                list => list
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|word| word.as_str().unwrap().to_owned())
                    .collect(),
            };
            let bridge = old.first().is_some_and(|word| word.contains("toolglot"));
            let text = line.is_string();
            let said = |words: &[String]| if text { json!(words.join(" ")) } else { json!(words) };
            let new = [old.clone(), vec!["--flag".to_owned()]].concat();
            let kind =
                if bridge { "append a flag to the bridge" } else { "append a flag to a command" };
            let change = Change::Flag { bridge, old: old.clone(), new: new.clone() };
            self.push(kind, at, &[(place.clone(), Some(said(&new)))], change);
            let mine = ["/opt/mine".to_owned()];
            if bridge {
                self.push("replace the bridge", at, &[(place, Some(said(&mine)))], Change::Call);
            } else {
                let mut new = old.clone();
                "/opt/mine".clone_into(&mut new[0]);
                let change = Change::Flag { bridge, old, new: new.clone() };
                self.push("change the program", at, &[(place, Some(said(&new)))], change);
            }
        }
        let entry = &at.entry;
        let places = [
            (
                "change a URL",
                "/runtime/endpoint_url".to_owned(),
                json!("https://new.example.com/api"),
            ),
            ("change a URL", "/endpoint/url".to_owned(), json!("https://new.example.com/api")),
            ("change a URL", format!("{entry}/invocation/path"), json!("/new/path")),
            ("change a method", format!("{entry}/invocation/method"), json!("PUT")),
            ("change a method", "/endpoint/method".to_owned(), json!("PUT")),
            (
                "change an address",
                format!("{entry}/implementation/mcp/registry_url"),
                json!("https://new.example.com"),
            ),
            (
                "change an address",
                format!("{entry}/implementation/a2a/endpoint"),
                json!("https://new.example.com"),
            ),
            (
                "change a callable",
                format!("{entry}/implementation/python/callable"),
                json!("new.module:call"),
            ),
            ("change a module", "/entry/main".to_owned(), json!("new.mjs")),
        ];
        for (kind, place, value) in places {
            if self.value(at, &place).is_some() {
                self.push(kind, at, &[(place, Some(value))], Change::Call);
            }
        }
        if self.value(at, &format!("{entry}/invocation/method")).is_some() {
            let place = format!("{entry}/invocation/headers/X-New");
            self.push("add a header", at, &[(place, Some(json!("new")))], Change::Call);
        }
    }

    /// What only this format has a word for.
    pub(super) fn own_words(&mut self, at: &At) {
        let entry = &at.entry;
        let extra = format!("{entry}/x-note");
        self.push("add an unknown member", at, &[(extra, Some(json!({"a": [1]})))], Change::Alone);
        if self.format != InstallManifest {
            return;
        }
        if !entry.is_empty() {
            let example = json!([{"description": "A new example.", "input": {}}]);
            self.push(
                "change the examples",
                at,
                &[(format!("{entry}/examples"), Some(example))],
                Change::Alone,
            );
        }
        let scopes =
            self.value(at, "/scopes").and_then(|list| list.as_array().cloned()).unwrap_or_default();
        let new = json!({"resource": "new.thing", "actions": ["read"], "rationale": "Because."});
        let more = json!([scopes.clone(), vec![new]].concat());
        self.push("add a scope", at, &[("/scopes".to_owned(), Some(more))], Change::Alone);
        if !scopes.is_empty() {
            let place = "/scopes/0/rationale".to_owned();
            self.push(
                "change a scope",
                at,
                &[(place, Some(json!("For another reason.")))],
                Change::Alone,
            );
            let used = format!("{entry}/scopes_used");
            let mut edits = vec![("/scopes/0".to_owned(), None)];
            if !entry.is_empty() {
                let names: Vec<Value> = self
                    .value(at, &used)
                    .and_then(|list| list.as_array().cloned())
                    .unwrap_or_default();
                let left: Vec<Value> =
                    names.into_iter().filter(|name| *name != scopes[0]["resource"]).collect();
                edits.push((used, Some(json!(left))));
            }
            self.push("remove a scope", at, &edits, Change::Alone);
        }
        for (kind, place, value) in [
            ("change a fee", "/cost/install_fee_cents", json!(5)),
            ("change how use is paid", "/cost/usage_model", json!("per-call")),
        ] {
            self.push(kind, at, &[(place.to_owned(), Some(value))], Change::Alone);
        }
    }

    pub(super) fn lists_of_tools(&mut self, at: &At, count: usize) {
        let mut documents: Vec<Option<Value>> = self.documents.iter().cloned().map(Some).collect();
        let Some((list, index)) = at.entry.rsplit_once('/').filter(|(list, _)| !list.is_empty())
        else {
            if count > 1 {
                documents[at.document] = None;
                self.whole("remove a tool", at, documents, Change::Gone);
            }
            return;
        };
        let index: usize = index.parse().unwrap();
        let own = documents[at.document].as_mut().unwrap();
        let tools = own.pointer_mut(list).unwrap().as_array_mut().unwrap();
        if tools.len() > 1 {
            let before = tools.clone();
            tools.remove(index);
            self.whole("remove a tool", at, documents.clone(), Change::Gone);
            let mut turned = documents.clone();
            let mut list_of = before;
            list_of.reverse();
            put(turned[at.document].as_mut().unwrap(), list, Some(Value::Array(list_of)));
            self.whole("reorder the tools", at, turned, Change::Order);
        }
        let mut documents: Vec<Option<Value>> = self.documents.iter().cloned().map(Some).collect();
        let tools = documents[at.document].as_mut().unwrap().pointer_mut(list).unwrap();
        let tools = tools.as_array_mut().unwrap();
        let mut new = tools[index].clone();
        let id = if self.format == Capability { "id" } else { "name" };
        new[id] = json!("added_tool");
        if self.format == ToolsJson {
            new["command"] = json!(["/opt/added"]);
        }
        tools.push(new);
        let place = At { entry: format!("{list}/{}", tools.len() - 1), ..at.clone() };
        self.whole("add a tool", &place, documents, Change::Added("added_tool".to_owned()));
    }

    fn whole(
        &mut self,
        kind: &'static str,
        at: &At,
        documents: Vec<Option<Value>>,
        change: Change,
    ) {
        let place = (at.document, at.entry.clone());
        self.cases.push(Case { kind, documents, at: place, tool: at.tool, change, all: false });
    }
}
