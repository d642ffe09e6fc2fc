//! The worker's global scope: clock, heap, turns of the event loop, JavaScript's exceptions.

mod exception;
mod turn;

pub use exception::{Exception, settle};
pub use turn::Pace;

use wasm_bindgen::JsCast;
use web_sys::DedicatedWorkerGlobalScope;

/// The dedicated worker's global object.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// Milliseconds since the worker began; 0 where the browser hides its clock.
pub fn now_ms() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

/// Size of the wasm memory. It only grows.
pub fn heap_bytes() -> u64 {
    const PAGE_BYTES: u64 = 65_536;
    core::arch::wasm32::memory_size(0) as u64 * PAGE_BYTES
}
