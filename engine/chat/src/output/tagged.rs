//! Names and arguments between markers.

use super::format::{Scan, marker};
use super::literal;
use serde_json::Value as Json;

/// Longest name or id.
pub(super) const NAME_BYTES_MAX: usize = 256;

/// Values whose keys are tags behind a marker, as JSON; `item`s are a list.
pub(super) fn nested(text: &str, open: &str) -> Option<String> {
    let mut rest = text.trim();
    if !rest.starts_with(open) {
        return literal::whole(rest);
    }
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let (key, behind) = rest.strip_prefix(open)?.split_once('>')?;
        let [begin, end] = [format!("{open}{key}>"), format!("{open}/{key}>")];
        let mut at = behind.find(&end)?;
        while behind[..at].matches(&begin).count() > behind[..at].matches(&end).count() {
            at += end.len() + behind[at + end.len()..].find(&end)?;
        }
        let value = &behind[..at];
        parts.push((key, nested(value, open).unwrap_or_else(|| Json::from(value).to_string())));
        rest = behind[at + end.len()..].trim_start();
    }
    let is_list = parts.iter().all(|(key, _)| *key == "item");
    let entry = |(key, value): (&str, String)| format!("{}: {value}", Json::from(key));
    Some(match is_list {
        true => format!("[{}]", parts.into_iter().map(|(_, value)| value).collect::<Vec<_>>().join(", ")),
        false => format!("{{{}}}", parts.into_iter().map(entry).collect::<Vec<_>>().join(", ")),
    })
}

/// A name before a marker. Without a marker it ends with its line, or where arguments begin.
pub(super) fn name_before(text: &str, end: &str) -> Scan<String> {
    let mut end = end.trim();
    // Between a quotation mark and `>` there may be other attributes.
    let has_attributes = end.starts_with('"') && end.ends_with('>');
    if has_attributes {
        end = "\"";
    }
    let at = if end.is_empty() { text.find(['\n', '{', '<']) } else { text.find(end) };
    // Of a marker that is not whole the beginning may be there.
    let begun = end.chars().next().and_then(|first| text.find(first));
    let name = text[..at.or(begun).unwrap_or(text.len())].trim();
    if name.len() > NAME_BYTES_MAX || name.contains([' ', '\n', '{', '<']) {
        return Scan::Fail;
    }
    match at {
        Some(_) if name.is_empty() => Scan::Fail,
        Some(at) if has_attributes => match text[at..].find('>') {
            Some(end) => Scan::Took(name.to_owned(), at + end + 1),
            None => Scan::More,
        },
        Some(at) => Scan::Took(name.trim_matches('"').to_owned(), at + end.len()),
        None => Scan::More,
    }
}

/// An argument between markers, without the line breaks that belong to them. The value ends where what may follow it does.
pub(super) fn tagged(text: &str, key_end: &str, value_end: &str, ends: &[&str]) -> Scan<(String, String)> {
    let wanted = key_end.trim();
    // Between a quotation mark and `>` there may be other attributes.
    let (mark, has_attributes) = if wanted.starts_with('"') { ("\"", true) } else { (wanted, false) };
    let first = mark.split_whitespace().next().unwrap_or_default();
    let Some(at) = text.find(first) else { return Scan::More };
    let key = text[..at].trim().to_owned();
    let begin = match text[at..].find('>') {
        _ if !has_attributes => match marker(&text[at..], mark) {
            Scan::Took((), bytes) => at + bytes,
            Scan::More => return Scan::More,
            Scan::Fail => return Scan::Fail,
        },
        Some(end) => at + end + 1,
        None => return Scan::More,
    };
    let value_end = &*value_end.replace("{}", &key);
    if let Some(data) = text[begin..].trim_start().strip_prefix("<![CDATA[") {
        for (end, _) in data.match_indices("]]>") {
            match marker(&data[end + 3..], value_end) {
                Scan::Took((), bytes) => {
                    let all = text.len() - data.len() + end + 3 + bytes;
                    return Scan::Took((key, data[..end].to_owned()), all);
                }
                Scan::More => break,
                Scan::Fail => {}
            }
        }
        return Scan::More;
    }
    let mut from = begin;
    loop {
        let Some(found) = text[from..].find(value_end.trim()) else { return Scan::More };
        let (end, behind) = (from + found, from + found + value_end.trim().len());
        let rest = &text[behind..];
        let follows = ends.iter().filter(|end| !end.trim().is_empty()).map(|end| marker(rest, end));
        let mut may = false;
        for scan in follows {
            match scan {
                Scan::Took(..) => {
                    let mut value = &text[begin..end];
                    if key_end.ends_with('\n') {
                        value = value.strip_prefix('\n').unwrap_or(value);
                    }
                    if value_end.starts_with('\n') {
                        value = value.strip_suffix('\n').unwrap_or(value);
                    }
                    return Scan::Took((key, value.to_owned()), behind);
                }
                Scan::More => may = true,
                Scan::Fail => {}
            }
        }
        if may {
            return Scan::More;
        }
        from = behind;
    }
}
