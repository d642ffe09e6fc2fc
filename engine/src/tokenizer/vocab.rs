//! The vocabulary of a GGUF file: texts, kinds and scores of tokens, and which of them are special.

use super::error::TokenizerError;
use super::text_index::TextIndex;
use crate::gguf::{Array, Metadata, Value};

/// What a token is, as bits: a control token can be unused as well.
pub(crate) type Kind = u16;
pub(crate) const NORMAL: Kind = 1;
pub(crate) const UNKNOWN: Kind = 1 << 1;
pub(crate) const CONTROL: Kind = 1 << 2;
pub(crate) const USER_DEFINED: Kind = 1 << 3;
pub(crate) const BYTE: Kind = 1 << 4;
/// Swallows white space on its left, or right, when parsed in a text.
pub(crate) const STRIP_LEFT: Kind = 1 << 5;
pub(crate) const STRIP_RIGHT: Kind = 1 << 6;

/// Longest token that is looked for in a text, bytes: bounds the work per character whatever the file holds.
pub(crate) const TOKEN_LEN_MAX: usize = 256;
/// Most tokens, and most merges. The largest vocabularies in use have a quarter of a million, and half a million merges.
pub const TOKENS_MAX: usize = 1 << 20;

/// Tokens by id, and the special ones by role.
#[derive(Debug, Default)]
pub(crate) struct Vocab {
    /// Texts; ids below `len` are tokens, the rest are parts of merges that are not tokens themselves.
    pub(crate) index: TextIndex,
    /// How many tokens there are.
    pub(crate) len: u32,
    pub(crate) kinds: Vec<Kind>,
    /// Empty where the file has none.
    pub(crate) scores: Vec<f32>,
    pub(crate) roles: Roles,
    /// End-of-generation tokens, ascending.
    pub(crate) ends: Vec<u32>,
}

/// Special tokens by role, and which of them are added to a text.
#[derive(Debug, Default, Clone)]
pub(crate) struct Roles {
    pub(crate) bos: Option<u32>,
    pub(crate) eos: Option<u32>,
    pub(crate) eot: Option<u32>,
    pub(crate) eom: Option<u32>,
    pub(crate) unknown: Option<u32>,
    pub(crate) separator: Option<u32>,
    pub(crate) add_bos: bool,
    pub(crate) add_eos: bool,
}

const TOKENS: &str = "tokenizer.ggml.tokens";
const SCORES: &str = "tokenizer.ggml.scores";
const TYPES: &str = "tokenizer.ggml.token_type";
pub(crate) const MERGES: &str = "tokenizer.ggml.merges";

impl Vocab {
    /// Reads texts, kinds and scores. Roles are filled in by [`Vocab::read_roles`].
    pub(crate) fn read(metadata: &Metadata) -> Result<Self, TokenizerError> {
        let texts = strings(metadata, TOKENS)?.ok_or(TokenizerError::MissingKey { key: TOKENS })?;
        let len = bounded(TOKENS, texts)?;
        let merges = strings(metadata, MERGES).ok().flatten().unwrap_or_default();
        bounded(MERGES, merges)?;
        let mut index = TextIndex::with_capacity(texts.len(), texts.iter().map(String::len).sum());
        index.seed(texts.iter().chain(merges));
        for (id, text) in texts.iter().enumerate() {
            // A token without a text cannot be looked up; a stand-in keeps texts and ids one to one.
            let (at, new) =
                if text.is_empty() { index.insert(&format!("[EMPTY_{id}]"))? } else { index.insert(text)? };
            if !new {
                return Err(TokenizerError::DuplicateToken { first: at, second: id as u32 });
            }
        }
        Ok(Self {
            index,
            len,
            kinds: kinds(metadata, texts.len())?,
            scores: scores(metadata, texts.len())?,
            ..Self::default()
        })
    }

    /// The token with that text.
    pub(crate) fn token(&self, text: &str) -> Option<u32> {
        self.index.get(text).filter(|&id| id < self.len)
    }

    /// The text of a token, empty beyond the vocabulary.
    pub(crate) fn text(&self, id: u32) -> &str {
        if id < self.len { self.index.text(id) } else { "" }
    }

    /// The kind of a token, 0 beyond the vocabulary.
    pub(crate) fn kind(&self, id: u32) -> Kind {
        self.kinds.get(id as usize).copied().unwrap_or(0)
    }

