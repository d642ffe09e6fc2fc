//! Blobs: a piece at once, synchronously, or from front to back.

use std::cell::RefCell;

use js_sys::{IteratorNext, Object, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Blob, FileReaderSync, ReadableStreamDefaultReader};

use super::exception::{Exception, settle};

/// Most bytes that are read and left out. Beyond them the stream is begun anew.
const SKIP_BYTES_MAX: u64 = 4 << 20;

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

/// A blob that is read from front to back, three times faster than piece by piece: the browser reads ahead.
pub struct BlobReader {
    blob: Blob,
    stream: RefCell<Option<Stream>>,
}

impl BlobReader {
    /// A reader of the whole blob. Nothing is read yet.
    pub fn new(blob: Blob) -> Self {
        BlobReader { blob, stream: RefCell::default() }
    }

    /// How long the blob is.
    pub fn len_bytes(&self) -> u64 {
        self.blob.size() as u64
    }

    /// Fills `into` from `offset_bytes` on and says how many bytes there were. What follows the last read costs least.
    ///
    /// # Errors
    /// The browser's `DOMException`, such as `NotReadableError` for a file that has moved or changed.
    pub async fn read_at(&self, offset_bytes: u64, into: &mut [u8]) -> Result<usize, Exception> {
        let follows = |stream: &Stream| {
            offset_bytes.checked_sub(stream.at_bytes).is_some_and(|skip_bytes| skip_bytes <= SKIP_BYTES_MAX)
        };
        let stream = self.stream.take().filter(follows);
        let mut stream = match stream {
            Some(stream) => stream,
            None => Stream::open(&self.blob, offset_bytes)?,
        };
        stream.skip_to(offset_bytes).await?;
        let read_bytes = stream.fill(into).await?;
        self.stream.replace(Some(stream));
        Ok(read_bytes)
    }
}

/// The rest of a blob, on its way.
struct Stream {
    reader: ReadableStreamDefaultReader,
    /// Where what is read next lies in the blob.
    at_bytes: u64,
    /// What has arrived and not been read.
    chunk: Uint8Array,
    /// Whether all has arrived, or nothing more can.
    is_over: bool,
}

impl Stream {
    fn open(blob: &Blob, at_bytes: u64) -> Result<Self, Exception> {
        let rest = blob.slice_with_f64_and_f64(at_bytes as f64, blob.size())?;
        let reader = rest.stream().get_reader().unchecked_into();
        Ok(Stream { reader, at_bytes, chunk: Uint8Array::new_with_length(0), is_over: false })
    }

    async fn skip_to(&mut self, offset_bytes: u64) -> Result<(), Exception> {
        while self.at_bytes < offset_bytes && self.has_some().await? {
            let skipped = u64::from(self.chunk.length()).min(offset_bytes - self.at_bytes);
            self.take(skipped as u32);
        }
        Ok(())
    }

    async fn fill(&mut self, into: &mut [u8]) -> Result<usize, Exception> {
        let mut filled = 0;
        while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            if !self.has_some().await? {
                break;
            }
            let len = rest.len().min(self.chunk.length() as usize);
            if let Some(part) = rest.get_mut(..len) {
                self.take(len as u32).copy_to(part);
            }
            filled += len;
        }
        Ok(filled)
    }

    /// Whether there is anything to read. Waits for it.
    async fn has_some(&mut self) -> Result<bool, Exception> {
        while self.chunk.length() == 0 && !self.is_over {
            let next = settle::<Object>(self.reader.read()).await;
            // After an error there is nothing to cancel.
            self.is_over = next.is_err();
            let next = next?.unchecked_into::<IteratorNext>();
            self.is_over = next.done();
            if !self.is_over {
                self.chunk = next.value().unchecked_into();
            }
        }
        Ok(self.chunk.length() > 0)
    }

    /// The first `len` bytes of what has arrived.
    fn take(&mut self, len: u32) -> Uint8Array {
        let taken = self.chunk.subarray(0, len);
        self.chunk = self.chunk.subarray(len, self.chunk.length());
        self.at_bytes += u64::from(len);
        taken
    }
}

impl Drop for Stream {
    /// The browser need not read further.
    fn drop(&mut self) {
        if !self.is_over {
            let _ = self.reader.cancel();
        }
    }
}
