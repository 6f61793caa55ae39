//! Writes a document, and records where every value came from.
//!
//! There are few verbs, and each leaves a record, so that no value can be written without
//! its provenance. Records contain no texts and no pointers. Those are computed when the
//! ledger is read.

use crate::descriptor::{
    Channel, ErrorEnvelope, Filesystem, Network, OutputFormat, SideEffects, ToolDescriptor, Trust,
};
use crate::provenance::{Influences, Place, Sourced};
use diagnostic::some_or_bug;
use json_text::{Document, Number, Raw, Text, lay_out_text, quote, quote_into};

/// How a value of the target came about.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Derivation {
    /// Unchanged from the source.
    Native,
    /// Expressed differently, with the same meaning.
    Equivalent,
    /// Close to the value of the source, but not the same.
    Approximated,
    /// Missing from the source, and required by the target.
    Assumed,
    /// Needed by the bridge through which the target calls the tool.
    Bridge,
    /// A digest of the whole source.
    Seal,
}

impl Derivation {
    /// Returns the name that reports use.
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

    /// Returns true if the value has the same meaning in source and target.
    pub const fn keeps_meaning(self) -> bool {
        matches!(self, Self::Native | Self::Equivalent)
    }
}

/// The provenance of one value of the target, or of everything inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// The number of the written document.
    pub document: u32,
    /// The offset in its text at which the value begins.
    pub start: u32,
    /// How the value came about.
    pub derivation: Derivation,
    /// The reason. May be empty.
    pub reason: &'static str,
    /// The range of its places in the list of [`Records`].
    pub places: (u32, u32),
    /// True if changing any one of these places alone leaves the value unchanged.
    pub joint: bool,
}

/// All records of a conversion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// One record for each value, in the order of the text.
    pub records: Vec<Record>,
    /// The places of all records.
    pub places: Vec<Place>,
    /// The entries of the source that influenced the values.
    pub influences: Influences,
}

impl Records {
    /// Returns the places that a value came from.
    pub fn places(&self, record: &Record) -> &[Place] {
        let (start, end) = record.places;
        some_or_bug(self.places.get(start as usize..end as usize))
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
    /// JSON: a number, or a value that is written in its original spelling.
    Json(&'v str),
}

impl Value<'_> {
    /// Returns true if a JSON text is this value, in the same spelling.
    fn has_spelling(&self, text: &str) -> bool {
        match *self {
            Self::Text(own) => quote(own) == text,
            Self::Bool(own) => text == if own { "true" } else { "false" },
            Self::Integer(own) => text == own.to_string(),
            Self::Json(own) => text == own,
        }
    }
}

/// Implements conversions into a [`Value`], by the type.
macro_rules! values {
    ($($type:ty, |$value:ident| $written:expr;)+) => {
        $(impl<'v> From<$type> for Value<'v> {
            fn from($value: $type) -> Self {
                $written
            }
        })+
    };
}

values! {
    i64, |number| Self::Integer(number);
    bool, |value| Self::Bool(value);
    &'v bool, |value| Self::Bool(*value);
    &'v str, |text| Self::Text(text);
    &'v String, |text| Self::Text(text);
    &'v Text<'_>, |text| Self::Text(text);
    &'v Number<'_>, |number| Self::Json(number.as_str());
    &'v Raw<'_>, |json| Self::Json(json.as_str());
    &'v Channel, |channel| Self::Text(channel.word());
    &'v ErrorEnvelope, |form| Self::Text(form.word());
    &'v Filesystem, |access| Self::Text(access.word());
    &'v Network, |access| Self::Text(access.word());
    &'v OutputFormat, |format| Self::Text(format.word());
    &'v SideEffects, |effects| Self::Text(effects.word());
    &'v Trust, |trust| Self::Text(trust.word());
}

/// Writes the members of an object, or the elements of an array.
#[derive(Debug)]
pub struct Writer<'w> {
    sources: &'w [&'w Document<'w>],
    /// True if the target is the source's own format. In that case a value that was read
    /// from one entry is written in the entry's spelling.
    same_format: bool,
    compact: bool,
    text: String,
    /// The size of the finished documents in bytes.
    finished_bytes: usize,
    level: usize,
    /// True if the open container is still empty.
    is_empty: bool,
    document: u32,
    records: Records,
    /// The reason that is recorded for values of the bridge.
    bridge_reason: &'static str,
}

