//! Text to token ids and back, by the vocabulary in a GGUF file.
//!
//! The four kinds of vocabulary each have a file: [`bpe`](self) (byte-level, and Gemma 4's over characters),
//! SentencePiece-style merges by score, WordPiece, and unigram. All answer exactly as llama.cpp does, on which the
//! models' files are tested: the same ids are the same model.
//!
//! Unicode tables come from `bitcannon`, the pre-tokenizer core of Hugging Face's `tokenizers`. The rest of that crate
//! is not used: each kind's module says what it cannot express.

mod bpe;
mod bytes;
mod charclass;
mod charsmap;
mod detokenize;
mod error;
mod prefixes;
mod presets;
mod ranges;
mod rules;
mod slices;
mod special;
mod split;
mod spm;
mod text_index;
mod unigram;
mod vocab;
mod wordpiece;

pub use detokenize::{Detokenizer, Pieces};
pub use error::TokenizerError;
pub use slices::{Encoding, STEPS_PER_SLICE};
pub use vocab::TOKENS_MAX;

use crate::gguf::Metadata;
use bpe::{Bpe, WordsOnly};
use detokenize::{Spelling, clean_spaces, push_piece};
use pith_chat::TextPart;
use slices::Turns;
use special::{Fragment, Specials, Trust};
use spm::Spm;
use std::ops::Range;
use std::sync::Arc;
use unigram::Unigram;
use vocab::{Roles, Vocab};
use wordpiece::WordPiece;

/// Longest text that one call encodes, bytes. Far beyond any context window; bounds memory.
pub const TEXT_LEN_MAX_BYTES: usize = 4 << 20;

/// How a text is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EncodeOptions {
    /// Adds the beginning- and end-of-text tokens that the model asks for.
    pub add_special: bool,
    /// Turns the names of control tokens in the text (`<|im_start|>`) into these tokens. Never for text of unknown origin.
    pub parse_special: bool,
}

/// The algorithm of a vocabulary.
#[derive(Debug)]
enum Model {
    Bpe(Bpe),
    Spm(Spm),
    WordPiece(WordPiece),
    Unigram(Unigram),
}

/// A vocabulary with its rules.
#[derive(Debug)]
pub struct Tokenizer {
    vocab: Arc<Vocab>,
    model: Model,
    specials: Specials,
    clean_spaces: bool,
    /// Decoding a text drops the space that encoding put before it.
    drop_first_space: bool,
}

impl Tokenizer {
    /// Builds the tokenizer that the keys `tokenizer.ggml.*` describe.
    ///
    /// # Errors
    /// [`TokenizerError::NoTokenizer`] for a model without one; otherwise what is missing, wrong or not supported.
    pub fn from_metadata(metadata: &Metadata) -> Result<Self, TokenizerError> {
        let key = "tokenizer.ggml.model";
        let name = match metadata.get(key) {
            None if metadata.get("tokenizer.ggml.tokens").is_some() => {
                return Err(TokenizerError::MissingKey { key });
            }
            None => "none",
            Some(value) => value.as_str().ok_or(TokenizerError::WrongType { key })?,
        };
        let pre = metadata.str("tokenizer.ggml.pre").unwrap_or_default();
        // GPT-2's end of text, which files without the keys mean.
        let end_of_text = Roles { bos: Some(11), eos: Some(11), ..Roles::default() };
        match name {
            "none" | "no_vocab" => Err(TokenizerError::NoTokenizer),
            "gpt2" => Self::merges(metadata, pre, end_of_text, None),
            "whitespace" => {
                let lowercase =
                    metadata.bool("tokenizer.ggml.normalizer.lowercase").unwrap_or(pre != "whitespace");
                Self::merges(metadata, pre, end_of_text, Some(WordsOnly { lowercase }))
            }
            "gemma4" => Self::merges(metadata, "gemma4", Roles::default(), None),
            "llama" => Self::sentence_piece(metadata),
            "bert" => Self::word_piece(metadata),
            "t5" => Self::unigram(metadata),
            _ => Err(TokenizerError::UnsupportedModel { name: name.to_owned() }),
        }
    }

