//! Lowers the authentication of calls.
//!
//! The host sends the first variable of `configHints.env` that has a value, in the header
//! that the scheme implies. So if the call is a request, `env` must not contain a variable
//! that the source does not send.

use manifest_core::descriptor::{Auth, EnvVar, Invocation};
use manifest_core::format::{ToolContext, Writer};
use manifest_core::{Place, Sourced, Text, ToolDescriptor};

use super::call;
use super::header::{self, CredentialHeader};
use crate::rules::AUTH_TYPES;

/// The variable whose value is sent to a gateway. It is the first in `env`, so that the
/// host sends no other value if it is set.
const GATEWAY_TOKEN: &str = "TOOLGLOT_TOKEN";

/// The type to write if there are secrets, and the source does not declare how they are
/// sent.
const DEFAULT_TYPE: &str = "api_key";

/// Returns the header that the bridge sends, for a request that this format cannot express.
/// The request may have other headers.
fn bridge_header<'h>(tool: &'h ToolDescriptor<'_>) -> Option<CredentialHeader<'h>> {
    match tool.invocation.as_deref() {
        Some(Invocation::Http(http)) => http
            .headers
            .iter()
            .find_map(|(name, value)| header::parse_credential(tool, name, value)),
        _ => None,
    }
}

/// The value that `auth` is written from.
enum AuthSource<'t, 'a> {
    /// A declared scheme, written with all secrets.
    Scheme(&'t Sourced<Text<'a>>),
    /// A header that implies a scheme.
    Header(CredentialHeader<'t>),
    /// Variables that may be secret, and whose purpose is unknown. A program receives no
    /// values through `auth`; it only lists the variables to set.
    Secrets,
    Absent,
}

fn auth_source<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> AuthSource<'t, 'a> {
    let known = |scheme: &&Sourced<Text<'_>>| own || AUTH_TYPES.contains(&scheme.as_ref());
    if let Some(scheme) = tool.auth.scheme.as_ref().filter(known) {
        return AuthSource::Scheme(scheme);
    }
    let request = call::request(tool).filter(|_| !own);
    let header = match request {
        Some(http) => header::sole_credential(tool, http),
        None => bridge_header(tool).filter(|_| !own),
    };
    let secrets = request.is_none() && !own && tool.package.env.iter().any(EnvVar::is_secret);
    match header {
        // The result is the same without the header.
        Some(header) if secrets && header.scheme == DEFAULT_TYPE => AuthSource::Secrets,
        Some(header) => AuthSource::Header(header),
        None if secrets => AuthSource::Secrets,
        None => AuthSource::Absent,
    }
}

/// Returns the variables that are declared secret.
fn declared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> impl Iterator<Item = &'t EnvVar<'a>> {
    let secret = |one: &&EnvVar<'_>| one.secret.as_deref() == Some(&true);
    tool.package.env.iter().filter(secret)
}

/// Returns the variables that `env` may contain. With a request, a host would send public
/// ones too, so they are left out. A program receives no values through `auth`, so all are
/// listed.
fn listable_variables<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Vec<&'t EnvVar<'a>> {
    let all = own || call::request(tool).is_none();
    tool.package.env.iter().filter(|variable| all || variable.is_secret()).collect()
}

/// Returns the secrets that `env` does not list, because a host would send them with the
/// request.
pub(super) fn undeclared_secrets<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let secrets = tool.package.env.iter().filter(|variable| variable.is_secret());
    match auth_source(tool, false) {
        AuthSource::Scheme(_) | AuthSource::Secrets => Vec::new(),
        AuthSource::Header(_) if call::request(tool).is_none() => Vec::new(),
        AuthSource::Header(header) => {
            secrets.filter(|one| one.name.value != header.variable).collect()
        }
        AuthSource::Absent => secrets.collect(),
    }
}

