//! Streams files from the network into the store, never through the wasm heap.

use js_sys::{IteratorNext, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{ReadableStreamDefaultReader, Response};

use crate::browser::settle;
use crate::error::WorkerError;
use crate::protocol::Stage;
use crate::source::{Method, fetch_file, network};
use crate::store::{Part, Remote, Store};
use crate::ticket::Ticket;

/// What every GGUF file begins with. A sign-in page is refused after its first bytes.
const MAGIC: &[u8; 4] = b"GGUF";

/// Downloads those files of a model that are not stored yet, one after the other, with one progress for all of them;
/// `named` is the address that the page gave. On any failure the file where it happened is not stored; those before it
/// stay, and the next attempt continues behind them.
///
/// # Errors
/// `Network`, `HttpStatus`, `PartsMissing`, `NotGguf`, `NoRoom`, `QuotaExceeded`, `Storage`, `Cancelled`.
pub async fn download(
    store: &Store,
    files: &[Remote],
    named: &str,
    ticket: &Ticket,
) -> Result<(), WorkerError> {
    let mut done_bytes = 0;
    let mut ahead = Vec::new();
    for file in files {
        match store.len_bytes(&file.name).await {
            Some(len_bytes) => done_bytes += len_bytes,
            None => ahead.push((file, None)),
        }
    }
    if ahead.is_empty() {
        return Ok(());
    }
    ticket.progress(Stage::Download, 0, 0);
    if ahead.len() > 1 {
        // What is missing shows before the first of many gigabytes, and the progress knows its end.
        for (file, len_bytes) in &mut ahead {
            *len_bytes = announced_len_bytes(&file.url, named, ticket).await?;
        }
    }
    let mut ahead = ahead.as_slice();
    while let Some((&(file, announced_bytes), rest)) = ahead.split_first() {
        let response = fetch_file(&file.url, named, Method::Get, ticket).await?;
        let expected_bytes = expected_len_bytes(&response);
        let lens =
            || std::iter::once(expected_bytes.or(announced_bytes)).chain(rest.iter().map(|(_, len)| *len));
        let need_bytes = lens().flatten().sum();
        if let Some(free_bytes) = store.free_bytes().await
            && need_bytes > free_bytes
        {
            return Err(WorkerError::NoRoom { need_bytes, free_bytes });
        }
        let total_bytes = lens().sum::<Option<u64>>().map_or(0, |ahead_bytes| done_bytes + ahead_bytes);
        let mut part = store.create(&file.name).await?;
        let meter = Meter { ticket, done_bytes, total_bytes };
        match stream(&response, &file.url, expected_bytes, &mut part, &meter).await {
            Ok(()) => {
                done_bytes += part.len_bytes();
                store.finish(part).await?;
            }
            Err(error) => {
                store.discard(part).await;
                return Err(error);
            }
        }
        ahead = rest;
    }
    Ok(())
}

/// How many bytes a file will have, as far as the server says.
///
/// # Errors
/// `PartsMissing` where it is not there, `Cancelled`. Any other refusal may be of the question alone: signed addresses
/// often allow nothing but the download.
async fn announced_len_bytes(url: &str, named: &str, ticket: &Ticket) -> Result<Option<u64>, WorkerError> {
    match fetch_file(url, named, Method::Head, ticket).await {
        Ok(response) => Ok(expected_len_bytes(&response)),
        Err(error @ (WorkerError::PartsMissing { .. } | WorkerError::Cancelled)) => Err(error),
        Err(_) => Ok(None),
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

/// Shows how far all files together are.
struct Meter<'a> {
    ticket: &'a Ticket,
    /// Of the files before.
    done_bytes: u64,
    /// Of all files; 0 while unknown.
    total_bytes: u64,
}

async fn stream(
    response: &Response,
    url: &str,
    expected_bytes: Option<u64>,
    part: &mut Part,
    meter: &Meter<'_>,
) -> Result<(), WorkerError> {
    let Meter { ticket, done_bytes, total_bytes } = *meter;
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
        ticket.progress(Stage::Download, done_bytes + part.len_bytes(), total_bytes);
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
