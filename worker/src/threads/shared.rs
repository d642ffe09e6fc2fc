//! The memory that two threads share: words, the body of a command, its output.

use js_sys::{Float32Array, Int32Array, SharedArrayBuffer, Uint8Array};
use pith_engine::backend::BODY_BYTES_MAX;
use pith_engine::kernels::COMMAND_WORDS;
use wasm_bindgen::prelude::wasm_bindgen;

use super::spin::SpinLimit;

/// Number of the last command.
pub const SENT: u32 = 0;
/// Number of the last command that was done.
pub const DONE: u32 = 1;
/// How it went.
pub const STATUS: u32 = 2;
/// Values of the output.
pub const OUTPUT_LEN: u32 = 3;
/// 1 where the next command needs a message as well.
pub const IDLE: u32 = 4;
/// The command, and the length of its body.
const COMMAND: u32 = 8;
const COMMAND_LEN: usize = COMMAND_WORDS + 1;
const WORDS: u32 = 64;
const WORDS_BYTES: u32 = 4 * WORDS;

/// All of it.
pub const BYTES: usize = WORDS_BYTES as usize + 2 * BODY_BYTES_MAX;

/// It went well.
pub const OK: i32 = 0;
/// There was no memory.
pub const NO_MEMORY: i32 = 1;
/// The command was not valid.
pub const INVALID: i32 = 2;

/// Views of the memory.
#[derive(Debug)]
pub struct Shared {
    words: Int32Array,
    command: Int32Array,
    /// Bodies.
    pub body: Uint8Array,
    /// Outputs.
    pub output: Float32Array,
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
            command: words.subarray(COMMAND, COMMAND + COMMAND_LEN as u32),
            words,
            body: Uint8Array::new_with_byte_offset_and_length(buffer, WORDS_BYTES, body_bytes),
            output: Float32Array::new_with_byte_offset_and_length(
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

    /// Sets a word that another thread waits for.
    pub fn notify(&self, at: u32, value: i32) {
        atomic_store(&self.words, at, value);
        atomic_notify(&self.words, at);
    }

    /// Waits until a word is no longer `value`, spinning first; false where it still is after `ms`.
    pub fn wait(&self, at: u32, value: i32, spin: Option<&mut SpinLimit>, ms: f64) -> bool {
        if spin.is_some_and(|spin| spin.spin(|| self.get(at) != value)) {
            return true;
        }
        atomic_wait(&self.words, at, value, ms);
        self.get(at) != value
    }

    /// The command, and how long its body is. Once a word that was waited for has changed, all that was written before it can be read.
    pub fn command(&self) -> ([u32; COMMAND_WORDS], usize) {
        let mut words = [0; COMMAND_LEN];
        self.command.copy_to(&mut words);
        (std::array::from_fn(|i| words[i] as u32), words[COMMAND_WORDS] as usize)
    }

    /// Sets the command, and how long its body is.
    pub fn set_command(&self, command: &[u32; COMMAND_WORDS], body_bytes: usize) {
        let mut words = [body_bytes as i32; COMMAND_LEN];
        words.iter_mut().zip(command).for_each(|(word, from)| *word = *from as i32);
        self.command.copy_from(&words);
    }
}
