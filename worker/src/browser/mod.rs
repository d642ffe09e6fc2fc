//! The worker's global scope: clock, heap, turns of the event loop, JavaScript's exceptions, blobs, IndexedDB.

mod blob;
mod database;
mod exception;
mod gpu_adapter;
mod lock;
mod root;
mod turn;

pub use blob::{BlobReader, read_blob};
pub use database::Database;
pub use exception::{Exception, detached, settle};
pub use gpu_adapter::gpu_adapter_words;
pub use lock::Lock;
pub use root::{root_folder, storage};
pub use turn::Pace;

use js_sys::Reflect;
use pith_engine::chat::Moment;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::DedicatedWorkerGlobalScope;

/// The dedicated worker's global object.
pub fn scope() -> DedicatedWorkerGlobalScope {
    js_sys::global().unchecked_into()
}

/// A property; undefined where there is none, or no object. That is looked at before: a call that throws leaves a slot of
/// wasm-bindgen's table of references taken.
pub fn property(of: &JsValue, name: &str) -> JsValue {
    if !of.is_object() {
        return JsValue::UNDEFINED;
    }
    Reflect::get(of, &name.into()).unwrap_or_default()
}

/// Milliseconds since the worker began; 0 where the browser hides its clock.
pub fn now_ms() -> f64 {
    scope().performance().map_or(0.0, |clock| clock.now())
}

/// How much memory the device has, where the browser says it: no more than 8.
pub fn device_memory_gib() -> Option<f64> {
    property(&scope().navigator(), "deviceMemory").as_f64()
}

/// False where the browser knows that there is no network.
pub fn is_online() -> bool {
    property(&scope().navigator(), "onLine").as_bool().unwrap_or(true)
}

/// Milliseconds since 1970.
pub fn since_1970_ms() -> f64 {
    js_sys::Date::now()
}

/// The user's date and time, which chat templates may mention.
pub fn local_time() -> Moment {
    let now = js_sys::Date::new_0();
    Moment {
        year: now.get_full_year() as i32,
        month: now.get_month() + 1,
        day: now.get_date(),
        hour: now.get_hours(),
        minute: now.get_minutes(),
        second: now.get_seconds(),
    }
}

/// A number from 0 to below 1.
pub fn random() -> f64 {
    js_sys::Math::random()
}

/// Size of the wasm memory. It only grows.
pub fn heap_bytes() -> u64 {
    const PAGE_BYTES: u64 = 65_536;
    core::arch::wasm32::memory_size(0) as u64 * PAGE_BYTES
}
