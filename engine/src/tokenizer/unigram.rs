//! Unigram vocabularies (T5, XLM-R and what descends from them): the segmentation with the best sum of scores.
//!
//! Own code because the vocabulary is already indexed and `tokenizers` would index it a second time; the algorithm is
//! the usual Viterbi search over characters.

use super::charsmap::Charsmap;
use super::error::TokenizerError;
use super::vocab::{NORMAL, USER_DEFINED, Vocab};
use crate::gguf::{Array, Metadata, Value};

/// Longest token that is looked for, bytes: bounds the work per character whatever the file holds.
const TOKEN_LEN_MAX: usize = 256;
/// How much worse than the worst token an unknown character is.
const UNKNOWN_PENALTY: f64 = 10.0;

/// What is known of a vocabulary of this kind.
#[derive(Debug)]
pub(crate) struct Unigram {
    unknown: u32,
    unknown_score: f64,
    token_len_max: usize,
    add_space_prefix: bool,
    remove_extra_spaces: bool,
    /// What characters are replaced by, before anything else.
    charsmap: Option<Charsmap>,
}

impl Unigram {
    pub(crate) fn new(vocab: &Vocab, metadata: &Metadata) -> Result<Self, TokenizerError> {
        if vocab.scores.is_empty() {
            return Err(TokenizerError::MissingKey { key: "tokenizer.ggml.scores" });
        }
        let unknown = vocab
            .roles
            .unknown
            .ok_or(TokenizerError::MissingSpecialToken { key: "tokenizer.ggml.unknown_token_id" })?;
        let normal = (0..vocab.len).filter(|&id| vocab.kind(id) & NORMAL != 0);
        let worst = normal.map(|id| vocab.scores[id as usize]).fold(0.0, f32::min);
        let flag = |key: &str, default| metadata.bool(key).unwrap_or(default);
        Ok(Self {
            unknown,
            unknown_score: f64::from(worst) - UNKNOWN_PENALTY,
            token_len_max: (0..vocab.len)
                .map(|id| vocab.text(id).len())
                .max()
                .unwrap_or(0)
                .min(TOKEN_LEN_MAX),
            add_space_prefix: flag("tokenizer.ggml.add_space_prefix", false),
            remove_extra_spaces: flag("tokenizer.ggml.remove_extra_whitespaces", false),
            charsmap: charsmap(metadata)?,
        })
    }

    /// Appends the tokens of a text without special tokens.
    pub(crate) fn encode(&self, vocab: &Vocab, text: &str, out: &mut Vec<u32>) {
        let text = self.normalised(text);
        // By the byte where a segmentation ends: its score, its last token and where that begins.
        let mut best = vec![(f64::NEG_INFINITY, self.unknown, 0usize); text.len() + 1];
        best[0].0 = 0.0;
        for (at, c) in text.char_indices() {
            let score = best[at].0;
            let mut offer = |end: usize, score: f64, id: u32| {
                if score > best[end].0 {
                    best[end] = (score, id, at);
                }
            };
            let mut whole = false;
            for end in at + 1..=text.len().min(at + self.token_len_max) {
                let Some(id) = text.get(at..end).and_then(|part| vocab.token(part)) else { continue };
                let token_score = match vocab.kind(id) {
                    kind if kind & USER_DEFINED != 0 => 0.0,
                    kind if kind & NORMAL != 0 => f64::from(vocab.scores[id as usize]),
                    _ => continue,
                };
                whole |= end == at + c.len_utf8();
                offer(end, score + token_score, id);
            }
            if !whole {
                offer(at + c.len_utf8(), score + self.unknown_score, self.unknown);
            }
        }
        let start = out.len();
        let mut at = text.len();
        while at > 0 {
            let (_, id, from) = best[at];
            // Unknown characters in a row are one unknown token.
            if id != self.unknown || out.len() == start || out.last() != Some(&self.unknown) {
                out.push(id);
            }
            at = from;
        }
        out[start..].reverse();
    }

    fn normalised(&self, text: &str) -> String {
        let composed = self.charsmap.as_ref().map_or_else(|| text.to_owned(), |table| table.apply(text));
        let mut marked = String::with_capacity(composed.len() + 3);
        let trimmed = if self.remove_extra_spaces { composed.trim_matches(' ') } else { &composed };
        if self.add_space_prefix && !trimmed.is_empty() {
            marked.push('\u{2581}');
        }
        let mut previous = 'x';
        for c in trimmed.chars() {
            if c != ' ' {
                marked.push(c);
            } else if !(self.remove_extra_spaces && previous == ' ') {
                marked.push('\u{2581}');
            }
            previous = c;
        }
        marked
    }
}

/// The table of replacements, where the file has one.
fn charsmap(metadata: &Metadata) -> Result<Option<Charsmap>, TokenizerError> {
    let key = "tokenizer.ggml.precompiled_charsmap";
    let bytes: Vec<u8> = match metadata.get(key) {
        None => return Ok(None),
        Some(Value::Array(Array::U8(bytes))) => bytes.clone(),
        Some(Value::Array(Array::I8(bytes))) => bytes.iter().map(|b| b.cast_unsigned()).collect(),
        Some(_) => return Err(TokenizerError::WrongType { key }),
    };
    match Charsmap::read(&bytes) {
        _ if bytes.is_empty() => Ok(None),
        None => Err(TokenizerError::WrongType { key }),
        table => Ok(table),
    }
}
