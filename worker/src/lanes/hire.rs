//! Hires workers, and lets them go.

use std::cell::{Cell, RefCell};

use js_sys::{Array, Function, Promise};
use pith_engine::backend::{Crew, Line};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::line::SharedLine;
use super::shared;
use crate::browser::{now_ms, scope};

/// More help little: memory is as fast as it is.
const LANES_MAX: u32 = 8;

thread_local! {
    /// Starts workers.
    static HIRE: RefCell<Option<Function>> = const { RefCell::new(None) };
    /// What the page asks for; 0 where it says nothing.
    static ASKED: Cell<u32> = const { Cell::new(0) };
    /// Those that were hired at a time when it asked for so many.
    static CREW: RefCell<Option<(u32, Crew)>> = const { RefCell::new(None) };
}

/// `hire(module, count, bytes)` starts workers with a shared buffer each.
pub fn hire_with(hire: Function) {
    HIRE.set(Some(hire));
}

/// Sets how many threads multiply, of models that are loaded from now on; 0 takes those that help.
pub fn ask_threads(count: u32) {
    ASKED.set(count);
}

/// What the page asks for.
pub fn asked_threads() -> u32 {
    ASKED.get()
}

/// The workers that help, hired when they are first needed. None where they cannot share memory, and after one was lost.
pub async fn crew() -> Crew {
    let asked = ASKED.get();
    let hired = CREW.with_borrow(|crew| crew.clone().filter(|(under, _)| *under == asked));
    if let Some((_, crew)) = hired {
        return if crew.lost().is_none() { crew } else { Crew::default() };
    }
    let cores = scope().navigator().hardware_concurrency() as u32;
    // The browser and the page have one of several.
    let count = if asked > 0 { asked } else { cores.saturating_sub(1).max(2).min(cores) }.min(LANES_MAX);
    let crew = Crew::new(hire(count.saturating_sub(1)).await);
    if asked == 0 {
        crew.keep_those_that_help(now_ms);
    }
    CREW.set(Some((asked, crew.clone())));
    crew
}

/// Lets all go, once no device has them: the memory of what they held goes only with them.
pub fn dismiss() {
    CREW.set(None);
}

async fn hire(count: u32) -> Vec<Box<dyn Line>> {
    let Some(hire) = HIRE.with_borrow(Clone::clone).filter(|_| count > 0) else { return Vec::new() };
    let hired = hire.call3(
        &JsValue::NULL,
        &wasm_bindgen::module(),
        &JsValue::from(count),
        &JsValue::from(shared::BYTES as u32),
    );
    let Ok(Ok(hired)) = hired.map(JsCast::dyn_into::<Promise>) else { return Vec::new() };
    let hired = JsFuture::from(hired).await.ok().and_then(|hired| hired.dyn_into::<Array>().ok());
    let lines = hired.into_iter().flat_map(|hired| hired.to_vec()).map(SharedLine::new);
    lines.map(|line| Box::new(line) as Box<dyn Line>).collect()
}
