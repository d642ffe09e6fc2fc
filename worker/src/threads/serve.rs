//! What a thread runs.

use std::cell::RefCell;

use js_sys::SharedArrayBuffer;
use pith_engine::kernels::{CommandError, ShardCommand, ShardStore};
use wasm_bindgen::prelude::wasm_bindgen;

use super::shared::{DONE, IDLE, INVALID, NO_MEMORY, OK, OUTPUT_LEN, SENT, STATUS, Shared};
use super::spin::SpinLimit;

/// After so long without a command the thread waits for a message: only then the browser can end it at once.
const IDLE_MS: f64 = 50.0;

thread_local! {
    static SERVER: RefCell<Option<Server>> = const { RefCell::new(None) };
}

/// Executes commands until there was none for a while; the next one then comes with a message. Called by the thread's module
/// (`web/src/threads.ts`) with the memory that it shares with the worker.
#[wasm_bindgen]
pub fn serve(buffer: SharedArrayBuffer) {
    SERVER.with_borrow_mut(|server| server.get_or_insert_with(|| Server::new(&buffer)).serve());
}

struct Server {
    shared: Shared,
    shards: ShardStore,
    body: Vec<u8>,
    output: Vec<f32>,
    /// Number of the last command.
    done: i32,
    spin: SpinLimit,
}

impl Server {
    fn new(buffer: &SharedArrayBuffer) -> Self {
        let shared = Shared::new(buffer);
        let (shards, spin) = (ShardStore::default(), SpinLimit::default());
        Server { shared, shards, body: Vec::new(), output: Vec::new(), done: 0, spin }
    }

    fn serve(&mut self) {
        self.shared.set(IDLE, 0);
        let mut is_multiplying = false;
        loop {
            let spin = is_multiplying.then_some(&mut self.spin);
            if self.shared.wait(SENT, self.done, spin, IDLE_MS) {
                is_multiplying = self.execute();
                continue;
            }
            // A command sent from now on comes with a message; one sent before is seen here.
            self.shared.set(IDLE, 1);
            if self.shared.get(SENT) == self.done {
                return;
            }
            self.shared.set(IDLE, 0);
        }
    }

    /// Executes the next command. Products follow each other, so after one it pays to spin for the next; a file's bytes come when they
    /// are there, and reading them needs the core.
    fn execute(&mut self) -> bool {
        let (command, body_bytes) = self.shared.command();
        self.body.resize(body_bytes, 0);
        self.shared.body.subarray(0, body_bytes as u32).copy_to(&mut self.body);
        let command = ShardCommand::read(&command).ok_or(CommandError::Invalid);
        let status =
            match command.and_then(|command| self.shards.execute(command, &self.body, &mut self.output)) {
                Ok(()) => OK,
                Err(CommandError::OutOfMemory) => NO_MEMORY,
                Err(CommandError::Invalid) => INVALID,
            };
        self.shared.output.subarray(0, self.output.len() as u32).copy_from(&self.output);
        self.shared.set(OUTPUT_LEN, self.output.len() as i32);
        self.shared.set(STATUS, status);
        self.done = self.done.wrapping_add(1);
        self.shared.notify(DONE, self.done);
        matches!(command, Ok(ShardCommand::Multiply { .. }))
    }
}
