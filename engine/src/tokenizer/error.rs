/// Why a tokenizer could not be built, or a text not encoded.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenizerError {
    /// The file carries no vocabulary (`none`, `no_vocab`, or no `tokenizer.ggml.model` key). Token ids can still be fed.
    #[error("the model file carries no tokenizer; only token ids can be used with it")]
    NoTokenizer,
    /// `tokenizer.ggml.model` names a kind that is not built in.
    #[error("the tokenizer kind {name:?} is not supported")]
    UnsupportedModel {
        /// The value of the key.
        name: String,
    },
    /// `tokenizer.ggml.pre` names splitting rules that are not built in. Guessing would silently degrade every answer.
    #[error("the pre-tokenizer {name:?} is not supported")]
    UnsupportedPreTokenizer {
        /// The value of the key.
        name: String,
    },
    /// A key that this kind of tokenizer cannot do without is absent.
    #[error("the key {key:?} is missing")]
    MissingKey {
        /// The absent key.
        key: &'static str,
    },
    /// A key holds a value of the wrong type.
    #[error("the key {key:?} has the wrong type")]
    WrongType {
        /// The key.
        key: &'static str,
    },
    /// A per-token array is not as long as the vocabulary.
    #[error("{key:?} has {len} entries for {expected} tokens")]
    WrongLength {
        /// The key of the array.
        key: &'static str,
        /// Its length.
        len: usize,
        /// The number of tokens.
        expected: usize,
    },
    /// More tokens, or merges, than any vocabulary in use has: building it would take long.
    #[error("{key:?} has {len} entries; at most {len_max} are allowed")]
    TooManyTokens {
        /// The key of the array.
        key: &'static str,
        /// Its length.
        len: usize,
        /// The limit.
        len_max: usize,
    },
    /// A score is NaN or infinite: merges could not be ordered.
    #[error("the score of token {id} is not finite")]
    BadScore {
        /// The token.
        id: u32,
    },
    /// Two tokens have the same text.
    #[error("tokens {first} and {second} have the same text")]
    DuplicateToken {
        /// The lower id.
        first: u32,
        /// The higher id.
        second: u32,
    },
    /// The vocabulary's text exceeds the addressable 4 GiB, or its look-up table degenerates (a crafted file).
    #[error("the vocabulary cannot be indexed")]
    BadVocabulary,
    /// The model asks for a special token at the start or end but does not say which.
    #[error("{key:?} asks for a token that the file does not name")]
    MissingSpecialToken {
        /// The key that asks for it.
        key: &'static str,
    },
    /// The text is longer than one call may encode.
    #[error("the text has {len_bytes} bytes; at most {len_bytes_max} can be encoded at once")]
    TextTooLong {
        /// Its length.
        len_bytes: usize,
        /// The limit.
        len_bytes_max: usize,
    },
}

impl TokenizerError {
    /// A stable name of the case, for the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NoTokenizer => "no_tokenizer",
            Self::UnsupportedModel { .. } => "unsupported_tokenizer",
            Self::UnsupportedPreTokenizer { .. } => "unsupported_pre_tokenizer",
            Self::MissingKey { .. } => "tokenizer_missing_key",
            Self::WrongType { .. } => "tokenizer_wrong_type",
            Self::WrongLength { .. } => "tokenizer_wrong_length",
            Self::TooManyTokens { .. } => "tokenizer_too_many_tokens",
            Self::BadScore { .. } => "tokenizer_bad_score",
            Self::DuplicateToken { .. } => "tokenizer_duplicate_token",
            Self::BadVocabulary => "tokenizer_bad_vocabulary",
            Self::MissingSpecialToken { .. } => "tokenizer_missing_special_token",
            Self::TextTooLong { .. } => "text_too_long",
        }
    }
}
