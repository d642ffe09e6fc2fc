//! Pages that were digested before, with the vectors of their sentences: the second question about a page is fast.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};

use pith_engine::digest::{self, Digest, Limits, Page, Vectors};

use crate::error::WorkerError;
use crate::protocol::{BlockKind, ItemKind, LeftOut, Passage, PassagePart};

/// A page, split and indexed.
pub struct PageMemory {
    key: u64,
    /// Its sentences and their ranking.
    pub digest: Digest,
    /// Of the sentences that were embedded so far. They belong to one model: see [`Pages::forget_vectors`].
    pub vectors: Vectors,
    /// Nobody can guess it; the fence around the page's text in prompts has it.
    pub nonce: String,
    /// What the digest was not given.
    left_out: LeftOut,
}

/// The last few pages.
#[derive(Default)]
pub struct Pages {
    recent: VecDeque<PageMemory>,
}

impl Pages {
    /// A page of 1 MB with a few hundred vectors is some 5 MB.
    const PAGES_MAX: usize = 8;

    /// Takes a page out, digesting it where it is new, with a `turn` of the event loop between slices. `left_out` is what the
    /// page has besides, `nonce` is given its handle. [`Pages::keep`] puts it back.
    ///
    /// # Errors
    /// `NoText`, `Cancelled` where a turn returned false.
    pub async fn open(
        &mut self,
        page: &Page,
        left_out: LeftOut,
        nonce: &impl AsyncFn(String) -> String,
        limits: &Limits,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<PageMemory, WorkerError> {
        let key = key(page, &left_out, turn).await;
        if let Some(at) = self.recent.iter().position(|known| known.key == key)
            && let Some(known) = self.recent.remove(at)
        {
            return Ok(known);
        }
        let digest = Digest::new(page, limits, turn).await?;
        let nonce = nonce(handle(key)).await;
        Ok(PageMemory { key, digest, vectors: Vectors::default(), nonce, left_out })
    }

    /// Takes a page out that was sent before.
    ///
    /// # Errors
    /// `PageUnknown`.
    pub fn take(&mut self, handle: &str) -> Result<PageMemory, WorkerError> {
        let at = self.recent.iter().position(|known| known.handle() == handle);
        let page = at.and_then(|at| self.recent.remove(at));
        page.ok_or_else(|| WorkerError::PageUnknown { handle: handle.chars().take(64).collect() })
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
            page.vectors = Vectors::default();
        }
    }
}

impl PageMemory {
    /// What stands for the page in later requests. Of the same page it is the same in every worker.
    pub fn handle(&self) -> String {
        handle(self.key)
    }

    /// What of the page is beyond the limits.
    pub fn left_out(&self) -> LeftOut {
        let coverage = self.digest.coverage();
        LeftOut {
            chars: self.left_out.chars + coverage.skipped_utf16 as u32,
            blocks: self.left_out.blocks + coverage.skipped_blocks as u32,
            sentences: (coverage.sentences_found - coverage.sentences_kept) as u32,
        }
    }

    /// A line of a summary as the page's owner sees it.
    pub fn line(&self, line: &digest::Line) -> Option<Passage> {
        let mut passage = self.passage(line.sentence, line.score)?;
        let parts = self.digest.line_parts(line);
        let Some(first) = parts.first() else { return Some(passage) };
        // A sentence that is cut is still that sentence; other pieces have no speaker, no code and no cells.
        if parts.len() > 1 || first.block != passage.block as usize {
            (passage.code, passage.speaker) = (None, None);
        }
        passage.headers = Vec::new();
        passage.text = self.digest.line_text(line);
        passage.parts = parts.iter().map(PassagePart::from).collect();
        let PassagePart { block, start, end, .. } = passage.parts[0];
        (passage.block, passage.start, passage.end) = (block, start, end);
        Some(passage)
    }

    /// A sentence as the page's owner sees it.
    pub fn passage(&self, sentence: usize, score: f32) -> Option<Passage> {
        let speaker = self.digest.speaker(sentence).map(str::to_owned);
        let sentence = self.digest.sentences().get(sentence)?;
        Some(Passage {
            text: sentence.text.clone(),
            block: sentence.block as u32,
            start: sentence.start_utf16 as u32,
            end: sentence.end_utf16 as u32,
            score,
            headers: self.digest.headers(sentence.block).to_vec(),
            code: self.code(sentence.code),
            speaker,
            heading: None,
            parts: Vec::new(),
        })
    }

    /// The sentence that begins there.
    pub fn sentence_at(&self, block: u32, start: u32) -> Option<usize> {
        let is_it = |one: &digest::Sentence| (one.block, one.start_utf16) == (block as usize, start as usize);
        self.digest.sentences().iter().position(is_it)
    }

    /// What a passage that announces this block of code shows of it.
    pub fn code(&self, block: Option<usize>) -> Option<String> {
        block.and_then(|block| self.digest.code(block)).map(Into::into)
    }
}

fn handle(key: u64) -> String {
    format!("{key:016x}")
}

