//! What the words of a question say about each sentence: BM25, with the words of headings as a field.

use super::asked::{Asked, Meant};
use super::intents::{self, Intent};
use super::labels::is_question;
use super::noise::Noise;
use super::openers;
use super::order::by_value;
use super::page::DigestError;
use super::rows;
use super::slices::Slices;
use super::term_weights::TermWeights;
use super::vectors::Vectors;
use super::wanted::Wanted;
use super::words::{each_term, head};
use super::{Digest, Section, Sentence};
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

/// Of what is embedded for the first question about a page, a later one takes one in so many.
pub(super) const LATER_SHARE: usize = 4;
/// Longest question, in characters.
pub const QUESTION_CHARS_MAX: usize = 1_000;

/// BM25: how fast repetitions stop counting.
const K1: f32 = 0.6;
/// BM25: how much longer sentences are discounted.
const B: f32 = 0.5;
/// Weight of a word of the section's heading, of the sentence before or the label above, and of the sentence behind, relative to a word
/// of the sentence.
const HEADING_SHARE: f32 = 0.7;
const BEFORE_SHARE: f32 = 0.4;
const AFTER_SHARE: f32 = 0.2;
/// Weight of a word of the name of who says a sentence, relative to a word of the sentence.
const SPEAKER_SHARE: f32 = 0.7;

/// A question to one page.
pub struct Question {
    pub(super) bm25: Vec<f32>,
    /// The share of the question's words, by their rarity, that a sentence has.
    pub(super) covered: Vec<f32>,
    /// How common on the page the commonest of them is that a sentence has, 0 to 1: a word that a page is full of is what it is about.
    pub(super) topical: Vec<f32>,
    /// The share of the question's words that its page does not have at all, by their rarity.
    pub(super) unknown: Vec<f32>,
    /// The share of the question's words that the heading above a sentence has.
    pub(super) titled: Vec<f32>,
    /// Whether the question has a name that the page does not have.
    pub(super) foreign: bool,
    /// Whether it is in another language than the page: its words say nothing then.
    pub(super) other_language: bool,
    pub(super) intent: Intent,
    pub(super) wanted: Option<Wanted>,
    /// Whether a sentence has an answer of the kind that is asked for; `None` where that cannot be told.
    pub(super) kind: Vec<Option<bool>>,
    /// Rows of tables that have nothing in the column that is asked for.
    pub(super) blank: BTreeSet<usize>,
}

impl Question {
    /// Whether it is answered by what its words mean, so that embeddings help.
    #[must_use]
    pub fn is_searched(&self) -> bool {
        self.intent == Intent::Search
    }

    /// Whether it asks for every sentence of some kind, so that an answer may have many passages.
    #[must_use]
    pub fn is_list(&self) -> bool {
        matches!(self.intent, Intent::List(_))
    }
}

impl Digest {
    /// Compares a question with every sentence. `turn` is as in [`Digest::new`].
    ///
    /// # Errors
    /// [`DigestError::QuestionTooLong`] beyond 1,000 characters, [`DigestError::Stopped`].
    pub async fn question(&self, text: &str, turn: &impl AsyncFn() -> bool) -> Result<Question, DigestError> {
        if head(text, QUESTION_CHARS_MAX).len() < text.len() {
            return Err(DigestError::QuestionTooLong { chars_max: QUESTION_CHARS_MAX });
        }
        self.match_words(text, &mut Slices::new(turn)).await
    }

