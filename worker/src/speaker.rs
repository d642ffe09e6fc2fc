//! Ids as text for the page.

use pith_engine::tokenizer::Detokenizer;

use crate::protocol::{Event, TokenLogprobs};
use crate::residency::Resident;
use crate::stop::{Found, StopMatcher};
use crate::ticket::Ticket;

/// Turns ids into text, up to a stop string.
pub struct Speaker<'a> {
    ticket: &'a Ticket,
    detokenizer: Option<Detokenizer>,
    matcher: StopMatcher,
    text: String,
    /// How much of the text the page has.
    shown_bytes: usize,
    logprobs: Vec<TokenLogprobs>,
    /// How many of them the page has.
    shown_logprobs: usize,
}

impl<'a> Speaker<'a> {
    /// Without a tokenizer there is no text.
    pub fn new(resident: &Resident, stop: &[String], ticket: &'a Ticket) -> Self {
        Speaker {
            ticket,
            detokenizer: resident.tokenizer.as_ref().map(|tokenizer| tokenizer.detokenizer()),
            matcher: StopMatcher::new(stop),
            text: String::new(),
            shown_bytes: 0,
            logprobs: Vec::new(),
            shown_logprobs: 0,
        }
    }

    /// Takes the log probabilities of an id.
    pub fn note(&mut self, logprobs: TokenLogprobs) {
        self.logprobs.push(logprobs);
    }

    /// Takes an id; true where a stop string ended the text.
    pub fn say(&mut self, id: u32) -> bool {
        let Some(detokenizer) = &mut self.detokenizer else { return false };
        let piece = detokenizer.push(id);
        self.take(&piece)
    }

    fn take(&mut self, piece: &str) -> bool {
        let (text, stopped) = match self.matcher.push(piece) {
            Found::Text(text) => (text, false),
            Found::Stop(text) => (text, true),
        };
        self.text.push_str(&text);
        stopped
    }

    /// Posts what has become text since the last time: once for all ids that came together.
    pub fn show(&mut self) {
        if self.shown_bytes < self.text.len() || self.shown_logprobs < self.logprobs.len() {
            let text = self.text[self.shown_bytes..].to_owned();
            let logprobs = self.logprobs[self.shown_logprobs..].to_vec();
            (self.shown_bytes, self.shown_logprobs) = (self.text.len(), self.logprobs.len());
            self.ticket.post(Event::Token { text, logprobs });
        }
    }

    /// The whole text, and log probabilities where there are any. `stopped` where a stop string ended it; else what was held back belongs to it.
    pub fn finish(mut self, stopped: bool) -> (String, Vec<TokenLogprobs>) {
        if !stopped {
            let tail = self.detokenizer.as_mut().map(Detokenizer::finish).unwrap_or_default();
            if !self.take(&tail) {
                let held = self.matcher.finish();
                self.text.push_str(&held);
            }
        }
        self.show();
        (self.text, self.logprobs)
    }
}