/// Identifies a page by everything that the digest depends on.
async fn key(page: &Page, left_out: &LeftOut, turn: &impl AsyncFn() -> bool) -> u64 {
    const BYTES_PER_TURN: usize = 1 << 16;
    let mut hasher = DefaultHasher::new();
    (&page.title, &page.description, &page.language, &page.types, &page.starts, left_out).hash(&mut hasher);
    for block in &page.blocks {
        (block.kind as u8, block.level, block.item, block.text.len(), &block.headers).hash(&mut hasher);
        (&block.speaker, block.votes, block.accepted).hash(&mut hasher);
        for part in block.text.as_bytes().chunks(BYTES_PER_TURN) {
            hasher.write(part);
            // The digest hears it as well.
            turn().await;
        }
    }
    hasher.finish()
}

impl From<&digest::LinePart> for PassagePart {
    fn from(part: &digest::LinePart) -> Self {
        let digest::LinePart { text, block, start_utf16, end_utf16 } = part;
        Self { text: text.clone(), block: *block as u32, start: *start_utf16 as u32, end: *end_utf16 as u32 }
    }
}

impl From<ItemKind> for digest::ItemKind {
    fn from(kind: ItemKind) -> Self {
        match kind {
            ItemKind::Ordered => Self::Ordered,
            ItemKind::Term => Self::Term,
            ItemKind::Definition => Self::Definition,
        }
    }
}

impl From<BlockKind> for digest::BlockKind {
    fn from(kind: BlockKind) -> Self {
        match kind {
            BlockKind::Heading => Self::Heading,
            BlockKind::Paragraph => Self::Paragraph,
            BlockKind::ListItem => Self::ListItem,
            BlockKind::Quote => Self::Quote,
            BlockKind::Code => Self::Code,
            BlockKind::Table => Self::Table,
            BlockKind::Caption => Self::Caption,
            BlockKind::Comment => Self::Comment,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use futures_util::FutureExt;
    use pith_engine::digest::Block;

    async fn nonce(_: String) -> String {
        "0123456789abcdef0123456789abcdef".into()
    }

    /// Opens a page in one go.
    fn open(pages: &mut Pages, page: &Page) -> Result<PageMemory, WorkerError> {
        let (limits, left_out) = (Limits::default(), LeftOut::default());
        pages.open(page, left_out, &nonce, &limits, &async || true).now_or_never().unwrap()
    }

    fn page(title: &str) -> Page {
        let text = "The river rises in the hills, runs through four towns and ends in a wide bay. \
                    Boats carried grain on it for three hundred years."
            .to_string();
        let blocks = vec![Block::new(digest::BlockKind::Paragraph, text)];
        Page { title: title.into(), language: Some("en".into()), blocks, ..Page::default() }
    }

    fn embedded(pages: &mut Pages, title: &str) -> usize {
        let known = open(pages, &page(title)).unwrap();
        let count = known.vectors.len();
        pages.keep(known);
        count
    }

    #[test]
    fn a_page_is_known_again_by_its_content_until_four_others_came() {
        let mut pages = Pages::default();
        let mut first = open(&mut pages, &page("a")).unwrap();
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
        let known = open(&mut pages, &source).unwrap();
        let line = known.passage(1, 0.5).unwrap();
        let utf16: Vec<u16> = source.blocks[line.block as usize].text.encode_utf16().collect();
        let cut = String::from_utf16(&utf16[line.start as usize..line.end as usize]).unwrap();
        assert_eq!(cut, line.text);
        assert!(known.passage(2, 0.5).is_none());
    }

    #[test]
    fn a_page_without_words_is_refused() {
        let error = open(&mut Pages::default(), &Page { blocks: Vec::new(), ..page("a") }).err().unwrap();
        assert_eq!(error.failure().code, "no_text");
    }

    #[test]
    fn a_page_that_is_not_wanted_any_more_is_cancelled() {
        let (page, limits) = (page(&"a title ".repeat(10_000)), Limits::default());
        let long = Page { blocks: vec![page.blocks[0].clone(); 1_000], ..page };
        let mut pages = Pages::default();
        let opened = pages.open(&long, LeftOut::default(), &nonce, &limits, &async || false).now_or_never();
        assert_eq!(opened.unwrap().err().unwrap().failure().code, "cancelled");
    }

    #[test]
    fn what_is_left_out_is_added_up() {
        let limits = Limits { blocks_max: 1, text_bytes_max: 100, sentences_max: 1, ..Limits::default() };
        let mut source = page("a");
        source.blocks.push(source.blocks[0].clone());
        let given = LeftOut { chars: 7, blocks: 5, sentences: 0 };
        let open = Pages::default().open(&source, given, &nonce, &limits, &async || true).now_or_never();
        let known = open.unwrap().unwrap();
        let chars = 7 + source.blocks[0].text.len() as u32 - 100;
        assert_eq!(known.left_out(), LeftOut { chars, blocks: 6, sentences: 1 });
    }
}
