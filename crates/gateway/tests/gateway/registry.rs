//! A registry over a folder, and clients of it: the example, and ours.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::{HeaderMap, StatusCode, Uri};
use host::Host;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use toolglot::call::Policy;
use toolglot::core::sha256_hex;
use toolglot::jumith::cache::SeenVersions;
use toolglot::jumith::client::{Client, Failure};
use toolglot_gateway::http::{self, Token};
use toolglot_gateway::registry::{self, LiveRegistry, PublishError, RemoteError, RemoteRegistry};
use toolglot_gateway::{Gateway, with_server_grants};

use crate::support::{folder, write};

#[allow(dead_code)] // it has a `main`
#[path = "../../../../examples/jumith_client.rs"]
mod example;

fn tools() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/tools")
}

/// Serves a folder, and says where. What is not served goes into a list.
async fn serve(folder: &Path, said: Arc<Mutex<Vec<String>>>) -> String {
    let loaded = registry::load(folder).unwrap();
    let options = toolglot_gateway::Options {
        places: Vec::new(),
        formats: toolglot::FORMATS,
        policy: with_server_grants(Policy::default()),
        values: None,
        resolvers: host::Resolvers::default(),
        private_addresses: false,
        approvals: None,
    };
    let gateway = Gateway::new(options, |_: &host::Record| (), |_: &str| ()).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let options = http::Options {
        gateway: Arc::new(gateway),
        registry: LiveRegistry::new(folder, loaded, registry::read_offers(folder).unwrap()),
        token: Token::random().unwrap(),
        names: Vec::new(),
    };
    let tell = move |loaded: &registry::LoadedRegistry| {
        let mut said = said.lock().unwrap();
        said.extend(loaded.skipped.iter().map(ToString::to_string));
        said.extend(loaded.rejected.iter().map(|one| one.report.to_string()));
    };
    tokio::spawn(http::serve(listener, options, tell));
    base
}

async fn start() -> String {
    serve(&tools(), Arc::default()).await
}

/// Every file below a folder, in order. The lock is none of them.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                found.push(path.strip_prefix(folder).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.retain(|path| path != ".lock");
    found.sort();
    found
}

async fn get(base: &str, path: &str) -> (u16, String) {
    let host = Host::new(host::Options { private_addresses: true, ..host::Options::default() });
    let request = toolglot::call::Request {
        method: "GET".to_owned(),
        url: format!("{base}{path}").into(),
        headers: Vec::new(),
        body: None,
    };
    let fetched = host.unwrap().fetch(&request, Duration::from_secs(10)).await.unwrap();
    (fetched.status, String::from_utf8(fetched.body).unwrap())
}

const INSTALLED: [&str; 3] = [
    "tool_email.send/1.2.0/dist/index.js",
    "tool_email.send/1.2.0/tool.json",
    "tool_email.send/active.json",
];

#[tokio::test]
async fn the_example_finds_a_tool_and_installs_it() {
    let client = Client::new(&start().await).unwrap();
    let found = example::search(&client, "emial").await.unwrap();
    assert_eq!(found, ["tool:email.send", "tool:text.count"], "the name counts for more");

    let folder = folder("example-installed");
    let mut seen = SeenVersions::default();
    let installed = example::install(&client, "tool:email.send", &folder, &mut seen).await.unwrap();
    assert_eq!(files(&folder), INSTALLED);
    let source = tools().join("email.send/1.2.0/files/dist/index.js");
    assert_eq!(fs::read(installed.join("dist/index.js")).unwrap(), fs::read(source).unwrap());

    let again = example::install(&client, "tool:email.send", &folder, &mut seen).await;
    assert!(again.unwrap_err().to_string().contains("is there already"));
}

