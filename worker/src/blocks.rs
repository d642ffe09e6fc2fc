//! The text of a page. It is a stranger's, and in the browser's memory: the worker copies it a few blocks at a time, and no
//! more of it than is read.

use js_sys::{Array, JsString, Reflect};
use pith_engine::digest::{self, Limits};
use wasm_bindgen::{JsCast, JsValue};

use crate::browser::{property, random};
use crate::error::WorkerError;
use crate::kept_prompts::stable_nonce;
use crate::pages::{PageMemory, Pages};
use crate::protocol::{BlockKind, ItemKind, LeftOut, Page, PageInput};
use crate::ticket::Ticket;

/// Longest question, and longest text that a page says of itself, in UTF-16 code units. The digest wants less, and shows
/// where it shortens.
const TEXT_UNITS_MAX: u32 = 10_000;
/// Exchanges of a conversation that are read, and UTF-16 code units of each of their texts.
const EXCHANGES_MAX: u32 = 8;
const EXCHANGE_UNITS_MAX: u32 = 2_000;
/// Code of a page that is copied, in UTF-16 code units.
const CODE_UNITS_MAX: u32 = 1 << 18;
/// Headings, and headers of rows, that are copied, in UTF-16 code units. A header stands in the blocks of all its rows.
const HEADING_UNITS_MAX: u32 = 1 << 22;
/// Text that is copied between two looks at the clock, in UTF-16 code units.
const SLICE_UNITS: u32 = 1 << 15;
/// Headers of a row that are read, and UTF-16 code units of each.
const HEADERS_MAX: u32 = 64;
const HEADER_UNITS_MAX: u32 = 200;
/// UTF-16 code units of a name that are read.
const SPEAKER_UNITS_MAX: u32 = 400;
/// Pages that may be sent as one.
const PAGES_MAX: u32 = 16;
/// Types that a page may give itself, and UTF-16 code units of each.
const TYPES_MAX: u32 = 16;
const TYPE_UNITS_MAX: u32 = 60;
/// Blocks that are read between two looks at the clock.
const SLICE_BLOCKS: u32 = 64;

/// Blocks that travel as they are.
#[derive(Default)]
pub struct Blocks(Array);

impl Blocks {
    /// Takes the blocks out of a request before it is read, and shortens its other texts.
    pub fn take(request: &JsValue) -> Self {
        let page = property(request, "page");
        shorten(request, "question");
        bound_history(request);
        for name in ["title", "description", "language"] {
            shorten(&page, name);
        }
        // What is no array stays, and the message is refused.
        let types = property(&page, "types").dyn_into::<Array>();
        if let Ok(types) = types {
            let short = |text: JsString| text.slice(0, TYPE_UNITS_MAX);
            let types: Array =
                types.slice(0, TYPES_MAX).iter().filter_map(|text| text.dyn_into().ok()).map(short).collect();
            set(&page, "types", &types);
        }
        if let Ok(starts) = property(&page, "starts").dyn_into::<Array>() {
            set(&page, "starts", &starts.slice(0, PAGES_MAX));
        }
        let Ok(blocks) = property(&page, "blocks").dyn_into() else { return Self::default() };
        set(&page, "blocks", &Array::new());
        Self(blocks)
    }

    /// Copies what a digest reads.
    async fn read(
        &self,
        page: Page,
        limits: &Limits,
        ticket: &Ticket,
    ) -> Result<(digest::Page, LeftOut), WorkerError> {
        let Page { title, description, language, types, starts, .. } = page;
        let starts = starts.into_iter().map(|start| start as usize).collect();
        let len = self.0.length();
        let count = len.min(limits.blocks_max as u32);
        let mut left_out = LeftOut { blocks: len - count, ..LeftOut::default() };
        let mut blocks = Vec::with_capacity(count as usize);
        let mut bytes_left = limits.text_bytes_max;
        let mut code_units_left = CODE_UNITS_MAX;
        let mut heading_units_left = HEADING_UNITS_MAX;
        for at in 0..count {
            let block = self.0.get(at);
            let bad = |why: &str| WorkerError::BadMessage { why: format!("block {at}: {why}") };
            let kind: BlockKind = serde_wasm_bindgen::from_value(property(&block, "kind"))
                .map_err(|error| bad(&error.to_string()))?;
            let kind = digest::BlockKind::from(kind);
            let text: JsString =
                property(&block, "text").dyn_into().map_err(|_| bad("the text is no string"))?;
            let units_max = match kind {
                digest::BlockKind::Heading => TEXT_UNITS_MAX.min(heading_units_left),
                // A unit has a byte at least; the digest counts exactly.
                kind if kind.is_searched() => bytes_left as u32,
                // Shown beside a sentence that announces it.
                digest::BlockKind::Code => code_units_left.min(digest::CODE_CHARS_MAX as u32),
                _ => 0,
            };
            let units = text.length().min(units_max);
            let read = copy(&text, units, ticket).await?;
            match kind {
                digest::BlockKind::Code => code_units_left -= units,
                digest::BlockKind::Heading => heading_units_left -= units,
                _ => {}
            }
            if kind.is_searched() {
                left_out.chars += text.length() - units;
                bytes_left = bytes_left.saturating_sub(read.len());
            }
            let headers = match kind {
                digest::BlockKind::Table => headers(&block, &mut heading_units_left),
                _ => Vec::new(),
            };
            let speaker: Option<JsString> = property(&block, "speaker").dyn_into().ok();
            let speaker = speaker.map(|name| String::from(name.slice(0, SPEAKER_UNITS_MAX)));
            let level = property(&block, "level").as_f64().unwrap_or_default().clamp(0.0, 6.0) as u8;
            let item: Option<ItemKind> =
                serde_wasm_bindgen::from_value(property(&block, "item")).unwrap_or(None);
            let item = item.map(Into::into);
            // Saturates.
            let votes = property(&block, "votes").as_f64().map(|votes| votes as i32);
            let accepted = property(&block, "accepted").is_truthy();
            blocks.push(digest::Block { kind, text: read, headers, speaker, level, item, votes, accepted });
            if at % SLICE_BLOCKS == 0 {
                ticket.checkpoint().await?;
            }
        }
        Ok((digest::Page { title, description, language, types, blocks, starts }, left_out))
    }
}

