//! Who is asked: the engine in this process. The worker in a browser is in `browser`.

use std::path::{Path, PathBuf};

use pith_engine::backend::Device;
use pith_engine::chat::{ChatTemplate, Message, Moment, RenderOptions};
use pith_engine::formats::Precision;
use pith_engine::plan::CacheFormat;
use pith_engine::runtime::{LoadOptions, Model};
use pith_engine::tokenizer::{EncodeOptions, Tokenizer};
use serde_json::{Map, Value};

use super::files::{Anyhow, load, read_all, read_headers};

/// A model that is loaded.
pub trait Runner {
    fn is_encoder(&self) -> bool;

    /// The outputs from position `first` on, and after each of `decode`; of an encoder the pooled vector, then the tokens'.
    async fn evaluate(&mut self, ids: &[u32], first: usize, decode: &[u32]) -> Anyhow<Vec<Vec<f32>>>;

    /// What the device itself chooses after `ids` and after each of `decode` but the last; `None` where it cannot be asked.
    async fn choices(&mut self, ids: &[u32], decode: &[u32]) -> Anyhow<Option<Vec<u32>>>;
}

/// Tokens that were chosen one after the other.
pub struct Generated {
    pub ids: Vec<u32>,
    pub text: String,
    /// An end token was chosen; it is not among the ids.
    pub ended: bool,
}

/// A template and the tokens that it is given.
#[derive(Default)]
pub struct Template<'a> {
    pub text: &'a str,
    pub bos_token: &'a str,
    pub eos_token: &'a str,
}

/// Who runs models, one at a time, and templates.
pub trait Subject: Runner {
    /// "cpu", "webgpu" or "webgl2".
    fn backend(&self) -> &str;

    /// Takes the place of the model before it. Split models are several files.
    async fn load(&mut self, files: &[PathBuf], context_tokens: Option<usize>) -> Anyhow<()>;

    /// Takes the place of the tokenizer before it.
    async fn load_tokenizer(&mut self, file: &Path) -> Anyhow<()>;

    async fn generate(&mut self, ids: &[u32], count: usize) -> Anyhow<Generated>;

    async fn embed(&mut self, texts: &[&str]) -> Anyhow<Vec<Vec<f32>>>;

    /// With `special` the model's first and last token are added, and control tokens in the text are parsed.
    async fn tokenize(&mut self, text: &str, special: bool) -> Anyhow<Vec<u32>>;

    /// Control tokens by name. Who gives only characters has U+FFFD for bytes that are none.
    async fn detokenize(&mut self, ids: &[u32]) -> Anyhow<Vec<u8>>;

    /// With turns of `role` and `content`, as llama.cpp takes them, or from the variables alone.
    async fn render(
        &mut self,
        template: &Template<'_>,
        turns: Option<&[Value]>,
        variables: &Map<String, Value>,
        now: Moment,
    ) -> Anyhow<String>;
}

/// How a subject rounds.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rounding {
    /// Keys and values.
    pub cache: CacheFormat,
    /// Inputs of products.
    pub precision: Precision,
}

impl From<CacheFormat> for Rounding {
    fn from(cache: CacheFormat) -> Self {
        Rounding { cache, ..Rounding::default() }
    }
}

/// The engine in this process.
pub struct Native<'a> {
    device: &'a Device,
    rounding: Rounding,
    model: Option<Model>,
    tokenizer: Option<Tokenizer>,
}

/// Prompts are longer than one slice, so that several are tried.
const SLICE_TOKENS: usize = 64;
/// Longest text that MiniLM was trained on.
const EMBED_TOKENS_MAX: usize = 256;

impl<'a> Native<'a> {
    pub fn new(device: &'a Device, rounding: impl Into<Rounding>) -> Self {
        Native { device, rounding: rounding.into(), model: None, tokenizer: None }
    }

    fn model(&mut self) -> Anyhow<&mut Model> {
        self.model.as_mut().ok_or_else(|| "no model is loaded".into())
    }

    fn tokenizer(&self) -> Anyhow<&Tokenizer> {
        self.tokenizer.as_ref().ok_or_else(|| "the model has no tokenizer".into())
    }
}

impl Runner for Model {
    fn is_encoder(&self) -> bool {
        self.info().encoder
    }

    async fn evaluate(&mut self, ids: &[u32], first: usize, decode: &[u32]) -> Anyhow<Vec<Vec<f32>>> {
        Ok(Model::evaluate(self, ids, first, decode).await?)
    }

