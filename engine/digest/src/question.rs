//! What the words of a question say about each sentence: BM25, with the words of headings as a field.

use super::intents::{self, Intent};
use super::language::asks_for_number;
use super::noise::Noise;
use super::openers;
use super::page::DigestError;
use super::slices::Slices;
use super::stems::{same_stem, stem_keys};
use super::words::head;
use super::{Digest, Section, Sentence};
use std::collections::HashMap;

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
/// A word of the same stem counts as this much of the word itself.
const VARIANT_SHARE: f32 = 0.7;

/// A question to one page.
pub struct Question {
    pub(super) bm25: Vec<f32>,
    /// The share of the question's words, by their rarity, that a sentence has.
    pub(super) covered: Vec<f32>,
    /// How common on the page the commonest of them is that a sentence has, 0 to 1: a word that a page is full of is what it is about.
    pub(super) topical: Vec<f32>,
    pub(super) intent: Intent,
    pub(super) asks_for_number: bool,
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

/// A term of the question that a term of the page means, and how much it counts.
type Meant = (usize, f32);

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

    /// The sentences that an embedding model should see for a question, ascending, at most `limit`: all where they are few; else half the
    /// best by words, the others those of [`Digest::worth_embedding`], whose vectors a caller may have already, and rows of tables.
    #[must_use]
    pub fn worth_embedding_for(&self, question: &Question, limit: usize) -> Vec<usize> {
        let all: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| may_answer(&self.sentences[at])).collect();
        if all.len() <= limit {
            return all;
        }
        let bm25 = &question.bm25;
        let mut order: Vec<usize> = all.iter().copied().filter(|&at| bm25[at] > 0.0).collect();
        order.sort_by(|&a, &b| bm25[b].total_cmp(&bm25[a]).then(a.cmp(&b)));
        order.truncate(limit / 2);
        let rows = all.iter().copied().filter(|&at| self.sentences[at].row.is_some());
        let rows: Vec<usize> = rows.take(limit / 8).collect();
        let general = self.worth_embedding(limit - order.len() - rows.len());
        order.extend(general);
        order.extend(rows);
        order.sort_unstable();
        order.dedup();
        order
    }

    /// BM25 of every sentence.
    async fn match_words<T: AsyncFn() -> bool>(
        &self,
        question: &str,
        slices: &mut Slices<'_, T>,
    ) -> Result<Question, DigestError> {
        let asked = self.asked_terms(question);
        let count = self.sentences.len();
        let matching = self.expand(&asked, slices).await?;
        let mut with = vec![0u32; asked.len()];
        for (id, meant) in &matching {
            for &(term, _) in meant {
                with[term] = (with[term] + self.terms.sentences_with(*id)).min(count as u32);
            }
        }
        // A name that stands before what somebody says is as common as their sentences.
        for person in self.speakers.people() {
            for (term, _) in person.counts.iter().flat_map(|(id, _)| matching.get(id).into_iter().flatten()) {
                with[*term] = (with[*term] + person.sentences).min(count as u32);
            }
        }
        let total = count as f32;
        let rarity: Vec<f32> =
            with.iter().map(|&df| (1.0 + (total - df as f32 + 0.5) / (df as f32 + 0.5)).ln()).collect();
        let commonness: Vec<f32> =
            with.iter().map(|&df| (1.0 + df as f32).ln() / (1.0 + total).ln()).collect();
        let rarity_sum: f32 = rarity.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let lengths = &self.terms.lengths;
        let mean_length = (lengths.iter().sum::<f32>() / total.max(1.0)).max(1.0);
        let own = |counts: &[(u32, f32)]| -> Vec<f32> {
            let mut found = vec![0.0f32; asked.len()];
            for (id, times) in counts {
                for (term, share) in matching.get(id).into_iter().flatten() {
                    found[*term] += share * times;
                }
            }
            found
        };
        let people: Vec<Vec<f32>> = self.speakers.people().iter().map(|person| own(&person.counts)).collect();
        slices.charge(people.len() * (1 + asked.len())).await?;
        let (mut bm25, mut covered, mut topical) = (vec![0.0; count], vec![0.0; count], vec![0.0f32; count]);
        let (mut before, mut label) = (Vec::new(), Vec::new());
        let mut found = self.terms.counts.first().map(|counts| own(counts)).unwrap_or_default();
        let mut above: (Option<usize>, Vec<f32>) = (None, Vec::new());
        for (at, sentence) in self.sentences.iter().enumerate() {
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
            for term in 0..asked.len() {
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
                covered[at] += rarity[term] * frequency.min(1.0) / rarity_sum;
                topical[at] = topical[at].max(commonness[term] * frequency.min(1.0));
                let length = 1.0 - B + B * lengths[at] / mean_length;
                bm25[at] += rarity[term] * frequency * (K1 + 1.0) / (frequency + K1 * length);
            }
            before = std::mem::replace(&mut found, after);
            slices.charge((self.terms.counts[at].len() + asked.len()) / 4 + 1).await?;
        }
        let intent = intents::of(question, asked.is_empty());
        Ok(Question { bm25, covered, topical, intent, asks_for_number: asks_for_number(question) })
    }

    /// The terms that a question must be judged by. Pairs of hiragana that the page does not know are endings of other words.
    fn asked_terms(&self, question: &str) -> Vec<String> {
        let mut asked = self.terms.distinct(question);
        let is_ending = |term: &str| term.chars().all(|c| ('\u{3040}'..='\u{309F}').contains(&c));
        asked.retain(|term| !is_ending(term) || self.terms.get(term).is_some());
        asked
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
                && (is_label || openers::announces(&label.text))
        })
    }

    /// The section that a sentence stands in.
    pub(super) fn section(&self, sentence: usize) -> Option<&Section> {
        let block = self.sentences[sentence].heading?;
        let at = self.sections.binary_search_by_key(&block, |section| section.block).ok()?;
        Some(&self.sections[at])
    }

    /// Terms of the page that mean some of the question's.
    async fn expand<T: AsyncFn() -> bool>(
        &self,
        asked: &[String],
        slices: &mut Slices<'_, T>,
    ) -> Result<HashMap<u32, Vec<Meant>>, DigestError> {
        let mut matching: HashMap<u32, Vec<Meant>> = HashMap::new();
        // Words of one stem have a key in common, so that a page's words are compared with few of the question's.
        let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
        for (term, word) in asked.iter().enumerate() {
            if let Some(id) = self.terms.get(word) {
                matching.entry(id).or_default().push((term, 1.0));
            }
            stem_keys(word, &mut |key| by_key.entry(key).or_default().push(term));
        }
        for (known, id) in self.terms.vocabulary() {
            let mut related: Vec<usize> = Vec::new();
            stem_keys(known, &mut |key| related.extend(by_key.get(key).into_iter().flatten()));
            slices.charge(1 + related.len()).await?;
            related.sort_unstable();
            related.dedup();
            related.retain(|&term| known != asked[term] && same_stem(known, &asked[term]));
            if !related.is_empty() {
                let related = related.into_iter().map(|term| (term, VARIANT_SHARE));
                matching.entry(id).or_default().extend(related);
            }
        }
        Ok(matching)
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
