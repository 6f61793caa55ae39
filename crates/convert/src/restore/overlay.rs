//! Applies edits of a target to the descriptors of the source.
//!
//! An edit is the difference between two readings of a target: as it was written, and as it
//! is now. Fields that do not differ are not touched, so the source keeps its values. A
//! target contains several copies of a value that tools share. If all copies agree, it is
//! one edit; otherwise it is a conflict.

use std::collections::{BTreeMap, BTreeSet};

use json_text::{MergeOptions, Number, Raw, Text, merge};
use manifest_core::descriptor::{
    Auth, Cost, EnvVar, Example, Implementation, Invocation, Origin, Package, Permissions,
    Publisher, Sandbox, Scope, SharedArgv, Step, Support, ToolDescriptor,
};
use manifest_core::{Place, Sourced};

/// An edit that cannot be applied to the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// The path of the field.
    pub(crate) field: String,
    pub(crate) why: &'static str,
    /// The places in the targets, if they are known.
    pub(crate) at: Vec<Place>,
}

/// The field that is being edited, and the edits that were refused.
#[derive(Debug, Default)]
pub(crate) struct EditLog {
    field: Vec<&'static str>,
    pub(crate) refusals: Vec<Refusal>,
}

impl EditLog {
    pub(crate) fn in_field(&mut self, name: &'static str, apply: impl FnOnce(&mut Self)) {
        self.field.push(name);
        apply(self);
        self.field.pop();
    }

    pub(crate) fn refuse_in(&mut self, field: &'static str, why: &'static str, at: Vec<Place>) {
        self.in_field(field, |log| log.refuse(why, at));
    }

    fn refuse(&mut self, why: &'static str, at: Vec<Place>) {
        self.refusals.push(Refusal { field: self.field.join("/"), why, at });
    }

    /// Returns true if the field is prose for people. A target may have had no room for
    /// such a text, or contain another one in its place. That text is not the source's.
    fn is_prose(&self) -> bool {
        matches!(
            self.field.last(),
            Some(&("title" | "summary" | "description" | "rationale" | "prompt"))
        )
    }
}

const COPIES_DISAGREE: &str = "it is said several times in the target, and not the same any more";
const BRIDGE_LINE: &str = "the line of the bridge is not a call of the source";
const IMPLIED_IN_SOURCE: &str = "the source says it by leaving it out, and cannot say less";
const IMPLIED_IN_TARGET: &str =
    "the target says it by leaving it out, and the source says nothing of it";
pub(crate) const OTHER_TEXT: &str = "the source has another text, which the target had no room for";

/// The copies of a value in a target: as they were written, and as they are now.
type Copies<'e, T> = [(&'e T, &'e T)];

/// A value that edits can be applied to.
pub(crate) trait ApplyEdit: Sized {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog);

    /// Returns the place of the value, if it has one.
    fn places(&self) -> Vec<Place> {
        Vec::new()
    }
}

/// Returns the places of the edited copies.
fn edited_places<T: ApplyEdit + PartialEq>(copies: &Copies<'_, T>) -> Vec<Place> {
    let mut places = Vec::new();
    for (before, after) in copies {
        if before != after {
            places.extend(after.places());
        }
    }
    places
}

/// Returns the new value if it was edited and all copies agree. Refuses the edit if they
/// disagree.
fn agreed_edit<'e, T: PartialEq + ApplyEdit>(
    copies: &Copies<'e, T>,
    log: &mut EditLog,
) -> Option<&'e T> {
    let (_, first) = copies.first()?;
    if copies.iter().all(|(before, after)| before == after) {
        return None;
    }
    if copies.iter().any(|(_, after)| after != first) {
        log.refuse(COPIES_DISAGREE, edited_places(copies));
        return None;
    }
    Some(first)
}

/// Values that an edit replaces as a whole.
macro_rules! replace_whole {
    ($($name:ty: $places:expr),* $(,)?) => {
        $(impl ApplyEdit for $name {
            fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
                if let Some(new) = agreed_edit(copies, log) {
                    self.clone_from(new);
                }
            }

            fn places(&self) -> Vec<Place> {
                $places(self)
            }
        })*
    };
}

#[allow(clippy::ref_option)] // the macro passes `&Option`
fn place<T>(value: &Option<Sourced<T>>) -> Vec<Place> {
    value.as_ref().and_then(|value| value.at).into_iter().collect()
}

fn no_places<T>(_: &T) -> Vec<Place> {
    Vec::new()
}

