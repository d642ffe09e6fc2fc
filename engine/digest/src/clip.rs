//! The beginnings of texts that are too long for a line: at a clause, or after a whole word.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::openers;
use super::words::{Script, count_words, script_of};

/// Longest line, in words.
pub(super) const LINE_WORDS_MAX: usize = 30;
/// A sentence that is cut keeps so many words at least.
const CUT_WORDS_MIN: usize = 12;

/// The text without white space at its ends.
pub(super) fn trim(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The beginning of a range: up to its first sentence's end or a clause within so many words, without the mark at its end.
pub(super) fn clip(text: &str, range: Range<usize>, words_max: usize) -> Range<usize> {
    let piece = &text[range.clone()];
    let mut len = piece.len();
    if count_words(piece) > words_max {
        let mut best = None;
        for (at, c) in piece.char_indices() {
            let is_mark =
                matches!(c, '.' | ';' | ':' | ',' | '(' | '—' | '–' | '。' | '，' | '；' | '、' | '：');
            let next = piece[at + c.len_utf8()..].chars().next();
            if !is_mark || (c.is_ascii() && c != '(' && !next.is_none_or(char::is_whitespace)) {
                continue;
            }
            let words = count_words(&piece[..at]);
            if words > words_max {
                break;
            }
            if words >= 2 {
                best = Some(at);
                if matches!(c, '.' | '。') && next.is_none_or(char::is_whitespace) {
                    break;
                }
            }
        }
        len = best.unwrap_or_else(|| words_len(piece, words_max));
    }
    let kept = piece[..len].trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '.' | ';' | ':' | ',' | '。' | '，' | '；' | '、' | '：' | '(' | '—' | '–')
    });
    range.start..range.start + kept.len()
}

/// The length of the first words of a text, in bytes: whole words, and no article or preposition at the end.
fn words_len(text: &str, words: usize) -> usize {
    const LOOSE_CHARS_MAX: usize = 4;
    let ends = text.unicode_word_indices().map(|(at, word)| (at, at + word.len()));
    let mut kept: Vec<(usize, usize)> = Vec::new();
    for (at, end) in ends {
        if count_words(&text[..end]) > words {
            break;
        }
        kept.push((at, end));
    }
    let loose = |&(at, end): &(usize, usize)| {
        let word = &text[at..end];
        word.chars().count() <= LOOSE_CHARS_MAX
            && word.chars().all(|c| c.is_lowercase() && script_of(c) == Script::Spaced)
    };
    while kept.len() > 3 && kept.last().is_some_and(loose) {
        kept.pop();
    }
    kept.last().map_or(0, |&(_, end)| end)
}

/// Where a long sentence can end: before a clause, outside of brackets and quotations, at most [`LINE_WORDS_MAX`] words in.
pub(super) fn cut(sentence: &str) -> Option<usize> {
    const CLAUSES: &str = "and ;but ;which ;while ;although ;though ;because ;as ;so ;after ;before ;when ;who ;where ;with ;including ;und ;aber ;weil ;während ;\
        obwohl ;da ;die ;der ;das ;wobei ;et ;mais ;qui ;car ;alors ;y ;pero ;que ;mientras ;aunque ;ma ;che ;mentre ;mas ;enquanto ;en ;maar ;die ;omdat ;\
        i ;ale ;który ;która ;które ;и ;но ;а ;который ;которая ;которые ;что ";
    let (mut depth, mut quoted) = (0i32, false);
    let mut found = None;
    let mut weak = None;
    for (at, c) in sentence.char_indices() {
        match c {
            '(' | '[' | '（' | '「' | '«' | '„' => depth += 1,
            ')' | ']' | '）' | '」' | '»' => depth -= 1,
            '“' if depth > 0 => depth -= 1,
            '“' => depth += 1,
            '”' => depth -= 1,
            '"' => quoted = !quoted,
            _ => {}
        }
        let after = at + c.len_utf8();
        let rest = &sentence[after..];
        let strong = matches!(c, ';' | '；' | '—' | '–') || (c == ':' && rest.starts_with(' '));
        let comma = matches!(c, ',' | '，' | '、' | '،');
        if depth > 0 || quoted || !(strong || comma) || (c.is_ascii() && !rest.starts_with(' ')) {
            continue;
        }
        let words = count_words(&sentence[..at]);
        if words > LINE_WORDS_MAX {
            break;
        }
        if words < CUT_WORDS_MIN {
            continue;
        }
        let next = rest.trim_start().to_lowercase();
        if strong || !c.is_ascii() || CLAUSES.split(';').any(|word| next.starts_with(word)) {
            found = Some(at);
        } else if words * 3 >= LINE_WORDS_MAX * 2 {
            weak = Some(at);
        }
    }
    let len = found.or(weak)?;
    let kept = sentence[..len].trim_end();
    (!openers::announces(kept)).then_some(kept.len())
}

#[cfg(test)]
mod tests {
    use super::{clip, cut};

    #[test]
    fn long_sentences_end_at_a_clause() {
        let sentence = "The council voted on Monday to rebuild the old footbridge in larch and oak instead of steel, which will cost 40,000 euros more, \
                        because the weight of steel would have called for new piers in the river bed";
        assert_eq!(
            &sentence[..cut(sentence).unwrap_or_default()],
            "The council voted on Monday to rebuild the old footbridge in larch and oak instead of steel, which will cost 40,000 euros more"
        );
        assert_eq!(cut("no clause here at all"), None);
    }

    #[test]
    fn pieces_end_before_a_mark() {
        let clipped = |text: &'static str, words| &text[clip(text, 0..text.len(), words)];
        assert_eq!(clipped("8 chicken thighs, skin on", 6), "8 chicken thighs, skin on");
        assert_eq!(
            clipped("Heat the oven to 200 °C. Season the thighs with salt.", 8),
            "Heat the oven to 200 °C"
        );
        assert_eq!(clipped("One ripe tomato sliced into the pan", 6), "One ripe tomato sliced");
        assert_eq!(clipped("材料を切る。鍋に入れて煮る。", 4), "材料を切る");
    }
}