#[tokio::test]
async fn a_tool_is_pulled_once_and_is_the_same_the_second_time() {
    let root = folder("pulled");
    let remote =
        RemoteRegistry::new(&start().await, Some(&root.join("cache")), &root.join("state"));
    let (remote, into) = (remote.unwrap(), root.join("installed"));
    let pulled = remote.pull("tool:email.send", None, &into).await.unwrap();
    assert!(pulled.is_new && !pulled.is_yanked);
    assert_eq!(pulled.folder, into.join("tool_email.send/1.2.0"));
    assert_eq!(files(&into), INSTALLED);
    assert!(!remote.pull("tool:email.send", None, &into).await.unwrap().is_new);
    // What broke off is completed, and what somebody has changed is not touched.
    fs::remove_file(into.join(INSTALLED[1])).unwrap();
    assert!(remote.pull("tool:email.send", Some("1.2.0"), &into).await.unwrap().is_new);
    assert_eq!(files(&into), INSTALLED);
    fs::write(into.join(INSTALLED[0]), "evil").unwrap();
    let refused = remote.pull("tool:email.send", None, &into).await.unwrap_err();
    assert!(refused.to_string().contains("with other content"), "{refused}");
    assert_eq!(fs::read_to_string(into.join(INSTALLED[0])).unwrap(), "evil");
    // An older version is no latest, and there for who names it.
    let older = remote.pull("tool:math.add", Some("1.0.0"), &into).await.unwrap();
    assert!(older.folder.ends_with("tool_math.add/1.0.0"));
    for (id, version) in [("tool:none", None), ("tool:math.add", Some("9.0.0"))] {
        let refused = remote.pull(id, version, &into).await.unwrap_err();
        assert!(matches!(refused, RemoteError::Answer(Failure::Api(_))), "{refused}");
    }
}

#[tokio::test]
async fn the_latest_version_is_served() {
    let base = start().await;
    let (status, body) = get(&base, "/v1/tools/tool%3Amath.add").await;
    assert_eq!(status, 200);
    assert!(body.contains("\"version\":\"1.1.0\""), "{body}");
    let (status, body) = get(&base, "/v1/tools/tool%3Amath.add/versions").await;
    assert_eq!(status, 200);
    assert!(body.contains("\"total\":2"), "{body}");
}

const MANIFEST: &str = r#"{"id":"tool:x","name":"x","version":"1.0.0","summary":"s","description":"d","entry":{"runtime":"node","main":"x.js"}}"#;

/// A registry that answers with one manifest, and with the bundle that it has then, whatever is
/// asked. It knows their tags, and counts the bodies that it sends.
async fn fake(bundle: &Arc<Mutex<String>>) -> (String, Arc<AtomicUsize>) {
    let (bundle, sent) = (Arc::clone(bundle), Arc::new(AtomicUsize::new(0)));
    let count = Arc::clone(&sent);
    let router = Router::new().fallback(move |uri: Uri, headers: HeaderMap| async move {
        let is_bundle = uri.path().ends_with("/bundle");
        let body = if is_bundle { bundle.lock().unwrap().clone() } else { MANIFEST.to_owned() };
        let tag = format!("\"{}\"", sha256_hex(body.as_bytes()));
        if headers.get("if-none-match").is_some_and(|known| *known == *tag) {
            return (StatusCode::NOT_MODIFIED, [("etag", tag)], String::new());
        }
        count.fetch_add(1, Ordering::SeqCst);
        let (status, header) = match uri.path() {
            "/missing" => (StatusCode::NOT_FOUND, "etag"),
            "/untagged" => (StatusCode::OK, "x-tag"),
            _ => (StatusCode::OK, "etag"),
        };
        (status, [(header, tag)], body)
    });
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let service = TowerToHyperService::new(router.clone());
            let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
            tokio::spawn(connection);
        }
    });
    (base, sent)
}

