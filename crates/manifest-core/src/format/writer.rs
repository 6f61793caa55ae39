//! Writing a document, with a record of where every value came from.
//!
//! There are few verbs, and each leaves a record: nothing can be written without
//! saying where it came from and how. A record has no text and no pointer in it; those
//! are worked out when someone wants to read the ledger.

use crate::descriptor::{
    Channel, ErrorEnvelope, Filesystem, Network, OutputFormat, SideEffects, ToolDescriptor, Trust,
};
use crate::provenance::{Deciding, Place, Sourced};
use json_text::Text;
use json_text::{Document, Number, Raw, lay_out_text, quote, quote_into};

/// How a value came to be in the target.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// As it was.
    Native,
    /// In other words, with the same meaning.
    Equivalent,
    /// Nearly what the source says.
    Approximated,
    /// The source does not say it, and the target requires it.
    Assumed,
    /// It is there for the bridge that the target calls the tool through.
    Bridge,
    /// A digest of the whole source.
    Seal,
}

impl How {
    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Equivalent => "equivalent",
            Self::Approximated => "approximated",
            Self::Assumed => "assumed",
            Self::Bridge => "bridge",
            Self::Seal => "seal",
        }
    }

    /// Whether the target says what the source says, in whatever words.
    pub const fn is_said(self) -> bool {
        matches!(self, Self::Native | Self::Equivalent)
    }
}

/// One value of the target, or all that is inside it, and where it came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Which of the documents that were written.
    pub document: u32,
    /// Where the value begins in its text.
    pub start: u32,
    /// How it came about.
    pub how: How,
    /// Why so.
    pub why: &'static str,
    /// Which of the places it came from.
    pub places: (u32, u32),
    /// Whether those places say it together, so that no one of them decides.
    pub joint: bool,
}

/// Everything that was written down about a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// One for each value, in the order of the text.
    pub records: Vec<Record>,
    /// The places that they came from.
    pub places: Vec<Place>,
    /// The entries of the source that had a say in them besides.
    pub deciding: Deciding,
}

impl Records {
    /// The places that a value came from.
    pub fn places(&self, record: &Record) -> &[Place] {
        let (start, end) = record.places;
        self.places.get(start as usize..end as usize).unwrap_or_default()
    }
}

/// A scalar, or JSON as it is written.
#[derive(Clone, Copy, Debug)]
pub enum Value<'v> {
    /// A string.
    Text(&'v str),
    /// A boolean.
    Bool(bool),
    /// A whole number.
    Integer(i64),
    /// JSON: a number, or a value that stays as it is written.
    Json(&'v str),
}

impl Value<'_> {
    /// Whether a text of JSON is this value, as it is spelled.
    fn is(&self, text: &str) -> bool {
        match *self {
            Self::Text(own) => quote(own) == text,
            Self::Bool(own) => text == if own { "true" } else { "false" },
            Self::Integer(own) => text == own.to_string(),
            Self::Json(own) => text == own,
        }
    }
}

/// What can be written as one value.
pub trait AsValue {
    /// The value.
    fn as_value(&self) -> Value<'_>;
}

impl AsValue for Text<'_> {
    fn as_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl AsValue for String {
    fn as_value(&self) -> Value<'_> {
        Value::Text(self)
    }
}

impl AsValue for bool {
    fn as_value(&self) -> Value<'_> {
        Value::Bool(*self)
    }
}

impl AsValue for Number<'_> {
    fn as_value(&self) -> Value<'_> {
        Value::Json(self.as_str())
    }
}

impl AsValue for Raw<'_> {
    fn as_value(&self) -> Value<'_> {
        Value::Json(self.as_str())
    }
}

/// Words that are the same in every format that has them.
macro_rules! words {
    ($($name:ty),*) => {
        $(impl AsValue for $name {
            fn as_value(&self) -> Value<'_> {
                Value::Text(self.word())
            }
        })*
    };
}

words!(Channel, ErrorEnvelope, Filesystem, Network, OutputFormat, SideEffects, Trust);

impl<'v> From<&'v str> for Value<'v> {
    fn from(text: &'v str) -> Self {
        Self::Text(text)
    }
}

impl<'v, T: AsValue> From<&'v T> for Value<'v> {
    fn from(value: &'v T) -> Self {
        value.as_value()
    }
}

impl From<bool> for Value<'_> {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Value<'_> {
    fn from(value: i64) -> Self {
        Self::Integer(value)
    }
}

/// Writes the members of an object, or the elements of an array.
#[derive(Debug)]
pub struct Writer<'w> {
    sources: &'w [&'w Document<'w>],
    /// Whether the target is the source's own format: then what was read from one entry
    /// is written as that entry is spelled.
    own: bool,
    compact: bool,
    text: String,
    /// Bytes of the documents before.
    before: usize,
    level: usize,
    /// Whether nothing is in the open container yet.
    first: bool,
    document: u32,
    records: Records,
    /// Why what is there for the bridge is there.
    bridge: &'static str,
}

