//! Cuts a template into text and tags, and tags into tokens.
//!
//! White space follows Jinja with `trim_blocks` and `lstrip_blocks`, as Hugging Face configures it: a line break after
//! a block tag or comment is dropped, and so is what stands before one at the beginning of a line, unless `+` says
//! otherwise; `-` strips all white space on its side; one line break at the template's end is dropped.

use super::super::ChatError;

/// A part of a tag.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Token {
    Name(String),
    Str(String),
    Int(i64),
    Float(f64),
    /// An operator or bracket.
    Sign(&'static str),
}

/// A part of a template.
#[derive(Debug, Clone)]
pub(crate) enum Part {
    Text(String),
    /// `{{ ... }}`, with its line.
    Output(Vec<Token>, u32),
    /// `{% ... %}`, with its line.
    Block(Vec<Token>, u32),
}

/// Longest template that is read, bytes.
const TEMPLATE_LEN_MAX: usize = 1 << 20;

/// Most tokens and pieces of text: each becomes a node of a tree.
const TOKENS_MAX: usize = 50_000;

/// Longest name, bytes: names are compared at every look-up.
const NAME_LEN_MAX: usize = 1 << 8;

/// Two-character signs before the one-character signs that begin them.
const SIGNS: [&str; 29] = [
    "//", "**", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "~", "<", ">", "=", "(", ")", "[", "]", "{",
    "}", ",", ".", ":", "|", ";", "!", "&", "@",
];

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    /// What was read last ended with a line break (or nothing was read).
    line_starting: bool,
    parts: Vec<Part>,
    /// Tokens and pieces of text so far.
    tokens_len: usize,
    /// The line that begins at or before the byte up to which lines were counted.
    line: u32,
    lines_counted_to: usize,
}

