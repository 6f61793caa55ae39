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
        let secret = |Secret { name, reference }| Secret {
            name: into_owned_text(name),
            reference: into_owned_text(reference),
        };
        Manifest {
            id: into_owned_text(id),
            kind,
            version: into_owned_text(version),
            description: into_owned_text(description),
            origin: Origin {
                source,
                digest: into_owned_text(digest),
                signature: signature.map(into_owned_text),
                url: url.map(into_owned_text),
                path: path.map(into_owned_text),
            },
            interfaces: Interfaces {
                inputs: Raw::into_owned(inputs),
                outputs: Raw::into_owned(outputs),
            },
            permissions: Permissions {
                network,
                filesystem,
                devices: into_owned_texts(devices),
                network_allowlist: into_owned_texts(network_allowlist),
            },
            runtime: Runtime {
                sandbox,
                resources: Resources { cpu: into_owned_text(cpu), memory: into_owned_text(memory) },
                timeout_seconds: timeout_seconds.map(Number::into_owned),
            },
            trust_level,
            enabled,
            requires_oauth,
            execution,
            secrets: secrets.into_iter().map(secret).collect(),
            implementation: implementation.map(into_owned_implementation),
        }
    }
}

fn into_owned_implementation(implementation: Implementation<'_>) -> Implementation<'static> {
    let Implementation { kind, command, python, mcp, a2a } = implementation;
    Implementation {
        kind,
        command: command.map(|Command { argv }| Command { argv: into_owned_texts(argv) }),
        python: python.map(|Python { callable }| Python { callable: into_owned_text(callable) }),
        mcp: mcp.map(|Mcp { registry_url, tool_name, server_id }| Mcp {
            registry_url: into_owned_text(registry_url),
            tool_name: into_owned_text(tool_name),
            server_id: server_id.map(into_owned_text),
        }),
        a2a: a2a.map(|A2a { endpoint }| A2a { endpoint: into_owned_text(endpoint) }),
    }
}

fn into_owned_text(text: Text<'_>) -> Text<'static> {
    Text::Owned(text.into_owned())
}

fn into_owned_texts(texts: Vec<Text<'_>>) -> Vec<Text<'static>> {
    texts.into_iter().map(into_owned_text).collect()
}
