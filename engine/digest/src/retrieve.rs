//! The passages of a page that answer a question, by words and embeddings.
//!
//! rank = z(BM25) + 3 z(cosine of the sentence + cosine of its whole block); without embeddings BM25 alone. z-scores keep the lead of a
//! sentence that is far ahead, which ranks would lose, so they are not bounded here. A block is embedded with its heading, which often names
//! what the block only calls "it".
//!
//! Whether the page answers is another question than which passage is best. That is decided by the best sentence's cosines as they are and
//! the share of the question's words that it has, or without embeddings by that share and how common those words are on the page. The more
//! sentences a page has, the closer the closest stranger is among them: more is asked of it.

use super::intents::Intent;
use super::page::{DigestError, SummaryLength};
use super::passages::{ANSWERED_MIN, Answer, Hit, Verdict};
use super::question::{Question, may_answer};
use super::slices::Slices;
use super::vectors::{QueryVectors, dot, normalise, z_scores};
use super::words::head;
use super::{CONTEXT_CHARS_MAX, Digest};
use std::collections::{BTreeMap, HashMap};

/// Sentences that are embedded for a question. Half of them are those of the page's summary, so most are there already.
pub const QUESTION_SENTENCES_MAX: usize = 160;
/// Whole blocks that are embedded for a question.
pub const QUESTION_BLOCKS_MAX: usize = 24;

/// Weight of the embeddings' z-score against that of BM25.
const WEIGHT_COSINE: f32 = 3.0;
/// Added to sentences with a number where the question asks for one.
const NUMBER_BONUS: f32 = 0.5;
/// A passage grows to this many words by taking neighbors that also match.
const PASSAGE_WORDS_MAX: usize = 70;
/// A sentence this short is given with its neighbor even where that does not match.
const LONELY_WORDS_MAX: usize = 8;
/// A neighbor matches that ranks at least this share of the passage's best sentence.
const NEIGHBOR_SHARE: f32 = 0.6;
/// A passage that ranks less than this share of the first one is left out.
const CUT_SHARE: f32 = 0.4;
/// A sentence answers that is close enough. With embeddings closeness is its cosine, mixed with that of its block, and a share of how much
/// of the question's words it has; without, that coverage and how common those words are on the page. What is needed is given for a page
/// of a hundred sentences and grows with the logarithm of their number. The figures are those of a logistic regression on questions to 28
/// short pages and ten chapters of manuals, rounded; in cross-validation over pages it did as well on those that it had not seen.
const BLOCK_SHARE: f32 = 0.25;
const COVERED_SHARE: f32 = 0.25;
const COSINE_GROWTH: f32 = 0.055;
const WORDS_GROWTH: f32 = 0.16;
/// Without embeddings, as [`super::answered_cosine`] with them. Of the questions to manuals 9 % are refused so, and passages are offered for
/// 8 % of those about other manuals and 3 % about articles; at 0.95 it would be 18 %, 4 % and 2 %.
const ANSWERED_WORDS: f32 = 0.8;
const PAGE_SENTENCES: f32 = 100.0;
/// Pages beyond these were not measured.
const GROWTH_SENTENCES: (usize, usize) = (16, 400);
/// Characters of a block that an embedding model is given.
const BLOCK_CHARS_MAX: usize = 1_000;