    /// The token for a single byte where the text has no token: `<0xXX>`, else the byte itself as a text.
    pub(crate) fn byte_token(&self, byte: u8) -> Option<u32> {
        let mut buffer = [0; 6];
        self.token(super::bytes::byte_token_text(byte, &mut buffer)).or_else(|| {
            let raw = [byte];
            self.token(std::str::from_utf8(&raw).ok()?)
        })
    }

    /// Fills in the roles from the keys over `defaults` (those of the tokenizer's kind), then the tokens known by text.
    pub(crate) fn read_roles(&mut self, metadata: &Metadata, defaults: Roles) -> Result<(), TokenizerError> {
        let role = |key: &str, default: Option<u32>| {
            let stated = metadata.u64(&format!("tokenizer.ggml.{key}_token_id"));
            let stated = stated.and_then(|id| u32::try_from(id).ok()).filter(|&id| id < self.len);
            stated.or(default.filter(|&id| id < self.len))
        };
        // Upstream's spelling.
        let roles = Roles {
            bos: role("bos", defaults.bos),
            eos: role("eos", defaults.eos),
            eot: role("eot", defaults.eot),
            eom: role("eom", defaults.eom),
            unknown: role("unknown", defaults.unknown),
            separator: role("seperator", defaults.separator),
            add_bos: metadata.bool("tokenizer.ggml.add_bos_token").unwrap_or(defaults.add_bos),
            add_eos: metadata.bool("tokenizer.ggml.add_eos_token").unwrap_or(defaults.add_eos),
        };
        if roles.add_bos && roles.bos.is_none() {
            return Err(TokenizerError::MissingSpecialToken { key: "tokenizer.ggml.add_bos_token" });
        }
        if roles.add_eos && roles.eos.is_none() {
            return Err(TokenizerError::MissingSpecialToken { key: "tokenizer.ggml.add_eos_token" });
        }
        self.roles = roles;
        let fim = ["fim_pad", "fim_rep", "fim_sep"].map(|key| role(key, None));
        self.find_ends(fim);
        self.mark_strips(metadata);
        Ok(())
    }

    /// Finds the tokens that end a generation: those of the keys, and those known by their text. A text that is known
    /// makes its token a control token whatever the file says: vocabularies get this wrong often enough.
    fn find_ends(&mut self, fim: [Option<u32>; 3]) {
        let mut ends = Vec::new();
        for (stated, texts) in fim.into_iter().zip(FIM_ENDS) {
            ends.extend(stated.or_else(|| texts.iter().filter_map(|text| self.token(text)).min()));
        }
        for text in ENDS {
            if let Some(id) = self.token(text) {
                ends.push(id);
                self.kinds[id as usize] |= CONTROL;
            }
        }
        // Parts of a message in the harmony format, shown and parsed although they are marked as control tokens.
        for text in ["<|channel|>", "<|message|>", "<|start|>", "<|constrain|>"] {
            if let Some(id) = self.token(text) {
                self.kinds[id as usize] = USER_DEFINED;
            }
        }
        ends.extend([self.roles.eos, self.roles.eot, self.roles.eom].into_iter().flatten());
        let has = |text: &str| self.token(text).is_some_and(|id| ends.contains(&id));
        let harmony = (has("<|return|>") && has("<|call|>"))
            || ((has("<|call|>") || has("<|calls|>")) && has("<|flush|>"));
        // With these beside it, `<|end|>` ends a message, not the answer; `</s>` is ordinary text.
        let dropped = [("<|end|>", harmony, USER_DEFINED), ("</s>", has("<|tool_response>"), NORMAL)];
        for (text, applies, kind) in dropped {
            if let Some(id) = self.token(text).filter(|_| applies) {
                ends.retain(|&end| end != id);
                self.kinds[id as usize] = kind;
            }
        }
        ends.sort_unstable();
        ends.dedup();
        self.ends = ends;
    }

    /// The models whose special tokens swallow neighbouring white space; files do not say so.
    fn mark_strips(&mut self, metadata: &Metadata) {
        let pre = metadata.str("tokenizer.ggml.pre").unwrap_or_default();
        let name = metadata.str("general.name").unwrap_or_default().to_lowercase();
        let architecture = metadata.str("general.architecture").unwrap_or_default();
        if pre.contains("jina-v2-")
            || architecture.contains("nomic-bert-moe")
            || architecture.contains("jina-bert-v3")
        {
            self.add_kind("<mask>", STRIP_LEFT);
        } else if name.contains("phi-3") || name.contains("phi3") {
            for kind in &mut self.kinds {
                if *kind & (CONTROL | USER_DEFINED | UNKNOWN) != 0 {
                    *kind |= STRIP_RIGHT;
                }
            }
            for text in ["<unk>", "<s>", "<|endoftext|>"] {
                if let Some(id) = self.token(text) {
                    self.kinds[id as usize] &= !STRIP_RIGHT;
                }
            }
        } else if name.contains("modern-bert") {
            self.add_kind("[MASK]", STRIP_LEFT);
        }
    }

