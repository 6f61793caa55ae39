//! The versions, and the closed sets of words.

/// A closed set of words: an enum, and each of its values as it is written. The
/// checks and the schema take the words from here, so that there is one list.
///
/// ```
/// install_manifest::words! {
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
macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[allow(clippy::exhaustive_enums)] // the specification closes the set
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// Every word, in the order of the values.
            pub const WORDS: &'static [&'static str] = &[$($word),+];

            /// How the value is written.
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)+ }
            }

            /// The value that is written like this.
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

words! {
    /// A version of the specification. Later ones are greater.
    Version {
        /// Tools without a catalogue of actions.
        V0_1 = "0.1",
        /// Actions. The version that this crate takes as its contract.
        V0_2 = "0.2",
        /// Verification over time, and where data goes.
        V0_3 = "0.3",
        /// Namespaces, tools with nothing to revoke.
        V0_3_1 = "0.3.1",
        /// Tools that are there already, recipients that the agent chooses.
        V0_4 = "0.4",
    }
}

words! {
    /// What runs a tool.
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

words! {
    /// What a git repository holds.
    Layout {
        /// A package of its language.
        Package = "package",
        /// A bundle of skills.
        SkillBundle = "skill-bundle",
        /// Files.
        Raw = "raw",
    }
}

words! {
    /// What a tool does with a resource.
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

words! {
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

words! {
    /// How often a tool is verified.
    Cadence {
        /// When it is installed.
        OnInstall = "on-install",
        /// Every day.
        Daily = "daily",
        /// Every week.
        Weekly = "weekly",
        /// When somebody asks.
        Manual = "manual",
    }
}

words! {
    /// How much harm it does when data gets out.
    Sensitivity {
        /// Little.
        Low = "low",
        /// Some.
        Medium = "medium",
        /// Much.
        High = "high",
    }
}

words! {
    /// How long a third party keeps what it is sent.
    ThirdPartyRetention {
        /// Not at all, by its terms of service.
        NonePerVendorTos = "none-per-vendor-tos",
        /// For the session.
        SessionOnly = "session-only",
        /// Thirty days.
        Persistent30d = "persistent-30d",
        /// Ninety days.
        Persistent90d = "persistent-90d",
        /// For ever.
        PersistentIndefinite = "persistent-indefinite",
        /// Nobody knows.
        Unknown = "unknown",
    }
}

words! {
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

words! {
    /// How use is billed.
    UsageModel {
        /// It is free.
        None = "none",
        /// By the call.
        PerCall = "per-call",
        /// By the token.
        PerToken = "per-token",
        /// With the user's own account elsewhere.
        External = "external",
    }
}