/// Every candidate with what is known of it.
struct Ranking {
    candidates: Vec<usize>,
    ranks: Vec<f32>,
    /// 0 to 1, as [`Hit::score`].
    confidence: Vec<f32>,
}

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
        let ranking = self.rank(question, vectors, &mut slices).await?;
        let Ranking { candidates, ranks, confidence } = &ranking;
        let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| confidence[i] > 0.0).collect();
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let rank_min = order.first().map_or(0.0, |&first| CUT_SHARE * ranks[first]);
        let index_of: HashMap<usize, usize> = candidates.iter().enumerate().map(|(i, &at)| (at, i)).collect();
        let rank_of = |at: usize| index_of.get(&at).map(|&i| ranks[i]);
        // Each sentence stands in one passage at most, near-duplicates once.
        let mut taken = vec![false; self.sentences.len()];
        let mut leads: Vec<usize> = Vec::new();
        let mut hits = Vec::new();
        for i in order {
            if hits.len() >= limit || ranks[i] < rank_min {
                break;
            }
            let at = candidates[i];
            slices.charge(leads.len() * self.terms.counts[at].len()).await?;
            if taken[at] || leads.iter().any(|&lead| self.say_the_same(at, lead, None)) {
                continue;
            }
            let (first, last) = self.grow(at, &rank_of, &taken);
            taken[first..=last].fill(true);
            leads.push(at);
            let score = (first..=last).filter_map(|at| index_of.get(&at)).map(|&i| confidence[i]);
            hits.push(Hit { passage: self.passage(first, last), score: score.fold(0.0, f32::max) });
        }
        let answers = confidence.iter().any(|&sure| sure >= ANSWERED_MIN);
        let verdict = if answers { Verdict::Answered } else { Verdict::NotOnPage };
        Ok(Answer { hits, verdict })
    }

    /// The blocks whose whole text an embedding model should see for a question, best first, at most `limit`: those of the sentences
    /// that rank best so far and have no vector yet.
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
        let Ranking { candidates, ranks, .. } =
            self.rank(question, Some(vectors), &mut Slices::new(turn)).await?;
        let mut order: Vec<usize> = (0..candidates.len()).collect();
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let mut blocks = Vec::new();
        for at in order.into_iter().map(|i| candidates[i]) {
            if blocks.len() >= limit {
                break;
            }
            let block = self.sentences[at].block;
            if vectors.sentences.block(block).is_none() && !blocks.contains(&block) {
                blocks.push(block);
            }
        }
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

    async fn rank<T: AsyncFn() -> bool>(
        &self,
        question: &Question,
        vectors: Option<QueryVectors<'_>>,
        slices: &mut Slices<'_, T>,
    ) -> Result<Ranking, DigestError> {
        let candidates: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| may_answer(&self.sentences[at])).collect();
        let bm25: Vec<f32> = candidates.iter().map(|&at| question.bm25[at]).collect();
        let needed = ANSWERED_WORDS + WORDS_GROWTH * self.growth();
        let sure =
            |&at: &usize| confidence((question.covered[at] + question.topical[at]) / 2.0, needed / 2.0);
        let mut ranking =
            Ranking { ranks: z_scores(&bm25), confidence: candidates.iter().map(sure).collect(), candidates };
        slices.charge(ranking.candidates.len() / 8).await?;
        if question.asks_for_number {
            for (rank, &at) in ranking.ranks.iter_mut().zip(&ranking.candidates) {
                let text = &self.sentences[at].text;
                if question.bm25[at] > 0.0 && text.chars().any(char::is_numeric) {
                    *rank += NUMBER_BONUS;
                }
                slices.charge(text.len() / 8).await?;
            }
        }
        if let Some(given) = vectors
            && !given.sentences.is_empty()
            && given.question.len() == given.sentences.width()
        {
            self.add_embeddings(question, &given, &mut ranking, slices).await?;
        }
        Ok(ranking)
    }

    async fn add_embeddings<T: AsyncFn() -> bool>(
        &self,
        question: &Question,
        given: &QueryVectors<'_>,
        ranking: &mut Ranking,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let mut asked = given.question.to_vec();
        normalise(&mut asked);
        let mut blocks: BTreeMap<usize, (Vec<f32>, f32)> = BTreeMap::new();
        let (mut known, mut cosines) = (Vec::new(), Vec::new());
        for (i, &at) in ranking.candidates.iter().enumerate() {
            let Some(row) = given.sentences.get(at) else { continue };
            known.push(i);
            cosines.push(dot(row, &asked));
            let sum = blocks.entry(self.sentences[at].block).or_insert_with(|| (vec![0.0; row.len()], 0.0));
            sum.0.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            slices.charge(row.len() / 4).await?;
        }
        // A block without a vector of its own is as its sentences are on average.
        for (&block, (sum, cosine)) in &mut blocks {
            *cosine = match given.sentences.block(block) {
                Some(row) => dot(row, &asked),
                None => {
                    normalise(sum);
                    dot(sum, &asked)
                }
            };
            slices.charge(sum.len() / 4).await?;
        }
        let of_block = |i: usize| {
            let block = self.sentences[ranking.candidates[i]].block;
            blocks.get(&block).map_or(0.0, |(_, cosine)| *cosine)
        };
        let sums: Vec<f32> = known.iter().zip(&cosines).map(|(&i, cosine)| cosine + of_block(i)).collect();
        let needed = given.answered_cosine + COSINE_GROWTH * self.growth();
        ranking.confidence.fill(0.0);
        for ((&i, cosine), z) in known.iter().zip(&cosines).zip(z_scores(&sums)) {
            ranking.ranks[i] += WEIGHT_COSINE * z;
            let closeness = (1.0 - BLOCK_SHARE) * cosine
                + BLOCK_SHARE * of_block(i)
                + COVERED_SHARE * question.covered[ranking.candidates[i]];
            ranking.confidence[i] = confidence(closeness, needed);
        }
        Ok(())
    }

    /// How much longer a page is than the one that thresholds are given for, as a logarithm.
    fn growth(&self) -> f32 {
        let (few, many) = GROWTH_SENTENCES;
        (self.sentences.len().clamp(few, many) as f32 / PAGE_SENTENCES).ln()
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
        let mut lines = self.key_sentences(None, SummaryLength::Medium.lines_max());
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

/// Closeness on the scale of [`Hit::score`]: what is needed becomes [`ANSWERED_MIN`].
fn confidence(closeness: f32, needed: f32) -> f32 {
    let closeness = closeness.clamp(0.0, 1.0);
    let needed = needed.clamp(0.01, 0.99);
    match closeness < needed {
        true => ANSWERED_MIN * closeness / needed,
        false => ANSWERED_MIN + (1.0 - ANSWERED_MIN) * (closeness - needed) / (1.0 - needed),
    }
}