/// The column headers of a row, so many units of them. What is no string is an empty header.
fn headers(block: &JsValue, units_left: &mut u32) -> Vec<String> {
    let Ok(headers) = property(block, "headers").dyn_into::<Array>() else { return Vec::new() };
    let header = |at: u32| {
        let Ok(text) = headers.get(at).dyn_into::<JsString>() else { return String::new() };
        let text = text.slice(0, HEADER_UNITS_MAX.min(*units_left));
        *units_left -= text.length();
        String::from(text)
    };
    (0..headers.length().min(HEADERS_MAX)).map(header).collect()
}

/// Takes a page out of the known ones, digesting it where it is new. [`Pages::keep`] puts it back.
///
/// # Errors
/// `NoText`, `BadMessage`, `Cancelled`, `PageUnknown`.
pub async fn open_page(
    pages: &mut Pages,
    page: PageInput,
    blocks: &Blocks,
    ticket: &Ticket,
) -> Result<PageMemory, WorkerError> {
    let page = match page {
        PageInput::Known { handle } => return pages.take(&handle),
        PageInput::Whole(page) => page,
    };
    let limits = Limits::default();
    let (page, left_out) = blocks.read(page, &limits, ticket).await?;
    pages.open(&page, left_out, &nonce, &limits, &async || ticket.checkpoint().await.is_ok()).await
}

/// 32 hexadecimal digits that nobody can guess. Of the same page they are the same at every start, so that what is kept of its prompts
/// is of use; where nothing can be kept they are drawn.
async fn nonce(handle: String) -> String {
    let drawn = || (0..4).map(|_| format!("{:08x}", (random() * f64::from(u32::MAX)) as u32)).collect();
    stable_nonce(&handle).await.unwrap_or_else(drawn)
}

/// The first units of a text. Where a pair of them is one character, it is not torn apart.
async fn copy(text: &JsString, units: u32, ticket: &Ticket) -> Result<String, WorkerError> {
    let mut copy = String::new();
    let mut at = 0;
    while at < units {
        let mut end = units.min(at + SLICE_UNITS);
        if end < units {
            let begins_pair = (0xD800..0xDC00).contains(&(text.char_code_at(end - 1) as u32));
            end -= u32::from(begins_pair);
            ticket.checkpoint().await?;
        }
        copy.push_str(&String::from(text.slice(at, end)));
        at = end;
    }
    Ok(copy)
}

fn set(object: &JsValue, name: &str, value: &JsValue) {
    // A message is a copy that is the worker's own: nothing keeps it from being changed.
    let _ = Reflect::set(object, &name.into(), value);
}

/// Keeps the last exchanges of a conversation, and the beginning of each of their texts.
fn bound_history(request: &JsValue) {
    let Ok(history) = property(request, "history").dyn_into::<Array>() else { return };
    let len = history.length();
    let last = history.slice(len.saturating_sub(EXCHANGES_MAX), len);
    for exchange in last.iter().filter(JsValue::is_object) {
        for name in ["question", "answer"] {
            if let Ok(text) = property(&exchange, name).dyn_into::<JsString>() {
                set(&exchange, name, &text.slice(0, EXCHANGE_UNITS_MAX));
            }
        }
    }
    set(request, "history", &last);
}

fn shorten(object: &JsValue, name: &str) {
    if let Ok(text) = property(object, name).dyn_into::<JsString>()
        && text.length() > TEXT_UNITS_MAX
    {
        set(object, name, &text.slice(0, TEXT_UNITS_MAX));
    }
}
