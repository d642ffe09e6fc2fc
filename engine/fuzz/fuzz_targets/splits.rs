//! The parts of a split model, each made wrong: they are refused by a typed error, or joined to a header whose tensors have
//! names of their own and lie in their files.
#![no_main]

mod laid_out;
mod wrong;

use std::collections::HashSet;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use pith_engine::gguf::{Header, split_names};
use wrong::{Gguf, Script};

static PARTS: LazyLock<Vec<Gguf>> = LazyLock::new(|| wrong::headers("oracle/split"));

fuzz_target!(|input: &[u8]| {
    if let Ok(name) = std::str::from_utf8(input)
        && let Some(names) = split_names(name)
    {
        assert!(!names.is_empty() && names.len() <= 10_000);
    }
    let mut script = Script(input);
    let (first, count, how) = (script.below(PARTS.len()), 1 + script.below(4), script.byte());
    // The script is shared out, so that every part has changes of its own.
    let each = script.0.len() / count;
    let parts: Option<Vec<Header>> = (0..count)
        .map(|i| {
            let part = PARTS[(first + i) % PARTS.len()].clone();
            wrong::read(&wrong::changed(part, &mut Script(&script.0[i * each..(i + 1) * each])).header_bytes())
        })
        .collect();
    let Some(Ok(whole)) = parts.map(Header::join) else { return };
    assert_eq!(whole.files, count);
    let names: HashSet<&str> = whole.tensors.iter().map(|t| t.name.as_str()).collect();
    assert_eq!(names.len(), whole.tensors.len());
    assert!(whole.tensors.iter().all(|t| t.file < count));
    laid_out::plan_of(&whole, how);
});