replace_whole!(
    Sourced<Text<'_>>: |text: &Self| text.at.into_iter().collect(),
    Option<Sourced<Number<'_>>>: place,
    Option<Sourced<bool>>: place,
    Option<Sourced<manifest_core::descriptor::Kind>>: place,
    Option<Sourced<manifest_core::descriptor::OutputFormat>>: place,
    Option<Sourced<manifest_core::descriptor::ErrorEnvelope>>: place,
    Option<Sourced<manifest_core::descriptor::SideEffects>>: place,
    Option<Sourced<manifest_core::descriptor::Trust>>: place,
    Option<Sourced<manifest_core::descriptor::Channel>>: place,
    Option<Sourced<manifest_core::descriptor::Network>>: place,
    Option<Sourced<manifest_core::descriptor::Filesystem>>: place,
    Option<Sourced<manifest_core::descriptor::Acquisition<'_>>>: place,
    Vec<Example<'_>>: no_places,
    Vec<Implementation<'_>>: no_places,
    Vec<Step<'_>>: no_places,
);

/// Raw JSON. If the source's value differs from the written one, only the difference is
/// applied, so that additions by the conversion stay out of the source.
impl ApplyEdit for Option<Sourced<Raw<'_>>> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        let Some(new) = agreed_edit(copies, log) else { return };
        let (Some((Some(was), _)), Some(now)) = (copies.first(), new) else {
            self.clone_from(new);
            return;
        };
        if self.as_ref().is_none_or(|own| own.at.is_none()) {
            if only_removes(was, now) {
                log.refuse(IMPLIED_IN_SOURCE, now.at.into_iter().collect());
                return;
            }
            // The new value is implied by absence, so there is no text to write.
            if was.at.is_some() && now.at.is_none() {
                log.refuse(IMPLIED_IN_TARGET, Vec::new());
                return;
            }
        }
        if let Some(own) = self
            && own != was
            && let Some(value) = merge_objects(own, was, now)
        {
            let at = now.at.map(|at| Place { exact: false, ..at });
            *own = Sourced { value, at };
        } else {
            self.clone_from(new);
        }
    }

    fn places(&self) -> Vec<Place> {
        place(self)
    }
}

/// Returns true if `new` only removes values from `was`.
fn only_removes(was: &Raw<'_>, new: &Raw<'_>) -> bool {
    let (Some(was), Some(new)) = (was.document(), new.document()) else { return false };
    let options = MergeOptions { keys: &[], partial: false };
    merge(&was, was.root(), new.root(), &options).changes.iter().all(|change| change.new.is_none())
}

/// Applies the difference between `was` and `new` to `own`. Returns `None` unless all three
/// are objects.
fn merge_objects(own: &Raw<'_>, was: &Raw<'_>, new: &Raw<'_>) -> Option<Raw<'static>> {
    let [own, was, new] = [own.document()?, was.document()?, new.document()?];
    if ![&own, &was, &new].iter().all(|one| one.root().is_object()) {
        return None;
    }
    let options = MergeOptions { keys: &[], partial: true };
    let text = merge(&own, was.root(), new.root(), &options).text;
    Some(Raw::from_trusted(text))
}

/// A text. An edit of prose is refused if the target had another text than the source, for
/// example a part of it.
impl ApplyEdit for Option<Sourced<Text<'_>>> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        let Some(new) = agreed_edit(copies, log) else { return };
        let shown = copies.iter().all(|(before, _)| before.is_none() || *before == self);
        if self.is_some() && !shown && log.is_prose() {
            log.refuse(OTHER_TEXT, edited_places(copies));
        } else {
            self.clone_from(new);
        }
    }

    fn places(&self) -> Vec<Place> {
        place(self)
    }
}

/// A call. A bridge that the conversion wrote in its place does not become the source's
/// call.
impl ApplyEdit for Option<Sourced<Invocation<'_>>> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        let Some(new) = agreed_edit(copies, log) else { return };
        // A server line of the bridge stays, even if it was edited to another server: the
        // other tools of that server are unknown, and no source contains the bridge's line.
        let was_served = copies.iter().any(|(before, _)| match before.as_deref() {
            Some(call @ Invocation::McpTool(_)) => call.is_pinned(),
            _ => false,
        });
        if was_served || new.as_deref().is_some_and(Invocation::is_pinned) {
            log.refuse(BRIDGE_LINE, Vec::new());
        } else if !apply_request_edit(self, copies) {
            self.clone_from(new);
        }
    }

    fn places(&self) -> Vec<Place> {
        place(self)
    }
}