    async fn choices(&mut self, ids: &[u32], decode: &[u32]) -> Anyhow<Option<Vec<u32>>> {
        let mut sequence = self.begin();
        for slice in ids.chunks(self.slice_tokens()) {
            self.feed(&mut sequence, slice)?;
        }
        let mut chosen = Vec::new();
        for &id in decode {
            chosen.push(self.top().await?);
            self.feed(&mut sequence, &[id])?;
        }
        self.end(sequence);
        Ok(Some(chosen))
    }
}

impl Runner for Native<'_> {
    fn is_encoder(&self) -> bool {
        self.model.as_ref().is_some_and(Runner::is_encoder)
    }

    async fn evaluate(&mut self, ids: &[u32], first: usize, decode: &[u32]) -> Anyhow<Vec<Vec<f32>>> {
        Runner::evaluate(self.model()?, ids, first, decode).await
    }

    async fn choices(&mut self, ids: &[u32], decode: &[u32]) -> Anyhow<Option<Vec<u32>>> {
        self.model()?.choices(ids, decode).await
    }
}

impl Subject for Native<'_> {
    fn backend(&self) -> &str {
        self.device.info().kind
    }

    async fn load(&mut self, files: &[PathBuf], context_tokens: Option<usize>) -> Anyhow<()> {
        // Memory for two would be needed otherwise.
        (self.model, self.tokenizer) = (None, None);
        let files = read_all(files)?;
        let header = read_headers(&files)?;
        let Rounding { cache, precision } = self.rounding;
        let options = LoadOptions { context_tokens, slice_tokens: Some(SLICE_TOKENS), cache, precision };
        self.model = Some(load(&files, &header, self.device, &options).await?);
        self.tokenizer = Tokenizer::from_metadata(&header.metadata).ok();
        Ok(())
    }

    async fn load_tokenizer(&mut self, file: &Path) -> Anyhow<()> {
        self.tokenizer = None;
        let header = read_headers(&read_all(&[file.to_owned()])?)?;
        self.tokenizer = Some(Tokenizer::from_metadata(&header.metadata)?);
        Ok(())
    }

    async fn generate(&mut self, ids: &[u32], count: usize) -> Anyhow<Generated> {
        let Native { model: Some(model), tokenizer, .. } = self else {
            return Err("no model is loaded".into());
        };
        let mut sequence = model.begin();
        for slice in ids.chunks(model.slice_tokens()) {
            model.feed(&mut sequence, slice)?;
        }
        let (mut out, mut ended) = (Vec::new(), false);
        while out.len() < count {
            let id = model.top().await?;
            ended = tokenizer.as_ref().is_some_and(|tokenizer| tokenizer.is_end(id));
            if ended {
                break;
            }
            out.push(id);
            if out.len() < count {
                model.feed(&mut sequence, &[id])?;
            }
        }
        model.end(sequence);
        let mut text = String::new();
        if let Some(tokenizer) = tokenizer {
            let mut detokenizer = tokenizer.detokenizer();
            text.extend(out.iter().map(|&id| detokenizer.push(id)));
            text += &detokenizer.finish();
        }
        Ok(Generated { ids: out, text, ended })
    }

    async fn embed(&mut self, texts: &[&str]) -> Anyhow<Vec<Vec<f32>>> {
        let mut vectors = Vec::new();
        for text in texts {
            let mut ids = self.tokenize(text, true).await?;
            self.tokenizer()?.truncate(&mut ids, EMBED_TOKENS_MAX);
            vectors.push(self.model()?.embed(&ids).await?);
        }
        Ok(vectors)
    }

    async fn tokenize(&mut self, text: &str, special: bool) -> Anyhow<Vec<u32>> {
        let options = EncodeOptions { add_special: special, parse_special: special };
        Ok(self.tokenizer()?.encode(text, options)?)
    }

    async fn detokenize(&mut self, ids: &[u32]) -> Anyhow<Vec<u8>> {
        Ok(self.tokenizer()?.decode(ids, true))
    }

    async fn render(
        &mut self,
        template: &Template<'_>,
        turns: Option<&[Value]>,
        variables: &Map<String, Value>,
        now: Moment,
    ) -> Anyhow<String> {
        let template = ChatTemplate::new(template.text, template.bos_token, template.eos_token)?;
        let Some(turns) = turns else { return Ok(template.render_json(variables, Some(now))?.text()) };
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let turn = |turn: &Value| Message::new(&text(&turn["role"]), &text(&turn["content"]));
        let turns: Vec<Message> = turns.iter().map(turn).collect();
        let mut options = RenderOptions { now: Some(now), ..RenderOptions::default() };
        options.add_generation_prompt = variables.get("add_generation_prompt") != Some(&Value::Bool(false));
        options.variables.extend(variables.clone());
        options.variables.shift_remove("add_generation_prompt");
        Ok(template.render(&turns, &options)?.text())
    }
}