/// A place in the target that waits for its value.
#[must_use = "a member without a value is none"]
#[derive(Debug)]
pub struct Slot<'s, 'w> {
    writer: &'s mut Writer<'w>,
    name: Option<&'s str>,
}

impl<'w> Writer<'w> {
    pub(super) fn new(sources: &'w [&'w Document<'w>], own: bool, compact: bool) -> Self {
        Self {
            sources,
            own,
            compact,
            text: String::new(),
            before: 0,
            level: 0,
            first: true,
            document: 0,
            records: Records::default(),
            bridge: "",
        }
    }

    /// Tells why what is written next for the bridge is there, and returns what was told
    /// before.
    pub fn bridge_because(&mut self, why: &'static str) -> &'static str {
        std::mem::replace(&mut self.bridge, why)
    }

    /// Writes one document, an object, and hands its text out.
    pub(super) fn document<E>(
        &mut self,
        members: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<String, E> {
        self.text.push('{');
        (self.level, self.first) = (1, true);
        members(self)?;
        self.level = 0;
        self.break_line();
        self.text.push_str(if self.compact { "}" } else { "}\n" });
        self.document += 1;
        self.before = self.written();
        Ok(std::mem::take(&mut self.text))
    }

    /// How many bytes there are so far, in all documents.
    pub(super) fn written(&self) -> usize {
        self.before.saturating_add(self.text.len())
    }

    pub(super) fn into_records(self) -> Records {
        self.records
    }

    /// A member of the open object.
    pub fn member<'s>(&'s mut self, name: &'s str) -> Slot<'s, 'w> {
        Slot { writer: self, name: Some(name) }
    }

    /// The next element of the open array.
    pub fn item(&mut self) -> Slot<'_, 'w> {
        Slot { writer: self, name: None }
    }

    /// A member that is as it was, if there is a value.
    pub fn copy<T: AsValue>(&mut self, name: &str, value: Option<&Sourced<T>>) {
        if let Some(value) = value {
            self.member(name).copy(value);
        }
    }

    /// A list of what is as it was, if there is any.
    pub fn copy_all<'v, T: AsValue + 'v>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = &'v Sourced<T>>,
    ) {
        let mut values = values.into_iter().peekable();
        if values.peek().is_some() {
            self.member(name).list(|w| values.for_each(|value| w.item().copy(value)));
        }
    }

    /// A list of tags, if there is any, as [`Package::words`] has them.
    ///
    /// [`Package::words`]: crate::descriptor::Package::words
    pub fn words<'v, 'a: 'v>(
        &mut self,
        name: &str,
        words: impl IntoIterator<Item = (&'v Sourced<Text<'a>>, Vec<Place>)>,
    ) {
        let mut words = words.into_iter().peekable();
        if words.peek().is_none() {
            return;
        }
        self.member(name).list(|w| {
            words.for_each(|(word, places)| match places.as_slice() {
                [] => w.item().copy(word),
                both => w.item().together(&word.value, both, "the source has it in both lists"),
            });
        });
    }

    /// An object, unless nothing is written into it.
    pub fn some_object(&mut self, name: &str, members: impl FnOnce(&mut Self)) {
        let before = (self.text.len(), self.first);
        self.member(name).object(members);
        if self.text.ends_with("{}") {
            self.text.truncate(before.0);
            self.first = before.1;
        }
    }

    fn break_line(&mut self) {
        if !self.compact {
            self.text.push('\n');
            self.text.extend(std::iter::repeat_n("  ", self.level));
        }
    }

    /// Begins a member or an element.
    fn begin(&mut self, name: Option<&str>) {
        if !std::mem::take(&mut self.first) {
            self.text.push(',');
        }
        self.break_line();
        if let Some(name) = name {
            quote_into(name, &mut self.text);
            self.text.push_str(if self.compact { ":" } else { ": " });
        }
    }

    fn record(&mut self, how: How, why: &'static str, places: &[Place], joint: bool) {
        let start = self.records.places.len();
        self.records.places.extend_from_slice(places);
        // Limits bound what is read, and with it what is written, far below this.
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        self.records.records.push(Record {
            document: self.document,
            start: count(self.text.len()),
            how,
            why,
            places: (count(start), count(self.records.places.len())),
            joint,
        });
    }

    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => quote_into(text, &mut self.text),
            Value::Bool(value) => self.text.push_str(if value { "true" } else { "false" }),
            Value::Integer(value) => self.text.push_str(&value.to_string()),
            Value::Json(text) => {
                let level = (!self.compact).then_some(self.level);
                lay_out_text(text, level, &mut self.text);
            }
        }
    }

    /// The text of an entry of a source.
    fn spelled(&self, place: Place) -> Option<&'w str> {
        self.sources.get(usize::from(place.document))?.raw_at(place.entry)
    }
}

