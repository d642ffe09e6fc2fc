//! A bounded choice of sentences from a page of any length.

use super::Sentence;

/// At most `limit` sentences: the page's first tenth of the limit whole, because pages say first what they are about; the rest one
/// from each of as many equal stretches, preferring proper sentences and those that open a paragraph. How many there are shows
/// only at the end: until then stretches grow as needed, and there are several times as many of them.
pub(super) struct Spread {
    limit: usize,
    /// Sentences kept whole.
    lead: usize,
    /// Sentences in a stretch so far.
    stretch: usize,
    pub(super) found: usize,
    kept: Vec<Sentence>,
}

impl Spread {
    /// Stretches for each sentence wanted, so that those at the end differ little in length.
    const FINER: usize = 8;

    pub(super) fn new(limit: usize) -> Self {
        let limit = limit.max(1);
        Self { limit, lead: limit / 10, stretch: 1, found: 0, kept: Vec::new() }
    }

    pub(super) fn push(&mut self, sentence: Sentence) {
        let at = self.found;
        self.found += 1;
        if self.kept.len() >= self.limit * Self::FINER && self.begins_stretch(at) {
            let kept = std::mem::take(&mut self.kept);
            self.kept = best_of(kept, self.lead, |nth| nth / 2);
            self.stretch *= 2;
        }
        let is_new = self.begins_stretch(at);
        keep_better(&mut self.kept, sentence, is_new);
    }

    fn begins_stretch(&self, at: usize) -> bool {
        at < self.lead || (at - self.lead).is_multiple_of(self.stretch)
    }

    pub(super) fn finish(self) -> Vec<Sentence> {
        if self.kept.len() <= self.limit {
            return self.kept;
        }
        let (slots, rest) = (self.limit - self.lead, self.kept.len() - self.lead);
        best_of(self.kept, self.lead, |nth| nth * slots / rest)
    }
}

/// The first `lead` sentences, and of the others the first best for each number that `slot_of` gives to neighbours.
fn best_of(sentences: Vec<Sentence>, lead: usize, slot_of: impl Fn(usize) -> usize) -> Vec<Sentence> {
    let mut kept: Vec<Sentence> = Vec::new();
    for (at, sentence) in sentences.into_iter().enumerate() {
        let is_new = at <= lead || slot_of(at - lead) != slot_of(at - lead - 1);
        keep_better(&mut kept, sentence, is_new);
    }
    kept
}

/// Adds a sentence, or puts it in the place of the last one where both are of one stretch and it is better.
fn keep_better(kept: &mut Vec<Sentence>, sentence: Sentence, is_new: bool) {
    let worth = |sentence: &Sentence| u8::from(sentence.noise.is_none()) * 2 + u8::from(sentence.opens_block);
    match kept.last_mut() {
        Some(last) if !is_new => {
            if worth(&sentence) > worth(last) {
                *last = sentence;
            }
        }
        _ => kept.push(sentence),
    }
}
