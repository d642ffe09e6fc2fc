//! The passages of a page that answer a question: BM25 and embeddings together.
//!
//! The two are added as z-scores rather than merged by rank: on one page most sentences share no word with a question, so their ranks
//! by BM25 are ties in page order, which reciprocal ranks would take for evidence; and z-scores keep the lead of a
//! sentence that is far ahead.

use super::language::asks_for_number;
use super::noise::Noise;
use super::page::{DigestError, SummaryLength, SummaryOptions};
use super::slices::Slices;
use super::vectors::{QueryVectors, dot, z_scores};
use super::words::{Script, head, script_of};
use super::{Digest, Summary};
use std::collections::HashMap;

/// A best hit below this does not answer: the UI should say that nothing on the page does.
pub const ANSWERED_MIN: f32 = 0.4;

/// Longest question, in characters.
pub(super) const QUESTION_CHARS_MAX: usize = 1_000;

/// BM25: how fast repetitions stop counting.
const K1: f32 = 1.2;
/// BM25: how much longer sentences are discounted.
const B: f32 = 0.5;
/// A word of the section's heading, or of the sentence before, counts as this much of one in the sentence.
const HEADING_SHARE: f32 = 0.4;
const BEFORE_SHARE: f32 = 0.2;
/// A word of the same stem counts as this much of the word itself.
const VARIANT_SHARE: f32 = 0.7;
/// Added to sentences with a number where the question asks for one.
const NUMBER_BONUS: f32 = 0.5;
/// A passage grows to this many words by taking neighbours that also match.
const PASSAGE_WORDS_MAX: usize = 70;
/// A sentence this short is given with its neighbour even where that does not match.
const LONELY_WORDS_MAX: usize = 8;
/// How far a sentence's cosine to the question stands above the page's mean: without relation, and where it surely answers. Measured
/// with MiniLM: best sentences of answered questions 0.24 to 0.6 above, of questions to another page 0.12 to 0.3. The mean is taken off
/// because a model that does not know a language finds all its sentences alike (mean 0.1 in English, 0.33 in German).
const ABOVE_MEAN_UNRELATED: f32 = 0.1;
const ABOVE_MEAN_ANSWERS: f32 = 0.6;
/// How much either may count for where both are known: a single word in common ("How do vaccines work?", "it works") is no answer then.
const MEANING_SHARE: f32 = 0.8;
const COVERED_SHARE: f32 = 0.85;
/// The share of a question's words (weighed by rarity) that a passage without vectors needs for full confidence. Questions are worded
/// differently from answers: true answers have 0.26 and more, strangers 0.2 and less.
const COVERED_SURELY: f32 = 0.6;

/// Neighbouring sentences of one block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// Its text as on the page, from the first sentence's start to the last one's end.
    pub text: String,
    /// Index into the page's blocks.
    pub block: usize,
    /// Indices into [`Digest::sentences`], first and last.
    pub sentences: (usize, usize),
    /// Start in the block's text, in UTF-16 code units.
    pub start_utf16: usize,
    /// End in the block's text, in UTF-16 code units.
    pub end_utf16: usize,
    /// Start in the block's text, in bytes.
    pub start_bytes: usize,
    /// End in the block's text, in bytes.
    pub end_bytes: usize,
}

/// A passage that may answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Where.
    pub passage: Passage,
    /// 0 to 1, comparable between pages and questions: how much of the question the passage covers, in words or in meaning. The first
    /// hit below [`ANSWERED_MIN`] means that the page does not answer. Hits are ordered by a finer ranking, so that this need not fall.
    pub score: f32,
}

/// A question to one page, and what its words say about each sentence.
pub struct Question {
    bm25: Vec<f32>,
    /// The share of the question's words, by their rarity, that a sentence has.
    covered: Vec<f32>,
    /// Whether it has no word of substance ("What is this about?").
    general: bool,
    asks_for_number: bool,
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

    /// The passages that answer a question best, best first, at most `limit`. A question without any word of substance ("What is this
    /// about?") is answered with the page's key sentences. `turn` is as in [`Digest::new`].
    ///
    /// # Errors
    /// [`DigestError::Stopped`].
    pub async fn rank_question(
        &self,
        question: &Question,
        vectors: Option<QueryVectors<'_>>,
        limit: usize,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Vec<Hit>, DigestError> {
        if question.general {
            return Ok(self.key_passages(limit));
        }
        let mut slices = Slices::new(turn);
        let vectors = vectors.filter(|given| !given.sentences.is_empty());
        let candidates: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| may_answer(self.sentences[at].noise)).collect();
        let bm25: Vec<f32> = candidates.iter().map(|&at| question.bm25[at]).collect();
        let mut ranks = z_scores(&bm25);
        let mut confidence: Vec<f32> = candidates.iter().map(|&at| question.covered[at]).collect();
        match vectors {
            Some(given) => self.add_embeddings(&candidates, &given, &mut ranks, &mut confidence),
            None => confidence.iter_mut().for_each(|covered| *covered = (*covered / COVERED_SURELY).min(1.0)),
        }
        if question.asks_for_number {
            for (rank, &at) in ranks.iter_mut().zip(&candidates) {
                let text = &self.sentences[at].text;
                if question.bm25[at] > 0.0 && text.chars().any(char::is_numeric) {
                    *rank += NUMBER_BONUS;
                }
                slices.charge(text.len() / 8).await?;
            }
        }
        let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| confidence[i] > 0.0).collect();
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let rank_of: HashMap<usize, f32> = candidates.iter().copied().zip(ranks.iter().copied()).collect();
        // Each sentence stands in one passage at most, near-duplicates once.
        let mut taken = vec![false; self.sentences.len()];
        let mut leads: Vec<usize> = Vec::new();
        let mut hits = Vec::new();
        for i in order {
            if hits.len() >= limit {
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
            hits.push(Hit { passage: self.passage(first, last), score: confidence[i] });
        }
        Ok(hits)
    }

