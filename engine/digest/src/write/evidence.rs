//! No number and no name that the evidence does not have.
//!
//! Words with a digit or a capital letter in them are special: they may be written only as they stand in the evidence.
//! Ordinary words are free. The first word of a sentence may be capitalised if the evidence has it in lower case, or if it
//! is a function word. Numbers are compared with and without their thousands separators; number words ("twelve") need the
//! evidence too.

use std::collections::{BTreeSet, HashMap};
use std::ops::Bound;
use std::sync::LazyLock;

use crate::words::{Script, script_of};

/// Longest word that is looked at, in characters; no number or name is longer.
const WORD_CHARS_MAX: usize = 100;

/// English number words, but for "one", which is a pronoun as well, with their values.
pub(super) const NUMBER_WORDS: [(&str, u64); 31] = [
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("dozen", 12),
    ("hundred", 100),
    ("thousand", 1_000),
    ("million", 1_000_000),
    ("billion", 1_000_000_000),
];

/// Number words of other languages, with their values.
const FOREIGN_NUMBER_WORDS: &str = "zwei=2 drei=3 vier=4 fünf=5 sechs=6 sieben=7 acht=8 neun=9 zehn=10 elf=11 zwölf=12 zwanzig=20 dreißig=30 vierzig=40 \
    fünfzig=50 hundert=100 tausend=1000 million=1000000 millionen=1000000 deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 \
    vingt=20 trente=30 quarante=40 cinquante=50 soixante=60 cent=100 mille=1000 dos=2 tres=3 cuatro=4 cinco=5 seis=6 siete=7 ocho=8 nueve=9 \
    diez=10 once=11 doce=12 veinte=20 treinta=30 cuarenta=40 cincuenta=50 cien=100 mil=1000 due=2 tre=3 quattro=4 cinque=5 sette=7 otto=8 nove=9 \
    dieci=10 dodici=12 venti=20 trenta=30 cento=100 dois=2 duas=2 três=3 quatro=4 sete=7 oito=8 dez=10 doze=12 vinte=20 trinta=30 cem=100 \
    twee=2 drie=3 vijf=5 zes=6 zeven=7 negen=9 tien=10 twaalf=12 twintig=20 dertig=30 veertig=40 vijftig=50 honderd=100 duizend=1000";

/// The value of a number or a number word in lower case, without thousands separators; `None` for another word.
pub(super) fn number_value(word: &str) -> Option<String> {
    if word.contains(char::is_numeric) {
        return Some(word.replace([',', '.', '\u{a0}', ' '], ""));
    }
    NUMBER_VALUES.get(word).cloned()
}

static NUMBER_VALUES: LazyLock<HashMap<&str, String>> = LazyLock::new(|| {
    let entries = FOREIGN_NUMBER_WORDS.split_ascii_whitespace().filter_map(|entry| entry.split_once('='));
    let foreign = entries.map(|(name, value)| (name, value.to_owned()));
    foreign.chain(NUMBER_WORDS.iter().map(|(name, value)| (*name, value.to_string()))).collect()
});

/// The words of the texts that a model may rest on.
#[derive(Debug, Default)]
pub struct Evidence {
    /// Words with a digit or a capital, as they stand there; numbers also without thousands separators, and with them.
    special: BTreeSet<String>,
    /// Every word in lower case, and function words of the language: what a sentence may begin with.
    openers: BTreeSet<String>,
    /// Every word in lower case.
    words: BTreeSet<String>,
}

impl Evidence {
    /// The words of `texts`; sentences may also begin with `function_words`, given in lower case.
    #[must_use]
    pub fn new<'a, 'b>(
        texts: impl IntoIterator<Item = &'a str>,
        function_words: impl IntoIterator<Item = &'b str>,
    ) -> Self {
        let mut evidence = Self::default();
        for text in texts {
            for word in words(text) {
                let lower = word.to_lowercase();
                if is_special(word) {
                    evidence.special.extend(spellings(word));
                }
                evidence.openers.insert(lower.clone());
                evidence.words.insert(lower);
            }
        }
        evidence.openers.extend(function_words.into_iter().map(str::to_owned));
        evidence
    }

    /// Whether some special word begins with `head`.
    fn begins_special(&self, head: &str) -> bool {
        begins(&self.special, head)
    }

