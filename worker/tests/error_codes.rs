//! Every code of the engine's errors has a row of the catalogue: a new one cannot become "internal" unnoticed.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use pith_worker::error::{Code, WorkerError};

/// Faults of Pith itself, which no user can mend; and logits that are no numbers, of which nobody can say whether the file or the
/// device is to blame.
const INTERNAL: &[&str] = &[
    "bad_slice",
    "bad_vector",
    "no_sentence",
    "non_finite_logits",
    "nothing_chosen",
    "sampler_no_logits",
    "weak_nonce",
    "wrong_transfer",
];

/// The codes in `fn code(&self) -> &'static str` of all files below a folder.
fn codes_below(dir: &Path, codes: &mut BTreeSet<String>) {
    for entry in fs::read_dir(dir).unwrap().flatten() {
        let path = entry.path();
        if path.is_dir() {
            codes_below(&path, codes);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap_or_default();
        for body in text.split("fn code(&self) -> &'static str {").skip(1) {
            let body = body.split("\n    }\n").next().unwrap();
            codes.extend(body.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
}

#[test]
fn every_error_of_the_engine_is_in_the_catalogue_or_named_here() {
    let mut codes = BTreeSet::new();
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("../engine");
    for folder in ["src", "chat/src", "compute/src", "digest/src"] {
        codes_below(&engine.join(folder), &mut codes);
    }
    assert!(codes.len() > 80, "found {} codes", codes.len());
    let is_internal = |code: &&String| {
        let code: &'static str = Box::leak(code.to_string().into_boxed_str());
        matches!(WorkerError::Engine { code, detail: String::new() }.code(), Code::Internal)
    };
    let internal: Vec<&str> = codes.iter().filter(is_internal).map(String::as_str).collect();
    assert_eq!(internal, INTERNAL);
}
