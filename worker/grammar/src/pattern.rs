//! Translates JavaScript's regular expressions, which JSON Schema uses, into the syntax of `llguidance`.
//!
//! Texts are UTF-8 and contain no lone surrogates. A lookahead at the beginning of a pattern becomes a pattern of its own. Other
//! lookarounds are not changed, and `llguidance` refuses them.

use std::fmt::Write;
use std::iter::Peekable;
use std::str::Chars;

use crate::lookahead;

const HYPHEN: u32 = 0x2D;
const SURROGATES: std::ops::RangeInclusive<u32> = 0xD800..=0xDFFF;

/// A class that matches no character.
const NOTHING: &str = r"[^\s\S]";
/// The characters that `\s` matches in every validator.
const BLANKS: &str = r"\t-\r \u{A0}\u{1680}\u{2000}-\u{200A}\u{2028}\u{2029}\u{202F}\u{205F}\u{3000}";
/// Characters on which validators disagree: for JavaScript `\s` matches the byte order mark, for Rust it matches the next line.
const DOUBTFUL_BLANKS: &str = r"\u{85}\u{FEFF}";

/// Patterns that together match the texts that `pattern` matches.
pub(crate) fn split(pattern: &str) -> Vec<String> {
    lookahead::split(pattern)
        .unwrap_or_else(|| vec![pattern.to_owned()])
        .iter()
        .map(|one| translate(one))
        .collect()
}

/// A part of a pattern.
enum Item {
    /// A code point, which may be a lone surrogate.
    Point(u32),
    /// A hyphen that is not escaped.
    Hyphen,
    /// An escape for several code points or for a position.
    Set(String),
}

