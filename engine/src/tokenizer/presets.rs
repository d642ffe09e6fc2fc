//! The word-splitting rules that models name (`tokenizer.ggml.pre`), as data.
//!
//! Upstream they are regular expressions, quoted here in the comments. Every one of them is a list of alternatives,
//! each a short sequence of repeated character classes, so no general regex engine is needed to run them (`split`).

use super::charclass::{
    ANY, APOSTROPHE, BACKTICK, CJK, DIGIT_ASCII, LETTER, LOWER_ASCII, MARK, NEWLINE, NUMBER, PUNCTUATION,
    PUNCTUATION_ASCII, SLASH, SPACE, SYMBOL, SYMBOL_ASCII, UPPER_ASCII, WHITESPACE,
};

/// `min..=max` characters, as many as possible, of any class in `class`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run {
    pub(crate) class: u32,
    pub(crate) min: usize,
    pub(crate) max: usize,
}

/// One alternative of a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Alternative {
    /// Runs one after another: `[^\r\n\p{L}\p{N}]?\p{L}+`.
    Runs(&'static [Run]),
    /// Runs, then an optional English contraction in any case: `...(?i:'s|'t|'re|'ve|'m|'ll|'d)?`.
    RunsContraction(&'static [Run]),
    /// `\s+(?!\S)`: white space that no other character follows, so that the last space stays with the next word.
    TrailingSpace,
    /// `'s|'t|'re|'ve|'m|'ll|'d`.
    Contraction,
    /// The same in either case.
    ContractionAnyCase,
}

/// The alternatives of one pass, in order of preference; what none of them matches stays together as a word.
pub(crate) type Pass = &'static [Alternative];

const MANY: usize = usize::MAX;

const fn run(class: u32, min: usize, max: usize) -> Run {
    Run { class, min, max }
}

const fn not(class: u32) -> u32 {
    ANY & !class
}

use Alternative::{Contraction, ContractionAnyCase, Runs, RunsContraction, TrailingSpace};

/// ` ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+` with contractions and white space: GPT-2.
const GPT2: Pass = &[
    Contraction,
    Runs(&[run(SPACE, 0, 1), run(LETTER, 1, MANY)]),
    Runs(&[run(SPACE, 0, 1), run(NUMBER, 1, MANY)]),
    Runs(&[run(SPACE, 0, 1), run(not(WHITESPACE | LETTER | NUMBER), 1, MANY)]),
    TrailingSpace,
];

/// The cl100k family, which differ in the length of runs of digits.
macro_rules! cl100k {
    ($digits_max:expr) => {
        &[
            ContractionAnyCase,
            Runs(&[run(not(NEWLINE | LETTER | NUMBER), 0, 1), run(LETTER, 1, MANY)]),
            Runs(&[run(NUMBER, 1, $digits_max)]),
            Runs(&[run(SPACE, 0, 1), run(not(WHITESPACE | LETTER | NUMBER), 1, MANY), run(NEWLINE, 0, MANY)]),
            Runs(&[run(WHITESPACE, 0, MANY), run(NEWLINE, 1, MANY)]),
            TrailingSpace,
            Runs(&[run(WHITESPACE, 1, MANY)]),
        ]
    };
}
const LLAMA3: Pass = cl100k!(3);
const QWEN2: Pass = cl100k!(1);
const CL100K_LONG_NUMBERS: Pass = cl100k!(MANY);

/// Qwen 2's rules with marks counted as letters.
const QWEN35: Pass = &[
    ContractionAnyCase,
    Runs(&[run(not(NEWLINE | LETTER | NUMBER), 0, 1), run(LETTER | MARK, 1, MANY)]),
    Runs(&[run(NUMBER, 1, 1)]),
    Runs(&[run(SPACE, 0, 1), run(not(WHITESPACE | LETTER | MARK | NUMBER), 1, MANY), run(NEWLINE, 0, MANY)]),
    Runs(&[run(WHITESPACE, 0, MANY), run(NEWLINE, 1, MANY)]),
    TrailingSpace,
    Runs(&[run(WHITESPACE, 1, MANY)]),
];

/// Qwen 2's rules without the line break after punctuation.
const SEED_CODER: Pass = &[
    ContractionAnyCase,
    Runs(&[run(not(NEWLINE | LETTER | NUMBER), 0, 1), run(LETTER, 1, MANY)]),
    Runs(&[run(NUMBER, 1, 1)]),
    Runs(&[run(SPACE, 0, 1), run(not(WHITESPACE | LETTER | NUMBER | NEWLINE), 1, MANY)]),
    Runs(&[run(WHITESPACE, 0, MANY), run(NEWLINE, 1, MANY)]),
    TrailingSpace,
    Runs(&[run(WHITESPACE, 1, MANY)]),
];

/// Letters outside ASCII count as both cases here: the reference implementation splits by case in ASCII only.
const NOT_LOWER: u32 = LETTER & !LOWER_ASCII;
const NOT_UPPER: u32 = LETTER & !UPPER_ASCII;

/// Mistral's tekken: words split where lower case turns to upper case, digits one by one.
const TEKKEN: Pass = &[
    Runs(&[run(not(NEWLINE | LETTER | NUMBER), 0, 1), run(NOT_LOWER, 0, MANY), run(NOT_UPPER, 1, MANY)]),
    Runs(&[run(not(NEWLINE | LETTER | NUMBER), 0, 1), run(NOT_LOWER, 1, MANY), run(NOT_UPPER, 0, MANY)]),
    Runs(&[run(NUMBER, 1, 1)]),
    Runs(&[run(SPACE, 0, 1), run(not(WHITESPACE | LETTER | NUMBER), 1, MANY), run(NEWLINE | SLASH, 0, MANY)]),
    Runs(&[run(WHITESPACE, 0, MANY), run(NEWLINE, 1, MANY)]),
    TrailingSpace,
    Runs(&[run(WHITESPACE, 1, MANY)]),
];

/// GPT-4o: tekken with contractions and digits by threes.
const GPT4O: Pass = &[
    RunsContraction(&[
        run(not(NEWLINE | LETTER | NUMBER), 0, 1),
        run(NOT_LOWER, 0, MANY),
        run(NOT_UPPER, 1, MANY),
    ]),
    RunsContraction(&[
        run(not(NEWLINE | LETTER | NUMBER), 0, 1),
        run(NOT_LOWER, 1, MANY),
        run(NOT_UPPER, 0, MANY),
    ]),
    Runs(&[run(NUMBER, 1, 3)]),
    Runs(&[run(SPACE, 0, 1), run(not(WHITESPACE | LETTER | NUMBER), 1, MANY), run(NEWLINE | SLASH, 0, MANY)]),
    Runs(&[run(WHITESPACE, 0, MANY), run(NEWLINE, 1, MANY)]),
    TrailingSpace,
    Runs(&[run(WHITESPACE, 1, MANY)]),
];

const ASCII_MARKS: u32 = APOSTROPHE | SLASH | PUNCTUATION_ASCII | SYMBOL_ASCII | BACKTICK;

/// DeepSeek V3's third pass.
const DEEPSEEK3: Pass = &[
    Runs(&[run(ASCII_MARKS, 1, 1), run(UPPER_ASCII | LOWER_ASCII, 1, MANY)]),
    Runs(&[run(not(NEWLINE | LETTER | PUNCTUATION | SYMBOL), 0, 1), run(LETTER | MARK, 1, MANY)]),
    Runs(&[run(SPACE, 0, 1), run(PUNCTUATION | SYMBOL, 1, MANY), run(NEWLINE, 0, MANY)]),
    Runs(&[run(WHITESPACE, 0, MANY), run(NEWLINE, 1, MANY)]),
    TrailingSpace,
    Runs(&[run(WHITESPACE, 1, MANY)]),
];

const DIGIT: Pass = &[Runs(&[run(NUMBER, 1, 1)])];
const DIGITS_3: Pass = &[Runs(&[run(NUMBER, 1, 3)])];
const DIGITS: Pass = &[Runs(&[run(NUMBER, 1, MANY)])];
const ASCII_DIGITS_3: Pass = &[Runs(&[run(DIGIT_ASCII, 3, 3)])];
const CJK_RUN: Pass = &[Runs(&[run(CJK, 1, MANY)])];
/// `[\p{P}$+<=>^~|]+`.
const PUNCTUATION_RUN: Pass = &[Runs(&[run(PUNCTUATION | SYMBOL_ASCII, 1, MANY)])];
/// The same with the back-tick.
const PUNCTUATION_RUN_FALCON: Pass = &[Runs(&[run(PUNCTUATION | SYMBOL_ASCII | BACKTICK, 1, MANY)])];

/// What a name in `tokenizer.ggml.pre` stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Preset {
    /// Passes over the text, each cutting the words of the one before.
    pub(crate) passes: &'static [Pass],
    /// A word that is a token as it stands is taken without merging.
    pub(crate) whole_words: bool,
    /// A beginning-of-text token is added unless the file says otherwise.
    pub(crate) add_bos: bool,
    /// Decoding a whole text drops the space before punctuation and contractions.
    pub(crate) clean_spaces: bool,
}

