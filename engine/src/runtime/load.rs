//! Loading: the file's transfers in ascending order, first those of a model, later those of adapters for it.

use std::rc::Rc;

use super::error::Error;
use super::model::{LoraId, Model};
use super::upload::Upload;
use crate::backend::{Device, Executor};
use crate::formats::Precision;
use crate::gguf::Header;
use crate::models::{self, Lora};
use crate::plan::{CacheFormat, Memory, Options};
use crate::planner::{self, Plan, Transfer};

/// Choices at load time.
#[derive(Debug, Clone, Default)]
pub struct LoadOptions {
    /// Positions to reserve; [`CONTEXT_TOKENS_DEFAULT`] or the model's own limit, whichever is less, where absent.
    pub context_tokens: Option<usize>,
    /// Most tokens in a prefill slice.
    pub slice_tokens: Option<usize>,
    /// How keys and values are stored.
    pub cache: CacheFormat,
    /// How exact products with quantized weights are.
    pub precision: Precision,
}

/// Context where the caller names none: a KV cache that fits beside a small model on most devices.
pub const CONTEXT_TOKENS_DEFAULT: usize = 2048;

/// Rows of logits that one slice can give.
const LOGITS_ROWS: usize = 8;

/// Texts at a time where they take turns and each keeps a state.
const TURNS: usize = 2;

/// Texts that an encoder takes in one slice.
const TEXTS: usize = 32;

/// What a model would be once it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Estimate {
    /// What it takes on the device.
    pub memory: Memory,
    /// Positions reserved.
    pub context_tokens: usize,
    /// Most positions that the model was made for.
    pub trained_context_tokens: usize,
    /// How keys and values are stored; F32 for an encoder, whatever was asked for.
    pub cache: CacheFormat,
    /// How exact products are; `Exact` for an encoder, whatever was asked for.
    pub precision: Precision,
    /// `general.name`, or the architecture.
    pub title: String,
    /// `general.architecture`.
    pub architecture: String,
    /// True for a model that gives vectors, not text.
    pub encoder: bool,
}

/// What [`Loading::start`] would come to. Nothing is allocated on the device.
///
/// # Errors
/// Those that loading would have before it begins: no model, or one of which a part is too large for the device.
pub fn estimate(header: &Header, device: &Device, options: &LoadOptions) -> Result<Estimate, Error> {
    let plan = plan(header, device, options)?;
    Ok(Estimate {
        memory: device.memory_of(&plan),
        context_tokens: plan.layout.options.context_tokens,
        trained_context_tokens: plan.spec.context_tokens,
        cache: plan.layout.options.cache,
        precision: plan.layout.options.precision,
        encoder: plan.spec.pooling.is_some(),
        title: plan.spec.title,
        architecture: plan.spec.architecture,
    })
}

/// The model of the header, laid out for the device.
pub(super) fn plan(header: &Header, device: &Device, options: &LoadOptions) -> Result<Plan, Error> {
    let spec = models::read(header)?;
    let options = Options {
        context_tokens: options.context_tokens.unwrap_or(CONTEXT_TOKENS_DEFAULT),
        slice_tokens: options.slice_tokens.unwrap_or_else(|| device.slice_tokens()),
        logits_rows: LOGITS_ROWS,
        sequences: match spec.pooling {
            Some(_) => TEXTS,
            None if spec.is_recurrent() && !device.works_by_itself() => TURNS,
            None => LOGITS_ROWS,
        },
        cache: options.cache,
        precision: options.precision,
    };
    let plan = planner::build(spec, header, options, &device.limits())?;
    device.check(&plan)?;
    Ok(plan)
}

/// A model on its way to the device.
pub struct Loading {
    plan: Rc<Plan>,
    upload: Upload,
    executor: Executor,
    device: Device,
}

