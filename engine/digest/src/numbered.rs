//! The text of a page as a language model reads it: passages with numbers, under their headings.

use super::noise::Noise;
use super::order::by_value;
use super::passages::Passage;
use super::{Digest, Sentence, tidy};

/// Words of a page that a model reads for a summary where the processor runs it: it reads some dozen a second.
pub const WORDS_READ_MAX: usize = 900;
/// Sentences of a block are grouped to about this many words for one number.
const PASSAGE_WORDS: usize = 60;
/// Longest heading shown, in characters.
const HEADING_CHARS_MAX: usize = 120;
/// Parts of a page of each of which the best passage is read.
const STRETCHES: usize = 8;

/// A passage with the number that the model cites it by. Numbers run through the whole page, so that they mean the same in all prompts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NumberedPassage {
    /// From 1.
    pub number: usize,
    /// The heading above it, where it is the first one under it.
    pub heading: Option<String>,
    /// Its text and place.
    pub passage: Passage,
}

impl Digest {
    /// The page's text as numbered passages: neighbouring sentences of a block together, rows and short items too; boilerplate,
    /// references and sentences that only point elsewhere left out.
    #[must_use]
    pub fn numbered_passages(&self) -> Vec<NumberedPassage> {
        let mut out: Vec<NumberedPassage> = Vec::new();
        let (mut at, mut under) = (0, None);
        while at < self.sentences.len() {
            let usable =
                |sentence: &Sentence| matches!(sentence.noise, None | Some(Noise::Fragment | Noise::Row));
            if !usable(&self.sentences[at]) {
                at += 1;
                continue;
            }
            let (mut last, mut words) = (at, self.sentences[at].words);
            while let Some(next) = self.sentences.get(last + 1)
                && self.adjoin(last, last + 1)
                && usable(next)
                && words + next.words <= PASSAGE_WORDS
            {
                words += next.words;
                last += 1;
            }
            let block = self.sentences[at].heading;
            let heading =
                block.filter(|_| block != under).map(|block| tidy(self.text_of(block), HEADING_CHARS_MAX));
            under = block;
            out.push(NumberedPassage { number: out.len() + 1, heading, passage: self.passage(at, last) });
            at = last + 1;
        }
        out
    }

    /// The numbered passages that a summary is written from: all where they have no more than so many words; else those that the page's own
    /// lines rest on, the best of equal stretches of the page, then the best of all, in page order.
    #[must_use]
    pub fn worth_reading(&self, words_max: usize) -> Vec<NumberedPassage> {
        let all = self.numbered_passages();
        let words: Vec<usize> = all.iter().map(|one| self.words_of(one)).collect();
        if words.iter().sum::<usize>() <= words_max {
            return all;
        }
        let mut kept = vec![false; all.len()];
        let mut left = words_max;
        for at in self.by_worth(&all) {
            if words[at] <= left && !kept[at] {
                kept[at] = true;
                left -= words[at];
            }
        }
        all.into_iter().zip(kept).filter_map(|(one, kept)| kept.then_some(one)).collect()
    }

    fn words_of(&self, one: &NumberedPassage) -> usize {
        let (first, last) = one.passage.sentences;
        self.sentences[first..=last].iter().map(|sentence| sentence.words).sum()
    }

    /// Passages, those first that a summary needs the most.
    fn by_worth(&self, all: &[NumberedPassage]) -> Vec<usize> {
        let scores = self.scores();
        let best_in = |one: &NumberedPassage| {
            let (first, last) = one.passage.sentences;
            let ranks = (first..=last).filter_map(|at| self.rank_of(at));
            ranks.map(|rank| scores[rank]).fold(f32::MIN, f32::max)
        };
        let mut values: Vec<f32> = all.iter().map(best_in).collect();
        let high = values.iter().copied().fold(0.0, f32::max);
        for stretch in 0..STRETCHES.min(all.len()) {
            let range =
                stretch * all.len() / STRETCHES..((stretch + 1) * all.len() / STRETCHES).min(all.len());
            let best = range.reduce(|a, b| if values[b] > values[a] { b } else { a });
            best.into_iter().for_each(|at| values[at] += high + 1.0);
        }
        let summary = self.summarize(&Default::default());
        let blocks = summary.lines.iter().flat_map(|line| {
            let own = self.sentences[line.sentence].block;
            line.pieces.iter().map(|piece| piece.block).chain([own])
        });
        for block in blocks {
            let of_block = (0..all.len()).filter(|&at| all[at].passage.block == block);
            of_block.for_each(|at| values[at] += 2.0 * high + 2.0);
        }
        by_value(&values)
    }
}
