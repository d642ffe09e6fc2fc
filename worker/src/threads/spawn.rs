//! Starts and ends the threads.

use std::cell::{Cell, RefCell};

use js_sys::{Array, Function, Promise};
use pith_engine::backend::{Channel, ThreadPool};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::channel::SharedChannel;
use super::shared;
use crate::browser::{now_ms, scope};

/// More threads help little: all share the memory's bandwidth.
const THREADS_MAX: u32 = 8;

thread_local! {
    /// Starts workers.
    static SPAWN: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// How many threads the page requests; 0 where it requests no number.
    static REQUESTED: Cell<u32> = const { Cell::new(0) };
    /// The pool, and how many threads were requested when it was made.
    static POOL: RefCell<Option<(u32, ThreadPool)>> = const { RefCell::new(None) };
}

/// `spawn(module, count, bytes)` starts workers with a shared buffer each.
pub fn spawn_with(spawn: Function) {
    SPAWN.set(Some(spawn));
}

/// Sets how many threads multiply, for models that are loaded from now on; 0 takes as many as help.
pub fn set_threads(count: u32) {
    REQUESTED.set(count);
}

/// How many threads the page requests; 0 where it requests no number.
pub fn requested_threads() -> u32 {
    REQUESTED.get()
}

/// The thread pool, started when it is first needed. It is empty where memory cannot be shared, and after a thread was lost.
pub async fn pool() -> ThreadPool {
    let requested = REQUESTED.get();
    let spawned = POOL.with_borrow(|pool| pool.clone().filter(|(under, _)| *under == requested));
    if let Some((_, pool)) = spawned {
        return if pool.lost().is_none() { pool } else { ThreadPool::default() };
    }
    let cores = scope().navigator().hardware_concurrency() as u32;
    // One core is left to the browser and the page if there are more than two.
    let count =
        if requested > 0 { requested } else { cores.saturating_sub(1).max(2).min(cores) }.min(THREADS_MAX);
    let pool = ThreadPool::new(spawn(count.saturating_sub(1)).await);
    if requested == 0 {
        pool.keep_helpful(now_ms);
    }
    POOL.set(Some((requested, pool.clone())));
    pool
}

/// Ends all threads once no device uses them: their memory is freed only when they end.
pub fn end_threads() {
    POOL.set(None);
}

async fn spawn(count: u32) -> Vec<Box<dyn Channel>> {
    let Some(spawn) = SPAWN.with_borrow(Clone::clone).filter(|_| count > 0) else { return Vec::new() };
    let spawned = spawn.call3(
        &JsValue::NULL,
        &wasm_bindgen::module(),
        &JsValue::from(count),
        &JsValue::from(shared::BYTES as u32),
    );
    let Ok(Ok(spawned)) = spawned.map(JsCast::dyn_into::<Promise>) else { return Vec::new() };
    let spawned = JsFuture::from(spawned).await.ok().and_then(|spawned| spawned.dyn_into::<Array>().ok());
    let channels = spawned.into_iter().flat_map(|spawned| spawned.to_vec()).map(SharedChannel::new);
    channels.map(|channel| Box::new(channel) as Box<dyn Channel>).collect()
}