    fn merges(
        metadata: &Metadata,
        pre: &str,
        roles: Roles,
        words_only: Option<WordsOnly>,
    ) -> Result<Self, TokenizerError> {
        let unsupported = || TokenizerError::UnsupportedPreTokenizer { name: pre.to_owned() };
        let preset = presets::preset(pre).ok_or_else(unsupported)?;
        let mut vocab = Vocab::read(metadata)?;
        let model = Bpe::new(&mut vocab, metadata, preset, words_only)?;
        let bos = roles.bos.filter(|_| preset.default_bos);
        vocab.read_roles(metadata, Roles { bos, add_bos: preset.add_bos, ..roles })?;
        if preset.whole_breaks {
            // Gemma 4's files exist that say otherwise, wrongly.
            vocab.roles.add_bos = true;
            if vocab.roles.bos.is_none() {
                return Err(TokenizerError::MissingSpecialToken { key: "tokenizer.ggml.add_bos_token" });
            }
        }
        Ok(Self::new(metadata, vocab, Model::Bpe(model), preset.clean_spaces, false))
    }

    fn sentence_piece(metadata: &Metadata) -> Result<Self, TokenizerError> {
        let mut vocab = Vocab::read(metadata)?;
        let key = "tokenizer.ggml.scores";
        if metadata.get(key).is_none() {
            return Err(TokenizerError::MissingKey { key });
        }
        let defaults =
            Roles { bos: Some(1), eos: Some(2), unknown: Some(0), add_bos: true, ..Roles::default() };
        vocab.read_roles(metadata, defaults)?;
        let add_space_prefix = metadata.bool("tokenizer.ggml.add_space_prefix").unwrap_or(true);
        let model = Model::Spm(Spm::new(&vocab, add_space_prefix));
        Ok(Self::new(metadata, vocab, model, false, true))
    }

    fn word_piece(metadata: &Metadata) -> Result<Self, TokenizerError> {
        let mut vocab = Vocab::read(metadata)?;
        // The places of [CLS], [SEP] and [UNK] in BERT's own vocabulary. A shorter vocabulary says where they are.
        let stated = |key: &str| metadata.u64(key).and_then(|id| u32::try_from(id).ok());
        let bos = if vocab.len > 101 { Some(101) } else { stated("tokenizer.ggml.cls_token_id") };
        let defaults =
            Roles { bos, separator: Some(102), unknown: Some(100), add_bos: true, ..Roles::default() };
        vocab.read_roles(metadata, defaults)?;
        if vocab.roles.bos.is_none() || vocab.roles.separator.is_none() {
            return Err(TokenizerError::MissingSpecialToken { key: "tokenizer.ggml.seperator_token_id" });
        }
        let model = Model::WordPiece(WordPiece::new(&vocab, metadata));
        Ok(Self::new(metadata, vocab, model, true, false))
    }

    fn unigram(metadata: &Metadata) -> Result<Self, TokenizerError> {
        let mut vocab = Vocab::read(metadata)?;
        let defaults = Roles { eos: Some(1), unknown: Some(2), add_eos: true, ..Roles::default() };
        vocab.read_roles(metadata, defaults)?;
        let model = Model::Unigram(Unigram::new(&vocab, metadata)?);
        Ok(Self::new(metadata, vocab, model, false, false))
    }

    fn new(metadata: &Metadata, vocab: Vocab, model: Model, clean_spaces: bool, prefixed: bool) -> Self {
        let drop_first_space = metadata.bool("tokenizer.ggml.add_space_prefix").unwrap_or(prefixed);
        let specials = Specials::new(&vocab);
        Self { vocab: Arc::new(vocab), model, specials, clean_spaces, drop_first_space }
    }

    /// The tokens of a text.
    ///
    /// # Errors
    /// [`TokenizerError::TextTooLong`] beyond [`TEXT_LEN_MAX_BYTES`].
    pub fn encode(&self, text: &str, options: EncodeOptions) -> Result<Vec<u32>, TokenizerError> {
        self.encoding(text, options).finish()
    }

