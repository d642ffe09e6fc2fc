//! Arguments that are nearly JSON, as JSON: a raw line break or a bad escape in a string, quotation marks inside one, a trailing comma,
//! names of Python, keys without quotation marks. Nothing of them is left out.

use super::format::Scan;
use super::tracker::{Next, Tracker};
use serde_json::Value as Json;

/// Most text that is looked at before what stands in front of it is decided.
const AHEAD_BYTES_MAX: usize = 1 << 10;
const WORDS: [(&str, &str); 3] = [("True", "true"), ("False", "false"), ("None", "null")];

/// The beginning of a text, mended.
pub(super) struct Mended {
    pub(super) json: String,
    /// What the JSON stands for.
    pub(super) bytes: usize,
    /// What follows cannot be mended.
    pub(super) failed: bool,
}

/// Mends as much of a text as is certain. `depth`: brackets that are open behind the arguments.
pub(super) fn mend(tracker: &mut Tracker, text: &str, depth: usize, last: bool) -> Mended {
    let mut json = String::new();
    let (mut at, mut sure, mut shown, mut begun) = (0, 0, 0, tracker.clone());
    let failed = loop {
        if tracker.is_done() {
            return Mended { json, bytes: at, failed: false };
        }
        let (piece, bytes) = match next(tracker, &text[at..], depth, last) {
            Scan::Took(piece, bytes) => (piece, bytes),
            Scan::More => break text.len() - sure > AHEAD_BYTES_MAX,
            Scan::Fail => break true,
        };
        if piece.chars().any(|c| tracker.push(c).is_none()) {
            break true;
        }
        tracker.settle();
        json.push_str(&piece);
        at += bytes;
        if tracker.can_end() {
            (sure, shown, begun) = (at, json.len(), tracker.clone());
        }
    };
    json.truncate(shown);
    *tracker = begun;
    Mended { json, bytes: sure, failed }
}

/// What a text that could not be mended is kept as, at the end of arguments.
pub(super) fn keep(mut tracker: Tracker, text: &str) -> String {
    let text = Json::from(text.trim()).to_string();
    let in_object = tracker.in_object();
    let kept = match tracker.next {
        Next::Text { .. } => text[1..].to_owned(),
        Next::Colon => format!(":{text}"),
        Next::Comma if in_object => format!(",\"\":{text}"),
        Next::Comma => format!(",{text}"),
        Next::FirstKey => format!("\"\":{text}"),
        Next::Value if tracker.is_fresh() => format!("{{\"\":{text}"),
        _ => text,
    };
    kept.chars().for_each(|c| {
        tracker.push(c);
    });
    kept + &tracker.completion()
}

/// The next piece of JSON, and how many bytes of the text it stands for.
fn next(tracker: &Tracker, text: &str, depth: usize, last: bool) -> Scan<String> {
    let Some(c) = text.chars().next() else { return Scan::More };
    let same = |bytes: usize| Scan::Took(text[..bytes].to_owned(), bytes);
    match tracker.next {
        Next::Text { is_key, .. } => match c {
            '"' if !is_key => quote(tracker, text, depth, last),
            '\\' => escape(text),
            c if c < ' ' => Scan::Took(Json::from(text[..1].to_owned()).to_string().replace('"', ""), 1),
            c => {
                let plain = text.find(|c: char| c < ' ' || matches!(c, '"' | '\\'));
                same(plain.unwrap_or(text.len()).max(c.len_utf8()))
            }
        },
        _ if c.is_ascii_whitespace() => same(1),
        _ if tracker.is_fresh() && c != '{' => Scan::Fail,
        Next::Comma if c == ',' => match text[1..].trim_start().chars().next() {
            None => Scan::More,
            Some(close) if tracker.closes(close) => Scan::Took(String::new(), 1),
            Some(_) => same(1),
        },
        Next::Comma if c == '"' && tracker.in_object() => Scan::Took(",".to_owned(), 0),
        Next::Value | Next::FirstItem if !"{[\"]".contains(c) => word(text, last),
        Next::Key | Next::FirstKey if !"\"}".contains(c) => bare_key(text),
        _ => same(c.len_utf8()),
    }
}

