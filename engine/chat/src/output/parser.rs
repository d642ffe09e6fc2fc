//! Reads a model's text as it is generated.

use super::format::{OutputFormat, Pair, Scan, Shape, Step, Tool, marker};
use super::tracker::Tracker;

/// Most text that waits for a decision; beyond it the text is no call.
const HELD_BYTES_MAX: usize = 256 << 10;
/// Most calls of one answer.
const CALLS_MAX: u32 = 128;

/// What a text turned out to be. Deltas are never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutputEvent {
    /// More of the answer.
    Content(String),
    /// More of the reasoning before it.
    Reasoning(String),
    /// A call begins.
    CallBegin {
        /// From 0.
        index: u32,
        /// As the model wrote it, where it writes ids before arguments.
        id: Option<String>,
        /// One of the tools.
        name: String,
    },
    /// More of the JSON text of a call's arguments. Whole, it is a JSON object.
    Arguments {
        /// Of the call.
        index: u32,
        /// A piece of JSON text.
        delta: String,
    },
    /// A call is complete.
    CallEnd {
        /// Of the call.
        index: u32,
    },
}

/// Where in the text the parser is.
#[derive(Debug, Clone)]
pub(super) enum State {
    /// Before reasoning (`false`), or between reasoning or calls and what follows.
    Begin(bool),
    /// In reasoning or content.
    Text,
    /// Before a call. The first bytes, so many, are a marker; they are text if no call follows. Between calls: None.
    Section { trigger: Option<usize> },
    /// In arguments that are JSON, of which so many bytes of the held text were read. `depth`: open brackets behind them.
    Json { tracker: Tracker, read: usize, depth: usize },
    /// Behind arguments, in an object.
    Tail { depth: usize },
    /// In arguments between markers, or in brackets; so many were read.
    Arguments { count: usize },
    /// Before a call's closing marker.
    Close,
    /// In the head of a message with channels.
    Head,
}

/// Separates the text of one answer into reasoning, content and tool calls.
#[derive(Debug)]
pub struct OutputParser {
    pub(super) format: OutputFormat,
    pub(super) tools: Vec<Tool>,
    /// Stops after one call.
    single: bool,
    pub(super) held: String,
    pub(super) state: State,
    pub(super) is_reasoning: bool,
    /// Nothing of the reasoning was shown.
    is_fresh: bool,
    /// Blanks at the end of what was shown, which belong to it only if text follows.
    blanks: String,
    pub(super) calls: u32,
    /// The name of the last call, and whether it has not ended.
    pub(super) name: String,
    is_open: bool,
    events: Vec<OutputEvent>,
}

impl OutputParser {
    /// For an answer to `prompt`, of which the end is enough. Without tools no calls are looked for. Without `parallel`
    /// the answer ends with its first call.
    pub fn new(format: &OutputFormat, prompt: &str, tools: Vec<Tool>, parallel: bool) -> Self {
        let mut format = format.clone();
        let is_harmony = format.calls.as_ref().is_some_and(|calls| calls.shape == Shape::Harmony);
        if tools.is_empty() && !is_harmony {
            format.calls = None;
        }
        let begun = format.reasoning.as_ref().is_some_and(|[open, _]| {
            let open = open.trim();
            !open.is_empty() && prompt.trim_end().ends_with(open)
        });
        // Reasoning without an opening marker begins with the answer.
        let unmarked = format.reasoning.as_ref().is_some_and(|[open, _]| open.trim().is_empty());
        let is_reasoning = begun || unmarked;
        let state = match is_reasoning {
            _ if is_harmony => State::Head,
            true => State::Text,
            false => State::Begin(false),
        };
        Self {
            format,
            tools,
            single: !parallel,
            held: String::new(),
            state,
            is_reasoning,
            is_fresh: true,
            blanks: String::new(),
            calls: 0,
            name: String::new(),
            is_open: false,
            events: Vec::new(),
        }
    }

    /// Takes the next piece of text, and tells what is certain.
    pub fn push(&mut self, text: &str) -> Vec<OutputEvent> {
        if !self.is_complete() {
            self.held.push_str(text);
            self.run(false);
        }
        std::mem::take(&mut self.events)
    }

    /// The text is over: tells what was held back. A call that was cut off is completed to valid JSON.
    pub fn finish(&mut self) -> Vec<OutputEvent> {
        if !self.is_complete() {
            self.run(true);
        }
        std::mem::take(&mut self.events)
    }

    /// Whether nothing more is wanted: a call was made, and only one may be.
    pub fn is_complete(&self) -> bool {
        self.single && self.calls > 0 && !self.is_open
    }