    /// Whether `head` begins a word that may open a sentence: nothing but its first letter is a capital.
    fn begins_opener(&self, head: &str) -> bool {
        decapitalised(head).is_some_and(|head| begins(&self.openers, &head))
    }

    /// Whether a whole word may stand there.
    fn has(&self, word: &str, opens: bool) -> bool {
        !is_special(word)
            || self.special.contains(word)
            || (opens && decapitalised(word).is_some_and(|word| self.openers.contains(&word)))
    }

    /// Whether it is no number word, or one that the evidence has as a word or as a number.
    fn has_number_word(&self, word: &str) -> bool {
        let lower = word.to_lowercase();
        let value = NUMBER_WORDS.iter().find(|(name, _)| *name == lower).map(|(_, value)| value);
        value.is_none_or(|value| self.words.contains(&lower) || self.special.contains(&value.to_string()))
    }

    /// The numbers and names of a text that the evidence does not have, in order.
    #[must_use]
    pub fn missing(&self, text: &str) -> Vec<String> {
        let mut missing = Vec::new();
        let mut reader = EvidenceReader::default();
        for c in text.chars().chain(['\n']) {
            let word = &reader.word;
            let ended = !reader.takes(c) && !word.is_empty();
            if ended && !(self.has(word, reader.opens) && self.has_number_word(word)) {
                missing.push(word.clone());
            }
            reader.push(c);
        }
        missing
    }

    /// Reads what is written next. False where the evidence does not have what it completes, or nothing that goes on as it
    /// begins: no wrong name can be begun.
    pub fn read(&self, reader: &mut EvidenceReader, text: &str) -> bool {
        text.chars().all(|c| self.read_char(reader, c)) && self.has_number_word(&reader.word)
    }

    /// Whether the text may end here.
    #[must_use]
    pub fn may_end(&self, reader: &EvidenceReader) -> bool {
        self.has(&reader.word, reader.opens)
    }

    fn read_char(&self, reader: &mut EvidenceReader, c: char) -> bool {
        let ended_well = reader.takes(c) || self.has(&reader.word, reader.opens);
        reader.push(c);
        if !ended_well || reader.word.chars().count() > WORD_CHARS_MAX {
            return false;
        }
        match reader.mark {
            // The number may end here, or go on.
            Some(mark) => {
                self.has(&reader.word, false) || self.begins_special(&format!("{}{mark}", reader.word))
            }
            None if is_special(&reader.word) => {
                self.begins_special(&reader.word) || (reader.opens && self.begins_opener(&reader.word))
            }
            None => true,
        }
    }
}

fn begins(all: &BTreeSet<String>, head: &str) -> bool {
    all.range::<str, _>((Bound::Included(head), Bound::Unbounded))
        .next()
        .is_some_and(|word| word.starts_with(head))
}

/// The word in lower case, where only its first letter is a capital.
fn decapitalised(word: &str) -> Option<String> {
    let mut chars = word.chars();
    let first = chars.next().filter(|c| c.is_uppercase())?;
    let rest = chars.as_str();
    (!is_special(rest)).then(|| first.to_lowercase().chain(rest.chars()).collect())
}

fn is_special(word: &str) -> bool {
    word.chars().any(|c| c.is_uppercase() || c.is_numeric())
}

/// A number as it stands, without thousands separators, and with them; any other word as it stands.
fn spellings(word: &str) -> Vec<String> {
    let mut all = vec![word.to_owned()];
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return all;
    }
    let bare: String = word.chars().filter(|&c| c != ',').collect();
    let digits = bare.len() - bare.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let grouped = (0..digits).fold(String::new(), |mut text, at| {
        if at > 0 && (digits - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push_str(&bare[at..=at]);
        text
    });
    all.push(format!("{grouped}{}", &bare[digits..]));
    all.push(bare);
    all
}

/// The words of a text as an [`EvidenceReader`] sees them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| !in_word(c));
        let mut end = 0;
        let mut chars = rest.char_indices().peekable();
        while let Some((at, c)) = chars.next() {
            let joins = matches!(c, '.' | ',')
                && rest[..at].ends_with(|c: char| c.is_ascii_digit())
                && chars.peek().is_some_and(|(_, next)| next.is_ascii_digit());
            if !in_word(c) && !joins && !multiplies(&rest[..at], c) {
                break;
            }
            end = at + c.len_utf8();
        }
        let (word, after) = rest.split_at(end);
        rest = after;
        (!word.is_empty()).then_some(word)
    })
}

