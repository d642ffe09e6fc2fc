//! The tokens of a model.

use std::sync::Arc;

use llguidance::earley::SlicedBiasComputer;
use llguidance::toktrie::{InferenceCapabilities, TokEnv, TokRxInfo, TokTrie, TokenId, TokenizerEnv};
use llguidance::{Matcher as Inner, ParserFactory};
use toktrie::INVALID_TOKEN;

use crate::calls::{self, Kind};
use crate::fault::Fault;
use crate::format::{Format, schema_grammar};
use crate::matcher::Matcher;

/// Encodes text inside of a text as the model's tokenizer does.
pub type Tokenize = Box<dyn Fn(&str) -> Vec<u32> + Send + Sync>;

/// Most tokens, and most bytes of one.
const TOKENS_MAX: usize = 1 << 20;
const TOKEN_BYTES_MAX: u32 = 1 << 12;

/// Most states of a lexer: about 2 kB each.
const LEXER_STATES_MAX: usize = 50_000;

/// The tokens of a model, prepared for masks. Made once per model.
pub struct Vocabulary {
    factory: ParserFactory,
}

struct Environment {
    trie: TokTrie,
    tokenize: Tokenize,
    /// Every character can be written byte by byte, so that each text has tokens. Otherwise `llguidance` must not ask for them.
    has_bytes: bool,
}

impl TokenizerEnv for Environment {
    fn tok_trie(&self) -> &TokTrie {
        &self.trie
    }

    fn tokenize_bytes(&self, bytes: &[u8]) -> Vec<TokenId> {
        // Forced bytes may end inside of a character, which the tokenizer cannot encode.
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => text,
            Err(error) => std::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap_or_default(),
        };
        let mut ids = (self.tokenize)(text);
        if ids.iter().any(|&id| id as usize >= self.trie.vocab_size())
            || self.trie.decode(&ids) != text.as_bytes()
        {
            ids = self.trie.greedy_tokenize(text.as_bytes());
        }
        ids.extend(self.trie.greedy_tokenize(&bytes[text.len()..]));
        ids
    }

    fn tokenize_is_canonical(&self) -> bool {
        self.has_bytes
    }
}

impl Vocabulary {
    /// `pieces` has the bytes of all tokens one after the other, `lens` the length of each: 0 for control tokens and for those
    /// that end a text, which are listed in `ends`.
    ///
    /// # Errors
    /// `TooComplex` for more tokens than allowed, `Invalid` for lengths that do not fit the bytes.
    pub fn new(pieces: &[u8], lens: &[u32], ends: &[u32], tokenize: Tokenize) -> Result<Self, Fault> {
        if lens.len() > TOKENS_MAX || lens.iter().any(|len| *len > TOKEN_BYTES_MAX) {
            return Err(Fault::TooComplex("the vocabulary is too large".into()));
        }
        let misfit = || Fault::Invalid("the vocabulary's lengths do not fit its bytes".into());
        let (mut rest, mut words) = (pieces, Vec::with_capacity(lens.len()));
        for len in lens {
            let (word, after) = rest.split_at_checked(*len as usize).ok_or_else(misfit)?;
            words.push(word.to_vec());
            rest = after;
        }
        if !rest.is_empty() || words.is_empty() || ends.iter().any(|end| *end as usize >= words.len()) {
            return Err(misfit());
        }
        let trie = TokTrie::from(&TokRxInfo::new(words.len() as u32, INVALID_TOKEN), &words);
        let trie = if ends.is_empty() { trie } else { trie.with_eos_tokens(ends) };
        // Bytes of UTF-8, less control characters that no JSON has outside of escapes.
        let mut bytes =
            [b'\t', b'\n', b'\r'].into_iter().chain(0x20..=0x7E).chain(0x80..=0xBF).chain(0xC2..=0xF4);
        let has_bytes = bytes.all(|byte| trie.token_id_at_bytes(&[byte]).is_some());
        let environment: TokEnv = Arc::new(Environment { trie, tokenize, has_bytes });
        let can = InferenceCapabilities { ff_tokens: has_bytes, ..InferenceCapabilities::default() };
        let factory = ParserFactory::new(&environment, can, &SlicedBiasComputer::general_slices());
        let mut factory = factory.map_err(|error| Fault::from_message(&error.to_string()))?;
        factory.quiet();
        let limits = factory.limits_mut();
        limits.max_lexer_states = LEXER_STATES_MAX;
        limits.verbose_errors = false;
        Ok(Self { factory })
    }

    /// A matcher of a new text.
    ///
    /// # Errors
    /// What is wrong with the format.
    pub fn compile(&self, format: Format, text: &str) -> Result<Matcher, Fault> {
        let grammar = format.grammar(text, &|id| self.kind_of(id))?;
        let parser = self.factory.create_parser(grammar);
        let parser = parser.map_err(|error| match format {
            Format::ToolCalls => {
                self.of_schemas(text).unwrap_or_else(|| Fault::from_message(&error.to_string()))
            }
            _ => Fault::from_message(&error.to_string()),
        })?;
        Matcher::new(Inner::new(Ok(parser)), self.factory.tok_env().clone())
    }

    fn kind_of(&self, id: u32) -> Kind {
        let trie = self.factory.tok_env().tok_trie();
        if trie.eos_tokens().contains(&id) {
            return Kind::End;
        }
        if trie.token(id).is_empty() { Kind::Control } else { Kind::Text }
    }

    /// The fault of the first tool whose schema cannot be used, with the tool's name.
    fn of_schemas(&self, order: &str) -> Option<Fault> {
        calls::schemas(order).into_iter().find_map(|(name, schema)| {
            let grammar = schema_grammar(schema).ok()?;
            let error = self.factory.create_parser(grammar).err()?;
            Some(Fault::from_message(&format!("the parameters of {name}: {error}")))
        })
    }
}

impl std::fmt::Debug for Vocabulary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").finish_non_exhaustive()
    }
}
