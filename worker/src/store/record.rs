//! What the catalogue knows of a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Ledger, Remote, names_of_model};
use crate::hash::Hash;
use crate::protocol::{StoreKind, StoredModel};

/// A file of the store, whole or not.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Its name in the store.
    pub name: String,
    /// Where its bytes are.
    pub store: StoreKind,
    /// Where it came from; `None` for a local file.
    pub url: Option<String>,
    /// What the server called these bytes.
    pub etag: Option<String>,
    /// When the server says that they were changed.
    pub modified: Option<String>,
    /// The hash that the whole file must have.
    pub expected: Option<Hash>,
    /// Which bytes are there.
    pub ledger: Ledger,
    /// Of the model.
    pub title: Option<String>,
    /// Never proposed for deletion.
    pub pinned: bool,
    /// Milliseconds since 1970.
    pub last_used_ms: f64,
}

impl Record {
    /// Of a file of which nothing is there.
    pub fn new(file: &Remote, store: StoreKind, now_ms: f64) -> Record {
        Record {
            name: file.name.clone(),
            store,
            url: file.url.clone(),
            etag: None,
            modified: None,
            expected: None,
            ledger: Ledger::default(),
            title: None,
            pinned: false,
            last_used_ms: now_ms,
        }
    }

    /// The hash of the file, where every byte of it is there.
    pub fn sha256(&self) -> Option<Hash> {
        self.ledger.all_whole().then(|| self.ledger.sha256())?
    }

    /// True where every byte is there and its hash is not known to be wrong.
    pub fn is_whole(&self) -> bool {
        self.sha256().is_some_and(|found| self.expected.is_none_or(|expected| expected == found))
    }

    /// Forgets all bytes, and what the server said of them.
    pub fn restart(&mut self) {
        (self.ledger, self.etag, self.modified) = (Ledger::default(), None, None);
    }
}

/// The models that records are of: the files of a split model are one.
pub fn models_of(records: impl IntoIterator<Item = Record>) -> Vec<StoredModel> {
    let mut models = BTreeMap::<String, BTreeMap<String, Record>>::new();
    for record in records {
        let first = names_of_model(&record.name).into_iter().next().unwrap_or_default();
        models.entry(first).or_default().insert(record.name.clone(), record);
    }
    models.into_iter().map(|(name, files)| model_of(name, &files)).collect()
}

fn model_of(name: String, records: &BTreeMap<String, Record>) -> StoredModel {
    let names = names_of_model(&name);
    let files = || names.iter().map(|name| records.get(name));
    let there = || files().flatten();
    let latest = there().map(|record| record.last_used_ms).fold(0.0, f64::max);
    StoredModel {
        title: there().find_map(|record| record.title.clone()),
        url: there().find_map(|record| record.url.clone()),
        bytes: there().map(|record| record.ledger.stored_bytes()).sum(),
        total_bytes: files().map(|record| record?.ledger.len_bytes()).sum(),
        files: names.len() as u32,
        whole: files().all(|record| record.is_some_and(Record::is_whole)),
        sha256: files().map(|r| r.and_then(Record::sha256).map(|hash| hash.to_string())).collect(),
        pinned: there().any(|record| record.pinned),
        last_used_ms: latest,
        name,
    }
}

/// Models whose deletion makes room for so many bytes: first those that were not used for longest. Empty where all of
/// them together do not, or nothing needs to go.
pub fn could_delete(models: &[StoredModel], lacking_bytes: u64, spare: &[String]) -> Vec<String> {
    let mut models: Vec<_> = models.iter().filter(|m| !m.pinned && !spare.contains(&m.name)).collect();
    models.sort_by(|a, b| a.last_used_ms.total_cmp(&b.last_used_ms));
    let mut freed_bytes = 0;
    let wanted = models.iter().take_while(|model| {
        let goes = freed_bytes < lacking_bytes;
        freed_bytes += model.bytes;
        goes
    });
    let names = wanted.map(|model| model.name.clone()).collect();
    if models.iter().map(|model| model.bytes).sum::<u64>() < lacking_bytes { Vec::new() } else { names }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::store::remotes;

    fn record(name: &str, len_bytes: u64, last_used_ms: f64) -> Record {
        let file = Remote { url: None, name: name.into() };
        let mut record = Record::new(&file, StoreKind::Opfs, last_used_ms);
        record.ledger = Ledger::new(Some(len_bytes));
        record.ledger.add_chunk(0, Hash([0; 32]));
        record.ledger.hash_on(&vec![0; len_bytes as usize]);
        record
    }

    #[test]
    fn the_files_of_a_split_model_are_one_model() {
        let names: Vec<_> =
            remotes("https://e.org/m-00001-of-00002.gguf").into_iter().map(|f| f.name).collect();
        let first = record(&names[0], 10, 5.0);
        let models = models_of([record("a.gguf", 3, 9.0), first.clone()]);
        assert_eq!(
            (models[0].name.as_str(), models[0].whole, models[0].total_bytes),
            ("a.gguf", true, Some(3))
        );
        let part = &models[1];
        assert_eq!((&part.name, part.bytes, part.files, part.whole), (&names[0], 10, 2, false));
        assert_eq!((part.total_bytes, part.sha256.iter().flatten().count()), (None, 1));
        let both = models_of([record(&names[1], 7, 8.0), first]);
        assert_eq!((both[0].total_bytes, both[0].whole, both[0].last_used_ms), (Some(17), true, 8.0));
    }

    #[test]
    fn a_wrong_hash_is_not_whole() {
        let mut record = record("a.gguf", 3, 0.0);
        assert!(record.is_whole());
        record.expected = Some(Hash([1; 32]));
        assert!(!record.is_whole() && record.sha256().is_some());
    }

    #[test]
    fn what_was_not_used_for_longest_is_proposed_first() {
        let model = |name: &str, bytes, last_used_ms, pinned| {
            let mut model = models_of([record(name, 1, last_used_ms)]).remove(0);
            (model.bytes, model.pinned) = (bytes, pinned);
            model
        };
        let models =
            [model("new", 50, 3.0, false), model("old", 20, 1.0, false), model("pin", 99, 0.0, true)];
        let rows: &[(u64, &[&str], &[&str])] = &[
            (0, &[], &[]),
            (10, &[], &["old"]),
            (21, &[], &["old", "new"]),
            (10, &["old"], &["new"]),
            (71, &[], &[]),
        ];
        for (lacking, spare, want) in rows {
            let spare: Vec<String> = spare.iter().map(ToString::to_string).collect();
            assert_eq!(could_delete(&models, *lacking, &spare), *want, "{lacking}");
        }
    }
}
