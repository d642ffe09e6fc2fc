//! Values as Python, JSON or Gemma write them, as JSON.

use super::format::Scan;
use serde_json::Value as Json;
use std::str::CharIndices;

/// Nesting of values.
const DEPTH_MAX: usize = 64;
/// Gemma's quotation mark.
const MARK: &str = "<|\"|>";
/// What separates a key from its value.
const ASSIGN: [char; 2] = ['=', ':'];

/// A reader over a text that may not be whole.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

/// Why there is no value.
enum Stop {
    More,
    Fail,
}

/// An argument with its key, and the comma before it if there is one. None where the closing bracket comes instead.
pub(crate) fn argument(text: &str, close: char) -> Scan<Option<(String, String)>> {
    let mut reader = Reader { text, at: 0 };
    match reader.argument(close) {
        Ok(argument) => Scan::Took(argument, reader.at),
        Err(Stop::More) => Scan::More,
        Err(Stop::Fail) => Scan::Fail,
    }
}

/// A text that is one value, as JSON.
pub(crate) fn whole(text: &str) -> Option<String> {
    let mut reader = Reader { text, at: 0 };
    // The blank ends a number.
    let padded = format!("{text} ");
    reader.text = &padded;
    let mut out = String::new();
    reader.value(0, &mut out).ok()?;
    padded[reader.at..].trim().is_empty().then_some(out)
}

impl Reader<'_> {
    fn peek(&mut self) -> Result<char, Stop> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next().ok_or(Stop::More)
    }

    fn take(&mut self, wanted: char) -> Result<bool, Stop> {
        let found = self.peek()? == wanted;
        self.at += if found { wanted.len_utf8() } else { 0 };
        Ok(found)
    }

    fn argument(&mut self, close: char) -> Result<Option<(String, String)>, Stop> {
        self.take(',')?;
        if self.take(close)? {
            return Ok(None);
        }
        let key = self.key()?;
        let mut out = String::new();
        self.value(0, &mut out)?;
        // What follows is an end as well: a value may not run on.
        match self.peek()? {
            ',' => {}
            c if c == close => {}
            _ => return Err(Stop::Fail),
        }
        Ok(Some((key, out)))
    }

    /// A key, quoted or not, and what separates it from its value.
    fn key(&mut self) -> Result<String, Stop> {
        let key = match self.string()? {
            Some(key) => key,
            None => {
                let rest = &self.text[self.at..];
                let end = rest.find(|c: char| ASSIGN.contains(&c) || c.is_whitespace());
                let key = &rest[..end.ok_or(Stop::More)?];
                if key.is_empty() || key.contains(['(', ')', '{', '}', ',', '"']) {
                    return Err(Stop::Fail);
                }
                self.at += key.len();
                key.to_owned()
            }
        };
        let c = self.peek()?;
        if !ASSIGN.contains(&c) {
            return Err(Stop::Fail);
        }
        self.at += 1;
        Ok(key)
    }

    fn value(&mut self, depth: usize, out: &mut String) -> Result<(), Stop> {
        if depth > DEPTH_MAX {
            return Err(Stop::Fail);
        }
        if let Some(text) = self.string()? {
            out.push_str(&Json::String(text).to_string());
            return Ok(());
        }
        let open = self.peek()?;
        let close = match open {
            '{' => '}',
            '[' => ']',
            '(' => ')',
            _ => return self.word(out),
        };
        self.at += 1;
        out.push(if open == '{' { '{' } else { '[' });
        let mut first = true;
        while !self.take(close)? {
            if !first && !self.take(',')? {
                return Err(Stop::Fail);
            }
            if !first && self.take(close)? {
                break;
            }
            out.push_str(if first { "" } else { ", " });
            first = false;
            if open == '{' {
                let key = self.key()?;
                out.push_str(&Json::String(key).to_string());
                out.push_str(": ");
            }
            self.value(depth + 1, out)?;
        }
        out.push(if open == '{' { '}' } else { ']' });
        Ok(())
    }

    /// A number or a name of Python or JSON.
    fn word(&mut self, out: &mut String) -> Result<(), Stop> {
        let rest = &self.text[self.at..];
        let end =
            rest.find(|c: char| !(c.is_ascii_alphanumeric() || "+-._".contains(c))).ok_or(Stop::More)?;
        let word = match &rest[..end] {
            "True" => "true",
            "False" => "false",
            "None" => "null",
            word if serde_json::from_str::<Json>(word).is_ok() => word,
            _ => return Err(Stop::Fail),
        };
        out.push_str(word);
        self.at += end;
        Ok(())
    }

    /// A string in any of the quotation marks; None where none begins.
    fn string(&mut self) -> Result<Option<String>, Stop> {
        let quote = self.peek()?;
        let rest = &self.text[self.at..];
        if quote == '<' {
            let Some(inner) = rest.strip_prefix(MARK) else {
                return Err(if MARK.starts_with(rest) { Stop::More } else { Stop::Fail });
            };
            let end = inner.find(MARK).ok_or(Stop::More)?;
            self.at += end + 2 * MARK.len();
            return Ok(Some(inner[..end].to_owned()));
        }
        if quote != '"' && quote != '\'' {
            return Ok(None);
        }
        let mut text = String::new();
        let mut chars = rest[1..].char_indices();
        while let Some((at, c)) = chars.next() {
            if c == quote {
                self.at += at + 2;
                return Ok(Some(text));
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let (_, escaped) = chars.next().ok_or(Stop::More)?;
            match escaped {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                '\n' => {}
                '\\' | '/' | '"' | '\'' => text.push(escaped),
                'u' | 'x' => text.push(code_point(&mut chars, if escaped == 'u' { 4 } else { 2 })?),
                other => text.extend(['\\', other]),
            }
        }
        Err(Stop::More)
    }
}

/// The character of an escape whose digits come next. In `\u` escapes, as in JSON, it may be in two halves.
fn code_point(chars: &mut CharIndices, digits: usize) -> Result<char, Stop> {
    let first = number(chars, digits)?;
    if (0xD800..0xDC00).contains(&first) {
        let mut ahead = chars.clone();
        let mut is_next = |wanted| ahead.next().map(|(_, c)| c == wanted).ok_or(Stop::More);
        if is_next('\\')? && is_next('u')? {
            let second = number(&mut ahead, digits)?;
            if (0xDC00..0xE000).contains(&second) {
                *chars = ahead;
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }
    Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// A hexadecimal number of so many digits.
fn number(chars: &mut CharIndices, digits: usize) -> Result<u32, Stop> {
    (0..digits).try_fold(0, |number, _| {
        let (_, digit) = chars.next().ok_or(Stop::More)?;
        Ok(number * 16 + digit.to_digit(16).ok_or(Stop::Fail)?)
    })
}
