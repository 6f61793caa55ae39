//! What must hold between the members of an object.

use diagnostic::{Report, Rule};
use json_text::Node;
use serde_json::Value;

/// A condition between the members of an object.
#[derive(Debug)]
pub struct Need {
    /// The condition.
    pub what: Condition,
    /// The first version that has it.
    pub since: u8,
    /// What an object breaks for which it does not hold.
    pub rule: &'static Rule,
}

/// What must hold between the members of an object.
#[derive(Debug)]
pub enum Condition {
    /// One of the members is there, and not both.
    ExactlyOne([&'static str; 2]),
    /// One of the members is there, or more.
    AtLeastOne(&'static [&'static str]),
    /// When a member has this value, another is there.
    When {
        /// The member.
        member: &'static str,
        /// Its value.
        is: &'static str,
        /// The other member.
        required: &'static str,
    },
    /// What a table cannot say.
    Own(&'static Own),
}

/// A condition of one format only.
#[derive(Debug)]
pub struct Own {
    /// Reports where it does not hold for an object, by the rule of the [`Need`].
    pub check: fn(Node<'_>, &'static Rule, &mut Report),
    /// The JSON Schema that says the same.
    pub schema: fn() -> Value,
}
