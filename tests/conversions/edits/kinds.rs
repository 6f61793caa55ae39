//! Every kind of edit that a person may make to a target.

#![allow(clippy::too_many_lines)] // tables of edits

use serde_json::{Value, json};
use toolglot::FormatName::{self, Capability, InstallManifest, Jumith, Mcpkg, ServerJson};

use super::homes::{Field, home, name_of, seconds, tools};

mod whole;

/// One edit.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub kind: &'static str,
    /// The documents afterwards; nothing, for one that was removed.
    pub documents: Vec<Option<Value>>,
    /// The document, and where in it.
    pub at: (usize, String),
    /// Which tool, counted through all documents.
    pub tool: usize,
    pub change: Change,
    /// Whether all copies of what tools share were edited alike.
    pub all: bool,
}

impl Case {
    /// Whether the list that was edited has another entry of that name.
    pub(crate) fn still_says(&self, name: &str) -> bool {
        let document = self.documents.get(self.at.0).and_then(Option::as_ref);
        let list = self.at.1.rsplit_once('/').and_then(|(list, _)| document?.pointer(list));
        let list = list.and_then(Value::as_array).into_iter().flatten();
        list.into_iter().any(|one| name_of(one) == Some(name))
    }
}

/// What was done, as far as the oracle wants to know.
#[derive(Clone, Debug)]
pub(crate) enum Change {
    /// A value is another, was added, or removed.
    Value { field: Field, old: Option<Value>, new: Option<Value> },
    /// A word of a list is another, was added, or removed.
    Word { field: Field, old: Option<String>, new: Option<String> },
    /// An argument has another name.
    Renamed { old: String, new: String, schema: Value },
    /// An argument is gone.
    Removed { name: String, schema: Value },
    /// The input schema is another.
    Schema { old: Value, new: Value },
    /// The tool has another name: the whole, and its last part.
    Tool { old: String, new: String },
    /// A word was added to the call that the target makes.
    Flag { bridge: bool, old: Vec<String>, new: Vec<String> },
    /// The call is another one altogether.
    Call,
    /// There is one tool more, of that name.
    Added(String),
    /// The tool is gone.
    Gone,
    /// The tools stand in another order.
    Order,
    /// No format but the target's has a word for it.
    Alone,
}

/// What a value becomes.
#[derive(Clone, Copy)]
enum New {
    Text(&'static str),
    /// The next of these words.
    OneOf(&'static [&'static str]),
    /// The other of yes and no, where nothing means yes.
    Other,
    /// 77 of them.
    Seconds,
    Cents,
}

impl New {
    fn value(self, old: Option<&Value>, format: FormatName) -> Value {
        match self {
            Self::Text(text) => json!(text),
            Self::OneOf(words) => {
                let at = words.iter().position(|word| old.is_some_and(|old| old == word));
                json!(words[at.map_or(0, |at| (at + 1) % words.len())])
            }
            Self::Other => json!(!old.and_then(Value::as_bool).unwrap_or(true)),
            Self::Seconds => seconds(format, 77),
            Self::Cents => json!(1234),
        }
    }
}

/// What edits are made to.
struct Targets<'t> {
    format: FormatName,
    documents: &'t [Value],
    cases: Vec<Case>,
}

/// One tool of a target.
#[derive(Clone)]
struct At {
    document: usize,
    tool: usize,
    entry: String,
}

/// All edits of all kinds to the first tools of a target.
pub(crate) fn cases(format: FormatName, documents: &[Value]) -> Vec<Case> {
    let mut targets = Targets { format, documents, cases: Vec::new() };
    let all = targets.tools();
    let last = all.len().saturating_sub(1);
    for at in all.iter().enumerate().filter(|(index, _)| *index == 0 || *index == last) {
        targets.values(at.1);
        targets.lists(at.1);
        targets.variables(at.1);
        targets.arguments(at.1);
        targets.names(at.1);
        targets.calls(at.1);
        targets.own_words(at.1);
        targets.lists_of_tools(at.1, all.len());
    }
    targets.cases
}

/// Puts a value at a pointer, with the objects around it; takes it away, if there is none.
pub(crate) fn put(document: &mut Value, at: &str, value: Option<Value>) -> Option<()> {
    let (parent, name) = at.rsplit_once('/')?;
    if document.pointer(parent).is_none() {
        value.as_ref()?;
        put(document, parent, Some(json!({})))?;
    }
    let name = name.replace("~1", "/").replace("~0", "~");
    match (document.pointer_mut(parent)?, value) {
        (Value::Object(members), Some(value)) => drop(members.insert(name, value)),
        (Value::Object(members), None) => drop(members.remove(&name)?),
        (Value::Array(list), Some(value)) => match name.parse::<usize>() {
            Ok(index) if index < list.len() => list[index] = value,
            _ => list.push(value),
        },
        (Value::Array(list), None) => drop(list.remove(name.parse().ok()?)),
        _ => return None,
    }
    Some(())
}

