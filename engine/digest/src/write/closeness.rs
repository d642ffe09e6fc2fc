//! How close a line is to the text that it was written from.

use std::collections::HashSet;

use unicode_segmentation::UnicodeSegmentation;

use crate::language::is_stop_word;
use crate::stems::same_stem;

/// Words of a line and of its source that are compared; what is longer is no sentence.
const WORDS_MAX: usize = 400;

/// Shares of a line's words, 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closeness {
    /// Content words whose stem the source has.
    pub coverage: f32,
    /// Pairs of neighbouring words that are neighbours in the source.
    pub bigrams: f32,
    /// Words, but for articles, of the longest sequence that stands in both in the same order (LCS).
    pub in_order: f32,
    /// Words of the line for each word of the source.
    pub length: f32,
}

impl Closeness {
    /// Compares a line with its source.
    #[must_use]
    pub fn of(line: &str, source: &str) -> Self {
        Self::of_words(&folded(line), &folded(source))
    }

    /// The same of words as [`folded`] gives them.
    pub(super) fn of_words(line: &[String], source: &[String]) -> Self {
        let share = |part: usize, whole: usize| if whole == 0 { 0.0 } else { part as f32 / whole as f32 };
        let content: Vec<&String> = line.iter().filter(|word| !is_stop_word(word)).collect();
        let covered = content
            .iter()
            .filter(|word| source.iter().any(|other| other == **word || same_stem(other, word)));
        let pairs: HashSet<(&String, &String)> = source.iter().zip(source.iter().skip(1)).collect();
        let known = line.iter().zip(line.iter().skip(1)).filter(|pair| pairs.contains(pair)).count();
        Self {
            coverage: if content.is_empty() { 0.0 } else { share(covered.count(), content.len()) },
            bigrams: share(known, line.len().saturating_sub(1)),
            in_order: share(common(&bare(line), &bare(source)), bare(line).len()),
            length: share(line.len(), source.len()),
        }
    }
}

/// The words of a text in lower case.
pub(super) fn folded(text: &str) -> Vec<String> {
    text.to_lowercase().replace('’', "'").unicode_words().take(WORDS_MAX).map(str::to_owned).collect()
}

/// Without articles, which come and go with what stands before a noun.
fn bare(words: &[String]) -> Vec<&str> {
    const ARTICLES: [&str; 3] = ["a", "an", "the"];
    words.iter().map(String::as_str).filter(|word| !ARTICLES.contains(word)).collect()
}

/// Length of the longest common subsequence.
fn common(a: &[&str], b: &[&str]) -> usize {
    let mut row = vec![0; b.len() + 1];
    for word in a {
        let mut diagonal = 0;
        for (at, other) in b.iter().enumerate() {
            let above = row[at + 1];
            row[at + 1] = if word == other { diagonal + 1 } else { above.max(row[at]) };
            diagonal = above;
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_the_line() {
        let source = "The old harbour was closed in March because its walls had cracked.";
        let exact = Closeness::of("The harbour was closed in March.", source);
        assert_eq!((exact.coverage, exact.in_order), (1.0, 1.0));
        assert_eq!(exact.bigrams, 0.8);
        assert_eq!(exact.length, 0.5);
        let turned = Closeness::of("Cracked walls closed the harbour.", source);
        assert_eq!((turned.coverage, turned.bigrams), (1.0, 0.0));
        assert!(turned.in_order < 0.5);
        let other = Closeness::of("Tourism suffered badly.", source);
        assert_eq!((other.coverage, other.bigrams, other.in_order), (0.0, 0.0, 0.0));
        assert_eq!(Closeness::of("", source).in_order, 0.0);
    }
}
