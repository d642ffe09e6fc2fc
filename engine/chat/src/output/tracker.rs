//! JSON, character by character: where a value ends, whether it is valid so far, and what would complete it.

use super::format::Scan;

/// Nesting of arguments.
const DEPTH_MAX: usize = 64;

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Next {
    Value,
    /// A value or the end of an empty array.
    FirstItem,
    /// A key or the end of an empty object.
    FirstKey,
    Key,
    Colon,
    /// A comma or the end of the container.
    Comma,
    /// In a string; how many characters of an escape are missing, and whether it is a key.
    Text {
        escape: u8,
        is_key: bool,
    },
    Number(Digits),
    /// `true`, `false`, `null`: what is missing.
    Word(&'static str),
    End,
}

/// How far a number is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Digits {
    Sign,
    Zero,
    Whole,
    Point,
    Fraction,
    Exponent,
    ExponentSign,
    Power,
}

/// Reads one value.
#[derive(Debug, Clone)]
pub(crate) struct Tracker {
    /// Open containers, by their closing brackets.
    open: Vec<char>,
    pub(super) next: Next,
}

impl Tracker {
    pub(crate) fn new() -> Self {
        Self { open: Vec::new(), next: Next::Value }
    }

    /// Takes a character; None where the text is no JSON. A number at the top has no end of its own.
    pub(crate) fn push(&mut self, c: char) -> Option<()> {
        self.next = match self.next {
            Next::Text { escape: 0, is_key } => match c {
                '"' if is_key => Next::Colon,
                '"' => self.after_value(),
                '\\' => Next::Text { escape: 5, is_key },
                c if c < ' ' => return None,
                _ => return Some(()),
            },
            Next::Text { escape: 5, is_key } => match c {
                'u' => Next::Text { escape: 4, is_key },
                '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => Next::Text { escape: 0, is_key },
                _ => return None,
            },
            Next::Text { escape, is_key } if c.is_ascii_hexdigit() => {
                Next::Text { escape: escape - 1, is_key }
            }
            Next::Text { .. } => return None,
            Next::Word(rest) => match rest.strip_prefix(c)? {
                "" => self.after_value(),
                rest => Next::Word(rest),
            },
            Next::Number(digits) => match digits.push(c) {
                Some(digits) => Next::Number(digits),
                None if digits.is_whole() => {
                    self.next = self.after_value();
                    return if self.is_done() { Some(()) } else { self.push(c) };
                }
                None => return None,
            },
            _ if c.is_ascii_whitespace() => return Some(()),
            Next::Comma if c == ',' => match self.open.last()? {
                '}' => Next::Key,
                _ => Next::Value,
            },
            Next::Comma | Next::FirstKey if self.open.last() == Some(&c) => self.close(),
            Next::FirstItem if c == ']' => self.close(),
            Next::Colon if c == ':' => Next::Value,
            Next::Key | Next::FirstKey if c == '"' => Next::Text { escape: 0, is_key: true },
            Next::Value | Next::FirstItem => self.value(c)?,
            _ => return None,
        };
        Some(())
    }

    fn value(&mut self, c: char) -> Option<Next> {
        Some(match c {
            '{' | '[' if self.open.len() == DEPTH_MAX => return None,
            '{' => {
                self.open.push('}');
                Next::FirstKey
            }
            '[' => {
                self.open.push(']');
                Next::FirstItem
            }
            '"' => Next::Text { escape: 0, is_key: false },
            't' => Next::Word("rue"),
            'f' => Next::Word("alse"),
            'n' => Next::Word("ull"),
            '-' => Next::Number(Digits::Sign),
            '0' => Next::Number(Digits::Zero),
            '1'..='9' => Next::Number(Digits::Whole),
            _ => return None,
        })
    }

    fn close(&mut self) -> Next {
        self.open.pop();
        self.after_value()
    }

    fn after_value(&self) -> Next {
        if self.open.is_empty() { Next::End } else { Next::Comma }
    }

    /// Ends a number.
    pub(super) fn settle(&mut self) {
        if matches!(self.next, Next::Number(_)) {
            self.next = self.after_value();
        }
    }

    /// Whether a bracket closes the innermost container.
    pub(super) fn closes(&self, c: char) -> bool {
        self.open.last() == Some(&c)
    }

    /// Whether the innermost container is an object.
    pub(super) fn in_object(&self) -> bool {
        self.closes('}')
    }

    /// Whether nothing was read but blanks.
    pub(crate) fn is_fresh(&self) -> bool {
        self.open.is_empty() && self.next == Next::Value
    }

    /// Whether the value is complete.
    pub(crate) fn is_done(&self) -> bool {
        self.next == Next::End
    }

    /// Whether the text can be completed as it is: not after a comma.
    pub(crate) fn can_end(&self) -> bool {
        self.next != Next::Key && (self.next != Next::Value || self.open.last() != Some(&']'))
    }

    /// What makes the text valid JSON where it stops.
    pub(crate) fn completion(&self) -> String {
        let mut end = String::new();
        match self.next {
            Next::Text { escape, is_key } => {
                match escape {
                    5 => end.push('\\'),
                    missing => (0..missing).for_each(|_| end.push('0')),
                }
                end.push_str(if is_key { "\":null" } else { "\"" });
            }
            Next::Number(digits) if !digits.is_whole() => end.push('0'),
            Next::Word(rest) => end.push_str(rest),
            Next::Colon => end.push_str(":null"),
            Next::Value if self.open.is_empty() => end.push_str("{}"),
            Next::Value => end.push_str("null"),
            _ => {}
        }
        end.extend(self.open.iter().rev());
        end
    }
}

impl Digits {
    fn push(self, c: char) -> Option<Self> {
        use Digits::{Exponent, ExponentSign, Fraction, Point, Power, Sign, Whole, Zero};
        Some(match (self, c) {
            (Sign, '0') => Zero,
            (Sign, '1'..='9') | (Whole, '0'..='9') => Whole,
            (Zero | Whole, '.') => Point,
            (Point | Fraction, '0'..='9') => Fraction,
            (Zero | Whole | Fraction, 'e' | 'E') => Exponent,
            (Exponent, '+' | '-') => ExponentSign,
            (Exponent | ExponentSign | Power, '0'..='9') => Power,
            _ => return None,
        })
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::Zero | Self::Whole | Self::Fraction | Self::Power)
    }
}

/// The length of the value that a text begins with, blanks before it included.
pub(crate) fn value_bytes(text: &str) -> Scan<()> {
    let mut tracker = Tracker::new();
    for (at, c) in text.char_indices() {
        // A number ends with the character behind it.
        let in_number = matches!(tracker.next, Next::Number(_));
        if tracker.push(c).is_none() {
            return Scan::Fail;
        }
        if tracker.is_done() {
            return Scan::Took((), if in_number { at } else { at + c.len_utf8() });
        }
    }
    Scan::More
}
