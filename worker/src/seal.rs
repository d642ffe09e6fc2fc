//! A hash as the last field of an object of JSON that is stored: it tells whether it is still what was written. Older versions, which
//! know no such field, read the object all the same.

use crate::hash::{Hash, Running};

const FIELD: &str = ",\"seal\":\"";
const END: &str = "\"}";
/// Of the field, with the end of the object.
const FIELD_BYTES: usize = FIELD.len() + 64 + END.len();

fn hash(text: &str) -> Hash {
    let mut running = Running::default();
    running.update(text.as_bytes());
    running.finish()
}

/// The object with the field.
pub fn seal(text: &str) -> String {
    let text = text.strip_suffix('}').unwrap_or(text);
    format!("{text}{FIELD}{}{END}", hash(text))
}

/// Whether an object has the field; false for what older versions wrote.
///
/// # Errors
/// Where it is another object than the one that was sealed.
pub fn is_sealed(text: &str) -> Result<bool, ()> {
    let halves = text.len().checked_sub(FIELD_BYTES).and_then(|at| text.split_at_checked(at));
    let field = halves.and_then(|(text, field)| Some((text, field.strip_prefix(FIELD)?.strip_suffix(END)?)));
    match field {
        Some((text, seal)) if seal == hash(text).to_string() => Ok(true),
        Some(_) => Err(()),
        None => Ok(false),
    }
}

/// What becomes of stored bytes: every bit flipped in turn, cut anywhere, zeros from anywhere on, nothing.
#[cfg(test)]
pub fn rotten(bytes: &[u8]) -> impl Iterator<Item = (String, Vec<u8>)> {
    let flipped = (0..bytes.len() * 8).map(move |bit| {
        let mut other = bytes.to_vec();
        other[bit / 8] ^= 1 << (bit % 8);
        (format!("bit {bit} flipped"), other)
    });
    let cut = (0..bytes.len()).map(move |len| (format!("cut to {len}"), bytes[..len].to_vec()));
    let zeros = (0..bytes.len()).map(move |from| {
        let mut other = bytes.to_vec();
        other[from..].fill(0);
        (format!("zeros from {from}"), other)
    });
    flipped.chain(cut).chain(zeros)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_was_changed_is_refused() {
        let sealed = seal("{\"a\":1}");
        assert_eq!(is_sealed(&sealed), Ok(true));
        assert_eq!(is_sealed("{\"a\":1}"), Ok(false));
        assert_eq!(is_sealed(&sealed.replacen('1', "2", 1)), Err(()));
        assert!(sealed.starts_with("{\"a\":1,\"seal\":\""));
    }
}
