//! What words and form say of each sentence, before embeddings. The formula stands in [`super::summary`].

use super::Sentence;
use super::connectives;
use super::headings;
use super::labels;
use super::openers;
use super::page::{BlockKind, DigestError};
use super::poor;
use super::signals::Signals;
use super::slices::Slices;
use super::terms::{Counts, Terms, contained, cosine};
use super::vectors::{bounded_z_scores, normalise};
use super::words::{Script, count_words, head, script_of};

/// What is known of a sentence when it is ranked.
pub const FEATURES: usize = 28;
/// Names of the features, in order.
pub const FEATURE_NAMES: [&str; FEATURES] = [
    "central",
    "titled",
    "described",
    "title words",
    "is described",
    "position",
    "opens block",
    "first paragraph",
    "next paragraphs",
    "in section",
    "short",
    "long",
    "number",
    "numbers",
    "defines early",
    "hangs",
    "opening quote",
    "quote",
    "first person",
    "list item",
    "last tenth",
    "last paragraphs",
    "cue",
    "parentheses",
    "frequency",
    "names",
    "heading words",
    "concludes",
];
/// Their weights: what [`FEATURE_NAMES`] add to the score of a sentence, fitted by `cargo xtask quality --nuggets --fit`,
/// but for that of hanging: a reader who sees one line more minds it more than the facts tell.
const WEIGHTS: [f32; FEATURES] = [
    0.56, 0.15, 0.06, -0.19, 0.11, 0.06, 0.41, -0.33, 0.20, 0.12, -1.44, 0.53, 0.77, 0.34, 0.23, -1.25,
    -1.16, -0.59, -0.57, -0.34, -0.44, -0.27, 0.28, 0.49, -0.09, 0.08, 0.69, 1.10,
];
const HANGS: usize = 15;
/// Sentences of the first so many paragraphs may define the page's subject.
const DEFINING_PARAGRAPHS: usize = 3;
const WORDS_SHORT: f32 = 12.0;
const WORDS_LONG: f32 = 30.0;
/// Sentences from the beginning among which a scene may be taken back, on a page that has so many.
const SCENE_SENTENCES_MAX: usize = 8;
const SCENE_PAGE_SENTENCES: usize = 12;
/// A scene has no more of the title's words.
const SCENE_TITLED_MAX: f32 = 0.3;
/// Characters that a description shares with a text that it was copied from.
const COPIED_CHARS: usize = 30;
/// A paragraph without an end that has no more words is a label.
const LABEL_WORDS_MAX: usize = 14;
/// Characters of a label that are looked at.
const LABEL_CHARS_MAX: usize = 200;
/// Two texts say the same where so much of the words of the shorter one is in the longer.
pub(super) const SAME_CONTAINED: f32 = 0.8;
/// Positions that the mean and deviation of the position score are taken over. On a page of a thousand sentences the first
/// one would otherwise stand fifty deviations out.
const POSITIONS_MAX: usize = 60;

/// What the words say of each ranked sentence. It is the same in every summary of a page.
pub(super) struct WordScores {
    /// The features of each, as far as words tell them.
    pub(super) features: Vec<[f32; FEATURES]>,
    /// Whether the sentence needs the one before.
    pub(super) hangs: Vec<bool>,
    /// Whether it only announces what follows.
    pub(super) announces: Vec<bool>,
    /// Whether the sentence repeats the title, which stands above the lines.
    pub(super) said_already: Vec<bool>,
    /// Whether it says what the author's description says.
    pub(super) is_described: Vec<bool>,
    /// Whether the description is more than the beginning of the text, which programs put there.
    pub(super) is_written: bool,
    /// Whether it has no place in a summary though it is a sentence: a question, front matter, the rest of a torn one, a scene that is
    /// taken back.
    pub(super) is_poor: Vec<bool>,
}

/// What a sentence loses for needing the one before.
pub(super) const HANGING: f32 = -WEIGHTS[HANGS];

/// The weights that sentences are ranked with.
#[must_use]
pub fn feature_weights() -> [f32; FEATURES] {
    WEIGHTS
}

/// The score of a sentence: the sum of its features by their weights.
pub(super) fn score(features: &[f32; FEATURES]) -> f32 {
    features.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum()
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
    /// Texts of blocks; those of headings are read.
    pub(super) headings: &'a [String],
}

