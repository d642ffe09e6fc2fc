//! Every chat case of the reference set.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[allow(dead_code)] // Only what the text cases need of it.
#[path = "../examples/conformance/cases.rs"]
mod cases;
mod common;
#[allow(dead_code)] // The tokenizers' cases are another test's.
#[path = "../examples/conformance/text.rs"]
mod text;

use cases::Fixtures;

#[test]
fn every_case_is_equal() {
    let fixtures = Fixtures::open(&common::reference_dir()).unwrap();
    let cases = text::chat_cases(&fixtures, |_| true);
    for case in &cases {
        println!("{:<16} {}", case.name, case.reason);
        assert!(case.pass, "{}: {}", case.name, case.reason);
    }
    assert_eq!(cases.len(), 3);
}
