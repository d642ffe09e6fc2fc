//! The rank of each sentence for a question, and how sure it is that it answers.
//!
//! rank = z(BM25) + 2.5 z(cosine of the sentence + 1.25 cosine of its whole block) ± 0.75 where the kind of answer that is asked for is there
//! or missing; without embeddings the cosines are left out. z-scores keep the lead of a sentence that is far ahead, which ranks would lose,
//! so they are not bounded here. A block is embedded with its heading, which often names what the block only calls "it". A question of the
//! page answers none: what stands behind it is as close as it is.
//!
//! Whether the page answers is another question than which passage is best: see answered.rs.

use super::Digest;
use super::answered::Signs;
use super::openers;
use super::page::DigestError;
use super::question::{Question, may_answer};
use super::slices::Slices;
use super::vectors::{QueryVectors, dot, normalise, z_scores};
use super::wanted::Wanted;
use std::collections::BTreeMap;

/// Weight of the embeddings' z-score against that of BM25.
const WEIGHT_COSINE: f32 = 2.5;
/// Weight of a block's cosine against that of its sentence.
const WEIGHT_BLOCK: f32 = 1.25;
/// Added where a sentence has an answer of the kind that is asked for, and taken off where it has none.
const KIND_BONUS: f32 = 0.75;
/// Taken off a sentence that only announces what follows.
const ANNOUNCED: f32 = 1.0;
/// Added to the first sentence below a heading that has at least this share of the question's words.
const TITLED: f32 = 1.0;
pub(super) const TITLED_MIN: f32 = 0.5;
/// Taken off what a reply contradicts.
const REFUTED: f32 = 2.0;
/// What it takes to look whether a sentence contradicts, in bytes of text.
const REPLY_CHARGE: usize = 64;
/// Closeness is a sentence's cosine, mixed with that of its block. What is needed is given for a page of a hundred sentences and grows with
/// the logarithm of their number: the more sentences, the closer is the closest stranger.
const BLOCK_SHARE: f32 = 0.25;
const COSINE_GROWTH: f32 = 0.055;
const PAGE_SENTENCES: f32 = 100.0;
/// Pages beyond these were not measured.
const GROWTH_SENTENCES: (usize, usize) = (16, 400);
/// The share of a question's words that a sentence is taken to have where the question is in another language: that of a typical answer.
const COVERED_UNKNOWN: f32 = 0.4;
/// A sentence behind a question of the page is this much as close as that question.
const ASKED_SHARE: f32 = 0.9;

/// Every candidate with what is known of it.
pub(super) struct Ranking {
    pub(super) candidates: Vec<usize>,
    pub(super) ranks: Vec<f32>,
    /// 0 to 1, as [`Hit::score`].
    pub(super) confidence: Vec<f32>,
}

