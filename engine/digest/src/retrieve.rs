//! The passages of a page that answer a question, by words and embeddings.
//!
//! How sentences are ranked stands in ranking.rs, and whether the page answers in answered.rs.

use super::intents::Intent;
use super::page::{DigestError, SummaryLength};
use super::passages::{ANSWERED_MIN, Answer, Hit, Verdict};
use super::poor::is_announcement;
use super::question::{LATER_SHARE, Question, may_answer};
use super::ranking::{Ranking, TITLED_MIN};
use super::slices::Slices;
use super::vectors::QueryVectors;
use super::words::head;
use super::{CONTEXT_CHARS_MAX, Digest};
use std::collections::HashMap;

/// Sentences that are embedded for a question. Half of them are those of the page's summary, so most are there already.
pub const QUESTION_SENTENCES_MAX: usize = 160;
/// Whole blocks that are embedded for a question.
pub const QUESTION_BLOCKS_MAX: usize = 24;

/// A passage grows to this many words by taking neighbors that also match.
const PASSAGE_WORDS_MAX: usize = 70;
/// A sentence this short is given with its neighbor even where that does not match.
const LONELY_WORDS_MAX: usize = 8;
/// A neighbor matches that ranks at least this share of the passage's best sentence.
const NEIGHBOR_SHARE: f32 = 0.6;
/// A passage that ranks less than this share of the first one is left out.
const CUT_SHARE: f32 = 0.4;
/// The most that passages score where the row that is meant has an empty cell.
const BLANK_SCORE: f32 = 0.3;
/// What it takes to look whether a sentence may lead a passage, in bytes of text.
const LEAD_CHARGE: usize = 64;
/// Characters of a block that an embedding model is given.
const BLOCK_CHARS_MAX: usize = 1_000;

