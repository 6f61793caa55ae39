//! What a source must say after an edit of its target. It knows the two documents, and
//! where things stand in both formats; nothing of how conversion works.

use serde_json::Value;
use toolglot::FormatName::{
    self, Capability, InstallManifest, Jumith, Mcpb, Mcpkg, ServerJson, ToolList, ToolsJson,
};
use toolglot::testkit::laws;

use super::homes::{
    Field, call, home, id, is_in_own_words, is_shared, list_of, milliseconds, name_of, seconds,
    tools, words,
};
use super::kinds::{Case, Change, put};

/// What a source may be afterwards.
#[derive(Debug)]
pub(crate) enum Expect {
    /// One of these, and nothing is reported.
    Is(Vec<Value>),
    /// As it was, and the edit is reported.
    Kept,
    /// One of these, and the edit is reported.
    Told(Vec<Value>),
    /// Another below these places only, or as it was and the edit is reported.
    Within(Vec<String>),
    /// The list at that place has one entry more, of that name; or as it was, and the edit
    /// is reported.
    More(String, String),
    /// As it was, but for the order of lists.
    Order,
    /// The oracle does not know.
    Unknown,
}

/// A source and what it was converted to.
pub(crate) struct Pair<'p> {
    pub from: FormatName,
    pub to: FormatName,
    pub source: &'p Value,
}

