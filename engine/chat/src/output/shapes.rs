//! The forms of a call, read from the text that the parser holds.

use super::format::{Calls, Scan, Shape, Step, marker};
use super::literal;
use super::object::{self, Keys};
use super::parser::{OutputParser, State};
use super::tracker::Tracker;
use serde_json::Value as Json;

/// Longest name or id.
const NAME_BYTES_MAX: usize = 256;

/// Bytes of what was scanned, or leaves the function.
macro_rules! took {
    ($scan:expr) => {
        match $scan {
            Scan::Took(value, bytes) => (value, bytes),
            Scan::More => return Step::More,
            Scan::Fail => return Step::Fail,
        }
    };
}

impl OutputParser {
    fn format_of_calls(&self) -> Calls {
        self.format.calls.clone().unwrap_or_default()
    }

    /// Before a call, the first one or a later one: markers, then its name.
    pub(super) fn section(&mut self, first: bool) -> Step {
        let Calls { section, call, shape } = self.format_of_calls();
        let is_list = matches!(shape, Shape::Object { .. } | Shape::Literal { .. });
        let mut at = if first { took!(marker(&self.held, &section[0])).1 } else { 0 };
        if !first && section[1].trim().is_empty() && !is_list {
            self.state = State::Begin(true);
            return Step::Go;
        }
        loop {
            at += self.held[at..].len() - self.held[at..].trim_start().len();
            match self.held[at..].chars().next() {
                None => return Step::More,
                Some('[') if is_list && first && !call[0].trim_start().starts_with('[') => {}
                Some(',' | ';') if !first => {}
                Some(']') if is_list && !first => {
                    if section[1].trim().is_empty() {
                        self.drain(at + 1);
                        self.state = State::Begin(true);
                        return Step::Go;
                    }
                }
                _ => break,
            }
            at += 1;
        }
        if !first && !section[1].trim().is_empty() {
            match marker(&self.held[at..], &section[1]) {
                Scan::Took((), bytes) => {
                    self.drain(at + bytes);
                    self.state = State::Begin(true);
                    return Step::Go;
                }
                Scan::More => return Step::More,
                Scan::Fail => {}
            }
        }
        let short = call[0].split_whitespace().next_back().unwrap_or_default();
        at += match marker(&self.held[at..], &call[0]) {
            // The first of two markers may be left out.
            Scan::Fail => took!(marker(&self.held[at..], short)).1,
            scan => took!(scan).1,
        };
        at += self.held[at..].len() - self.held[at..].trim_start().len();
        let rest = &self.held[at..];
        match shape {
            Shape::Object { name, arguments, id } => {
                let keys = Keys { name: &name, arguments: &arguments, id: &id };
                let (head, bytes) = took!(object::head(rest, &keys));
                if !self.call(&head.name, head.id) {
                    return Step::Fail;
                }
                self.drain(at + bytes);
                if head.depth == 0 {
                    self.argue(head.arguments.as_deref().unwrap_or("{}"));
                    self.end_call();
                    self.state = State::Close;
                } else {
                    self.state = State::Json { tracker: Tracker::new(), read: 0, depth: head.depth };
                }
            }
            Shape::Named { id, name_end } => {
                let stop = if id.trim().is_empty() { &name_end } else { &id };
                let (name, mut bytes) = match name_before(rest, stop) {
                    // Without an id the other marker follows the name.
                    Scan::Fail => took!(name_before(rest, &name_end)),
                    scan => took!(scan),
                };
                let mut call_id = None;
                if !id.trim().is_empty() && rest[..bytes].ends_with(id.trim()) {
                    let (text, more) = took!(name_before(&rest[bytes..], &name_end));
                    (call_id, bytes) = (Some(text), bytes + more);
                }
                // A name that is a path with a number: `functions.NAME:0`.
                let plain = name
                    .strip_prefix("functions.")
                    .and_then(|name| Some(name.rsplit_once(':')?.0.to_owned()));
                let (name, call_id) = match plain {
                    Some(plain) => (plain, Some(name)),
                    None => (name, call_id),
                };
                match rest[bytes..].trim_start().chars().next() {
                    None => return Step::More,
                    Some('{') => {}
                    Some(_) => return Step::Fail,
                }
                if !self.call(&name, call_id) {
                    return Step::Fail;
                }
                let json = self.held.len() - self.held[at + bytes..].trim_start().len();
                self.drain(json);
                self.state = State::Json { tracker: Tracker::new(), read: 0, depth: 0 };
            }
            Shape::Tagged { name_end, .. } => {
                let (name, bytes) = took!(name_before(rest, &name_end));
                if !self.call(&name, None) {
                    return Step::Fail;
                }
                self.drain(at + bytes);
                self.state = State::Arguments { count: 0 };
            }
            Shape::Literal { bracket } => {
                let (name, bytes) = took!(name_before(rest, bracket.encode_utf8(&mut [0; 4])));
                if !self.call(&name, None) {
                    return Step::Fail;
                }
                self.drain(at + bytes);
                self.state = State::Arguments { count: 0 };
            }
            Shape::Harmony => return Step::Fail,
        }
        Step::Go
    }

    pub(super) fn tail(&mut self, depth: usize) -> Step {
        let bytes = took!(object::tail(&self.held, depth)).1;
        self.drain(bytes);
        self.state = State::Close;
        Step::Go
    }

