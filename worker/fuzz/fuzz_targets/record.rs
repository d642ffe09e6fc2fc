//! Any text as a record of the store, and any course of a download from there: no panic, what is read is sound and stays so,
//! is written and read again as the same, and counts no byte that is not there.
#![no_main]

use std::collections::BTreeSet;

use libfuzzer_sys::fuzz_target;
use pith_worker::hash::Hash;
use pith_worker::protocol::StoreKind;
use pith_worker::store::{BLOCK_BYTES, CHUNK_BYTES, Record, models_of};

const NAME: &str = "m.gguf";
/// Longer files make every question about them slow, and nothing else.
const CHUNKS_MAX: usize = 64;
/// A longer course repeats itself, and each of its steps writes and reads the record.
const STEPS_MAX: usize = 32;

// What follows the first zero byte says what happens to the record.
fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|byte| *byte == 0).unwrap_or(input.len());
    let (text, course) = input.split_at(end);
    let Ok(text) = std::str::from_utf8(text) else { return };
    let Ok(mut record) = Record::read(text, NAME, StoreKind::Opfs) else { return };
    if record.ledger.count() > CHUNKS_MAX {
        return;
    }
    check(&record);
    for step in course.get(1..).unwrap_or_default().chunks_exact(3).take(STEPS_MAX) {
        happens(&mut record, step);
        check(&record);
    }
});

/// One thing that a download, a verification or a deletion does.
fn happens(record: &mut Record, step: &[u8]) {
    let [what, chunk, value] = step else { return };
    let ledger = &mut record.ledger;
    let (chunk, hash) = (usize::from(*chunk), Hash([*value; 32]));
    let is_there = ledger.len_bytes().is_none_or(|_| chunk < ledger.count());
    match what % 9 {
        0 => _ = ledger.learn_len((u64::from(*value) << (chunk % 32)).min(CHUNKS_MAX as u64 * CHUNK_BYTES)),
        // A download asks for blocks that are missing.
        1 if is_there && !ledger.is_whole(chunk) && ledger.wanted_from(chunk) < ledger.range(chunk).end => {
            ledger.add_block(chunk, hash);
        }
        2 if is_there => _ = ledger.add_chunk(chunk, hash),
        3 => ledger.keep_blocks(chunk, usize::from(value % 8)),
        4 => ledger.judge(chunk, ledger.hash(chunk).unwrap_or(hash), value % 2 == 0),
        5 if ledger.next_to_hash().is_some() => ledger.hash_on(&[*value]),
        6 => record.begin((value % 2 == 0).then_some(hash)),
        7 => _ = record.misfit((value % 2 == 0).then_some(hash)),
        8 => record.restart(),
        _ => {}
    }
}

fn check(record: &Record) {
    let ledger = &record.ledger;
    assert!(ledger.is_sound());
    let text = record.text();
    let again = Record::read(&text, NAME, StoreKind::Opfs).expect("what was written can be read");
    assert_eq!(again.text(), text);
    let len_bytes = ledger.len_bytes().unwrap_or(ledger.known() as u64 * CHUNK_BYTES);
    assert!(ledger.stored_bytes() <= len_bytes + 4 * BLOCK_BYTES);
    if ledger.all_whole() {
        assert!(ledger.has(0..len_bytes) && ledger.stored_bytes() == len_bytes);
        assert_eq!(ledger.next_span(&BTreeSet::new(), 8), None);
    }
    if let Some(span) = ledger.next_span(&BTreeSet::new(), 8) {
        assert!(!span.is_empty() && span.len() <= 8 && span.clone().all(|chunk| !ledger.is_whole(chunk)));
    }
    assert!(!record.is_whole() || ledger.all_whole());
    let [model] = &models_of([record.clone()])[..] else { panic!("one file is one model") };
    assert_eq!((model.name.as_str(), model.whole), (NAME, record.is_whole()));
}
