//! Ids as text for the page.

use pith_engine::tokenizer::Detokenizer;

use crate::protocol::Event;
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
        }
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
        if self.shown_bytes < self.text.len() {
            let text = self.text[self.shown_bytes..].to_owned();
            self.shown_bytes = self.text.len();
            self.ticket.post(Event::Token { text });
        }
    }

    /// The whole text. `stopped` where a stop string ended it; else what was held back belongs to it.
    pub fn finish(mut self, stopped: bool) -> String {
        if !stopped {
            let tail = self.detokenizer.as_mut().map(Detokenizer::finish).unwrap_or_default();
            if !self.take(&tail) {
                let held = self.matcher.finish();
                self.text.push_str(&held);
            }
        }
        self.show();
        self.text
    }
}