/// Reads a whole template.
pub(crate) fn lex(source: &str) -> Result<Vec<Part>, ChatError> {
    if source.len() > TEMPLATE_LEN_MAX {
        return Err(ChatError::Syntax { line: 1, message: format!("longer than {TEMPLATE_LEN_MAX} bytes") });
    }
    let source = source.replace("\r\n", "\n").replace('\r', "\n");
    let source = source.strip_suffix('\n').unwrap_or(&source);
    let mut lexer = Lexer {
        source,
        at: 0,
        line_starting: true,
        parts: Vec::new(),
        tokens_len: 0,
        line: 1,
        lines_counted_to: 0,
    };
    while lexer.at < lexer.source.len() {
        lexer.text_and_tag()?;
    }
    Ok(lexer.parts)
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    /// The line that is read. Each byte is looked at once, however many tags there are.
    fn line(&mut self) -> u32 {
        let read = &self.source.as_bytes()[self.lines_counted_to..self.at];
        self.line += read.iter().filter(|&&b| b == b'\n').count() as u32;
        self.lines_counted_to = self.at;
        self.line
    }

    fn error(&mut self, message: impl Into<String>) -> ChatError {
        ChatError::Syntax { line: self.line(), message: message.into() }
    }

    /// Counts a token or a piece of text.
    fn count(&mut self) -> Result<(), ChatError> {
        self.tokens_len += 1;
        if self.tokens_len > TOKENS_MAX {
            return Err(self.error(format!("more than {TOKENS_MAX} tokens")));
        }
        Ok(())
    }

    /// Text up to the next tag, and that tag.
    fn text_and_tag(&mut self) -> Result<(), ChatError> {
        let rest = self.rest();
        let opening = rest
            .match_indices('{')
            .find(|(at, _)| matches!(rest.as_bytes().get(at + 1), Some(b'{' | b'%' | b'#')));
        let Some((text_len, _)) = opening else {
            self.at = self.source.len();
            return self.push_text(rest);
        };
        let (text, tag) = rest.split_at(text_len);
        let kind = tag.as_bytes()[1];
        let sign = tag.as_bytes().get(2).copied().filter(|sign| matches!(*sign, b'-' | b'+'));
        self.push_text(self.before_tag(text, sign, kind != b'{'))?;
        self.at += text_len + 2 + usize::from(sign.is_some());
        match kind {
            b'{' => {
                let line = self.line();
                let (tokens, sign) = self.tokens("}}")?;
                self.after_tag(sign, false);
                self.parts.push(Part::Output(tokens, line));
            }
            b'%' => self.block()?,
            _ => {
                let Some(len) = self.rest().find("#}") else {
                    return Err(self.error("a comment does not end"));
                };
                let sign = self.rest()[..len].bytes().last().filter(|sign| matches!(*sign, b'-' | b'+'));
                self.at += len + 2;
                self.after_tag(sign, true);
            }
        }
        Ok(())
    }

    fn push_text(&mut self, text: &str) -> Result<(), ChatError> {
        if !text.is_empty() {
            self.count()?;
            self.parts.push(Part::Text(text.to_owned()));
        }
        Ok(())
    }

    /// What a tag's beginning leaves of the text before it.
    fn before_tag<'t>(&self, text: &'t str, sign: Option<u8>, is_block: bool) -> &'t str {
        let line_start = text.rfind('\n').map_or(0, |at| at + 1);
        let is_indent = text[line_start..].bytes().all(|b| matches!(b, b' ' | b'\t'));
        match sign {
            Some(b'-') => text.trim_end(),
            None if is_block && is_indent && (line_start > 0 || self.line_starting) => &text[..line_start],
            _ => text,
        }
    }

    /// Skips what the end of a tag swallows.
    fn after_tag(&mut self, sign: Option<u8>, is_block: bool) {
        let rest = self.rest();
        let skipped = match sign {
            Some(b'-') => rest.len() - rest.trim_start().len(),
            None if is_block && rest.starts_with('\n') => 1,
            _ => 0,
        };
        self.at += skipped;
        self.line_starting = skipped > 0 && self.source.as_bytes().get(self.at - 1) == Some(&b'\n');
    }

    fn block(&mut self) -> Result<(), ChatError> {
        let line = self.line();
        let (tokens, sign) = self.tokens("%}")?;
        let is_raw = matches!(tokens.as_slice(), [Token::Name(name)] if name == "raw");
        self.after_tag(sign, !is_raw);
        if !is_raw {
            self.parts.push(Part::Block(tokens, line));
            return Ok(());
        }
        if sign == Some(b'+') {
            return Err(self.error("a raw block begins with a plus sign"));
        }
        // Nothing is a tag until `endraw`.
        let start = self.at;
        for (at, _) in self.source[start..].match_indices("{%") {
            let tag = &self.source[start + at + 2..];
            let sign = tag.bytes().next().filter(|sign| matches!(*sign, b'-' | b'+'));
            let inner = tag[usize::from(sign.is_some())..].trim_start();
            if let Some(after) = inner.strip_prefix("endraw") {
                self.push_text(self.before_tag(&self.source[start..start + at], sign, true))?;
                self.at = self.source.len() - after.len();
                let (_, sign) = self.tokens("%}")?;
                self.after_tag(sign, true);
                return Ok(());
            }
        }
        Err(self.error("a raw block does not end"))
    }

    /// Tokens up to `close`, and the sign before it.
    fn tokens(&mut self, close: &str) -> Result<(Vec<Token>, Option<u8>), ChatError> {
        // A tag counts, too.
        self.count()?;
        let mut tokens = Vec::new();
        // Open brackets, so that the braces of a dict do not close the tag.
        let mut depth = 0usize;
        loop {
            self.at += self.rest().len() - self.rest().trim_start().len();
            let rest = self.rest();
            let sign = rest.bytes().next().filter(|sign| matches!(*sign, b'-' | b'+'));
            let closes = |rest: &str| depth == 0 && rest.starts_with(close);
            if closes(rest) || (sign.is_some() && closes(&rest[1..])) {
                let sign = if closes(rest) { None } else { sign };
                self.at += close.len() + usize::from(sign.is_some());
                return Ok((tokens, sign));
            }
            let Some(c) = rest.chars().next() else { return Err(self.error("a tag does not end")) };
            let token = if c == '_' || c.is_alphabetic() {
                let len = rest.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(rest.len());
                if len > NAME_LEN_MAX {
                    return Err(self.error(format!("a name is longer than {NAME_LEN_MAX} bytes")));
                }
                let name = rest[..len].to_owned();
                self.at += len;
                Token::Name(name)
            } else if c.is_ascii_digit() {
                self.number(matches!(tokens.last(), Some(Token::Sign("."))))?
            } else if c == '"' || c == '\'' {
                self.string(c)?
            } else if let Some(sign) = SIGNS.into_iter().find(|sign| rest.starts_with(sign)) {
                match sign {
                    "(" | "[" | "{" => depth += 1,
                    ")" | "]" | "}" => depth = depth.saturating_sub(1),
                    _ => {}
                }
                self.at += sign.len();
                Token::Sign(sign)
            } else {
                return Err(self.error(format!("unexpected {c:?}")));
            };
            self.count()?;
            tokens.push(token);
        }
    }

    /// `1_000`, `0x1f`, `1.5`, `1e3`; after a dot an index, which has no fraction.
    fn number(&mut self, after_dot: bool) -> Result<Token, ChatError> {
        let rest = self.rest();
        let digits = |text: &str| text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'_').count();
        let bytes = rest.as_bytes();
        if let (Some(b'0'), Some(base @ (b'x' | b'o' | b'b'))) = (bytes.first(), bytes.get(1)) {
            let radix = [(b'x', 16), (b'o', 8), (b'b', 2)]
                .into_iter()
                .find(|(b, _)| b == base)
                .map_or(10, |(_, radix)| radix);
            let len = rest[2..].bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            let value = i64::from_str_radix(&rest[2..2 + len].replace('_', ""), radix);
            let value = value.map_err(|_| self.error("a number cannot be read"))?;
            self.at += 2 + len;
            return Ok(Token::Int(value));
        }
        let mut len = digits(rest);
        let mut is_float = false;
        if !after_dot {
            if bytes.get(len) == Some(&b'.') && bytes.get(len + 1).is_some_and(u8::is_ascii_digit) {
                is_float = true;
                len += 1 + digits(&rest[len + 1..]);
            }
            if matches!(bytes.get(len), Some(b'e' | b'E')) {
                let sign = usize::from(matches!(bytes.get(len + 1), Some(b'+' | b'-')));
                let exponent = digits(&rest[len + 1 + sign..]);
                if exponent > 0 {
                    is_float = true;
                    len += 1 + sign + exponent;
                }
            }
        }
        let text = rest[..len].replace('_', "");
        let token =
            if is_float { text.parse().map(Token::Float).ok() } else { text.parse().map(Token::Int).ok() };
        let token = token.ok_or_else(|| self.error("a number cannot be read"))?;
        self.at += len;
        Ok(token)
    }

    fn string(&mut self, quote: char) -> Result<Token, ChatError> {
        let body = &self.source[self.at + 1..];
        let mut text = String::new();
        let mut at = 0;
        while let Some(c) = body[at..].chars().next() {
            at += c.len_utf8();
            if c == quote {
                self.at += at + 1;
                return Ok(Token::Str(text));
            }
            if c != '\\' {
                text.push(c);
                continue;
            }
            let Some(escape) = body[at..].chars().next() else { break };
            at += escape.len_utf8();
            let digits_len = match escape {
                'x' => 2,
                'u' => 4,
                'U' => 8,
                _ => 0,
            };
            let digits = body.get(at..at + digits_len).filter(|_| digits_len > 0);
            let code =
                digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()).and_then(char::from_u32);
            if let Some(code) = code {
                at += digits_len;
                text.push(code);
                continue;
            }
            match escape {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                'r' => text.push('\r'),
                '0' => text.push('\0'),
                'a' => text.push('\u{7}'),
                'b' => text.push('\u{8}'),
                'f' => text.push('\u{c}'),
                'v' => text.push('\u{b}'),
                '\n' => {}
                '\\' | '\'' | '"' => text.push(escape),
                // Python keeps the backslash of an escape that it does not know.
                other => text.extend(['\\', other]),
            }
        }
        Err(self.error("a string does not end"))
    }
}
