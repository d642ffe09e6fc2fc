//! Turns of the event loop. Promises run before the next message is delivered, so a long computation has to wait for
//! a task of its own, or a `cancel` would only be read at its end. A message to oneself is such a task; timers are
//! clamped to 4 ms when nested.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use js_sys::{Function, Promise};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{MessageChannel, MessagePort};

use super::now_ms;

struct Doorbell {
    ring: MessagePort,
    _answer: MessagePort,
    _heard: Closure<dyn FnMut()>,
}

thread_local! {
    static WAITING: RefCell<VecDeque<Function>> = const { RefCell::new(VecDeque::new()) };
    static DOORBELL: Option<Doorbell> = doorbell();
}

fn doorbell() -> Option<Doorbell> {
    let channel = MessageChannel::new().ok()?;
    let heard = Closure::<dyn FnMut()>::new(|| {
        if let Some(resolve) = WAITING.with_borrow_mut(VecDeque::pop_front) {
            // Resolving a promise does not throw.
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
    channel.port1().set_onmessage(Some(heard.as_ref().unchecked_ref()));
    Some(Doorbell { ring: channel.port2(), _answer: channel.port1(), _heard: heard })
}

/// Waits until the event loop has handled what was there before.
async fn next_turn() {
    let promise = Promise::new(&mut |resolve, _| {
        let rung =
            DOORBELL.with(|bell| bell.as_ref().is_some_and(|b| b.ring.post_message(&JsValue::NULL).is_ok()));
        if rung {
            WAITING.with_borrow_mut(|waiting| waiting.push_back(resolve));
        } else {
            let _ = resolve.call0(&JsValue::UNDEFINED);
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// Lets the event loop breathe a hundred times a second, and no oftener.
#[derive(Debug)]
pub struct Pace {
    last_ms: Cell<f64>,
}

impl Pace {
    const EVERY_MS: f64 = 10.0;

    /// The first breath is due after 10 ms.
    pub fn new() -> Self {
        Pace { last_ms: Cell::new(now_ms()) }
    }

    /// Yields to the event loop when it is time.
    pub async fn breathe(&self) {
        if now_ms() - self.last_ms.get() >= Self::EVERY_MS {
            next_turn().await;
            self.last_ms.set(now_ms());
        }
    }
}
