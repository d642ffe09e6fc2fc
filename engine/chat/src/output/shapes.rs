//! The forms of a call, read from the text that the parser holds.

use super::format::{Calls, Scan, Shape, Step, marker};
use super::literal;
use super::mend::{keep, mend};
use super::object::{self, Keys};
use super::parser::{HELD_BYTES_MAX, OutputParser, State};
use super::tagged::{NAME_BYTES_MAX, name_before, nested, tagged};
use super::tracker::Tracker;
use serde_json::Value as Json;

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
        let mut at = match marker(&self.held, &section[0]) {
            _ if !first => 0,
            // The marker of all calls is missing.
            Scan::Fail if !call[0].trim().is_empty() => 0,
            scan => took!(scan).1,
        };
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
                    self.state = State::Json { tracker: Tracker::new(), depth: head.depth };
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
                self.state = State::Json { tracker: Tracker::new(), depth: 0 };
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

    /// JSON arguments, as they come.
    pub(super) fn json(&mut self, mut tracker: Tracker, depth: usize, last: bool) -> Step {
        let mended = mend(&mut tracker, &self.held, depth, last);
        self.drain(mended.bytes);
        self.argue(&mended.json);
        if tracker.is_done() {
            self.end_call();
            self.state = if depth > 0 { State::Tail { depth } } else { State::Close };
            return Step::Go;
        }
        if !mended.failed {
            if last {
                self.held.clear();
                self.argue(&tracker.completion());
                self.cut();
            }
            self.state = State::Json { tracker, depth };
            return Step::More;
        }
        let Some(text) = self.unread(last) else {
            self.state = State::Json { tracker, depth };
            return Step::More;
        };
        self.argue(&keep(tracker, &text));
        self.end_call();
        self.state = State::Close;
        Step::Go
    }

    /// Takes what is held of a call whose arguments cannot be read. None: its end is to come.
    fn unread(&mut self, last: bool) -> Option<String> {
        let Calls { section, call, .. } = self.format_of_calls();
        let ends = [call[1].trim(), section[1].trim()];
        let ends = ends.into_iter().filter(|end| !end.is_empty());
        let is_over = last || self.held.len() > HELD_BYTES_MAX;
        let end = ends.filter_map(|end| self.held.find(end)).min().or(is_over.then_some(self.held.len()));
        Some(self.drain(end?))
    }

    pub(super) fn tail(&mut self, depth: usize, last: bool) -> Step {
        match object::tail(&self.held, depth) {
            Scan::Took((), bytes) => drop(self.drain(bytes)),
            Scan::More if last => self.held.clear(),
            Scan::More => return Step::More,
            // Too few brackets.
            Scan::Fail => {}
        }
        self.state = State::Close;
        Step::Go
    }

    /// The next argument, or the end of them.
    pub(super) fn arguments(&mut self, count: usize, last: bool) -> Step {
        let before = if count == 0 { "{" } else { ", " };
        match self.argument() {
            Scan::Took(Some((key, value)), bytes) => {
                self.drain(bytes);
                self.argue(&format!("{before}{}: {value}", Json::String(key)));
                self.state = State::Arguments { count: count + 1 };
                return Step::Go;
            }
            Scan::Took(None, bytes) => {
                self.drain(bytes);
                self.argue(if count == 0 { "{}" } else { "}" });
            }
            Scan::More if !last => return Step::More,
            scan => {
                let Some(text) = self.unread(last) else { return Step::More };
                let text = text.trim();
                let kept = format!("{before}\"\": {}}}", Json::from(text));
                let none = if count == 0 { "{}" } else { "}" };
                self.argue(if text.is_empty() { none } else { &kept });
                if scan == Scan::More {
                    self.cut();
                }
            }
        }
        self.end_call();
        self.state = State::Close;
        Step::Go
    }

    /// The next argument with its key; None where they end.
    fn argument(&self) -> Scan<Option<(String, String)>> {
        let Calls { section, call, shape } = self.format_of_calls();
        let (key, value_end) = match &shape {
            Shape::Literal { bracket } => {
                return literal::argument(&self.held, if *bracket == '(' { ')' } else { '}' });
            }
            Shape::Tagged { key, value_end, .. } => (key, value_end),
            _ => return Scan::Fail,
        };
        let begin = match marker(&self.held, &key[0]) {
            Scan::Took((), bytes) => bytes,
            Scan::More => return Scan::More,
            Scan::Fail => {
                let ends = [&call[1], &section[1]].map(|end| end.trim());
                let ends = ends.into_iter().filter(|end| !end.is_empty());
                let ended = ends.map(|end| marker(&self.held, end)).find(|scan| *scan != Scan::Fail);
                return match ended {
                    Some(Scan::More) => Scan::More,
                    None if !call[1].trim().is_empty() => Scan::Fail,
                    _ => Scan::Took(None, 0),
                };
            }
        };
        let ends = [&*key[0], &*call[1], &*section[1]];
        match tagged(&self.held[begin..], &key[1], value_end, &ends) {
            Scan::Took((name, value), bytes) => {
                let value = self.typed(&name, &value);
                Scan::Took(Some((name, value)), begin + bytes)
            }
            Scan::More => Scan::More,
            Scan::Fail => Scan::Fail,
        }
    }

    /// A value without quotation marks, as the tool's schema wants it.
    fn typed(&self, key: &str, value: &str) -> String {
        let tool = self.tools.iter().find(|tool| tool.name == self.name);
        let is_text = tool.is_some_and(|tool| tool.is_text(key));
        let json = || match self.format.calls.as_ref().map(|calls| &calls.shape) {
            Some(Shape::Tagged { key, value_end, .. }) if value_end.contains("{}") => nested(value, &key[0]),
            _ => literal::whole(value.trim()),
        };
        let json = if is_text { None } else { json() };
        json.unwrap_or_else(|| Json::from(value).to_string())
    }

    pub(super) fn close(&mut self, last: bool) -> Step {
        let Calls { section, call, shape } = self.format_of_calls();
        let is_list = matches!(shape, Shape::Object { .. } | Shape::Literal { .. });
        if matches!(shape, Shape::Object { .. } | Shape::Named { .. } | Shape::Harmony) {
            // Brackets and commas too many.
            let is_left = |c: char| matches!(c, '}' | ',') || c.is_whitespace() || c == ']' && !is_list;
            let rest = self.held.trim_start_matches(is_left);
            if rest.is_empty() && !last {
                return Step::More;
            }
            self.drain(self.held.len() - rest.len());
        }
        if !call[1].trim().is_empty() {
            match marker(&self.held, &call[1]) {
                Scan::Took((), bytes) => drop(self.drain(bytes)),
                Scan::More if last => self.held.clear(),
                Scan::More => return Step::More,
                // The end of a call is plain without its marker.
                Scan::Fail => {}
            }
        }
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
        self.is_muted = false;
        self.state = State::Text;
        let to = head.split("to=").nth(1).map(|to| to.split([' ', '<']).next().unwrap_or_default());
        let name = to.and_then(|to| to.strip_prefix("functions."));
        if let Some(name) = name
            && self.call(name, None)
        {
            self.state = State::Json { tracker: Tracker::new(), depth: 0 };
        }
        // A tool of another application.
        self.is_muted =
            to.is_some_and(|to| !to.starts_with("functions.") && !matches!(to, "assistant" | "user" | "all"));
        self.drain(at + END.len());
        Step::Go
    }
}