impl Source<'_> {
    /// Whether the description is the beginning of the text, and breaks off.
    fn is_copied(&self) -> bool {
        let (Some(text), Some(&first)) = (self.description, self.ranked.first()) else { return false };
        let text = text.trim();
        let breaks_off =
            text.ends_with("...") || text.ends_with(['…', ',']) || text.ends_with(char::is_alphanumeric);
        breaks_off && text.starts_with(head(&self.sentences[first].text, COPIED_CHARS))
    }
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
        normalise(&mut centroid);
        let (title, _) = terms.count(source.title);
        let title_length = count_words(source.title);
        let title_vector = terms.weigh(&title);
        let description = source.description.map(|text| terms.count(text));
        let is_written = !source.is_copied();
        let written = description.as_ref().filter(|_| is_written);
        let description_vector = written.map(|(counts, _)| terms.weigh(counts)).unwrap_or_default();
        let count = ranked.len();
        let mut scores = Self {
            features: Vec::with_capacity(count),
            hangs: Vec::with_capacity(count),
            announces: Vec::with_capacity(count),
            said_already: Vec::with_capacity(count),
            is_described: Vec::with_capacity(count),
            is_written,
            is_poor: Vec::with_capacity(count),
        };
        let positions = position_scores(count);
        let mut reader = Reader::new(source);
        for (i, &at) in ranked.iter().enumerate() {
            let (counts, vector) = (&terms.counts[at], &terms.vectors[at]);
            let sum: f32 = counts.iter().map(|&(id, times)| times * frequency[id as usize]).sum();
            let described =
                description.as_ref().is_some_and(|(known, unknown)| repeats(counts, known, *unknown));
            let title_words = contained(&title, counts);
            scores.is_described.push(described);
            let is_title = contained(counts, &title) > 0.99
                || (title_words > 0.99 && source.sentences[at].words <= title_length + 2);
            scores.said_already.push(is_title);
            scores.is_poor.push(poor::is_poor(&source.sentences[at]) || is_label(source, at));
            scores.announces.push(announces(source, at));
            let text = &source.sentences[at].text;
            let hangs = openers::refers_back(
                &text[connectives::dropped_bytes(text, source.language)..],
                source.language,
            );
            scores.hangs.push(hangs);
            let mut features = reader.read(i, at);
            features[0] = vector.iter().map(|&(id, weight)| weight * centroid[id as usize]).sum();
            features[1] = cosine(vector, &title_vector);
            features[2] = cosine(vector, &description_vector);
            features[3] = title_words;
            features[4] = one(described);
            features[5] = positions[i];
            features[HANGS] = one(hangs);
            features[24] = sum / terms.lengths[at].max(1.0);
            scores.features.push(features);
            slices.charge(counts.len() + source.sentences[at].text.len() + 768).await?;
        }
        scores.leave_out_scenes(source);
        for column in [0, 1, 2, 24] {
            let values: Vec<f32> = scores.features.iter().map(|row| row[column]).collect();
            let values = bounded_z_scores(&values);
            scores.features.iter_mut().zip(values).for_each(|(row, value)| row[column] = value);
        }
        Ok(scores)
    }
}

impl WordScores {
    /// What stands at the beginning of a page until a sentence takes it back ("Nothing seems to happen on a bog. Yet ...") is no fact:
    /// it has no number, and neither title nor description say it.
    fn leave_out_scenes(&mut self, source: &Source<'_>) {
        if source.ranked.len() < SCENE_PAGE_SENTENCES {
            return;
        }
        let text = |i: usize| source.sentences[source.ranked[i]].text.as_str();
        let early = 1..SCENE_SENTENCES_MAX.min(source.ranked.len());
        let Some(turn) = early.rev().find(|&i| connectives::takes_back(text(i), source.language)) else {
            return;
        };
        for i in 0..turn {
            let is_fact =
                numbers(text(i)) > 0 || self.is_described[i] || self.features[i][3] > SCENE_TITLED_MAX;
            self.is_poor[i] |= !is_fact;
        }
    }
}

fn one(has: bool) -> f32 {
    f32::from(u8::from(has))
}

/// Reads what the place and the form of sentences say, in their order.
struct Reader<'a> {
    source: &'a Source<'a>,
    signals: Signals,
    /// The heading that the last sentence stood under, and how many stood there.
    section: (Option<usize>, usize),
    /// The words of that heading, and whether it announces a conclusion.
    heading: (Counts, bool),
    /// The block of the last sentence, and how many blocks there were.
    block: (usize, usize),
    /// Blocks with ranked sentences.
    blocks: usize,
}

impl<'a> Reader<'a> {
    fn new(source: &'a Source<'a>) -> Self {
        let mut blocks: Vec<usize> = source.ranked.iter().map(|&at| source.sentences[at].block).collect();
        blocks.dedup();
        let signals = Signals::new(source.language);
        Self {
            source,
            signals,
            section: (None, 0),
            heading: Default::default(),
            block: (usize::MAX, 0),
            blocks: blocks.len(),
        }
    }