impl Pair<'_> {
    pub(crate) fn expect(&self, case: &Case) -> Expect {
        if self.from == self.to {
            let only = case.documents.first().cloned().flatten();
            return only.map_or(Expect::Unknown, |only| Expect::Is(vec![only]));
        }
        let entries = tools(self.from, self.source);
        let Some(entry) = entries.get(case.tool) else { return Expect::Unknown };
        let expect = match &case.change {
            Change::Value { field, old, new } => {
                self.value(entry, *field, (old.as_ref(), new.as_ref()), case)
            }
            Change::Word { field, old, new } => {
                self.word(entry, *field, (old.as_deref(), new.as_deref()), case)
            }
            // What they become in words of Gemini's own is told in `people.rs`.
            Change::Schema { .. } | Change::Renamed { .. } | Change::Removed { .. }
                if self.from == ToolList && is_in_own_words(self.source, entry) =>
            {
                let place = home(self.from, self.source, entry, Field::Input);
                Expect::Within(place.into_iter().collect())
            }
            Change::Schema { old, new } => self.schema(entry, old, new),
            Change::Renamed { old, new, schema } => self.renamed(entry, (old, new), schema),
            Change::Removed { name, schema } => self.removed(entry, name, schema),
            Change::Tool { old, new } => self.tool(entry, old, new),
            Change::Flag { bridge, old, new } => self.flag(entry, *bridge, old, new),
            Change::Call => {
                let mut places = call(self.from, self.source, entry);
                if self.from == Mcpkg {
                    places.push("/auth".to_owned());
                }
                Expect::Within(places)
            }
            Change::Added(name) => match self.list() {
                Some(list) => Expect::More(list, name.clone()),
                None => Expect::Kept,
            },
            Change::Gone => self.gone(entry, &entries),
            Change::Order => Expect::Order,
            Change::Alone => self.alone(entry, case),
        };
        self.possible(expect)
    }

    /// What the source's format does not take is not made.
    fn possible(&self, expect: Expect) -> Expect {
        let Expect::Is(wanted) = expect else { return expect };
        let valid = |value: &Value| {
            laws::check_valid(self.from.format().unwrap(), &value.to_string()).is_ok()
        };
        // Numbers may be valid in one spelling only.
        if !valid(self.source) {
            return Expect::Is(wanted);
        }
        let wanted: Vec<Value> = wanted.into_iter().filter(valid).collect();
        if wanted.is_empty() { Expect::Kept } else { Expect::Is(wanted) }
    }

    fn list(&self) -> Option<String> {
        let entries = tools(self.from, self.source);
        // One that is new stands by itself, beside lists of them.
        if self.from == ToolList {
            return Some(list_of(self.source).to_owned());
        }
        let (list, _) = entries.first()?.rsplit_once('/')?;
        Some(list.to_owned())
    }

    /// Whether a listed tool is one of MCP, which has hints.
    fn is_hinted(&self, entry: &str) -> bool {
        self.source.pointer(entry).is_some_and(|tool| tool.get("inputSchema").is_some())
    }

    /// Whether what a listed tool gives back is in words of Gemini's own.
    fn has_response(&self, entry: &str) -> bool {
        self.source.pointer(entry).is_some_and(|tool| tool.get("response").is_some())
    }

    /// Whether a source that could list tools is one itself.
    fn is_whole(&self, entry: &str) -> bool {
        matches!(self.from, InstallManifest | Mcpb | ServerJson) && entry.is_empty()
    }

    /// Whether a source says once what its target says for each tool.
    fn is_conflict(&self, field: Field, case: &Case) -> bool {
        let several = tools(self.from, self.source).len() > 1;
        is_shared(self.from, field) && several && !is_shared(self.to, field) && !case.all
    }

    fn with(&self, place: &str, value: Option<Value>) -> Vec<Value> {
        let mut new = self.source.clone();
        if put(&mut new, place, value).is_none() {
            return vec![];
        }
        let mut candidates = vec![new.clone()];
        // An object or a list may go with the last that was in it.
        let mut place = place;
        while let Some((parent, _)) = place.rsplit_once('/') {
            let empty = match new.pointer(parent) {
                Some(Value::Object(members)) => members.is_empty(),
                Some(Value::Array(list)) => list.is_empty(),
                _ => false,
            };
            if !empty || parent.is_empty() || put(&mut new, parent, None).is_none() {
                break;
            }
            candidates.push(new.clone());
            place = parent;
        }
        candidates
    }

    fn value(
        &self,
        entry: &str,
        field: Field,
        (old, new): (Option<&Value>, Option<&Value>),
        case: &Case,
    ) -> Expect {
        // A source that is its package says of it what it says of the tool.
        let field = match field {
            Field::PackageSummary if self.is_whole(entry) => Field::Summary,
            Field::PackageDescription if self.is_whole(entry) => Field::Description,
            field => field,
        };
        // The title of one tool is not that of its bundle.
        let other = matches!(self.from, Mcpb | ServerJson)
            && !self.is_whole(entry)
            && !is_shared(self.to, field);
        if other && field == Field::Title {
            return Expect::Kept;
        }
        if let Some(within) = self.said_together(entry, field, case) {
            return within;
        }
        let Some(place) = home(self.from, self.source, entry, field) else { return Expect::Kept };
        if case.all && !is_shared(self.from, field) {
            return self.values(field, new);
        }
        let own = self.source.pointer(&place);
        let ignored = |own: &Value| own.is_null() || own.as_f64().is_some_and(|own| own <= 0.0);
        if field == Field::Timeout && own.is_some_and(ignored) {
            // A value that its own host passes over is in the way.
            return Expect::Within(vec![place]);
        }
        let same = match field {
            Field::Timeout => {
                own.and_then(|own| milliseconds(self.from, own))
                    == old.and_then(|old| milliseconds(self.to, old))
            }
            _ => own == old,
        };
        let text = is_text(field);
        // A text that was cut or summarised is never put back. One that is empty was not.
        let unsaid = old.is_none() && own.is_some_and(|own| own == "");
        let cut = own.is_some() && !same && text && !unsaid;
        let Some(new) = new else {
            let known = own.is_some() && (same || !text) && !self.is_conflict(field, case);
            return if known { Expect::Is(self.with(&place, None)) } else { Expect::Kept };
        };
        let new = match field {
            Field::Timeout => seconds(self.from, 77),
            _ => new.clone(),
        };
        if cut || self.is_conflict(field, case) {
            return Expect::Kept;
        }
        let mut wanted = self.with(&place, Some(new));
        // What comes back has a form, and what has a schema is JSON.
        if self.from == InstallManifest && field == Field::Output && own.is_none() {
            let form = format!("{entry}/output/format");
            for one in wanted.iter_mut().filter(|one| one.pointer(&form).is_none()) {
                put(one, &form, Some("json".into()));
            }
        }
        Expect::Is(wanted)
    }

    /// An edit of what several members of a list of tools say together.
    fn said_together(&self, entry: &str, field: Field, case: &Case) -> Option<Expect> {
        let edited = if case.all { tools(self.from, self.source) } else { vec![entry.into()] };
        let edited = edited.into_iter();
        let places = match field {
            _ if self.from != ToolList => return None,
            Field::SideEffects if self.is_hinted(entry) => {
                let hinted = edited.filter(|entry| self.is_hinted(entry));
                hinted.map(|entry| format!("{entry}/annotations")).collect()
            }
            Field::Output if self.has_response(entry) => {
                edited.filter_map(|entry| home(self.from, self.source, &entry, field)).collect()
            }
            _ => return None,
        };
        Some(Expect::Within(places))
    }

    /// An edit of what every tool says by itself.
    fn values(&self, field: Field, new: Option<&Value>) -> Expect {
        let mut wanted = self.source.clone();
        for entry in tools(self.from, self.source) {
            let place = home(self.from, self.source, &entry, field);
            let own = place.as_ref().and_then(|place| self.source.pointer(place));
            if own.is_some_and(|own| own.as_f64().is_some_and(|own| own <= 0.0)) {
                return Expect::Unknown;
            }
            let new = match field {
                Field::Timeout => Some(seconds(self.from, 77)),
                _ => new.cloned(),
            };
            if place.and_then(|place| put(&mut wanted, &place, new)).is_none() {
                return Expect::Unknown;
            }
        }
        Expect::Is(vec![wanted])
    }

    fn word(
        &self,
        entry: &str,
        field: Field,
        (old, new): (Option<&str>, Option<&str>),
        case: &Case,
    ) -> Expect {
        let Some(place) = home(self.from, self.source, entry, field) else { return Expect::Kept };
        if self.is_conflict(field, case) {
            return Expect::Kept;
        }
        if case.all && !is_shared(self.from, field) {
            return Expect::Unknown;
        }
        let list = self.source.pointer(&place).and_then(Value::as_array);
        let list: Vec<Value> = list.cloned().unwrap_or_default();
        let at = old.and_then(|old| list.iter().position(|one| name_of(one) == Some(old)));
        let objects = field == Field::Variables
            && matches!(self.from, InstallManifest | Capability | ServerJson);
        // A value that its own host passes over is in the way.
        if self.source.pointer(&place).is_some_and(|own| !own.is_array()) {
            return Expect::Within(vec![place]);
        }
        let no_auth =
            place == "/auth/configHints/env" && self.source.pointer("/auth/type").is_none();
        match (at, old, new) {
            (_, None, Some(new)) if objects => Expect::More(place, new.to_owned()),
            (_, None, Some(_)) if no_auth => Expect::Within(vec!["/auth".to_owned()]),
            (_, None, Some(new)) => {
                let list = [list, vec![new.into()]].concat();
                Expect::Is(self.with(&place, Some(Value::Array(list))))
            }
            // What it was made of is known to the residue alone.
            (None, ..) => Expect::Within(vec![place]),
            // What is said twice, and once in the target, is said no more.
            (Some(_), Some(old), None) if !case.still_says(old) => {
                let others = list.into_iter().filter(|one| name_of(one) != Some(old));
                let others: Vec<Value> = others.collect();
                let last = others.is_empty().then(|| self.with(&place, None));
                let wanted = self.with(&place, Some(Value::Array(others)));
                Expect::Is([wanted, last.unwrap_or_default()].concat())
            }
            (Some(at), Some(_), None) => Expect::Is(self.with(&format!("{place}/{at}"), None)),
            (Some(at), Some(old), Some(new)) => {
                let own =
                    if objects { format!("{place}/{at}/name") } else { format!("{place}/{at}") };
                let wanted = self.with(&own, Some(new.into()));
                let follow = |value: Value| {
                    let value =
                        texts(value, &format!("${{env.{old}}}"), &format!("${{env.{new}}}"));
                    texts(value, &format!("${{{old}}}"), &format!("${{{new}}}"))
                };
                let variable = field == Field::Variables && self.from == InstallManifest;
                let follow = |value| if variable { follow(value) } else { value };
                Expect::Is(wanted.into_iter().map(follow).collect())
            }
            (Some(_), None, _) => Expect::Unknown,
        }
    }

    fn schema(&self, entry: &str, old: &Value, new: &Value) -> Expect {
        let Some(place) = home(self.from, self.source, entry, Field::Input) else {
            return Expect::Kept;
        };
        match self.source.pointer(&place) {
            Some(own) if own != old => Expect::Within(vec![place]),
            _ => Expect::Is(self.with(&place, Some(new.clone()))),
        }
    }

    fn renamed(&self, entry: &str, (old, new): (&str, &str), schema: &Value) -> Expect {
        let Some(place) = home(self.from, self.source, entry, Field::Input) else {
            return Expect::Kept;
        };
        let own = self.source.pointer(&place);
        let Some(own) = own.filter(|own| own["properties"].get(old).is_some()) else {
            return Expect::Within(vec![place]);
        };
        let mut wanted = self.with(&place, Some(without_additions(own, schema))).remove(0);
        self.follow(&mut wanted, entry, old, new);
        Expect::Is(vec![wanted])
    }

    /// References to an argument, wherever a format has them.
    fn follow(&self, wanted: &mut Value, entry: &str, old: &str, new: &str) {
        let rename = |object: Option<&mut Value>| {
            let Some(object) = object.and_then(Value::as_object_mut) else { return };
            if let Some(value) = object.remove(old) {
                object.insert(new.to_owned(), value);
            }
        };
        if let Some(chain) = wanted.get_mut("chain").filter(|_| self.from == Mcpkg) {
            for (end, more) in [("", ""), (".", "."), ("[", "[")] {
                let own = format!("$.input.{old}{end}");
                let paths = |value: &mut Value| {
                    let Some(text) = value.as_str().map(str::to_owned) else { return };
                    if end.is_empty() && text == own {
                        *value = format!("$.input.{new}").into();
                    } else if !end.is_empty() && text.starts_with(&own) {
                        *value = text.replacen(&own, &format!("$.input.{new}{more}"), 1).into();
                    }
                };
                every(chain, &paths);
            }
        }
        let inputs = format!("{entry}/input_examples");
        let inputs = wanted.pointer_mut(&inputs).filter(|_| self.from == ToolList);
        for input in inputs.and_then(Value::as_array_mut).into_iter().flatten() {
            rename(Some(input));
        }
        if self.from != InstallManifest || entry.is_empty() {
            return;
        }
        if let Some(call) = wanted.pointer_mut(&format!("{entry}/invocation")) {
            for end in ["}", "."] {
                let taken = texts(
                    call.take(),
                    &format!("${{input.{old}{end}"),
                    &format!("${{input.{new}{end}"),
                );
                *call = taken;
            }
        }
        let name = wanted.pointer(&format!("{entry}/name")).cloned();
        if wanted["smoke"].get("action") == name.as_ref() {
            rename(wanted.pointer_mut("/smoke/arguments"));
        }
        let examples = wanted.pointer_mut(&format!("{entry}/examples"));
        for example in examples.and_then(Value::as_array_mut).into_iter().flatten() {
            rename(example.get_mut("input"));
        }
    }

    fn removed(&self, entry: &str, name: &str, schema: &Value) -> Expect {
        let Some(place) = home(self.from, self.source, entry, Field::Input) else {
            return Expect::Kept;
        };
        let own = self.source.pointer(&place);
        let Some(own) = own.filter(|own| own["properties"].get(name).is_some()) else {
            return Expect::Within(vec![place]);
        };
        let wanted = self.with(&place, Some(without_additions(own, schema)));
        let call = self.source.pointer(&format!("{entry}/invocation"));
        let call = call.filter(|_| self.from == InstallManifest).map(Value::to_string);
        let needs = call.is_some_and(|call| {
            let open = format!("${{input.{name}");
            call.contains(&format!("{open}}}")) || call.contains(&format!("{open}."))
        });
        if needs {
            return Expect::Told([wanted, vec![self.source.clone()]].concat());
        }
        Expect::Is(wanted)
    }

    fn tool(&self, entry: &str, old: &str, new: &str) -> Expect {
        let last = |id: &str| id.rsplit('.').next().unwrap_or(id).to_owned();
        let whole = self.is_whole(entry);
        let place = id(self.from, self.source, entry);
        let own = self.source.pointer(&place).and_then(Value::as_str).unwrap_or_default();
        let literal = match (self.from, self.to) {
            // A server lists a name as it is.
            (Mcpb, ServerJson) if !whole => new.to_owned(),
            (InstallManifest | Mcpb | ServerJson, _) if !whole => last(new),
            // An action is named within its manifest, and a tool within its bundle.
            (_, InstallManifest | Mcpb | ServerJson) => {
                let head =
                    own.rsplit_once('.').map_or(String::new(), |(head, _)| format!("{head}."));
                format!("{head}{new}")
            }
            _ => new.to_owned(),
        };
        let mut wanted = self.with(&place, Some(literal.into()));
        if self.from == InstallManifest && !whole && self.source["smoke"]["action"] == *own {
            for one in &mut wanted {
                one["smoke"]["action"] = last(new).into();
            }
        }
        // Jumith has a name besides.
        let name = format!("{entry}/name");
        if self.from == Jumith {
            let mut named = wanted.clone();
            for one in &mut named {
                put(one, &name, Some(last(new).into()));
            }
            let shown = self.source.pointer(&name).and_then(Value::as_str);
            // An id within a namespace that does not end in the name says nothing of it.
            let apart = own.contains('.') && last(own) != old;
            wanted = match self.to {
                InstallManifest | Mcpb | ServerJson if shown == Some(old) && apart => {
                    self.with(&name, Some(last(new).into()))
                }
                InstallManifest | Mcpb | ServerJson if shown == Some(old) => named,
                InstallManifest | Mcpb | ServerJson => [wanted, named].concat(),
                _ => wanted,
            };
        }
        Expect::Is(wanted)
    }

    fn flag(&self, entry: &str, bridge: bool, old: &[String], new: &[String]) -> Expect {
        if bridge {
            return Expect::Kept;
        }
        let place = words(self.from, self.source, entry);
        let own = place.as_ref().and_then(|place| self.source.pointer(place));
        match (place, own.and_then(Value::as_array)) {
            (Some(place), Some(own)) if self.from != InstallManifest && own == old => {
                Expect::Is(self.with(&place, Some(new.into())))
            }
            _ => Expect::Within(call(self.from, self.source, entry)),
        }
    }

    fn gone(&self, entry: &str, entries: &[String]) -> Expect {
        if entries.len() < 2 && !matches!(self.from, ToolList | ToolsJson) {
            return Expect::Kept;
        }
        let mut wanted = self.with(entry, None);
        // A list in a list goes with its last.
        if self.from != ToolList {
            wanted.truncate(1);
        }
        Expect::Is(wanted)
    }

    fn alone(&self, entry: &str, case: &Case) -> Expect {
        match (case.kind, self.from) {
            ("change a callable name", InstallManifest) if !entry.is_empty() => {
                let place = format!("{entry}/name");
                let own = self.source.pointer(&place).cloned().unwrap_or_default();
                let mut wanted = self.with(&place, Some("renamed".into()));
                if self.source["smoke"].get("action") == Some(&own) {
                    for one in &mut wanted {
                        one["smoke"]["action"] = "renamed".into();
                    }
                }
                Expect::Is(wanted)
            }
            ("change a callable name", Mcpb | ServerJson) if !entry.is_empty() => {
                Expect::Is(self.with(&format!("{entry}/name"), Some("renamed".into())))
            }
            ("rename a package", Mcpb | ServerJson) if !entry.is_empty() => {
                Expect::Is(self.with("/name", Some("renamed-package".into())))
            }
            (
                "toggle a secret"
                | "change a prompt"
                | "change a variable's default"
                | "make a variable required or not",
                ServerJson,
            ) => match home(self.from, self.source, entry, Field::Variables) {
                Some(place) => Expect::Within(vec![place]),
                None => Expect::Kept,
            },
            // The name of a Jumith tool is for people, too.
            ("change a callable name", from) => {
                match home(from, self.source, entry, Field::Title) {
                    Some(place) => Expect::Within(vec![place]),
                    None => Expect::Kept,
                }
            }
            // What is said of a variable is said of the setting that it is.
            (
                "toggle a secret"
                | "change a prompt"
                | "change a variable's default"
                | "make a variable required or not",
                Mcpb,
            ) => Expect::Within(vec!["/user_config".to_owned()]),
            // Anthropic's tools have examples of arguments.
            ("change the examples", ToolList) => match self.source.pointer(entry) {
                Some(tool) if tool.get("input_schema").is_some() => {
                    Expect::Within(vec![format!("{entry}/input_examples")])
                }
                _ => Expect::Kept,
            },
            ("rename a package", _) => Expect::Within(vec![id(self.from, self.source, entry)]),
            _ => Expect::Kept,
        }
    }
}

