//! The rules by which texts are split into words, as data.
//!
//! Upstream they are regular expressions, quoted here in the comments. Every one of them is a list of alternatives,
//! each a short sequence of repeated character classes, so no general regex engine is needed to run them (`split`).

use super::charclass::{
    ANY, APOSTROPHE, BACKTICK, DIGIT_ASCII, LETTER, LOWER_ASCII, MARK, NEWLINE, NUMBER, PUNCTUATION,
    PUNCTUATION_ASCII, SLASH, SPACE, SYMBOL, SYMBOL_ASCII, UPPER_ASCII, WHITESPACE,
};
use super::ranges::{
    BOPOMOFO, CASED, CJK, CJK_PUNCTUATION, CJK_WIDE, HAN, HANGUL, Ranges, STOPS, UNSPACED, WIDE_PUNCTUATION,
};

/// Characters, by class and by range.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Class {
    /// Those of any of these classes,
    pub(crate) bits: u32,
    /// but not these,
    pub(crate) never: Ranges,
    /// and these.
    pub(crate) also: Ranges,
}

/// A part of an alternative.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Part {
    /// `min..=max` characters of a class, as many as possible; fewer where the parts behind do not match otherwise.
    Run { class: Class, min: usize, max: usize },
    /// These characters.
    Literal(&'static str),
    /// `\s*[\r\n]+`.
    Breaks,
    /// `\s+$`, where `$` is the end of the word that is cut.
    BlankEnd,
    /// `(?!\S)`.
    NoWordNext,
    /// `'s|'t|'re|'ve|'m|'ll|'d`.
    Contraction,
    /// The same in either case.
    ContractionAnyCase,
    /// The same where there is one.
    MaybeContraction,
    /// `(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+`: words with a single space between.
    Phrase,
}

/// Parts that match one after another.
pub(crate) type Alternative = &'static [Part];

/// How one pass cuts a word.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Pass {
    /// The alternatives in order of preference; what none of them matches stays together.
    Words(&'static [Alternative]),
    /// Numbers in groups of three digits, counted from the right. The first group stays with what is before it.
    Thousands,
    /// The same, of ASCII digits: `(?=(\d{3})+(?!\d))`. The last group stays with what is behind it.
    ThousandsAscii,
}

const MANY: usize = usize::MAX;

const fn run(bits: u32, min: usize, max: usize) -> Part {
    of(Class { bits, never: &[], also: &[] }, min, max)
}

const fn run_in(also: Ranges, min: usize, max: usize) -> Part {
    of(Class { bits: 0, never: &[], also }, min, max)
}

const fn of(class: Class, min: usize, max: usize) -> Part {
    Part::Run { class, min, max }
}

const fn not(class: u32) -> u32 {
    ANY & !class
}

use Part::{
    BlankEnd, Breaks, Contraction, ContractionAnyCase, Literal, MaybeContraction, NoWordNext, Phrase,
};
use Pass::Words;

// Alternatives that many rules share.

/// `[^\r\n\p{L}\p{N}]?`.
const LEAD: Part = run(not(NEWLINE | LETTER | NUMBER), 0, 1);
/// ` ?`.
const MAYBE_SPACE: Part = run(SPACE, 0, 1);
/// `[^\s\p{L}\p{N}]+`.
const MARKS: Part = run(not(WHITESPACE | LETTER | NUMBER), 1, MANY);
/// `[^\r\n\p{L}\p{N}]?\p{L}+`.
const WORD: Alternative = &[LEAD, run(LETTER, 1, MANY)];
/// `\p{N}`.
const ONE_DIGIT: Alternative = &[run(NUMBER, 1, 1)];
/// `\p{N}{1,3}`.
const THREE_DIGITS: Alternative = &[run(NUMBER, 1, 3)];
/// `\p{N}+`.
const ALL_DIGITS: Alternative = &[run(NUMBER, 1, MANY)];
/// ` ?[^\s\p{L}\p{N}]+[\r\n]*`.
const MARKS_BREAKS: Alternative = &[MAYBE_SPACE, MARKS, run(NEWLINE, 0, MANY)];
/// ` ?[^\s\p{L}\p{N}]+[\r\n/]*`.
const MARKS_SLASHES: Alternative = &[MAYBE_SPACE, MARKS, run(NEWLINE | SLASH, 0, MANY)];
/// `\s+(?!\S)`: white space that no other character follows, so that the last space stays with the next word.
const TRAILING: Alternative = &[run(WHITESPACE, 1, MANY), NoWordNext];
/// `\s+`.
const BLANK: Alternative = &[run(WHITESPACE, 1, MANY)];
/// `(?i:'s|'t|'re|'ve|'m|'ll|'d)`.
const SHORT: Alternative = &[ContractionAnyCase];