    /// How many calls were made.
    pub fn calls(&self) -> u32 {
        self.calls
    }

    fn run(&mut self, last: bool) {
        loop {
            let step = match self.state.clone() {
                State::Begin(thought) => self.begin(thought),
                State::Text => self.text(last),
                State::Section { trigger } => self.section(trigger.is_some()),
                State::Json { tracker, read, depth } => self.json(tracker, read, depth, last),
                State::Tail { depth } => self.tail(depth),
                State::Arguments { count } => self.arguments(count),
                State::Close => self.close(),
                State::Head => self.head(),
            };
            let stuck = step == Step::More && (last || self.held.len() > HELD_BYTES_MAX);
            match step {
                Step::Fail => self.give_up(),
                // Arguments that are cut off end where they are.
                Step::More if last && matches!(self.state, State::Arguments { .. }) => break,
                Step::More if stuck && !self.held.is_empty() => self.give_up(),
                Step::More => break,
                Step::Go => {}
            }
            if self.is_complete() {
                self.held.clear();
                break;
            }
        }
        if last {
            if matches!(self.state, State::Arguments { .. }) {
                self.give_up();
                self.held.clear();
            }
            self.end_call();
            if !self.is_reasoning {
                let blanks = std::mem::take(&mut self.blanks);
                self.emit(blanks);
            }
        }
    }

    /// What is held is not what was expected: it is text. A call that has begun ends.
    fn give_up(&mut self) {
        match std::mem::replace(&mut self.state, State::Text) {
            State::Section { trigger: Some(bytes) } => {
                let mark = self.drain(bytes);
                self.say(&mark);
            }
            State::Begin(_) | State::Head | State::Text => {}
            state => {
                if let State::Arguments { count } = state {
                    self.argue(if count == 0 { "{}" } else { "}" });
                }
                self.end_call();
                self.is_reasoning = false;
            }
        }
    }

    /// Takes from the front of what is held.
    pub(super) fn drain(&mut self, bytes: usize) -> String {
        let rest = self.held.split_off(bytes);
        std::mem::replace(&mut self.held, rest)
    }

    fn skip_blanks(&mut self) {
        let bytes = self.held.len() - self.held.trim_start().len();
        self.drain(bytes);
    }

    /// Text of the current channel; blanks at its end wait.
    fn say(&mut self, text: &str) {
        let text = if self.is_reasoning && self.is_fresh { text.trim_start() } else { text };
        let end = text.trim_end().len();
        if end == 0 {
            self.blanks.push_str(text);
            return;
        }
        let mut whole = std::mem::take(&mut self.blanks);
        whole.push_str(&text[..end]);
        self.blanks.push_str(&text[end..]);
        // Without calls nothing can follow content.
        if !self.is_reasoning && self.format.calls.is_none() && self.format.content.is_none() {
            whole.push_str(&std::mem::take(&mut self.blanks));
        }
        self.is_fresh = false;
        self.emit(whole);
    }

    fn emit(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        self.events.push(match self.is_reasoning {
            true => OutputEvent::Reasoning(text),
            false => OutputEvent::Content(text),
        });
    }

    /// Begins a call, if it is of a tool.
    pub(super) fn call(&mut self, name: &str, id: Option<String>) -> bool {
        if self.calls == CALLS_MAX || !self.tools.iter().any(|tool| tool.name == name) {
            return false;
        }
        self.blanks.clear();
        self.is_open = true;
        let (index, name) = (self.calls, name.to_owned());
        self.calls += 1;
        self.name.clone_from(&name);
        self.events.push(OutputEvent::CallBegin { index, id, name });
        true
    }

    /// More arguments of the call that is open.
    pub(super) fn argue(&mut self, text: &str) {
        if let (Some(index), false) = (self.calls.checked_sub(1), text.is_empty()) {
            self.events.push(OutputEvent::Arguments { index, delta: text.to_owned() });
        }
    }

    pub(super) fn end_call(&mut self) {
        if let (Some(index), true) = (self.calls.checked_sub(1), self.is_open) {
            self.is_open = false;
            self.events.push(OutputEvent::CallEnd { index });
        }
    }

    pub(super) fn set_reasoning(&mut self, is_reasoning: bool) {
        self.is_reasoning = is_reasoning;
    }

    fn is_harmony(&self) -> bool {
        self.format.calls.as_ref().is_some_and(|calls| calls.shape == Shape::Harmony)
    }

    /// What calls begin with, all of it and without the first of two markers; empty for objects without a marker.
    fn triggers(&self) -> [&str; 2] {
        let marks = self.format.calls.as_ref().map(|calls| [&calls.section[0], &calls.call[0]]);
        let mark = marks.into_iter().flatten().find(|mark| !mark.trim().is_empty());
        let mut parts = mark.map(|mark| mark.split_whitespace()).into_iter().flatten();
        let first = parts.next().unwrap_or_default();
        [first, parts.next_back().unwrap_or(first)]
    }