/// Changes every value below.
fn every(value: &mut Value, change: &dyn Fn(&mut Value)) {
    change(value);
    match value {
        Value::Array(list) => list.iter_mut().for_each(|one| every(one, change)),
        Value::Object(members) => members.values_mut().for_each(|one| every(one, change)),
        _ => {}
    }
}

fn texts(mut value: Value, old: &str, new: &str) -> Value {
    every(&mut value, &|one| {
        if let Some(text) = one.as_str().filter(|text| text.contains(old)) {
            *one = text.replace(old, new).into();
        }
    });
    value
}

/// Where two documents differ, as pointers to leaves.
pub(crate) fn differences(a: &Value, b: &Value, at: &str, found: &mut Vec<String>) {
    match (a, b) {
        (Value::Object(left), Value::Object(right)) => {
            let mut names: Vec<&String> = left.keys().chain(right.keys()).collect();
            names.sort();
            names.dedup();
            for name in names {
                let at = format!("{at}/{}", super::kinds::token(name));
                let (left, right) = (left.get(name), right.get(name));
                match (left, right) {
                    (Some(left), Some(right)) => differences(left, right, &at, found),
                    _ => found.push(at),
                }
            }
        }
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            for (index, (left, right)) in left.iter().zip(right).enumerate() {
                differences(left, right, &format!("{at}/{index}"), found);
            }
        }
        _ if a != b => found.push(at.to_owned()),
        _ => {}
    }
}

