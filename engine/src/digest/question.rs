//! The passages of a page that answer a question: BM25 and embeddings together.
//!
//! The two are added as z-scores rather than merged by rank: on one page most sentences share no word with a question, so their ranks
//! by BM25 are ties in page order, which reciprocal ranks would take for evidence; and z-scores keep the lead of a
//! sentence that is far ahead.

use super::language::asks_for_number;
use super::noise::Noise;
use super::page::{SummaryLength, SummaryOptions};
use super::vectors::{QueryVectors, dot, z_scores};
use super::words::{Script, script_of};
use super::{Digest, Summary};
use std::collections::HashMap;

/// A best hit below this does not answer: the UI should say that nothing on the page does.
pub const ANSWERED_MIN: f32 = 0.4;

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

/// What the words of a question say about each sentence.
struct WordMatch {
    bm25: Vec<f32>,
    /// The share of the question's words, by their rarity, that a sentence has.
    covered: Vec<f32>,
}

impl Digest {
    /// The passages that answer a question best, best first, at most `limit`. A question without any word of substance ("What is this
    /// about?") is answered with the page's key sentences.
    #[must_use]
    pub fn rank_question(&self, question: &str, vectors: Option<QueryVectors<'_>>, limit: usize) -> Vec<Hit> {
        let vectors = vectors.filter(|given| !given.sentences.is_empty());
        let words = self.match_words(question);
        if self.asked_terms(question).is_empty() {
            return self.key_passages(limit);
        }
        let candidates: Vec<usize> =
            (0..self.sentences.len()).filter(|&at| may_answer(self.sentences[at].noise)).collect();
        let bm25: Vec<f32> = candidates.iter().map(|&at| words.bm25[at]).collect();
        let mut ranks = z_scores(&bm25);
        let mut confidence: Vec<f32> = candidates.iter().map(|&at| words.covered[at]).collect();
        match vectors {
            Some(given) => self.add_embeddings(&candidates, &given, &mut ranks, &mut confidence),
            None => confidence.iter_mut().for_each(|covered| *covered = (*covered / COVERED_SURELY).min(1.0)),
        }
        if asks_for_number(question) {
            for (rank, &at) in ranks.iter_mut().zip(&candidates) {
                let number = self.sentences[at].text.chars().any(char::is_numeric);
                *rank += if number && words.bm25[at] > 0.0 { NUMBER_BONUS } else { 0.0 };
            }
        }
        let mut order: Vec<usize> = (0..candidates.len()).filter(|&i| confidence[i] > 0.0).collect();
        order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]).then(a.cmp(&b)));
        let rank_of: HashMap<usize, f32> = candidates.iter().copied().zip(ranks.iter().copied()).collect();
        self.gather(&order, &candidates, &confidence, &rank_of, limit)
    }

    /// The sentences that an embedding model should see for a question, ascending, at most `limit`: half the best by words, the others
    /// those of [`Digest::worth_embedding`], whose vectors a caller may have already.
    #[must_use]
    pub fn worth_embedding_for(&self, question: &str, limit: usize) -> Vec<usize> {
        let words = self.match_words(question);
        let mut order: Vec<usize> = (0..self.sentences.len())
            .filter(|&at| words.bm25[at] > 0.0 && may_answer(self.sentences[at].noise))
            .collect();
        order.sort_by(|&a, &b| words.bm25[b].total_cmp(&words.bm25[a]).then(a.cmp(&b)));
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

    /// Turns ranked sentences into passages, each sentence in one passage at most, near-duplicates once.
    fn gather(
        &self,
        order: &[usize],
        candidates: &[usize],
        confidence: &[f32],
        rank_of: &HashMap<usize, f32>,
        limit: usize,
    ) -> Vec<Hit> {
        let mut taken = vec![false; self.sentences.len()];
        let mut leads: Vec<usize> = Vec::new();
        let mut hits = Vec::new();
        for &i in order {
            if hits.len() >= limit {
                break;
            }
            let at = candidates[i];
            if taken[at] || leads.iter().any(|&lead| self.say_the_same(at, lead, None)) {
                continue;
            }
            let (first, last) = self.grow(at, rank_of, &taken);
            taken[first..=last].fill(true);
            leads.push(at);
            hits.push(Hit { passage: self.passage(first, last), score: confidence[i] });
        }
        hits
    }

    /// Takes neighbours in the same block that match nearly as well; a very short sentence takes the next one in any case.
    fn grow(&self, at: usize, rank_of: &HashMap<usize, f32>, taken: &[bool]) -> (usize, usize) {
        let own = rank_of.get(&at).copied().unwrap_or(0.0);
        let (mut first, mut last) = (at, at);
        let mut words = self.sentences[at].words;
        loop {
            let fits = |side: usize| {
                let sentence = &self.sentences[side];
                !taken[side]
                    && sentence.block == self.sentences[at].block
                    && words + sentence.words <= PASSAGE_WORDS_MAX
            };
            let rank = |side: usize| rank_of.get(&side).copied().unwrap_or(f32::MIN);
            let before = first.checked_sub(1).filter(|&side| fits(side));
            let after = Some(last + 1).filter(|&side| side < self.sentences.len() && fits(side));
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
    fn match_words(&self, question: &str) -> WordMatch {
        let asked = self.asked_terms(question);
        let count = self.sentences.len();
        let matching = self.expand(&asked);
        let mut with = vec![0u32; asked.len()];
        for (id, term, _) in matching.values().flatten() {
            with[*term] = (with[*term] + self.terms.sentences_with(*id)).min(count as u32);
        }
        let total = count as f32;
        let rarity: Vec<f32> =
            with.iter().map(|&df| (1.0 + (total - df as f32 + 0.5) / (df as f32 + 0.5)).ln()).collect();
        let rarity_sum: f32 = rarity.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        let lengths: Vec<f32> =
            self.terms.counts.iter().map(|counts| counts.iter().map(|entry| entry.1).sum()).collect();
        let mean_length = (lengths.iter().sum::<f32>() / total.max(1.0)).max(1.0);
        let own = |counts: &[(u32, f32)]| -> Vec<f32> {
            let mut found = vec![0.0f32; asked.len()];
            for (id, times) in counts {
                for (_, term, share) in matching.get(id).into_iter().flatten() {
                    found[*term] += share * times;
                }
            }
            found
        };
        let mut out = WordMatch { bm25: vec![0.0; count], covered: vec![0.0; count] };
        let mut before: Option<(usize, Vec<f32>)> = None;
        for (at, counts) in self.terms.counts.iter().enumerate() {
            let found = own(counts);
            let heading = self.heading_counts(at).map(own);
            for term in 0..asked.len() {
                let mut frequency = found[term];
                frequency += HEADING_SHARE * heading.as_ref().map_or(0.0, |heading| heading[term].min(1.0));
                if let Some((block, previous)) = &before
                    && *block == self.sentences[at].block
                {
                    frequency += BEFORE_SHARE * previous[term].min(1.0);
                }
                let length = 1.0 - B + B * lengths[at] / mean_length;
                out.bm25[at] += rarity[term] * frequency * (K1 + 1.0) / (frequency + K1 * length);
                out.covered[at] += rarity[term] * frequency.min(1.0) / rarity_sum;
            }
            before = Some((self.sentences[at].block, found));
        }
        out
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

    /// For each term of the page that means one of the question's: (the page's term, the question's, how much it counts).
    fn expand(&self, asked: &[String]) -> HashMap<u32, Vec<(u32, usize, f32)>> {
        let mut matching: HashMap<u32, Vec<(u32, usize, f32)>> = HashMap::new();
        for (term, word) in asked.iter().enumerate() {
            if let Some(id) = self.terms.get(word) {
                matching.entry(id).or_default().push((id, term, 1.0));
            }
        }
        for (known, id) in self.terms.vocabulary() {
            for (term, word) in asked.iter().enumerate() {
                if known != word && same_stem(known, word) {
                    matching.entry(id).or_default().push((id, term, VARIANT_SHARE));
                }
            }
        }
        matching
    }
}

fn may_answer(noise: Option<Noise>) -> bool {
    !matches!(noise, Some(Noise::Boilerplate | Noise::Reference))
}

/// Whether two words share a stem: a long common beginning with short ends, or, where prefixes inflect (Arabic, Hebrew), the same end.
fn same_stem(a: &str, b: &str) -> bool {
    let (short, long) = if a.chars().count() <= b.chars().count() { (a, b) } else { (b, a) };
    let Some(first) = short.chars().next() else { return false };
    if script_of(first) != Script::Spaced || short.chars().any(char::is_numeric) {
        return false;
    }
    let (short_chars, long_chars) = (short.chars().count(), long.chars().count());
    if ('\u{0590}'..='\u{06FF}').contains(&first) {
        return short_chars >= 3
            && long_chars - short_chars <= 2
            && (long.ends_with(short) || long.starts_with(short));
    }
    let common = short.chars().zip(long.chars()).take_while(|(x, y)| x == y).count();
    common >= 4 && short_chars - common <= 2 && long_chars - common <= 4 && common * 10 >= long_chars * 6
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
