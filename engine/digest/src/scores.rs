//! What words and form say of each sentence, before embeddings. The formula stands in [`super::summary`].

use super::Sentence;
use super::openers;
use super::page::{BlockKind, DigestError};
use super::signals::Signals;
use super::slices::Slices;
use super::summary::SAME_CONTAINED;
use super::terms::{Terms, contained, cosine};
use super::vectors::{bounded_z_scores, normalise};

const WEIGHT_POSITION: f32 = 0.7;
const WEIGHT_OPENS: f32 = 0.5;
const WEIGHT_CUE: f32 = 0.3;
const WEIGHT_SECTION: f32 = 0.3;
const WEIGHT_FREQUENCY: f32 = 0.2;
const WEIGHT_FIRST_PERSON: f32 = -0.2;
const WEIGHT_PARENTHESES: f32 = -0.2;
const WEIGHT_QUOTE: f32 = -0.2;
const WEIGHT_OVERLONG: f32 = -0.2;
const WEIGHT_LAST: f32 = -0.2;
const WEIGHT_ITEM: f32 = -0.3;
const WORDS_OVERLONG: usize = 28;
const WORDS_SHORT: f32 = 12.0;
const WORDS_LONG: f32 = 35.0;
/// Positions that the mean and deviation of the position score are taken over. On a page of a thousand sentences the first
/// one would otherwise stand fifty deviations out.
const POSITIONS_MAX: usize = 60;

/// What the words say of each ranked sentence. It is the same in every summary of a page.
pub(super) struct WordScores {
    /// All that does not depend on embeddings.
    pub(super) plain: Vec<f32>,
    /// Whether the sentence needs the one before.
    pub(super) hangs: Vec<bool>,
    /// Whether it only announces what follows.
    pub(super) announces: Vec<bool>,
    /// z-scores of the similarity to the centroid.
    pub(super) central: Vec<f32>,
    /// z-scores of the similarity to the title.
    pub(super) titled: Vec<f32>,
    /// Whether the sentence repeats the title or the author's description, which stand above the lines.
    pub(super) said_already: Vec<bool>,
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
        normalise(&mut centroid);
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
    openers::announces(&sentence.text) || (is_last && before_code && openers::announces_code(&sentence.text))
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

/// Penalties for very short and very long sentences.
fn length_score(words: usize) -> f32 {
    let words = words as f32;
    -2.0 * ((WORDS_SHORT - words) / WORDS_SHORT).max(0.0) - 0.3 * ((words - WORDS_LONG) / 20.0).max(0.0)
}
