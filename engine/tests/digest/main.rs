//! From a page to sentences, summaries, answers and prompts.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answers;
mod attribution;
mod blocks;
#[path = "../../examples/quality/checks.rs"]
#[allow(dead_code)] // Not all of the checks are needed here.
mod checks;
mod comments;
#[path = "../common/digest.rs"]
mod digesting;
#[path = "../../examples/quality/docs.rs"]
#[allow(dead_code)] // Not all of the fields are needed here.
mod docs;
mod facts;
mod forms;
mod hostile;
#[path = "../../examples/quality/html.rs"]
mod html;
mod judged;
mod kinds;
mod leads;
mod lines;
mod pages;
#[path = "../../examples/quality/porter.rs"]
mod porter;
mod prompts;
mod quality;
#[path = "../../examples/quality/rouge.rs"]
mod rouge;
mod rules;
mod scale;
mod seen;
mod sentences;
mod suggest;