    fn add_kind(&mut self, text: &str, kind: Kind) {
        if let Some(id) = self.token(text) {
            self.kinds[id as usize] |= kind;
        }
    }
}

/// Texts of tokens that end a generation, over all model families.
const ENDS: [&str; 23] = [
    "<|eot_id|>",
    "<|im_end|>",
    "<|end|>",
    "<|return|>",
    "<|call|>",
    "<|flush|>",
    "<|calls|>",
    "<end_of_turn>",
    "<|endoftext|>",
    "</s>",
    "<|eom_id|>",
    "<EOT>",
    "_<EOT>",
    "[EOT]",
    "[EOS]",
    "<|end_of_text|>",
    "<end_of_utterance>",
    "<eos>",
    "<turn|>",
    "<|tool_response>",
    "<｜end▁of▁sentence｜>",
    "[e~[",
    "<|eos|>",
];

/// Texts of the padding, repository and file tokens of fill-in-the-middle formats: a model that writes one is done.
const FIM_ENDS: [&[&str]; 3] = [
    &["<|fim_pad|>", "<fim-pad>", "<fim_pad>", "<PAD>", "[PAD]"],
    &["<|fim_repo|>", "<|repo_name|>", "<fim-repo>", "<REPO>", "<reponame>"],
    &["<|file_sep|>"],
];

/// How many there are, unless they are too many.
fn bounded(key: &'static str, texts: &[String]) -> Result<u32, TokenizerError> {
    match texts.len() {
        len if len > TOKENS_MAX => Err(TokenizerError::TooManyTokens { key, len, len_max: TOKENS_MAX }),
        len => Ok(len as u32),
    }
}

/// The strings at `key`; None when the key is absent.
pub(crate) fn strings<'m>(
    metadata: &'m Metadata,
    key: &'static str,
) -> Result<Option<&'m [String]>, TokenizerError> {
    match metadata.get(key) {
        None => Ok(None),
        Some(Value::Array(Array::Str(texts))) => Ok(Some(texts)),
        Some(_) => Err(TokenizerError::WrongType { key }),
    }
}

fn kinds(metadata: &Metadata, len: usize) -> Result<Vec<Kind>, TokenizerError> {
    let codes: Vec<i64> = match metadata.get(TYPES) {
        None => return Ok(vec![NORMAL; len]),
        Some(Value::Array(Array::I32(codes))) => codes.iter().map(|&code| code.into()).collect(),
        Some(Value::Array(Array::U32(codes))) => codes.iter().map(|&code| code.into()).collect(),
        Some(_) => return Err(TokenizerError::WrongType { key: TYPES }),
    };
    if codes.len() != len {
        return Err(TokenizerError::WrongLength { key: TYPES, len: codes.len(), expected: len });
    }
    // 5 is "unused", 0 "undefined": neither is parsed, merged nor shown.
    let kind = |code| match code {
        1 => NORMAL,
        2 => UNKNOWN,
        3 => CONTROL,
        4 => USER_DEFINED,
        6 => BYTE,
        _ => 0,
    };
    Ok(codes.into_iter().map(kind).collect())
}

fn scores(metadata: &Metadata, len: usize) -> Result<Vec<f32>, TokenizerError> {
    let scores: Vec<f32> = match metadata.get(SCORES) {
        None => return Ok(Vec::new()),
        // Adding zero turns -0 into 0: the two must order as equals.
        Some(Value::Array(Array::F32(scores))) => scores.iter().map(|&score| score + 0.0).collect(),
        Some(Value::Array(Array::I32(scores))) => scores.iter().map(|&score| score as f32).collect(),
        Some(_) => return Err(TokenizerError::WrongType { key: SCORES }),
    };
    if scores.len() != len {
        return Err(TokenizerError::WrongLength { key: SCORES, len: scores.len(), expected: len });
    }
    match scores.iter().position(|score| !score.is_finite()) {
        Some(id) => Err(TokenizerError::BadScore { id: id as u32 }),
        None => Ok(scores),
    }
}
