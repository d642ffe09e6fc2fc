//! The source files themselves: where things may stand, and what is written from them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod files;
mod places;
mod support_table;
mod uses;