    /// As [`Tokenizer::encode`], slice by slice.
    pub fn encoding<'a>(&'a self, text: &'a str, options: EncodeOptions) -> Encoding<'a> {
        let trust = if options.parse_special { Trust::Everywhere } else { Trust::Nowhere };
        Encoding::new(async move {
            let mut ids = Vec::new();
            if options.add_special {
                ids.extend(self.bos().filter(|_| self.adds_bos()));
            }
            self.encode_text(text, trust, true, &mut ids).await?;
            if options.add_special {
                match self.model {
                    Model::WordPiece(_) => ids.extend(self.vocab.roles.separator),
                    _ => ids.extend(self.eos().filter(|_| self.adds_eos())),
                }
            }
            Ok(ids)
        })
    }

    /// Shortens what [`Tokenizer::encode`] gave to `len_max` tokens, keeping the token at the end that the model asks
    /// for: an embedding model is to see it whatever had to be left out.
    pub fn truncate(&self, ids: &mut Vec<u32>, len_max: usize) {
        if ids.len() <= len_max {
            return;
        }
        let end = match self.model {
            Model::WordPiece(_) => self.vocab.roles.separator,
            _ => self.eos().filter(|_| self.adds_eos()),
        };
        let ended = end.is_some() && ids.last().copied() == end;
        ids.truncate(len_max);
        if let (true, Some(last), Some(end)) = (ended, ids.last_mut(), end) {
            *last = end;
        }
    }

    /// The tokens of a rendered conversation: control tokens are parsed inside trusted parts only, and never across
    /// the edge of one. Otherwise the text is encoded as a whole, words crossing the edges of parts as they would
    /// without edges; so an innocent conversation has exactly the tokens of [`Tokenizer::encode`] with `parse_special`
    /// on the joined text. It differs only where an untrusted part spells a control token (the point of it), or a
    /// user-defined token that looks like markup, such as `<tool_call>`.
    ///
    /// The beginning-of-text token is put first where the model asks for it, unless the template wrote it already. No
    /// token is added at the end: the model is to go on.
    ///
    /// # Errors
    /// [`TokenizerError::TextTooLong`] beyond [`TEXT_LEN_MAX_BYTES`] in all.
    pub fn encode_parts(&self, parts: &[TextPart]) -> Result<Vec<u32>, TokenizerError> {
        self.encoding_of_parts(parts).finish()
    }

