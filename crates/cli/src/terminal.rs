//! Output for people and programs, and questions to the person at the terminal.

pub(crate) mod changes;
pub(crate) mod choices;
pub(crate) mod console;
pub(crate) mod flags;
pub(crate) mod person;
pub(crate) mod places;
pub(crate) mod problem;
pub(crate) mod report;
pub(crate) mod sarif;
pub(crate) mod summary;
pub(crate) mod table;
