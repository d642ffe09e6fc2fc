//! What a file of a kept prompt says of itself, and which files have to go.

use pith_engine::runtime::Model;
use serde::{Deserialize, Serialize};

use crate::hash::Hash;
use crate::seal::{is_sealed, seal};

/// More than the record of the longest context has.
pub const RECORD_BYTES_MAX: usize = 16 << 20;
/// Of the record's length, in front of it. It is 0 until everything else is written.
pub const LEN_BYTES: u64 = 4;
/// Pages begin at a multiple of it.
const PAGES_ALIGN_BYTES: u64 = 4096;
/// A prompt is kept once more where a file has all but this share of it.
const NEW_SHARE: usize = 4;

/// What pages fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Key {
    /// SHA-256 of the model's files.
    pub model: Hash,
    /// The version of the engine, the kind of device, the type of the cache, the length of the context.
    pub made_by: String,
}

impl Key {
    /// What the names of all files for a model begin with.
    pub fn prefix(model: &Hash) -> String {
        model.to_string().chars().take(16).collect()
    }
}

/// Of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What its pages fit.
    pub key: Key,
    /// The tokens of its pages.
    pub ids: Vec<u32>,
    /// Bytes of each page.
    pub page_bytes: u64,
    /// Of each page.
    pub hashes: Vec<Hash>,
}

impl Record {
    /// Of so many whole pages of a prompt, whose contents are not known yet.
    pub fn new(key: Key, ids: &[u32], page_bytes: u64) -> Record {
        let pages = ids.len() / Model::PAGE_TOKENS;
        let ids = ids.iter().take(pages * Model::PAGE_TOKENS).copied().collect();
        Record { key, ids, page_bytes, hashes: vec![Hash([0; 32]); pages] }
    }

    /// As it is written. It is as long with other hashes.
    pub fn text(&self) -> String {
        // Plain data can always be written.
        seal(&serde_json::to_string(self).unwrap_or_default())
    }

    /// What was written, where it makes sense.
    pub fn read(text: &[u8]) -> Option<Record> {
        let text = std::str::from_utf8(text).ok()?;
        // What is not known to be as it was written is not used: the prompt is read instead.
        is_sealed(text).ok().filter(|sealed| *sealed)?;
        let record: Record = serde_json::from_str(text).ok()?;
        let pages = record.hashes.len();
        let is_sound = pages > 0 && record.ids.len() == pages * Model::PAGE_TOKENS && record.page_bytes > 0;
        is_sound.then_some(record)
    }

    /// Where a page lies in the file, behind a record of so many bytes.
    pub fn page_at(&self, record_bytes: usize, page: usize) -> u64 {
        let first = (LEN_BYTES + record_bytes as u64).next_multiple_of(PAGES_ALIGN_BYTES);
        first.saturating_add(self.page_bytes.saturating_mul(page as u64))
    }

    /// How many pages a text may begin with whose prompt is `ids`: never with its last token, which has to run.
    pub fn pages_for(&self, key: &Key, ids: &[u32]) -> usize {
        if self.key != *key {
            return 0;
        }
        let ids = &ids[..ids.len().saturating_sub(1)];
        let (own, others) = (self.ids.as_chunks::<{ Model::PAGE_TOKENS }>().0, ids.as_chunks().0);
        own.iter().zip(others).take_while(|(own, other)| own == other).count()
    }

    /// Whether it is of no more use beside a file that has this prompt.
    pub fn is_part_of(&self, key: &Key, ids: &[u32]) -> bool {
        self.key == *key && ids.starts_with(&self.ids)
    }
}

/// Whether a prompt of so many pages is worth a file of its own where others have so many of them.
pub fn is_worth_keeping(pages: usize, known: usize) -> bool {
    (pages - known.min(pages)) * NEW_SHARE > pages
}

/// A file of the folder.
#[derive(Debug, Clone, PartialEq)]
pub struct File {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// When it was used last, in milliseconds since 1970.
    pub used_ms: f64,
}

/// Files that there are at most, of however few bytes: each is looked into before a prompt is read.
const FILES_MAX: usize = 256;

