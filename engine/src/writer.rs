//! Lines written by a language model from sentences of a page, each judged before it may stand.
//!
//! A draft is held to the numbers and names of its source while it is written ([`EvidenceConstraint`]) and judged when it is
//! done ([`judge`]). What may not stand is drafted once more, then the page's own sentence takes its place.

use std::rc::Rc;

use pith_digest::{self as digest, Evidence, Flaw, Keep, PromptContext, judge, shorten_prompt};

use crate::chat::{ChatError, ChatTemplate, Message, RenderOptions};
use crate::constraint::EvidenceConstraint;
use crate::runtime::{Error, Generation, GenerationEvent, GenerationOptions, Model};
use crate::sampler::SamplerOptions;
use crate::tokenizer::{Tokenizer, TokenizerError};

/// Drafts of a line: the most probable one, then one that is drawn.
const DRAFTS_MAX: u64 = 2;
/// How evenly the second one is drawn.
const TEMPERATURE: f32 = 0.4;
/// Tokens of a line beyond those of its source.
const TOKENS_SPARE: usize = 8;

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The model's chat template.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// The prompt.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The model.
    #[error(transparent)]
    Run(#[from] Error),
    /// It was not wanted any more.
    #[error("stopped")]
    Stopped,
}

/// A line of a written summary.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// What it says: the model's words, or the source's.
    pub text: String,
    /// The drafts that were made, with what spoke against each; the last one stands where nothing did.
    pub drafts: Vec<Draft>,
}

impl Written {
    /// Whether the model's words stand; else they are the source's.
    pub fn is_written(&self) -> bool {
        self.drafts.last().is_some_and(|draft| draft.flaw.is_none())
    }
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq)]
pub struct Draft {
    /// Its words.
    pub text: String,
    /// What speaks against it.
    pub flaw: Option<Flaw>,
    /// Tokens of it.
    pub tokens: usize,
    /// Tokens of the prompt that had been read before.
    pub reused: usize,
    /// Choices that the evidence did not allow, and were made again.
    pub corrected: usize,
}

/// A model that writes.
pub struct Writer<'a> {
    /// Continues text.
    pub model: &'a mut Model,
    /// Of the model.
    pub tokenizer: &'a Tokenizer,
    /// Of the model.
    pub template: &'a ChatTemplate,
    /// How close to the source it must stay.
    pub keep: Keep,
    /// Whether numbers and names that the source does not have cannot be chosen at all.
    pub constrained: bool,
}

impl Writer<'_> {
    /// Makes a sentence shorter. `turn` is called between pieces of work; where it returns false, the line is not wanted any
    /// more. `now_ms` is the caller's clock.
    ///
    /// # Errors
    /// What the template, the tokenizer and the model report, `Stopped`.
    pub async fn shorten(
        &mut self,
        context: &PromptContext,
        source: &str,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Written, WriteError> {
        let evidence = Rc::new(Evidence::new([source], digest::function_words(context.language())));
        let prompt = self.prompt(&shorten_prompt(context, source))?;
        let tokens_max = self.tokenizer.encode(source, Default::default())?.len() + TOKENS_SPARE;
        let mut drafts = Vec::new();
        for number in 0..DRAFTS_MAX {
            let sampling =
                SamplerOptions { temperature: TEMPERATURE, top_p: 0.95, seed: number, ..Default::default() };
            let constraint = EvidenceConstraint::new(Rc::clone(&evidence), self.tokenizer);
            let options = GenerationOptions {
                tokens_max,
                sampling: (number > 0).then_some(sampling),
                prompt_lookup: true,
                constraint: self.constrained.then(|| Box::new(constraint) as _),
                ..GenerationOptions::default()
            };
            let mut draft = self.draft(&prompt, options, now_ms, turn).await?;
            draft.flaw = judge(&draft.text, source, &evidence, self.keep).err();
            let stands = draft.flaw.is_none();
            drafts.push(draft);
            if stands {
                break;
            }
        }
        let text = match drafts.last() {
            Some(Draft { text, flaw: None, .. }) => text.clone(),
            _ => source.to_owned(),
        };
        Ok(Written { text, drafts })
    }

    fn prompt(&self, messages: &[digest::Message]) -> Result<Vec<u32>, WriteError> {
        let messages: Vec<Message> =
            messages.iter().map(|message| Message::new(message.role.name(), &message.content)).collect();
        let options = RenderOptions { add_generation_prompt: true, ..RenderOptions::default() };
        Ok(self.tokenizer.encode_parts(&self.template.render(&messages, &options)?.parts)?)
    }

    /// One line.
    async fn draft(
        &mut self,
        prompt: &[u32],
        options: GenerationOptions,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Draft, WriteError> {
        let mut generation = Generation::begin(self.model, prompt, options)?;
        let line = self.line(&mut generation, now_ms, turn).await;
        let counts = generation.counts();
        generation.end(self.model);
        let (text, tokens) = line?;
        Ok(Draft { text, flaw: None, tokens, reused: counts.reused, corrected: counts.corrected })
    }

    async fn line(
        &mut self,
        generation: &mut Generation,
        now_ms: &impl Fn() -> f64,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<(String, usize), WriteError> {
        let mut detokenizer = self.tokenizer.detokenizer();
        let (mut text, mut tokens, mut chosen) = (String::new(), 0, Vec::new());
        'line: loop {
            if !turn().await {
                return Err(WriteError::Stopped);
            }
            match generation.step(self.model, now_ms, &mut chosen).await? {
                GenerationEvent::Read { .. } => {}
                GenerationEvent::End => break,
                GenerationEvent::Chosen => {
                    for &id in &chosen {
                        if self.tokenizer.is_end(id) {
                            break 'line;
                        }
                        tokens += 1;
                        text.push_str(&detokenizer.push(id));
                        if text.trim_start().contains('\n') {
                            break 'line;
                        }
                    }
                }
            }
        }
        Ok((text.trim().lines().next().unwrap_or_default().trim().to_owned(), tokens))
    }
}
