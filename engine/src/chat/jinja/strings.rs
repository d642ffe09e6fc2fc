//! Python's string operations, keeping the origin of every character.

use super::error::Fault;
use super::text::{Builder, Text};
use super::value::Value;

pub(crate) fn upper(text: &Text) -> Text {
    text.map_chars(|_, c, out| out.extend(c.to_uppercase()))
}

pub(crate) fn lower(text: &Text) -> Text {
    text.map_chars(|_, c, out| out.extend(c.to_lowercase()))
}

pub(crate) fn capitalize(text: &Text) -> Text {
    text.map_chars(
        |at, c, out| if at == 0 { out.extend(c.to_uppercase()) } else { out.extend(c.to_lowercase()) },
    )
}

/// The first character of every word in upper case, the rest in lower case; `begins_word` judges by the character
/// before.
pub(crate) fn title(text: &Text, begins_word: impl Fn(char) -> bool) -> Text {
    let mut begin = true;
    text.map_chars(|_, c, out| {
        if begin {
            out.extend(c.to_uppercase())
        } else {
            out.extend(c.to_lowercase())
        }
        begin = begins_word(c);
    })
}

/// Which ends to strip.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ends {
    pub(crate) start: bool,
    pub(crate) end: bool,
}

/// White space, or the given characters, off the ends.
pub(crate) fn strip(text: &Text, chars: Option<&Text>, ends: Ends) -> Text {
    let stripped = |c: char| match chars {
        Some(chars) => chars.as_str().contains(c),
        None => is_python_space(c),
    };
    let mut part = text.as_str();
    if ends.start {
        part = part.trim_start_matches(stripped);
    }
    if ends.end {
        part = part.trim_end_matches(stripped);
    }
    text.subslice(part)
}

/// What `str.isspace` says.
pub(crate) fn is_python_space(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{1c}'..='\u{1f}')
}

/// `split` and `rsplit`.
pub(crate) fn split(
    text: &Text,
    separator: Option<&Text>,
    max: i64,
    from_end: bool,
) -> Result<Vec<Value>, Fault> {
    let whole = text.as_str();
    let limit = usize::try_from(max).unwrap_or(usize::MAX).saturating_add(1).max(1);
    let mut parts: Vec<&str> = match separator {
        Some(separator) if separator.as_str().is_empty() => return Err(Fault::new("empty separator")),
        Some(separator) if from_end => whole.rsplitn(limit, separator.as_str()).collect(),
        Some(separator) => whole.splitn(limit, separator.as_str()).collect(),
        None => {
            let mut parts = Vec::new();
            let mut rest = if from_end {
                whole.trim_end_matches(is_python_space)
            } else {
                whole.trim_start_matches(is_python_space)
            };
            while !rest.is_empty() {
                let gap = if from_end { rest.rfind(is_python_space) } else { rest.find(is_python_space) };
                let (Some(gap), true) = (gap, parts.len() + 1 < limit) else {
                    parts.push(if from_end {
                        rest.trim_start_matches(is_python_space)
                    } else {
                        rest.trim_end_matches(is_python_space)
                    });
                    break;
                };
                let (before, after) = (&rest[..gap], &rest[gap..]);
                if from_end {
                    parts.push(after.trim_start_matches(is_python_space));
                    rest = before.trim_end_matches(is_python_space);
                } else {
                    parts.push(before);
                    rest = after.trim_start_matches(is_python_space);
                }
            }
            parts
        }
    };
    if from_end {
        parts.reverse();
    }
    Ok(parts.into_iter().map(|part| Value::Str(text.subslice(part))).collect())
}

/// Lines; a line break at the end begins no further one.
pub(crate) fn split_lines(text: &Text, keep_ends: bool) -> Vec<Text> {
    let whole = text.as_str();
    let mut lines = Vec::new();
    let mut start = 0;
    let breaks = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    while start < whole.len() {
        let Some(at) = whole[start..].find(breaks).map(|at| start + at) else {
            lines.push(text.slice(start..whole.len()));
            break;
        };
        let break_len = if whole[at..].starts_with("\r\n") {
            2
        } else {
            whole[at..].chars().next().map_or(1, char::len_utf8)
        };
        lines.push(text.slice(start..if keep_ends { at + break_len } else { at }));
        start = at + break_len;
    }
    lines
}

/// `replace`; an empty `old` stands between all characters.
pub(crate) fn replace(text: &Text, old: &Text, new: &Text, max: Option<i64>) -> Text {
    let limit = max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
    let mut out = Builder::default();
    let mut done = 0;
    for (at, part) in text.as_str().match_indices(old.as_str()).take(limit) {
        out.push_slice(text, done..at);
        out.push_text(new);
        done = at + part.len();
    }
    out.push_slice(text, done..text.as_str().len());
    out.finish()
}

/// The items as text with the separator between them.
pub(crate) fn join(separator: &Text, items: &[Value]) -> Text {
    let mut out = Builder::default();
    for (at, item) in items.iter().enumerate() {
        if at > 0 {
            out.push_text(separator);
        }
        item.write_str(&mut out);
    }
    out.finish()
}

/// Spaces, or another character, on either side up to a width.
pub(crate) fn pad(text: &Text, width: i64, fill: char, left: bool, right: bool) -> Text {
    let missing =
        usize::try_from(width).unwrap_or(0).min(1 << 20).saturating_sub(text.as_str().chars().count());
    let before = match (left, right) {
        (true, true) => missing / 2,
        (true, false) => missing,
        _ => 0,
    };
    let mut out = Builder::default();
    out.push(&fill.to_string().repeat(before), true);
    out.push_text(text);
    out.push(&fill.to_string().repeat(missing - before), true);
    out.finish()
}
