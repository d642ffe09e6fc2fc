//! Words: counting them so that lengths mean the same in every script, and turning text into terms to compare.

use unicode_segmentation::UnicodeSegmentation;

/// How a script separates words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Script {
    /// Words stand between spaces.
    Spaced,
    /// Korean: spaces, but particles cling to words, so parts of words are compared.
    Hangul,
    /// Chinese and Japanese: no spaces.
    Han,
    /// Thai, Lao, Khmer, Burmese: no spaces between words.
    Unspaced,
}

/// Characters of Chinese and Japanese that carry as much as one English word.
const HAN_CHARS_PER_WORD: f32 = 1.7;
/// The same for Thai and its neighbours, vowel signs counted.
const UNSPACED_CHARS_PER_WORD: f32 = 5.0;
/// Longest term kept, in characters: beyond it lies no word.
const TERM_CHARS_MAX: usize = 48;

pub(crate) fn script_of(c: char) -> Script {
    match u32::from(c) {
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F => {
            Script::Unspaced
        }
        0x1100..=0x11FF | 0x3130..=0x318F | 0xA960..=0xA97F | 0xAC00..=0xD7FF => Script::Hangul,
        0x2E80..=0x2FDF
        | 0x3005..=0x3007
        | 0x3021..=0x3029
        | 0x3040..=0x30FF
        | 0x3100..=0x312F
        | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF
        | 0x4E00..=0x9FFF
        | 0xF900..=0xFAFF
        | 0xFF66..=0xFF9F
        | 0x1_B000..=0x1_B16F
        | 0x2_0000..=0x3_FFFF => Script::Han,
        _ => Script::Spaced,
    }
}

/// Letters that leave no trace: they are in words to shape them, or to hide from a search.
pub(crate) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{00AD}' | '\u{034F}' | '\u{061C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}'
        | '\u{E0000}'..='\u{E0FFF}')
}

/// A text in lower case, with the plain apostrophe.
pub(crate) fn lower(text: &str) -> String {
    text.chars().flat_map(char::to_lowercase).map(|c| if c == '’' { '\'' } else { c }).collect()
}

/// The first characters of a text.
pub(crate) fn head(text: &str, chars_max: usize) -> &str {
    text.char_indices().nth(chars_max).map_or(text, |(at, _)| &text[..at])
}

/// What stands behind a phrase that a text begins with. Where scripts have words, the phrase ends with a whole one.
pub(crate) fn behind_phrase<'a>(text: &'a str, phrase: &str) -> Option<&'a str> {
    let has_words = |c: char| c.is_alphabetic() && matches!(script_of(c), Script::Spaced | Script::Hangul);
    let rest = text.strip_prefix(phrase).filter(|_| !phrase.is_empty())?;
    (!phrase.ends_with(has_words) || !rest.starts_with(char::is_alphanumeric)).then_some(rest)
}