/// A quotation mark in a string: its end, or a part of it if no JSON follows.
fn quote(tracker: &Tracker, text: &str, depth: usize, last: bool) -> Scan<String> {
    let (end, part) = (Scan::Took("\"".to_owned(), 1), Scan::Took("\\\"".to_owned(), 1));
    let mut ahead = tracker.clone();
    ahead.push('"');
    for (at, c) in text.char_indices().skip(1) {
        let is_junk = c == '"' || c.is_alphanumeric();
        match ahead.next {
            Next::Text { .. } if c != '"' => {}
            _ if c.is_ascii_whitespace() => continue,
            Next::End => return if is_junk && depth > 0 { part } else { end },
            Next::Colon => return if c == ':' { end } else { part },
            Next::Value => return if is_junk || "{[]-'".contains(c) { end } else { part },
            Next::Key if c != '"' => {
                return match bare_key(&text[at..]) {
                    _ if ahead.closes(c) => end,
                    Scan::Took(..) => end,
                    Scan::More if !last => Scan::More,
                    _ => part,
                };
            }
            _ => {}
        }
        if at > AHEAD_BYTES_MAX / 2 || ahead.is_done() {
            return end;
        }
        if ahead.push(c).is_none() {
            return part;
        }
        if ahead.is_done() && depth == 0 {
            return end;
        }
    }
    if last { end } else { Scan::More }
}

fn escape(text: &str) -> Scan<String> {
    let mut chars = text[1..].chars();
    let (bytes, is_whole) = match chars.next() {
        None => return Scan::More,
        Some('u') => {
            let digits = chars.take_while(char::is_ascii_hexdigit).take(4).count();
            if digits < 4 && text.len() == 2 + digits {
                return Scan::More;
            }
            (6, digits == 4)
        }
        Some('\'') => return Scan::Took("'".to_owned(), 2),
        Some(c) => (2, "\"\\/bfnrt".contains(c)),
    };
    if is_whole { Scan::Took(text[..bytes].to_owned(), bytes) } else { Scan::Took("\\\\".to_owned(), 1) }
}

/// A number, a name, or a text without quotation marks or with single ones.
fn word(text: &str, last: bool) -> Scan<String> {
    let is_end = |c: char| matches!(c, ',' | ']' | '}' | '\n');
    if text.starts_with('\'') {
        let ends = |at: usize| text[at + 1..].trim_start().starts_with(is_end);
        let end = text.match_indices('\'').map(|(at, _)| at).find(|&at| at > 0 && ends(at));
        let Some(end) = end else { return Scan::More };
        return Scan::Took(Json::from(text[1..end].replace("\\'", "'")).to_string(), end + 1);
    }
    let end = match text.find(is_end) {
        None if !last => return Scan::More,
        end => end.unwrap_or(text.len()),
    };
    let word = text[..end].trim_end();
    let known = WORDS.iter().find(|(own, json)| *own == word || (last && json.starts_with(word)));
    Scan::Took(
        match known {
            _ if word.is_empty() => return Scan::Fail,
            Some((_, json)) => (*json).to_owned(),
            None if serde_json::from_str::<Json>(word).is_ok() => word.to_owned(),
            None => Json::from(word).to_string(),
        },
        end,
    )
}

/// A key without quotation marks or with single ones; its colon follows.
fn bare_key(text: &str) -> Scan<String> {
    let is_quoted = text.starts_with('\'');
    let key = if is_quoted { &text[1..] } else { text };
    let end =
        key.find(|c: char| if is_quoted { c == '\'' } else { !(c.is_alphanumeric() || "_-.$".contains(c)) });
    let Some(end) = end else { return Scan::More };
    let behind = key[end..].strip_prefix('\'').unwrap_or(&key[end..]);
    match behind.trim_start().chars().next() {
        None => Scan::More,
        Some(':') if end > 0 => Scan::Took(Json::from(&key[..end]).to_string(), text.len() - behind.len()),
        Some(_) => Scan::Fail,
    }
}
