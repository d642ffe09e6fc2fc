//! The memory that two workers share: words, the body of an order, its answer.

use js_sys::{Float32Array, Int32Array, SharedArrayBuffer, Uint8Array};
use pith_engine::backend::BODY_BYTES_MAX;
use pith_engine::kernels::ORDER_WORDS;
use wasm_bindgen::prelude::wasm_bindgen;

use super::patience::Patience;

/// Number of the last order.
pub const ORDERED: u32 = 0;
/// Number of the last order that was done.
pub const DONE: u32 = 1;
/// How it went.
pub const STATUS: u32 = 2;
/// Length of the answer.
pub const ANSWER_LEN: u32 = 3;
/// 1 where the next order needs a message as well.
pub const ASLEEP: u32 = 4;
/// The order, and the length of its body.
const ORDER: u32 = 8;
const ORDER_LEN: usize = ORDER_WORDS + 1;
const WORDS: u32 = 64;
const WORDS_BYTES: u32 = 4 * WORDS;

/// All of it.
pub const BYTES: usize = WORDS_BYTES as usize + 2 * BODY_BYTES_MAX;

/// It went well.
pub const WELL: i32 = 0;
/// There was no memory.
pub const NO_MEMORY: i32 = 1;
/// The order made no sense.
pub const NO_SENSE: i32 = 2;

/// Views of the memory.
#[derive(Debug)]
pub struct Shared {
    words: Int32Array,
    order: Int32Array,
    /// Bodies.
    pub body: Uint8Array,
    /// Answers.
    pub answer: Float32Array,
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = Atomics, js_name = load)]
    fn atomic_load(words: &Int32Array, at: u32) -> i32;
    #[wasm_bindgen(js_namespace = Atomics, js_name = store)]
    fn atomic_store(words: &Int32Array, at: u32, value: i32) -> i32;
    #[wasm_bindgen(js_namespace = Atomics, js_name = notify)]
    fn atomic_notify(words: &Int32Array, at: u32) -> u32;
    #[wasm_bindgen(js_namespace = Atomics, js_name = wait)]
    fn atomic_wait(words: &Int32Array, at: u32, value: i32, ms: f64) -> js_sys::JsString;
}

impl Shared {
    /// Of a buffer of [`BYTES`].
    pub fn new(buffer: &SharedArrayBuffer) -> Self {
        let body_bytes = BODY_BYTES_MAX as u32;
        let words = Int32Array::new_with_byte_offset_and_length(buffer, 0, WORDS);
        Shared {
            order: words.subarray(ORDER, ORDER + ORDER_LEN as u32),
            words,
            body: Uint8Array::new_with_byte_offset_and_length(buffer, WORDS_BYTES, body_bytes),
            answer: Float32Array::new_with_byte_offset_and_length(
                buffer,
                WORDS_BYTES + body_bytes,
                body_bytes / 4,
            ),
        }
    }

    /// A word.
    pub fn get(&self, at: u32) -> i32 {
        atomic_load(&self.words, at)
    }

    /// Sets a word.
    pub fn set(&self, at: u32, value: i32) {
        atomic_store(&self.words, at, value);
    }

    /// Sets a word that another worker waits for.
    pub fn tell(&self, at: u32, value: i32) {
        atomic_store(&self.words, at, value);
        atomic_notify(&self.words, at);
    }

    /// Waits until a word is no longer `value`, first by looking at it; false where it is after so long.
    pub fn wait(&self, at: u32, value: i32, patience: Option<&mut Patience>, ms: f64) -> bool {
        if patience.is_some_and(|patience| patience.look(|| self.get(at) != value)) {
            return true;
        }
        atomic_wait(&self.words, at, value, ms);
        self.get(at) != value
    }

    /// The order, and how long its body is. Behind a word that was waited for all is there that was written before it was set.
    pub fn order(&self) -> ([u32; ORDER_WORDS], usize) {
        let mut words = [0; ORDER_LEN];
        self.order.copy_to(&mut words);
        (std::array::from_fn(|i| words[i] as u32), words[ORDER_WORDS] as usize)
    }

    /// Sets the order, and how long its body is.
    pub fn set_order(&self, order: &[u32; ORDER_WORDS], body_bytes: usize) {
        let mut words = [body_bytes as i32; ORDER_LEN];
        words.iter_mut().zip(order).for_each(|(word, from)| *word = *from as i32);
        self.order.copy_from(&words);
    }
}
