//! Unigram vocabularies (T5, XLM-R and what descends from them): the segmentation with the best sum of scores.
//!
//! Own code because the vocabulary is already indexed and `tokenizers` would index it a second time; the algorithm is
//! the usual Viterbi search over characters.

use super::charsmap::Charsmap;
use super::error::TokenizerError;
use super::prefixes::Prefixes;
use super::slices::{RUN, Turns};
use super::vocab::{NORMAL, USER_DEFINED, Vocab};
use crate::gguf::{Array, Metadata, Value};
use std::borrow::Cow;
use std::ops::Range;

/// How much worse than the worst token an unknown character is.
const UNKNOWN_PENALTY: f64 = 10.0;

/// What is known of a vocabulary of this kind.
#[derive(Debug)]
pub(crate) struct Unigram {
    unknown: u32,
    unknown_score: f64,
    tokens: Prefixes,
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
            tokens: Prefixes::new(
                vocab,
                (0..vocab.len).filter(|&id| vocab.kind(id) & (NORMAL | USER_DEFINED) != 0),
            ),
            add_space_prefix: flag("tokenizer.ggml.add_space_prefix", false),
            remove_extra_spaces: flag("tokenizer.ggml.remove_extra_whitespaces", false),
            charsmap: charsmap(metadata)?,
        })
    }

    /// Appends the tokens of a text without special tokens.
    ///
    /// # Errors
    /// [`TokenizerError::TextTooLong`] where replacements make it so.
    pub(crate) async fn encode(
        &self,
        vocab: &Vocab,
        text: &str,
        out: &mut Vec<u32>,
        turns: &Turns,
    ) -> Result<(), TokenizerError> {
        let text = self.normalised(text, turns).await?;
        // By the byte where a segmentation ends: its score, its last token and where that begins.
        let mut best = vec![(f64::NEG_INFINITY, self.unknown, 0u32); text.len() + 1];
        best[0].0 = 0.0;
        let mut start = 0;
        while start < text.len() {
            let ends = (start + RUN).min(text.len())..=text.len();
            let end = ends.into_iter().find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
            let steps = self.search(vocab, &text, start..end, &mut best);
            turns.spend(steps).await;
            start = end;
        }
        let start = out.len();
        let mut at = text.len();
        while at > 0 {
            let (_, id, from) = best[at];
            // Unknown characters in a row are one unknown token.
            if id != self.unknown || out.len() == start || out.last() != Some(&self.unknown) {
                out.push(id);
            }
            at = from as usize;
        }
        out[start..].reverse();
        Ok(())
    }

    /// Goes on from the characters in `range`; the steps that it took.
    fn search(&self, vocab: &Vocab, text: &str, range: Range<usize>, best: &mut [(f64, u32, u32)]) -> usize {
        let mut steps = 0;
        for (i, c) in text[range.clone()].char_indices() {
            let at = range.start + i;
            let score = best[at].0;
            let mut offer = |end: usize, score: f64, id: u32| {
                if score > best[end].0 {
                    best[end] = (score, id, at as u32);
                }
            };
            let mut whole = false;
            for id in self.tokens.of_text(vocab, &text.as_bytes()[at..]) {
                let is_own = vocab.kind(id) & USER_DEFINED != 0;
                let token_score = if is_own { 0.0 } else { f64::from(vocab.scores[id as usize]) };
                let end = at + vocab.text(id).len();
                whole |= end == at + c.len_utf8();
                offer(end, score + token_score, id);
                steps += 1;
            }
            if !whole {
                offer(at + c.len_utf8(), score + self.unknown_score, self.unknown);
            }
            steps += 1;
        }
        steps
    }

    async fn normalised(&self, text: &str, turns: &Turns) -> Result<String, TokenizerError> {
        let composed: Cow<'_, str> = match &self.charsmap {
            Some(table) => table.apply(text, turns).await?.into(),
            None => text.into(),
        };
        let mut marked = String::with_capacity(composed.len() + 3);
        let trimmed = if self.remove_extra_spaces { composed.trim_matches(' ') } else { &*composed };
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
        Ok(marked)
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