impl<'w> Slot<'_, 'w> {
    /// The value as it was, spelled as it was.
    pub fn copy<T: AsValue>(self, value: &Sourced<T>) {
        if let Some(at) = value.at.filter(|at| at.exact || (self.writer.own && at.document == 0)) {
            return self.verbatim(at, &value.value);
        }
        // Nothing that was read says it, and it is there.
        let silent = value.at.is_none() && !self.writer.own;
        let said = value.value.as_value();
        let why = match &said {
            _ if !silent => "",
            // No text is said by leaving it out.
            Value::Text(_) => "a name in the source says so, or how others are written there",
            _ => "the source says so by leaving it out",
        };
        self.put(How::Equivalent, why, value.at.as_slice(), said);
    }

    fn verbatim<T: AsValue>(self, at: Place, value: &T) {
        let spelled = self.writer.spelled(at);
        let value = spelled.map_or_else(|| value.as_value(), Value::Json);
        self.put(How::Native, "", &[at], value);
    }

    /// The id of a tool, where it is written as it is. Ids of other formats have no
    /// namespace.
    pub fn id(self, tool: &ToolDescriptor<'_>) {
        let ToolDescriptor { id, package, .. } = tool;
        let places = tool.id_places();
        // The id of a package that is the tool is its id as it is written.
        let whole = places.len() == 1 && id.at.is_some_and(|at| at.exact);
        match (&package.id, &package.namespace) {
            (Some(_), Some(_)) if !self.writer.own => {
                let why = "the id without its namespace, which is a part of it in the source";
                self.approximate(&id.value, &places, why);
            }
            (Some(_), _) if !whole => self.same(&id.value, &places),
            _ => self.copy(id),
        }
    }

    /// Other words with the same meaning, from these places.
    pub fn same<'v>(self, value: impl Into<Value<'v>>, places: &[Place]) {
        let value = value.into();
        let spelled = match places {
            [at] => self.writer.spelled(*at).map(|text| (text, at.document)),
            _ => None,
        };
        match spelled {
            Some((text, document)) if self.writer.own && document == 0 || value.is(text) => {
                self.put(How::Native, "", places, Value::Json(text));
            }
            // What comes from no text was built by hand, and says what it says.
            _ => self.put(How::Equivalent, "", places, value),
        }
    }

    /// Nearly what those places say, and why it is not the same.
    pub fn approximate<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put(How::Approximated, why, places, value.into());
    }

    /// What several places of the source say together: no one of them decides, because the
    /// others say it too, or because it is that they are there.
    pub fn together<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put_joint(How::Approximated, why, places, value.into(), true);
    }

    /// What the source does not say and the target requires, and why this value.
    pub fn assume<'v>(self, value: impl Into<Value<'v>>, why: &'static str) {
        self.put(How::Assumed, why, &[], value.into());
    }

    /// The same for a value that depends on what the source says in other places.
    pub fn assume_by<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put(How::Assumed, why, places, value.into());
    }

    /// What the bridge needs.
    pub fn bridge<'v>(self, value: impl Into<Value<'v>>) {
        self.bridge_to(value, &[]);
    }

    /// The same for a value that depends on what the source says.
    pub fn bridge_to<'v>(self, value: impl Into<Value<'v>>, places: &[Place]) {
        let why = self.writer.bridge;
        self.put(How::Bridge, why, places, value.into());
    }

    /// A digest of the whole source.
    pub fn seal<'v>(self, value: impl Into<Value<'v>>) {
        self.seal_by(value, &[], "it names the source by its digest");
    }

    /// A digest of the whole source beside more that the source says.
    pub fn seal_by<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put(How::Seal, why, places, value.into());
    }

    /// An object.
    pub fn object(self, members: impl FnOnce(&mut Writer<'w>)) {
        self.container(['{', '}'], members);
    }

    /// An array.
    pub fn list(self, items: impl FnOnce(&mut Writer<'w>)) {
        self.container(['[', ']'], items);
    }

    fn container(self, [open, close]: [char; 2], inside: impl FnOnce(&mut Writer<'w>)) {
        let writer = self.writer;
        writer.begin(self.name);
        writer.text.push(open);
        writer.level += 1;
        writer.first = true;
        inside(writer);
        writer.level -= 1;
        if !std::mem::replace(&mut writer.first, false) {
            writer.break_line();
        }
        writer.text.push(close);
    }

    pub(super) fn put(self, how: How, why: &'static str, places: &[Place], value: Value<'_>) {
        self.put_joint(how, why, places, value, false);
    }

    fn put_joint(
        self,
        how: How,
        why: &'static str,
        places: &[Place],
        value: Value<'_>,
        joint: bool,
    ) {
        let writer = self.writer;
        writer.begin(self.name);
        writer.record(how, why, places, joint);
        writer.value(value);
    }
}
