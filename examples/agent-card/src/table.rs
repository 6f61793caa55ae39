//! The members of an agent card, as data, in versions 0.3 and 1.0 of A2A.
//!
//! Clients pass over members that they do not know, so all objects are open. What an OAuth flow
//! and an extension contain is left to clients.

use manifest_core::has_control;
use manifest_core::json::Node;
use manifest_core::table::{
    Branch, Grammar, Member, Object, Shape, Table, branch, optional, required,
};

/// The versions, oldest first.
pub(crate) static VERSIONS: [&str; 2] = ["0.3", "1.0"];

pub(crate) const V0_3: u8 = 0;
const V1_0: u8 = 1;

pub(crate) static TABLE: Table =
    Table { root: &Object::open(&CARD), versions: &VERSIONS, version_member: None };

/// Returns the version of a card, as an index. Cards of version 1.0 list their interfaces.
pub(crate) fn version(root: Node<'_>) -> u8 {
    if root.get("supportedInterfaces").is_some() { V1_0 } else { V0_3 }
}

/// Names are words of command lines, and are shown to people.
static NAME: Grammar = Grammar {
    pattern: r"^[^\x00-\x1f\x7f-\x9f]+$",
    description: "a name without control characters",
    matches: |text| !text.is_empty() && !has_control(text),
};

/// A card.
pub(crate) static CARD: [Member; 21] = [
    required("name", &Shape::matching(&NAME)),
    required("description", &Shape::TEXT),
    required("version", &Shape::TEXT),
    required("protocolVersion", &Shape::TEXT).until(V0_3),
    required("url", &Shape::NON_EMPTY_TEXT).until(V0_3),
    optional("preferredTransport", &Shape::TEXT).until(V0_3),
    optional("additionalInterfaces", &Shape::list(&Shape::Object(&Object::open(&TRANSPORT))))
        .until(V0_3),
    required("supportedInterfaces", &INTERFACES).since(V1_0),
    optional("provider", &Shape::Object(&Object::open(&PROVIDER))),
    optional("documentationUrl", &Shape::TEXT),
    optional("iconUrl", &Shape::TEXT),
    required("capabilities", &Shape::Object(&Object::open(&CAPABILITIES))),
    optional("securitySchemes", &Shape::Map(&Shape::Union { tag: "type", branches: SCHEMES }))
        .until(V0_3),
    optional("securitySchemes", &Shape::Map(&Shape::Object(&Object::open(&SCHEME)))).since(V1_0),
    optional("security", &SECURITY).until(V0_3),
    optional("securityRequirements", &REQUIREMENTS).since(V1_0),
    required("defaultInputModes", &Shape::TEXTS),
    required("defaultOutputModes", &Shape::TEXTS),
    required("skills", &Shape::list(&Shape::Object(&Object::open(&SKILL)))),
    optional("supportsAuthenticatedExtendedCard", &Shape::Bool).until(V0_3),
    optional("signatures", &Shape::list(&Shape::Object(&Object::open(&SIGNATURE)))),
];

/// A skill.
pub(crate) static SKILL: [Member; 9] = [
    required("id", &Shape::matching(&NAME)),
    required("name", &Shape::TEXT),
    required("description", &Shape::TEXT),
    required("tags", &Shape::TEXTS),
    optional("examples", &Shape::TEXTS),
    optional("inputModes", &Shape::TEXTS),
    optional("outputModes", &Shape::TEXTS),
    optional("security", &SECURITY).until(V0_3),
    optional("securityRequirements", &REQUIREMENTS).since(V1_0),
];

/// Alternatives, of which each maps the names of schemes to scopes.
static SECURITY: Shape = Shape::list(&Shape::Map(&Shape::TEXTS));

/// The same in version 1.0.
static REQUIREMENTS: Shape = Shape::list(&Shape::Object(&Object::open(&REQUIREMENT)));

static REQUIREMENT: [Member; 1] =
    [required("schemes", &Shape::Map(&Shape::Object(&Object::open(&SCOPES))))];

static SCOPES: [Member; 1] = [optional("list", &Shape::TEXTS)];

static INTERFACES: Shape =
    Shape::List { of: &Shape::Object(&Object::open(&INTERFACE)), min: 1, max: None };

static INTERFACE: [Member; 4] = [
    required("url", &Shape::NON_EMPTY_TEXT),
    required("protocolBinding", &Shape::TEXT),
    required("protocolVersion", &Shape::TEXT),
    optional("tenant", &Shape::TEXT),
];

static TRANSPORT: [Member; 2] =
    [required("url", &Shape::NON_EMPTY_TEXT), required("transport", &Shape::TEXT)];

/// The organization behind an agent.
pub(crate) static PROVIDER: [Member; 2] =
    [required("organization", &Shape::TEXT), required("url", &Shape::TEXT)];

static CAPABILITIES: [Member; 5] = [
    optional("streaming", &Shape::Bool),
    optional("pushNotifications", &Shape::Bool),
    optional("stateTransitionHistory", &Shape::Bool).until(V0_3),
    optional("extensions", &Shape::list(&Shape::Object(&Object::open(&EXTENSION)))),
    optional("extendedAgentCard", &Shape::Bool).since(V1_0),
];

static EXTENSION: [Member; 4] = [
    required("uri", &Shape::TEXT),
    optional("description", &Shape::TEXT),
    optional("required", &Shape::Bool),
    optional("params", &Shape::Opaque),
];

static SIGNATURE: [Member; 3] = [
    required("protected", &Shape::TEXT),
    required("signature", &Shape::TEXT),
    optional("header", &Shape::Opaque),
];

/// The ways to sign in of version 0.3.
static SCHEMES: &[Branch] = &[
    branch("apiKey", &Object::open(&API_KEY)),
    branch("http", &Object::open(&HTTP)),
    branch("oauth2", &Object::open(&OAUTH)),
    branch("openIdConnect", &Object::open(&OPEN_ID)),
    branch("mutualTLS", &Object::open(&MUTUAL_TLS)),
];

/// The same in version 1.0, where the kind is the name of a member.
static SCHEME: [Member; 5] = [
    optional("apiKeySecurityScheme", &Shape::Object(&Object::open(&API_KEY))),
    optional("httpAuthSecurityScheme", &Shape::Object(&Object::open(&HTTP))),
    optional("oauth2SecurityScheme", &Shape::Object(&Object::open(&OAUTH))),
    optional("openIdConnectSecurityScheme", &Shape::Object(&Object::open(&OPEN_ID))),
    optional("mtlsSecurityScheme", &Shape::Object(&Object::open(&MUTUAL_TLS))),
];

static PLACES: Shape = Shape::Enum(&["cookie", "header", "query"]);

static API_KEY: [Member; 4] = [
    optional("description", &Shape::TEXT),
    required("name", &Shape::TEXT),
    required("in", &PLACES).until(V0_3),
    required("location", &PLACES).since(V1_0),
];

static HTTP: [Member; 3] = [
    optional("description", &Shape::TEXT),
    required("scheme", &Shape::TEXT),
    optional("bearerFormat", &Shape::TEXT),
];

static OAUTH: [Member; 3] = [
    optional("description", &Shape::TEXT),
    required("flows", &Shape::Opaque),
    optional("oauth2MetadataUrl", &Shape::TEXT),
];

static OPEN_ID: [Member; 2] =
    [optional("description", &Shape::TEXT), required("openIdConnectUrl", &Shape::TEXT)];

static MUTUAL_TLS: [Member; 1] = [optional("description", &Shape::TEXT)];
