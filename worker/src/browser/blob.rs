//! Blobs, read synchronously.

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::{Blob, FileReaderSync};

/// Reads from a blob, synchronously as browsers allow inside a worker, and says how many bytes there were.
///
/// # Errors
/// The browser's `DOMException`, such as `NotReadableError` for a file that has moved or changed.
pub fn read_blob(blob: &Blob, offset_bytes: u64, into: &mut [u8]) -> Result<usize, JsValue> {
    let end_bytes = offset_bytes + into.len() as u64;
    let slice = blob.slice_with_f64_and_f64(offset_bytes as f64, end_bytes as f64)?;
    let buffer = FileReaderSync::new()?.read_as_array_buffer(&slice)?;
    let bytes = Uint8Array::new(&buffer);
    let read_bytes = bytes.length() as usize;
    if let Some(filled) = into.get_mut(..read_bytes) {
        bytes.copy_to(filled);
    }
    Ok(read_bytes)
}
