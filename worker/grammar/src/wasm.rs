//! What the worker calls. Faults are thrown as strings: `code: what is wrong`.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;

use js_sys::{Function, Uint32Array};
use wasm_bindgen::prelude::{JsCast, JsValue, wasm_bindgen};

use crate::{Fault, Format};

thread_local! {
    /// The worker's tokenizers: `llguidance` keeps only what can be sent between threads.
    static TOKENIZERS: RefCell<HashMap<u32, Function>> = RefCell::default();
    static NEXT: Cell<u32> = const { Cell::new(0) };
}

/// [`crate::Vocabulary`].
#[wasm_bindgen]
pub struct Vocabulary {
    inner: crate::Vocabulary,
    tokenizer: u32,
}

/// [`crate::Matcher`].
#[wasm_bindgen]
pub struct Matcher(crate::Matcher);

fn tokenize(tokenizer: u32, text: &str) -> Vec<u32> {
    let function = TOKENIZERS.with_borrow(|all| all.get(&tokenizer).cloned());
    let ids = function.and_then(|function| function.call1(&JsValue::UNDEFINED, &text.into()).ok());
    ids.and_then(|ids| ids.dyn_into::<Uint32Array>().ok()).map(|ids| ids.to_vec()).unwrap_or_default()
}

#[wasm_bindgen]
impl Vocabulary {
    /// `tokenize` takes a string and gives a `Uint32Array`.
    ///
    /// # Errors
    /// As of [`crate::Vocabulary::new`].
    #[wasm_bindgen(constructor)]
    pub fn new(
        pieces: &[u8],
        lens: &[u32],
        ends: &[u32],
        tokenize_text: Function,
    ) -> Result<Vocabulary, String> {
        let tokenizer = NEXT.replace(NEXT.get().wrapping_add(1));
        TOKENIZERS.with_borrow_mut(|all| all.insert(tokenizer, tokenize_text));
        let within = Box::new(move |text: &str| tokenize(tokenizer, text));
        match crate::Vocabulary::new(pieces, lens, ends, within) {
            Ok(inner) => Ok(Vocabulary { inner, tokenizer }),
            Err(fault) => {
                TOKENIZERS.with_borrow_mut(|all| all.remove(&tokenizer));
                Err(fault.to_string())
            }
        }
    }

    /// [`crate::Vocabulary::compile`]; `kind` is the format's name in the protocol.
    ///
    /// # Errors
    /// What is wrong with the format.
    pub fn compile(&self, kind: &str, text: &str) -> Result<Matcher, String> {
        let unknown = || Fault::Invalid(format!("no format is called {kind}"));
        let format = Format::from_name(kind).ok_or_else(unknown);
        let matcher = format.and_then(|format| self.inner.compile(format, text));
        matcher.map(Matcher).map_err(|fault| fault.to_string())
    }
}

impl Drop for Vocabulary {
    fn drop(&mut self) {
        TOKENIZERS.with_borrow_mut(|all| all.remove(&self.tokenizer));
    }
}

#[wasm_bindgen]
impl Matcher {
    /// [`crate::Matcher::is_complete`].
    #[wasm_bindgen(js_name = isComplete)]
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// [`crate::Matcher::forced`].
    pub fn forced(&mut self) -> Vec<u32> {
        self.0.forced()
    }

    /// [`crate::Matcher::mask`].
    ///
    /// # Errors
    /// As there.
    pub fn mask(&mut self) -> Result<Vec<u32>, String> {
        self.0.mask().map_err(|fault| fault.to_string())
    }

    /// [`crate::Matcher::allows`].
    ///
    /// # Errors
    /// As there.
    pub fn allows(&mut self, id: u32) -> Result<bool, String> {
        self.0.allows(id).map_err(|fault| fault.to_string())
    }

    /// [`crate::Matcher::accept`].
    ///
    /// # Errors
    /// As there.
    pub fn accept(&mut self, id: u32) -> Result<(), String> {
        self.0.accept(id).map_err(|fault| fault.to_string())
    }
}

/// Bytes of this module's memory.
#[wasm_bindgen(js_name = memoryBytes)]
pub fn memory_bytes() -> f64 {
    (core::arch::wasm32::memory_size(0) as f64) * 65_536.0
}