    /// The sentences that an embedding model should see for a question, ascending, at most `limit`: half the best by words, the others
    /// those of [`Digest::worth_embedding`], whose vectors a caller may have already.
    #[must_use]
    pub fn worth_embedding_for(&self, question: &Question, limit: usize) -> Vec<usize> {
        let bm25 = &question.bm25;
        let mut order: Vec<usize> = (0..self.sentences.len())
            .filter(|&at| bm25[at] > 0.0 && may_answer(self.sentences[at].noise))
            .collect();
        order.sort_by(|&a, &b| bm25[b].total_cmp(&bm25[a]).then(a.cmp(&b)));
        order.truncate(limit / 2);
        let general = self.worth_embedding(limit - order.len());
        order.extend(general);
        order.sort_unstable();
        order.dedup();
        order
    }

    fn add_embeddings(
        &self,
        candidates: &[usize],
        given: &QueryVectors<'_>,
        ranks: &mut [f32],
        confidence: &mut [f32],
    ) {
        let mut question = given.question.to_vec();
        super::vectors::normalise(&mut question);
        if question.len() != given.sentences.width() {
            return;
        }
        let cosines: Vec<Option<f32>> =
            candidates.iter().map(|&at| given.sentences.get(at).map(|row| dot(row, &question))).collect();
        let known: Vec<f32> = cosines.iter().flatten().copied().collect();
        let mean = known.iter().sum::<f32>() / known.len().max(1) as f32;
        let mut scores = z_scores(&known).into_iter();
        for (i, cosine) in cosines.into_iter().enumerate() {
            let Some(cosine) = cosine else { continue };
            ranks[i] += scores.next().unwrap_or(0.0);
            let range = ABOVE_MEAN_ANSWERS - ABOVE_MEAN_UNRELATED;
            let meaning = ((cosine - mean - ABOVE_MEAN_UNRELATED) / range).clamp(0.0, 1.0);
            confidence[i] = 1.0 - (1.0 - COVERED_SHARE * confidence[i]) * (1.0 - MEANING_SHARE * meaning);
        }
    }

