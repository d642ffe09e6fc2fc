//! A list of data: nouns, and what stands before them, with a part of their own in a sentence.

use super::has;

/// What a noun is not the same without.
const PRIVATIVE: &str = "deputy vice acting assistant interim failed former alleged proposed planned potential possible fake false \
    future intended supposed suspected ehemalige ehemaligen geplante geplanten angebliche mögliche mutmaßliche \
    ancien ancienne presunto antiguo ex";
/// What tells one of several.
const ORDER: &str = "first last best worst least next other latter";
/// What stands before a name and may go.
const TITLES: &str = "mr mrs ms dr prof professor doctor mayor president minister councillor senator captain sir lady saint herr frau \
    bürgermeister bürgermeisterin professorin doktor ministerin kanzler monsieur madame maire ministre señor señora alcalde alcaldesa ministro \
    signor signora sindaco senhor senhora presidente burgemeester";
const ORDINALS: &str = "second third fourth fifth sixth seventh eighth ninth tenth";
/// Nouns that a name with "of" says again.
const PLACES: &str = "town city village port state province county island republic district region month";
/// Nouns that measure what comes behind "of".
const MEASURES: &str = "gram grams kilogram kilograms litre litres liter liters millilitres tonnes tons pinch cup cups slice slices \
    spoon spoons bottle bottles";
/// Participles of English that do not end in "ed".
const PARTICIPLES: &str = "made built held known kept found sold bought led set left lost cut put born drawn grown written taken given \
    shown seen run paid";

/// Verbs that deny what follows them.
const DENIALS: &str = "deny denies denied refuse refuses refused doubt doubts doubted fail fails failed forbid forbids forbade forbidden \
    prohibit prohibits prohibited prevent prevents prevented avoid avoids avoided lack lacks lacked stop stops stopped";

/// Whether a verb denies what follows it.
pub(in super::super) fn is_denial(word: &str) -> bool {
    has(DENIALS, word)
}

/// Whether a noun with this adjective is one of several.
pub(in super::super) fn is_superlative(word: &str) -> bool {
    word.len() > 5 && word.ends_with("est") || has(ORDER, word)
}

/// Whether a noun is another one without this word.
pub(in super::super) fn is_limiting(word: &str) -> bool {
    is_superlative(word) || has(ORDINALS, word) || has(PRIVATIVE, word)
}

pub(in super::super) fn is_title(word: &str) -> bool {
    has(TITLES, word)
}

pub(in super::super) fn is_place(word: &str) -> bool {
    has(PLACES, word)
}

pub(in super::super) fn is_measure(word: &str) -> bool {
    has(MEASURES, word)
}

pub(in super::super) fn is_participle(word: &str) -> bool {
    has(PARTICIPLES, word)
}
