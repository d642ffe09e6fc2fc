//! The names of splitting rules (`tokenizer.ggml.pre`), as data.

use super::rules::{
    ASCII_DIGITS_3, BLANK_END, BREAK, CASELESS, CASELESS_THREE_DIGITS, CJK_RUN, CJK_WIDE_RUN,
    CL100K_LONG_NUMBERS, CLAUSE, DEEPSEEK3, DIGIT, DIGITS, DIGITS_3, EAST_ASIAN, EXAONE_MOE, GPT2, GPT4O,
    GRANITE_EMBED, IMAGE_CODE, INDENT, JAIS2, KIMI_K2, LINES, LLAMA3, PUNCTUATION_MARK, PUNCTUATION_RUN,
    PUNCTUATION_RUN_FALCON, Pass, QWEN2, QWEN35, SEED_CODER, SENTINEL, SPACED_CASED, SPACED_LETTERS,
    SPACED_PUNCTUATION, SPACED_WIDE_PUNCTUATION, SPARK, TEKKEN, UFAKZEKA, UNSPACED_RUN, VISIBLE,
};

/// What the symbols of a vocabulary are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alphabet {
    /// Bytes, spelled as printable characters.
    Bytes,
    /// Characters. The bytes of unknown ones become `<0xXX>` tokens.
    Chars,
    /// Characters, with spaces written as U+2581.
    CharsMarked,
}

/// What a name in `tokenizer.ggml.pre` stands for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Preset {
    /// Passes over the text, each cutting the words of the one before.
    pub(crate) passes: &'static [Pass],
    /// What words are made of.
    pub(crate) alphabet: Alphabet,
    /// A word that is a token as it stands is taken without merging.
    pub(crate) whole_words: bool,
    /// The same for runs of line feeds only.
    pub(crate) whole_breaks: bool,
    /// A beginning-of-text token is added unless the file says otherwise.
    pub(crate) add_bos: bool,
    /// GPT-2's end-of-text token is the beginning-of-text token of files that name none.
    pub(crate) default_bos: bool,
    /// Decoding a whole text drops the space before punctuation and contractions.
    pub(crate) clean_spaces: bool,
}

/// The rules of that name, if they are known.
pub(crate) fn preset(name: &str) -> Option<Preset> {
    const PLAIN: Preset = Preset {
        passes: &[],
        alphabet: Alphabet::Bytes,
        whole_words: false,
        whole_breaks: false,
        add_bos: false,
        default_bos: true,
        clean_spaces: true,
    };
    const DIRTY: Preset = Preset { clean_spaces: false, ..PLAIN };
    let plain = |passes| Preset { passes, ..PLAIN };
    let dirty = |passes| Preset { passes, ..DIRTY };
    Some(match name {
        "" | "default" => plain(&[PUNCTUATION_RUN, GPT2, DIGITS, ASCII_DIGITS_3]),
        "llama3" | "llama-v3" | "llama-bpe" | "falcon3" | "falcon-h1" | "pixtral" | "midm-2.0" | "lfm2"
        | "jina-v5-nano" => Preset { whole_words: true, add_bos: true, ..plain(&[LLAMA3]) },
        "smaug-bpe" | "dbrx" => plain(&[LLAMA3]),
        "chatglm-bpe" => Preset { default_bos: false, ..plain(&[LLAMA3]) },
        "glm4" | "glm5" => Preset { default_bos: false, whole_words: true, ..plain(&[LLAMA3]) },
        "jais-2" => plain(&[JAIS2]),
        "megrez" | "stablelm2" => plain(&[QWEN2]),
        "qwen2" | "deepseek-r1-qwen" | "kormo" | "f2llmv2" | "hunyuan" | "solar-open" | "grok-2"
        | "bailingmoe" | "bailingmoe2" | "llada-moe" => dirty(&[QWEN2]),
        "laguna" => dirty(&[LINES, QWEN2]),
        "ufakzeka" => dirty(&[UFAKZEKA]),
        "qwen35" => dirty(&[QWEN35]),
        "seed-coder" => dirty(&[SEED_CODER]),
        "exaone-moe" => plain(&[EXAONE_MOE]),
        "minicpm5" => Preset { whole_words: true, ..plain(&[DIGITS_3, CL100K_LONG_NUMBERS]) },
        "gpt-2" | "phi-2" | "jina-es" | "jina-de" | "gigachat" | "jina-v2-es" | "jina-v2-de" | "a.x-4.0"
        | "mellum" | "modern-bert" | "jina-v1-en" | "jina-v2-code" | "roberta-bpe" | "mpt" | "olmo"
        | "jais" | "exaone4" => plain(&[GPT2]),
        "trillion" | "granite-docling" => dirty(&[GPT2]),
        "starcoder" | "refact" | "codeshell" | "exaone" | "minerva-7b" | "mellum2" => plain(&[DIGIT, GPT2]),
        "smollm" | "command-r" => dirty(&[DIGIT, GPT2]),
        "falcon" => plain(&[PUNCTUATION_RUN_FALCON, GPT2, ASCII_DIGITS_3]),
        "chameleon" => {
            Preset { add_bos: true, ..dirty(&[SENTINEL, IMAGE_CODE, INDENT, DIGIT, PUNCTUATION_MARK, GPT2]) }
        }
        "tekken" => Preset { whole_words: true, add_bos: true, ..dirty(&[TEKKEN]) },
        "gpt-4o" | "llama4" | "kanana2" | "talkie" | "minimax-m2" => dirty(&[GPT4O]),
        "granite-embed-multi-97m" => Preset { whole_words: true, ..dirty(&[GRANITE_EMBED]) },
        "tiny_aya" | "cohere2moe" => dirty(&[Pass::Thousands, CASELESS_THREE_DIGITS]),
        "youtu" => Preset { whole_words: true, ..dirty(&[EAST_ASIAN, CASELESS]) },
        "kimi-k2" => dirty(&[KIMI_K2]),
        "deepseek-llm" => {
            dirty(&[BREAK, SPACED_CASED, SPACED_WIDE_PUNCTUATION, BLANK_END, CJK_WIDE_RUN, DIGITS])
        }
        "deepseek-coder" => dirty(&[BREAK, SPACED_LETTERS, SPACED_PUNCTUATION, CJK_WIDE_RUN, DIGIT]),
        "deepseek-v3" | "hunyuan-dense" | "joyai-llm" | "hy_v4" => dirty(&[DIGITS_3, CJK_RUN, DEEPSEEK3]),
        "spark2_5" => dirty(&[DIGITS_3, CJK_RUN, SPARK, DIGIT]),
        "afmoe" => dirty(&[Pass::Thousands, UNSPACED_RUN, DEEPSEEK3]),
        "superbpe" => dirty(&[DIGITS, Pass::ThousandsAscii]),
        "bloom" | "gpt3-finnish" => plain(&[CLAUSE]),
        "poro-chat" => dirty(&[CLAUSE]),
        "viking" => dirty(&[CLAUSE, DIGIT]),
        "gemma4" | "granite-embed-multi-311m" => {
            Preset { alphabet: Alphabet::CharsMarked, whole_breaks: true, ..plain(&[LINES]) }
        }
        "sarvam-moe" => Preset { alphabet: Alphabet::CharsMarked, ..dirty(&[LINES]) },
        "whitespace" => Preset { alphabet: Alphabet::Chars, ..plain(&[VISIBLE]) },
        _ => return None,
    })
}
