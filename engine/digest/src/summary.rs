//! Ranking sentences and choosing the lines of a summary.
//!
//! score = z(similarity to the centroid) + 0.7 z(1 / (1 + i/3)) + 0.5 z(first of its paragraph) + 0.6 z(similarity to the title)
//!         + 0.3 z(cue phrase) + 0.3 z(1 / (1 + i/3) in its section) + 0.2 z(mean frequency of its words)
//!         - 0.2 z(first person) - 0.2 z(parentheses) - 0.2 z(opening quotation mark) - 0.2 z(over 28 words) - 0.2 z(last tenth of the page)
//!         - 0.3 z(list item) - 2 max(0, (12 - words) / 12) - 0.3 max(0, (words - 35) / 20), then maximal marginal relevance at 0.7.
//! The weights were fitted to summaries by people, with cross-validation. The mean frequency of the words is that of SumBasic.
//!
//! A sentence that begins with a pronoun or connective loses 1.25 unless the sentence before it is chosen, too. One that only announces
//! what follows is never chosen.
//!
//! With embeddings the similarities of both kinds are taken as z-scores and averaged. Cosines of TF-IDF vectors and of embeddings live
//! on different scales (0.1 to 0.3 against 0.3 to 0.8 within one page): averaged as they are, the wider one would decide alone. For a
//! summary neither is the better one, so they weigh the same.

use super::Digest;
use super::page::SummaryOptions;
use super::terms::{Counts, contained, cosine};
use super::vectors::{Vectors, bounded_z_scores, dot};

/// Sentences that are embedded for a summary. The ranking looks at the best by words and at every part of the page, so that more of them
/// change little and cost time on every page.
pub const SUMMARY_SENTENCES_MAX: usize = 96;

const WEIGHT_TITLE: f32 = 0.6;
/// What a sentence loses that needs the sentence before.
const HANGING: f32 = 1.25;
/// How much relevance counts against novelty.
const MMR_RELEVANCE: f32 = 0.7;
/// Sentences that novelty is weighed among, for each line wanted.
const SHORTLIST_PER_LINE: usize = 12;
/// Two sentences say the same: by the cosine of their words, the share of words of the shorter in the longer, or of their embeddings.
const SAME_COSINE: f32 = 0.7;
pub(super) const SAME_CONTAINED: f32 = 0.8;
const SAME_EMBEDDING: f32 = 0.9;

/// How sentences were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// By their words.
    Text,
    /// By their words and their embeddings.
    TextAndEmbeddings,
}

impl Method {
    /// Its name in the protocol.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::TextAndEmbeddings => "text+embeddings",
        }
    }
}

/// A line of a summary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// Index into [`Digest::sentences`].
    pub sentence: usize,
    /// 0 to 1: its place between the weakest and the strongest candidate of the page.
    pub score: f32,
}

/// Key sentences of a page, in page order.
#[derive(Debug, Clone, PartialEq)]
pub struct Summary {
    /// The lines.
    pub lines: Vec<Line>,
    /// How they were chosen.
    pub method: Method,
}

impl Digest {
    /// The page's key sentences. Without vectors by words alone; with them by both.
    #[must_use]
    pub fn summarize(&self, vectors: Option<&Vectors>, options: &SummaryOptions) -> Summary {
        let vectors = vectors.filter(|vectors| !vectors.is_empty());
        let scores = self.scores(vectors);
        // A page that is no longer than its summary needs none: one sentence at least is left out.
        let lines_max = options.length.lines_max().min(self.ranked.len().saturating_sub(1).max(1));
        let mut lines = self.choose(&scores, lines_max, vectors);
        lines.sort_by_key(|line| line.sentence);
        let method = if vectors.is_some() { Method::TextAndEmbeddings } else { Method::Text };
        Summary { lines, method }
    }