/// The rules of that name, if they are known.
pub(crate) fn preset(name: &str) -> Option<Preset> {
    const PLAIN: Preset = Preset { passes: &[], whole_words: false, add_bos: false, clean_spaces: true };
    let dirty = Preset { clean_spaces: false, ..PLAIN };
    Some(match name {
        "" | "default" => Preset { passes: &[PUNCTUATION_RUN, GPT2, DIGITS, ASCII_DIGITS_3], ..PLAIN },
        "llama3" | "llama-v3" | "llama-bpe" | "falcon3" | "falcon-h1" | "pixtral" | "midm-2.0" | "lfm2"
        | "jina-v5-nano" => Preset { passes: &[LLAMA3], whole_words: true, add_bos: true, ..PLAIN },
        "smaug-bpe" | "dbrx" | "glm4" | "chatglm-bpe" => Preset { passes: &[LLAMA3], ..PLAIN },
        "megrez" | "stablelm2" => Preset { passes: &[QWEN2], ..PLAIN },
        "qwen2" | "deepseek-r1-qwen" | "kormo" | "f2llmv2" | "hunyuan" | "solar-open" | "grok-2" => {
            Preset { passes: &[QWEN2], ..dirty }
        }
        "qwen35" => Preset { passes: &[QWEN35], ..dirty },
        "seed-coder" => Preset { passes: &[SEED_CODER], ..dirty },
        "minicpm5" => Preset { passes: &[DIGITS_3, CL100K_LONG_NUMBERS], whole_words: true, ..PLAIN },
        "gpt-2" | "phi-2" | "jina-es" | "jina-de" | "gigachat" | "jina-v2-es" | "jina-v2-de" | "a.x-4.0"
        | "mellum" | "modern-bert" | "jina-v1-en" | "jina-v2-code" | "roberta-bpe" | "mpt" | "olmo"
        | "jais" | "exaone4" => Preset { passes: &[GPT2], ..PLAIN },
        "trillion" | "granite-docling" => Preset { passes: &[GPT2], ..dirty },
        "starcoder" | "refact" | "codeshell" | "exaone" | "minerva-7b" | "mellum2" => {
            Preset { passes: &[DIGIT, GPT2], ..PLAIN }
        }
        "smollm" | "command-r" => Preset { passes: &[DIGIT, GPT2], ..dirty },
        "falcon" => Preset { passes: &[PUNCTUATION_RUN_FALCON, GPT2, ASCII_DIGITS_3], ..PLAIN },
        "tekken" => Preset { passes: &[TEKKEN], whole_words: true, add_bos: true, ..dirty },
        "gpt-4o" | "llama4" | "kanana2" | "talkie" | "minimax-m2" => Preset { passes: &[GPT4O], ..dirty },
        "deepseek-v3" | "hunyuan-dense" | "joyai-llm" | "hy_v4" => {
            Preset { passes: &[DIGITS_3, CJK_RUN, DEEPSEEK3], ..dirty }
        }
        _ => return None,
    })
}
