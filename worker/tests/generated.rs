//! Files written from the worker's types are as new as the types. UPDATE=1 rewrites them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::HashSet;
use std::path::Path;

use pith_worker::error::{CATALOGUE, Code, markdown};

fn assert_fresh(path: &str, wanted: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, wanted).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        found == wanted,
        "{} is stale: run UPDATE=1 cargo test -p pith-worker --test generated",
        path.display()
    );
}

#[test]
fn protocol_is_fresh() {
    assert_fresh("web/src/protocol.gen.ts", &pith_worker::typescript::protocol());
}

#[test]
fn error_table_is_fresh() {
    assert_fresh("docs/errors.md", &markdown());
}

#[test]
fn every_error_has_a_stable_name_and_two_sentences() {
    let mut names = HashSet::new();
    for entry in CATALOGUE {
        assert!(names.insert(entry.name), "{} twice", entry.name);
        assert!(entry.name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{}", entry.name);
        assert!(entry.message.ends_with('.') && entry.help.ends_with('.'), "{}", entry.name);
        assert_eq!(Code::from_name(entry.name), Some(entry.code));
        assert_eq!(entry.code.entry(), entry);
    }
}