    /// The next argument, or the end of them.
    pub(super) fn arguments(&mut self, count: usize) -> Step {
        let (argument, bytes) = match self.format_of_calls() {
            Calls { shape: Shape::Literal { bracket }, .. } => {
                took!(literal::argument(&self.held, if bracket == '(' { ')' } else { '}' }))
            }
            Calls { shape: Shape::Tagged { key, value_end, .. }, call, section, .. } => {
                match marker(&self.held, &key[0]) {
                    Scan::Took((), bytes) => {
                        let ends = [&*key[0], &*call[1], &*section[1]];
                        let (name, value, all) = match tagged(&self.held[bytes..], &key[1], &value_end, &ends)
                        {
                            Scan::Took((name, value), all) => (name, value, all),
                            Scan::More => return Step::More,
                            Scan::Fail => return Step::Fail,
                        };
                        let value = self.typed(&name, &value);
                        (Some((name, value)), bytes + all)
                    }
                    Scan::More => return Step::More,
                    Scan::Fail => (None, 0),
                }
            }
            _ => return Step::Fail,
        };
        self.drain(bytes);
        match argument {
            Some((key, value)) => {
                let before = if count == 0 { "{" } else { ", " };
                self.argue(&format!("{before}{}: {value}", Json::String(key)));
                self.state = State::Arguments { count: count + 1 };
            }
            None => {
                self.argue(if count == 0 { "{}" } else { "}" });
                self.end_call();
                self.state = State::Close;
            }
        }
        Step::Go
    }

    /// A value without quotation marks, as the tool's schema wants it.
    fn typed(&self, key: &str, value: &str) -> String {
        let tool = self.tools.iter().find(|tool| tool.name == self.name);
        let is_text = tool.is_some_and(|tool| tool.is_text(key));
        let json = if is_text { None } else { literal::whole(value.trim()) };
        json.unwrap_or_else(|| Json::from(value).to_string())
    }

    pub(super) fn close(&mut self) -> Step {
        let Calls { section, call, shape } = self.format_of_calls();
        if !call[1].trim().is_empty() {
            match marker(&self.held, &call[1]) {
                Scan::Took((), bytes) => {
                    self.drain(bytes);
                }
                Scan::More => return Step::More,
                // The end of a call is plain without its marker.
                Scan::Fail => {}
            }
        }
        let is_list = matches!(shape, Shape::Object { .. } | Shape::Literal { .. });
        self.state = match shape {
            Shape::Harmony => State::Text,
            _ if is_list || !section[0].trim().is_empty() => State::Section { trigger: None },
            _ => State::Begin(true),
        };
        Step::Go
    }

    /// The head of a message: its channel, and the tool that it is for.
    pub(super) fn head(&mut self) -> Step {
        const BEGINS: [&str; 5] = ["<|start|>", "<|channel|>", "assistant", "to=", "<|constrain|>"];
        const END: &str = "<|message|>";
        let text = self.held.trim_start();
        let Some(at) = self.held.find(END) else {
            let may_be = BEGINS.iter().any(|begin| text.starts_with(begin) || begin.starts_with(text));
            return if may_be && text.len() < NAME_BYTES_MAX { Step::More } else { Step::Fail };
        };
        let head = self.held[..at].to_owned();
        let channel = head.rsplit_once("<|channel|>").map_or("", |(_, channel)| channel).trim_start();
        self.set_reasoning(channel.starts_with("analysis"));
        self.state = State::Text;
        let to = head.split("to=").nth(1).map(|to| to.split([' ', '<']).next().unwrap_or_default());
        let name = to.and_then(|to| to.strip_prefix("functions."));
        if let Some(name) = name
            && self.call(name, None)
        {
            self.state = State::Json { tracker: Tracker::new(), read: 0, depth: 0 };
        }
        self.drain(at + END.len());
        Step::Go
    }
}

/// A name before a marker. Without a marker it ends with its line, or where arguments begin.
fn name_before(text: &str, end: &str) -> Scan<String> {
    let end = end.trim();
    let at = if end.is_empty() { text.find(['\n', '{', '<']) } else { text.find(end) };
    // Of a marker that is not whole the beginning may be there.
    let begun = end.chars().next().and_then(|first| text.find(first));
    let name = text[..at.or(begun).unwrap_or(text.len())].trim();
    if name.len() > NAME_BYTES_MAX || name.contains([' ', '\n', '{', '<']) {
        return Scan::Fail;
    }
    match at {
        Some(_) if name.is_empty() => Scan::Fail,
        Some(at) => Scan::Took(name.trim_matches('"').to_owned(), at + end.len()),
        None => Scan::More,
    }
}

/// An argument between markers, without the line breaks that belong to them. The value ends where what may follow it does.
fn tagged(text: &str, key_end: &str, value_end: &str, ends: &[&str]) -> Scan<(String, String)> {
    let wanted = key_end.trim();
    // Between a quotation mark and `>` there may be other attributes.
    let (mark, has_attributes) = if wanted.starts_with('"') { ("\"", true) } else { (wanted, false) };
    let Some(at) = text.find(mark) else { return Scan::More };
    let key = text[..at].trim().to_owned();
    let begin = match text[at..].find('>') {
        _ if !has_attributes => at + wanted.len(),
        Some(end) => at + end + 1,
        None => return Scan::More,
    };
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
