//! Conditions between the members of an object.

use diagnostic::{Report, Rule};
use json_text::Node;
use serde_json::Value;

/// A condition between the members of an object, with its version and rule.
#[derive(Debug)]
pub struct MemberCondition {
    /// The condition.
    pub condition: Condition,
    /// The first version that has it.
    pub since: u8,
    /// The rule that is reported if the condition does not hold.
    pub rule: &'static Rule,
}

/// A condition between the members of an object.
#[derive(Debug)]
pub enum Condition {
    /// Exactly one of the two members is present.
    ExactlyOne([&'static str; 2]),
    /// At least one of the members is present.
    AtLeastOne(&'static [&'static str]),
    /// If a member has this value, another member is present.
    When {
        /// The member.
        member: &'static str,
        /// Its value.
        value: &'static str,
        /// The other member.
        required: &'static str,
    },
    /// A condition that a table cannot express.
    Custom(&'static CustomCondition),
}

/// A condition of a single format, as code.
#[derive(Debug)]
pub struct CustomCondition {
    /// Reports the rule of the [`MemberCondition`] if the condition does not hold for an object.
    pub check: fn(Node<'_>, &'static Rule, &mut Report),
    /// Returns the equivalent JSON Schema.
    pub schema: fn() -> Value,
}
