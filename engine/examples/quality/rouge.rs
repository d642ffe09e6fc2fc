//! ROUGE-1, ROUGE-2 and ROUGE-Lsum as the Python package `rouge_score` defines them, with stemming.
//! C.-Y. Lin, ROUGE: A package for automatic evaluation of summaries, 2004.

use std::collections::{BTreeSet, HashMap};

use crate::porter::stem;

/// F1 scores times 100.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Rouge {
    pub one: f64,
    pub two: f64,
    pub lsum: f64,
}

/// Compares a summary with a reference, both as one sentence a line.
pub fn rouge(reference: &[String], candidate: &[String]) -> Rouge {
    let reference: Vec<Vec<String>> = reference.iter().map(|line| tokens(line)).collect();
    let candidate: Vec<Vec<String>> = candidate.iter().map(|line| tokens(line)).collect();
    Rouge {
        one: ngrams(&reference.concat(), &candidate.concat(), 1),
        two: ngrams(&reference.concat(), &candidate.concat(), 2),
        lsum: union_lcs(&reference, &candidate),
    }
}

/// Lower-case runs of ASCII letters and digits; those of more than three characters are stemmed.
fn tokens(text: &str) -> Vec<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|token| !token.is_empty())
        .map(|token| if token.len() > 3 { stem(token) } else { token.to_string() })
        .collect()
}

fn f1(hits: usize, reference: usize, candidate: usize) -> f64 {
    // F1 is 2 PR / (P + R), which is this.
    if reference + candidate == 0 { 0.0 } else { 200.0 * hits as f64 / (reference + candidate) as f64 }
}

fn count<T: std::hash::Hash + Eq>(items: impl Iterator<Item = T>) -> HashMap<T, usize> {
    let mut counts = HashMap::new();
    items.for_each(|item| *counts.entry(item).or_default() += 1);
    counts
}

fn ngrams(reference: &[String], candidate: &[String], n: usize) -> f64 {
    let (one, two) = (count(reference.windows(n)), count(candidate.windows(n)));
    let hits = one.iter().map(|(gram, times)| two.get(gram).map_or(0, |other| *times.min(other))).sum();
    f1(hits, one.values().sum(), two.values().sum())
}

/// For each sentence of the reference, the union of its longest common subsequences with all sentences of the candidate.
fn union_lcs(reference: &[Vec<String>], candidate: &[Vec<String>]) -> f64 {
    let mut left = [count(reference.iter().flatten()), count(candidate.iter().flatten())];
    let mut hits = 0;
    for sentence in reference {
        let union: BTreeSet<usize> = candidate.iter().flat_map(|other| lcs(sentence, other)).collect();
        for token in union.iter().map(|&at| &sentence[at]) {
            if left.iter().all(|counts| counts.get(token).is_some_and(|&times| times > 0)) {
                hits += 1;
                left.iter_mut().for_each(|counts| *counts.entry(token).or_default() -= 1);
            }
        }
    }
    f1(hits, reference.iter().map(Vec::len).sum(), candidate.iter().map(Vec::len).sum())
}

/// Indices into `one` of a longest common subsequence.
fn lcs(one: &[String], two: &[String]) -> Vec<usize> {
    let mut lengths = vec![vec![0usize; two.len() + 1]; one.len() + 1];
    for i in 1..=one.len() {
        for j in 1..=two.len() {
            lengths[i][j] = match one[i - 1] == two[j - 1] {
                true => lengths[i - 1][j - 1] + 1,
                false => lengths[i - 1][j].max(lengths[i][j - 1]),
            };
        }
    }
    let (mut i, mut j, mut found) = (one.len(), two.len(), Vec::new());
    while i > 0 && j > 0 {
        if one[i - 1] == two[j - 1] {
            found.push(i - 1);
            (i, j) = (i - 1, j - 1);
        } else if lengths[i][j - 1] > lengths[i - 1][j] {
            j -= 1;
        } else {
            i -= 1;
        }
    }
    found
}
