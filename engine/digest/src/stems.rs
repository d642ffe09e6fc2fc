//! Words of one stem, found without a dictionary.

//! Words of one stem: cheap to find, without a dictionary.

use super::words::{Script, head, script_of};

/// Characters that two words of one stem begin with.
const STEM_CHARS_MIN: usize = 4;
/// Characters that may be before or behind an Arabic or Hebrew word in another.
const AFFIX_CHARS_MAX: usize = 2;

/// Parts of a word of which two words with the same stem ([`same_stem`]) share one.
pub(super) fn stem_keys<'a>(word: &'a str, each: &mut impl FnMut(&'a str)) {
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
pub(super) fn same_stem(a: &str, b: &str) -> bool {
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
