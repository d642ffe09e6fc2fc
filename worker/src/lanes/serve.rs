//! What such a worker does.

use std::cell::RefCell;

use js_sys::SharedArrayBuffer;
use pith_engine::kernels::{Hand, Order, Refusal};
use wasm_bindgen::prelude::wasm_bindgen;

use super::patience::Patience;
use super::shared::{ANSWER_LEN, ASLEEP, DONE, NO_MEMORY, NO_SENSE, ORDERED, STATUS, Shared, WELL};

/// So long without an order, and the worker waits for a message: only then the browser can end it at once.
const IDLE_MS: f64 = 50.0;

thread_local! {
    static SERVER: RefCell<Option<Server>> = const { RefCell::new(None) };
}

/// Does what the other worker orders, until there was no order for a while: then that one sends a message with the next. Called by the
/// worker's module (`web/src/lanes.ts`) with the memory that they share.
#[wasm_bindgen]
pub fn serve(buffer: SharedArrayBuffer) {
    SERVER.with_borrow_mut(|server| server.get_or_insert_with(|| Server::new(&buffer)).serve());
}

struct Server {
    shared: Shared,
    hand: Hand,
    body: Vec<u8>,
    answer: Vec<f32>,
    /// Number of the last order.
    done: i32,
    patience: Patience,
}

impl Server {
    fn new(buffer: &SharedArrayBuffer) -> Self {
        let shared = Shared::new(buffer);
        let (hand, patience) = (Hand::default(), Patience::default());
        Server { shared, hand, body: Vec::new(), answer: Vec::new(), done: 0, patience }
    }

    fn serve(&mut self) {
        self.shared.set(ASLEEP, 0);
        let mut is_multiplying = false;
        loop {
            let patience = is_multiplying.then_some(&mut self.patience);
            if self.shared.wait(ORDERED, self.done, patience, IDLE_MS) {
                is_multiplying = self.obey();
                continue;
            }
            // Whoever orders from now on sees it; who did before is seen.
            self.shared.set(ASLEEP, 1);
            if self.shared.get(ORDERED) == self.done {
                return;
            }
            self.shared.set(ASLEEP, 0);
        }
    }

    /// Does the next order. Products follow each other, so after one it pays to look for the next; a file's bytes come when they
    /// are there, and reading them needs the core.
    fn obey(&mut self) -> bool {
        let (order, body_bytes) = self.shared.order();
        self.body.resize(body_bytes, 0);
        self.shared.body.subarray(0, body_bytes as u32).copy_to(&mut self.body);
        let order = Order::read(&order).ok_or(Refusal::Order);
        let status = match order.and_then(|order| self.hand.obey(order, &self.body, &mut self.answer)) {
            Ok(()) => WELL,
            Err(Refusal::Memory) => NO_MEMORY,
            Err(Refusal::Order) => NO_SENSE,
        };
        self.shared.answer.subarray(0, self.answer.len() as u32).copy_from(&self.answer);
        self.shared.set(ANSWER_LEN, self.answer.len() as i32);
        self.shared.set(STATUS, status);
        self.done = self.done.wrapping_add(1);
        self.shared.tell(DONE, self.done);
        matches!(order, Ok(Order::Multiply { .. }))
    }
}
