//! Whether a model fits into memory, from its header and the plan alone.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use pith_engine::backend::Device;
use pith_engine::formats::Precision;
use pith_engine::gguf::Header;
use pith_engine::plan::{CacheFormat, Memory};
use pith_engine::runtime::{Error, Estimate, LoadOptions, estimate};

use crate::backend::Chosen;
use crate::browser::device_memory_gib;
use crate::error::WorkerError;
use crate::open_files::OpenFiles;
use crate::protocol::{Fit, MemoryUse, Suggestion, Verdict};
use crate::store::shelf;

thread_local! {
    /// What the page allows; 0 where it says nothing.
    static ALLOWED_BYTES: Cell<u64> = const { Cell::new(0) };
    /// Of each GPU: what it was found to hold, and the least that it was found not to.
    static PROBED: RefCell<BTreeMap<String, (u64, u64)>> = const { RefCell::new(BTreeMap::new()) };
}

/// Bounds what all models together may take; 0 leaves it to the device and the browser.
pub fn allow_bytes(bytes: u64) {
    ALLOWED_BYTES.set(bytes);
}

/// What models may take on a device.
pub struct Budget {
    /// All of them together.
    pub bytes: u64,
    /// Where the figure comes from, as a sentence.
    pub reason: String,
}

/// What is asked of a device.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// Positions; the default where absent.
    pub context_tokens: Option<usize>,
    /// How keys and values are stored.
    pub cache: CacheFormat,
    /// How exact products are.
    pub precision: Precision,
}

impl Wanted {
    /// As the engine is told.
    pub fn options(self) -> LoadOptions {
        let Wanted { context_tokens, cache, precision } = self;
        LoadOptions { context_tokens, slice_tokens: None, cache, precision }
    }
}

/// What the budget is for a model that needs so much, beside models that have `used_bytes` of the device.
///
/// # Errors
/// `DeviceLost`.
pub async fn budget(device: &Device, need: &Memory, used_bytes: u64) -> Result<Budget, WorkerError> {
    let allowed = ALLOWED_BYTES.get();
    if allowed > 0 {
        return Ok(Budget { bytes: allowed, reason: "This is the limit that the page has set.".into() });
    }
    let (bytes, reason) = match device.works_by_itself() {
        false if need.remote_bytes == 0 => (THREAD_BYTES_MAX, "WebAssembly has at most 4 GiB of memory."),
        // No thread holds more than the one that runs the model.
        false => {
            let times = need.total_bytes() as f64 / need.local_bytes() as f64;
            let bytes = (THREAD_BYTES_MAX as f64 * times) as u64;
            (bytes, "WebAssembly has at most 4 GiB of memory in each thread.")
        }
        true => probe(device, need.total_bytes(), used_bytes).await?,
    };
    let reason = reason.to_owned();
    match device_memory_gib() {
        // Browsers that tell it say no more than 8, whatever there is.
        Some(gib) if gib < 8.0 && gib * HALF_GIB < bytes as f64 => {
            let reason = format!("The device has {gib} GiB of memory; models can use half of it.");
            Ok(Budget { bytes: (gib * HALF_GIB) as u64, reason })
        }
        _ => Ok(Budget { bytes, reason }),
    }
}

/// Where the wasm memory ends.
pub const WASM_BYTES_MAX: u64 = 1 << 32;
/// Pages, other requests, and what the heap loses to fragments.
pub const BESIDE_BYTES: u64 = 512 << 20;
const THREAD_BYTES_MAX: u64 = WASM_BYTES_MAX - BESIDE_BYTES;
const HALF_GIB: f64 = (1 << 29) as f64;

/// Asks the device whether it can hold a model, and if not, how much it can.
async fn probe(
    device: &Device,
    need_bytes: u64,
    used_bytes: u64,
) -> Result<(u64, &'static str), WorkerError> {
    const HELD: &str = "The graphics device has room for this much: it was tried.";
    const REFUSED: &str = "The graphics device refused more: it was tried.";
    let name = device.info().name.clone();
    let mut want_bytes = need_bytes;
    loop {
        let all_bytes = used_bytes + want_bytes;
        let (held, refused) =
            PROBED.with_borrow(|probed| probed.get(&name).copied()).unwrap_or((0, u64::MAX));
        let holds = match all_bytes {
            known if known <= held => true,
            known if known >= refused => false,
            _ => device.can_hold(want_bytes).await?,
        };
        let found = if holds { (held.max(all_bytes), refused) } else { (held, refused.min(all_bytes)) };
        PROBED.with_borrow_mut(|probed| probed.insert(name.clone(), found));
        if holds || want_bytes < BESIDE_BYTES / 8 {
            let bytes = if holds { found.0 } else { used_bytes };
            return Ok((bytes, if want_bytes == need_bytes { HELD } else { REFUSED }));
        }
        want_bytes = want_bytes / 4 * 3;
    }
}

