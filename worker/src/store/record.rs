//! What the catalogue knows of a file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::unreadable::Unreadable;
use super::{Ledger, Remote, names_of_model};
use crate::hash::Hash;
use crate::protocol::{StoreKind, StoredModel};
use crate::seal::{is_sealed, seal};

/// The form of the records that this version writes. It reads every older one: a field that they lack has a default. 0 is
/// the first release, which wrote no version.
const VERSION: u32 = 1;

/// A file of the store, whole or not.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Record {
    /// Of its form.
    #[serde(default)]
    pub version: u32,
    /// Its name in the store.
    #[serde(default)]
    pub name: String,
    /// Where its bytes are.
    #[serde(default)]
    pub store: StoreKind,
    /// Where it came from; `None` for a local file.
    pub url: Option<String>,
    /// What the server called these bytes.
    pub etag: Option<String>,
    /// When the server says that they were changed.
    pub modified: Option<String>,
    /// The hash that the whole file must have, for the request that fetches it.
    pub expected: Option<Hash>,
    /// Which bytes are there.
    pub ledger: Ledger,
    /// Of the model.
    pub title: Option<String>,
    /// Never proposed for deletion.
    #[serde(default)]
    pub pinned: bool,
    /// Its deletion has begun.
    #[serde(default)]
    pub unwanted: bool,
    /// Milliseconds since 1970.
    #[serde(default)]
    pub last_used_ms: f64,
    /// When the record was written, in milliseconds since 1970.
    #[serde(default)]
    pub changed_ms: f64,
}

impl Record {
    /// Of a file of which nothing is there.
    pub fn new(file: &Remote, store: StoreKind, now_ms: f64) -> Record {
        Record {
            version: VERSION,
            name: file.name.clone(),
            store,
            url: file.url.clone(),
            etag: None,
            modified: None,
            expected: None,
            ledger: Ledger::default(),
            title: None,
            pinned: false,
            unwanted: false,
            last_used_ms: now_ms,
            changed_ms: now_ms,
        }
    }

    /// The record of the file called `name` in a store, of any version up to this one.
    ///
    /// # Errors
    /// Why it cannot be read.
    pub fn read(text: &str, name: &str, store: StoreKind) -> Result<Record, Unreadable> {
        #[derive(Deserialize)]
        struct Head {
            #[serde(default)]
            version: u32,
        }
        is_sealed(text).map_err(|()| Unreadable::Damaged)?;
        let head: Head = serde_json::from_str(text).map_err(|_| Unreadable::Damaged)?;
        if head.version > VERSION {
            return Err(Unreadable::Newer);
        }
        let mut record: Record = serde_json::from_str(text).map_err(|_| Unreadable::Damaged)?;
        if !record.ledger.is_sound() {
            return Err(Unreadable::Damaged);
        }
        (record.version, record.name) = (VERSION, name.into());
        if record.store == StoreKind::Auto {
            record.store = store;
        }
        Ok(record)
    }

    /// As it is written.
    pub fn text(&self) -> String {
        // Plain data can always be written.
        seal(&serde_json::to_string(self).unwrap_or_default())
    }

    /// The hash of the file, where every byte of it is there.
    pub fn sha256(&self) -> Option<Hash> {
        self.ledger.all_whole().then(|| self.ledger.sha256())?
    }

    /// True where every byte is there and its hash is not known to be wrong.
    pub fn is_whole(&self) -> bool {
        self.sha256().is_some_and(|found| self.expected.is_none_or(|expected| expected == found))
    }

    /// True where it has this hash, or is fetched to have it.
    pub fn is_to_have(&self, hash: Hash) -> bool {
        self.sha256().or(self.expected) == Some(hash)
    }

    /// Prepares it for a request that fetches what is missing and expects this hash. A file that was refused is fetched
    /// again, unless it is the expected one after all; a good one stays until the server says that it has another.
    pub fn begin(&mut self, expected: Option<Hash>) {
        let found = self.sha256();
        if found.is_some() && !self.is_whole() && found != expected {
            self.restart();
        }
        if !self.is_whole() {
            self.expected = expected;
        }
    }

