//! Pages that were digested before, with the vectors of their sentences: the second question about a page is fast.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use pith_engine::digest::{self, Digest, Limits, Vectors};

use crate::error::WorkerError;
use crate::protocol::{Block, BlockKind, Page, Passage};

/// A page, split and indexed.
pub struct PageMemory {
    key: u64,
    /// Its sentences and their ranking.
    pub digest: Digest,
    /// Of the sentences that were embedded so far. They belong to one model: see [`Pages::forget_vectors`].
    pub vectors: Vectors,
    /// Of the title, once it was embedded.
    pub has_title: bool,
}

/// The last few pages.
#[derive(Default)]
pub struct Pages {
    recent: VecDeque<PageMemory>,
}

impl Pages {
    /// A page of 1 MB with a few hundred vectors is some 5 MB.
    const PAGES_MAX: usize = 4;

    /// Takes a page out, digesting it where it is new. [`Pages::keep`] puts it back.
    ///
    /// # Errors
    /// `NoText`.
    pub fn open(&mut self, page: &Page) -> Result<PageMemory, WorkerError> {
        let key = key(page);
        if let Some(at) = self.recent.iter().position(|known| known.key == key)
            && let Some(known) = self.recent.remove(at)
        {
            return Ok(known);
        }
        let digest = Digest::new(&page.into(), &Limits::default())?;
        Ok(PageMemory { key, digest, vectors: Vectors::default(), has_title: false })
    }

    /// Keeps a page as the most recent, forgetting the one that was not used for longest.
    pub fn keep(&mut self, page: PageMemory) {
        if self.recent.len() >= Self::PAGES_MAX {
            self.recent.pop_front();
        }
        self.recent.push_back(page);
    }

    /// Forgets all vectors: another model's cannot be compared with them.
    pub fn forget_vectors(&mut self) {
        for page in &mut self.recent {
            (page.vectors, page.has_title) = (Vectors::default(), false);
        }
    }
}

impl PageMemory {
    /// A line of a summary as the page's owner sees it.
    pub fn passage(&self, sentence: usize, score: f32) -> Option<Passage> {
        let sentence = self.digest.sentences().get(sentence)?;
        Some(Passage {
            text: sentence.text.clone(),
            block: sentence.block as u32,
            start: sentence.start_utf16 as u32,
            end: sentence.end_utf16 as u32,
            score,
        })
    }
}

/// Identifies a page by everything that the digest depends on.
fn key(page: &Page) -> u64 {
    let mut hasher = DefaultHasher::new();
    (&page.title, &page.description, &page.language).hash(&mut hasher);
    for block in &page.blocks {
        (block.kind as u8, &block.text).hash(&mut hasher);
    }
    hasher.finish()
}

impl From<&Page> for digest::Page {
    fn from(page: &Page) -> Self {
        digest::Page {
            title: page.title.clone(),
            description: page.description.clone(),
            language: page.language.clone(),
            blocks: page.blocks.iter().map(Into::into).collect(),
        }
    }
}

impl From<&Block> for digest::Block {
    fn from(block: &Block) -> Self {
        let kind = match block.kind {
            BlockKind::Heading => digest::BlockKind::Heading,
            BlockKind::Paragraph => digest::BlockKind::Paragraph,
            BlockKind::ListItem => digest::BlockKind::ListItem,
            BlockKind::Quote => digest::BlockKind::Quote,
            BlockKind::Code => digest::BlockKind::Code,
            BlockKind::Table => digest::BlockKind::Table,
            BlockKind::Caption => digest::BlockKind::Caption,
        };
        digest::Block { kind, text: block.text.clone() }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn page(title: &str) -> Page {
        let text = "The river rises in the hills, runs through four towns and ends in a wide bay. \
                    Boats carried grain on it for three hundred years."
            .to_string();
        let blocks = vec![Block { kind: BlockKind::Paragraph, text }];
        Page { title: title.into(), description: None, language: Some("en".into()), blocks }
    }

    fn embedded(pages: &mut Pages, title: &str) -> usize {
        let known = pages.open(&page(title)).unwrap();
        let count = known.vectors.len();
        pages.keep(known);
        count
    }

    #[test]
    fn a_page_is_known_again_by_its_content_until_four_others_came() {
        let mut pages = Pages::default();
        let mut first = pages.open(&page("a")).unwrap();
        first.vectors.insert(0, vec![1.0, 0.0]).unwrap();
        pages.keep(first);
        assert_eq!(embedded(&mut pages, "a"), 1);
        for title in ["b", "c", "d"] {
            assert_eq!(embedded(&mut pages, title), 0);
        }
        assert_eq!(embedded(&mut pages, "a"), 1);
        embedded(&mut pages, "e");
        assert_eq!(embedded(&mut pages, "a"), 1);
        pages.forget_vectors();
        assert_eq!(embedded(&mut pages, "a"), 0);
    }

    #[test]
    fn a_passage_points_into_its_block() {
        let mut pages = Pages::default();
        let source = page("a");
        let known = pages.open(&source).unwrap();
        let line = known.passage(1, 0.5).unwrap();
        let utf16: Vec<u16> = source.blocks[line.block as usize].text.encode_utf16().collect();
        let cut = String::from_utf16(&utf16[line.start as usize..line.end as usize]).unwrap();
        assert_eq!(cut, line.text);
        assert!(known.passage(2, 0.5).is_none());
    }

    #[test]
    fn a_page_without_words_is_refused() {
        let error = Pages::default().open(&Page { blocks: Vec::new(), ..page("a") }).err().unwrap();
        assert_eq!(error.failure().code, "no_text");
    }
}