    /// The features of a sentence that its text and its place tell.
    fn read(&mut self, i: usize, at: usize) -> [f32; FEATURES] {
        let Source { sentences, ranked, kinds, terms, headings, .. } = self.source;
        let sentence = &sentences[at];
        let text = sentence.text.as_str();
        if sentence.heading == self.section.0 {
            self.section.1 += 1;
        } else {
            self.section = (sentence.heading, 0);
            let heading = sentence.heading.and_then(|block| headings.get(block)).map_or("", String::as_str);
            let concludes = !heading.is_empty() && headings::is_called(heading, headings::CONCLUSION);
            self.heading = (terms.count(heading).0, concludes);
        }
        if sentence.block != self.block.0 {
            self.block = (sentence.block, self.block.1 + 1);
        }
        let paragraph = self.block.1 - 1;
        let found = self.signals.read(text);
        let words = sentence.words as f32;
        let numbers = numbers(text);
        let folded = format!(" {} ", head(text, 120).to_lowercase());
        let mut features = [0.0; FEATURES];
        features[6] = one(sentence.opens_block);
        features[7] = one(paragraph == 0);
        features[8] = one((1..4).contains(&paragraph));
        features[9] = 1.0 / (1.0 + self.section.1 as f32 / 3.0);
        features[10] = ((WORDS_SHORT - words) / WORDS_SHORT).max(0.0);
        features[11] = ((words - WORDS_LONG) / 20.0).clamp(0.0, 2.0);
        features[12] = one(numbers > 0);
        features[13] = one(numbers > 1);
        features[14] = one(paragraph < DEFINING_PARAGRAPHS && labels::has_copula(&folded));
        features[16] = one(found.opening_quote);
        features[17] = one(text.contains(['"', '“', '„', '«', '「']));
        features[18] = one(found.first_person);
        features[19] = one(kinds.get(sentence.block) == Some(&BlockKind::ListItem));
        features[20] = one(i * 10 >= ranked.len() * 9);
        features[21] = one(paragraph + 2 >= self.blocks && self.blocks > 6);
        features[22] = one(found.cue);
        features[23] = one(found.parentheses);
        features[25] = names(text);
        features[26] = contained(&self.heading.0, &terms.counts[at]);
        features[27] = one(self.heading.1);
        features
    }
}

/// Runs of digits of a text.
fn numbers(text: &str) -> usize {
    let digits = |c: char| !c.is_numeric();
    text.split(digits).filter(|run| !run.is_empty()).count()
}

/// The share of words that begin with a capital, the first one not counted.
fn names(text: &str) -> f32 {
    let (mut all, mut capital) = (0usize, 0usize);
    for word in text.split_whitespace().skip(1) {
        all += 1;
        capital += usize::from(word.chars().find(|c| c.is_alphanumeric()).is_some_and(char::is_uppercase));
    }
    capital as f32 / all.max(1) as f32
}

/// Whether a sentence only announces what follows: it ends in a colon, or it breaks off before a block of code.
fn announces(source: &Source<'_>, at: usize) -> bool {
    let sentence = &source.sentences[at];
    let is_last = source.sentences.get(at + 1).is_none_or(|next| next.block != sentence.block);
    let before_code = source.kinds.get(sentence.block + 1) == Some(&BlockKind::Code);
    openers::announces(&sentence.text) || (is_last && before_code && openers::announces_code(&sentence.text))
}

/// Whether a sentence is a paragraph without an end, as names of boxes are: "BACK TO BASICS The hard link".
fn is_label(source: &Source<'_>, at: usize) -> bool {
    let sentence = &source.sentences[at];
    let is_last = source.sentences.get(at + 1).is_none_or(|next| next.block != sentence.block);
    let is_paragraph = source.kinds.get(sentence.block) == Some(&BlockKind::Paragraph);
    let last = sentence.text.trim_end().chars().next_back();
    sentence.opens_block
        && is_last
        && is_paragraph
        && sentence.words <= LABEL_WORDS_MAX
        && numbers(head(&sentence.text, LABEL_CHARS_MAX)) == 0
        && last.is_some_and(|c| c.is_alphanumeric() && script_of(c) == Script::Spaced)
}

/// Whether a sentence says what a text says that has `known` terms, and `unknown` that are nowhere else on the page.
fn repeats(counts: &[(u32, f32)], known: &[(u32, f32)], unknown: usize) -> bool {
    let share = contained(counts, known);
    let new_words = counts.len() as f32 * (1.0 - share);
    let whole = !known.is_empty() && unknown * 4 <= known.len();
    share >= SAME_CONTAINED || (whole && contained(known, counts) >= SAME_CONTAINED && new_words <= 4.0)
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
