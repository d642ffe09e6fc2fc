//! Streams a file from the network into the store, never through the wasm heap.

use js_sys::{IteratorNext, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ReadableStreamDefaultReader, Response};

use crate::browser::settle;
use crate::error::WorkerError;
use crate::protocol::Stage;
use crate::source::{fetch, network};
use crate::store::{Part, Store};
use crate::ticket::Ticket;

/// What every GGUF file begins with. A sign-in page is refused after its first bytes.
const MAGIC: &[u8; 4] = b"GGUF";

/// Downloads `url` into the store as `name`. On any failure nothing of that name is stored.
///
/// # Errors
/// `Network`, `HttpStatus`, `NotGguf`, `NoRoom`, `QuotaExceeded`, `Storage`, `Cancelled`.
pub async fn download(store: &Store, url: &str, name: &str, ticket: &Ticket) -> Result<(), WorkerError> {
    ticket.progress(Stage::Download, 0, 0);
    let response = fetch(url, ticket).await?;
    let expected_bytes = expected_len_bytes(&response);
    if let (Some(need_bytes), Some(free_bytes)) = (expected_bytes, store.free_bytes().await)
        && need_bytes > free_bytes
    {
        return Err(WorkerError::NoRoom { need_bytes, free_bytes });
    }
    let mut part = store.create(name).await?;
    match stream(&response, url, expected_bytes, &mut part, ticket).await {
        Ok(()) => store.finish(part).await,
        Err(error) => {
            store.discard(part).await;
            Err(error)
        }
    }
}

/// `content-length`, where it counts the bytes that arrive: it does not when the body is compressed on the way.
fn expected_len_bytes(response: &Response) -> Option<u64> {
    let header = |name: &str| response.headers().get(name).ok().flatten();
    match header("content-encoding").as_deref() {
        None | Some("identity") => header("content-length")?.parse().ok(),
        Some(_) => None,
    }
}

async fn stream(
    response: &Response,
    url: &str,
    expected_bytes: Option<u64>,
    part: &mut Part,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let empty = || WorkerError::Network { url: url.into(), why: "the answer has no body".into() };
    let reader: ReadableStreamDefaultReader =
        response.body().ok_or_else(empty)?.get_reader().unchecked_into();
    let mut magic = Vec::with_capacity(MAGIC.len());
    let result = loop {
        let chunk = match settle::<js_sys::Object>(reader.read()).await {
            Ok(next) => next.unchecked_into::<IteratorNext>(),
            Err(error) => break Err(network(url, ticket, error)),
        };
        if chunk.done() {
            break Ok(());
        }
        let bytes: Uint8Array = chunk.value().unchecked_into();
        if magic.len() < MAGIC.len() {
            let missing = (MAGIC.len() - magic.len()).min(bytes.length() as usize);
            magic.extend(bytes.subarray(0, missing as u32).to_vec());
            if !MAGIC.starts_with(&magic) {
                break Err(WorkerError::NotGguf { url: url.into() });
            }
        }
        if let Err(error) = part.append(&bytes) {
            break Err(error);
        }
        ticket.progress(Stage::Download, part.len_bytes(), expected_bytes.unwrap_or(0));
        if let Err(error) = ticket.checkpoint().await {
            break Err(error);
        }
    };
    if result.is_err() {
        // Ends the transfer. A stream that is broken already says so once more.
        let _ = settle::<JsValue>(reader.cancel()).await;
        return result;
    }
    match expected_bytes {
        Some(expected) if expected != part.len_bytes() => {
            let why = format!("it ended after {} of {expected} bytes", part.len_bytes());
            Err(WorkerError::Network { url: url.into(), why })
        }
        _ if magic.len() < MAGIC.len() => Err(WorkerError::NotGguf { url: url.into() }),
        _ => Ok(()),
    }
}
