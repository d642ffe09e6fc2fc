//! What travels in a form of its own, and not as plain data.

use serde::{Deserialize, Serialize, Serializer};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// Numbers that arrive as one `Float32Array` instead of an array of numbers.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[cfg_attr(not(target_arch = "wasm32"), ts(type = "Float32Array"))]
pub struct Floats(pub Vec<f32>);

impl Serialize for Floats {
    #[cfg(target_arch = "wasm32")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let array = js_sys::Float32Array::from(self.0.as_slice());
        serde_wasm_bindgen::preserve::serialize(&array, serializer)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Files that the browser keeps. They travel as an array of `Blob`s.
#[derive(Debug, Clone, Default)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[cfg_attr(not(target_arch = "wasm32"), ts(type = "Blob[]"))]
pub struct Blobs(
    #[cfg(target_arch = "wasm32")] pub Vec<web_sys::Blob>,
    /// There are none outside a browser.
    #[cfg(not(target_arch = "wasm32"))]
    pub (),
);

impl Serialize for Blobs {
    #[cfg(target_arch = "wasm32")]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let array: js_sys::Array = self.0.iter().collect();
        serde_wasm_bindgen::preserve::serialize(&array, serializer)
    }

    #[cfg(not(target_arch = "wasm32"))]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}

/// Nobody sends files to the worker in this form.
impl<'de> Deserialize<'de> for Blobs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        serde::de::IgnoredAny::deserialize(deserializer).map(|_| Blobs::default())
    }
}
