//! Pages and their passages.
#![allow(missing_docs)] // A field without a comment is named by what it holds.

use serde::{Deserialize, Serialize};
#[cfg(not(target_arch = "wasm32"))]
use ts_rs::TS;

/// A page after extraction.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Page {
    /// Its title.
    pub title: String,
    /// The author's own description, from its metadata.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub description: Option<String>,
    /// BCP 47 tag, where the page says one.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub language: Option<String>,
    /// What the page calls itself: types of schema.org ("Recipe") and `og:type`.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub types: Vec<String>,
    /// Text blocks in page order.
    pub blocks: Vec<Block>,
    /// Where several pages are sent as one: the first block of each but the first. Questions are compared with each by itself.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub starts: Vec<u32>,
}

/// A page, or the handle of one that was sent before. A worker knows the last pages only and refuses another handle with
/// `page_unknown`; the page is then to be sent again.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(untagged)]
pub enum PageInput {
    Known { handle: String },
    Whole(Page),
}

/// One block of a page's text.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Block {
    /// What it is.
    pub kind: BlockKind,
    /// Its text, white space collapsed. A block of kind "table" is one row of a table; TAB separates its cells.
    pub text: String,
    /// The column header of each cell of a row, "" where a cell has none. Of other kinds it is not read.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub headers: Vec<String>,
    /// Who wrote or says it, where a page has several people: a thread, a chat, an interview, captions.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub speaker: Option<String>,
    /// The level of a heading, 1 to 6; 0 where it has none.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub level: u8,
    /// What the markup of a list says of an item.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub item: Option<ItemKind>,
    /// Votes of readers for the post that it is part of, those against it taken off, where the page counts them.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional = nullable))]
    pub votes: Option<i32>,
    /// Whether the post is marked as the answer that helped.
    #[serde(default)]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub accepted: bool,
}

/// Items of lists whose markup says more than that they are items: of a numbered list, a term, what explains a term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum ItemKind {
    Ordered,
    Term,
    Definition,
}

/// Kinds of blocks. Paragraphs, list items and quotes are summarized; these, rows of tables and comments are searched for answers. A
/// comment is what a reader wrote under an article.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum BlockKind {
    Heading,
    Paragraph,
    ListItem,
    Quote,
    Code,
    Table,
    Caption,
    Comment,
}

/// How long a summary should be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum SummaryLength {
    Short,
    #[default]
    Medium,
    Long,
}

/// What of a page's prose lies beyond the limits of 4 MiB, 100,000 blocks and 12,000 sentences. All 0 for any ordinary page.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct LeftOut {
    /// UTF-16 code units at the end, which were not read.
    pub chars: u32,
    /// Blocks at the end, which were not read.
    pub blocks: u32,
    /// Sentences all over the page, which were read but not compared.
    pub sentences: u32,
}

/// A piece of the page's text. `page.blocks[block].text.slice(start, end)` in JavaScript is its text, unless it has `parts`: then
/// its text is put together from these, and its place is that of the first one.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct Passage {
    pub text: String,
    /// Index into the page's blocks.
    pub block: u32,
    /// Start in the block's text, in UTF-16 code units.
    pub start: u32,
    /// End in the block's text, in UTF-16 code units.
    pub end: u32,
    pub score: f32,
    /// Where it is a row of a table: the column header of each cell, "" where a cell has none. TAB separates the cells of `text`.
    pub headers: Vec<String>,
    /// The code that the passage announces ("Run this command:"): its first 1,000 characters.
    pub code: Option<String>,
    /// Who wrote or says it; null where nobody is known, and where the text begins with the name.
    pub speaker: Option<String>,
    /// The heading above a passage that answers a question, where it has much of that question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(optional))]
    pub heading: Option<String>,
    /// What a line of a summary is put together from; empty for a piece of the page as it is.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(not(target_arch = "wasm32"), ts(as = "Option<_>", optional))]
    pub parts: Vec<PassagePart>,
}

/// A part of a line that is put together. `page.blocks[block].text.slice(start, end)` in JavaScript is its text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
pub struct PassagePart {
    pub text: String,
    /// Index into the page's blocks.
    pub block: u32,
    /// Start in the block's text, in UTF-16 code units.
    pub start: u32,
    /// End in the block's text, in UTF-16 code units.
    pub end: u32,
}

/// Why no embedding model took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(TS))]
#[serde(rename_all = "camelCase")]
pub enum WithoutEncoder {
    /// None is loaded under the name "embedding".
    NotLoaded,
    /// The one that is loaded was not trained on the page's language, judged by its tokens.
    UnknownLanguage,
}
