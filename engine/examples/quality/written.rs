//! Pages in a short form: a line for each block. tests/quality/README.md describes it.

use std::path::{Path, PathBuf};

use pith_engine::digest::{Block, BlockKind, ItemKind, Page};

use crate::docs::Anyhow;
use crate::kinds::Labelled;

/// Every page of the files of a folder that end in `.pages`.
pub fn read_all(dir: &Path) -> Anyhow<Vec<Labelled>> {
    let entries = std::fs::read_dir(dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "pages"));
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path)?;
        for part in format!("\n{text}").split("\n=== ").skip(1) {
            all.push(read(part).map_err(|error| format!("{}: {error}", path.display()))?);
        }
    }
    Ok(all)
}

/// A name, then lines of "key: text".
fn read(text: &str) -> Anyhow<Labelled> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let name = lines.next().unwrap_or_default().trim().to_owned();
    let mut one = Labelled { name, kind: String::new(), also: Vec::new(), page: Page::default() };
    let (mut speaker, mut headers) = (None, Vec::new());
    for line in lines {
        let (key, value) = line.split_once(':').ok_or(format!("{}: no key in {line:?}", one.name))?;
        let value = value.trim();
        let list = || value.split(',').map(|part| part.trim().to_owned()).collect();
        let page = &mut one.page;
        match key {
            "kind" => one.kind = value.into(),
            "also" => one.also = list(),
            "title" => page.title = value.into(),
            "language" => page.language = Some(value.into()),
            "description" => page.description = Some(value.into()),
            "types" => page.types = list(),
            "by" => speaker = Some(value.to_owned()).filter(|name| !name.is_empty()),
            "th" => headers = cells(value),
            _ => {
                let mut block = block(key, value).ok_or(format!("{}: unknown key {key}", one.name))?;
                block.speaker.clone_from(&speaker);
                match block.kind {
                    BlockKind::Table => block.headers.clone_from(&headers),
                    _ => headers.clear(),
                }
                page.blocks.push(block);
            }
        }
    }
    if one.kind.is_empty() {
        return Err(format!("{} has no kind", one.name).into());
    }
    Ok(one)
}

fn cells(value: &str) -> Vec<String> {
    value.split('|').map(|cell| cell.trim().to_owned()).collect()
}

fn block(key: &str, value: &str) -> Option<Block> {
    let item = match key {
        "ol" => Some(ItemKind::Ordered),
        "dt" => Some(ItemKind::Term),
        "dd" => Some(ItemKind::Definition),
        _ => None,
    };
    let (kind, level) = match key {
        "p" => (BlockKind::Paragraph, 0),
        "li" | "ol" | "dt" | "dd" => (BlockKind::ListItem, 0),
        "q" => (BlockKind::Quote, 0),
        "code" => (BlockKind::Code, 0),
        "cap" => (BlockKind::Caption, 0),
        "tr" => (BlockKind::Table, 0),
        "h" => (BlockKind::Heading, 0),
        _ => {
            (BlockKind::Heading, key.strip_prefix('h')?.parse().ok().filter(|level| (1..=6).contains(level))?)
        }
    };
    let text = if kind == BlockKind::Table { cells(value).join("\t") } else { value.to_owned() };
    Some(Block { item, level, ..Block::new(kind, text) })
}
