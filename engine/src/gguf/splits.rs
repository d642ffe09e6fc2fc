//! Models split into several files, as llama.cpp's gguf-split writes them: `NAME-00001-of-00003.gguf`. Each file has a
//! directory and data of its own; the first has the metadata of all.

use std::collections::HashSet;

use super::error::shown;
use super::{GgufError, Header, Value};

/// Most files of a model.
pub const PARTS_MAX: u64 = 1024;

/// The file names of a split model, in order, from the name of any of its files; `None` where it is no such name.
pub fn split_names(name: &str) -> Option<Vec<String>> {
    let rest = name.strip_suffix(".gguf")?;
    let (rest, count) = rest.split_at_checked(rest.len().checked_sub(5)?)?;
    let (rest, number) = rest.strip_suffix("-of-")?.split_at_checked(rest.len().checked_sub(9)?)?;
    let stem = rest.strip_suffix('-')?;
    let parse =
        |digits: &str| digits.bytes().all(|b| b.is_ascii_digit()).then(|| digits.parse::<u64>().ok())?;
    let (number, count) = (parse(number)?, parse(count)?);
    let valid = (1..=PARTS_MAX).contains(&count) && (1..=count).contains(&number);
    valid.then(|| (1..=count).map(|i| format!("{stem}-{i:05}-of-{count:05}.gguf")).collect())
}

impl Header {
    /// Which part of a split model the file is, from 0, and how many there are; (0, 1) for a model in one file.
    ///
    /// # Errors
    /// `OutOfRange` for impossible numbers.
    pub fn part(&self) -> Result<(u64, u64), GgufError> {
        let key = |name: &str| self.metadata.get(name).and_then(Value::as_u64);
        let count = key("split.count").unwrap_or(1).max(1);
        let bad = |name: &str, value, max| GgufError::OutOfRange { key: name.into(), value, min: 0, max };
        if count > PARTS_MAX {
            return Err(bad("split.count", count, PARTS_MAX));
        }
        let number = key("split.no").unwrap_or(0);
        if number >= count { Err(bad("split.no", number, count - 1)) } else { Ok((number, count)) }
    }

    /// One header for all files of a split model, given in order. Tensors remember their file in
    /// [`super::TensorInfo::file`].
    ///
    /// # Errors
    /// `PartsMissing`, `WrongPart`, `WrongTensorCount`, `DuplicateTensor`.
    pub fn join(parts: Vec<Header>) -> Result<Header, GgufError> {
        let have = parts.len() as u64;
        let mut parts = parts.into_iter().enumerate();
        let Some((_, mut whole)) = parts.next() else {
            return Err(GgufError::PartsMissing { have, count: 1 });
        };
        let (first, count) = whole.part()?;
        if have != count {
            return Err(GgufError::PartsMissing { have, count });
        }
        if first != 0 {
            return Err(GgufError::WrongPart { file: 1, found: first + 1, count });
        }
        for (i, header) in parts {
            let (number, found) = header.part()?;
            if found != count || number != i as u64 {
                return Err(GgufError::WrongPart { file: i as u64 + 1, found: number + 1, count: found });
            }
            whole.tensors.extend(header.tensors.into_iter().map(|t| super::TensorInfo { file: i, ..t }));
        }
        let mut names = HashSet::new();
        if let Some(twice) = whole.tensors.iter().find(|t| !names.insert(t.name.as_str())) {
            let tensor = shown(&twice.name);
            return Err(GgufError::DuplicateTensor { at_bytes: twice.offset_bytes, tensor });
        }
        let found = whole.tensors.len() as u64;
        match whole.metadata.get("split.tensors.count").and_then(Value::as_u64) {
            Some(expected) if expected != found => Err(GgufError::WrongTensorCount { found, expected }),
            _ => {
                whole.files = count as usize;
                Ok(whole)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn names_of_parts() {
        let all = ["a/b-00001-of-00003.gguf", "a/b-00002-of-00003.gguf", "a/b-00003-of-00003.gguf"];
        assert_eq!(split_names(all[1]), Some(all.map(str::to_owned).to_vec()));
        for name in [
            "a.gguf",
            "-00001-of-00002",
            "a-00003-of-00002.gguf",
            "a-00000-of-00002.gguf",
            "a-0001-of-00002.gguf",
            "a-00001-of-99999.gguf",
            "a-+0001-of-00002.gguf",
            "é-0001-of-00002.gguf",
            ".gguf",
        ] {
            assert_eq!(split_names(name), None, "{name}");
        }
    }
}
