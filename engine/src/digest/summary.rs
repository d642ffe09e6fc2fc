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

use super::openers;
use super::page::{BlockKind, DigestError, SummaryOptions};
use super::signals::Signals;
use super::slices::Slices;
use super::terms::{Counts, Terms, contained, cosine};
use super::vectors::{Vectors, bounded_z_scores, dot};
use super::{Digest, Sentence};

/// Sentences that are embedded for a summary. The ranking looks at the best by words and at every part of the page, so that more of them
/// change little and cost time on every page.
pub const SUMMARY_SENTENCES_MAX: usize = 96;

const WEIGHT_POSITION: f32 = 0.7;
const WEIGHT_OPENS: f32 = 0.5;
const WEIGHT_TITLE: f32 = 0.6;
const WEIGHT_CUE: f32 = 0.3;
const WEIGHT_SECTION: f32 = 0.3;
const WEIGHT_FREQUENCY: f32 = 0.2;
const WEIGHT_FIRST_PERSON: f32 = -0.2;
const WEIGHT_PARENTHESES: f32 = -0.2;
const WEIGHT_QUOTE: f32 = -0.2;
const WEIGHT_OVERLONG: f32 = -0.2;
const WEIGHT_LAST: f32 = -0.2;
const WEIGHT_ITEM: f32 = -0.3;
/// What a sentence loses that needs the sentence before.
const HANGING: f32 = 1.25;
const WORDS_OVERLONG: usize = 28;
const WORDS_SHORT: f32 = 12.0;
const WORDS_LONG: f32 = 35.0;
/// How much relevance counts against novelty.
const MMR_RELEVANCE: f32 = 0.7;
/// Positions that the mean and deviation of the position score are taken over. On a page of a thousand sentences the first
/// one would otherwise stand fifty deviations out.
const POSITIONS_MAX: usize = 60;
/// Sentences that novelty is weighed among, for each line wanted.
const SHORTLIST_PER_LINE: usize = 12;
/// Two sentences say the same: by the cosine of their words, the share of words of the shorter in the longer, or of their embeddings.
const SAME_COSINE: f32 = 0.7;
const SAME_CONTAINED: f32 = 0.8;
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

/// What the words say of each ranked sentence. It is the same in every summary of a page.
pub(super) struct WordScores {
    /// All that does not depend on embeddings.
    plain: Vec<f32>,
    /// Whether the sentence needs the one before.
    hangs: Vec<bool>,
    /// Whether it only announces what follows.
    announces: Vec<bool>,
    /// z-scores of the similarity to the centroid.
    central: Vec<f32>,
    /// z-scores of the similarity to the title.
    titled: Vec<f32>,
    /// Whether the sentence repeats the title or the author's description, which stand above the lines.
    said_already: Vec<bool>,
}

/// What a page's word scores are made from.
pub(super) struct Source<'a> {
    pub(super) terms: &'a Terms,
    pub(super) sentences: &'a [Sentence],
    pub(super) ranked: &'a [usize],
    /// Kinds of the page's blocks.
    pub(super) kinds: &'a [BlockKind],
    pub(super) language: &'a str,
    pub(super) title: &'a str,
    pub(super) description: Option<&'a str>,
}

impl WordScores {
    pub(super) async fn new<T: AsyncFn() -> bool>(
        source: &Source<'_>,
        slices: &mut Slices<'_, T>,
    ) -> Result<Self, DigestError> {
        let Source { terms, ranked, .. } = source;
        let mut centroid = vec![0.0; terms.len()];
        let mut frequency = vec![0.0f32; terms.len()];
        for &at in *ranked {
            for &(id, weight) in &terms.vectors[at] {
                centroid[id as usize] += weight;
            }
            terms.counts[at].iter().for_each(|&(id, count)| frequency[id as usize] += count);
            slices.charge(terms.vectors[at].len() / 2 + 1).await?;
        }
        super::vectors::normalise(&mut centroid);
        let (title, _) = terms.count(source.title);
        let title_vector = terms.weigh(&title);
        let description = source.description.map(|text| terms.count(text));
        let count = ranked.len();
        let mut central = Vec::with_capacity(count);
        let mut titled = Vec::with_capacity(count);
        let mut frequent = Vec::with_capacity(count);
        let mut said_already = Vec::with_capacity(count);
        for &at in *ranked {
            let (counts, vector) = (&terms.counts[at], &terms.vectors[at]);
            central.push(vector.iter().map(|&(id, weight)| weight * centroid[id as usize]).sum());
            titled.push(cosine(vector, &title_vector));
            let sum: f32 = counts.iter().map(|&(id, times)| times * frequency[id as usize]).sum();
            frequent.push(sum / terms.lengths[at].max(1.0));
            let described =
                description.as_ref().is_some_and(|(known, unknown)| repeats(counts, known, *unknown));
            said_already.push(described || contained(counts, &title) > 0.99);
            slices.charge(counts.len() + 1).await?;
        }
        let signs = Signs::read(source, slices).await?;
        let plain = signs.score(&frequent);
        let (central, titled) = (bounded_z_scores(&central), bounded_z_scores(&titled));
        Ok(Self { plain, hangs: signs.hangs, announces: signs.announces, central, titled, said_already })
    }
}