    /// As [`Tokenizer::encode_parts`], slice by slice.
    pub fn encoding_of_parts(&self, parts: &[TextPart]) -> Encoding<'_> {
        let mut text = String::new();
        let mut trusted: Vec<Range<usize>> = Vec::new();
        for part in parts {
            let start = text.len();
            text.push_str(&part.text);
            if part.trusted && !part.text.is_empty() {
                match trusted.last_mut() {
                    Some(last) if last.end == start => last.end = text.len(),
                    _ => trusted.push(start..text.len()),
                }
            }
        }
        Encoding::new(async move {
            let mut ids = Vec::new();
            self.encode_text(&text, Trust::Inside(&trusted), true, &mut ids).await?;
            if let Some(bos) = self.bos().filter(|&bos| self.adds_bos() && ids.first() != Some(&bos)) {
                ids.insert(0, bos);
            }
            Ok(ids)
        })
    }

    /// The tokens of a text that continues another one: no space is put before it, and no control token is parsed.
    ///
    /// # Errors
    /// [`TokenizerError::TextTooLong`] beyond [`TEXT_LEN_MAX_BYTES`].
    pub fn encode_continuation(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        let work = async move {
            let mut ids = Vec::new();
            self.encode_text(text, Trust::Nowhere, false, &mut ids).await?;
            Ok(ids)
        };
        Encoding::new(work).finish()
    }

    /// `at_start` where a space may have to be put before the text.
    async fn encode_text(
        &self,
        text: &str,
        trust: Trust<'_>,
        at_start: bool,
        ids: &mut Vec<u32>,
    ) -> Result<(), TokenizerError> {
        if text.len() > TEXT_LEN_MAX_BYTES {
            return Err(TokenizerError::TextTooLong {
                len_bytes: text.len(),
                len_bytes_max: TEXT_LEN_MAX_BYTES,
            });
        }
        let (mut after_special, turns) = (at_start, &Turns::default());
        for fragment in self.specials.partition(&self.vocab, text, trust, turns).await {
            turns.spend(1).await;
            match fragment {
                Fragment::Token(id) => {
                    ids.push(id);
                    after_special = true;
                }
                Fragment::Text(range) => {
                    let text = &text[range];
                    let vocab = &*self.vocab;
                    match &self.model {
                        Model::Bpe(bpe) => bpe.encode(vocab, text, ids, turns).await,
                        Model::Spm(spm) => spm.encode(vocab, text, after_special, ids, turns).await,
                        Model::WordPiece(words) => words.encode(vocab, text, ids, turns).await,
                        Model::Unigram(unigram) => unigram.encode(vocab, text, ids, turns).await?,
                    }
                    after_special = false;
                }
            }
        }
        Ok(())
    }

    /// The bytes of a whole text, not necessarily UTF-8. Ids beyond the vocabulary are skipped; control tokens appear
    /// by name if `render_special`. What encoding put in (a leading space) is taken out, and the kinds of vocabulary
    /// that spread punctuation out are cleaned up, as by llama.cpp's detokenizer.
    pub fn decode(&self, ids: &[u32], render_special: bool) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (at, &id) in ids.iter().enumerate() {
            push_piece(&self.vocab, self.spelling(), id, render_special, &mut bytes);
            if at == 0 && self.drop_first_space && bytes.first() == Some(&b' ') {
                bytes.remove(0);
            }
        }
        if self.clean_spaces { clean_spaces(&bytes) } else { bytes }
    }

    /// A decoder for tokens as they are generated. It is independent of the tokenizer's lifetime.
    pub fn detokenizer(&self) -> Detokenizer {
        Detokenizer::new(Arc::clone(&self.vocab), self.spelling())
    }

    /// The bytes of single tokens.
    pub fn pieces(&self) -> Pieces {
        Pieces::new(Arc::clone(&self.vocab), self.spelling())
    }

    fn spelling(&self) -> Spelling {
        match &self.model {
            Model::Bpe(bpe) if bpe.is_byte_level() => Spelling::Bytes,
            _ => Spelling::Marks,
        }
    }

    /// The number of tokens; ids are below it.
    pub fn vocab_len(&self) -> usize {
        self.vocab.len as usize
    }

    /// The beginning-of-text token.
    pub fn bos(&self) -> Option<u32> {
        self.vocab.roles.bos
    }

    /// The end-of-text token.
    pub fn eos(&self) -> Option<u32> {
        self.vocab.roles.eos
    }

    /// Whether the token ends a generation: end of text, of turn or of message, by key or by a well-known name.
    pub fn is_end(&self, id: u32) -> bool {
        self.vocab.ends.binary_search(&id).is_ok()
    }

    /// Every token for which [`Tokenizer::is_end`] holds, ascending.
    pub fn ends(&self) -> &[u32] {
        &self.vocab.ends
    }

    /// Whether encoding with `add_special` begins with the beginning-of-text token.
    pub fn adds_bos(&self) -> bool {
        self.vocab.roles.add_bos || matches!(self.model, Model::WordPiece(_))
    }

    /// Whether encoding with `add_special` ends with the end-of-text token.
    pub fn adds_eos(&self) -> bool {
        self.vocab.roles.add_eos
    }

    /// The text of a token as the file spells it.
    pub fn token_text(&self, id: u32) -> Option<&str> {
        (id < self.vocab.len).then(|| self.vocab.text(id))
    }

    /// The token that the file spells so.
    pub fn token_id(&self, text: &str) -> Option<u32> {
        self.vocab.token(text)
    }

    /// The texts of all tokens that parsing can find in a text: control, user-defined and unknown ones.
    pub fn special_texts(&self) -> impl Iterator<Item = &str> {
        (0..self.vocab.len)
            .filter(|&id| self.vocab.kind(id) & (vocab::CONTROL | vocab::USER_DEFINED | vocab::UNKNOWN) != 0)
            .map(|id| self.vocab.text(id))
    }
}