/// Whether a character belongs to a word with a digit or a capital. Scripts without such spaces end it: "日产18" is a word and a number.
fn in_word(c: char) -> bool {
    (c.is_alphanumeric() && script_of(c) == Script::Spaced) || c == '_' || ('\u{300}'..'\u{370}').contains(&c)
}

/// Whether a character multiplies the number before it: "18万".
fn multiplies(word: &str, c: char) -> bool {
    const MULTIPLIERS: [char; 9] = ['万', '萬', '亿', '億', '兆', '千', '百', '만', '억'];
    MULTIPLIERS.contains(&c) && word.ends_with(|last: char| last.is_numeric() || MULTIPLIERS.contains(&last))
}

/// Where in a sentence a text ends.
#[derive(Debug, Clone)]
pub struct EvidenceReader {
    /// The word that it ends in; empty between words.
    word: String,
    /// A point or comma behind a number, which may go on.
    mark: Option<char>,
    /// Whether that word, or the next one, is the first of a sentence.
    opens: bool,
}

impl Default for EvidenceReader {
    fn default() -> Self {
        Self { word: String::new(), mark: None, opens: true }
    }
}

impl EvidenceReader {
    /// Whether `c` continues the word.
    fn takes(&self, c: char) -> bool {
        match self.mark {
            Some(_) => c.is_ascii_digit(),
            None => {
                in_word(c)
                    || multiplies(&self.word, c)
                    || (matches!(c, '.' | ',') && self.word.ends_with(|c: char| c.is_ascii_digit()))
            }
        }
    }

    fn push(&mut self, c: char) {
        if self.takes(c) {
            if in_word(c) || multiplies(&self.word, c) {
                self.word.extend(self.mark.take());
                self.word.push(c);
            } else {
                self.mark = Some(c);
            }
            return;
        }
        if !self.word.is_empty() {
            self.word.clear();
            self.opens = self.mark.take() == Some('.');
        }
        match c {
            '.' | '!' | '?' | ':' | '\n' | '。' | '！' | '？' => self.opens = true,
            c if in_word(c) => self.word.push(c),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The Harbour Board of Porto spent 1,200 euros in March 2021. It hired twelve divers, says O'Brien (v2.5).";

    fn evidence() -> Evidence {
        Evidence::new([TEXT], ["the", "in", "they", "so"])
    }

    #[test]
    fn numbers_and_names_must_stand_in_the_evidence() {
        let rows: [(&str, &[&str]); 16] = [
            ("The board spent 1200 euros.", &[]),
            ("The board spent 1,200 euros in March.", &[]),
            ("The board spent 1,300 euros.", &["1,300"]),
            ("The board spent 200 euros.", &["200"]),
            ("In Lisbon the Board hired 12 divers.", &["Lisbon", "12"]),
            ("They hired twelve divers.", &[]),
            ("They hired thirteen divers.", &["thirteen"]),
            ("Divers were hired in 2021.", &[]),
            ("Nobody was hired in 2021.", &["Nobody"]),
            ("O'Brien says so.", &[]),
            ("So says O'Hara.", &["Hara"]),
            ("It is v2.5, not v2.4", &["v2.4"]),
            ("spent by PORTO", &["PORTO"]),
            ("花费1,200欧元", &[]),
            ("花费1,200万欧元", &["1,200万"]),
            ("", &[]),
        ];
        for (text, missing) in rows {
            assert_eq!(evidence().missing(text), missing, "{text}");
        }
    }

    #[test]
    fn all_of_the_evidence_may_be_written() {
        let evidence = Evidence::new([TEXT], []);
        assert!(evidence.missing(TEXT).is_empty());
    }

    #[test]
    fn numbers_are_spelled_in_three_ways() {
        assert_eq!(spellings("1234567.5"), ["1234567.5", "1,234,567.5", "1234567.5"]);
        assert_eq!(spellings("12"), ["12", "12", "12"]);
        assert_eq!(spellings("Q4,000"), ["Q4,000"]);
    }
}