/// Signals of each ranked sentence, 1 where it has one.
#[derive(Default)]
struct Signs {
    hangs: Vec<bool>,
    announces: Vec<bool>,
    /// Weighted columns.
    columns: Vec<(f32, Vec<f32>)>,
    /// Terms that are no z-scores.
    lengths: Vec<f32>,
}

impl Signs {
    async fn read<T: AsyncFn() -> bool>(
        source: &Source<'_>,
        slices: &mut Slices<'_, T>,
    ) -> Result<Self, DigestError> {
        const WEIGHTS: [f32; 9] = [
            WEIGHT_OPENS,
            WEIGHT_CUE,
            WEIGHT_FIRST_PERSON,
            WEIGHT_PARENTHESES,
            WEIGHT_QUOTE,
            WEIGHT_OVERLONG,
            WEIGHT_LAST,
            WEIGHT_ITEM,
            WEIGHT_SECTION,
        ];
        let count = source.ranked.len();
        let signals = Signals::new(source.language);
        let mut signs = Self {
            columns: WEIGHTS.map(|weight| (weight, Vec::with_capacity(count))).into(),
            ..Self::default()
        };
        let mut section = (None, 0usize);
        for (i, &at) in source.ranked.iter().enumerate() {
            let sentence = &source.sentences[at];
            section = if sentence.heading == section.0 {
                (section.0, section.1 + 1)
            } else {
                (sentence.heading, 0)
            };
            let found = signals.read(&sentence.text);
            let kind = source.kinds.get(sentence.block).copied();
            let one = |has: bool| f32::from(u8::from(has));
            let values = [
                one(sentence.opens_block),
                one(found.cue),
                one(found.first_person),
                one(found.parentheses),
                one(found.opening_quote),
                one(sentence.words > WORDS_OVERLONG),
                one(i * 10 >= count * 9),
                one(kind == Some(BlockKind::ListItem)),
                1.0 / (1.0 + section.1 as f32 / 3.0),
            ];
            signs.columns.iter_mut().zip(values).for_each(|((_, column), value)| column.push(value));
            signs.hangs.push(openers::refers_back(&sentence.text, source.language));
            signs.announces.push(announces(source, at));
            signs.lengths.push(length_score(sentence.words));
            slices.charge(sentence.text.len() + 256).await?;
        }
        Ok(signs)
    }

    /// The weighted sum for each sentence, with its position and the mean frequency of its words.
    fn score(&self, frequent: &[f32]) -> Vec<f32> {
        let mut sum = self.lengths.clone();
        let mut add = |weight: f32, column: Vec<f32>| {
            sum.iter_mut().zip(column).for_each(|(sum, value)| *sum += weight * value);
        };
        add(WEIGHT_POSITION, position_scores(frequent.len()));
        add(WEIGHT_FREQUENCY, bounded_z_scores(frequent));
        self.columns.iter().for_each(|(weight, column)| add(*weight, bounded_z_scores(column)));
        sum
    }
}

/// Whether a sentence only announces what follows: it ends in a colon, or it breaks off before a block of code.
fn announces(source: &Source<'_>, at: usize) -> bool {
    let sentence = &source.sentences[at];
    let is_last = source.sentences.get(at + 1).is_none_or(|next| next.block != sentence.block);
    let before_code = source.kinds.get(sentence.block + 1) == Some(&BlockKind::Code);
    openers::announces(&sentence.text)
        || (is_last && before_code && sentence.text.ends_with(|c: char| c.is_alphanumeric() || c == ','))
}

/// Whether a sentence says what a text says that has `known` terms, and `unknown` that are nowhere else on the page.
fn repeats(counts: &[(u32, f32)], known: &[(u32, f32)], unknown: usize) -> bool {
    let share = contained(counts, known);
    let new_words = counts.len() as f32 * (1.0 - share);
    let whole = !known.is_empty() && unknown * 4 <= known.len();
    share >= SAME_CONTAINED || (whole && contained(known, counts) >= SAME_CONTAINED && new_words <= 4.0)
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

/// z(1 / (1 + i/3)), with mean and deviation over the first positions.
fn position_scores(count: usize) -> Vec<f32> {
    let raw: Vec<f32> = (0..count).map(|i| 1.0 / (1.0 + i as f32 / 3.0)).collect();
    let head = &raw[..count.min(POSITIONS_MAX)];
    let mean = head.iter().sum::<f32>() / head.len().max(1) as f32;
    let deviation =
        (head.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / head.len().max(1) as f32).sqrt();
    if deviation < 1e-6 {
        return vec![0.0; count];
    }
    raw.iter().map(|value| (value - mean) / deviation).collect()
}

/// Penalties for very short and very long sentences.
fn length_score(words: usize) -> f32 {
    let words = words as f32;
    -2.0 * ((WORDS_SHORT - words) / WORDS_SHORT).max(0.0) - 0.3 * ((words - WORDS_LONG) / 20.0).max(0.0)
}