/// The files that have to go so that there is room for one of so many bytes more: those first that were not used for longest. All
/// where there never is.
pub fn to_delete(mut files: Vec<File>, more_bytes: u64, budget_bytes: u64) -> Vec<String> {
    files.sort_unstable_by(|a, b| a.used_ms.total_cmp(&b.used_ms));
    let mut used_bytes: u64 = files.iter().map(|file| file.bytes).sum();
    let (count, mut gone) = (files.len(), Vec::new());
    for file in files {
        if used_bytes.saturating_add(more_bytes) <= budget_bytes && count - gone.len() < FILES_MAX {
            break;
        }
        used_bytes -= file.bytes;
        gone.push(file.name);
    }
    gone
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::seal::rotten;

    const PAGE: usize = Model::PAGE_TOKENS;

    fn key(made_by: &str) -> Key {
        Key { model: Hash([7; 32]), made_by: made_by.into() }
    }

    fn ids(pages: usize, changed: Option<usize>) -> Vec<u32> {
        (0..pages * PAGE).map(|at| if changed == Some(at) { 1_000_000 } else { at as u32 }).collect()
    }

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let mut record = Record::new(key("1 cpu f16"), &ids(3, None)[..3 * PAGE - 1], 4096);
        assert_eq!((record.ids.len(), record.hashes.len()), (2 * PAGE, 2));
        let before = record.text().len();
        record.hashes = vec![Hash([255; 32]); 2];
        assert_eq!(record.text().len(), before);
        assert_eq!(Record::read(record.text().as_bytes()), Some(record.clone()));
        assert!(record.page_at(before, 0) >= LEN_BYTES + before as u64);
        assert_eq!(record.page_at(before, 2) - record.page_at(before, 0), 2 * 4096);
        for wrong in [
            Record { hashes: vec![Hash([0; 32]); 3], ..record.clone() },
            Record { hashes: Vec::new(), ids: Vec::new(), ..record.clone() },
            Record { page_bytes: 0, ..record.clone() },
        ] {
            assert_eq!(Record::read(wrong.text().as_bytes()), None);
        }
        assert_eq!(Record::read(&record.text().as_bytes()[1..]), None);
        assert_eq!(Record::read(b""), None);
    }

    #[test]
    fn a_record_that_has_rotted_is_not_used() {
        let text = Record::new(key("a"), &ids(1, None), 8).text();
        for (what, bytes) in rotten(text.as_bytes()) {
            assert_eq!(Record::read(&bytes), None, "{what}");
        }
    }

    #[test]
    fn the_longest_context_has_room() {
        let record = Record::new(key("a"), &vec![u32::MAX; 1 << 20], u64::MAX);
        assert!(record.text().len() < RECORD_BYTES_MAX);
        assert_eq!(record.page_at(1, 2), u64::MAX);
        assert_eq!(Key::prefix(&record.key.model), "0707070707070707");
    }

    #[test]
    fn what_follows_a_change_is_not_used() {
        let record = Record::new(key("a"), &ids(5, None), 8);
        let pages = |ids: &[u32]| record.pages_for(&key("a"), ids);
        assert_eq!(pages(&ids(8, None)), 5);
        assert_eq!(pages(&ids(8, Some(3 * PAGE + 1))), 3);
        assert_eq!(pages(&ids(8, Some(0))), 0);
        // The last token has to run.
        assert_eq!(pages(&ids(5, None)), 4);
        assert_eq!(pages(&[]), 0);
        assert_eq!(record.pages_for(&key("b"), &ids(8, None)), 0);
        let other = Key { model: Hash([8; 32]), ..key("a") };
        assert_eq!(record.pages_for(&other, &ids(8, None)), 0);
        assert!(record.is_part_of(&key("a"), &ids(6, None)));
        assert!(!record.is_part_of(&key("a"), &ids(6, Some(4 * PAGE))));
    }

    #[test]
    fn another_question_about_the_same_page_is_not_worth_a_file() {
        assert!(is_worth_keeping(60, 0));
        assert!(!is_worth_keeping(60, 58));
        assert!(is_worth_keeping(60, 40));
        assert!(!is_worth_keeping(0, 0));
        assert!(!is_worth_keeping(4, 9));
    }

    #[test]
    fn the_oldest_files_make_room() {
        let file = |name: &str, bytes, used_ms| File { name: name.into(), bytes, used_ms };
        let files = vec![file("b", 30, 2.0), file("a", 30, 1.0), file("c", 30, 3.0)];
        assert_eq!(to_delete(files.clone(), 10, 100), Vec::<String>::new());
        assert_eq!(to_delete(files.clone(), 11, 100), ["a"]);
        assert_eq!(to_delete(files.clone(), 60, 100), ["a", "b"]);
        assert_eq!(to_delete(files.clone(), u64::MAX, 100), ["a", "b", "c"]);
        assert_eq!(to_delete(files, 0, 0), ["a", "b", "c"]);
        let many = |count: usize| (0..count).map(|at| file(&at.to_string(), 1, at as f64)).collect();
        assert_eq!(to_delete(many(FILES_MAX - 1), 1, 1 << 20), Vec::<String>::new());
        assert_eq!(to_delete(many(FILES_MAX + 1), 1, 1 << 20), ["0", "1"]);
    }
}
