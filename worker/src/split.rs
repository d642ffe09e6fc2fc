//! Split models, whose files are called `NAME-00001-of-00003.gguf`: the addresses of all files from that of one, and the
//! order of files that came in any.

use pith_engine::gguf::split_names;

use crate::error::WorkerError;

/// Most parts that an error lists by number.
const LISTED_MAX: usize = 8;

/// The addresses of all files of the model that `url` is a file of; `url` alone where its name is none of a split model.
/// A query goes with each of them.
pub fn addresses(url: &str) -> Vec<String> {
    let (address, query) = url.split_at(url.find(['?', '#']).unwrap_or(url.len()));
    let (folder, name) = address.split_at(address.rfind('/').map_or(0, |slash| slash + 1));
    match split_names(name) {
        Some(names) => names.into_iter().map(|name| format!("{folder}{name}{query}")).collect(),
        None => vec![url.into()],
    }
}

/// What a file says of itself.
#[derive(Debug, Clone)]
pub struct Claim {
    name: String,
    /// Which part it is, from 0, and how many there are.
    part: (u64, u64),
}

impl Claim {
    /// Of a file called `name` whose header says that it is this part.
    pub fn new(name: &str, part: (u64, u64)) -> Self {
        Claim { name: name.into(), part }
    }

    /// The model's name, where the file's follows the pattern.
    fn model(&self) -> Option<String> {
        split_names(&self.name)?.into_iter().next()
    }
}

impl std::fmt::Display for Claim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "\"{}\" is part {} of {}", self.name, self.part.0 + 1, self.part.1)
    }
}

/// Files in the order of their parts, all of one model.
///
/// # Errors
/// `WrongPart` where two files have the same part, or do not belong to the same model; `PartsMissing`.
pub fn arrange<T>(mut files: Vec<(Claim, T)>) -> Result<Vec<T>, WorkerError> {
    files.sort_by_key(|(claim, _)| claim.part.0);
    for pair in files.windows(2) {
        let [(a, _), (b, _)] = pair else { continue };
        let strangers = matches!((a.model(), b.model()), (Some(a), Some(b)) if a != b);
        if strangers || a.part.0 == b.part.0 || a.part.1 != b.part.1 {
            return Err(WorkerError::WrongPart { why: format!("{a}, and {b}") });
        }
    }
    let count = files.first().map_or(1, |(claim, _)| claim.part.1);
    let has = |number: &u64| files.iter().any(|(claim, _)| claim.part.0 == *number);
    let missing: Vec<String> =
        (0..count).filter(|n| !has(n)).take(LISTED_MAX).map(|n| (n + 1).to_string()).collect();
    if missing.is_empty() {
        return Ok(files.into_iter().map(|(_, file)| file).collect());
    }
    let have = files.len();
    let why = format!("{have} of {count} files are here; among the missing are {}", missing.join(", "));
    Err(WorkerError::PartsMissing { why })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn siblings_differ_in_their_number_alone() {
        let rows: &[(&str, &[&str])] = &[
            ("https://e.org/a/m.gguf?x=1", &["https://e.org/a/m.gguf?x=1"]),
            (
                "https://e.org/a/m-00002-of-00002.gguf?download=true",
                &[
                    "https://e.org/a/m-00001-of-00002.gguf?download=true",
                    "https://e.org/a/m-00002-of-00002.gguf?download=true",
                ],
            ),
            ("m%20x-00001-of-00001.gguf#top", &["m%20x-00001-of-00001.gguf#top"]),
            (
                "https://e.org/m.gguf?file=a-00001-of-00002.gguf",
                &["https://e.org/m.gguf?file=a-00001-of-00002.gguf"],
            ),
            ("https://e.org/m-00001-of-00002.gguf/raw", &["https://e.org/m-00001-of-00002.gguf/raw"]),
            ("https://e.org/m-00003-of-00002.gguf", &["https://e.org/m-00003-of-00002.gguf"]),
            ("", &[""]),
        ];
        for (url, wanted) in rows {
            assert_eq!(addresses(url), *wanted, "{url}");
        }
    }

    #[test]
    fn files_are_put_in_order_or_refused() {
        type Row<'a> = (&'a [(&'a str, u64, u64)], Result<&'a [usize], &'a str>);
        let rows: &[Row] = &[
            (&[("a.gguf", 0, 1)], Ok(&[0])),
            (&[("any", 2, 3), ("name", 0, 3), ("will do", 1, 3)], Ok(&[1, 2, 0])),
            (&[("m-00002-of-00002.gguf", 1, 2), ("m-00001-of-00002.gguf", 0, 2)], Ok(&[1, 0])),
            (&[("m-00002-of-00002.gguf", 1, 2), ("renamed.gguf", 0, 2)], Ok(&[1, 0])),
            (&[("m-00002-of-00002.gguf", 1, 2), ("n-00001-of-00002.gguf", 0, 2)], Err("wrong_part")),
            (&[("a", 0, 2), ("b", 0, 2)], Err("wrong_part")),
            (&[("a", 0, 1), ("b", 0, 1)], Err("wrong_part")),
            (&[("a", 0, 2), ("b", 1, 3)], Err("wrong_part")),
            (&[("a", 0, 3), ("b", 1, 3), ("c", 2, 3), ("d", 1, 3)], Err("wrong_part")),
            (&[("a", 1, 2)], Err("parts_missing")),
            (&[("a", 0, 3), ("c", 2, 3)], Err("parts_missing")),
            (&[("a", 0, 1024)], Err("parts_missing")),
        ];
        for (files, wanted) in rows {
            let claims = files.iter().enumerate();
            let claims = claims.map(|(i, (name, number, count))| (Claim::new(name, (*number, *count)), i));
            match (arrange(claims.collect()), wanted) {
                (Ok(found), Ok(wanted)) => assert_eq!(found, *wanted, "{files:?}"),
                (Err(error), Err(code)) => assert_eq!(error.code().name(), *code, "{files:?}: {error}"),
                (found, _) => panic!("{files:?} gave {found:?}"),
            }
        }
        let error = arrange(vec![(Claim::new("c", (2, 4)), ()), (Claim::new("a", (0, 4)), ())]).unwrap_err();
        assert_eq!(error.to_string(), "2 of 4 files are here; among the missing are 2, 4");
    }
}