    /// The sentences that an embedding model should see, ascending, at most `limit`: half of them the best by their words, the
    /// others the best of equal stretches of the page, so that no part of it stays dark.
    #[must_use]
    pub fn worth_embedding(&self, limit: usize) -> Vec<usize> {
        if self.ranked.len() <= limit {
            return self.ranked.clone();
        }
        let scores = self.scores(None);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
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

    /// A score for each ranked sentence, in the order of `self.ranked`.
    fn scores(&self, vectors: Option<&Vectors>) -> Vec<f32> {
        let ranked = &self.ranked;
        let (mut central, mut titled) = (self.words.central.clone(), self.words.titled.clone());
        if let Some(vectors) = vectors {
            let mean = self.mean_vector(vectors);
            average_in(&mut central, self.similarities(vectors, &mean));
            if let Some(title) = vectors.title() {
                average_in(&mut titled, self.similarities(vectors, title));
            }
        }
        (0..ranked.len())
            .map(|i| central[i] + WEIGHT_TITLE * titled[i] + self.words.plain[i] - self.hanging(i))
            .collect()
    }

    /// What a sentence loses for needing the one before.
    fn hanging(&self, i: usize) -> f32 {
        if self.words.hangs[i] { HANGING } else { 0.0 }
    }

    fn mean_vector(&self, vectors: &Vectors) -> Vec<f32> {
        let mut mean = vec![0.0; vectors.width()];
        for (_, row) in vectors.iter() {
            mean.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
        }
        super::vectors::normalise(&mut mean);
        mean
    }

    /// Cosines to one vector, for the ranked sentences that have one.
    fn similarities(&self, vectors: &Vectors, to: &[f32]) -> Vec<Option<f32>> {
        self.ranked.iter().map(|&at| vectors.get(at).map(|row| dot(row, to))).collect()
    }

    /// Maximal marginal relevance over a shortlist. Indices into `scores` follow `self.ranked`.
    fn choose(&self, scores: &[f32], lines_max: usize, vectors: Option<&Vectors>) -> Vec<Line> {
        let mut rest: Vec<usize> =
            (0..scores.len()).filter(|&i| !self.words.said_already[i] && !self.words.announces[i]).collect();
        rest.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
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
        while lines.len() < lines_max {
            // What needs the sentence before stands well behind it.
            let relevance = |i: usize| {
                let stands = i > 0 && chosen[i - 1] && self.ranked[i - 1] + 1 == self.ranked[i];
                scale(scores[i] + if stands { self.hanging(i) } else { 0.0 })
            };
            let value = |i: usize| MMR_RELEVANCE * relevance(i) - (1.0 - MMR_RELEVANCE) * closest[i];
            let Some(best) = open.iter().copied().reduce(|a, b| if value(b) > value(a) { b } else { a })
            else {
                // Near-duplicates have used the shortlist up: the next best that says something else.
                let other = |i: &usize| {
                    !lines.iter().any(|line| self.say_the_same(self.ranked[*i], line.sentence, vectors))
                };
                let Some(next) = later.find(other) else { break };
                open.push(next);
                continue;
            };
            let sentence = self.ranked[best];
            lines.push(Line { sentence, score: relevance(best) });
            chosen[best] = true;
            open.retain(|&i| i != best && !self.say_the_same(self.ranked[i], sentence, vectors));
            for &i in &open {
                closest[i] = closest[i].max(self.similarity(self.ranked[i], sentence, vectors));
            }
        }
        lines
    }

    fn similarity(&self, a: usize, b: usize, vectors: Option<&Vectors>) -> f32 {
        let words = cosine(&self.terms.vectors[a], &self.terms.vectors[b]);
        match embedding_pair(a, b, vectors) {
            Some(embedding) => (words + embedding.max(0.0)) / 2.0,
            None => words,
        }
    }

    /// Whether two sentences are near-duplicates.
    pub(super) fn say_the_same(&self, a: usize, b: usize, vectors: Option<&Vectors>) -> bool {
        let (one, two) = (&self.terms.counts[a], &self.terms.counts[b]);
        let (short, long): (&Counts, &Counts) = if one.len() <= two.len() { (one, two) } else { (two, one) };
        (short.len() >= 3 && contained(short, long) >= SAME_CONTAINED)
            || cosine(&self.terms.vectors[a], &self.terms.vectors[b]) >= SAME_COSINE
            || embedding_pair(a, b, vectors).is_some_and(|cosine| cosine >= SAME_EMBEDDING)
    }
}

fn embedding_pair(a: usize, b: usize, vectors: Option<&Vectors>) -> Option<f32> {
    let vectors = vectors?;
    Some(dot(vectors.get(a)?, vectors.get(b)?))
}

/// Averages z-scores of embeddings into those of words, where a sentence has both.
fn average_in(words: &mut [f32], embeddings: Vec<Option<f32>>) {
    let known: Vec<f32> = embeddings.iter().flatten().copied().collect();
    let mut scores = bounded_z_scores(&known).into_iter();
    for (word, embedding) in words.iter_mut().zip(embeddings) {
        if embedding.is_some() {
            *word = (*word + scores.next().unwrap_or(0.0)) / 2.0;
        }
    }
}
