//! TF-IDF over the sentences of one page: sparse vectors, their centroid, and how rare each term is.

use super::language;
use super::words::each_term;
use std::collections::{BTreeMap, HashSet};

/// A sentence's terms with their counts, ascending by term.
pub(crate) type Counts = Vec<(u32, f32)>;

/// A sparse vector of unit length, ascending by term.
pub(crate) type Sparse = Vec<(u32, f32)>;

/// Most terms of a page, which bounds memory: prose of four megabytes has about as many in Chinese, and fewer elsewhere. What
/// is beyond is not compared.
const VOCABULARY_MAX: usize = 1 << 18;

/// The vocabulary of a page and the term counts of its sentences.
pub(crate) struct Terms {
    /// A tree, because a table of so many terms takes a slice's time to grow.
    ids: BTreeMap<String, u32>,
    /// Sentences that hold a term.
    sentences_with: Vec<u32>,
    stop: &'static HashSet<String>,
    english: bool,
    chinese: bool,
    pub(crate) counts: Vec<Counts>,
    /// How many terms each sentence has, repetitions counted.
    pub(crate) lengths: Vec<f32>,
    /// Of the sentences, once [`Terms::weigh_next`] has made them.
    pub(crate) vectors: Vec<Sparse>,
}

impl Terms {
    /// Without sentences.
    pub(crate) fn new(lang: &str) -> Self {
        Self {
            ids: BTreeMap::new(),
            sentences_with: Vec::new(),
            stop: language::folded_function_words(lang),
            english: lang == "en",
            chinese: lang == "zh",
            counts: Vec::new(),
            lengths: Vec::new(),
            vectors: Vec::new(),
        }
    }

    /// Indexes the next sentence.
    pub(crate) fn push(&mut self, sentence: &str) {
        let counts = self.learn(sentence);
        for &(id, _) in &counts {
            self.sentences_with[id as usize] += 1;
        }
        self.lengths.push(counts.iter().map(|entry| entry.1).sum());
        self.counts.push(counts);
    }

    /// Makes the vector of the next sentence, when all are indexed. Says how many terms it has; `None` where all are made.
    pub(crate) fn weigh_next(&mut self) -> Option<usize> {
        let vector = self.weigh(self.counts.get(self.vectors.len())?);
        self.vectors.push(vector);
        self.vectors.last().map(Vec::len)
    }

    /// Counts the terms of a text that is no sentence (a heading) and takes them into the vocabulary.
    pub(crate) fn learn(&mut self, text: &str) -> Counts {
        let Self { ids, sentences_with, stop, english, chinese, .. } = self;
        let mut found = Vec::new();
        each_term(text, *english, &mut |term| {
            if is_stop(term, stop, *chinese) {
                return;
            }
            let id = match ids.get(term) {
                Some(&id) => id,
                None if ids.len() >= VOCABULARY_MAX => return,
                None => {
                    let id = ids.len() as u32;
                    ids.insert(term.to_string(), id);
                    sentences_with.push(0);
                    id
                }
            };
            found.push(id);
        });
        tally(found)
    }

    /// Terms of another text in the page's vocabulary, with counts; and how many it has beyond.
    pub(crate) fn count(&self, text: &str) -> (Counts, usize) {
        let (mut found, mut unknown) = (Vec::new(), 0);
        each_term(text, self.english, &mut |term| {
            if is_stop(term, self.stop, self.chinese) {
                return;
            }
            match self.ids.get(term) {
                Some(&id) => found.push(id),
                None => unknown += 1,
            }
        });
        (tally(found), unknown)
    }

    /// The distinct terms of a text, in order, whether the page has them or not.
    pub(crate) fn distinct(&self, text: &str) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        each_term(text, self.english, &mut |term| {
            if !is_stop(term, self.stop, self.chinese) && !out.iter().any(|seen| seen == term) {
                out.push(term.to_string());
            }
        });
        out
    }

    /// Every term with its number.
    pub(crate) fn vocabulary(&self) -> impl Iterator<Item = (&str, u32)> {
        self.ids.iter().map(|(term, &id)| (term.as_str(), id))
    }

    pub(crate) fn get(&self, term: &str) -> Option<u32> {
        self.ids.get(term).copied()
    }

    pub(crate) fn sentences_with(&self, id: u32) -> u32 {
        self.sentences_with[id as usize]
    }

    /// (1 + ln tf) · ln((n + 1) / (df + 1/2)), at unit length. A word of every sentence weighs nearly nothing.
    pub(crate) fn weigh(&self, counts: &[(u32, f32)]) -> Sparse {
        let total = self.counts.len() as f32;
        let mut vector: Sparse = counts
            .iter()
            .map(|&(id, count)| {
                let rarity = ((total + 1.0) / (self.sentences_with(id) as f32 + 0.5)).ln().max(0.0);
                (id, (1.0 + count.ln()) * rarity)
            })
            .collect();
        let norm = vector.iter().map(|(_, weight)| weight * weight).sum::<f32>().sqrt();
        if norm > 0.0 {
            vector.iter_mut().for_each(|(_, weight)| *weight /= norm);
        }
        vector
    }

    /// How many terms there are.
    pub(crate) fn len(&self) -> usize {
        self.sentences_with.len()
    }
}

/// A function word; in Chinese, a pair with a character of grammar or of asking.
fn is_stop(term: &str, stop: &HashSet<String>, chinese: bool) -> bool {
    stop.contains(term)
        || (chinese
            && term.contains(['的', '了', '是', '吗', '呢', '么', '麼', '嗎', '谁', '誰', '哪', '什']))
}

fn tally(mut ids: Vec<u32>) -> Counts {
    ids.sort_unstable();
    let mut counts: Counts = Vec::new();
    for id in ids {
        match counts.last_mut() {
            Some(last) if last.0 == id => last.1 += 1.0,
            _ => counts.push((id, 1.0)),
        }
    }
    counts
}

/// Cosine of two unit vectors.
pub(crate) fn cosine(a: &[(u32, f32)], b: &[(u32, f32)]) -> f32 {
    let (mut i, mut j, mut sum) = (0, 0, 0.0);
    while i < a.len() && j < b.len() {
        match a[i].0.cmp(&b[j].0) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                sum += a[i].1 * b[j].1;
                i += 1;
                j += 1;
            }
        }
    }
    sum
}

/// The share of `inner`'s distinct terms that `outer` has too.
pub(crate) fn contained(inner: &[(u32, f32)], outer: &[(u32, f32)]) -> f32 {
    if inner.is_empty() {
        return 0.0;
    }
    let shared =
        inner.iter().filter(|(id, _)| outer.binary_search_by_key(id, |entry| entry.0).is_ok()).count();
    shared as f32 / inner.len() as f32
}