impl Digest {
    /// With `whole` the vectors of whole blocks count. Without it the ranking does not change once they are there.
    pub(super) async fn rank<T: AsyncFn() -> bool>(
        &self,
        question: &Question,
        vectors: Option<QueryVectors<'_>>,
        whole: bool,
        slices: &mut Slices<'_, T>,
    ) -> Result<Ranking, DigestError> {
        let candidates: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| may_answer(&self.sentences[at])).collect();
        let bm25: Vec<f32> = candidates.iter().map(|&at| question.bm25[at]).collect();
        let sure = |&at: &usize| self.signs(question, at, None, 0.0).confidence();
        let mut ranking = Ranking {
            ranks: self.z_scores(&bm25, |i| candidates[i]),
            confidence: candidates.iter().map(sure).collect(),
            candidates,
        };
        slices.charge(ranking.candidates.len() / 8).await?;
        for (rank, &at) in ranking.ranks.iter_mut().zip(&ranking.candidates) {
            *rank += match question.kind[at] {
                Some(true) => KIND_BONUS,
                Some(false) => -KIND_BONUS,
                None => 0.0,
            };
            if question.titled[at] >= TITLED_MIN && self.opens_section(at) {
                *rank += TITLED;
            }
            let sentence = &self.sentences[at];
            if sentence.code.is_none() && openers::announces(&sentence.text) {
                *rank -= ANNOUNCED;
            }
            *rank += self.standing.get(&sentence.block).map_or(0.0, |standing| standing.bonus());
            slices.charge(sentence.text.len() / 8).await?;
        }
        if let Some(given) = vectors
            && !given.sentences.is_empty()
            && given.question.len() == given.sentences.width()
        {
            self.add_embeddings(question, (&given, whole), &mut ranking, slices).await?;
        }
        self.contradict(&mut ranking, slices).await?;
        Ok(ranking)
    }

    /// Whether a sentence is the first below a heading.
    fn opens_section(&self, at: usize) -> bool {
        let heading = self.sentences[at].heading;
        heading.is_some() && at.checked_sub(1).is_none_or(|before| self.sentences[before].heading != heading)
    }

    /// A reply that contradicts takes the place of what it contradicts.
    async fn contradict<T: AsyncFn() -> bool>(
        &self,
        ranking: &mut Ranking,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let Ranking { candidates, ranks, confidence } = ranking;
        for reply in 0..candidates.len() {
            slices.charge(REPLY_CHARGE).await?;
            let Some(block) = self.refuted(candidates[reply]) else { continue };
            let of_block = (0..reply).rev().filter(|&i| self.sentences[candidates[i]].block <= block);
            let refuted = of_block.take_while(|&i| self.sentences[candidates[i]].block == block);
            for i in refuted.collect::<Vec<_>>() {
                ranks[reply] = ranks[reply].max(ranks[i]);
                confidence[reply] = confidence[reply].max(confidence[i]);
                ranks[i] -= REFUTED;
            }
        }
        Ok(())
    }

    async fn add_embeddings<T: AsyncFn() -> bool>(
        &self,
        question: &Question,
        (given, whole): (&QueryVectors<'_>, bool),
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
        self.inherit(&ranking.candidates, &known, &mut cosines);
        // A block without a vector of its own is as its sentences are on average.
        for (&block, (sum, cosine)) in &mut blocks {
            *cosine = match given.sentences.block(block).filter(|_| whole) {
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
        let sums: Vec<f32> =
            known.iter().zip(&cosines).map(|(&i, cosine)| cosine + WEIGHT_BLOCK * of_block(i)).collect();
        ranking.confidence.fill(0.0);
        for ((&i, cosine), z) in
            known.iter().zip(&cosines).zip(self.z_scores(&sums, |i| ranking.candidates[known[i]]))
        {
            ranking.ranks[i] += WEIGHT_COSINE * z;
            let needed = given.answered_cosine + COSINE_GROWTH * self.growth(ranking.candidates[i]);
            let closeness = (1.0 - BLOCK_SHARE) * cosine + BLOCK_SHARE * of_block(i) - needed;
            ranking.confidence[i] =
                self.signs(question, ranking.candidates[i], Some(closeness), z).confidence();
        }
        Ok(())
    }

    /// z-scores among the sentences of the same page, ascending.
    fn z_scores(&self, values: &[f32], at: impl Fn(usize) -> usize) -> Vec<f32> {
        let mut all = Vec::with_capacity(values.len());
        let mut from = 0;
        for part in self.parts() {
            let to = from + (from..values.len()).take_while(|&i| at(i) < part.end).count();
            all.extend(z_scores(&values[from..to]));
            from = to;
        }
        all
    }

    /// What answers a question of the page is as close as that question, nearly.
    fn inherit(&self, candidates: &[usize], known: &[usize], cosines: &mut [f32]) {
        for one in 1..known.len() {
            let (before, at) = (candidates[known[one - 1]], candidates[known[one]]);
            if before + 1 == at && self.is_answer_to(at) {
                cosines[one] = cosines[one].max(ASKED_SHARE * cosines[one - 1]);
            }
        }
    }

    fn signs(&self, question: &Question, at: usize, closeness: Option<f32>, standout: f32) -> Signs {
        let by_meaning = closeness.is_some() && question.other_language;
        Signs {
            closeness,
            covered: if by_meaning {
                question.covered[at].max(COVERED_UNKNOWN)
            } else {
                question.covered[at]
            },
            topical: question.topical[at],
            unknown: if by_meaning { 0.0 } else { question.unknown[at] },
            foreign: question.foreign && !by_meaning,
            kind: question.kind[at],
            strict: question.wanted.is_some_and(Wanted::is_strict),
            standout,
            growth: self.growth(at),
        }
    }

    /// How much longer the page of a sentence is than the one that thresholds are given for, as a logarithm.
    fn growth(&self, at: usize) -> f32 {
        let (few, many) = GROWTH_SENTENCES;
        let end = self.starts.iter().find(|start| **start > at).copied().unwrap_or(self.sentences.len());
        let start = self.starts.iter().rfind(|start| **start <= at).copied().unwrap_or(0);
        ((end - start).clamp(few, many) as f32 / PAGE_SENTENCES).ln()
    }
}