impl Loading {
    /// Reads the model from the header, lays it out for the device and allocates everything.
    ///
    /// # Errors
    /// `Model` for a file that is no model or not supported, `Plan` where a part is too large for the device, `Device` where
    /// memory runs out or the device is lost.
    pub async fn start(header: &Header, device: &Device, options: &LoadOptions) -> Result<Loading, Error> {
        let plan = Rc::new(plan(header, device, options)?);
        let executor = device.executor(Rc::clone(&plan))?;
        let upload = Upload::new(Rc::clone(&plan));
        Ok(Loading { plan, upload, executor, device: device.clone() })
    }

    /// Bytes that will be read.
    pub fn total_bytes(&self) -> u64 {
        self.upload.total_bytes()
    }

    /// What the model takes on the device.
    pub fn memory(&self) -> Memory {
        self.executor.memory()
    }

    /// The transfer wanted next: at most [`plan::TRANSFER_BYTES_MAX`] long, behind all earlier ones of its file.
    pub fn next(&self) -> Option<&Transfer> {
        self.upload.next()
    }

    /// Takes exactly the bytes of [`Self::next`], splits them into planes and uploads those.
    ///
    /// # Errors
    /// `WrongTransfer` for another number of bytes, or after the last transfer.
    pub fn accept(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.upload.accept(&mut self.executor, bytes)
    }

    /// Waits while too much of what was accepted is in flight. Call it after each transfer, with its bytes.
    ///
    /// # Errors
    /// `Device` where an upload failed or the device is lost.
    pub async fn throttle(&mut self, bytes: u64) -> Result<(), Error> {
        Ok(self.executor.throttle(bytes).await?)
    }

    /// The model, once all transfers are in and all kernels are compiled.
    ///
    /// # Errors
    /// `WrongTransfer` where transfers are missing; `Device` where a kernel does not compile, memory has run out or the device
    /// is lost.
    pub async fn finish(mut self) -> Result<Model, Error> {
        self.upload.finish(&mut self.executor).await?;
        Ok(Model::new(self.plan, self.executor, self.device))
    }
}

/// A LoRA adapter on its way to a model. Dropped before its end it leaves the model as it was, with the adapter's
/// memory taken until the model goes.
pub struct Attaching<'a> {
    model: &'a mut Model,
    upload: Upload,
    id: LoraId,
}

impl<'a> Attaching<'a> {
    /// Checks the adapter against the model and allocates what it needs.
    ///
    /// # Errors
    /// `Model` for a file that is no LoRA adapter, or one that does not fit this model; `Plan` and `Device` as of
    /// [`Loading::start`].
    pub async fn start(header: &Header, model: &'a mut Model) -> Result<Attaching<'a>, Error> {
        let lora = Lora::read(header, &model.plan().spec)?;
        let plan = Rc::new(planner::extend(model.plan(), lora, header)?);
        let (upload, id) = (Upload::new(Rc::clone(&plan)), LoraId::last_of(&plan));
        let extended = model.executor().extend(Rc::clone(&plan));
        // Also after a failure: the executor has the plan's buffers, usable or not, and later ones must not take their place.
        model.set_plan(plan);
        extended?;
        Ok(Attaching { model, upload, id })
    }

    /// Bytes that will be read.
    pub fn total_bytes(&self) -> u64 {
        self.upload.total_bytes()
    }

    /// The transfer wanted next, as of [`Loading::next`].
    pub fn next(&self) -> Option<&Transfer> {
        self.upload.next()
    }

    /// Takes exactly the bytes of [`Self::next`].
    ///
    /// # Errors
    /// As [`Loading::accept`].
    pub fn accept(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.upload.accept(self.model.executor(), bytes)
    }

    /// Waits while too much of what was accepted is in flight, as [`Loading::throttle`].
    ///
    /// # Errors
    /// As [`Loading::throttle`].
    pub async fn throttle(&mut self, bytes: u64) -> Result<(), Error> {
        Ok(self.model.executor().throttle(bytes).await?)
    }

    /// The adapter, usable from now on.
    ///
    /// # Errors
    /// As [`Loading::finish`].
    pub async fn finish(mut self) -> Result<LoraId, Error> {
        self.upload.finish(self.model.executor()).await?;
        Ok(self.id)
    }
}