/// A member or element of the target that waits for its value.
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
            same_format: own,
            compact,
            text: String::new(),
            finished_bytes: 0,
            level: 0,
            is_empty: true,
            document: 0,
            records: Records::default(),
            bridge_reason: "",
        }
    }

    /// Sets the reason that is recorded for values of the bridge from now on, and returns
    /// the previous reason.
    pub fn set_bridge_reason(&mut self, why: &'static str) -> &'static str {
        std::mem::replace(&mut self.bridge_reason, why)
    }

    /// Writes one document, an object, and returns its text.
    pub(super) fn document<E>(
        &mut self,
        members: impl FnOnce(&mut Self) -> Result<(), E>,
    ) -> Result<String, E> {
        self.text.push('{');
        (self.level, self.is_empty) = (1, true);
        members(self)?;
        self.level = 0;
        self.break_line();
        self.text.push_str(if self.compact { "}" } else { "}\n" });
        self.document += 1;
        self.finished_bytes = self.bytes_written();
        Ok(std::mem::take(&mut self.text))
    }

    /// Returns the number of bytes written so far, in all documents.
    pub(super) fn bytes_written(&self) -> usize {
        self.finished_bytes.saturating_add(self.text.len())
    }

    pub(super) fn into_records(self) -> Records {
        self.records
    }

    /// Returns a member of the open object, to write its value.
    pub fn member<'s>(&'s mut self, name: &'s str) -> Slot<'s, 'w> {
        Slot { writer: self, name: Some(name) }
    }

    /// Returns the next element of the open array, to write its value.
    pub fn item(&mut self) -> Slot<'_, 'w> {
        Slot { writer: self, name: None }
    }

    /// Writes a member with an unchanged value, if there is one.
    pub fn copy<'v, T>(&mut self, name: &str, value: Option<&'v Sourced<T>>)
    where
        &'v T: Into<Value<'v>>,
    {
        if let Some(value) = value {
            self.member(name).copy(value);
        }
    }

    /// Writes a list of unchanged values, unless it is empty.
    pub fn copy_all<'v, T: 'v>(
        &mut self,
        name: &str,
        values: impl IntoIterator<Item = &'v Sourced<T>>,
    ) where
        &'v T: Into<Value<'v>>,
    {
        let mut values = values.into_iter().peekable();
        if values.peek().is_none() {
            return;
        }
        self.member(name).list(|w| {
            for value in values {
                w.item().copy(value);
            }
        });
    }

    /// Writes the tags of [`Package::keywords`] as a list, unless it is empty.
    ///
    /// [`Package::keywords`]: crate::descriptor::Package::keywords
    pub fn tags<'v, 'a: 'v>(
        &mut self,
        name: &str,
        words: impl IntoIterator<Item = (&'v Sourced<Text<'a>>, Vec<Place>)>,
    ) {
        let mut words = words.into_iter().peekable();
        if words.peek().is_none() {
            return;
        }
        self.member(name).list(|w| {
            for (word, places) in words {
                if places.is_empty() {
                    w.item().copy(word);
                } else {
                    let why = "the source has it in both lists";
                    w.item().approximate_joint(&word.value, &places, why);
                }
            }
        });
    }

    /// Writes an object, unless it would be empty.
    pub fn object_if_any(&mut self, name: &str, members: impl FnOnce(&mut Self)) {
        let (length, is_empty) = (self.text.len(), self.is_empty);
        self.member(name).object(members);
        if self.text.ends_with("{}") {
            self.text.truncate(length);
            self.is_empty = is_empty;
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
        if !std::mem::take(&mut self.is_empty) {
            self.text.push(',');
        }
        self.break_line();
        if let Some(name) = name {
            quote_into(name, &mut self.text);
            self.text.push_str(if self.compact { ":" } else { ": " });
        }
    }

    fn record(&mut self, how: Derivation, why: &'static str, places: &[Place], joint: bool) {
        let start = self.records.places.len();
        self.records.places.extend_from_slice(places);
        let end = self.records.places.len();
        // Limits on the input keep these numbers far below the maximum.
        let [text, start, end] =
            [self.text.len(), start, end].map(|number| u32::try_from(number).unwrap_or(u32::MAX));
        self.records.records.push(Record {
            document: self.document,
            start: text,
            derivation: how,
            reason: why,
            places: (start, end),
            joint,
        });
    }

    fn value(&mut self, value: Value<'_>) {
        match value {
            Value::Text(text) => quote_into(text, &mut self.text),
            Value::Bool(value) => self.text.push_str(if value { "true" } else { "false" }),
            Value::Integer(value) => self.text.push_str(&value.to_string()),
            Value::Json(text) => {
                let level = if self.compact { None } else { Some(self.level) };
                lay_out_text(text, level, &mut self.text);
            }
        }
    }

    /// Returns the text of an entry of a source.
    fn source_text(&self, place: Place) -> Option<&'w str> {
        self.sources.get(usize::from(place.document))?.raw_at(place.entry)
    }
}

