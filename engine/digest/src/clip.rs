//! The beginnings of texts that are too long for a line: at a clause, or after a whole word.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::openers;
use super::words::count_words;

/// Longest line, in words.
pub(super) const LINE_WORDS_MAX: usize = 30;
/// A sentence that is cut keeps so many words at least.
const CUT_WORDS_MIN: usize = 12;

/// The text without white space at its ends.
pub(super) fn trim(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start().len();
    start..start + text.trim().len()
}

/// The beginning of a range: all of it where it has no more than so many words; else up to the end of its first sentence, before a
/// bracket or at a clause, or else at the end of a phrase. The mark at its end is left out.
pub(super) fn clip(text: &str, range: Range<usize>, words_max: usize) -> Range<usize> {
    let piece = &text[range.clone()];
    let fits = count_words(piece) <= words_max;
    let len = if fits {
        piece.len()
    } else {
        at_mark(piece, words_max).unwrap_or_else(|| at_phrase(piece, words_max))
    };
    let kept = piece[..len].trim_end_matches(|c: char| {
        c.is_whitespace()
            || matches!(c, '.' | ';' | ':' | ',' | '。' | '，' | '；' | '、' | '：' | '(' | '（' | '—' | '–')
    });
    range.start..range.start + kept.len()
}

/// Words that a text keeps that is cut at a mark.
const MARK_WORDS_MIN: usize = 3;

/// Where a text of too many words ends at a mark outside of brackets and quotations: the last end of a sentence that fits, else of a clause.
fn at_mark(piece: &str, words_max: usize) -> Option<usize> {
    let (mut stop, mut clause, mut depth) = (None, None, 0i32);
    for (at, c) in piece.char_indices() {
        let next = piece[at + c.len_utf8()..].chars().next();
        let is_stop = matches!(c, '.' | '!' | '。' | '！');
        let is_mark = is_stop
            || matches!(c, '\t' | ';' | ':' | ',' | '(' | '—' | '–' | '，' | '；' | '、' | '：' | '（');
        let opens = matches!(c, '(' | '[' | '（' | '「' | '«' | '„' | '“');
        let stands =
            depth == 0 && (!c.is_ascii() || opens || c == '\t' || next.is_none_or(char::is_whitespace));
        depth += i32::from(opens) - i32::from(matches!(c, ')' | ']' | '）' | '」' | '»' | '”'));
        if !is_mark || !stands {
            continue;
        }
        let words = count_words(&piece[..at]);
        if words > words_max {
            break;
        }
        if is_stop && words >= 2 {
            stop = Some((at, words));
        } else if words >= MARK_WORDS_MIN {
            clause = Some((at, words));
        }
    }
    let best = match (stop, clause) {
        // A clause that says more than twice as much as the sentences before it.
        (Some(stop), Some(clause)) if stop.1 * 2 >= clause.1 => Some(stop),
        (stop, clause) => clause.or(stop),
    };
    best.map(|(at, _)| at)
}

/// Words that begin a phrase or bind it to what follows: a text that is cut ends before one.
const BINDING: &str = "a an the of to in on at by for from with without into onto over under between through during and or but nor that which who whose when while where if as than because so \
    is are was were be been has have had will would can could may might must should do does did its their his her your our this these those not no every each any only \
    der die das den dem des ein eine einen einem einer eines von vom zu zum zur im in am an auf aus bei mit nach für über unter durch und oder aber dass der die wenn als ist sind wird werden \
    le la les un une des du de d' l' à au aux en dans sur sous par pour avec sans et ou mais que qui dont où est sont \
    el la los las un una unos del de al a en con sin por para sobre y o pero que se es son \
    il lo la i gli le un uno una del della dei delle di da in con su per tra e o ma che si è sono \
    o a os as um uma do da dos das de em no na nos nas com sem por para e ou mas que se é são \
    de het een van in op met voor naar door en of maar dat die is zijn te \
    w we z ze na do od po za o i a oraz lub ale że który która które się jest są dla przez \
    в во на с со по к ко от до из за о об и а но или что который которая которые это для при";

/// The length of the first words of a text, up to the end of a phrase: what follows begins with a word that binds.
fn at_phrase(text: &str, words_max: usize) -> usize {
    let words: Vec<(usize, usize)> =
        text.unicode_word_indices().map(|(at, word)| (at, at + word.len())).collect();
    let binds = |i: usize| {
        words.get(i).is_some_and(|&(at, end)| {
            let word = text[at..end].to_lowercase();
            BINDING.split_ascii_whitespace().any(|other| other == word)
        })
    };
    let mut fits = 0;
    while fits < words.len() && count_words(&text[..words[fits].1]) <= words_max {
        fits += 1;
    }
    let is_end = |&count: &usize| binds(count) && !binds(count - 1);
    let ends = (fits.div_ceil(2).max(MARK_WORDS_MIN)..=fits).rev().find(is_end);
    let mut count = ends.unwrap_or(fits);
    while count > MARK_WORDS_MIN && binds(count - 1) {
        count -= 1;
    }
    count.checked_sub(1).map_or(0, |last| words[last].1)
}

/// Where a sentence can end that is too long for a line: before a clause, outside of brackets and quotations, at most [`LINE_WORDS_MAX`] words in.
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
