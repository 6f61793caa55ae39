//! HTTP requests, limited in size and to permitted addresses.

use std::error::Error;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use call::http::{redirect_method, stays_on_host};
use call::{Outcome, Request, is_private_address};
use futures_util::future::BoxFuture;
use manifest_core::url::check_http;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{self, HeaderMap, HeaderName, HeaderValue};
use reqwest::{Client, Method, Response, Url, redirect};
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::BuilderVerifierExt;

use crate::limits::Limits;
use crate::values::Values;

const REFUSED: &str = "its address is not one of the public internet, and others are not allowed";

/// Sends requests to permitted addresses.
#[derive(Clone)]
pub(crate) struct Sender {
    pub(crate) client: Client,
    is_allowed: AddressFilter,
}

/// Returns true if an address may be reached.
type AddressFilter = fn(IpAddr) -> bool;

/// Looks up the addresses of a name.
type Lookup = fn(Name) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>>;

fn lookup_host(name: Name) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
    Box::pin(async move { Ok(tokio::net::lookup_host((name.as_str(), 0)).await?.collect()) })
}

impl Sender {
    /// Creates a sender. `private` permits addresses that are not public, and `proxies`
    /// enables the proxies that the environment names.
    pub(crate) fn new(private: bool, proxies: bool) -> io::Result<Self> {
        let may: AddressFilter =
            if private { |_| true } else { |address| !is_private_address(address) };
        Self::with_filter(may, lookup_host, proxies)
    }

    fn with_filter(may: AddressFilter, lookup: Lookup, proxies: bool) -> io::Result<Self> {
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let tls = ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(io::Error::other)?;
        // Without certificates of the system, no server is trusted, but everything else
        // works.
        let tls = match tls.clone().with_platform_verifier() {
            Ok(tls) => tls.with_no_client_auth(),
            Err(_) => tls.with_root_certificates(RootCertStore::empty()).with_no_client_auth(),
        };
        let builder = Client::builder()
            .tls_backend_preconfigured(tls)
            .dns_resolver(Resolver { may, lookup })
            .redirect(redirect::Policy::none())
            .retry(reqwest::retry::never())
            .referer(false)
            .http1_only()
            // Another crate in the build may enable these features.
            .no_gzip()
            .no_brotli()
            .no_deflate()
            .no_zstd();
        let builder = if proxies { builder } else { builder.no_proxy() };
        Ok(Self { client: builder.build().map_err(io::Error::other)?, is_allowed: may })
    }

    /// Checks that requests may be sent to a URL. Names are checked again when they are
    /// resolved.
    pub(crate) fn check(&self, url: &Url) -> Result<(), String> {
        if !matches!(url.scheme(), "http" | "https") || !url.username().is_empty() {
            return Err("only http and https URLs without user names are sent to".to_owned());
        }
        let host = url.host_str().unwrap_or("").trim_matches(['[', ']']);
        match host.parse() {
            Ok(address) if !(self.is_allowed)(address) => Err(REFUSED.to_owned()),
            _ => Ok(()),
        }
    }

    /// Sends a request, and reads the answer.
    pub(crate) async fn send(
        &self,
        request: &Request,
        values: &Values,
        limits: &Limits,
    ) -> Outcome {
        match self.send_for_response(request, values, limits).await {
            Ok(response) => body_outcome(response, limits.answer_bytes).await,
            Err(outcome) => outcome,
        }
    }

    /// Sends a request, and returns the answer before its body is read.
    pub(crate) async fn send_for_response(
        &self,
        request: &Request,
        values: &Values,
        limits: &Limits,
    ) -> Result<Response, Outcome> {
        let mut message =
            FilledRequest::new(request, values).map_err(|why| not_sent_outcome(&why))?;
        let mut redirects = 0;
        loop {
            let sent = match self.check(&message.url) {
                Ok(()) => self.client.execute(message.request()).await.map_err(error_outcome),
                Err(why) => Err(not_sent_outcome(&why)),
            };
            let response = sent.map_err(|outcome| match outcome {
                // The request that was redirected has already been made.
                Outcome::NotDone(why) if redirects > 0 => Outcome::Lost(why),
                outcome => outcome,
            })?;
            match message.redirect(&response) {
                Some(next) if redirects < limits.redirects => message = next,
                _ => return Ok(response),
            }
            redirects += 1;
        }
    }
}

/// A request that contains its values.
struct FilledRequest {
    method: Method,
    url: Url,
    headers: HeaderMap,
    body: Option<String>,
}

impl FilledRequest {
    fn new(request: &Request, values: &Values) -> Result<Self, String> {
        let value = |name: &str| values.get(name);
        let url = request.fill_url(&value).map_err(|error| error.to_string())?;
        let url = Url::parse(&url).map_err(|error| error.to_string())?;
        let Ok(method) = Method::from_bytes(request.method.as_bytes()) else {
            return Err("the method is none".to_owned());
        };
        let mut headers = HeaderMap::new();
        let filled = request.fill_headers(&value).map_err(|error| error.to_string())?;
        for ((name, text), (_, template)) in std::iter::zip(filled, &request.headers) {
            let (key, text) =
                (HeaderName::from_bytes(name.as_bytes()), HeaderValue::from_str(&text));
            let (Ok(key), Ok(mut text)) = (key, text) else {
                return Err(format!("{name} cannot be a header"));
            };
            text.set_sensitive(template.has_placeholder());
            headers.append(key, text);
        }
        let body = match &request.body {
            Some(body) => Some(body.fill(&value).map_err(|error| error.to_string())?),
            None => None,
        };
        Ok(Self { method, url, headers, body })
    }

