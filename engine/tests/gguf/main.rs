//! The reader of headers, and the reference set that it reads.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "../common/mod.rs"]
mod common;
mod hostile;
mod reference;
mod reference_set;
mod slicing;
