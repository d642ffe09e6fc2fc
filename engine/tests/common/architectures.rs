//! A model of every architecture. Beside `mod cases` only.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use crate::files::Fixtures;

/// The first model of each architecture in the reference set and in the oracle's.
pub fn models() -> BTreeMap<String, (Fixtures, Value)> {
    let oracle = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/oracle");
    let mut all = BTreeMap::new();
    for dir in [crate::common::reference_dir(), oracle] {
        for record in Fixtures::open(&dir).unwrap().section("fixtures") {
            let arch = record["arch"].as_str().unwrap().to_owned();
            all.entry(arch).or_insert_with(|| (Fixtures::open(&dir).unwrap(), record));
        }
    }
    all
}