impl<'w> Slot<'_, 'w> {
    /// Writes the value unchanged, in its original spelling if it has one.
    pub fn copy<'v, T>(self, value: &'v Sourced<T>)
    where
        &'v T: Into<Value<'v>>,
    {
        let own: Value<'v> = (&value.value).into();
        if let Some(at) = value.at
            && (at.exact || (self.writer.same_format && at.document == 0))
        {
            let spelled = self.writer.source_text(at);
            return self.put(Derivation::Native, "", &[at], spelled.map_or(own, Value::Json));
        }
        let why = match own {
            _ if value.at.is_some() || self.writer.same_format => "",
            // The value comes from no entry, so the source implies it. A missing member
            // cannot imply a text.
            Value::Text(_) => "a name in the source says so, or how others are written there",
            _ => "the source says so by leaving it out",
        };
        self.put(Derivation::Equivalent, why, value.at.as_slice(), own);
    }

    /// Writes the id of a tool unchanged, but without its namespace if the target is not
    /// the source's own format: ids of other formats have none.
    pub fn id(self, tool: &ToolDescriptor<'_>) {
        let ToolDescriptor { id, package, .. } = tool;
        let places = tool.id_places();
        // If the package is the tool itself, the package's id is the tool's id, as written.
        let whole = places.len() == 1 && id.at.is_some_and(|at| at.exact);
        match (&package.id, &package.namespace) {
            (Some(_), Some(_)) if !self.writer.same_format => {
                let why = "the id without its namespace, which is a part of it in the source";
                self.approximate(&id.value, &places, why);
            }
            (Some(_), _) if !whole => self.equivalent(&id.value, &places),
            _ => self.copy(id),
        }
    }

    /// Writes a value with the same meaning as these places. It is recorded as native if it
    /// has the same spelling as its only place. In the source's own format, it takes that
    /// spelling.
    pub fn equivalent<'v>(self, value: impl Into<Value<'v>>, places: &[Place]) {
        let value = value.into();
        if let [at] = places
            && let Some(text) = self.writer.source_text(*at)
            && ((self.writer.same_format && at.document == 0) || value.has_spelling(text))
        {
            return self.put(Derivation::Native, "", places, Value::Json(text));
        }
        // A value without a place was built by hand.
        self.put(Derivation::Equivalent, "", places, value);
    }

    /// Writes a value that is close to these places. `why` describes the difference.
    pub fn approximate<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put(Derivation::Approximated, why, places, value.into());
    }

    /// Writes an approximated value that several places of the source imply together. No
    /// single place decides it, because the others imply it too, or because only their
    /// presence counts.
    pub fn approximate_joint<'v>(
        self,
        value: impl Into<Value<'v>>,
        places: &[Place],
        why: &'static str,
    ) {
        self.put_joint(Derivation::Approximated, why, places, value.into(), true);
    }

    /// Writes a value that the target requires and the source lacks. `why` explains the
    /// value.
    pub fn assume<'v>(self, value: impl Into<Value<'v>>, why: &'static str) {
        self.put(Derivation::Assumed, why, &[], value.into());
    }

    /// Like [`Slot::assume`], for a value that depends on other places of the source.
    pub fn assume_from<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put(Derivation::Assumed, why, places, value.into());
    }

    /// Writes a value that the bridge needs.
    pub fn bridge<'v>(self, value: impl Into<Value<'v>>) {
        self.bridge_from(value, &[]);
    }

    /// Like [`Slot::bridge`], for a value that depends on these places of the source.
    pub fn bridge_from<'v>(self, value: impl Into<Value<'v>>, places: &[Place]) {
        let why = self.writer.bridge_reason;
        self.put(Derivation::Bridge, why, places, value.into());
    }

    /// Writes a digest of the whole source.
    pub fn seal<'v>(self, value: impl Into<Value<'v>>) {
        self.seal_from(value, &[], "it names the source by its digest");
    }

    /// Writes a value that contains a digest of the whole source and depends on these
    /// places.
    pub fn seal_from<'v>(self, value: impl Into<Value<'v>>, places: &[Place], why: &'static str) {
        self.put(Derivation::Seal, why, places, value.into());
    }

    /// Writes an object.
    pub fn object(self, members: impl FnOnce(&mut Writer<'w>)) {
        self.container(['{', '}'], members);
    }

    /// Writes an array.
    pub fn list(self, items: impl FnOnce(&mut Writer<'w>)) {
        self.container(['[', ']'], items);
    }

    fn container(self, [open, close]: [char; 2], inside: impl FnOnce(&mut Writer<'w>)) {
        let writer = self.writer;
        writer.begin(self.name);
        writer.text.push(open);
        writer.level += 1;
        writer.is_empty = true;
        inside(writer);
        writer.level -= 1;
        if !std::mem::replace(&mut writer.is_empty, false) {
            writer.break_line();
        }
        writer.text.push(close);
    }

    pub(super) fn put(
        self,
        how: Derivation,
        why: &'static str,
        places: &[Place],
        value: Value<'_>,
    ) {
        self.put_joint(how, why, places, value, false);
    }

    fn put_joint(
        self,
        how: Derivation,
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
