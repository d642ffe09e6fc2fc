//! Markers in reasoning and content.

use std::sync::Arc;

use super::format::{Mark, NONE, Shape, Step, undecided_bytes};
use super::parser::{HELD_BYTES_MAX, OutputEvent, OutputParser, State};

const CHANNELS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", "<|start|>", "<|channel|>"];

impl OutputParser {
    /// What calls begin with, all of it and without the first of two markers; empty for objects without a marker.
    pub(super) fn triggers(&self) -> [&str; 2] {
        let marks = self.format.calls.as_ref().map(|calls| [&calls.section[0], &calls.call[0]]);
        let mark = marks.into_iter().flatten().find(|mark| !mark.trim().is_empty());
        let mut parts = mark.map(|mark| mark.split_whitespace()).into_iter().flatten();
        let first = parts.next().unwrap_or_default();
        [first, parts.next_back().unwrap_or(first)]
    }

    /// What a call begins with where the marker of all calls may be missing.
    fn call_trigger(&self) -> &str {
        let calls = self.format.calls.as_ref().filter(|calls| !calls.section[0].trim().is_empty());
        let is_named = calls.filter(|calls| matches!(calls.shape, Shape::Named { .. }));
        is_named.and_then(|calls| calls.call[0].split_whitespace().next()).unwrap_or_default()
    }

    /// Whether what is held, all of it, is calls: reasoning without an end may end with them.
    fn ends_in_calls(&self, trigger: usize) -> bool {
        let mut rest = self.clone();
        rest.state = State::Section { trigger: Some(trigger) };
        rest.events.clear();
        rest.run(true);
        let is_text = |event: &OutputEvent| matches!(event, OutputEvent::Content(text) | OutputEvent::Reasoning(text) if !text.trim().is_empty());
        rest.calls > self.calls && !rest.is_cut && !rest.events.iter().any(is_text)
    }

    /// The markers that count in content and in reasoning: made once, as every piece of text is searched for them.
    pub(super) fn set_marks(&mut self) {
        self.marks = [false, true].map(|is_reasoning| self.marks_in(is_reasoning).into());
    }

    fn marks_in(&self, is_reasoning: bool) -> Vec<(Mark, String)> {
        let is_harmony = self.is_harmony();
        let [think, thought] = self.format.reasoning.as_ref().unwrap_or(&NONE);
        let [open, close] = self.format.content.as_ref().unwrap_or(&NONE);
        let [trigger, short] = self.triggers();
        let mut marks = vec![(Mark::Call, trigger), (Mark::Call, short), (Mark::Call, self.call_trigger())];
        match is_reasoning {
            true => marks.push((Mark::Thought, thought)),
            false => marks.extend([(Mark::Around, &**open), (Mark::Around, &**close)]),
        }
        if is_harmony {
            marks.extend(CHANNELS.map(|mark| (Mark::Channel, mark)));
        } else if is_reasoning {
            marks.extend([(Mark::Thought, &**open), (Mark::End, &self.format.end)]);
        } else {
            marks.push((Mark::End, &self.format.end));
            // A control token of reasoning is no content.
            if thought.contains('|') {
                marks.extend([(Mark::Think, &**think), (Mark::Around, thought)]);
            }
        }
        let marks = marks.into_iter().map(|(what, mark)| (what, mark.trim().to_owned()));
        marks.filter(|(_, mark)| !mark.is_empty()).collect()
    }

    /// Reasoning or content, up to the next marker.
    pub(super) fn text(&mut self, last: bool) -> Step {
        let marks = Arc::clone(&self.marks[usize::from(self.is_reasoning)]);
        let find = |mark: &str| self.held.find(mark);
        // In reasoning a call is none; whether it is reasoning the closing marker shows.
        let ends = |(what, mark): &(Mark, String)| *what == Mark::Thought && find(mark).is_some();
        let is_thinking = self.is_reasoning && marks.iter().any(|(what, _)| *what == Mark::Thought);
        let is_thought = marks.iter().any(ends);
        let counted = marks.iter().filter(|(what, _)| !is_thought || *what != Mark::Call);
        let found = counted.filter_map(|(what, mark)| Some((find(mark)?, *what, mark.len())));
        let found = found.min_by_key(|&(at, _, bytes)| (at, usize::MAX - bytes));
        let waiting =
            if last { 0 } else { undecided_bytes(&self.held, marks.iter().map(|(_, mark)| &**mark)) };
        let shown = found.map_or(self.held.len() - waiting, |(at, ..)| at);
        let text = self.drain(shown);
        self.say(&text);
        let Some((_, what, bytes)) = found else { return Step::More };
        let may_be = |mark: &str| mark.len() > bytes && mark.starts_with(&self.held);
        let is_over = last || self.held.len() > HELD_BYTES_MAX;
        if !is_over && marks.iter().any(|(_, mark)| may_be(mark)) {
            return Step::More;
        }
        let is_text = match what {
            Mark::Call if !is_thinking || last && self.ends_in_calls(bytes) => {
                self.state = State::Section { trigger: Some(bytes) };
                return Step::Go;
            }
            Mark::Call => is_over,
            Mark::End if self.held[bytes..].trim().is_empty() && !last => return Step::More,
            Mark::End => !self.held[bytes..].trim().is_empty(),
            _ => return self.pass(what, bytes),
        };
        if what == Mark::Call && !is_text {
            return Step::More;
        }
        let mark = self.drain(bytes);
        if is_text {
            self.say(&mark);
        }
        Step::Go
    }

    /// Goes on behind a marker that is no text.
    fn pass(&mut self, what: Mark, bytes: usize) -> Step {
        self.drain(bytes);
        let is_other = matches!(what, Mark::Thought | Mark::Think | Mark::Channel);
        if is_other {
            self.blanks.clear();
            self.is_fresh = true;
        }
        self.is_reasoning = what == Mark::Think || self.is_reasoning && what != Mark::Thought;
        self.state = match what {
            Mark::Think => State::Text,
            Mark::Channel => State::Head,
            _ if self.is_harmony() => State::Head,
            _ => State::Begin(true),
        };
        Step::Go
    }
}
