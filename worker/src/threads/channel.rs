//! The channel to a thread.

use js_sys::Function;
use pith_engine::backend::{Channel, DeviceError};
use pith_engine::kernels::COMMAND_WORDS;
use wasm_bindgen::{JsCast, JsValue};

use super::shared::{DONE, IDLE, NO_MEMORY, OK, OUTPUT_LEN, SENT, STATUS, Shared};
use super::spin::SpinLimit;
use crate::browser::property;

/// Far longer than any product takes.
const TIMEOUT_MS: f64 = 60_000.0;

/// The memory shared with a thread, which ends when this is dropped.
pub struct SharedChannel {
    shared: Shared,
    /// Sends a message.
    wake: JsValue,
    end: JsValue,
    commands: i32,
    spin: SpinLimit,
}

impl SharedChannel {
    /// Of `{ buffer, wake, end }`.
    pub fn new(spawned: JsValue) -> Self {
        let shared = Shared::new(property(&spawned, "buffer").unchecked_ref());
        let (wake, end) = (property(&spawned, "wake"), property(&spawned, "end"));
        SharedChannel { shared, wake, end, commands: 0, spin: SpinLimit::default() }
    }
}

impl Channel for SharedChannel {
    fn send(&mut self, command: &[u32; COMMAND_WORDS], body: &[u8]) -> Result<(), DeviceError> {
        self.shared.body.subarray(0, body.len() as u32).copy_from(body);
        self.shared.set_command(command, body.len());
        self.commands = self.commands.wrapping_add(1);
        self.shared.notify(SENT, self.commands);
        if self.shared.get(IDLE) == 1 {
            call(&self.wake);
        }
        Ok(())
    }

    fn receive(&mut self, out: &mut [f32]) -> Result<(), DeviceError> {
        if !self.shared.wait(DONE, self.commands.wrapping_sub(1), Some(&mut self.spin), TIMEOUT_MS) {
            return Err(lost("does not respond"));
        }
        match self.shared.get(STATUS) {
            OK if self.shared.get(OUTPUT_LEN) as usize == out.len() => {
                self.shared.output.subarray(0, out.len() as u32).copy_to(out);
                Ok(())
            }
            NO_MEMORY => Err(DeviceError::OutOfMemory { detail: "a part of a matrix".to_owned() }),
            _ => Err(lost("has stopped")),
        }
    }
}

impl Drop for SharedChannel {
    fn drop(&mut self) {
        call(&self.end);
    }
}

fn call(function: &JsValue) {
    if let Some(function) = function.dyn_ref::<Function>() {
        // A thread that has ended is noticed when its output is awaited.
        let _ = function.call0(&JsValue::NULL);
    }
}

fn lost(what: &str) -> DeviceError {
    DeviceError::Lost { reason: format!("a CPU thread {what}") }
}
