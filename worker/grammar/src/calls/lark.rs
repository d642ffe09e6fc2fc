//! Writes a grammar in `llguidance`'s variant of Lark's syntax.

use std::fmt::Write;

use serde_json::{Map, Value, json};

use crate::format::WHITE_SPACE;

/// What a token is that stands in a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Its text can be written with other tokens as well.
    Text,
    /// A control token, which no text can write.
    Control,
    /// It ends an answer.
    End,
}

/// A piece of a marker.
enum Piece<'a> {
    Text(&'a str),
    Token(u32),
    End,
}

/// A part of a marker.
pub(super) enum Part {
    Text(String),
    Token(u32),
    /// Blanks, which may be others or none.
    Blank,
}

impl Part {
    pub(super) fn is_token(&self) -> bool {
        matches!(self, Part::Token(_))
    }
}

/// A text as Lark writes it.
pub(super) fn literal(text: &str) -> String {
    Value::from(text).to_string().replace('\u{7f}', "\\u007f")
}

/// A grammar that is written.
pub(super) struct Lark {
    text: String,
    /// Tokens that markers may have, by their texts.
    tokens: Vec<(String, u32, Kind)>,
}

impl Lark {
    pub(super) fn new(tokens: Vec<(String, u32, Kind)>) -> Self {
        Lark { text: String::from("WS: /[ \\t\\r\\n]{1,8}/\n"), tokens }
    }

    /// Control tokens in a text, and the text between them.
    fn split<'t>(&self, text: &'t str) -> Vec<Piece<'t>> {
        let (mut pieces, mut begin, mut at) = (Vec::new(), 0, 0);
        while at < text.len() {
            let rest = &text[at..];
            let found = self.tokens.iter().filter(|(name, ..)| rest.starts_with(name.as_str()));
            let found = found.max_by_key(|(name, ..)| name.len());
            let Some((name, id, kind)) = found else {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            if *kind != Kind::Text {
                pieces.push(Piece::Text(&text[begin..at]));
                pieces.push(if *kind == Kind::End { Piece::End } else { Piece::Token(*id) });
                begin = at + name.len();
            }
            at += name.len();
        }
        pieces.push(Piece::Text(&text[begin..]));
        pieces.retain(|piece| !matches!(piece, Piece::Text("")));
        pieces
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    /// A rule, or a terminal where the name is in upper case.
    pub(super) fn rule(&mut self, name: &str, body: &str) {
        let _ = writeln!(self.text, "{name}: {body}");
    }

    /// Any text without these, as the terminal SAID.
    pub(super) fn said(&mut self, without: &[&str]) {
        let body = format!("/(?s:.+)/{}", excluding(without));
        self.rule("SAID", &body);
    }

    /// A rule for the shortest text that ends with `end`, without these elsewhere in it.
    pub(super) fn until(&mut self, name: &str, end: &str, without: &[&str]) {
        let others: Vec<&str> = without.iter().copied().filter(|one| !one.starts_with(end)).collect();
        let body = format!("(/(?s:.*)/ {}){}", literal(end), excluding(&others));
        self.rule(&format!("{name}[lazy]"), &body);
    }

    /// Values of a schema, as an atom.
    pub(super) fn json(&self, mut schema: Value) -> String {
        crate::schema::prepare(&mut schema);
        let mut schema = match schema {
            Value::Object(schema) => schema,
            Value::Bool(false) => Map::from_iter([("not".to_owned(), json!({}))]),
            _ => Map::new(),
        };
        schema.entry("x-guidance").or_insert_with(|| json!({ "whitespace_pattern": WHITE_SPACE }));
        format!("%json {}", Value::Object(schema))
    }

    /// The parts of a marker, without blanks at its ends, up to a token that ends the answer.
    pub(super) fn parts(&self, mark: &str) -> Vec<Part> {
        let mut parts = Vec::new();
        for piece in self.split(mark.trim()) {
            match piece {
                Piece::Token(id) => parts.push(Part::Token(id)),
                Piece::End => break,
                Piece::Text(text) => {
                    if text.starts_with(char::is_whitespace) {
                        parts.push(Part::Blank);
                    }
                    for (at, word) in text.split_whitespace().enumerate() {
                        if at > 0 {
                            parts.push(Part::Blank);
                        }
                        parts.push(Part::Text(word.into()));
                    }
                    if text.ends_with(char::is_whitespace) && !text.trim().is_empty() {
                        parts.push(Part::Blank);
                    }
                }
            }
        }
        parts
    }

    pub(super) fn part(&self, part: &Part) -> String {
        match part {
            Part::Text(text) => literal(text),
            Part::Token(id) => format!("<[{id}]>"),
            Part::Blank => "WS?".into(),
        }
    }

    pub(super) fn sequence(&self, parts: &[Part]) -> String {
        parts.iter().map(|part| self.part(part)).collect::<Vec<_>>().join(" ")
    }

    /// What is before a closing marker, with the marker. True where the marker ends the answer.
    pub(super) fn closed(&self, body: &str, mark: &str) -> (String, bool) {
        let is_ended = self.split(mark).iter().any(|piece| matches!(piece, Piece::End));
        let close = self.sequence(&self.parts(mark));
        (if close.is_empty() { body.to_owned() } else { format!("({body}) WS? {close}") }, is_ended)
    }

    /// A text as it is, its control tokens among it.
    pub(super) fn exact(&self, text: &str) -> String {
        let piece = |piece| match piece {
            Piece::Token(id) => format!("<[{id}]>"),
            Piece::Text(text) => literal(text),
            Piece::End => String::new(),
        };
        self.split(text).into_iter().map(piece).collect::<Vec<_>>().join(" ")
    }
}

/// The operand that takes texts with any of these away.
pub(super) fn excluding(without: &[&str]) -> String {
    let without = without.iter().filter(|one| !one.is_empty());
    without.map(|one| format!(" & ~(/(?s:.*)/ {} /(?s:.*)/)", literal(one))).collect()
}