/// What a model takes on a device.
///
/// # Errors
/// What is wrong with the model, or too large for one buffer of the device.
pub fn need(header: &Header, device: &Device, wanted: Wanted) -> Result<Estimate, Error> {
    estimate(header, device, &wanted.options())
}

/// The largest context that fits into so many bytes, with keys and values as exact as they can be.
pub fn suggestion(header: &Header, device: &Device, asked: &Estimate, bytes: u64) -> Option<Suggestion> {
    const CONTEXT_TOKENS_MIN: usize = 256;
    let smaller = [CacheFormat::F16, CacheFormat::Q8_0];
    let caches = smaller.into_iter().filter(|_| !asked.encoder && asked.cache == CacheFormat::F32);
    let caches: Vec<CacheFormat> = std::iter::once(asked.cache).chain(caches).collect();
    let contexts = std::iter::successors(Some(asked.context_tokens), |tokens| Some(tokens / 2));
    contexts.take_while(|tokens| *tokens >= CONTEXT_TOKENS_MIN.min(asked.context_tokens)).find_map(|tokens| {
        caches.iter().find_map(|&cache| {
            let wanted = Wanted { context_tokens: Some(tokens), cache, precision: asked.precision };
            let estimate = need(header, device, wanted).ok()?;
            let fits = estimate.memory.total_bytes() <= bytes;
            fits.then(|| Suggestion {
                context_tokens: estimate.context_tokens as u32,
                cache_type: estimate.cache.into(),
                need: estimate.memory.into(),
            })
        })
    })
}

/// Why a model does not fit, and what would.
pub fn too_large(need_bytes: u64, budget: &Budget, suggestion: Option<&Suggestion>) -> String {
    let (need, have) = (in_words(need_bytes), in_words(budget.bytes));
    let why = format!("It needs {need} of memory; only {have} is available. {}", budget.reason);
    match suggestion {
        None => why,
        Some(Suggestion { context_tokens, cache_type, .. }) => {
            let cache = CacheFormat::from(*cache_type).name().to_uppercase();
            format!("{why} It fits with a context of {context_tokens} tokens in {cache}.")
        }
    }
}

/// Answers whether a model fits.
///
/// # Errors
/// What is wrong with the model, the device or the store.
pub async fn judge(
    files: &OpenFiles,
    chosen: &Chosen,
    wanted: Wanted,
    used_bytes: u64,
) -> Result<Fit, WorkerError> {
    let estimate = need(&files.header, &chosen.device, wanted)?;
    let need_bytes = estimate.memory.total_bytes();
    let budget = budget(&chosen.device, &estimate.memory, used_bytes).await?;
    let too_much = need_bytes > budget.bytes;
    let suggestion =
        if too_much { suggestion(&files.header, &chosen.device, &estimate, budget.bytes) } else { None };
    let (mut free_bytes, mut could_delete) = (None, Vec::new());
    let mut verdict = match (too_much, &suggestion) {
        (false, _) => Verdict::Fits,
        (true, Some(_)) => Verdict::FitsSmaller,
        (true, None) => Verdict::TooLarge,
    };
    let mut reason = match too_much {
        true => too_large(need_bytes, &budget, suggestion.as_ref()),
        false => format!("It needs {} of memory. {}", in_words(need_bytes), budget.reason),
    };
    if files.is_arriving() {
        let shelf = shelf().await?;
        free_bytes = shelf.info().await.free_bytes;
        let lacking =
            free_bytes.and_then(|free| files.missing_bytes().checked_sub(free)).filter(|lack| *lack > 0);
        if let Some(lacking_bytes) = lacking {
            verdict = Verdict::NoRoom;
            reason = format!("The browser has room for {} less than its file.", in_words(lacking_bytes));
            could_delete = shelf.proposal(lacking_bytes, &files.stored_name().unwrap_or_default()).await;
        }
    }
    Ok(Fit {
        verdict,
        reason,
        title: estimate.title,
        architecture: estimate.architecture,
        encoder: estimate.encoder,
        context_tokens: estimate.context_tokens as u32,
        cache_type: estimate.cache.into(),
        need: estimate.memory.into(),
        budget_bytes: budget.bytes,
        budget_reason: budget.reason,
        suggestion,
        backend: chosen.info(),
        file_bytes: files.len_bytes().unwrap_or_default(),
        download_bytes: files.missing_bytes(),
        free_bytes,
        could_delete,
    })
}

impl From<Memory> for MemoryUse {
    fn from(memory: Memory) -> Self {
        let Memory { weights_bytes, kv_bytes, scratch_bytes, .. } = memory;
        MemoryUse { weights_bytes, kv_bytes, scratch_bytes }
    }
}

/// A count of bytes for a sentence.
fn in_words(bytes: u64) -> String {
    match bytes / 1_000_000 {
        0 => format!("{} kB", bytes.div_ceil(1000)),
        mb if mb < 1000 => format!("{mb} MB"),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}
