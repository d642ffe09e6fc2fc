//! Blocks of pages, and the lines that are made of them.

use crate::digesting;
use pith_engine::digest::{Block, BlockKind, Limits, Page, SummaryOptions};

/// The first one is the page's title.
pub fn heading(text: &str, level: u8) -> Block {
    Block { level, ..Block::new(BlockKind::Heading, text) }
}

pub fn paragraph(text: impl Into<String>) -> Block {
    Block::new(BlockKind::Paragraph, text)
}

pub fn item(text: &str) -> Block {
    Block::new(BlockKind::ListItem, text)
}

/// The kind of a page and its lines.
pub fn read(page: &Page) -> (&'static str, Vec<String>) {
    let digest = digesting::digest(page, &Limits::default()).unwrap();
    let found = digest.summarize(&SummaryOptions::default());
    (digest.kind().name, found.lines.iter().map(|line| digest.line_text(line)).collect())
}

pub fn lines(title: &str, blocks: Vec<Block>) -> (&'static str, Vec<String>) {
    read(&Page { title: title.into(), blocks, language: Some("en".into()), ..Page::default() })
}

pub fn has(lines: &[String], part: &str) -> bool {
    lines.iter().any(|line| line.contains(part))
}
