//! Tests of `providers`.

mod claims;
mod config;
mod export;
mod gemini;
mod hostile;
mod laws;
mod names;
mod rejections;
mod rules;
