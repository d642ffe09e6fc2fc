use std::cell::Cell;
use std::rc::Rc;

use js_sys::Promise;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::property;
use crate::notify::Notify;

/// A thrown JavaScript value, reduced to what decisions need.
#[derive(Debug, Clone)]
pub struct Exception {
    /// For example `QuotaExceededError`.
    pub name: String,
    /// For a report.
    pub message: String,
}

impl From<JsValue> for Exception {
    fn from(value: JsValue) -> Self {
        let text = |key: &str| property(&value, key).as_string();
        Exception {
            name: text("name").unwrap_or_default(),
            message: text("message").unwrap_or_else(|| format!("{value:?}")),
        }
    }
}

impl std::fmt::Display for Exception {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.name, self.message)
    }
}

/// Awaits a promise whose value is a `T`.
///
/// # Errors
/// What the promise was rejected with, or a `TypeError` where the value is something else.
pub async fn settle<T: JsCast>(promise: Promise) -> Result<T, Exception> {
    let value = JsFuture::from(promise).await?;
    value.dyn_into().map_err(|value| Exception {
        name: "TypeError".into(),
        message: format!("{value:?} where {} was expected", std::any::type_name::<T>()),
    })
}

/// Runs a future to its end, also where nobody waits for it any more: for what the browser begins and somebody must end.
pub async fn detached<T: 'static>(work: impl Future<Output = T> + 'static) -> T {
    let end = Rc::new((Cell::new(None), Notify::default()));
    let begun = Rc::clone(&end);
    spawn_local(async move {
        begun.0.set(Some(work.await));
        begun.1.notify();
    });
    end.1.wait(|| end.0.take()).await
}
