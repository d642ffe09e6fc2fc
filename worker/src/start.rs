//! The message loop.

use std::rc::Rc;

use gloo::events::EventListener;
use js_sys::{Array, Function, Object, Reflect};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, MessageEvent};

use crate::blocks::Blocks;
use crate::browser::{property, scope};
use crate::error::WorkerError;
use crate::grammar::fetch_with;
use crate::protocol::{Event, PROTOCOL_VERSION, Request};
use crate::requests::{self, Attached};
use crate::router::Router;
use crate::threads::spawn_with;
use crate::ticket::post;

thread_local! {
    static ROUTER: Rc<Router> = Router::new();
}

/// Begins to answer messages. Called once, by the worker's module (`web/src/worker.ts`), which ends every open request
/// at a `fatal` event and passes no message on afterwards. `open_grammar` fetches the module for formats, `spawn` starts workers that
/// multiply.
#[wasm_bindgen]
pub fn start(open_grammar: Function, spawn: Function) {
    fetch_with(open_grammar);
    spawn_with(spawn);
    std::panic::set_hook(Box::new(|info| {
        console_error_panic_hook::hook(info);
        post(0, Event::Fatal { error: WorkerError::Internal { why: info.to_string() }.failure() });
    }));
    EventListener::new(&scope(), "message", |event| {
        if let Some(message) = event.dyn_ref::<MessageEvent>() {
            receive(&message.data());
        }
    })
    .forget();
}

/// Reads one message. What can be read of a bad one is used to tell its sender.
fn receive(message: &JsValue) {
    let field = |name: &str| property(message, name);
    let number = |value: &JsValue| {
        let number = value.as_f64().filter(|n| n.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(n));
        number.map(|n| n as u32)
    };
    let id = number(&field("id"));
    let fail = |error: WorkerError| post(id.unwrap_or(0), Event::Failed { error: error.failure() });
    let version = field("version");
    if number(&version) != Some(PROTOCOL_VERSION) {
        return fail(WorkerError::ProtocolVersion { found: format!("{version:?}") });
    }
    // 0 is the worker's own.
    let Some(id) = id.filter(|id| *id != 0) else {
        return fail(WorkerError::BadMessage { why: "the message has no id above 0".into() });
    };
    let request = field("request");
    let blocks = Blocks::take(&request);
    match serde_wasm_bindgen::from_value::<Request>(named(request)) {
        Ok(request) => {
            let files = field("files").dyn_into::<Array>().unwrap_or_default();
            let files = files.iter().filter_map(|file| file.dyn_into::<Blob>().ok()).collect();
            ROUTER.with(|router| requests::receive(router, id, request, Attached { files, blocks }));
        }
        Err(error) => fail(WorkerError::BadMessage { why: error.to_string() }),
    }
}

/// `{ type: "load", ... }` as `{ load: { type: "load", ... } }`.
fn named(request: JsValue) -> JsValue {
    let outside = Object::new();
    // What is no name of a request is refused as such.
    let _ = Reflect::set(&outside, &property(&request, "type"), &request);
    outside.into()
}
