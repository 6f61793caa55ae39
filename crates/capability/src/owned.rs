//! Converts a manifest to one that owns its texts.

use manifest_core::Text;
use manifest_core::json::{Number, Raw};

use crate::manifest::{
    A2a, Command, Implementation, Interfaces, Manifest, Mcp, Origin, Permissions, Python,
    Resources, Runtime, Secret,
};

impl Manifest<'_> {
    /// Returns the same manifest with owned texts.
    pub fn into_owned(self) -> Manifest<'static> {
        let Self {
            id,
            kind,
            version,
            description,
            origin: Origin { source, digest, signature, url, path },
            interfaces: Interfaces { inputs, outputs },
            permissions: Permissions { network, filesystem, devices, network_allowlist },
            runtime: Runtime { sandbox, resources: Resources { cpu, memory }, timeout_seconds },
            trust_level,
            enabled,
            requires_oauth,
            execution,
            secrets,
            implementation,
        } = self;
        let secret =
            |Secret { name, reference }| Secret { name: own(name), reference: own(reference) };
        Manifest {
            id: own(id),
            kind,
            version: own(version),
            description: own(description),
            origin: Origin {
                source,
                digest: own(digest),
                signature: signature.map(own),
                url: url.map(own),
                path: path.map(own),
            },
            interfaces: Interfaces {
                inputs: Raw::into_owned(inputs),
                outputs: Raw::into_owned(outputs),
            },
            permissions: Permissions {
                network,
                filesystem,
                devices: own_all(devices),
                network_allowlist: own_all(network_allowlist),
            },
            runtime: Runtime {
                sandbox,
                resources: Resources { cpu: own(cpu), memory: own(memory) },
                timeout_seconds: timeout_seconds.map(Number::into_owned),
            },
            trust_level,
            enabled,
            requires_oauth,
            execution,
            secrets: secrets.into_iter().map(secret).collect(),
            implementation: implementation.map(own_implementation),
        }
    }
}

fn own_implementation(implementation: Implementation<'_>) -> Implementation<'static> {
    let Implementation { kind, command, python, mcp, a2a } = implementation;
    Implementation {
        kind,
        command: command.map(|Command { argv }| Command { argv: own_all(argv) }),
        python: python.map(|Python { callable }| Python { callable: own(callable) }),
        mcp: mcp.map(|Mcp { registry_url, tool_name, server_id }| Mcp {
            registry_url: own(registry_url),
            tool_name: own(tool_name),
            server_id: server_id.map(own),
        }),
        a2a: a2a.map(|A2a { endpoint }| A2a { endpoint: own(endpoint) }),
    }
}

fn own(text: Text<'_>) -> Text<'static> {
    Text::Owned(text.into_owned())
}

fn own_all(texts: Vec<Text<'_>>) -> Vec<Text<'static>> {
    texts.into_iter().map(own).collect()
}