/// Applies an edit to a request whose URL the target splits differently: only the method
/// and the URL. Returns false if the call must be replaced as a whole.
fn apply_request_edit<'a>(
    own: &mut Option<Sourced<Invocation<'a>>>,
    copies: &Copies<'_, Option<Sourced<Invocation<'a>>>>,
) -> bool {
    let Some((Some(was), Some(now))) = copies.first() else { return false };
    let (
        Some(Sourced { value: Invocation::Http(own), .. }),
        Invocation::Http(was),
        Invocation::Http(now),
    ) = (own, &was.value, &now.value)
    else {
        return false;
    };
    if own.full_url() != was.full_url() || was.headers != now.headers || was.body != now.body {
        return false;
    }
    if was.method != now.method {
        own.method.clone_from(&now.method);
    }
    let url = now.full_url();
    if was.full_url() == url {
        return true;
    }
    let Some(path) = &mut own.path else {
        let at = now.path.as_ref().unwrap_or(&now.url).at;
        let at = at.map(|at| Place { exact: false, ..at });
        own.url = Sourced { value: Text::Owned(url), at };
        return true;
    };
    own.url.clone_from(&now.url);
    let Some(new_path) = &now.path else { return false };
    path.clone_from(new_path);
    true
}

/// Structs that are edited field by field. A field that is missing here does not compile.
macro_rules! fields {
    ($name:ident { $($field:ident),* $(,)? } $({ $($kept:ident),* })? $(: $key:ident)?) => {
        impl ApplyEdit for $name<'_> {
            fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
                let Self { $($field,)* $($($kept: _,)*)? } = self;
                $(log.in_field(stringify!($field), |log| {
                    let copies: Vec<_> =
                        copies.iter().map(|(a, b)| (&a.$field, &b.$field)).collect();
                    $field.apply(&copies, log);
                });)*
            }

            $(fn places(&self) -> Vec<Place> {
                self.$key.places()
            })?
        }
    };
}

fields!(Auth { scheme, scopes, docs_url });
fields!(Permissions { network, hosts, filesystem, devices });
fields!(Sandbox { kind, cpu, memory });
fields!(Origin { source, url, path, digest, signature });
fields!(Publisher { id, name, url, email });
fields!(Support { issues_url, security_email, docs_url });
fields!(Cost { install_fee_cents, monthly_fee_cents, usage_model, estimate_url, payment });
fields!(EnvVar { name, prompt, secret, required, pattern, default, obtain_url, reference }: name);
fields!(Scope { resource, actions, rationale, provider_scope }: resource);
fields!(Package {
    id,
    namespace,
    title,
    summary,
    description,
    version,
    tags,
    labels,
    publisher,
    homepage,
    license,
    support,
    acquisition,
    command,
    cwd,
    url,
    env,
    scopes,
    smoke,
    verify,
    revocation,
    cost,
    data_boundary,
} { at });
fields!(ToolDescriptor {
    id,
    name,
    title,
    kind,
    summary,
    description,
    input_schema,
    output_schema,
    output_format,
    error_envelope,
    examples,
    example_files,
    test_files,
    invocation,
    implementations,
    chain,
    timeout_ms,
    auth,
    permissions,
    scopes_used,
    sandbox,
    side_effects,
    idempotent,
    requires_approval,
    origin,
    trust,
    enabled,
    channel,
} { at, package });

/// A list of strings. Strings of the source that the target lacks keep their places.
impl ApplyEdit for Vec<Sourced<Text<'_>>> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        let Some(after) = agreed_edit(copies, log) else { return };
        let Some((before, _)) = copies.first() else { return };
        if *before == self {
            self.clone_from(after);
            return;
        }
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for word in after {
            *left.entry(word.as_ref()).or_default() += 1;
        }
        let known: BTreeSet<&str> = before.iter().map(|word| word.as_ref()).collect();
        // If the length is the same, a new string replaces the one at its position. The key
        // is the old string and which of its occurrences it is.
        let mut replaced: BTreeMap<(&str, usize), &Sourced<Text<'_>>> = BTreeMap::new();
        let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
        if before.len() == after.len() {
            for (old, new) in before.iter().zip(after) {
                let count = seen.entry(old.as_ref()).or_default();
                if !known.contains(new.as_ref() as &str) {
                    replaced.insert((old.as_ref(), *count), new);
                }
                *count += 1;
            }
        }
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        let mut list = Vec::with_capacity(self.len().max(after.len()));
        let mut put = BTreeSet::new();
        for word in std::mem::take(self) {
            let own = word.to_string();
            let count = counts.entry(own.clone()).or_default();
            let new = replaced.get(&(own.as_str(), *count));
            *count += 1;
            if !known.contains(own.as_str()) {
                list.push(word);
            } else if let Some(new) = new {
                put.insert(new.to_string());
                list.push((*new).clone());
            } else if let Some(count) = left.get_mut(own.as_str())
                && *count > 0
            {
                *count -= 1;
                list.push(word);
            }
        }
        for word in after {
            if !known.contains(word.as_ref() as &str) && put.insert(word.to_string()) {
                list.push(word.clone());
            }
        }
        *self = list;
    }
}