fn bundle(content: &str, file: &str) -> String {
    let main = format!(r#"{{"path":"x.js","content":"{content}"}}"#);
    format!(r#"{{"manifest":{MANIFEST},"files":[{main}{file}]}}"#)
}

#[tokio::test]
async fn a_hostile_bundle_is_refused_and_nothing_is_written() {
    let with = |file: &str| bundle("x", &format!(",{file}"));
    let cases = [
        (with(r#"{"path":"../../evil.js","content":"x"}"#), "jumith/file-path"),
        (with(r#"{"path":"/etc/cron.d/evil","content":"x"}"#), "jumith/file-path"),
        (with(r#"{"path":"C:\\evil.js","content":"x"}"#), "jumith/file-path"),
        (with(r#"{"path":"X.JS","content":"x"}"#), "jumith/file-collision"),
        (with(r#"{"path":"a","content":"eA","encoding":"base64"}"#), "jumith/base64"),
        (with(r#"{"path":"tool.json","content":"{}"}"#), "jumith/file-collision"),
        (bundle("x", "").replace("\"d\"", "\"other\""), "jumith/describe-mismatch"),
        (bundle("x", "").replace("1.0.0", "1.0.1"), "jumith/identity"),
    ];
    for (number, (bundle, code)) in cases.iter().enumerate() {
        let root = folder(&format!("hostile{number}"));
        let (base, _) = fake(&Arc::new(Mutex::new(bundle.clone()))).await;
        let client = Client::new(&base).unwrap();
        let into = root.join("example");
        let refused =
            example::install(&client, "tool:x", &into, &mut SeenVersions::default()).await;
        let message = refused.expect_err(bundle).to_string();
        assert!(message.contains(code), "{message}");
        let remote = RemoteRegistry::new(&base, None, &root.join("state")).unwrap();
        let refused = remote.pull("tool:x", None, &root.join("pulled")).await.unwrap_err();
        assert!(refused.to_string().contains(code), "{refused}");
        assert!(files(&root).is_empty(), "{bundle}: {:?}", files(&root));
    }
}

/// One that sends the same again is asked by its tag, and one that changes a version is refused,
/// also by who was started anew.
#[tokio::test]
async fn a_version_that_changes_is_refused_and_one_that_does_not_is_kept() {
    let root = folder("immutable");
    let pull = async |base: &str, into: &str| {
        let remote =
            RemoteRegistry::new(base, Some(&root.join("cache")), &root.join("state")).unwrap();
        remote.pull("tool:x", None, &root.join(into)).await.map(|pulled| pulled.is_new)
    };
    let shown = Arc::new(Mutex::new(bundle("one", "")));
    let (base, count) = fake(&shown).await;
    assert!(pull(&base, "first").await.unwrap());
    assert_eq!(count.load(Ordering::SeqCst), 2, "what it is, and the bundle");
    assert!(pull(&base, "again").await.unwrap());
    assert_eq!(count.load(Ordering::SeqCst), 2, "nothing was sent again");
    *shown.lock().unwrap() = bundle("two", "");
    let changed = pull(&base, "changed").await.unwrap_err();
    assert!(matches!(changed, RemoteError::Changed(_)), "{changed}");
    assert!(changed.to_string().contains("jumith/immutable-version"), "{changed}");
    assert!(files(&root.join("changed")).is_empty());
}

/// What `publish` and `yank` do is served at once, and so is what a person does to the files.
#[tokio::test]
async fn tools_come_and_go_while_they_are_served() {
    let root = folder("live");
    let (shelf, said) = (root.join("shelf"), Arc::default());
    fs::create_dir(&shelf).unwrap();
    let base = serve(&shelf, Arc::clone(&said)).await;
    let until = async |what: &str, path: &str, is_so: &dyn Fn(u16, &str) -> bool| {
        for _ in 0..200 {
            let (status, body) = get(&base, path).await;
            if is_so(status, &body) {
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("{what}: {:?}", get(&base, path).await);
    };
    let add = tools().join("math.add");
    let published = registry::publish(&shelf, &add.join("1.0.0")).unwrap();
    assert!(published.is_new && published.path == shelf.join("tool_math.add/1.0.0"));
    let (describe, search) = ("/v1/tools/tool%3Amath.add", "/v1/tools/search?q=add");
    until("it comes", describe, &|_, body| body.contains("\"version\":\"1.0.0\"")).await;
    registry::publish(&shelf, &add.join("1.1.0")).unwrap();
    until("it is newer", describe, &|_, body| body.contains("\"version\":\"1.1.0\"")).await;
    let bundle = "/v1/tools/tool%3Amath.add/versions/1.1.0/bundle";
    registry::yank(&shelf, "tool:math.add", "1.1.0", true).unwrap().unwrap();
    until("it is yanked", describe, &|_, body| body.contains("\"version\":\"1.0.0\"")).await;
    assert_eq!(get(&base, bundle).await.0, 200);
    let remote = RemoteRegistry::new(&base, None, &root.join("state")).unwrap();
    let named = remote.pull("tool:math.add", Some("1.1.0"), &root.join("in")).await.unwrap();
    assert!(named.is_yanked);
    registry::yank(&shelf, "tool:math.add", "1.0.0", true).unwrap().unwrap();
    until("all are", search, &|_, body| body.contains("\"total\":0")).await;
    assert!(remote.pull("tool:math.add", None, &root.join("in")).await.is_err());
    registry::yank(&shelf, "tool:math.add", "1.1.0", false).unwrap().unwrap();
    until("it is back", search, &|_, body| body.contains("\"version\":\"1.1.0\"")).await;
    // One that is broken is left out, and the others stay.
    write(&shelf.join("broken.json"), r#"{"manifest": {"id": "tool:b"}, "files": []}"#);
    write(&shelf.join("odd/1.0.0/manifest.json"), "{");
    registry::publish(&shelf, &tools().join("text.count/0.3.0")).unwrap();
    until("another comes", "/v1/tools", &|_, body| body.contains("\"total\":2")).await;
    let heard = said.lock().unwrap().join("\n");
    assert!(heard.contains("broken.json is left out"), "{heard}");
    assert!(heard.contains("json/syntax"), "{heard}");
    // Files that are not those that were published are not served.
    let module = fs::read_dir(shelf.join("tool_text.count/0.3.0/files")).unwrap().next().unwrap();
    let tampered = find_file(&module.unwrap().path());
    fs::write(&tampered, "evil").unwrap();
    until("it is gone", "/v1/tools/tool%3Atext.count", &|status, _| status == 404).await;
    fs::remove_dir_all(shelf.join("tool_math.add")).unwrap();
    until("it is gone", describe, &|status, _| status == 404).await;
}

fn find_file(path: &Path) -> PathBuf {
    if path.is_file() {
        return path.to_owned();
    }
    find_file(&fs::read_dir(path).unwrap().next().unwrap().unwrap().path())
}

/// A version that is served does not become another, whatever happens to its files.
#[tokio::test]
async fn a_version_that_was_served_does_not_change() {
    let (shelf, said) = (folder("replaced"), Arc::default());
    let version = |content: &str| bundle(content, "");
    write(&shelf.join("x.json"), &version("one"));
    let base = serve(&shelf, Arc::clone(&said)).await;
    let path = "/v1/tools/tool%3Ax/versions/1.0.0/bundle";
    assert!(get(&base, path).await.1.contains("one"));
    write(&shelf.join("x.json"), &version("two"));
    for _ in 0..200 {
        let (status, body) = get(&base, path).await;
        assert!(!body.contains("two"), "{body}");
        if status == 404 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(get(&base, path).await.0, 404);
    let heard = said.lock().unwrap().join("\n");
    assert!(heard.contains("was served with other content"), "{heard}");
}

#[test]
fn what_is_published_is_checked() {
    let root = folder("published");
    let shelf = root.join("shelf");
    let publish = |name: &str, text: &str| {
        write(&root.join(name), text);
        registry::publish(&shelf, &root.join(name))
    };
    let first = publish("x.json", &bundle("one", "")).unwrap();
    assert_eq!(
        (first.id.as_str(), first.version.as_str(), first.is_new),
        ("tool:x", "1.0.0", true)
    );
    let manifest = fs::read_to_string(first.path.join("manifest.json")).unwrap();
    // `sha256sum` of the file, and of the line that it prints.
    let line = "7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed  x.js\n";
    assert!(manifest.contains(&sha256_hex(line.as_bytes())), "{manifest}");
    assert!(!publish("x.json", &bundle("one", "")).unwrap().is_new, "the same again");
    for other in [bundle("two", ""), bundle("one", "").replace("\"d\"", "\"other\"")] {
        let refused = publish("x.json", &other).unwrap_err();
        assert!(
            matches!(&refused, PublishError::Changed(found)
            if found.rule.code == "jumith/immutable-version"),
            "{refused}"
        );
    }
    let key = format!("ghp_{}", "Zq8Lw3Rt6Yp1Xc9Vb4Nm7Kj2Hg5Fd0SaUeIo");
    let secret = bundle(&key, "").replace("1.0.0", "1.0.1");
    assert!(matches!(publish("s.json", &secret), Err(PublishError::Secret)));
    let broken = bundle("one", "").replace("\"node\"", "\"python\"").replace("1.0.0", "1.0.2");
    assert!(matches!(publish("b.json", &broken), Err(PublishError::Invalid(..))));
    assert!(matches!(publish("n.json", MANIFEST), Err(PublishError::Disk(_))), "no bundle at all");
    write(&root.join("v/manifest.json"), &MANIFEST.replace("1.0.0", "1.0.3"));
    let refused = registry::publish(&shelf, &root.join("v")).unwrap_err();
    assert!(matches!(refused, PublishError::Invalid(..)), "its module is missing: {refused}");
    assert!(registry::yank(&shelf, "tool:x", "9.0.0", true).unwrap().is_none());
    assert_eq!(
        files(&shelf),
        ["tool_x/1.0.0/files/x.js", "tool_x/1.0.0/manifest.json"],
        "nothing is left of what was refused"
    );
}

#[test]
fn a_runtime_that_is_not_supported_is_told() {
    let root = folder("unsupported");
    let python = |text: &str| text.replace("\"node\"", "\"python\"");
    write(&root.join("x/1.0.0/manifest.json"), &python(MANIFEST));
    write(&root.join("y.json"), &python(&bundle("one", "")).replace("tool:x", "tool:y"));
    let loaded = registry::load(&root).unwrap();
    assert!(loaded.registry.is_empty());
    for id in ["tool:x", "tool:y"] {
        let answer = loaded.registry.handle("GET", &format!("/v1/tools/{id}"), &[]);
        let body = String::from_utf8(answer.body).unwrap();
        assert!(answer.status == 422 && body.contains("UNSUPPORTED_RUNTIME"), "{id}: {body}");
    }
}

/// What cannot be asked for by its tag is not kept.
#[tokio::test]
async fn an_answer_is_kept_for_its_url_while_it_is_whole() {
    let root = folder("cached");
    let (base, sent) = fake(&Arc::new(Mutex::new("{}".to_owned()))).await;
    let remote = RemoteRegistry::new(&base, Some(&root), &root.join("state")).unwrap();
    for path in ["missing", "untagged"] {
        remote.get(&format!("{base}/{path}"), 10_000).await.unwrap();
    }
    assert!(files(&root.join("registry")).is_empty());
    sent.store(0, Ordering::SeqCst);
    let slot = |url: &str| sha256_hex(url.as_bytes())[..2].to_owned();
    let url = format!("{base}/bundle");
    let mut others = (0..10_000).map(|number| format!("{base}/{number}/bundle"));
    let other = others.find(|other| slot(other) == slot(&url)).unwrap();
    let get = async |url: &str, count: usize| {
        assert_eq!(remote.get(url, 100).await.unwrap(), (200, b"{}".to_vec()));
        assert_eq!(sent.load(Ordering::SeqCst), count, "{url}");
    };
    for (url, count) in [(&*url, 1), (&*url, 1), (&*other, 2), (&*other, 2), (&*url, 3)] {
        get(url, count).await;
    }
    assert_eq!(files(&root.join("registry")), [slot(&url)]);
    let file = root.join("registry").join(slot(&url));
    let changed = fs::read_to_string(&file).unwrap().replace("{}", "[]");
    fs::write(&file, changed).unwrap();
    get(&*url, 4).await;
}

/// RFC 9110, 7.2: `Host = uri-host [ ":" port ]`.
#[tokio::test]
async fn a_host_is_a_host_and_a_port() {
    let base = start().await;
    for (host, status) in [
        ("localhost", 200),
        ("localhost:80", 200),
        ("127.0.0.1:4000", 200),
        ("[::1]:4000", 200),
        ("[::1]", 200),
        ("localhost:80@evil.com", 421),
        ("localhost@evil.com", 421),
        ("evil.com@localhost", 421),
        ("localhost:80:90", 421),
        ("localhost:x", 421),
        ("localhost:99999", 421),
        ("[::1]evil.com", 421),
        ("[::1", 421),
        ("localhost/evil.com", 421),
        ("localhost evil.com", 421),
        ("localhost#evil.com", 421),
        ("", 421),
    ] {
        let mut stream = TcpStream::connect(base.strip_prefix("http://").unwrap()).await.unwrap();
        let request = format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{host}: {answer}");
    }
}
