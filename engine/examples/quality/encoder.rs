//! The embedded model, used as the worker uses it.

use std::path::Path;

use pith_engine::backend::Device;
use pith_engine::digest::{Prefixes, answered_cosine, prefixes};
use pith_engine::models;
use pith_engine::runtime::{LoadOptions, Model};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};

use crate::docs::Anyhow;
use crate::files;

pub struct Encoder {
    model: Model,
    tokenizer: Tokenizer,
    tokens_max: usize,
    prefixes: Prefixes,
    /// See [`pith_engine::digest::QueryVectors`].
    pub answered_cosine: f32,
}

impl Encoder {
    pub async fn open(path: &Path) -> Anyhow<Self> {
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let files = [bytes];
        let header = files::read_headers(&files)?;
        let model = files::load(&files, &header, &Device::cpu(), &LoadOptions::default()).await?;
        let text = |key: &str| header.metadata.get(key).and_then(|value| value.as_str()).unwrap_or_default();
        let architecture = models::arch(text("general.architecture"));
        let tokens_max = architecture.and_then(|arch| arch.text_tokens).unwrap_or(512);
        let answered_cosine = answered_cosine(text("general.name"));
        Ok(Self {
            model,
            tokenizer: Tokenizer::from_metadata(&header.metadata)?,
            tokens_max,
            prefixes: prefixes(text("general.name")),
            answered_cosine,
        })
    }

    pub async fn embed_question(&mut self, text: &str) -> Anyhow<Vec<f32>> {
        self.embed(self.prefixes.question, text).await
    }

    /// Of a sentence, a title or a block.
    pub async fn embed_passage(&mut self, text: &str) -> Anyhow<Vec<f32>> {
        self.embed(self.prefixes.passage, text).await
    }

    async fn embed(&mut self, prefix: &str, text: &str) -> Anyhow<Vec<f32>> {
        let options = EncodeOptions { add_special: true, parse_special: false };
        let mut ids = self.tokenizer.encode(&[prefix, text].concat(), options)?;
        self.tokenizer.truncate(&mut ids, self.tokens_max);
        Ok(self.model.embed(&ids).await?)
    }

    /// Tokens of a text, nothing added.
    pub fn count(&self, text: &str) -> usize {
        self.tokenizer.encode(text, EncodeOptions::default()).map_or(0, |ids| ids.len())
    }
}