/// Writes `auth`, if there is a scheme, a credential, a secret or a gateway.
pub(super) fn write(w: &mut Writer<'_>, lowered: &ToolContext<'_, '_>) {
    let ToolContext { tool, says: _, context } = lowered;
    let own = context.same_format;
    let variables = listable_variables(tool, own);
    let names = |w: &mut Writer<'_>| variables.iter().for_each(|one| write_name(w, one, own));
    if lowered.gateway_origin().is_some() {
        let names = |w: &mut Writer<'_>| {
            w.item().bridge(GATEWAY_TOKEN);
            names(w);
        };
        w.member("auth").object(|w| {
            w.member("type").bridge("bearer");
            write_rest(w, tool, own, Some(&names));
        });
        return;
    }
    match auth_source(tool, own) {
        AuthSource::Scheme(scheme) => w.member("auth").object(|w| {
            if scheme.at.is_some_and(|at| !at.exact) && !own {
                let why = "the scheme, and not that it is set up before the first call";
                w.member("type").approximate(&scheme.value, scheme.at.as_slice(), why);
            } else {
                w.member("type").copy(scheme);
            }
            write_rest(w, tool, own, (!variables.is_empty()).then_some(&names));
        }),
        AuthSource::Header(CredentialHeader { scheme, variable, at, variable_at: named }) => {
            let why = "the scheme and the variable stand for the header";
            // A program receives no values through `auth`, so other variables can be
            // listed.
            let others: &[&EnvVar<'_>] = match call::request(tool) {
                Some(_) => &[],
                None => &variables,
            };
            let names = |w: &mut Writer<'_>| {
                let places: Vec<Place> = at.into_iter().chain(named).collect();
                w.item().approximate(variable, &places, why);
                let others = others.iter().filter(|one| one.name.value != variable);
                others.for_each(|one| write_name(w, one, own));
            };
            w.member("auth").object(|w| {
                w.member("type").approximate(scheme, at.as_slice(), why);
                write_rest(w, tool, own, Some(&names));
            });
        }
        AuthSource::Secrets => w.member("auth").object(|w| {
            write_type(w, tool);
            write_rest(w, tool, own, Some(&names));
        }),
        AuthSource::Absent => {}
    }
}

/// Writes the type if the source does not declare one. It comes from the `secret` flag of
/// the only secret variable, or from all declared secrets together. If none is declared, it
/// is assumed.
fn write_type(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let slot = w.member("type");
    let why = "it is given secrets, and the source does not say how calls are authenticated";
    let flags = declared_secrets(tool).map(|one| one.secret.as_ref().and_then(|secret| secret.at));
    let flags: Vec<Option<Place>> = flags.collect();
    match flags.as_slice() {
        [] => {
            let why = "a type must stand beside the names of variables, and the source has none";
            slot.assume(DEFAULT_TYPE, why);
        }
        // Any other variable that may be secret would lead to the same type.
        [Some(flag)] if tool.package.env.iter().filter(|one| one.is_secret()).count() == 1 => {
            slot.approximate(DEFAULT_TYPE, &[*flag], why);
        }
        _ => {
            let places =
                declared_secrets(tool).zip(flags).filter_map(|(one, flag)| flag.or(one.name.at));
            slot.approximate_joint(DEFAULT_TYPE, &places.collect::<Vec<_>>(), why);
        }
    }
}

/// Writes the members after the type. `names` writes the elements of `env`.
fn write_rest(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    own: bool,
    names: Option<&dyn Fn(&mut Writer<'_>)>,
) {
    let Auth { scheme: _, scopes, docs_url } = &tool.auth;
    let used = tool.used_scopes().into_iter().filter(|_| !own);
    let others = used.filter_map(|(scope, used)| {
        // If a tool lists the scopes that it uses, it does so by their names.
        let named = scope.resource.at.into_iter().chain(used);
        Some((scope.provider_scope.as_ref()?, named.collect()))
    });
    let others: Vec<(&Sourced<Text<'_>>, Vec<Place>)> = others.collect();
    if !scopes.is_empty() || !others.is_empty() {
        w.member("scopes").list(|w| {
            for scope in scopes {
                w.item().copy(scope);
            }
            for (scope, used) in others {
                let why = "what the tool does with it is not said";
                // These places have an influence only if the tool lists the scopes that it
                // uses.
                let used = used.into_iter().filter(|_| !tool.scopes_used.is_empty());
                let places: Vec<Place> = scope.at.into_iter().chain(used).collect();
                w.item().approximate(&scope.value, &places, why);
            }
        });
    }
    w.object_if_any("configHints", |w| {
        if let Some(names) = names {
            w.member("env").list(|w| names(w));
        }
        w.copy("docsUrl", docs_url.as_ref());
    });
}

/// Writes the name of a variable.
fn write_name(w: &mut Writer<'_>, variable: &EnvVar<'_>, own: bool) {
    match &variable.secret {
        Some(secret) if secret.value && !own => {
            let why = "a name, and not that its value is secret";
            w.item().approximate(&variable.name.value, variable.name.at.as_slice(), why);
        }
        _ => w.item().copy(&variable.name),
    }
}
