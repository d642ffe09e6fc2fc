//! What the browser tells of its WebGPU adapter. wgpu passes on the description alone, which browsers leave empty.

use js_sys::{Function, Object, Promise, Reflect};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use super::{property, scope};

/// Vendor, architecture and description of the adapter that WebGPU gives; `None` where there is none, or it says
/// nothing.
pub async fn gpu_adapter_words() -> Option<String> {
    let gpu = member(&scope().navigator(), "gpu")?;
    let options = Object::new();
    Reflect::set(&options, &"powerPreference".into(), &"high-performance".into()).ok()?;
    let request: Function = member(&gpu, "requestAdapter")?.dyn_into().ok()?;
    let promise: Promise = request.call1(&gpu, &options).ok()?.dyn_into().ok()?;
    let adapter = JsFuture::from(promise).await.ok()?;
    let info = member(&adapter, "info")?;
    let words = ["vendor", "architecture", "description"].into_iter();
    let words: Vec<String> =
        words.filter_map(|name| member(&info, name)?.as_string()).filter(|w| !w.is_empty()).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// A property that is there.
fn member(of: &JsValue, name: &str) -> Option<JsValue> {
    Some(property(of, name)).filter(|value| !value.is_undefined() && !value.is_null())
}