    /// The hash that was expected, of the request or else of the server, and the one that the whole file has, where they
    /// differ. Only a request that names the latter takes the file.
    pub fn misfit(&mut self, expected: Option<Hash>) -> Option<(Hash, Hash)> {
        let found = self.sha256()?;
        let wanted = expected.or(self.expected).filter(|wanted| *wanted != found)?;
        self.expected = Some(wanted);
        Some((wanted, found))
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
pub mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::seal::rotten;
    use crate::store::remotes;

    pub fn record(name: &str, len_bytes: u64, last_used_ms: f64) -> Record {
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

    /// As the first release wrote it.
    const FIRST: &str = r#"{"name":"m.gguf","store":"opfs","url":"https://e.org/m.gguf","etag":"\"a\"","modified":null,
        "expected":null,"ledger":{"len_bytes":5,"chunks":[{"Whole":"HASH"}],"running":"RUNNING","running_chunks":1},
        "title":"M","pinned":true,"last_used_ms":7.5}"#;

    fn first() -> String {
        let of = record("m.gguf", 5, 0.0);
        let value: serde_json::Value = serde_json::from_str(&of.text()).unwrap();
        let running = value["ledger"]["running"].as_str().unwrap();
        FIRST.replace("HASH", &"00".repeat(32)).replace("RUNNING", running)
    }

    #[test]
    fn records_of_every_version_are_read() {
        let read = |text: &str| Record::read(text, "m.gguf", StoreKind::Opfs);
        let old = read(&first()).unwrap();
        assert!(old.is_whole() && old.pinned && !old.unwanted);
        assert_eq!(old.last_used_ms, 7.5);
        let again = read(&old.text()).unwrap();
        assert_eq!((again.text(), again.version), (old.text(), VERSION));

        for field in ["name", "store", "url", "etag", "expected", "title", "pinned", "last_used_ms"] {
            let mut value: serde_json::Value = serde_json::from_str(&first()).unwrap();
            value.as_object_mut().unwrap().remove(field).unwrap();
            let record = read(&value.to_string()).unwrap();
            assert!(
                record.is_whole() && record.name == "m.gguf" && record.store == StoreKind::Opfs,
                "{field}"
            );
        }
    }

    #[test]
    fn what_cannot_be_read_is_not_taken_for_nothing() {
        let newer = format!("{{\"version\":{},\"ledger\":[]}}", VERSION + 1);
        let absurd = first().replace("\"len_bytes\":5", "\"len_bytes\":18014398509481984");
        let ahead = first().replace("\"running_chunks\":1", "\"running_chunks\":2");
        // More blocks were hashed than there can be.
        let mut endless: serde_json::Value = serde_json::from_str(&first()).unwrap();
        let running = endless["ledger"]["running"].as_str().unwrap();
        let running = format!("{}{}{}", &running[..64], "f".repeat(16), &running[80..]);
        endless["ledger"]["running"] = running.into();
        let endless = endless.to_string();
        let rows = [
            (endless.as_str(), Unreadable::Damaged),
            (newer.as_str(), Unreadable::Newer),
            ("", Unreadable::Damaged),
            ("[]", Unreadable::Damaged),
            ("{}", Unreadable::Damaged),
            ("{\"version\":-1}", Unreadable::Damaged),
            (&first()[..90], Unreadable::Damaged),
            (&absurd, Unreadable::Damaged),
            (&ahead, Unreadable::Damaged),
        ];
        for (text, why) in rows {
            let read = Record::read(text, "m.gguf", StoreKind::Opfs);
            assert_eq!(read.map(|_| ()).unwrap_err(), why, "{text}");
        }
    }

    /// Of a record and of its copy, which are one text.
    #[test]
    fn a_record_that_has_rotted_is_never_another() {
        let text = record("m.gguf", 5, 0.0).text();
        assert!(Record::read(&text, "m.gguf", StoreKind::Opfs).is_ok());
        for (what, bytes) in rotten(text.as_bytes()) {
            let read = Record::read(&String::from_utf8_lossy(&bytes), "m.gguf", StoreKind::Opfs);
            // Without its hash it is one that an older version could have written, and says the same.
            let same = read.map(|record| record.text() == text);
            assert!(matches!(same, Ok(true) | Err(Unreadable::Damaged)), "{what}: {same:?}");
        }
    }

    #[test]
    fn a_wrong_hash_is_not_whole() {
        let mut record = record("a.gguf", 3, 0.0);
        assert!(record.is_whole());
        record.expected = Some(Hash([1; 32]));
        assert!(!record.is_whole() && record.sha256().is_some());
    }

    #[test]
    fn an_expectation_ends_with_its_request() {
        let (right, wrong) = (record("a.gguf", 3, 0.0).sha256().unwrap(), Hash([1; 32]));
        let fetched = |before: &Record| Record { ledger: record("a.gguf", 3, 0.0).ledger, ..before.clone() };

        // A good file stays whatever is expected of it.
        let mut good = record("a.gguf", 3, 0.0);
        good.begin(Some(wrong));
        assert!(good.is_whole());

        // The page expected the wrong one: refused, and fetched again when nothing or another is expected.
        let mut begun = Record { ledger: Ledger::default(), ..good };
        begun.begin(Some(wrong));
        let mut refused = fetched(&begun);
        assert_eq!(refused.misfit(Some(wrong)), Some((wrong, right)));
        assert!(!refused.is_whole());
        let mut typo = refused.clone();
        typo.begin(Some(right));
        assert!(typo.is_whole(), "nothing to fetch");
        refused.begin(None);
        assert!(refused.sha256().is_none() && refused.expected.is_none());
        let mut again = fetched(&refused);
        assert!(again.misfit(None).is_none() && again.is_whole());

        // The server names a wrong one: each time, until the request names the one that the file has.
        let mut begun = Record { ledger: Ledger::default(), expected: Some(wrong), ..again };
        for _ in 0..3 {
            let mut there = fetched(&begun);
            assert_eq!(there.misfit(None), Some((wrong, right)));
            assert!(!there.is_whole());
            there.begin(None);
            assert!(there.sha256().is_none(), "fetched again");
            begun = Record { expected: Some(wrong), ..there };
        }
        let mut there = fetched(&begun);
        there.begin(Some(right));
        assert!(there.misfit(Some(right)).is_none() && there.is_whole());
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