/// An entry that is identified by a key.
trait Keyed {
    fn key(&self) -> &str;
}

impl Keyed for EnvVar<'_> {
    fn key(&self) -> &str {
        &self.name
    }
}

impl Keyed for Scope<'_> {
    fn key(&self) -> &str {
        &self.resource
    }
}

impl ApplyEdit for SharedArgv<'_> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        if copies.iter().all(|(before, after)| before == after) {
            return;
        }
        let mut lists = Vec::new();
        for (before, after) in copies {
            lists.push((before.to_vec(), after.to_vec()));
        }
        let copies: Vec<_> = lists.iter().map(|(before, after)| (before, after)).collect();
        let mut own = self.to_vec();
        own.apply(&copies, log);
        *self = own.into();
    }
}

impl ApplyEdit for Vec<EnvVar<'_>> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        apply_keyed_edits(self, copies, log);
    }
}

impl ApplyEdit for Vec<Scope<'_>> {
    fn apply(&mut self, copies: &Copies<'_, Self>, log: &mut EditLog) {
        apply_keyed_edits(self, copies, log);
    }
}

/// Applies the edits of a keyed list, entry by entry. If exactly one key was removed and
/// one was added, the entry was renamed.
fn apply_keyed_edits<T: Keyed + ApplyEdit + Clone + PartialEq>(
    list: &mut Vec<T>,
    copies: &Copies<'_, Vec<T>>,
    log: &mut EditLog,
) {
    if copies.iter().all(|(before, after)| before == after) {
        return;
    }
    let KeyedChanges { changes, added } = KeyedChanges::find(copies);
    list.retain_mut(|entry| {
        let Some(changes) = changes.get(entry.key()) else { return true };
        let mut kept = Vec::new();
        for (before, after) in changes {
            if let Some(after) = after {
                kept.push((*before, *after));
            }
        }
        if kept.len() == changes.len() {
            entry.apply(&kept, log);
        } else if !kept.is_empty() {
            log.refuse(COPIES_DISAGREE, Vec::new());
        }
        !kept.is_empty()
    });
    let known: BTreeSet<String> = list.iter().map(|entry| entry.key().to_owned()).collect();
    for (key, entries) in added {
        let Some(first) = entries.first() else { continue };
        if entries.len() != copies.len() || entries.iter().any(|entry| entry != first) {
            let places = entries.iter().flat_map(|entry| entry.places()).collect();
            log.refuse(COPIES_DISAGREE, places);
        } else if !known.contains(key) {
            list.push((*first).clone());
        }
    }
}

/// The edits of a keyed list.
struct KeyedChanges<'e, T> {
    /// For each old key, the entry in each copy as it was written and as it is now.
    changes: BTreeMap<&'e str, Vec<(&'e T, Option<&'e T>)>>,
    /// The new entries of each copy by key.
    added: BTreeMap<&'e str, Vec<&'e T>>,
}

impl<'e, T: Keyed> KeyedChanges<'e, T> {
    fn find(copies: &Copies<'e, Vec<T>>) -> Self {
        let mut found = Self { changes: BTreeMap::new(), added: BTreeMap::new() };
        for (before, after) in copies {
            let old: BTreeSet<&str> = before.iter().map(Keyed::key).collect();
            let now: BTreeMap<&str, &T> = after.iter().map(|entry| (entry.key(), entry)).collect();
            let gone: Vec<&str> =
                old.iter().copied().filter(|key| !now.contains_key(key)).collect();
            let new: Vec<&str> = now.keys().copied().filter(|key| !old.contains(key)).collect();
            let renamed = match (gone.as_slice(), new.as_slice()) {
                ([gone], [new]) => Some((*gone, *new)),
                _ => None,
            };
            for entry in *before {
                let key = match renamed {
                    Some((gone, new)) if gone == entry.key() => new,
                    _ => entry.key(),
                };
                let versions = (entry, now.get(key).copied());
                found.changes.entry(entry.key()).or_default().push(versions);
            }
            if renamed.is_none() {
                for key in new {
                    found.added.entry(key).or_default().extend(now.get(key));
                }
            }
        }
        found
    }
}
