//! What a server's answer to a request for bytes means.

use crate::error::WorkerError;

/// The parts of an answer that matter. Servers at other origins may hide any of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// The status.
    pub status: u16,
    /// `content-range`.
    pub range: Option<String>,
    /// `content-length`.
    pub length: Option<String>,
    /// `content-encoding`.
    pub encoding: Option<String>,
    /// `etag`.
    pub etag: Option<String>,
    /// `last-modified`.
    pub modified: Option<String>,
    /// `retry-after`.
    pub retry_after: Option<String>,
    /// `x-linked-etag`: the hash that hubs tell of their large files.
    pub linked_etag: Option<String>,
}

/// What to do with an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// Its body is the file from this byte on; the length of the whole file, where it is known.
    Bytes {
        /// First byte.
        start: u64,
        /// Of the file.
        len_bytes: Option<u64>,
        /// True where parts of the file can be asked for.
        parts: bool,
    },
    /// The file ends before the byte that was asked for, here if this is known.
    Beyond(Option<u64>),
    /// Ask again, in so many milliseconds if the server says when.
    Later(Option<u32>),
    /// Do not ask again.
    Refused,
}

/// Longest that a server may ask to wait.
const WAIT_MS_MAX: u32 = 600_000;

impl Answer {
    /// What it means to somebody who asked for the bytes from `start` on.
    pub fn meaning(&self, start: u64) -> Meaning {
        let (first, total) = self.range.as_deref().map_or((None, None), parse_range);
        match self.status {
            206 => Meaning::Bytes { start: first.unwrap_or(start), len_bytes: total, parts: true },
            200..=299 => Meaning::Bytes { start: 0, len_bytes: self.body_bytes(), parts: false },
            416 => Meaning::Beyond(total),
            408 | 425 | 429 | 500..=599 => Meaning::Later(self.wait_ms()),
            _ => Meaning::Refused,
        }
    }

    /// Whether a part is one of other bytes than the file's: what was compressed on the way was cut behind that.
    pub fn is_compressed_part(&self) -> bool {
        self.status == 206 && !self.is_plain()
    }

    fn is_plain(&self) -> bool {
        matches!(self.encoding.as_deref(), None | Some("identity"))
    }

    /// `content-length`, where it counts the bytes that arrive: it does not when the body is compressed on the way.
    fn body_bytes(&self) -> Option<u64> {
        self.length.as_deref().filter(|_| self.is_plain())?.parse().ok()
    }

    /// `retry-after` in seconds.
    fn wait_ms(&self) -> Option<u32> {
        let seconds: u32 = self.retry_after.as_deref()?.trim().parse().ok()?;
        Some(seconds.saturating_mul(1000).min(WAIT_MS_MAX))
    }

    /// True where this is of another file than the one with these marks. What is hidden says nothing.
    pub fn is_of_another(&self, etag: Option<&str>, modified: Option<&str>) -> bool {
        let differs = |one: Option<&str>, other: Option<&str>| Some(one? != other?);
        differs(self.etag.as_deref(), etag)
            .or_else(|| differs(self.modified.as_deref(), modified))
            .unwrap_or(false)
    }
}

/// First byte and length of the file of `bytes 0-9/100`, `bytes 0-9/*` or `bytes */100`.
fn parse_range(text: &str) -> (Option<u64>, Option<u64>) {
    let Some((range, total)) = text.trim().strip_prefix("bytes ").and_then(|rest| rest.split_once('/'))
    else {
        return (None, None);
    };
    (range.split('-').next().and_then(|first| first.trim().parse().ok()), total.trim().parse().ok())
}

/// What an `if-range` may carry: a strong mark, or the time of the last change.
pub fn condition<'a>(etag: Option<&'a str>, modified: Option<&'a str>) -> Option<&'a str> {
    etag.filter(|etag| etag.starts_with('"')).or(modified)
}

/// The error of an answer that is not one of bytes; `named` is the address that the page gave, where the one at `url` is
/// another file of the same model.
pub fn refusal(url: &str, named: &str, status: u16) -> WorkerError {
    const ABSENT: [u16; 2] = [404, 410];
    let error = WorkerError::HttpStatus { url: url.into(), status };
    let is_absent = url != named && ABSENT.contains(&status);
    if is_absent { WorkerError::PartsMissing { why: error.to_string() } } else { error }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn answer(status: u16, range: &str, length: &str) -> Answer {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Answer { status, range: some(range), length: some(length), ..Answer::default() }
    }

    #[test]
    fn answers_are_understood() {
        let bytes = |start, len_bytes, parts| Meaning::Bytes { start, len_bytes, parts };
        let rows = [
            (answer(206, "bytes 5-9/100", "5"), bytes(5, Some(100), true)),
            (answer(206, "bytes 6-9/*", "4"), bytes(6, None, true)),
            (answer(206, "", "5"), bytes(5, None, true)),
            (answer(206, "bytes x-9/y", ""), bytes(5, None, true)),
            (answer(200, "", "100"), bytes(0, Some(100), false)),
            (answer(200, "", ""), bytes(0, None, false)),
            (answer(200, "", "99999999999999999999999"), bytes(0, None, false)),
            (answer(416, "bytes */100", ""), Meaning::Beyond(Some(100))),
            (answer(416, "", ""), Meaning::Beyond(None)),
            (answer(503, "", ""), Meaning::Later(None)),
            (answer(404, "", ""), Meaning::Refused),
            (answer(304, "", ""), Meaning::Refused),
        ];
        for (answer, meaning) in rows {
            assert_eq!(answer.meaning(5), meaning, "{answer:?}");
        }
        let compressed = Answer { encoding: Some("gzip".into()), ..answer(200, "", "100") };
        assert_eq!(compressed.meaning(0), bytes(0, None, false));
        assert!(
            !compressed.is_compressed_part() && Answer { status: 206, ..compressed }.is_compressed_part()
        );
        for (text, wait) in [("3", Some(3000)), ("9999999", Some(600_000)), ("Wed, 21 Oct 2026", None)] {
            let busy = Answer { retry_after: Some(text.into()), ..answer(429, "", "") };
            assert_eq!(busy.meaning(0), Meaning::Later(wait));
        }
    }

    #[test]
    fn a_file_is_known_by_its_marks() {
        let marked = |etag: Option<&str>, modified: Option<&str>| Answer {
            etag: etag.map(Into::into),
            modified: modified.map(Into::into),
            ..Answer::default()
        };
        let (a, b, monday) = (Some("\"a\""), Some("\"b\""), Some("Mon"));
        assert!(marked(a, None).is_of_another(b, None));
        assert!(!marked(a, monday).is_of_another(a, Some("Tue")), "the etag decides");
        assert!(!marked(None, None).is_of_another(a, monday) && !marked(a, None).is_of_another(None, monday));
        assert!(marked(None, monday).is_of_another(a, Some("Tue")));
        assert_eq!(condition(a, monday), a);
        assert_eq!(condition(Some("W/\"a\""), monday), monday);
        assert_eq!(condition(None, None), None);
    }
}