    fn request(&self) -> reqwest::Request {
        let mut request = reqwest::Request::new(self.method.clone(), self.url.clone());
        *request.headers_mut() = self.headers.clone();
        *request.body_mut() = self.body.clone().map(Into::into);
        request
    }

    /// Returns the request that a redirect requires, if it leads to the same host.
    fn redirect(&self, response: &Response) -> Option<Self> {
        let location = response.headers().get(header::LOCATION)?.to_str().ok()?;
        let url = self.url.join(location).ok().filter(|to| is_same_host(&self.url, to))?;
        let mut headers = self.headers.clone();
        let wanted = redirect_method(self.method.as_str(), response.status().as_u16())?;
        if wanted == self.method.as_str() {
            return Some(Self {
                method: self.method.clone(),
                url,
                headers,
                body: self.body.clone(),
            });
        }
        headers.remove(header::CONTENT_TYPE);
        Some(Self { method: Method::GET, url, headers, body: None })
    }
}

/// Returns true if a redirect stays on the host.
fn is_same_host(from: &Url, to: &Url) -> bool {
    let origins = [from, to].map(|url| url.origin().ascii_serialization());
    match origins.each_ref().map(|origin| check_http(origin)) {
        [Ok(from), Ok(to)] => stays_on_host(&from, &to),
        _ => false,
    }
}

/// Reads the body of an answer. The outcome is `TooMuch` if it is longer than `limit`.
pub(crate) async fn body_outcome(response: Response, limit: usize) -> Outcome {
    let status = response.status().as_u16();
    match read_body(response, limit).await {
        Ok(Some(body)) => Outcome::Responded { status, body },
        Ok(None) => Outcome::TooMuch { limit: limit as u64 },
        Err(error) => error_outcome(error),
    }
}

/// Reads a whole body. Returns `None` if it is longer than `limit`.
pub(crate) async fn read_body(
    mut response: Response,
    limit: usize,
) -> reqwest::Result<Option<Vec<u8>>> {
    let mut body = Vec::new();
    if response.content_length().is_some_and(|length| length > limit as u64) {
        return Ok(None);
    }
    while let Some(chunk) = response.chunk().await? {
        if body.len() + chunk.len() > limit {
            return Ok(None);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(Some(body))
}

fn not_sent_outcome(why: &str) -> Outcome {
    Outcome::NotDone(format!("the request is not sent: {why}"))
}

/// Translates an error of the HTTP client.
fn error_outcome(error: reqwest::Error) -> Outcome {
    let sent = !error.is_connect() && !error.is_builder();
    let error = error.without_url();
    // The innermost reason is the most helpful.
    let mut reason: &dyn Error = &error;
    while let Some(inner) = reason.source() {
        reason = inner;
    }
    let why = reason.to_string();
    if sent { Outcome::Lost(why) } else { not_sent_outcome(&why) }
}

/// Resolves names to permitted addresses. Connections are made to these results and to no
/// other address.
struct Resolver {
    may: AddressFilter,
    lookup: Lookup,
}

impl Resolve for Resolver {
    fn resolve(&self, name: Name) -> Resolving {
        let (may, found) = (self.may, (self.lookup)(name));
        Box::pin(async move {
            let mut found = found.await?;
            let exists = !found.is_empty();
            found.retain(|address| may(address.ip()));
            if exists && found.is_empty() {
                return Err(io::Error::new(io::ErrorKind::PermissionDenied, REFUSED).into());
            }
            Ok(Box::new(found.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::panic)]
mod tests {
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use call::Template;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Represents a public address. The next one represents a private address.
    const PUBLIC: Ipv4Addr = Ipv4Addr::LOCALHOST;
    const PRIVATE: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);

    static ASKED: AtomicUsize = AtomicUsize::new(0);

    /// A name whose owner answers with a public address first, and then with a private one.
    fn rebound(_: Name) -> BoxFuture<'static, io::Result<Vec<SocketAddr>>> {
        let first = ASKED.fetch_add(1, Ordering::SeqCst) == 0;
        let address = if first { PUBLIC } else { PRIVATE };
        Box::pin(async move { Ok(vec![SocketAddr::from((address, 0))]) })
    }

    #[tokio::test]
    async fn a_name_that_changes_its_address_does_not_lead_to_a_private_one() {
        let public = TcpListener::bind((PUBLIC, 0)).await.unwrap();
        let port = public.local_addr().unwrap().port();
        let private = TcpListener::bind((PRIVATE, port)).await.unwrap();
        tokio::spawn(async move {
            let (mut stream, _) = public.accept().await.unwrap();
            let _ = stream.read(&mut [0; 4096]).await;
            let answer = "HTTP/1.1 307 x\r\nLocation: /again\r\nContent-Length: 0\r\n\
                          Connection: close\r\n\r\n";
            stream.write_all(answer.as_bytes()).await.unwrap();
        });
        let sender = Sender::with_filter(|address| address == PUBLIC, rebound, false).unwrap();
        let request = Request {
            method: "POST".to_owned(),
            url: Template::from(format!("http://changes.example:{port}/")),
            headers: Vec::new(),
            body: None,
        };
        let outcome = sender.send(&request, &Values::new(), &Limits::default()).await;
        // The first request was made, so the outcome must not be `NotDone`.
        let Outcome::Lost(why) = outcome else { panic!("{outcome:?}") };
        assert!(why.contains(REFUSED), "{why}");
        assert_eq!(ASKED.load(Ordering::SeqCst), 2);
        tokio::select! {
            biased;
            _ = private.accept() => panic!("it was reached"),
            () = std::future::ready(()) => {}
        }
    }
}
