//! The data boundary of a tool.

use manifest_core::Text;
use manifest_core::json::{Node, Number};
use serde::Serialize;

use super::decode::{Decode, decode_members, members, required};
use crate::enums::{Place, Sensitivity, ThirdPartyRetention};

/// The data that a tool reads, sends and keeps (0.3).
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct DataBoundary<'a> {
    /// The data that the tool reads.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reads: Vec<Reads<'a>>,
    /// The data that it sends to others.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transmits: Vec<Transmits<'a>>,
    /// The data that it keeps.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub persists: Vec<Persists<'a>>,
    /// How long it keeps data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub retention: Option<Retention<'a>>,
}

/// One resource that a tool reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reads<'a> {
    /// The resource.
    pub resource: Text<'a>,
    /// How much harm leaked data would do.
    pub sensitivity: Sensitivity,
}

/// One recipient of data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Transmits<'a> {
    /// The recipient. Absent if [`to_kind`](Self::to_kind) is present.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<Text<'a>>,
    /// `agent-supplied` if the input of each call contains the recipient (0.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_kind: Option<Text<'a>>,
    /// A text that restricts the possible recipients (0.4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to_constraint: Option<Text<'a>>,
    /// The fields that are sent.
    pub fields: Vec<Text<'a>>,
    /// The purpose of sending them.
    pub purpose: Text<'a>,
    /// How long the recipient keeps them.
    pub third_party_retention: ThirdPartyRetention,
    /// The URL of the recipient's terms of service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vendor_tos_url: Option<Text<'a>>,
}

/// Data that a tool keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Persists<'a> {
    /// The storage location.
    #[serde(rename = "where")]
    pub location: Place,
    /// The fields that are kept.
    pub fields: Vec<Text<'a>>,
}

/// How long a tool keeps data, in days.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Retention<'a> {
    /// Data on the host.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_local_days: Option<Number<'a>>,
    /// Data that the author stores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tool_cloud_days: Option<Number<'a>>,
    /// The tool's log of what it sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transmit_log_days: Option<Number<'a>>,
}

/// The texts of [`Transmits::to_kind`].
pub(crate) const TO_KINDS: &[&str] = &["agent-supplied"];

decode_members!(DataBoundary<'a> {
    optional reads, optional transmits, optional persists, optional retention
});
decode_members!(Reads<'a> { required resource, required sensitivity });
decode_members!(Transmits<'a> {
    optional to, optional to_kind, optional to_constraint, required fields, required purpose,
    required third_party_retention, optional vendor_tos_url,
});
decode_members!(Retention<'a> {
    optional tool_local_days, optional tool_cloud_days, optional transmit_log_days
});

impl<'a> Decode<'a> for Persists<'a> {
    fn decode(node: Node<'a>) -> Option<Self> {
        let [location, fields] = members(node, &["where", "fields"])?;
        Some(Self { location: required(location)?, fields: required(fields)? })
    }
}
