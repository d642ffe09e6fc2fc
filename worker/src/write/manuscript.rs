//! A text as far as it was written, so that it can be gone on with: on a new device, or after a restart.

use std::cell::RefCell;

use pith_engine::digest::PromptContext;
use pith_engine::writer::{Recorded, Transcript};

use crate::error::WorkerError;
use crate::pages::PageMemory;
use crate::protocol::{Resume, ResumedGeneration, WrittenText};
use crate::residency::Resident;
use crate::verdicts::key;

/// The most that is taken of a request.
const GENERATIONS_MAX: usize = 4_096;
const TOKENS_MAX: usize = 1 << 16;

/// What was written, token by token.
#[derive(Default)]
pub struct Manuscript {
    /// What writes, and the nonce of its prompts; of no model before the first one has begun.
    made_by: RefCell<Option<(String, String)>>,
    pub transcript: RefCell<Transcript>,
}

impl Manuscript {
    /// A new one, or what a request brings.
    ///
    /// # Errors
    /// `BadMessage` for more than any text has.
    pub fn new(resume: Option<&Resume>) -> Result<Self, WorkerError> {
        let Some(Resume { model, nonce, generations }) = resume else { return Ok(Self::default()) };
        let tokens: usize = generations.iter().map(|one| one.ids.len()).sum();
        if generations.len() > GENERATIONS_MAX || tokens > TOKENS_MAX {
            let why = format!("resume has {} generations with {tokens} tokens", generations.len());
            return Err(WorkerError::BadMessage { why });
        }
        let recorded = |one: &ResumedGeneration| Recorded { prompt: one.prompt, ids: one.ids.clone() };
        Ok(Self {
            made_by: RefCell::new(Some((model.clone(), nonce.clone()))),
            transcript: RefCell::new(Transcript::new(generations.iter().map(recorded).collect())),
        })
    }

    /// Begins at the first line, with the prompts of before. What another model has written is dropped.
    ///
    /// # Errors
    /// None that a page's own nonce has.
    pub fn begin(&self, resident: &Resident, page: &PageMemory) -> Result<PromptContext, WorkerError> {
        let model = key(&resident.info, resident.sha256);
        let vocab = resident.info.vocab;
        let mut transcript = self.transcript.borrow_mut();
        let mut made_by = self.made_by.borrow_mut();
        let known = made_by.as_ref().filter(|(by, _)| *by == model);
        let context = known.and_then(|(_, nonce)| page.digest.prompt_context(nonce).ok());
        let is_known = |one: &Recorded| one.ids.iter().all(|&id| id < vocab);
        if let Some(context) = context.filter(|_| transcript.generations().iter().all(is_known)) {
            transcript.restart();
            return Ok(context);
        }
        *transcript = Transcript::default();
        *made_by = Some((model, page.nonce.clone()));
        Ok(page.digest.prompt_context(&page.nonce)?)
    }

    /// A draft of the text, with what going on with it takes.
    pub fn draft(&self, text: WrittenText) -> WrittenText {
        let transcript = self.transcript.borrow();
        let told = |one: &Recorded| ResumedGeneration { prompt: one.prompt, ids: one.ids.clone() };
        let generations = transcript.generations().iter().map(told).collect();
        let resume = self.made_by.borrow().clone().map(|(model, nonce)| Resume { model, nonce, generations });
        WrittenText { resume, ..text }
    }
}
