//! Chat templates: against llama.cpp and Jinja2, and what untrusted text can do to them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/attacks.rs"]
mod attacking;
mod cases;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../examples/conformance/mod.rs"]
mod conformance;
#[path = "../common/digest.rs"]
mod digesting;
mod injection;
mod jinja;
mod trust;
