//! Formats of generated text. They are compiled by a module of its own (`worker/grammar`), which is fetched at the first request
//! with a format.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use js_sys::{Function, Promise, Uint32Array};
use pith_engine::constraint::{Constraint, ConstraintError, Next};
use pith_engine::tokenizer::Tokenizer;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue, wasm_bindgen};
use wasm_bindgen_futures::JsFuture;

use crate::browser::Exception;
use crate::error::{Code, WorkerError};
use crate::ticket::Ticket;

/// Memory of the module, beyond which it is started anew before the next text.
const MEMORY_BYTES_MAX: f64 = 256.0 * 1024.0 * 1024.0;

#[wasm_bindgen]
extern "C" {
    /// The module (`web/src/grammar.ts`).
    #[derive(Clone)]
    type Module;
    #[wasm_bindgen(method, catch)]
    fn vocabulary(
        this: &Module,
        pieces: &[u8],
        lens: &[u32],
        ends: &[u32],
        tokenize: &JsValue,
    ) -> Result<ModuleVocabulary, JsValue>;
    #[wasm_bindgen(method, js_name = memoryBytes)]
    fn memory_bytes(this: &Module) -> f64;
    /// Forgets everything, also what could not be finished.
    #[wasm_bindgen(method)]
    fn reset(this: &Module);

    type ModuleVocabulary;
    #[wasm_bindgen(method, catch)]
    fn compile(this: &ModuleVocabulary, kind: &str, text: &str) -> Result<ModuleMatcher, JsValue>;
    #[wasm_bindgen(method, catch, js_name = free)]
    fn free_vocabulary(this: &ModuleVocabulary) -> Result<(), JsValue>;

    type ModuleMatcher;
    #[wasm_bindgen(method, catch, js_name = isComplete)]
    fn is_complete(this: &ModuleMatcher) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn forced(this: &ModuleMatcher) -> Result<Vec<u32>, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn mask(this: &ModuleMatcher) -> Result<Vec<u32>, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn allows(this: &ModuleMatcher, id: u32) -> Result<bool, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn accept(this: &ModuleMatcher, id: u32) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch, js_name = free)]
    fn free_matcher(this: &ModuleMatcher) -> Result<(), JsValue>;
}