/// What a judge says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// The source carries the edit.
    Carried,
    /// It cannot, and that was reported.
    Reported,
    /// It carries the edit, and that it does not was reported.
    FalselyReported,
    /// It has a word for the edit, and does not carry it.
    NotCarried,
    /// It does not carry the edit, and nobody was told.
    Silent,
    /// Something else is another, too.
    Damaged,
}

/// Judges a restored source by what it may be.
///
/// `told` is whether the place that was edited was reported, or a part of it; `whole`,
/// whether that was not only a part.
pub(crate) fn judge(
    expect: &Expect,
    before: &Value,
    after: &Value,
    (told, whole): (bool, bool),
) -> Verdict {
    let kept = |verdict: Verdict| if told { verdict } else { Verdict::Silent };
    let made = || if whole { Verdict::FalselyReported } else { Verdict::Carried };
    match expect {
        Expect::Unknown => Verdict::Carried,
        Expect::Is(wanted) if wanted.contains(after) => made(),
        Expect::Is(_) if before == after => kept(Verdict::NotCarried),
        Expect::Told(wanted) => {
            if wanted.contains(after) {
                kept(Verdict::Reported)
            } else {
                Verdict::Damaged
            }
        }
        Expect::Kept | Expect::Within(_) | Expect::More(..) if before == after => {
            kept(Verdict::Reported)
        }
        Expect::Within(places) => {
            let mut found = Vec::new();
            differences(before, after, "", &mut found);
            let inside = |at: &String| {
                places.iter().any(|place| {
                    at.starts_with(place.as_str()) || place.starts_with(&format!("{at}/"))
                })
            };
            if found.iter().all(inside) { Verdict::Carried } else { Verdict::Damaged }
        }
        Expect::More(place, name) => {
            let mut without = after.clone();
            let list = without.pointer_mut(place).and_then(Value::as_array_mut);
            let Some(list) = list else { return Verdict::Damaged };
            let named = |one: &Value| {
                let id = one.get("id").and_then(Value::as_str);
                let id = id.or_else(|| name_of(one)).unwrap_or_default();
                id == name || id.ends_with(&format!(".{name}"))
            };
            let Some(at) = list.iter().position(named) else { return Verdict::Damaged };
            list.remove(at);
            let mut candidates = vec![without.clone()];
            if put(&mut without, place, None).is_some() {
                candidates.push(without);
            }
            if candidates.contains(before) { Verdict::Carried } else { Verdict::Damaged }
        }
        Expect::Order => {
            let sorted = |value: &Value| {
                let mut value = value.clone();
                every(&mut value, &|one| {
                    if let Value::Array(list) = one {
                        list.sort_by_key(Value::to_string);
                    }
                });
                value
            };
            if sorted(before) == sorted(after) { Verdict::Carried } else { Verdict::Damaged }
        }
        Expect::Is(_) | Expect::Kept => Verdict::Damaged,
    }
}

/// A schema without the keywords that conversion added to it: the edit did not.
fn without_additions(own: &Value, schema: &Value) -> Value {
    let mut schema = schema.clone();
    if let (Some(own), Some(schema)) = (own.as_object(), schema.as_object_mut()) {
        schema.retain(|name, _| own.contains_key(name));
    }
    schema
}

/// Whether a field is a text that a target may cut or summarise.
fn is_text(field: Field) -> bool {
    matches!(
        field,
        Field::Title
            | Field::Summary
            | Field::Description
            | Field::PackageSummary
            | Field::PackageDescription
            | Field::PublisherName
            | Field::PublisherId
    )
}
