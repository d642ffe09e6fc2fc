//! Ids as text for the page.

use std::rc::Rc;

use pith_engine::chat::OutputParser;
use pith_engine::tokenizer::Detokenizer;

use crate::browser::random;
use crate::protocol::{Event, MessageDelta, ParsedMessage, TokenLogprobs};
use crate::residency::Resident;
use crate::stop::{Found, StopMatcher};
use crate::ticket::Ticket;
use crate::tools;

/// Letters and digits of a made-up id of a call: as many as Mistral's templates want.
const ID_CHARS: usize = 9;

/// Turns ids into text, up to a stop string.
pub struct Speaker {
    ticket: Rc<Ticket>,
    detokenizer: Option<Detokenizer>,
    matcher: StopMatcher,
    text: String,
    /// How much of the text the page has.
    shown_bytes: usize,
    logprobs: Vec<TokenLogprobs>,
    /// How many of them the page has.
    shown_logprobs: usize,
    parser: Option<OutputParser>,
    message: ParsedMessage,
    /// What the page does not have.
    deltas: Vec<MessageDelta>,
}

/// What was said.
pub struct Said {
    pub text: String,
    pub logprobs: Vec<TokenLogprobs>,
    /// Where the text was taken apart.
    pub message: Option<ParsedMessage>,
}

impl Speaker {
    /// Without a tokenizer there is no text. The markers that a parser looks for may be control tokens.
    pub fn new(
        resident: &Resident,
        stop: &[String],
        parser: Option<OutputParser>,
        ticket: Rc<Ticket>,
    ) -> Self {
        let detokenizer = resident.tokenizer.as_ref().map(|tokenizer| tokenizer.detokenizer());
        Speaker {
            ticket,
            detokenizer: if parser.is_some() {
                detokenizer.map(Detokenizer::with_special)
            } else {
                detokenizer
            },
            parser,
            message: ParsedMessage::default(),
            deltas: Vec::new(),
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

    /// Takes an id; true where a stop string ended the text, or the only tool call that was allowed.
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
        self.add(&text);
        stopped || self.parser.as_ref().is_some_and(OutputParser::is_complete)
    }

    fn add(&mut self, text: &str) {
        self.text.push_str(text);
        if let Some(parser) = &mut self.parser {
            self.deltas.extend(tools::add(&mut self.message, parser.push(text), new_id));
        }
    }

    /// Posts what has become text since the last time: once for all ids that came together.
    pub fn show(&mut self) {
        let has_deltas = !self.deltas.is_empty();
        if self.shown_bytes < self.text.len() || has_deltas || self.shown_logprobs < self.logprobs.len() {
            let text = self.text[self.shown_bytes..].to_owned();
            let logprobs = self.logprobs[self.shown_logprobs..].to_vec();
            (self.shown_bytes, self.shown_logprobs) = (self.text.len(), self.logprobs.len());
            self.ticket.post(Event::Token { text, logprobs, deltas: std::mem::take(&mut self.deltas) });
        }
    }

    /// All that was said. `stopped` where a stop string ended it; else what was held back belongs to it.
    pub fn finish(mut self, stopped: bool) -> Said {
        if !stopped {
            let tail = self.detokenizer.as_mut().map(Detokenizer::finish).unwrap_or_default();
            if !self.take(&tail) {
                let held = self.matcher.finish();
                self.add(&held);
            }
        }
        if let Some(parser) = &mut self.parser {
            self.deltas.extend(tools::add(&mut self.message, parser.finish(), new_id));
        }
        self.show();
        let message = self.parser.is_some().then_some(self.message);
        Said { text: self.text, logprobs: self.logprobs, message }
    }
}

fn new_id() -> String {
    let digit = |_| char::from_digit((random() * 36.0) as u32, 36).unwrap_or('0');
    (0..ID_CHARS).map(digit).collect()
}
