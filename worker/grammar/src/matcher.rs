//! A format while a text of it is written.

use llguidance::Matcher as Inner;
use llguidance::toktrie::TokEnv;

use crate::fault::Fault;

/// Follows one text, token by token.
pub struct Matcher {
    inner: Inner,
    environment: TokEnv,
}

impl Matcher {
    pub(crate) fn new(inner: Inner, environment: TokEnv) -> Result<Self, Fault> {
        match inner.get_error() {
            Some(error) => Err(Fault::from_message(&error)),
            None => Ok(Self { inner, environment }),
        }
    }

    /// Whether the text is complete and nothing may follow.
    pub fn is_complete(&self) -> bool {
        self.inner.is_stopped() && !self.inner.is_error()
    }

    /// Tokens that have to come next, as the model's tokenizer would write them; often none. They are not accepted by this.
    pub fn forced(&mut self) -> Vec<u32> {
        if self.environment.tokenize_is_canonical() {
            return self.inner.compute_ff_tokens();
        }
        // The last token may become one with what follows.
        let bytes = self.inner.compute_ff_bytes();
        let mut ids = self.environment.tokenize_bytes(&bytes);
        ids.pop();
        let count = self.inner.validate_tokens(&ids).unwrap_or_default();
        ids.truncate(count);
        ids
    }

    /// The tokens that may come next: bit `id % 32` of word `id / 32`. Tokens that end a text are among them where it is complete.
    ///
    /// # Errors
    /// `TooComplex` where a limit of the step is exceeded, `Invalid` where nothing may come.
    pub fn mask(&mut self) -> Result<Vec<u32>, Fault> {
        let mask =
            self.inner.compute_mask_or_eos().map_err(|error| Fault::from_message(&error.to_string()))?;
        Ok(mask.as_slice().to_vec())
    }

    /// Whether `id` may come next. Cheaper than a mask.
    ///
    /// # Errors
    /// As of [`Matcher::mask`].
    pub fn allows(&mut self, id: u32) -> Result<bool, Fault> {
        let trie = self.environment.tok_trie();
        if id as usize >= trie.vocab_size() {
            return Ok(false);
        }
        let allowed = if trie.eos_tokens().contains(&id) {
            if self.is_complete() { Ok(true) } else { self.inner.is_accepting() }
        } else if self.is_complete() {
            Ok(false)
        } else {
            self.inner.validate_tokens(&[id]).map(|count| count == 1)
        };
        allowed.map_err(|error| Fault::from_message(&error.to_string()))
    }

    /// Takes `id` as written.
    ///
    /// # Errors
    /// `Invalid` where it may not come; the matcher cannot be used any more.
    pub fn accept(&mut self, id: u32) -> Result<(), Fault> {
        if self.is_complete() && self.environment.tok_trie().eos_tokens().contains(&id) {
            return Ok(());
        }
        self.inner.consume_token(id).map_err(|error| Fault::from_message(&error.to_string()))
    }
}

impl std::fmt::Debug for Matcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matcher").field("is_complete", &self.is_complete()).finish_non_exhaustive()
    }
}
