//! The versions and the enumerations of the format.

/// Defines an enum and the text of each variant. Checks and the schema take the texts from
/// here, so that there is one list.
///
/// ```
/// toolglot_install_manifest::string_enum! {
///     /// A side of a page.
///     Side {
///         /// The one that is read first.
///         Left = "left",
///         /// The other.
///         Right = "right",
///     }
/// }
///
/// assert_eq!(Side::WORDS, ["left", "right"]);
/// assert_eq!(Side::from_word("right"), Some(Side::Right));
/// assert_eq!(Side::Left.word(), "left");
/// ```
#[macro_export]
macro_rules! string_enum {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// The texts of all variants, in their order.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// Returns the text of the variant.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// Returns the variant with this text, if there is one.
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)+ _ => None }
            }
        }

        impl ::serde::Serialize for $name {
            fn serialize<S: ::serde::Serializer>(
                &self,
                serializer: S,
            ) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str(self.word())
            }
        }
    };
}

string_enum! {
    /// A version of the specification. Later ones are greater.
    Version {
        /// The first version, without actions.
        V0_1 = "0.1",
        /// Adds actions. This crate treats it as the specification's contract.
        V0_2 = "0.2",
        /// Adds verification over time and the data boundary.
        V0_3 = "0.3",
        /// Adds namespaces and the kill switch `none`.
        V0_3_1 = "0.3.1",
        /// Adds preinstalled tools and recipients that the agent chooses.
        V0_4 = "0.4",
    }
}

string_enum! {
    /// The kind of runtime that a tool needs.
    RuntimeKind {
        /// An MCP server over standard input and output.
        McpStdio = "mcp-stdio",
        /// An MCP server over HTTP.
        McpHttp = "mcp-http",
        /// A Python module.
        PythonModule = "python-module",
        /// A Node module.
        NodeModule = "node-module",
        /// A program.
        ShellBinary = "shell-binary",
        /// A container.
        Container = "container",
    }
}

string_enum! {
    /// The layout of a git repository.
    Layout {
        /// A package of a programming language.
        Package = "package",
        /// A bundle of skills.
        SkillBundle = "skill-bundle",
        /// Plain files.
        Raw = "raw",
    }
}

string_enum! {
    /// An operation of a tool on a resource.
    Verb {
        /// Reads it.
        Read = "read",
        /// Changes it.
        Write = "write",
        /// Deletes it.
        Delete = "delete",
        /// Sends it to others.
        Send = "send",
        /// Runs it.
        Execute = "execute",
        /// Manages it.
        Admin = "admin",
    }
}

string_enum! {
    /// The method of an HTTP request.
    Method {
        /// Reads.
        Get = "GET",
        /// Creates.
        Post = "POST",
        /// Replaces.
        Put = "PUT",
        /// Changes.
        Patch = "PATCH",
        /// Deletes.
        Delete = "DELETE",
    }
}

string_enum! {
    /// How often a tool is verified.
    Cadence {
        /// On installation.
        OnInstall = "on-install",
        /// Every day.
        Daily = "daily",
        /// Every week.
        Weekly = "weekly",
        /// Only on request.
        Manual = "manual",
    }
}

string_enum! {
    /// How much harm leaked data would do.
    Sensitivity {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

string_enum! {
    /// How long a third party keeps the data that it receives.
    ThirdPartyRetention {
        /// Not at all, according to its terms of service.
        NonePerVendorTos = "none-per-vendor-tos",
        /// For the session.
        SessionOnly = "session-only",
        /// Thirty days.
        Persistent30d = "persistent-30d",
        /// Ninety days.
        Persistent90d = "persistent-90d",
        /// Without limit.
        PersistentIndefinite = "persistent-indefinite",
        /// Unknown.
        Unknown = "unknown",
    }
}

string_enum! {
    /// Where a tool keeps data.
    Place {
        /// On the host.
        ToolLocal = "tool_local",
        /// With the author.
        ToolCloud = "tool_cloud",
        /// In memory.
        SessionOnly = "session_only",
    }
}

string_enum! {
    /// How use is billed.
    UsageModel {
        /// Free of charge.
        None = "none",
        /// Per call.
        PerCall = "per-call",
        /// Per token.
        PerToken = "per-token",
        /// Through the user's own account with another provider.
        External = "external",
    }
}