    /// Takes neighbours that match nearly as well; a very short sentence takes the next one in any case.
    fn grow(&self, at: usize, rank_of: &HashMap<usize, f32>, taken: &[bool]) -> (usize, usize) {
        let own = rank_of.get(&at).copied().unwrap_or(0.0);
        let (mut first, mut last) = (at, at);
        let mut words = self.sentences[at].words;
        loop {
            let fits = |side: usize| !taken[side] && words + self.sentences[side].words <= PASSAGE_WORDS_MAX;
            let rank = |side: usize| rank_of.get(&side).copied().unwrap_or(f32::MIN);
            let before = first.checked_sub(1).filter(|&side| self.adjoin(side, first) && fits(side));
            let after = Some(last + 1)
                .filter(|&side| side < self.sentences.len() && self.adjoin(last, side) && fits(side));
            let matches = |side: &usize| rank(*side) > 0.6 * own && own > 0.0;
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

    /// The stretch of a block from one sentence to another.
    pub(super) fn passage(&self, first: usize, last: usize) -> Passage {
        let (one, other) = (&self.sentences[first], &self.sentences[last]);
        let text = self.texts[one.block][one.start_bytes..other.end_bytes].to_string();
        Passage {
            text,
            block: one.block,
            sentences: (first, last),
            start_utf16: one.start_utf16,
            end_utf16: other.end_utf16,
            start_bytes: one.start_bytes,
            end_bytes: other.end_bytes,
        }
    }

    fn key_passages(&self, limit: usize) -> Vec<Hit> {
        let options = SummaryOptions { length: SummaryLength::Medium };
        let Summary { mut lines, .. } = self.summarize(None, &options);
        lines.truncate(limit);
        lines
            .into_iter()
            .map(|line| Hit {
                passage: self.passage(line.sentence, line.sentence),
                score: ANSWERED_MIN + (1.0 - ANSWERED_MIN) * line.score,
            })
            .collect()
    }

    /// BM25 of every sentence, words of its heading and of the sentence before counting a little.
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
        let total = count as f32;
        let rarity: Vec<f32> =
            with.iter().map(|&df| (1.0 + (total - df as f32 + 0.5) / (df as f32 + 0.5)).ln()).collect();
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
        let (mut bm25, mut covered) = (vec![0.0; count], vec![0.0; count]);
        let mut before = Vec::new();
        let mut above: (Option<usize>, Vec<f32>) = (None, Vec::new());
        for (at, sentence) in self.sentences.iter().enumerate() {
            let counts = &self.terms.counts[at];
            let found = own(counts);
            if sentence.heading != above.0 {
                above = (sentence.heading, self.heading_counts(at).map(own).unwrap_or_default());
            }
            let follows = at > 0 && self.sentences[at - 1].block == sentence.block;
            for term in 0..asked.len() {
                let at_most_once = |found: &[f32]| found.get(term).map_or(0.0, |times| times.min(1.0));
                let mut frequency = found[term] + HEADING_SHARE * at_most_once(&above.1);
                if follows {
                    frequency += BEFORE_SHARE * at_most_once(&before);
                }
                let length = 1.0 - B + B * lengths[at] / mean_length;
                bm25[at] += rarity[term] * frequency * (K1 + 1.0) / (frequency + K1 * length);
                covered[at] += rarity[term] * frequency.min(1.0) / rarity_sum;
            }
            before = found;
            slices.charge((counts.len() + asked.len()) / 4 + 1).await?;
        }
        let asks_for_number = asks_for_number(question);
        Ok(Question { bm25, covered, general: asked.is_empty(), asks_for_number })
    }

    /// The terms that a question must be judged by. Pairs of hiragana that the page does not know are endings of other words.
    fn asked_terms(&self, question: &str) -> Vec<String> {
        let mut asked = self.terms.distinct(question);
        let is_ending = |term: &str| term.chars().all(|c| ('\u{3040}'..='\u{309F}').contains(&c));
        asked.retain(|term| !is_ending(term) || self.terms.get(term).is_some());
        asked
    }

    fn heading_counts(&self, sentence: usize) -> Option<&[(u32, f32)]> {
        let block = self.sentences[sentence].heading?;
        let at = self.headings.binary_search_by_key(&block, |entry| entry.0).ok()?;
        Some(&self.headings[at].1)
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

fn may_answer(noise: Option<Noise>) -> bool {
    !matches!(noise, Some(Noise::Boilerplate | Noise::Reference))
}

/// Characters that two words of one stem begin with.
const STEM_CHARS_MIN: usize = 4;
/// Characters that may be before or behind an Arabic or Hebrew word in another.
const AFFIX_CHARS_MAX: usize = 2;

/// Parts of a word of which two words with the same stem ([`same_stem`]) share one.
fn stem_keys<'a>(word: &'a str, each: &mut impl FnMut(&'a str)) {
    if !word.starts_with(is_prefixed) {
        return each(head(word, STEM_CHARS_MIN));
    }
    each(word);
    let (mut front, mut back) = (word, word);
    for _ in 0..AFFIX_CHARS_MAX {
        front = front.get(front.chars().next().map_or(0, char::len_utf8)..).unwrap_or_default();
        back =
            back.get(..back.len() - back.chars().next_back().map_or(0, char::len_utf8)).unwrap_or_default();
        each(front);
        each(back);
    }
}

/// Of a script whose words are inflected at both ends: Arabic, Hebrew.
fn is_prefixed(c: char) -> bool {
    ('\u{0590}'..='\u{06FF}').contains(&c)
}

/// Whether two words share a stem: a long common beginning with short ends, or, where prefixes inflect (Arabic, Hebrew), the same end.
fn same_stem(a: &str, b: &str) -> bool {
    let (short, long) = if a.chars().count() <= b.chars().count() { (a, b) } else { (b, a) };
    let Some(first) = short.chars().next() else { return false };
    if script_of(first) != Script::Spaced || short.chars().any(char::is_numeric) {
        return false;
    }
    let (short_chars, long_chars) = (short.chars().count(), long.chars().count());
    if is_prefixed(first) {
        return short_chars >= 3
            && long_chars - short_chars <= AFFIX_CHARS_MAX
            && (long.ends_with(short) || long.starts_with(short));
    }
    let common = short.chars().zip(long.chars()).take_while(|(x, y)| x == y).count();
    common >= STEM_CHARS_MIN
        && short_chars - common <= 2
        && long_chars - common <= 4
        && common * 10 >= long_chars * 6
}

#[cfg(test)]
mod tests {
    use super::same_stem;

    #[test]
    fn stems_meet_and_strangers_do_not() {
        for (a, b, expected) in [
            ("founder", "founded", true),
            ("brücke", "brücken", true),
            ("городов", "город", true),
            ("мельница", "мельницу", true),
            ("בעיר", "עיר", true),
            ("price", "priest", false),
            ("internet", "international", false),
            ("1999", "1998", false),
            ("cat", "cats", false),
        ] {
            assert_eq!(same_stem(a, b), expected, "{a} {b}");
            assert_eq!(same_stem(b, a), expected, "{b} {a}");
        }
    }
}