/// Translates the syntax of one pattern.
pub(crate) fn translate(pattern: &str) -> String {
    let mut chars = pattern.chars().peekable();
    let mut out = String::with_capacity(pattern.len());
    while let Some(c) = chars.next() {
        match c {
            '[' => class(&mut chars, &mut out),
            '\\' => match escape(&mut chars, false) {
                Item::Point(point) => push(point, &mut out),
                Item::Set(text) => out.push_str(&text),
                Item::Hyphen => out.push('-'),
            },
            '{' => match quantifier(&chars) {
                Some(text) => {
                    chars.by_ref().nth(text.len() - 1);
                    out.push('{');
                    out.push_str(&text);
                }
                None => out.push_str("\\{"),
            },
            '}' | ']' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// The rest of a quantifier after its opening brace: `2}`, `2,}` or `2,4}`.
fn quantifier(chars: &Peekable<Chars>) -> Option<String> {
    let mut text = String::new();
    for c in chars.clone() {
        text.push(c);
        match c {
            '}' => break,
            '0'..='9' => {}
            ',' if text.len() > 1 && !text[..text.len() - 1].contains(',') => {}
            _ => return None,
        }
    }
    (text.len() > 1 && text.ends_with('}')).then_some(text)
}

/// Reads an escape after its backslash.
fn escape(chars: &mut Peekable<Chars>, is_in_class: bool) -> Item {
    let Some(c) = chars.next() else { return Item::Set("\\".into()) };
    match c {
        'u' => match unicode(chars) {
            Some(high @ 0xD800..=0xDBFF) => {
                let mut ahead = chars.clone();
                let is_escape = ahead.next() == Some('\\') && ahead.next() == Some('u');
                match unicode(&mut ahead) {
                    Some(low @ 0xDC00..=0xDFFF) if is_escape => {
                        *chars = ahead;
                        Item::Point(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00))
                    }
                    _ => Item::Point(high),
                }
            }
            Some(point) => Item::Point(point),
            None => Item::Point(u32::from('u')),
        },
        'x' => match hex(chars, 2) {
            Some(point) => Item::Point(point),
            None => Item::Point(u32::from('x')),
        },
        'c' if chars.peek().is_some_and(char::is_ascii_alphabetic) => {
            Item::Point(chars.next().map_or(0, |letter| u32::from(letter) % 32))
        }
        '0' if !chars.peek().is_some_and(char::is_ascii_digit) => Item::Point(0),
        'b' if is_in_class => Item::Point(8),
        't' => Item::Point(9),
        'n' => Item::Point(10),
        'v' => Item::Point(11),
        'f' => Item::Point(12),
        'r' => Item::Point(13),
        's' => Item::Set(format!("[{BLANKS}]")),
        'S' => Item::Set(format!("[^{BLANKS}{DOUBTFUL_BLANKS}]")),
        // Python's and Ruby's; JavaScript has no meaning for them.
        'A' if !is_in_class => Item::Set("^".into()),
        'z' | 'Z' if !is_in_class => Item::Set("$".into()),
        c if c.is_ascii_alphanumeric() => {
            let mut text = format!("\\{c}");
            // The name of a property or of a group.
            if matches!(c, 'p' | 'P' | 'k') {
                for next in chars.by_ref() {
                    text.push(next);
                    if matches!(next, '}' | '>') || text.len() == 3 && !matches!(next, '{' | '<') {
                        break;
                    }
                }
            }
            Item::Set(text)
        }
        c => Item::Point(c.into()),
    }
}

/// Reads the code point after `\u`: four hexadecimal digits, or digits in braces.
fn unicode(chars: &mut Peekable<Chars>) -> Option<u32> {
    if chars.peek() != Some(&'{') {
        return hex(chars, 4);
    }
    let text: String = chars.clone().skip(1).take_while(|&c| c != '}').take(8).collect();
    let point = u32::from_str_radix(&text, 16).ok().filter(|&point| point <= 0x10_FFFF)?;
    chars.by_ref().nth(text.len() + 1);
    Some(point)
}

/// Reads `count` hexadecimal digits, or nothing if there are fewer.
fn hex(chars: &mut Peekable<Chars>, count: usize) -> Option<u32> {
    let text: String = chars.clone().take(count).collect();
    let is_hex = text.len() == count && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let number = is_hex.then(|| u32::from_str_radix(&text, 16).ok())??;
    chars.by_ref().nth(count - 1);
    Some(number)
}

/// Translates a class from after its opening bracket to its closing one.
fn class(chars: &mut Peekable<Chars>, out: &mut String) {
    let is_not = chars.next_if_eq(&'^').is_some();
    let mut inside = String::new();
    let next = |chars: &mut Peekable<Chars>| match chars.next() {
        None | Some(']') => None,
        Some('\\') => Some(escape(chars, true)),
        Some('-') => Some(Item::Hyphen),
        Some(c) => Some(Item::Point(c.into())),
    };
    let mut item = next(chars);
    while let Some(first) = item {
        item = next(chars);
        let low = match first {
            Item::Point(point) => point,
            Item::Hyphen => HYPHEN,
            Item::Set(text) => {
                inside.push_str(&text);
                continue;
            }
        };
        let mut high = low;
        if matches!(item, Some(Item::Hyphen)) && chars.peek() != Some(&']') {
            let end = next(chars);
            item = match end {
                Some(Item::Set(_)) | None => {
                    // A set cannot end a range, so the hyphen is literal.
                    push(HYPHEN, &mut inside);
                    end
                }
                Some(Item::Point(point)) => {
                    high = point;
                    next(chars)
                }
                Some(Item::Hyphen) => {
                    high = HYPHEN;
                    next(chars)
                }
            };
        }
        push_range(low, high, &mut inside);
    }
    match (is_not, inside.is_empty()) {
        (false, true) => out.push_str(NOTHING),
        (true, true) => out.push_str(r"[\s\S]"),
        (is_not, false) => {
            out.push_str(if is_not { "[^" } else { "[" });
            out.push_str(&inside);
            out.push(']');
        }
    }
}

/// Writes a range without the surrogates in it. A range whose end is below its beginning is not changed, and is refused.
fn push_range(low: u32, high: u32, out: &mut String) {
    let low = if SURROGATES.contains(&low) { SURROGATES.end() + 1 } else { low };
    let high = if SURROGATES.contains(&high) { SURROGATES.start() - 1 } else { high };
    if low > high && (low == SURROGATES.end() + 1 || high == SURROGATES.start() - 1) {
        return;
    }
    push(low, out);
    if low != high {
        out.push('-');
        push(high, out);
    }
}

/// Writes a code point, escaped so that it may stand in a class and outside.
fn push(point: u32, out: &mut String) {
    match char::from_u32(point) {
        Some(c) if c.is_ascii_alphanumeric() || !c.is_ascii() => out.push(c),
        Some(c) if c.is_ascii_graphic() && !matches!(c, '<' | '>') => out.extend(['\\', c]),
        // A lone surrogate.
        None => out.push_str(NOTHING),
        Some(c) if matches!(c, '<' | '>' | ' ') => out.push(c),
        Some(_) => {
            let _ = write!(out, "\\x{point:02x}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_javascript_writes_is_written_as_here() {
        let rows = [
            (r"^[\w-_.]+\/\d{3}$", r"^[\w\-\_\.]+\/\d{3}$"),
            (r"[a-c\-d-]", r"[a-c\-d\-]"),
            (r"[_\-:\w-a-\d]", r"[\_\-\:\w\-\-a\d]"),
            (r"[[&&~~+--]", r"[\[\&\&\~\~\+-\-]"),
            (r"[]a[^]", r"[^\s\S]a[\s\S]"),
            (r"\${a}{2}{2,}{,3}x{1,2}?", r"\$\{a\}{2}{2,}\{,3\}x{1,2}?"),
            (r"\u0041\x42\cJ\0[\b]\v\_\<", r"AB\x0a\x00[\x08]\x0b\_<"),
            (r"[\uD83D\uDE00-\uD83D\uDE4F]\u{1F600}", "[\u{1F600}-\u{1F64F}]\u{1F600}"),
            (r"[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDBFF-\uDC00\uDFFF]", "[ -\u{D7FF}\u{E000}-\u{FFFD}]"),
            (r"[\u0000-\uFFFF]\uD800", "[\\x00-\u{FFFF}][^\\s\\S]"),
            (r"^[\p{L}\p{Nd}\d]\P{C}\bx\1$", r"^[\p{L}\p{Nd}\d]\P{C}\bx\1$"),
            (r"\Aa\Z", "^a$"),
            (r"(?<year>\d)\k<year>]", r"(?<year>\d)\k<year>\]"),
            ("[a", "[a]"),
            ("a\\", "a\\"),
        ];
        for (pattern, want) in rows {
            assert_eq!(translate(pattern), want, "{pattern}");
        }
    }

    #[test]
    fn blanks_are_those_of_every_validator() {
        assert_eq!(translate(r"\s"), format!("[{BLANKS}]"));
        assert_eq!(translate(r"[^\S\n]"), format!("[^[^{BLANKS}{DOUBTFUL_BLANKS}]\\x0a]"));
    }

    #[test]
    fn a_look_ahead_at_the_beginning_is_a_pattern_of_its_own() {
        let rows: [(&str, &[&str]); 19] = [
            ("^(?=.{1,9}$)(?=a)[a-z]+$", &["^(?:.{1,9}$)", "^(?:a)", "^[a-z]+$"]),
            (r"^(?!\.)x", &[r"^(?:$|[^\.])", "^x"]),
            ("^(?!ab)x", &["^(?:$|(?:[^a]|a(?:$|[^b])))", "^x"]),
            (r"^(?!.*\.\.)x", &[r"^(?:\.?[^\.])*\.?$", "^x"]),
            ("^(?!.*ab)x", &["^(?:[^a]|a+[^ab])*a*$", "^x"]),
            ("^(?=a)b|c", &["^(?=a)b|c"]),
            ("^(?!a+)b", &["^(?!a+)b"]),
            // At the end, and with an end of its own.
            ("x(?=a)", &["x(?:a)"]),
            ("^[a-z]+(?=-|$)", &["^[a-z]+(?:-|$)"]),
            ("x(?!a)", &["x(?:(?:$|[^a]))"]),
            ("(x(?=a))y", &["(x(?=a))y"]),
            (r"^(?!^[-+.]*$)\d*", &[r"^(?:[\-\+\.]*[^\-\+\.])", r"^\d*"]),
            (r"^(?!\d+$)x", &[r"^(?:$|[\d]*[^\d])", "^x"]),
            ("^(?!$)x", &[r"^[\s\S]", "^x"]),
            ("^(?!.*-$)x", &[r"^(?:[\s\S]*[^\-])?$", "^x"]),
            ("^(?!a|b)x", &["^(?:$|[^a])", "^(?:$|[^b])", "^x"]),
            ("^(?!(?:a|b)$)x", &[r"^(?:$|(?:[^a]|a[\s\S]))", r"^(?:$|(?:[^b]|b[\s\S]))", "^x"]),
            ("^(?!a|b$)x", &["^(?!a|b$)x"]),
            ("^(?!(a)(b))x", &["^(?!(a)(b))x"]),
        ];
        for (pattern, want) in rows {
            assert_eq!(split(pattern), want, "{pattern}");
        }
    }
}