/// How many of so many bytes end between two characters.
pub(crate) fn floor_bytes(text: &str, bytes_max: usize) -> usize {
    let mut at = text.len().min(bytes_max);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// How many words a text has: words where spaces separate them, characters divided by what a word takes elsewhere.
#[must_use]
pub fn count_words(text: &str) -> usize {
    let (mut spaced, mut han, mut unspaced) = (0usize, 0usize, 0usize);
    for word in text.unicode_words() {
        match word.chars().next().map(script_of) {
            Some(Script::Han) => han += word.chars().count(),
            Some(Script::Unspaced) => unspaced += word.chars().count(),
            _ => spaced += 1,
        }
    }
    spaced
        + (han as f32 / HAN_CHARS_PER_WORD).round() as usize
        + (unspaced as f32 / UNSPACED_CHARS_PER_WORD).round() as usize
}

/// Calls `each` with every term of a text: folded words; pairs of characters in Chinese, Japanese and Korean; triples
/// in Thai and its neighbours. `english` also takes off English endings.
pub(crate) fn each_term(text: &str, english: bool, each: &mut impl FnMut(&str)) {
    let mut run: Vec<char> = Vec::new();
    let mut run_end = 0;
    let mut run_script = Script::Spaced;
    let mut term = String::new();
    for (start, word) in text.unicode_word_indices() {
        let script = word.chars().next().map_or(Script::Spaced, script_of);
        if start != run_end || script != run_script {
            end_run(&mut run, run_script, &mut term, each);
        }
        run_end = start + word.len();
        run_script = script;
        if script == Script::Spaced {
            fold_word(word, english, &mut term);
            if !term.is_empty() {
                each(&term);
            }
        } else {
            run.extend(word.chars().filter(|c| !is_invisible(*c)));
        }
    }
    end_run(&mut run, run_script, &mut term, each);
}

/// Emits the pairs or triples of a run of characters.
fn end_run(run: &mut Vec<char>, script: Script, term: &mut String, each: &mut impl FnMut(&str)) {
    let size = if script == Script::Unspaced { 3 } else { 2 };
    let mut emit = |chars: &[char]| {
        term.clear();
        term.extend(chars);
        each(term);
    };
    if !run.is_empty() && run.len() < size {
        emit(run);
    }
    for chars in run.windows(size) {
        emit(chars);
    }
    run.clear();
}

/// Lower case, no accents that are written as marks of their own, no possessive, no plural.
fn fold_word(word: &str, english: bool, term: &mut String) {
    term.clear();
    for c in word.chars().filter(|c| !is_invisible(*c)).take(TERM_CHARS_MAX) {
        match c {
            // Combining accents, Hebrew points, Arabic vowel signs and the stretching stroke.
            '\u{0300}'..='\u{036F}'
            | '\u{0591}'..='\u{05C7}'
            | '\u{0640}'
            | '\u{064B}'..='\u{065F}'
            | '\u{0670}' => {}
            'أ' | 'إ' | 'آ' | 'ٱ' => term.push('ا'),
            'ى' | 'ی' => term.push('ي'),
            'ک' => term.push('ك'),
            'ة' => term.push('ه'),
            'ё' | 'Ё' => term.push('е'),
            'ς' => term.push('σ'),
            '’' => term.push('\''),
            _ => term.extend(c.to_lowercase()),
        }
    }
    if term.is_ascii() || term.chars().next().is_some_and(|c| c < '\u{0250}') {
        strip_latin(term, english);
    } else if term.chars().next().is_some_and(|c| ('\u{0600}'..='\u{06FF}').contains(&c)) {
        strip_arabic(term);
    }
}

fn strip_latin(term: &mut String, english: bool) {
    let cut = |term: &mut String, bytes: usize| term.truncate(term.len() - bytes);
    if term.ends_with("'s") {
        cut(term, 2);
    } else if let Some((head, tail)) = term.split_once('\'')
        && head.len() <= 2
        && tail.len() > 2
    {
        // Elision, as in French and Italian: l'eau, d'une.
        *term = tail.to_string();
    }
    if !term.is_ascii() || term.len() < 4 || term.bytes().any(|b| b.is_ascii_digit()) {
        return;
    }
    if term.ends_with("ies") && term.len() > 4 {
        cut(term, 3);
        term.push('y');
    } else if english && (term.ends_with("sses") || term.ends_with("shes") || term.ends_with("ches")) {
        cut(term, 2);
    } else if term.ends_with('s') && !term.ends_with("ss") && !term.ends_with("us") && !term.ends_with("is") {
        cut(term, 1);
    }
    if english {
        let vowel_in = |text: &str| text.bytes().any(|b| b"aeiouy".contains(&b));
        for ending in ["ing", "ed"] {
            if let Some(head) = term.strip_suffix(ending)
                && head.len() >= 3
                && vowel_in(head)
            {
                let mut head = head.to_string();
                let bytes = head.as_bytes();
                // planned -> plan, stopping -> stop
                if bytes.len() > 3
                    && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
                    && !head.ends_with("ll")
                {
                    head.pop();
                }
                *term = head;
                break;
            }
        }
        if term.len() >= 4 && term.ends_with('e') {
            cut(term, 1);
        }
    }
}

/// Takes off the article with what may cling to it (and, with, for), and the common plural endings.
fn strip_arabic(term: &mut String) {
    const HEADS: [&str; 6] = ["وال", "بال", "كال", "فال", "ال", "لل"];
    for head in HEADS {
        if let Some(rest) = term.strip_prefix(head)
            && rest.chars().count() >= 3
        {
            *term = rest.to_string();
            break;
        }
    }
    for tail in ["ات", "ين", "ون", "ه"] {
        if let Some(rest) = term.strip_suffix(tail)
            && rest.chars().count() >= 3
        {
            *term = rest.to_string();
            break;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str, english: bool) -> Vec<String> {
        let mut out = Vec::new();
        each_term(text, english, &mut |term| out.push(term.to_string()));
        out
    }

    #[test]
    fn counts_words_alike_in_all_scripts() {
        for (text, words) in [
            ("Bread rises because yeast makes gas.", 6..=6),
            ("面包发酵是因为酵母产生气体。", 7..=9),
            ("パンが膨らむのは酵母がガスを出すからです。", 10..=13),
            ("ขนมปังขึ้นฟูเพราะยีสต์สร้างก๊าซ", 5..=8),
            ("빵은 효모가 가스를 만들어 부풉니다.", 5..=5),
            ("", 0..=0),
            ("!!! --- …", 0..=0),
        ] {
            assert!(words.contains(&count_words(text)), "{text}: {}", count_words(text));
        }
    }

    #[test]
    fn terms_meet_across_forms() {
        for (one, other) in
            [("Baking", "baked"), ("stories", "story"), ("planned", "planning"), ("The cat’s", "the cats")]
        {
            assert_eq!(terms(one, true), terms(other, true));
        }
        assert_eq!(terms("المدينة", false), terms("مدينة", false));
        assert_eq!(terms("l’eau", false), ["eau"]);
        assert_eq!(terms("東京都", false), ["東京", "京都"]);
        assert_eq!(terms("in\u{2060}vis\u{00AD}ible", false), ["invisible"]);
        assert_eq!(terms("string thing", true), ["string", "thing"]);
    }
}