/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)`: GPT-2.
pub(crate) const GPT2: Pass = Words(&[
    &[Contraction],
    &[MAYBE_SPACE, run(LETTER, 1, MANY)],
    &[MAYBE_SPACE, run(NUMBER, 1, MANY)],
    &[MAYBE_SPACE, MARKS],
    TRAILING,
]);

/// The cl100k family, which differ in the length of runs of digits.
macro_rules! cl100k {
    ($digits:expr) => {
        Words(&[SHORT, WORD, $digits, MARKS_BREAKS, &[Breaks], TRAILING, BLANK])
    };
}
pub(crate) const LLAMA3: Pass = cl100k!(THREE_DIGITS);
pub(crate) const QWEN2: Pass = cl100k!(ONE_DIGIT);
pub(crate) const CL100K_LONG_NUMBERS: Pass = cl100k!(ALL_DIGITS);

/// Qwen 2's rules without contractions, so that Turkish suffixes stay with their word.
pub(crate) const UFAKZEKA: Pass = Words(&[WORD, ONE_DIGIT, MARKS_BREAKS, &[Breaks], TRAILING, BLANK]);

/// Qwen 2's rules with marks counted as letters.
pub(crate) const QWEN35: Pass = Words(&[
    SHORT,
    &[LEAD, run(LETTER | MARK, 1, MANY)],
    ONE_DIGIT,
    &[MAYBE_SPACE, run(not(WHITESPACE | LETTER | MARK | NUMBER), 1, MANY), run(NEWLINE, 0, MANY)],
    &[Breaks],
    TRAILING,
    BLANK,
]);

/// Qwen 2's rules without the line break after punctuation.
pub(crate) const SEED_CODER: Pass =
    Words(&[SHORT, WORD, ONE_DIGIT, &[MAYBE_SPACE, MARKS], &[Breaks], TRAILING, BLANK]);

/// Qwen 2's rules with phrases for words: `[^\r\n\p{L}\p{N}]?(?:\p{L}\p{M}*(?: \p{L}\p{M}*)*)+`, and one line break or
/// slash after punctuation.
pub(crate) const EXAONE_MOE: Pass = Words(&[
    SHORT,
    &[LEAD, Phrase],
    ONE_DIGIT,
    &[MAYBE_SPACE, MARKS, run(NEWLINE | SLASH, 0, 1)],
    &[Breaks],
    TRAILING,
    BLANK,
]);

/// Llama 3's rules with white space in powers of two: `\s{512}(?!\S)|...|\s{4}(?!\S)|\s{1,2}(?!\S)|\s{1}`.
pub(crate) const JAIS2: Pass = Words(&[
    SHORT,
    WORD,
    THREE_DIGITS,
    MARKS_BREAKS,
    &[Breaks],
    &[run(WHITESPACE, 512, 512), NoWordNext],
    &[run(WHITESPACE, 256, 256), NoWordNext],
    &[run(WHITESPACE, 128, 128), NoWordNext],
    &[run(WHITESPACE, 64, 64), NoWordNext],
    &[run(WHITESPACE, 32, 32), NoWordNext],
    &[run(WHITESPACE, 16, 16), NoWordNext],
    &[run(WHITESPACE, 8, 8), NoWordNext],
    &[run(WHITESPACE, 4, 4), NoWordNext],
    &[run(WHITESPACE, 1, 2), NoWordNext],
    &[run(WHITESPACE, 1, 1)],
]);

/// Letters outside ASCII count as both cases here: the reference implementation splits by case in ASCII only.
const NOT_LOWER: u32 = LETTER & !LOWER_ASCII;
const NOT_UPPER: u32 = LETTER & !UPPER_ASCII;

/// Mistral's tekken: words split where lower case turns to upper case, digits one by one.
pub(crate) const TEKKEN: Pass = Words(&[
    &[LEAD, run(NOT_LOWER, 0, MANY), run(NOT_UPPER, 1, MANY)],
    &[LEAD, run(NOT_LOWER, 1, MANY), run(NOT_UPPER, 0, MANY)],
    ONE_DIGIT,
    MARKS_SLASHES,
    &[Breaks],
    TRAILING,
    BLANK,
]);

/// GPT-4o: tekken with contractions and digits by threes; in one descendant marks count as letters of both cases.
macro_rules! gpt4o {
    ($marks:expr) => {
        Words(&[
            &[LEAD, run(NOT_LOWER | $marks, 0, MANY), run(NOT_UPPER | $marks, 1, MANY), MaybeContraction],
            &[LEAD, run(NOT_LOWER | $marks, 1, MANY), run(NOT_UPPER | $marks, 0, MANY), MaybeContraction],
            THREE_DIGITS,
            MARKS_SLASHES,
            &[Breaks],
            TRAILING,
            BLANK,
        ])
    };
}
pub(crate) const GPT4O: Pass = gpt4o!(0);
pub(crate) const GRANITE_EMBED: Pass = gpt4o!(MARK);

/// GPT-4o's rules where the reference implementation does not tell cases apart at all.
macro_rules! caseless {
    ($digits:expr) => {
        Words(&[
            &[LEAD, run(LETTER | MARK, 1, MANY), MaybeContraction],
            $digits,
            MARKS_SLASHES,
            &[Breaks],
            TRAILING,
            BLANK,
        ])
    };
}
pub(crate) const CASELESS: Pass = caseless!(ONE_DIGIT);
pub(crate) const CASELESS_THREE_DIGITS: Pass = caseless!(THREE_DIGITS);

/// Kimi K2: ideographs apart from other letters.
pub(crate) const KIMI_K2: Pass = Words(&[
    &[run_in(HAN, 1, MANY)],
    &[LEAD, of(Class { bits: LETTER, never: HAN, also: &[] }, 1, MANY), MaybeContraction],
    THREE_DIGITS,
    MARKS_BREAKS,
    &[Breaks],
    TRAILING,
    BLANK,
]);

const ASCII_MARKS: u32 = APOSTROPHE | SLASH | PUNCTUATION_ASCII | SYMBOL_ASCII | BACKTICK;
/// A punctuation mark or symbol of ASCII, and ASCII letters.
const MARKED_WORD: Alternative = &[run(ASCII_MARKS, 1, 1), run(UPPER_ASCII | LOWER_ASCII, 1, MANY)];
/// `[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+`.
const WORD_OF_MARKS: Alternative =
    &[run(not(NEWLINE | LETTER | PUNCTUATION | SYMBOL), 0, 1), run(LETTER | MARK, 1, MANY)];

/// DeepSeek V3's third pass.
pub(crate) const DEEPSEEK3: Pass = Words(&[
    MARKED_WORD,
    WORD_OF_MARKS,
    &[MAYBE_SPACE, run(PUNCTUATION | SYMBOL, 1, MANY), run(NEWLINE, 0, MANY)],
    &[Breaks],
    TRAILING,
    BLANK,
]);

/// The same with line breaks one by one.
pub(crate) const SPARK: Pass = Words(&[
    MARKED_WORD,
    WORD_OF_MARKS,
    &[MAYBE_SPACE, run(PUNCTUATION | SYMBOL, 1, MANY)],
    &[run(NEWLINE, 1, 1)],
    TRAILING,
    BLANK,
]);

// Passes that cut one kind of thing out.

pub(crate) const DIGIT: Pass = Words(&[ONE_DIGIT]);
pub(crate) const DIGITS_3: Pass = Words(&[THREE_DIGITS]);
pub(crate) const DIGITS: Pass = Words(&[ALL_DIGITS]);
pub(crate) const ASCII_DIGITS_3: Pass = Words(&[&[run(DIGIT_ASCII, 3, 3)]]);
pub(crate) const CJK_RUN: Pass = Words(&[&[run_in(CJK, 1, MANY)]]);
pub(crate) const CJK_WIDE_RUN: Pass = Words(&[&[run_in(CJK_WIDE, 1, MANY)]]);
pub(crate) const UNSPACED_RUN: Pass = Words(&[&[run_in(UNSPACED, 1, MANY)]]);
/// `[\p{P}$+<=>^~|]+`.
pub(crate) const PUNCTUATION_RUN: Pass = Words(&[&[run(PUNCTUATION | SYMBOL_ASCII, 1, MANY)]]);
/// The same with the back-tick.
pub(crate) const PUNCTUATION_RUN_FALCON: Pass =
    Words(&[&[run(PUNCTUATION | SYMBOL_ASCII | BACKTICK, 1, MANY)]]);
/// `[\p{P}!-/:-@\[-`{-~]`.
pub(crate) const PUNCTUATION_MARK: Pass = Words(&[&[run(PUNCTUATION | SYMBOL_ASCII | BACKTICK, 1, 1)]]);
/// `[\r\n]`.
pub(crate) const BREAK: Pass = Words(&[&[run(NEWLINE, 1, 1)]]);
/// `\s?\p{L}+`.
pub(crate) const SPACED_LETTERS: Pass = Words(&[&[run(WHITESPACE, 0, 1), run(LETTER, 1, MANY)]]);
/// `\s?\p{P}+`.
pub(crate) const SPACED_PUNCTUATION: Pass = Words(&[&[run(WHITESPACE, 0, 1), run(PUNCTUATION, 1, MANY)]]);
pub(crate) const SPACED_CASED: Pass = Words(&[&[run(WHITESPACE, 0, 1), run_in(CASED, 1, MANY)]]);
pub(crate) const SPACED_WIDE_PUNCTUATION: Pass =
    Words(&[&[run(WHITESPACE, 0, 1), run_in(WIDE_PUNCTUATION, 1, MANY)]]);
/// `\s+$`.
pub(crate) const BLANK_END: Pass = Words(&[&[BlankEnd]]);
/// ` ?[^(\s|.,!?…。，、।۔،)]+`.
pub(crate) const CLAUSE: Pass =
    Words(&[&[MAYBE_SPACE, of(Class { bits: not(WHITESPACE), never: STOPS, also: &[] }, 1, MANY)]]);
/// `[가-힣ㄱ-ㆎ]+|[！…“”‘’—：；，、-〿︰-﹏]+|[ㄅ-ㄯ]+|[一-龥぀-ゟ゠-ヿ]+`.
pub(crate) const EAST_ASIAN: Pass = Words(&[
    &[run_in(HANGUL, 1, MANY)],
    &[run_in(CJK_PUNCTUATION, 1, MANY)],
    &[run_in(BOPOMOFO, 1, MANY)],
    &[run_in(CJK, 1, MANY)],
]);
const LINE_FEED: Ranges = &[('\n', '\n')];
/// `[^\n]+|[\n]+`.
pub(crate) const LINES: Pass =
    Words(&[&[of(Class { bits: ANY, never: LINE_FEED, also: &[] }, 1, MANY)], &[run_in(LINE_FEED, 1, MANY)]]);
/// `\S+`.
pub(crate) const VISIBLE: Pass = Words(&[&[run(not(WHITESPACE), 1, MANY)]]);
/// `<sentinel:[0-9]+>`.
pub(crate) const SENTINEL: Pass = Words(&[&[Literal("<sentinel:"), run(DIGIT_ASCII, 1, MANY), Literal(">")]]);
/// `IMGIMG[A-I]{1,4}Z`.
pub(crate) const IMAGE_CODE: Pass = Words(&[&[Literal("IMGIMG"), run_in(&[('A', 'I')], 1, 4), Literal("Z")]]);
/// `[\t\n]|    |  `.
pub(crate) const INDENT: Pass =
    Words(&[&[run_in(&[('\t', '\n')], 1, 1)], &[run(SPACE, 4, 4)], &[run(SPACE, 2, 2)]]);
