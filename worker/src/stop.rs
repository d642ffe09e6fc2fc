//! Stop strings in streamed text. A stop string may span tokens, so text that could be the beginning of one is held
//! back until the next piece decides.

use crate::error::WorkerError;

/// Most stop strings, and most bytes of one: each piece of a text is compared with all.
const STOPS_MAX: usize = 1024;
const STOP_BYTES_MAX: usize = 1024;

/// Refuses lists of stop strings that would take long to look for.
///
/// # Errors
/// `BadMessage`.
pub fn check(stops: &[String]) -> Result<(), WorkerError> {
    let longest_bytes = stops.iter().map(String::len).max().unwrap_or(0);
    if stops.len() <= STOPS_MAX && longest_bytes <= STOP_BYTES_MAX {
        return Ok(());
    }
    let count = stops.len();
    let why = format!(
        "there are {count} stop strings of up to {longest_bytes} bytes; at most {STOPS_MAX} of {STOP_BYTES_MAX} bytes are allowed"
    );
    Err(WorkerError::BadMessage { why })
}

/// Finds the first stop string in a stream of text pieces.
#[derive(Debug)]
pub struct StopMatcher {
    stops: Vec<String>,
    held: String,
}

/// What [`StopMatcher::push`] found.
#[derive(Debug, PartialEq, Eq)]
pub enum Found {
    /// This text is safe to show; it may be empty.
    Text(String),
    /// A stop string; this is the text before it.
    Stop(String),
}

impl StopMatcher {
    /// Empty stop strings are ignored: they would end every text at once.
    pub fn new(stops: &[String]) -> Self {
        let stops = stops.iter().filter(|stop| !stop.is_empty()).cloned().collect();
        StopMatcher { stops, held: String::new() }
    }

    /// Takes the next piece of text.
    pub fn push(&mut self, piece: &str) -> Found {
        self.held.push_str(piece);
        if let Some(at) = self.stops.iter().filter_map(|stop| self.held.find(stop.as_str())).min() {
            self.held.truncate(at);
            return Found::Stop(std::mem::take(&mut self.held));
        }
        let rest = self.held.split_off(self.held.len() - self.undecided_bytes());
        Found::Text(std::mem::replace(&mut self.held, rest))
    }

    /// What was held back and turned out to be plain text: the end of the stream.
    pub fn finish(&mut self) -> String {
        std::mem::take(&mut self.held)
    }

    /// Length of the longest end of the held text that begins a stop string.
    fn undecided_bytes(&self) -> usize {
        let begins_stop = |at: &usize| {
            let tail = self.held.get(*at..).unwrap_or_default();
            self.stops.iter().any(|stop| stop.starts_with(tail))
        };
        let longest_bytes = self.stops.iter().map(|stop| stop.len() - 1).max().unwrap_or(0);
        let first = self.held.len().saturating_sub(longest_bytes);
        let starts = (first..self.held.len()).filter(|&at| self.held.is_char_boundary(at));
        starts.into_iter().find(begins_stop).map_or(0, |at| self.held.len() - at)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn long_lists_are_refused() {
        assert!(check(&vec!["a".repeat(STOP_BYTES_MAX); STOPS_MAX]).is_ok());
        for stops in [vec![String::new(); STOPS_MAX + 1], vec!["a".repeat(STOP_BYTES_MAX + 1)]] {
            let error = check(&stops).unwrap_err().to_string();
            assert!(error.contains(&stops.len().to_string()) && error.contains("1024"), "{error}");
        }
    }

    /// Text shown and whether it stopped, for pieces and stop strings.
    fn run(pieces: &[&str], stops: &[&str]) -> (String, bool) {
        let stops: Vec<String> = stops.iter().map(|s| s.to_string()).collect();
        let mut matcher = StopMatcher::new(&stops);
        let mut shown = String::new();
        for piece in pieces {
            match matcher.push(piece) {
                Found::Text(text) => shown += &text,
                Found::Stop(text) => return (shown + &text, true),
            }
        }
        (shown + &matcher.finish(), false)
    }

    #[test]
    fn stops_are_found_across_pieces() {
        let rows: &[(&[&str], &[&str], &str, bool)] = &[
            (&["one", " two"], &[], "one two", false),
            (&["one", " two"], &["o t"], "one two", false),
            (&["one", " two"], &["e t"], "on", true),
            (&["a\n", "\nUs", "er: b"], &["\n\nUser:"], "a", true),
            (&["a\n", "\nUs", "ual"], &["\n\nUser:"], "a\n\nUsual", false),
            (&["aa", "ab"], &["aab"], "a", true),
            (&["ab", "ab", "ac"], &["abac"], "ab", true),
            (&["x", "y"], &["xyz", "y"], "x", true),
            (&["x", "y"], &[""], "xy", false),
            (&["naïv", "e é", "…"], &["é…"], "naïve ", true),
            (&["é"], &["\u{c3}"], "é", false),
        ];
        for (pieces, stops, text, stopped) in rows {
            assert_eq!(run(pieces, stops), (text.to_string(), *stopped), "{pieces:?} {stops:?}");
        }
    }

    #[test]
    fn any_cut_gives_the_same_text() {
        let text = "It ends. END of it";
        let cuts = text.char_indices().map(|(at, _)| at);
        for at in cuts {
            assert_eq!(run(&[&text[..at], &text[at..]], &["END"]), ("It ends. ".to_string(), true));
            let singles: Vec<String> = text.chars().map(String::from).collect();
            let singles: Vec<&str> = singles.iter().map(String::as_str).collect();
            assert_eq!(run(&singles, &["END"]), ("It ends. ".to_string(), true));
        }
    }
}