pub(crate) fn token(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

impl Targets<'_> {
    fn tools(&self) -> Vec<At> {
        let mut found = Vec::new();
        for (document, value) in self.documents.iter().enumerate() {
            for entry in tools(self.format, value) {
                found.push(At { document, tool: found.len(), entry });
            }
        }
        found
    }

    /// Notes a case that puts values at places of one document.
    fn push(
        &mut self,
        kind: &'static str,
        at: &At,
        edits: &[(String, Option<Value>)],
        change: Change,
    ) {
        let mut documents: Vec<Option<Value>> = self.documents.iter().cloned().map(Some).collect();
        let Some(Some(document)) = documents.get_mut(at.document) else { return };
        for (place, value) in edits {
            if put(document, place, value.clone()).is_none() {
                return;
            }
        }
        let place = edits.first().map_or(String::new(), |(place, _)| place.clone());
        self.cases.push(Case {
            kind,
            documents,
            at: (at.document, place),
            tool: at.tool,
            change,
            all: false,
        });
    }

    /// The same edit of a value of every tool, as one who edits all copies.
    fn push_all(
        &mut self,
        kind: &'static str,
        field: Field,
        at: &At,
        new: Option<&Value>,
        change: Change,
    ) {
        let all = self.tools();
        if all.len() < 2 || at.tool != 0 {
            return;
        }
        let mut documents: Vec<Value> = self.documents.to_vec();
        let mut place = String::new();
        for one in &all {
            let document = &mut documents[one.document];
            let Some(home) = home(self.format, document, &one.entry, field) else { return };
            if put(document, &home, new.cloned()).is_none() {
                return;
            }
            if one.tool == at.tool {
                place = home;
            }
        }
        self.cases.push(Case {
            kind,
            documents: documents.into_iter().map(Some).collect(),
            at: (at.document, place),
            tool: at.tool,
            change,
            all: true,
        });
    }

    fn value(&self, at: &At, place: &str) -> Option<Value> {
        self.documents[at.document].pointer(place).cloned()
    }

    /// Values that stand alone: changed or added, and removed.
    fn values(&mut self, at: &At) {
        let kinds = [
            ("change the title", Field::Title, New::Text("Another title")),
            ("change the summary", Field::Summary, New::Text("Says something new.")),
            (
                "change the description",
                Field::Description,
                New::Text("Says something new, at length."),
            ),
            ("change the package's summary", Field::PackageSummary, New::Text("A new package.")),
            (
                "change the package's description",
                Field::PackageDescription,
                New::Text("A new package, at length."),
            ),
            ("change the version", Field::Version, New::Text("9.8.7")),
            ("change the homepage", Field::Homepage, New::Text("https://new.example.com/page")),
            ("change the licence", Field::Licence, New::OneOf(&["MIT", "Apache-2.0"])),
            ("change the publisher's id", Field::PublisherId, New::Text("new-publisher")),
            ("change the publisher's name", Field::PublisherName, New::Text("New Publisher")),
            (
                "change the publisher's page",
                Field::PublisherUrl,
                New::Text("https://publisher.example.com"),
            ),
            ("change the publisher's address", Field::PublisherMail, New::Text("new@example.com")),
            ("change the time-out", Field::Timeout, New::Seconds),
            (
                "change the side effects",
                Field::SideEffects,
                New::OneOf(&["read", "write", "destructive"]),
            ),
            ("change idempotence", Field::Idempotent, New::Other),
            ("change the error envelope", Field::ErrorEnvelope, New::OneOf(&["standard", "raw"])),
            ("change the approval", Field::Approval, New::Other),
            ("change the payment", Field::Payment, New::Other),
            ("change the cost", Field::Fee, New::Cents),
            ("change the support page", Field::SupportUrl, New::Text("https://issues.example.com")),
            ("disable or enable", Field::Enabled, New::Other),
            ("change the trust", Field::Trust, New::OneOf(&["untrusted", "community", "verified"])),
            ("change the channel", Field::Channel, New::OneOf(&["programmatic", "vdi_vpn"])),
            ("change the network", Field::Network, New::OneOf(&["deny", "allowlist"])),
            ("change the file system", Field::Filesystem, New::OneOf(&["none", "read", "write"])),
            ("change the sandbox", Field::Sandbox, New::Text("container")),
            ("change the origin", Field::OriginUrl, New::Text("https://origin.example.com/x")),
            ("change the auth docs", Field::AuthDocs, New::Text("https://docs.example.com/auth")),
        ];
        // What callers go by is tried on its own.
        let kinds = kinds
            .into_iter()
            .filter(|(_, field, _)| (self.format, *field) != (Jumith, Field::Title));
        let kinds: Vec<_> = kinds.collect();
        for (kind, field, make) in kinds {
            let Some(place) = home(self.format, &self.documents[at.document], &at.entry, field)
            else {
                continue;
            };
            let old = self.value(at, &place);
            let new = make.value(old.as_ref(), self.format);
            let change = |new: Option<Value>| Change::Value { field, old: old.clone(), new };
            self.push(kind, at, &[(place.clone(), Some(new.clone()))], change(Some(new.clone())));
            self.push_all(kind, field, at, Some(&new), change(Some(new.clone())));
            if old.is_some() {
                self.push("remove a value", at, &[(place, None)], change(None));
            }
        }
        self.output(at);
    }

    fn output(&mut self, at: &At) {
        let field = Field::Output;
        let Some(place) = home(self.format, &self.documents[at.document], &at.entry, field) else {
            return;
        };
        let old = self.value(at, &place);
        let mut new = old.clone().filter(Value::is_object).unwrap_or(json!({"type": "object"}));
        new["description"] = json!("What comes back.");
        let change = Change::Value { field, old, new: Some(new.clone()) };
        self.push("change the output schema", at, &[(place, Some(new))], change);
    }

    /// Lists of words.
    fn lists(&mut self, at: &At) {
        let kinds = [
            (["add a tag", "change a tag", "remove a tag"], Field::Tags, "new-tag"),
            (["add a label", "change a label", "remove a label"], Field::Labels, "new-label"),
            (["add a host", "change a host", "remove a host"], Field::Hosts, "new.example.com"),
            (["add a device", "change a device", "remove a device"], Field::Devices, "new-device"),
            (
                ["add an auth scope", "change an auth scope", "remove an auth scope"],
                Field::AuthScopes,
                "new.scope",
            ),
            (
                ["add a test file", "change a test file", "remove a test file"],
                Field::TestFiles,
                "tests/new.json",
            ),
            (
                ["add an example file", "change an example file", "remove an example file"],
                Field::ExampleFiles,
                "examples/new.json",
            ),
        ];
        for ([add, change, remove], field, new) in kinds {
            let Some(place) = home(self.format, &self.documents[at.document], &at.entry, field)
            else {
                continue;
            };
            let list = self.value(at, &place);
            let list: Vec<Value> =
                list.and_then(|list| list.as_array().cloned()).unwrap_or_default();
            let word = |old: Option<&Value>, new: Option<&str>| Change::Word {
                field,
                old: old.and_then(Value::as_str).map(str::to_owned),
                new: new.map(str::to_owned),
            };
            let mut more = list.clone();
            more.push(json!(new));
            let more = Value::Array(more);
            self.push(add, at, &[(place.clone(), Some(more.clone()))], word(None, Some(new)));
            if field == Field::Tags {
                self.push_all(add, field, at, Some(&more), word(None, Some(new)));
            }
            let Some(first) = list.first() else { continue };
            self.push(
                change,
                at,
                &[(format!("{place}/0"), Some(json!(new)))],
                word(Some(first), Some(new)),
            );
            self.push(remove, at, &[(format!("{place}/0"), None)], word(Some(first), None));
        }
    }

    fn variables(&mut self, at: &At) {
        let field = Field::Variables;
        let Some(place) = home(self.format, &self.documents[at.document], &at.entry, field) else {
            return;
        };
        let list = self.value(at, &place);
        let list: Vec<Value> = list.and_then(|list| list.as_array().cloned()).unwrap_or_default();
        let name = "NEW_VARIABLE";
        let entry = match self.format {
            InstallManifest => json!({"name": name, "prompt": "Something new", "secret": true}),
            Capability => json!({"name": name, "ref": format!("env://{name}")}),
            ServerJson => json!({"name": name}),
            _ => json!(name),
        };
        let word = |old: Option<&Value>, new: Option<&str>| Change::Word {
            field,
            old: old.and_then(name_of).map(str::to_owned),
            new: new.map(str::to_owned),
        };
        let mut more = list.clone();
        more.push(entry);
        let more = Value::Array(more);
        let mut edits = vec![(place.clone(), Some(more.clone()))];
        if self.format == Mcpkg && self.value(at, "/auth/type").is_none() {
            edits.push(("/auth/type".to_owned(), Some(json!("api_key"))));
        }
        self.push("add a variable", at, &edits, word(None, Some(name)));
        if let Some(case) = self.cases.last_mut() {
            case.at.1 = format!("{place}/{}", list.len());
        }
        self.push_all("add a variable", field, at, Some(&more), word(None, Some(name)));
        let Some(first) = list.first() else { return };
        let own = if first.is_object() { format!("{place}/0/name") } else { format!("{place}/0") };
        self.push(
            "rename a variable",
            at,
            &[(own, Some(json!(name)))],
            word(Some(first), Some(name)),
        );
        self.push(
            "remove a variable",
            at,
            &[(format!("{place}/0"), None)],
            word(Some(first), None),
        );
        if self.format == InstallManifest {
            let secret = !first["secret"].as_bool().unwrap_or(false);
            for (kind, member, value) in [
                ("toggle a secret", "secret", json!(secret)),
                ("change a prompt", "prompt", json!("Another question")),
                ("change a variable's default", "default", json!("a-default")),
                (
                    "make a variable required or not",
                    "required",
                    json!(!first["required"].as_bool().unwrap_or(true)),
                ),
            ] {
                self.push(kind, at, &[(format!("{place}/0/{member}"), Some(value))], Change::Alone);
            }
        }
    }

    fn arguments(&mut self, at: &At) {
        let Some(place) = home(self.format, &self.documents[at.document], &at.entry, Field::Input)
        else {
            return;
        };
        let Some(old) = self.value(at, &place).filter(Value::is_object) else { return };
        let schema = |kind: &'static str, targets: &mut Self, new: Value, inside: &str| {
            let change = Change::Schema { old: old.clone(), new: new.clone() };
            targets.push(kind, at, &[(place.clone(), Some(new))], change);
            if let Some(case) = targets.cases.last_mut() {
                case.at.1 = format!("{place}{inside}");
            }
        };
        let mut new = old.clone();
        if put(&mut new, "/properties/brand_new", Some(json!({"type": "string"}))).is_some() {
            schema("add an argument", self, new, "/properties/brand_new");
        }
        let Some(properties) = old["properties"].as_object() else { return };
        let Some(name) = properties.keys().next().cloned() else { return };
        let inside = format!("/properties/{}", token(&name));
        let required = |name: &str, new: Option<&str>, schema: &mut Value| {
            let Some(list) = schema.get_mut("required").and_then(Value::as_array_mut) else {
                return;
            };
            if let Some(at) = list.iter().position(|one| one == name) {
                match new {
                    Some(new) => list[at] = json!(new),
                    None => drop(list.remove(at)),
                }
            }
        };
        if !properties.contains_key("renamed_argument") {
            let mut new = old.clone();
            let value = new["properties"].as_object_mut().unwrap().remove(&name).unwrap();
            new["properties"]["renamed_argument"] = value;
            let mut whole = new.clone();
            required(&name, Some("renamed_argument"), &mut whole);
            for (kind, schema) in
                [("rename an argument", &whole), ("rename an argument, not what requires it", &new)]
            {
                let change = Change::Renamed {
                    old: name.clone(),
                    new: "renamed_argument".to_owned(),
                    schema: whole.clone(),
                };
                self.push(kind, at, &[(place.clone(), Some(schema.clone()))], change);
            }
        }
        let mut new = old.clone();
        new["properties"].as_object_mut().unwrap().remove(&name);
        required(&name, None, &mut new);
        let change = Change::Removed { name: name.clone(), schema: new.clone() };
        self.push("remove an argument", at, &[(place.clone(), Some(new))], change);
        let mut new = old.clone();
        let list = new.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        let without: Vec<Value> = list.iter().filter(|one| **one != name).cloned().collect();
        let with =
            if without.len() == list.len() { [list, vec![json!(name)]].concat() } else { without };
        new["required"] = json!(with);
        schema("require an argument or not", self, new, "/required");
        if !old["properties"][&name].is_object() {
            return;
        }
        for (kind, member, value) in [
            ("change an argument's type", "type", json!("boolean")),
            ("change an argument's default", "default", json!("some-default")),
            ("change an argument's enum", "enum", json!(["one", "two"])),
            ("change an argument's description", "description", json!("Means something else.")),
        ] {
            let mut new = old.clone();
            new["properties"][&name][member] = value;
            schema(kind, self, new, &format!("{inside}/{member}"));
        }
    }
}
