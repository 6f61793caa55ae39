//! What people do: convert, edit what they got, and go back.
//!
//! `people` has single stories, each with what the source is to say afterwards. `single`
//! makes every kind of edit to every pair of formats and asks an oracle that knows only
//! the documents: `kinds` makes the edits, `homes` has by hand where each belongs in each
//! format, and `oracle` says what the source must be afterwards.

#![allow(clippy::match_same_arms)] // each case has a reason of its own

mod homes;
mod kinds;
mod oracle;
mod people;
mod single;
