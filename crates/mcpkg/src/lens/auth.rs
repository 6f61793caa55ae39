//! How calls are authenticated.
//!
//! The host sends the first variable of `configHints.env` that has a value, in the
//! header that the scheme stands for. So no variable may be named there that the source
//! does not send, where the call is a request.

use manifest_core::descriptor::{Auth, EnvVar, Invocation};
use manifest_core::format::{Tool, Writer};
use manifest_core::{Place, Sourced, Text, ToolDescriptor};

use super::call;
use super::header::{self, Header};
use crate::rules::AUTH_TYPES;

/// The variable whose value a gateway is sent. It stands first, so that nothing else is sent
/// where it is set.
const GATEWAY_TOKEN: &str = "TOOLGLOT_TOKEN";

/// What is written where there are secrets, and nobody says how they are sent.
const OF_SECRETS: &str = "api_key";

/// The header that the bridge sends, where the call is a request that has no words here:
/// other headers may stand beside it.
fn bridged<'h>(tool: &'h ToolDescriptor<'_>) -> Option<Header<'h>> {
    match tool.invocation.as_deref() {
        Some(Invocation::Http(http)) => {
            http.headers.iter().find_map(|(name, value)| header::credential(tool, name, value))
        }
        _ => None,
    }
}

/// What `auth` says of a tool.
enum Said<'t, 'a> {
    /// The scheme, with all secrets.
    Scheme(&'t Sourced<Text<'a>>),
    /// What a header stands for.
    Header(Header<'t>),
    /// Variables that are not known to be public, and not what they are for. A program is
    /// given nothing by this: it says what must be set.
    Secrets,
    Nothing,
}

fn said<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Said<'t, 'a> {
    let known = |scheme: &&Sourced<Text<'_>>| own || AUTH_TYPES.contains(&scheme.as_ref());
    if let Some(scheme) = tool.auth.scheme.as_ref().filter(known) {
        return Said::Scheme(scheme);
    }
    let request = call::request(tool).filter(|_| !own);
    let header = match request {
        Some(http) => header::header(tool, http),
        None => bridged(tool).filter(|_| !own),
    };
    let secrets = request.is_none() && !own && tool.package.env.iter().any(EnvVar::is_secret);
    match header {
        // The secrets say that much without it.
        Some(header) if secrets && header.scheme == OF_SECRETS => Said::Secrets,
        Some(header) => Said::Header(header),
        None if secrets => Said::Secrets,
        None => Said::Nothing,
    }
}

/// The variables that are said to be secret.
fn declared<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> impl Iterator<Item = &'t EnvVar<'a>> {
    let secret = |one: &&EnvVar<'_>| one.secret.as_deref() == Some(&true);
    tool.package.env.iter().filter(secret)
}

/// The variables that can be named: with a request, a host would send those that are said to
/// be public. A program is sent nothing by this.
fn variables<'t, 'a>(tool: &'t ToolDescriptor<'a>, own: bool) -> Vec<&'t EnvVar<'a>> {
    let all = own || call::request(tool).is_none();
    tool.package.env.iter().filter(|variable| all || variable.is_secret()).collect()
}

/// Secrets that are not named: a host would send them with the request.
pub(super) fn unnamed<'t, 'a>(tool: &'t ToolDescriptor<'a>) -> Vec<&'t EnvVar<'a>> {
    let secrets = tool.package.env.iter().filter(|variable| variable.is_secret());
    match said(tool, false) {
        Said::Scheme(_) | Said::Secrets => Vec::new(),
        Said::Header(_) if call::request(tool).is_none() => Vec::new(),
        Said::Header(header) => secrets.filter(|one| one.name.value != header.variable).collect(),
        Said::Nothing => secrets.collect(),
    }
}

/// Writes `auth`, if there is anything to say.
pub(super) fn write(w: &mut Writer<'_>, lowered: &Tool<'_, '_>) {
    let Tool { tool, says: _, context } = lowered;
    let own = context.own;
    let variables = variables(tool, own);
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
    match said(tool, own) {
        Said::Scheme(scheme) => w.member("auth").object(|w| {
            if scheme.at.is_some_and(|at| !at.exact) && !own {
                let why = "the scheme, and not that it is set up before the first call";
                w.member("type").approximate(&scheme.value, scheme.at.as_slice(), why);
            } else {
                w.member("type").copy(scheme);
            }
            write_rest(w, tool, own, (!variables.is_empty()).then_some(&names));
        }),
        Said::Header(Header { scheme, variable, at, named }) => {
            let why = "the scheme and the variable stand for the header";
            // A program is sent nothing by this: what else must be set can be named.
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
        Said::Secrets => w.member("auth").object(|w| {
            write_type(w, tool);
            write_rest(w, tool, own, Some(&names));
        }),
        Said::Nothing => {}
    }
}

/// The type where nobody says it. That a variable is secret decides it, if it is the only
/// one; what it is called does not.
fn write_type(w: &mut Writer<'_>, tool: &ToolDescriptor<'_>) {
    let slot = w.member("type");
    let why = "it is given secrets, and the source does not say how calls are authenticated";
    let flags = declared(tool).map(|one| one.secret.as_ref().and_then(|secret| secret.at));
    let flags: Vec<Option<Place>> = flags.collect();
    match flags.as_slice() {
        [] => {
            let why = "a type must stand beside the names of variables, and the source has none";
            slot.assume(OF_SECRETS, why);
        }
        // One that may be a secret would say the same.
        [Some(flag)] if tool.package.env.iter().filter(|one| one.is_secret()).count() == 1 => {
            slot.approximate(OF_SECRETS, &[*flag], why);
        }
        _ => {
            let places = declared(tool).zip(flags).filter_map(|(one, flag)| flag.or(one.name.at));
            slot.together(OF_SECRETS, &places.collect::<Vec<_>>(), why);
        }
    }
}

/// Writes what follows the type. `names` are the elements of `env`.
fn write_rest(
    w: &mut Writer<'_>,
    tool: &ToolDescriptor<'_>,
    own: bool,
    names: Option<&dyn Fn(&mut Writer<'_>)>,
) {
    let Auth { scheme: _, scopes, docs_url } = &tool.auth;
    let used = tool.used_scopes().into_iter().filter(|_| !own);
    let others = used.filter_map(|(scope, used)| {
        // A scope goes by its name where a tool says which it uses.
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
                // Which scopes a tool uses decides only where it says that.
                let used = used.into_iter().filter(|_| !tool.scopes_used.is_empty());
                let places: Vec<Place> = scope.at.into_iter().chain(used).collect();
                w.item().approximate(&scope.value, &places, why);
            }
        });
    }
    w.some_object("configHints", |w| {
        if let Some(names) = names {
            w.member("env").list(|w| names(w));
        }
        w.copy("docsUrl", docs_url.as_ref());
    });
}

/// A variable, by its name.
fn write_name(w: &mut Writer<'_>, variable: &EnvVar<'_>, own: bool) {
    match &variable.secret {
        Some(secret) if secret.value && !own => {
            let why = "a name, and not that its value is secret";
            w.item().approximate(&variable.name.value, variable.name.at.as_slice(), why);
        }
        _ => w.item().copy(&variable.name),
    }
}