    /// The sentences without a vector that an embedding model should see for a question, ascending, at most `limit`: of the first question all
    /// where they are few; else half the best by words, rows of tables, and others from all over the page. Of a later question, which
    /// finds the page's vectors in place, a few of the best by words.
    #[must_use]
    pub fn worth_embedding_for(&self, question: &Question, vectors: &Vectors, limit: usize) -> Vec<usize> {
        let all: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| may_answer(&self.sentences[at])).collect();
        let is_missing = |at: &usize| vectors.get(*at).is_none();
        if all.len() <= limit {
            return all.into_iter().filter(is_missing).collect();
        }
        let bm25 = &question.bm25;
        let mut order: Vec<usize> = all.iter().copied().filter(|&at| bm25[at] > 0.0).collect();
        order.sort_by(|&a, &b| bm25[b].total_cmp(&bm25[a]).then(a.cmp(&b)));
        order.truncate(limit / 2);
        if vectors.block_count() == 0 {
            let rows = all.iter().copied().filter(|&at| self.sentences[at].row.is_some());
            let rows: Vec<usize> = rows.take(limit / 8).collect();
            let general = self.spread_sentences(limit - order.len() - rows.len());
            order.extend(general);
            order.extend(rows);
        } else {
            order.truncate(limit / LATER_SHARE);
        }
        order.retain(is_missing);
        order.sort_unstable();
        order.dedup();
        order
    }

    /// Sentences from all over the page, ascending, at most `limit`: half of them the best by their words, the others the best of equal
    /// stretches of the page, so that no part of it stays dark.
    fn spread_sentences(&self, limit: usize) -> Vec<usize> {
        if self.ranked.len() <= limit {
            return self.ranked.clone();
        }
        let scores = self.scores();
        let order = by_value(&scores);
        let mut chosen = vec![false; scores.len()];
        order.iter().take(limit / 2).for_each(|&at| chosen[at] = true);
        let slots = limit - limit / 2;
        let mut best: Vec<Option<usize>> = vec![None; slots];
        for at in (0..scores.len()).filter(|&at| !chosen[at]) {
            let slot = &mut best[at * slots / scores.len()];
            if slot.is_none_or(|other| scores[at] > scores[other]) {
                *slot = Some(at);
            }
        }
        best.into_iter().flatten().for_each(|at| chosen[at] = true);
        (0..scores.len()).filter(|&at| chosen[at]).map(|at| self.ranked[at]).collect()
    }

    /// BM25 of every sentence.
    async fn match_words<T: AsyncFn() -> bool>(
        &self,
        text: &str,
        slices: &mut Slices<'_, T>,
    ) -> Result<Question, DigestError> {
        let asked = self.asked(text);
        let count = self.sentences.len();
        let matching = self.expand(&asked, slices).await?;
        let mut kind = vec![None; count];
        if asked.wanted.is_some() {
            for (kind, sentence) in kind.iter_mut().zip(&self.sentences) {
                *kind = self.has_kind(&asked, sentence.meaning());
                slices.charge(sentence.meaning().len() / 2).await?;
            }
        }
        let mut question = Question {
            bm25: vec![0.0; count],
            covered: vec![0.0; count],
            topical: vec![0.0; count],
            unknown: vec![0.0; count],
            titled: vec![0.0; count],
            foreign: self.has_foreign_name(text, &asked, &matching),
            other_language: self.other_language(text).is_some(),
            intent: intents::of(text, asked.wordless),
            wanted: asked.wanted,
            kind,
            blank: self.blank_rows(text, slices).await?,
        };
        for part in self.parts() {
            let weights = self.term_weights(&asked, &matching, (&part, &question.kind), slices).await?;
            self.match_part(&asked, &matching, &weights, (part, &mut question), slices).await?;
        }
        Ok(question)
    }

    /// The rows whose cell is empty in the column that a question names.
    async fn blank_rows<T: AsyncFn() -> bool>(
        &self,
        text: &str,
        slices: &mut Slices<'_, T>,
    ) -> Result<BTreeSet<usize>, DigestError> {
        let mut words = HashSet::new();
        each_term(text, false, &mut |word| {
            words.insert(word.to_string());
        });
        let mut found = BTreeSet::new();
        let mut last: (&[String], Vec<bool>) = (&[], Vec::new());
        for (at, sentence) in self.sentences.iter().enumerate().filter(|(_, sentence)| sentence.row.is_some())
        {
            let headers = self.headers(sentence.block);
            // The rows of a table have the same headers.
            if headers != last.0 {
                last = (headers, rows::asked_columns(headers, &words));
                slices.charge(headers.iter().map(String::len).sum()).await?;
            }
            if rows::is_blank(&sentence.text, &last.1) {
                found.insert(at);
            }
            slices.charge(1 + sentence.text.len() / 16).await?;
        }
        Ok(found)
    }

    /// Fills a question in for the sentences of a part.
    async fn match_part<T: AsyncFn() -> bool>(
        &self,
        asked: &Asked,
        matching: &HashMap<u32, Vec<Meant>>,
        weights: &TermWeights,
        (part, question): (Range<usize>, &mut Question),
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let terms = asked.terms;
        let own = |counts: &[(u32, f32)]| -> Vec<f32> {
            let mut found = vec![0.0f32; terms];
            for (id, times) in counts {
                for (term, share) in matching.get(id).into_iter().flatten() {
                    found[*term] += share * times;
                }
            }
            found
        };
        let people: Vec<Vec<f32>> = self.speakers.people().iter().map(|person| own(&person.counts)).collect();
        slices.charge(people.len() * (1 + terms)).await?;
        // An answer of the kind, and the word for it, where nothing else is asked for.
        let full = if terms == 1 && asked.wanted.is_some() { 1.5 } else { 1.0 };
        let (mut before, mut label) = (Vec::new(), Vec::new());
        let mut found = self.terms.counts.get(part.start).map(|counts| own(counts)).unwrap_or_default();
        let mut above: (Option<usize>, Vec<f32>) = (None, Vec::new());
        for at in part {
            let sentence = &self.sentences[at];
            let after = self.terms.counts.get(at + 1).map(|counts| own(counts)).unwrap_or_default();
            if sentence.heading != above.0 {
                above = (
                    sentence.heading,
                    self.section(at).map(|section| own(&section.counts)).unwrap_or_default(),
                );
            }
            let in_block = |other: Option<usize>| {
                other
                    .and_then(|other| self.sentences.get(other))
                    .is_some_and(|other| other.block == sentence.block)
            };
            let (follows, leads) = (in_block(at.checked_sub(1)), in_block(Some(at + 1)));
            if !follows {
                label = if self.is_labeled(at) { before.clone() } else { Vec::new() };
            }
            let speaker = self.speakers.of(sentence.block).map_or(&[][..], |person| &people[person]);
            question.unknown[at] = weights.unknown;
            for term in 0..terms {
                let at_most_once = |found: &[f32]| found.get(term).map_or(0.0, |times: &f32| times.min(1.0));
                let mut frequency = found[term] + HEADING_SHARE * at_most_once(&above.1);
                frequency += SPEAKER_SHARE * at_most_once(speaker);
                frequency += BEFORE_SHARE * at_most_once(&label);
                if follows {
                    frequency += BEFORE_SHARE * at_most_once(&before);
                }
                if leads {
                    frequency += AFTER_SHARE * at_most_once(&after);
                }
                if asked.kind_term() == Some(term) && question.kind[at] == Some(true) {
                    frequency += 1.0;
                }
                question.titled[at] += weights.shares[term] * at_most_once(&above.1);
                question.covered[at] += weights.shares[term] * (frequency / full).min(1.0);
                let topical = weights.commonness[term] * frequency.min(1.0);
                question.topical[at] = question.topical[at].max(topical);
                let length = 1.0 - B + B * self.terms.lengths[at] / weights.mean_length;
                question.bm25[at] +=
                    weights.rarity[term] * frequency * (K1 + 1.0) / (frequency + K1 * length);
            }
            before = std::mem::replace(&mut found, after);
            slices.charge((self.terms.counts[at].len() + terms) / 4 + 1).await?;
        }
        Ok(())
    }

    /// Whether the block that a sentence opens belongs to the one above: a label (the term of a list of definitions, an option of a
    /// command), or a line that announces it.
    fn is_labeled(&self, at: usize) -> bool {
        let sentence = &self.sentences[at];
        let label = at.checked_sub(1).map(|before| &self.sentences[before]);
        label.is_some_and(|label| {
            let is_label = label.opens_block && label.noise == Some(Noise::Fragment);
            sentence.row.is_none()
                && label.heading == sentence.heading
                && (is_label || openers::announces(&label.text) || self.is_answer_to(at))
        })
    }

    /// Whether a sentence is a question: it answers none.
    pub(super) fn asks(&self, at: usize) -> bool {
        is_question(&self.sentences[at].text)
    }

    /// Whether a sentence is what stands behind a question of the page: in its block, or below a block that is a question.
    pub(super) fn is_answer_to(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let (asked, answer) = (&self.sentences[before], &self.sentences[at]);
        self.asks(before)
            && !self.asks(at)
            && asked.heading == answer.heading
            && self.speakers.of(asked.block) == self.speakers.of(answer.block)
            && (asked.block == answer.block || (asked.opens_block && answer.opens_block))
    }

    /// The section that a sentence stands in.
    pub(super) fn section(&self, sentence: usize) -> Option<&Section> {
        let block = self.sentences[sentence].heading?;
        let at = self.sections.binary_search_by_key(&block, |section| section.block).ok()?;
        Some(&self.sections[at])
    }
}

/// A fragment of so few words answers nothing, unless it has a number ("Price: 49 €").
const FRAGMENT_WORDS_MAX: usize = 3;

/// Whether a sentence may stand in a passage by itself.
pub(super) fn may_answer(sentence: &Sentence) -> bool {
    match sentence.noise {
        Some(Noise::Boilerplate | Noise::Reference) => false,
        Some(Noise::Fragment) => {
            sentence.words > FRAGMENT_WORDS_MAX
                || (sentence.words > 1 && sentence.text.chars().any(char::is_numeric))
        }
        _ => true,
    }
}
