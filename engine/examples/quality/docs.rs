//! Documents to be measured: a folder of JSON files, one document each.

use std::collections::BTreeMap;
use std::path::Path;

use pith_engine::digest::{Block, Page};
use serde::Deserialize;

/// A failure with a sentence for whoever runs this.
pub type Anyhow<T> = Result<T, Box<dyn std::error::Error>>;

/// A page with its reference summary and questions.
#[derive(Debug, Deserialize)]
pub struct Doc {
    pub id: String,
    /// The group that it is averaged in.
    pub set: String,
    #[serde(default)]
    pub title: String,
    #[serde(default)]
    pub language: Option<String>,
    #[serde(default)]
    pub blocks: Vec<Block>,
    /// Where `blocks` are read from instead: a Debian package, and a page of it.
    #[serde(default)]
    pub package: Option<String>,
    #[serde(default)]
    pub file: Option<String>,
    /// Where the page is one of those that the extension has read: its name.
    #[serde(default)]
    pub page: Option<String>,
    /// That page.
    #[serde(skip)]
    read: Option<Page>,
    /// Pages of one subject may answer each other's questions.
    #[serde(default)]
    pub subject: Option<String>,
    /// A summary by a person.
    #[serde(default)]
    pub reference: Option<String>,
    /// Lines of the summary that is compared with the reference: 3, 5 or 8.
    #[serde(default)]
    pub lines: Option<usize>,
    #[serde(default)]
    pub questions: Vec<Question>,
}

/// A question to a document.
#[derive(Debug, Clone, Deserialize)]
pub struct Question {
    pub text: String,
    /// A passage that contains one of these is right.
    #[serde(default)]
    pub answers: Vec<String>,
    pub answerable: bool,
    /// What an unanswerable question is about: "manual" or "article" where another document answers it, "same" where it is about
    /// this document's subject.
    #[serde(default)]
    pub about: Option<String>,
}

impl Doc {
    pub fn page(&self) -> Page {
        if let Some(page) = &self.read {
            return page.clone();
        }
        Page {
            title: self.title.clone(),
            language: self.language.clone(),
            blocks: self.blocks.clone(),
            ..Page::default()
        }
    }
}

/// All documents of a folder, by file name.
pub fn read(dir: &Path) -> Anyhow<Vec<Doc>> {
    let at = |error: &dyn std::fmt::Display, path: &Path| format!("{}: {error}", path.display());
    let entries = std::fs::read_dir(dir).map_err(|error| at(&error, dir))?;
    let mut paths: Vec<_> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let mut docs = Vec::new();
    for path in paths {
        let bytes = std::fs::read(&path).map_err(|error| at(&error, &path))?;
        docs.push(serde_json::from_slice(&bytes).map_err(|error| at(&error, &path))?);
    }
    match docs.is_empty() {
        true => Err(format!("{} holds no JSON files", dir.display()).into()),
        false => Ok(docs),
    }
}

/// Takes the pages that documents name from `readings`: one line per page, as the extension read it.
pub fn read_pages(docs: &mut [Doc], readings: &Path) -> Anyhow<()> {
    #[derive(Deserialize)]
    struct Reading {
        name: String,
        page: Page,
    }
    let text =
        std::fs::read_to_string(readings).map_err(|error| format!("{}: {error}", readings.display()))?;
    let mut pages = BTreeMap::new();
    for line in text.lines() {
        let reading: Reading = serde_json::from_str(line)?;
        pages.insert(reading.name, reading.page);
    }
    for doc in docs {
        let Some(name) = &doc.page else { continue };
        let page = pages.get(name).ok_or_else(|| format!("{}: {name} was not read", doc.id))?;
        doc.blocks = page.blocks.clone();
        doc.read = Some(page.clone());
    }
    Ok(())
}

/// White space folded, as answers are compared.
pub fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
