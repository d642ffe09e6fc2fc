//! Python's string operations, keeping the origin of every character.

use super::error::Fault;
use super::fuel::Fuel;
use super::text::{Builder, Text};
use super::value::{Value, Values};
use std::rc::Rc;

pub(crate) fn upper(text: &Text) -> Result<Text, Fault> {
    text.map_chars(&mut |_, c, out| out.extend(c.to_uppercase()))
}

pub(crate) fn lower(text: &Text) -> Result<Text, Fault> {
    text.map_chars(&mut |_, c, out| out.extend(c.to_lowercase()))
}

/// For comparing: what the upper case is in lower case, but for the one letter that has another letter's.
pub(crate) fn fold_case(text: &Text) -> Result<Text, Fault> {
    text.map_chars(&mut |_, c, out| match c {
        'ı' => out.push(c),
        c => out.extend(c.to_uppercase().flat_map(char::to_lowercase)),
    })
}

pub(crate) fn capitalize(text: &Text) -> Result<Text, Fault> {
    text.map_chars(&mut |at, c, out| {
        if at == 0 { out.extend(c.to_uppercase()) } else { out.extend(c.to_lowercase()) }
    })
}

/// The first character of every word in upper case, the rest in lower case; `begins_word` judges by the character
/// before.
pub(crate) fn title(text: &Text, begins_word: impl Fn(char) -> bool) -> Result<Text, Fault> {
    let mut begin = true;
    text.map_chars(&mut |_, c, out| {
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
pub(crate) fn strip(text: &Text, chars: Option<&Text>, ends: Ends) -> Result<Text, Fault> {
    let fuel = text.fuel();
    // What cannot be paid for ends the search, and the charge below.
    let stripped = |c: char| match chars {
        Some(chars) => fuel.bytes(chars.as_str().len() + 8).is_ok() && chars.as_str().contains(c),
        None => is_python_space(c),
    };
    let mut part = text.read()?;
    if ends.start {
        part = part.trim_start_matches(stripped);
    }
    if ends.end {
        part = part.trim_end_matches(stripped);
    }
    fuel.elements(1)?;
    Ok(text.subslice(part))
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
) -> Result<Values, Fault> {
    let whole = text.read()?;
    let limit = usize::try_from(max).unwrap_or(usize::MAX).saturating_add(1).max(1);
    let part = |part| Ok(Value::Str(text.subslice(part)));
    let mut parts = match separator {
        Some(separator) if separator.as_str().is_empty() => return Err(Fault::new("empty separator")),
        Some(separator) => {
            let separator = separator.read()?;
            if from_end {
                Values::collect(text.fuel(), whole.rsplitn(limit, separator).map(part))?
            } else {
                Values::collect(text.fuel(), whole.splitn(limit, separator).map(part))?
            }
        }
        None => {
            let mut parts = Values::new(text.fuel());
            let mut rest = if from_end {
                whole.trim_end_matches(is_python_space)
            } else {
                whole.trim_start_matches(is_python_space)
            };
            while !rest.is_empty() {
                let gap = if from_end { rest.rfind(is_python_space) } else { rest.find(is_python_space) };
                let (Some(gap), true) = (gap, parts.len() + 1 < limit) else {
                    parts.push(part(rest)?)?;
                    break;
                };
                if from_end {
                    let space_len = rest[gap..].chars().next().map_or(1, char::len_utf8);
                    parts.push(part(&rest[gap + space_len..])?)?;
                    rest = rest[..gap].trim_end_matches(is_python_space);
                } else {
                    parts.push(part(&rest[..gap])?)?;
                    rest = rest[gap..].trim_start_matches(is_python_space);
                }
            }
            parts
        }
    };
    if from_end {
        parts.reverse();
    }
    Ok(parts)
}

/// Lines; a line break at the end begins no further one.
pub(crate) fn split_lines(text: &Text, keep_ends: bool) -> Result<Values, Fault> {
    let whole = text.read()?;
    let mut lines = Values::new(text.fuel());
    let mut start = 0;
    let breaks = |c: char| {
        matches!(
            c,
            '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}'
        )
    };
    while start < whole.len() {
        let end = whole[start..].find(breaks).map_or(whole.len(), |at| start + at);
        let break_len = if whole[end..].starts_with("\r\n") {
            2
        } else {
            whole[end..].chars().next().map_or(0, char::len_utf8)
        };
        lines.push(Value::Str(text.slice(start..if keep_ends { end + break_len } else { end })))?;
        start = end + break_len;
    }
    Ok(lines)
}

/// `replace`; an empty `old` stands between all characters.
pub(crate) fn replace(text: &Text, old: &Text, new: &Text, max: Option<i64>) -> Result<Text, Fault> {
    let limit = max.and_then(|max| usize::try_from(max).ok()).unwrap_or(usize::MAX);
    let mut out = Builder::new(text.fuel());
    let mut done = 0;
    for (at, part) in text.read()?.match_indices(old.read()?).take(limit) {
        out.push_text(&text.slice(done..at))?;
        out.push_text(new)?;
        done = at + part.len();
    }
    out.push_text(&text.slice(done..text.as_str().len()))?;
    Ok(out.finish())
}

/// The items as text with the separator between them.
pub(crate) fn join<'a>(separator: &Text, items: impl IntoIterator<Item = &'a Value>) -> Result<Text, Fault> {
    let mut out = Builder::new(separator.fuel());
    for (at, item) in items.into_iter().enumerate() {
        if at > 0 {
            out.push_text(separator)?;
        }
        separator.fuel().elements(1)?;
        item.write_str(&mut out)?;
    }
    Ok(out.finish())
}

/// The characters or elements in reverse order.
pub(crate) fn reversed(text: &Text) -> Result<Text, Fault> {
    let mut out = Builder::new(text.fuel());
    for (at, c) in text.read()?.char_indices().rev() {
        out.push_text(&text.slice(at..at + c.len_utf8()))?;
    }
    Ok(out.finish())
}

/// So many spaces; none for a negative count.
pub(crate) fn spaces(fuel: &Rc<Fuel>, count: i64) -> Result<Text, Fault> {
    let mut out = Builder::new(fuel);
    out.push_repeated(&Text::new(fuel, " ", true)?, count_of(count))?;
    Ok(out.finish())
}

/// A count from a template: none where it is negative.
pub(crate) fn count_of(count: i64) -> usize {
    usize::try_from(count.max(0)).unwrap_or(usize::MAX)
}

/// Spaces, or another character, on either side up to a width.
pub(crate) fn pad(text: &Text, width: i64, fill: char, left: bool, right: bool) -> Result<Text, Fault> {
    let width = count_of(width);
    let missing = width.saturating_sub(text.chars_len()?);
    let before = match (left, right) {
        // As Python shares an odd space.
        (true, true) => missing / 2 + (missing & width & 1),
        (true, false) => missing,
        _ => 0,
    };
    let fill = Text::new(text.fuel(), fill.encode_utf8(&mut [0; 4]), true)?;
    let mut out = Builder::new(text.fuel());
    out.push_repeated(&fill, before)?;
    out.push_text(text)?;
    out.push_repeated(&fill, missing - before)?;
    Ok(out.finish())
}
