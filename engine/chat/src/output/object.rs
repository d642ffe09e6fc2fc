//! A call as a JSON object: `{"name": .., "arguments": ..}`.

use super::format::Scan;
use super::tracker::value_bytes;
use serde_json::Value as Json;

/// Keys of the object.
pub(crate) struct Keys<'a> {
    /// Empty where the name is itself the key of the arguments.
    pub(crate) name: &'a str,
    pub(crate) arguments: &'a str,
    pub(crate) id: &'a str,
}

/// What an object says up to its arguments, or whole.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) id: Option<String>,
    /// Brackets that are open.
    pub(crate) depth: usize,
    /// Arguments that came before the name or as a string; None where they are to follow, unless `depth` is 0.
    pub(crate) arguments: Option<String>,
}

/// Reads an object up to the beginning of its arguments, where its name is known by then, else whole.
pub(crate) fn head(text: &str, keys: &Keys) -> Scan<Head> {
    let mut head = Head::default();
    let mut at = 0;
    let mut behind_value = false;
    loop {
        at += text[at..].len() - text[at..].trim_start().len();
        let Some(c) = text[at..].chars().next() else { return Scan::More };
        match c {
            '{' if head.depth == 0 => head.depth = 1,
            '}' if head.depth > 0 => {
                head.depth -= 1;
                if head.depth == 0 {
                    let known = !head.name.is_empty();
                    return if known { Scan::Took(head, at + 1) } else { Scan::Fail };
                }
            }
            ',' if behind_value => {
                at += 1;
                behind_value = false;
                continue;
            }
            '"' if head.depth > 0 && !behind_value => {
                let (key, value_at) = match key(text, at) {
                    Scan::Took(key, value_at) => (key, value_at),
                    Scan::More => return Scan::More,
                    Scan::Fail => return Scan::Fail,
                };
                let Some(first) = text[value_at..].chars().next() else { return Scan::More };
                let name_is_key = keys.name.is_empty() && head.name.is_empty();
                if name_is_key {
                    head.name.clone_from(&key);
                }
                let is_arguments = name_is_key || key == keys.arguments;
                if is_arguments && first == '{' && !head.name.is_empty() && head.arguments.is_none() {
                    return Scan::Took(head, value_at);
                }
                // `{"type": "function", "function": {..}}`: what is inside counts as of the object itself.
                if key == "function" && first == '{' {
                    head.depth += 1;
                    at = value_at + 1;
                    continue;
                }
                let bytes = match value_bytes(&text[value_at..]) {
                    Scan::Took((), bytes) => bytes,
                    Scan::More => return Scan::More,
                    Scan::Fail => return Scan::Fail,
                };
                let value = &text[value_at..value_at + bytes];
                let Ok(json) = serde_json::from_str::<Json>(value) else { return Scan::Fail };
                match json {
                    Json::String(text) if key == keys.name && head.name.is_empty() => head.name = text,
                    Json::Number(id) if key == keys.id => head.id = Some(id.to_string()),
                    Json::String(text) if key == keys.id => head.id = Some(text),
                    Json::Object(_) if is_arguments => head.arguments = Some(value.trim().to_owned()),
                    Json::String(text) if is_arguments => match serde_json::from_str::<Json>(&text) {
                        Ok(Json::Object(_)) => head.arguments = Some(text),
                        _ => return Scan::Fail,
                    },
                    Json::Null if is_arguments => {}
                    _ if is_arguments => return Scan::Fail,
                    _ => {}
                }
                at = value_at + bytes;
                behind_value = true;
                continue;
            }
            _ => return Scan::Fail,
        }
        behind_value = c == '}';
        at += 1;
    }
}

/// A key and its colon; the bytes are where the value begins.
fn key(text: &str, at: usize) -> Scan<String> {
    let bytes = match value_bytes(&text[at..]) {
        Scan::Took((), bytes) => bytes,
        Scan::More => return Scan::More,
        Scan::Fail => return Scan::Fail,
    };
    let Ok(key) = serde_json::from_str::<String>(&text[at..at + bytes]) else { return Scan::Fail };
    let rest = text[at + bytes..].trim_start();
    match rest.chars().next() {
        None => Scan::More,
        Some(':') => {
            let value = rest[1..].trim_start();
            Scan::Took(key, text.len() - value.len())
        }
        Some(_) => Scan::Fail,
    }
}

/// What follows the arguments, up to the end of the object.
pub(crate) fn tail(text: &str, mut depth: usize) -> Scan<()> {
    let mut at = 0;
    while depth > 0 {
        at += text[at..].len() - text[at..].trim_start().len();
        match text[at..].chars().next() {
            None => return Scan::More,
            Some('}') => {
                depth -= 1;
                at += 1;
            }
            Some(',') => {
                let rest = text[at + 1..].trim_start();
                at = text.len() - rest.len();
                if rest.is_empty() {
                    return Scan::More;
                }
                if rest.starts_with('}') {
                    continue;
                }
                if !rest.starts_with('"') {
                    return Scan::Fail;
                }
                let value_at = match key(text, at) {
                    Scan::Took(_, value_at) => value_at,
                    Scan::More => return Scan::More,
                    Scan::Fail => return Scan::Fail,
                };
                match value_bytes(&text[value_at..]) {
                    Scan::Took((), bytes) => at = value_at + bytes,
                    Scan::More => return Scan::More,
                    Scan::Fail => return Scan::Fail,
                }
            }
            Some(_) => return Scan::Fail,
        }
    }
    Scan::Took((), at)
}