impl Digest {
    /// The passages that answer a question best, at most `limit`; fewer where those that follow rank far behind the first. A question
    /// without a word to look for is answered with key sentences, a list, or nothing, as its [`Verdict`] says. `turn` is as in
    /// [`Digest::new`].
    ///
    /// # Errors
    /// [`DigestError::Stopped`].
    pub async fn rank_question(
        &self,
        question: &Question,
        vectors: Option<QueryVectors<'_>>,
        limit: usize,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Answer, DigestError> {
        let mut slices = Slices::new(turn);
        match question.intent {
            Intent::Summary => return Ok(self.key_passages(limit)),
            Intent::Vague => return Ok(Answer::empty(Verdict::TooVague)),
            Intent::List(values) => return self.list(values, limit, &mut slices).await,
            Intent::Search => {}
        }
        let ranking = self.rank(question, vectors, true, &mut slices).await?;
        let Ranking { candidates, ranks, confidence } = &ranking;
        let mut order: Vec<usize> = Vec::new();
        for i in (0..candidates.len()).filter(|&i| confidence[i] > 0.0) {
            if self.may_lead(candidates[i]) {
                order.push(i);
            }
            slices.charge(LEAD_CHARGE).await?;
        }
        // Ranks of different pages are on different scales: how sure they are is not.
        let orders = if self.starts.len() > 1 { confidence } else { ranks };
        order.sort_by(|&a, &b| orders[b].total_cmp(&orders[a]).then(a.cmp(&b)));
        // The row that is meant has nothing to say: what other rows say is no answer.
        let is_blank = order.first().is_some_and(|&first| question.blank.contains(&candidates[first]));
        let least = order.first().map_or(0.0, |&first| CUT_SHARE * orders[first]);
        let index_of: HashMap<usize, usize> = candidates.iter().enumerate().map(|(i, &at)| (at, i)).collect();
        let rank_of = |at: usize| index_of.get(&at).map(|&i| ranks[i]);
        // Each sentence stands in one passage at most, near-duplicates once.
        let mut taken = vec![false; self.sentences.len()];
        let mut leads: Vec<usize> = Vec::new();
        let mut hits = Vec::new();
        for i in order {
            if hits.len() >= limit || orders[i] < least {
                break;
            }
            let at = candidates[i];
            slices.charge(leads.len() * self.terms.counts[at].len()).await?;
            if taken[at] || leads.iter().any(|&lead| self.say_the_same(at, lead)) {
                continue;
            }
            let (first, last) = self.grow(at, &rank_of, &taken);
            taken[first..=last].fill(true);
            leads.push(at);
            let score = (first..=last).filter_map(|at| index_of.get(&at)).map(|&i| confidence[i]);
            let mut passage = self.passage(first, last);
            if question.titled[first] >= TITLED_MIN {
                passage.heading = self.section(first).map(|section| section.text.clone());
            }
            let score = score.fold(0.0, f32::max);
            hits.push(Hit { passage, score: if is_blank { score.min(BLANK_SCORE) } else { score } });
        }
        let answers = !is_blank && confidence.iter().any(|&sure| sure >= ANSWERED_MIN);
        let verdict = if answers { Verdict::Answered } else { Verdict::NotOnPage };
        Ok(Answer { hits, verdict })
    }

    /// The blocks without a vector whose whole text an embedding model should see for a question, best first: of the `limit` blocks with the
    /// sentences that rank best so far, or of fewer where another question was asked before.
    ///
    /// # Errors
    /// [`DigestError::Stopped`].
    pub async fn blocks_worth_embedding_for(
        &self,
        question: &Question,
        vectors: QueryVectors<'_>,
        limit: usize,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Vec<usize>, DigestError> {
        if !question.is_searched() {
            return Ok(Vec::new());
        }
        let is_first = vectors.sentences.block_count() == 0;
        let limit = if is_first { limit } else { limit.div_ceil(LATER_SHARE) };
        let Ranking { candidates, ranks, .. } =
            self.rank(question, Some(vectors), false, &mut Slices::new(turn)).await?;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let mut blocks = Vec::new();
        for at in order.into_iter().map(|i| candidates[i]) {
            let block = self.sentences[at].block;
            if !blocks.contains(&block) {
                blocks.push(block);
            }
            if blocks.len() >= limit {
                break;
            }
        }
        blocks.retain(|&block| vectors.sentences.block(block).is_none());
        Ok(blocks)
    }

    /// What an embedding model is given of a block: its heading, or else the title, and the beginning of its text.
    #[must_use]
    pub fn block_text(&self, block: usize) -> String {
        let at = self.sentences.partition_point(|sentence| sentence.block < block);
        let Some(first) = self.sentences.get(at).filter(|first| first.block == block) else {
            return String::new();
        };
        let context = self.section(at).map_or(self.title.as_str(), |section| section.text.as_str());
        let text = first.row.as_deref().unwrap_or(&self.texts[block]);
        let context = head(context, CONTEXT_CHARS_MAX);
        let stop = if context.is_empty() || context.ends_with(['.', '?', '!', '…']) { "" } else { "." };
        format!("{context}{stop} {}", head(text, BLOCK_CHARS_MAX)).trim_start().to_string()
    }

    /// Whether a passage may be there for a sentence: not for a question, nor for one that says what is going to be said.
    fn may_lead(&self, at: usize) -> bool {
        !self.asks(at) && !is_announcement(&self.sentences[at].text)
    }

    /// Takes neighbors that match nearly as well; a very short sentence takes the next one in any case.
    fn grow(&self, at: usize, rank_of: &impl Fn(usize) -> Option<f32>, taken: &[bool]) -> (usize, usize) {
        let own = rank_of(at).unwrap_or(0.0);
        let (mut first, mut last) = (at, at);
        let mut words = self.sentences[at].words;
        loop {
            let fits = |side: usize| !taken[side] && words + self.sentences[side].words <= PASSAGE_WORDS_MAX;
            let rank = |side: usize| rank_of(side).unwrap_or(f32::MIN);
            let before = first.checked_sub(1).filter(|&side| self.adjoin(side, first) && fits(side));
            let after = Some(last + 1)
                .filter(|&side| side < self.sentences.len() && self.adjoin(last, side) && fits(side));
            let matches = |side: &usize| rank(*side) > NEIGHBOR_SHARE * own && own > 0.0;
            let side = match (before.filter(matches), after.filter(matches)) {
                (Some(one), Some(other)) => Some(if rank(one) > rank(other) { one } else { other }),
                (one, other) => one.or(other).or(after.filter(|_| words <= LONELY_WORDS_MAX)),
            };
            let Some(side) = side else { return (first, last) };
            words += self.sentences[side].words;
            first = first.min(side);
            last = last.max(side);
        }
    }

    fn key_passages(&self, limit: usize) -> Answer {
        let mut lines = self.key_sentences(SummaryLength::Medium.lines_max());
        lines.truncate(limit);
        let hits = lines
            .into_iter()
            .map(|line| Hit {
                passage: self.passage(line.sentence, line.sentence),
                score: ANSWERED_MIN + (1.0 - ANSWERED_MIN) * line.score,
            })
            .collect();
        Answer { hits, verdict: Verdict::KeySentences }
    }

    /// The first sentences that have a value of a kind, in page order.
    async fn list<T: AsyncFn() -> bool>(
        &self,
        values: super::intents::Values,
        limit: usize,
        slices: &mut Slices<'_, T>,
    ) -> Result<Answer, DigestError> {
        let mut hits = Vec::new();
        for at in (0..self.sentences.len()).filter(|&at| may_answer(&self.sentences[at])) {
            if hits.len() >= limit {
                break;
            }
            let text = self.sentences[at].meaning();
            slices.charge(text.len()).await?;
            if values.stand_in(text) {
                hits.push(Hit { passage: self.passage(at, at), score: 1.0 });
            }
        }
        let verdict = if hits.is_empty() { Verdict::NothingToList } else { Verdict::Listed };
        Ok(Answer { hits, verdict })
    }
}
