//! Locks that all tabs of a site share. The browser frees those of a worker that dies.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use super::{scope, settle};

/// A lock that is held.
#[derive(Debug)]
pub struct Lock {
    /// Absent where the browser has no locks: then nobody is kept out.
    release: Option<Function>,
}

impl Lock {
    /// Takes a lock; `None` while another request or tab has it.
    pub async fn try_take(name: &str) -> Option<Lock> {
        let Some(asked) = ask(name) else { return Some(Lock { release: None }) };
        settle::<Function>(asked).await.ok().map(|release| Lock { release: Some(release) })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(release) = &self.release {
            // Resolving a promise does not throw.
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}

/// Resolves to the function that frees the lock, or to null. The lock is held until the promise that the browser is
/// given resolves.
fn ask(name: &str) -> Option<Promise> {
    let locks = Reflect::get(&scope().navigator(), &"locks".into()).ok()?;
    let request: Function = Reflect::get(&locks, &"request".into()).ok()?.dyn_into().ok()?;
    let options = Object::new();
    Reflect::set(&options, &"ifAvailable".into(), &true.into()).ok()?;
    Some(Promise::new(&mut |resolve, reject| {
        let answer = move |lock: JsValue| -> JsValue {
            if lock.is_null() {
                let _ = resolve.call1(&JsValue::UNDEFINED, &JsValue::NULL);
                return JsValue::UNDEFINED;
            }
            let held = Promise::new(&mut |release, _| {
                let _ = resolve.call1(&JsValue::UNDEFINED, &release);
            });
            held.into()
        };
        let answer = Closure::once_into_js(answer);
        if let Err(error) = request.call3(&locks, &format!("pith {name}").into(), &options, &answer) {
            let _ = reject.call1(&JsValue::UNDEFINED, &error);
        }
    }))
}
