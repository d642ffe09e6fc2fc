//! Which stored file is meant: equal bytes are one file, wherever they came from.

use super::{Record, names_of_model};
use crate::hash::Hash;

/// The names of the model whose files have these hashes, in order, or are fetched to have them; of several the one of which most is
/// there.
pub fn names_by_hash(records: &[Record], hashes: &[Hash]) -> Option<Vec<String>> {
    let bytes = |(name, hash): (&String, &Hash)| match records.iter().find(|record| record.name == *name) {
        Some(record) if record.is_to_have(*hash) => Some(record.ledger.stored_bytes()),
        Some(_) => None,
        None => Some(0),
    };
    let models = records.iter().map(|record| names_of_model(&record.name));
    let fitting = models.filter(|names| names.len() == hashes.len()).filter_map(|names| {
        let there: u64 = names.iter().zip(hashes).map(bytes).sum::<Option<u64>>()?;
        Some((there, names))
    });
    fitting.max_by_key(|(there, _)| *there).map(|(_, names)| names)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use crate::store::record::tests::record;
    use crate::store::{Ledger, remotes};

    #[test]
    fn equal_bytes_are_one_file() {
        let whole = record("a.gguf", 3, 0.0);
        let hash = whole.sha256().unwrap();
        let mut part = Record { name: "b.gguf".into(), expected: Some(hash), ..whole.clone() };
        part.ledger = Ledger::default();
        let other = record("c.gguf", 4, 0.0);
        let (one, wrong) = ([hash], [Hash([1; 32])]);
        assert_eq!(names_by_hash(&[part.clone(), whole.clone(), other.clone()], &one).unwrap(), ["a.gguf"]);
        assert_eq!(names_by_hash(&[part.clone(), other.clone()], &one).unwrap(), ["b.gguf"]);
        assert_eq!(names_by_hash(&[part, whole, other.clone()], &wrong), None);

        // Of a split model every file that is there must fit.
        let names: Vec<_> =
            remotes("https://e.org/m-00001-of-00002.gguf").into_iter().map(|f| f.name).collect();
        let second = record(&names[1], 4, 0.0);
        let hashes = [hash, other.sha256().unwrap()];
        assert_eq!(names_by_hash(std::slice::from_ref(&second), &hashes), Some(names.clone()));
        assert_eq!(names_by_hash(&[second, record(&names[0], 4, 0.0)], &hashes), None);
        assert_eq!(names_by_hash(&[other], &hashes), None);
    }
}
