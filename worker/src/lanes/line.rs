//! The way to a worker that multiplies.

use js_sys::Function;
use pith_engine::backend::{DeviceError, Line};
use pith_engine::kernels::ORDER_WORDS;
use wasm_bindgen::{JsCast, JsValue};

use super::patience::Patience;
use super::shared::{ANSWER_LEN, ASLEEP, DONE, NO_MEMORY, ORDERED, STATUS, Shared, WELL};
use crate::browser::property;

/// No product takes so long.
const ANSWERS_WITHIN_MS: f64 = 60_000.0;

/// What is shared with a worker, which ends with it.
pub struct SharedLine {
    shared: Shared,
    /// Sends a message.
    wake: JsValue,
    end: JsValue,
    orders: i32,
    patience: Patience,
}

impl SharedLine {
    /// Of `{ buffer, wake, end }`.
    pub fn new(hired: JsValue) -> Self {
        let shared = Shared::new(property(&hired, "buffer").unchecked_ref());
        let (wake, end) = (property(&hired, "wake"), property(&hired, "end"));
        SharedLine { shared, wake, end, orders: 0, patience: Patience::default() }
    }
}

impl Line for SharedLine {
    fn send(&mut self, order: &[u32; ORDER_WORDS], body: &[u8]) -> Result<(), DeviceError> {
        self.shared.body.subarray(0, body.len() as u32).copy_from(body);
        self.shared.set_order(order, body.len());
        self.orders = self.orders.wrapping_add(1);
        self.shared.tell(ORDERED, self.orders);
        if self.shared.get(ASLEEP) == 1 {
            call(&self.wake);
        }
        Ok(())
    }

    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError> {
        if !self.shared.wait(DONE, self.orders.wrapping_sub(1), Some(&mut self.patience), ANSWERS_WITHIN_MS) {
            return Err(lost("does not answer"));
        }
        match self.shared.get(STATUS) {
            WELL if self.shared.get(ANSWER_LEN) as usize == out.len() => {
                self.shared.answer.subarray(0, out.len() as u32).copy_to(out);
                Ok(())
            }
            NO_MEMORY => Err(DeviceError::OutOfMemory { detail: "a part of a matrix".to_owned() }),
            _ => Err(lost("has stopped")),
        }
    }
}

impl Drop for SharedLine {
    fn drop(&mut self) {
        call(&self.end);
    }
}

fn call(function: &JsValue) {
    if let Some(function) = function.dyn_ref::<Function>() {
        // Who does not hear it has ended, which shows in the answers.
        let _ = function.call0(&JsValue::NULL);
    }
}

fn lost(what: &str) -> DeviceError {
    DeviceError::Lost { reason: format!("a worker that multiplies {what}") }
}
