//! Reads a model's text as it is generated.

use super::format::{Mark, NONE, OutputFormat, Scan, Shape, Step, Tool, marker, undecided_bytes};
use super::tracker::Tracker;
use std::sync::Arc;

/// Most text that waits for a decision; beyond it the text is no call.
pub(super) const HELD_BYTES_MAX: usize = 256 << 10;
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
    /// In arguments that are JSON. `depth`: open brackets behind them.
    Json { tracker: Tracker, depth: usize },
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
#[derive(Debug, Clone)]
pub struct OutputParser {
    pub(super) format: OutputFormat,
    pub(super) tools: Vec<Tool>,
    /// Stops after one call.
    single: bool,
    pub(super) held: String,
    /// Markers in content, and in reasoning.
    pub(super) marks: [Arc<[(Mark, String)]>; 2],
    pub(super) state: State,
    pub(super) is_reasoning: bool,
    /// Nothing of the reasoning was shown.
    pub(super) is_fresh: bool,
    /// Blanks at the end of what was shown, which belong to it only if text follows.
    pub(super) blanks: String,
    pub(super) calls: u32,
    /// The message is for nobody who reads it.
    pub(super) is_muted: bool,
    /// The name of the last call, and whether it has not ended.
    pub(super) name: String,
    is_open: bool,
    /// The text ended in a call.
    pub(super) is_cut: bool,
    pub(super) events: Vec<OutputEvent>,
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
        // The prompt may end with the beginning of a marker.
        let [open, _] = format.content.as_ref().filter(|_| !is_harmony).unwrap_or(&NONE);
        let held = undecided_bytes(prompt, std::iter::once(open.as_str()));
        let held = if held > 2 { open[..held].to_owned() } else { String::new() };
        // Reasoning without an opening marker begins with the answer.
        let unmarked = format.reasoning.as_ref().is_some_and(|[open, _]| open.trim().is_empty());
        let is_reasoning = begun || unmarked;
        let state = match is_reasoning {
            _ if is_harmony => State::Head,
            true => State::Text,
            false => State::Begin(false),
        };
        let mut parser = Self {
            format,
            tools,
            single: !parallel,
            held,
            marks: Default::default(),
            state,
            is_reasoning,
            is_fresh: true,
            blanks: String::new(),
            calls: 0,
            name: String::new(),
            is_muted: false,
            is_open: false,
            is_cut: false,
            events: Vec::new(),
        };
        parser.set_marks();
        parser
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

    pub(super) fn run(&mut self, last: bool) {
        loop {
            let step = match self.state.clone() {
                State::Begin(thought) => self.begin(thought),
                State::Text => self.text(last),
                State::Section { trigger } => self.section(trigger.is_some()),
                State::Json { tracker, depth } => self.json(tracker, depth, last),
                State::Tail { depth } => self.tail(depth, last),
                State::Arguments { count } => self.arguments(count, last),
                State::Close => self.close(last),
                State::Head => self.head(),
            };
            let stuck = step == Step::More && (last || self.held.len() > HELD_BYTES_MAX);
            match step {
                Step::Fail => self.give_up(),
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
            _ => {
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
    pub(super) fn say(&mut self, text: &str) {
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
        if text.is_empty() || self.is_muted {
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

    /// The last call ends with the text.
    pub(super) fn cut(&mut self) {
        self.is_cut = true;
        self.end_call();
    }

    pub(super) fn set_reasoning(&mut self, is_reasoning: bool) {
        self.is_reasoning = is_reasoning;
    }

    pub(super) fn is_harmony(&self) -> bool {
        self.format.calls.as_ref().is_some_and(|calls| calls.shape == Shape::Harmony)
    }

    fn begin(&mut self, thought: bool) -> Step {
        if thought {
            self.skip_blanks();
        }
        let rest = self.held.trim_start();
        if rest.is_empty() {
            return Step::More;
        }
        if let (Some([open, close]), false) = (&self.format.reasoning, thought) {
            // A control token that is written twice.
            let control = open.split_inclusive('>').next().unwrap_or_default();
            let behind = rest.strip_prefix(control).filter(|_| control.contains('|'));
            if let Some(behind) = behind.filter(|_| control.len() < open.len()) {
                if behind.starts_with(control) {
                    self.drain(self.held.len() - behind.len());
                    return Step::Go;
                }
                if control.starts_with(behind) {
                    return Step::More;
                }
            }
            // The end of reasoning that was not begun.
            match marker(rest, close) {
                Scan::Took((), bytes) if bytes > 0 => {
                    let blanks = self.held.len() - rest.len();
                    self.drain(blanks + bytes);
                    self.state = State::Begin(true);
                    return Step::Go;
                }
                Scan::More => return Step::More,
                _ => {}
            }
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
}