thread_local! {
    /// Counts how often the module was started anew: what was made before is gone.
    static STARTS: Cell<u32> = const { Cell::new(0) };
    static OPEN: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// How the module is fetched: a function without parameters that gives a promise of it.
pub fn fetch_with(open: Function) {
    OPEN.set(Some(open));
}

/// Starts the module anew.
fn reset(module: &Module) {
    module.reset();
    STARTS.set(STARTS.get().wrapping_add(1));
}

/// A model's vocabulary in the module.
pub struct Vocabulary {
    module: Module,
    start: u32,
    inner: ModuleVocabulary,
    /// Called by the module.
    _tokenize: Closure<dyn FnMut(String) -> Uint32Array>,
}

impl Drop for Vocabulary {
    fn drop(&mut self) {
        // A module that was reset has it no more.
        let _ = self.inner.free_vocabulary();
    }
}

impl Vocabulary {
    async fn open(tokenizer: &Rc<Tokenizer>, ticket: &Ticket) -> Result<Self, WorkerError> {
        let unavailable =
            |error: JsValue| WorkerError::GrammarUnavailable { why: Exception::from(error).to_string() };
        let open = OPEN.with_borrow(Clone::clone).ok_or_else(|| unavailable("no module".into()))?;
        let promise: Promise = open.call0(&JsValue::UNDEFINED).map_err(unavailable)?.unchecked_into();
        let module = ticket.unless_cancelled(JsFuture::from(promise)).await?.map_err(unavailable)?;
        let module: Module = module.unchecked_into();
        if module.memory_bytes() > MEMORY_BYTES_MAX {
            reset(&module);
        }
        let (mut bytes, mut lens) = (Vec::new(), Vec::with_capacity(tokenizer.vocab_len()));
        let pieces = tokenizer.pieces();
        for id in 0..tokenizer.vocab_len() as u32 {
            let before = bytes.len();
            if !tokenizer.is_end(id) {
                pieces.push(id, &mut bytes);
            }
            lens.push((bytes.len() - before) as u32);
        }
        let own = Rc::clone(tokenizer);
        let tokenize = Closure::new(move |text: String| {
            Uint32Array::from(&*own.encode_continuation(&text).unwrap_or_default())
        });
        let inner = module.vocabulary(&bytes, &lens, tokenizer.ends(), tokenize.as_ref());
        let inner = inner.map_err(|error| fault(&module, error))?;
        Ok(Self { module, start: STARTS.get(), inner, _tokenize: tokenize })
    }
}

/// A text under a format: its kind and its text, as the module reads them. The vocabulary is `kept` for the model's next text.
///
/// # Errors
/// `GrammarUnavailable`, `BadFormat`, `FormatTooComplex`, `Cancelled`.
pub async fn constrain(
    tokenizer: &Rc<Tokenizer>,
    kept: &mut Option<Rc<Vocabulary>>,
    (kind, text): (&str, &str),
    ticket: &Ticket,
) -> Result<Box<dyn Constraint>, WorkerError> {
    let is_usable = |known: &Rc<Vocabulary>| {
        known.start == STARTS.get() && known.module.memory_bytes() <= MEMORY_BYTES_MAX
    };
    let vocabulary = match kept.take().filter(is_usable) {
        Some(known) => known,
        None => Rc::new(Vocabulary::open(tokenizer, ticket).await?),
    };
    let matcher = vocabulary.inner.compile(kind, text).map_err(|error| fault(&vocabulary.module, error))?;
    *kept = Some(Rc::clone(&vocabulary));
    Ok(Box::new(Constrained { vocabulary, matcher, ids: Vec::new(), fault: RefCell::default() }))
}

/// What the module threw. Faults of formats are strings; anything else is a module that cannot go on.
fn fault(module: &Module, error: JsValue) -> WorkerError {
    let Some(text) = error.as_string() else {
        reset(module);
        return WorkerError::FormatTooComplex { why: Exception::from(error).to_string() };
    };
    match text.split_once(": ") {
        Some((code, why)) if code == Code::BadFormat.name() => WorkerError::BadFormat { why: why.into() },
        Some((_, why)) => WorkerError::FormatTooComplex { why: why.into() },
        None => WorkerError::Internal { why: text },
    }
}

/// One text.
struct Constrained {
    vocabulary: Rc<Vocabulary>,
    matcher: ModuleMatcher,
    /// The mask, or forced tokens.
    ids: Vec<u32>,
    fault: RefCell<Option<ConstraintError>>,
}

impl Constrained {
    /// Notes what failed; the next question about the text tells it.
    fn note<T: Default>(&self, result: Result<T, JsValue>) -> T {
        result.unwrap_or_else(|error| {
            let error = fault(&self.vocabulary.module, error);
            let error = ConstraintError { code: error.code().name(), detail: error.to_string() };
            self.fault.borrow_mut().get_or_insert(error);
            T::default()
        })
    }
}

impl Constraint for Constrained {
    fn allows(&self, id: u32) -> bool {
        self.note(self.matcher.allows(id))
    }

    fn accept(&mut self, id: u32) {
        self.note(self.matcher.accept(id));
    }

    fn is_complete(&self) -> bool {
        self.fault.borrow().is_none() && self.note(self.matcher.is_complete())
    }

    fn has_masks(&self) -> bool {
        true
    }

    fn next(&mut self) -> Result<Next<'_>, ConstraintError> {
        let forced = self.note(self.matcher.forced());
        let is_forced = !forced.is_empty();
        self.ids = if is_forced { forced } else { self.note(self.matcher.mask()) };
        if let Some(error) = self.fault.borrow().clone() {
            return Err(error);
        }
        Ok(if is_forced { Next::Forced(&self.ids) } else { Next::Masked(&self.ids) })
    }
}

impl fmt::Debug for Constrained {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Constrained").finish_non_exhaustive()
    }
}

impl Drop for Constrained {
    fn drop(&mut self) {
        let _ = self.matcher.free_matcher();
    }
}