    fn begin(&mut self, thought: bool) -> Step {
        if thought {
            self.skip_blanks();
        }
        let rest = self.held.trim_start();
        if rest.is_empty() {
            return Step::More;
        }
        if let (Some([open, _]), false) = (&self.format.reasoning, thought) {
            match marker(rest, open) {
                Scan::More => return Step::More,
                Scan::Took((), bytes) => {
                    let blanks = self.held.len() - rest.len();
                    self.drain(blanks + bytes);
                    self.is_reasoning = true;
                    self.state = State::Text;
                    return Step::Go;
                }
                Scan::Fail => {}
            }
        }
        self.is_reasoning = false;
        let is_bare = self.format.calls.is_some() && self.triggers()[0].is_empty() && self.calls == 0;
        let is_bare = is_bare && rest.starts_with(['{', '[']);
        self.state = if is_bare { State::Section { trigger: Some(0) } } else { State::Text };
        Step::Go
    }

    fn text(&mut self, last: bool) -> Step {
        const CHANNELS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>"];
        let is_harmony = self.is_harmony();
        let none = Pair::default();
        let [_, reasoned] = self.format.reasoning.as_ref().filter(|_| self.is_reasoning).unwrap_or(&none);
        let [open, close] = self.format.content.as_ref().filter(|_| !self.is_reasoning).unwrap_or(&none);
        let [trigger, short] = self.triggers();
        let mut marks = vec![trigger, short, reasoned.trim(), open.trim(), close.trim()];
        marks.extend(CHANNELS.iter().filter(|_| is_harmony));
        let marks = || marks.iter().enumerate().filter(|(_, mark)| !mark.is_empty());
        let found = marks().filter_map(|(which, mark)| Some((self.held.find(mark)?, which, mark.len())));
        let found = found.min_by_key(|&(at, _, bytes)| (at, usize::MAX - bytes));
        let waiting = if last { 0 } else { undecided_bytes(&self.held, marks().map(|(_, mark)| *mark)) };
        let shown = found.map_or(self.held.len() - waiting, |(at, ..)| at);
        let text = self.drain(shown);
        self.say(&text);
        let Some((_, which, bytes)) = found else { return Step::More };
        if which < 2 {
            self.state = State::Section { trigger: Some(bytes) };
            return Step::Go;
        }
        self.drain(bytes);
        if which == 2 || is_harmony {
            self.blanks.clear();
            self.is_fresh = true;
        }
        self.is_reasoning &= which != 2;
        self.state = if is_harmony { State::Head } else { State::Begin(true) };
        Step::Go
    }

    /// JSON arguments, as they come.
    fn json(&mut self, mut tracker: Tracker, mut read: usize, depth: usize, last: bool) -> Step {
        let mut shown = 0;
        let mut failed = false;
        for c in self.held[read..].chars() {
            // Arguments are an object.
            let is_object = !tracker.is_fresh() || c == '{' || c.is_ascii_whitespace();
            if !is_object || tracker.push(c).is_none() {
                failed = true;
                break;
            }
            read += c.len_utf8();
            if tracker.can_end() {
                shown = read;
            }
            if tracker.is_done() {
                break;
            }
        }
        let text = self.drain(shown);
        self.argue(&text);
        if tracker.is_done() {
            self.end_call();
            self.state = if depth > 0 { State::Tail { depth } } else { State::Close };
            return Step::Go;
        }
        if failed || last {
            // What a comma promised is left out.
            let completion = tracker.completion();
            let end = if tracker.can_end() { &*completion } else { completion.trim_start_matches("null") };
            self.argue(end);
            self.end_call();
            self.drain(if failed { 0 } else { self.held.len() });
            return if failed { Step::Fail } else { Step::More };
        }
        self.state = State::Json { tracker, read: read - shown, depth };
        // A piece that waits is a comma and blanks.
        if self.held.len() > HELD_BYTES_MAX { Step::Fail } else { Step::More }
    }
}

/// Length of the longest end of a text that begins a marker.
fn undecided_bytes<'a>(text: &str, marks: impl Iterator<Item = &'a str>) -> usize {
    let begins = |mark: &str| {
        let longest = (1..mark.len()).rev().filter(|&bytes| mark.is_char_boundary(bytes));
        longest.into_iter().find(|&bytes| text.ends_with(&mark[..bytes])).unwrap_or(0)
    };
    marks.map(begins).max().unwrap_or(0)
}
