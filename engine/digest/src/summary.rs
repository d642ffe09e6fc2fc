//! Ranking sentences and choosing the lines of a summary.
//!
//! The score of a sentence is a weighted sum of its features (`scores.rs`), then maximal marginal relevance at 0.7. The weights are fitted to
//! facts that people want in a summary, with cross-validation. The mean frequency of the words is that of SumBasic.
//!
//! A sentence that begins with a pronoun or connective loses unless the sentence before it is chosen, too. One that only announces what
//! follows, or has no place in a summary (`poor.rs`), is never chosen.
//!
//! No embeddings take part: where the closeness to the page's mean, to its title or of two sentences was averaged into what the words say,
//! summaries had fewer of the facts and less in common with references; and that two sentences say the same, their words tell as well.

use super::Digest;
use super::compose::Composer;
use super::kinds::PageKind;
use super::lines::Line;
use super::order::{by_value, sorted};
use super::page::SummaryOptions;
use super::scores::{self, FEATURES, SAME_CONTAINED};
use super::terms::{Counts, contained, cosine};

/// How much relevance counts against novelty.
const MMR_RELEVANCE: f32 = 0.7;
/// Sentences that novelty is weighed among, for each line wanted.
const SHORTLIST_PER_LINE: usize = 12;
/// Two sentences say the same: by the cosine of their words, or by the share of words of the shorter in the longer.
const SAME_COSINE: f32 = 0.7;

/// What matters of a page, in the form that its kind needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The kind of page, as "recipe"; "prose" where it is of no particular kind.
    pub kind: &'static str,
    /// How sure that is, 0 to 1.
    pub confidence: f32,
    /// Whether the first line says what the author's own description says.
    pub is_described: bool,
    /// The lines.
    pub lines: Vec<Line>,
}

impl Digest {
    /// What matters of the page. Sentences are ranked and compared by their words.
    #[must_use]
    pub fn summarize(&self, options: &SummaryOptions) -> Summary {
        let scores = self.scores();
        // A page that is no longer than its summary needs none: one sentence at least is left out.
        let lines_max = options.length.lines_max().min(self.ranked.len().saturating_sub(1).max(1));
        let bounds = scores
            .iter()
            .fold((f32::MAX, f32::MIN), |(low, high), score| (low.min(*score), high.max(*score)));
        let mut composer = Composer { digest: self, scores: &scores, bounds, lines_max, lines: Vec::new() };
        let &PageKind { kind, confidence, .. } = &self.kind;
        (kind.compose)(&mut composer);
        let lines = self.with_neighbours(composer.lines);
        let is_described = lines
            .first()
            .and_then(|line| self.rank_of(line.sentence))
            .is_some_and(|rank| self.words.is_described[rank]);
        Summary { kind: kind.name, confidence, is_described, lines }
    }

    /// The kind of page, how sure that is and why.
    #[must_use]
    pub fn kind(&self) -> &PageKind {
        &self.kind
    }

    /// The best sentences in page order, whatever the kind of the page.
    #[must_use]
    pub(super) fn key_sentences(&self, lines_max: usize) -> Vec<Line> {
        let mut lines = self.choose(&self.scores(), lines_max, &[]);
        lines = sorted(&lines, |line| -(line.sentence as f32));
        lines
    }

    /// A score for each ranked sentence, in the order of `self.ranked`.
    pub(super) fn scores(&self) -> Vec<f32> {
        self.words.features.iter().map(scores::score).collect()
    }

    /// What is known of every sentence that is ranked, and whether it may stand in a summary: for fitting the weights.
    #[must_use]
    pub fn sentence_features(&self) -> Vec<(usize, bool, [f32; FEATURES])> {
        let words = &self.words;
        let may = |i: usize| !words.is_poor[i] && !words.announces[i] && !words.said_already[i];
        let features = words.features.iter().enumerate();
        features.map(|(i, row)| (self.ranked[i], may(i), *row)).collect()
    }

    /// What a sentence loses for needing the one before.
    fn hanging(&self, i: usize) -> f32 {
        if self.words.hangs[i] { scores::HANGING } else { 0.0 }
    }

    /// Maximal marginal relevance over a shortlist. Indices into `scores` follow `self.ranked`.
    /// `known` are lines that are chosen already; those that are returned say something else.
    pub(super) fn choose(&self, scores: &[f32], lines_max: usize, known: &[Line]) -> Vec<Line> {
        let words = &self.words;
        let may_stand = |i: &usize| !words.said_already[*i] && !words.announces[*i] && !words.is_poor[*i];
        let mut rest: Vec<usize> = by_value(scores).into_iter().filter(may_stand).collect();
        let shortlist = (lines_max * SHORTLIST_PER_LINE).min(rest.len());
        let (Some(&first), Some(&last)) = (rest.first(), rest[..shortlist].last()) else { return Vec::new() };
        let (high, low) = (scores[first], scores[last]);
        let scale =
            |score: f32| if high > low { ((score - low) / (high - low)).clamp(0.0, 1.0) } else { 1.0 };
        let mut later = rest.split_off(shortlist).into_iter();
        let mut open = rest;
        let mut closest = vec![0.0f32; scores.len()];
        let mut chosen = vec![false; scores.len()];
        let mut lines: Vec<Line> = Vec::new();
        for line in known {
            open.retain(|&i| {
                self.ranked[i] != line.sentence && !self.say_the_same(self.ranked[i], line.sentence)
            });
            for &i in &open {
                closest[i] = closest[i].max(self.similarity(self.ranked[i], line.sentence));
            }
        }
        while lines.len() + known.len() < lines_max {
            // What needs the sentence before stands well behind it.
            let relevance = |i: usize| {
                let follows = i > 0 && chosen[i - 1] && self.ranked[i - 1] + 1 == self.ranked[i];
                let stands = follows || self.is_held(self.ranked[i]);
                scale(scores[i] + if stands { self.hanging(i) } else { 0.0 })
            };
            let value = |i: usize| MMR_RELEVANCE * relevance(i) - (1.0 - MMR_RELEVANCE) * closest[i];
            let Some(best) = open.iter().copied().reduce(|a, b| if value(b) > value(a) { b } else { a })
            else {
                // Near-duplicates have used the shortlist up: the next best that says something else.
                let other =
                    |i: &usize| !lines.iter().any(|line| self.say_the_same(self.ranked[*i], line.sentence));
                let Some(next) = later.find(other) else { break };
                open.push(next);
                continue;
            };
            let sentence = self.ranked[best];
            lines.push(Line { sentence, score: relevance(best), pieces: Vec::new(), after: String::new() });
            chosen[best] = true;
            open.retain(|&i| i != best && !self.say_the_same(self.ranked[i], sentence));
            for &i in &open {
                closest[i] = closest[i].max(self.similarity(self.ranked[i], sentence));
            }
        }
        lines
    }

    fn similarity(&self, a: usize, b: usize) -> f32 {
        cosine(&self.terms.vectors[a], &self.terms.vectors[b])
    }

    /// Whether two sentences are near-duplicates.
    pub(super) fn say_the_same(&self, a: usize, b: usize) -> bool {
        let (one, two) = (&self.terms.counts[a], &self.terms.counts[b]);
        let (short, long): (&Counts, &Counts) = if one.len() <= two.len() { (one, two) } else { (two, one) };
        (short.len() >= 3 && contained(short, long) >= SAME_CONTAINED)
            || cosine(&self.terms.vectors[a], &self.terms.vectors[b]) >= SAME_COSINE
    }
}
