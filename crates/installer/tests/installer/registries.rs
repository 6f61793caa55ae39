//! An index is fetched only if the policy allows it, and a manifest must have the digest
//! that the index pins.

use std::cell::RefCell;
use std::collections::BTreeMap;

use toolglot::Limits;
use toolglot::capability::registries::FetchRequest;
use toolglot::capability::{self, Policy};
use toolglot::descriptor::Trust;
use toolglot::json::Document;
use toolglot_installer::registries::{RegistryError, fetch_complete, fetch_offers};

const INDEX: &str = "https://registry.example/index.json";
const MANIFEST: &str = "https://files.example/echo.json";

/// A network with these texts, which records the requested URLs.
struct Network {
    texts: BTreeMap<&'static str, String>,
    asked: RefCell<Vec<String>>,
}

impl Network {
    fn new(texts: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self { texts: texts.into_iter().collect(), asked: RefCell::default() }
    }

    #[allow(clippy::unused_async)] // as a real network is
    async fn get(&self, fetch: FetchRequest) -> Result<Vec<u8>, String> {
        let url = fetch.request.url.to_string();
        self.asked.borrow_mut().push(url.clone());
        let text = self.texts.get(url.as_str()).ok_or("there is no answer")?;
        Ok(text.clone().into_bytes())
    }

    fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }
}

fn manifest(trust: &str, digest: &str) -> String {
    format!(
        r#"{{"id": "demo.echo", "type": "tool", "version": "1.0.0", "description": "Echoes.",
        "origin": {{"source": "url", "url": "{MANIFEST}", "digest": "{digest}"}},
        "interfaces": {{"inputs": {{"type": "object"}}, "outputs": {{"type": "object"}}}},
        "permissions": {{"network": "deny", "filesystem": "none", "devices": []}},
        "runtime": {{"sandbox": "process", "resources": {{"cpu": "default", "memory": "64Mi"}}}},
        "trust_level": "{trust}"}}"#
    )
}

fn policy(egress: &[&str]) -> Policy {
    let egress = egress.iter().map(ToString::to_string).collect();
    Policy { egress, ..Policy::default() }
}

/// Returns the SHA-256 of a manifest in its canonical form.
fn pin(manifest: &str) -> String {
    let document = Document::parse(manifest.as_bytes(), &Limits::default()).unwrap();
    capability::digest(document.root())
}

#[tokio::test]
async fn nothing_is_fetched_that_policy_does_not_allow() {
    let network = Network::new([]);
    for (url, egress) in [
        (INDEX, vec![]),
        (INDEX, vec!["other.example"]),
        ("http://registry.example/index.json", vec!["registry.example"]),
        ("https://127.0.0.1/index.json", vec!["127.0.0.1"]),
    ] {
        let refused =
            fetch_offers(url, &policy(&egress), async |fetch| network.get(fetch).await).await;
        assert!(matches!(refused, Err(RegistryError::Denied(_))), "{url}: {refused:?}");
    }
    assert!(network.asked().is_empty());
    let allowed = policy(&["registry.example"]);
    let gone = fetch_offers(INDEX, &allowed, async |fetch| network.get(fetch).await).await;
    assert!(matches!(gone, Err(RegistryError::Unreachable(_))), "{gone:?}");
    assert_eq!(network.asked(), [INDEX]);
}

#[tokio::test]
async fn what_an_index_offers_is_not_trusted_on_its_own_word() {
    let index = format!(
        r#"{{"items": [{{"manifest": {}}}, {{"manifest": {{}}}}]}}"#,
        manifest("local", &"a1".repeat(32))
    );
    let network = Network::new([(INDEX, index)]);
    let mut policy = policy(&["registry.example"]);
    let get = async |fetch| network.get(fetch).await;
    let (found, report) = fetch_offers(INDEX, &policy, get).await.unwrap();
    assert_eq!((found.len(), found[0].trust), (1, Trust::Untrusted));
    assert!(!report.is_valid(), "an entry was left out");
    policy.verified_registries = vec!["https://registry.example/".to_owned()];
    let (found, _) =
        fetch_offers(INDEX, &policy, async |fetch| network.get(fetch).await).await.unwrap();
    assert_eq!(found[0].trust, Trust::Verified);
    let network = Network::new([(INDEX, "nothing".to_owned())]);
    let wrong = fetch_offers(INDEX, &policy, async |fetch| network.get(fetch).await).await;
    assert!(matches!(wrong, Err(RegistryError::Invalid(_))), "{wrong:?}");
}

#[tokio::test]
async fn a_manifest_elsewhere_is_the_one_that_the_index_pins() {
    let remote = manifest("verified", &"a1".repeat(32));
    let of = |digest: &str| {
        let known = manifest("verified", digest);
        format!(r#"[{{"manifest_url": "{MANIFEST}", "candidate_manifest": {known}}}]"#)
    };
    let both = policy(&["registry.example", "files.example"]);
    for (digest, policy, is_whole) in [
        (pin(&remote), &both, true),
        ("b2".repeat(32), &both, false),
        (pin(&remote), &policy(&["registry.example"]), false),
    ] {
        let network = Network::new([(INDEX, of(&digest)), (MANIFEST, remote.clone())]);
        let get = async |fetch| network.get(fetch).await;
        let (found, _) = fetch_offers(INDEX, policy, get).await.unwrap();
        assert!(found[0].to_entry().is_none());
        let got =
            fetch_complete(found[0].clone(), policy, async |fetch| network.get(fetch).await).await;
        assert_eq!(got.is_ok(), is_whole, "{got:?}");
        if let Ok(candidate) = got {
            let entry = candidate.to_entry().unwrap();
            assert_eq!(entry.manifest().trust_level, Trust::Untrusted);
        }
    }
}
