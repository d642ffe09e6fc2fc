//! What was left out of a sentence: whole clauses, or parts of them.

use unicode_segmentation::UnicodeSegmentation;

/// Words that are compared; what is longer is no sentence.
const WORDS_MAX: usize = 150;
const ARTICLES: [&str; 3] = ["a", "an", "the"];
/// Words that a clause begins with which can go without changing what the rest claims.
const JOINTS: [&str; 7] = ["and", "which", "who", "whose", "where", "because", "since"];
/// Single words that can go.
const FILLERS: [&str; 14] = [
    "also",
    "very",
    "quite",
    "really",
    "simply",
    "just",
    "therefore",
    "thus",
    "furthermore",
    "moreover",
    "additionally",
    "indeed",
    "however",
    "so",
];

/// A word, and whether a mark stands between the word before and it.
struct Word {
    text: String,
    after_mark: bool,
}

/// The words of a text in lower case, without articles.
fn words(text: &str) -> Vec<Word> {
    let mut end = 0;
    let mut words = Vec::new();
    let lower = text.to_lowercase().replace('’', "'");
    for (at, word) in lower.unicode_word_indices() {
        if !ARTICLES.contains(&word) {
            let after_mark = lower[end..at].contains([',', ';', ':', '–', '—', '(', ')', '.', '!', '?']);
            words.push(Word { text: word.to_owned(), after_mark });
            end = at + word.len();
        }
    }
    words.truncate(WORDS_MAX);
    words
}

/// Whether a line is its source with whole clauses, leading phrases or single fillers left out: what is missing begins at the start of
/// the sentence, behind a mark or with a conjunction, and ends at the end of the sentence or before a mark or a conjunction.
pub(super) fn leaves_out_whole_clauses(line: &str, source: &str) -> bool {
    let (line, source) = (words(line), words(source));
    let begins = |at: usize| at == 0 || source[at].after_mark || JOINTS.contains(&source[at].text.as_str());
    let ends = |at: usize| at == source.len() || begins(at);
    let may_go = |from: usize, to: usize| {
        (begins(from) && ends(to)) || (to == from + 1 && FILLERS.contains(&source[from].text.as_str()))
    };
    // reached[at]: the line so far can be the source up to there.
    let mut reached = vec![false; source.len() + 1];
    reached[0] = true;
    let skip = |reached: &mut [bool]| {
        for from in 0..source.len() {
            if reached[from] {
                for (to, reached) in reached.iter_mut().enumerate().skip(from + 1) {
                    *reached |= may_go(from, to);
                }
            }
        }
    };
    skip(&mut reached);
    for word in &line {
        let mut next = vec![false; source.len() + 1];
        for at in 0..source.len() {
            next[at + 1] = reached[at] && source[at].text == word.text;
        }
        reached = next;
        skip(&mut reached);
    }
    reached[source.len()]
}

#[cfg(test)]
mod tests {
    use super::leaves_out_whole_clauses;

    #[test]
    fn clauses_go_whole() {
        let source =
            "In 2019, the old mill, which stands by the river, was also sold to Ada Orwin and opened in May.";
        for (line, whole) in [
            (source, true),
            ("The old mill was also sold to Ada Orwin and opened in May.", true),
            ("In 2019, the old mill was sold to Ada Orwin.", true),
            ("The old mill was sold to Ada Orwin and opened in May.", true),
            ("The mill, which stands by the river, was sold to Ada Orwin.", false),
            ("The old mill was sold and opened in May.", false),
            ("The old mill, which stands, was sold to Ada Orwin.", false),
            ("The old mill opened in May.", false),
            ("The old mill was sold to the river.", false),
        ] {
            assert_eq!(leaves_out_whole_clauses(line, source), whole, "{line}");
        }
    }
}
