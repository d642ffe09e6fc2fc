//! Locks that all tabs of a site share. The browser frees those of a worker that dies.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::{Rc, Weak};

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};

use super::{property, scope, settle};

/// A lock that is held.
#[derive(Debug)]
pub struct Lock {
    /// Frees it.
    release: Rc<RefCell<Option<Function>>>,
    /// Its name where the browser has no locks: then other requests of this worker are kept out, and nobody else.
    own: Option<String>,
}

thread_local! {
    /// Locks that are held without the browser.
    static OWN: RefCell<BTreeSet<String>> = const { RefCell::new(BTreeSet::new()) };
}

impl Lock {
    /// Takes a lock; `None` while another request or tab has it.
    pub async fn try_take(name: &str) -> Option<Lock> {
        // It is there before the browser answers: a lock that nobody waits for any more is freed at once.
        let lock = Lock { release: Rc::default(), own: None };
        let Some(asked) = ask(name, Rc::downgrade(&lock.release)) else {
            let is_free = OWN.with_borrow_mut(|held| held.insert(name.into()));
            return is_free.then(|| Lock { release: Rc::default(), own: Some(name.into()) });
        };
        let taken = settle::<js_sys::Boolean>(asked).await;
        taken.is_ok_and(|taken| taken.value_of()).then_some(lock)
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Some(name) = &self.own {
            OWN.with_borrow_mut(|held| held.remove(name));
        }
        if let Some(release) = self.release.take() {
            // Resolving a promise does not throw.
            let _ = release.call0(&JsValue::UNDEFINED);
        }
    }
}

/// Resolves to whether the lock was taken. The lock is held until the promise that the browser is given resolves, for
/// which `holder` is given the function.
fn ask(name: &str, holder: Weak<RefCell<Option<Function>>>) -> Option<Promise> {
    let locks = property(&scope().navigator(), "locks");
    let request: Function = property(&locks, "request").dyn_into().ok()?;
    let options = Object::new();
    Reflect::set(&options, &"ifAvailable".into(), &true.into()).ok()?;
    Some(Promise::new(&mut |resolve, reject| {
        let holder = holder.clone();
        let answer = move |lock: JsValue| -> JsValue {
            let taken = holder.upgrade().filter(|_| !lock.is_null());
            let _ = resolve.call1(&JsValue::UNDEFINED, &taken.is_some().into());
            let Some(holder) = taken else { return JsValue::UNDEFINED };
            let held = Promise::new(&mut |release, _| {
                holder.replace(Some(release));
            });
            held.into()
        };
        let answer = Closure::once_into_js(answer);
        if let Err(error) = request.call3(&locks, &format!("pith {name}").into(), &options, &answer) {
            let _ = reject.call1(&JsValue::UNDEFINED, &error);
        }
    }))
}
