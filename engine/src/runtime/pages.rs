//! Pages of the KV cache: which physical page holds which positions of which sequence, and which pages hold what a new
//! sequence begins with.
//!
//! A page is shared only when it is full, so nobody writes to a page that another sequence reads, and nothing is ever
//! copied. What a page holds depends on all tokens up to its end and on the adapter that was in use: pages form a tree,
//! in which each knows the ids in it and its parent. Ids are compared, not their hashes.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::error::Error;
use crate::plan::PAGE_TOKENS;

/// What else than tokens decides over keys and values: the plan's body, and the bits of its adapter's factor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct BodyKey {
    /// Which of the plan's bodies.
    pub body: usize,
    /// Of the factor, an f32.
    pub factor_bits: u32,
}

/// The pages of a KV cache.
#[derive(Debug)]
pub struct PagePool {
    pages: Vec<Page>,
    /// Pages that hold nothing anybody could use.
    free: Vec<u32>,
    /// Full pages by content.
    known: HashMap<Rc<Content>, u32>,
    /// Those of them that no sequence uses, the one to be overwritten first in front.
    idle: BTreeMap<u64, u32>,
    /// Counts releases: the keys of `idle`.
    clock: u64,
    /// Counts nodes of the tree; 0 is its root.
    last_node: u64,
    reuse: bool,
}

#[derive(Debug, Default)]
struct Page {
    /// Sequences that have it.
    users: usize,
    known: Option<Known>,
}

/// A full page as part of the tree.
#[derive(Debug)]
struct Known {
    content: Rc<Content>,
    node: u64,
    /// When its last user left; a key of `idle` while it has none.
    idle_since: u64,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Content {
    /// The node of what comes before it. Never given to other content, also when its page is overwritten.
    parent: u64,
    key: BodyKey,
    ids: [u32; PAGE_TOKENS],
}

/// What a sequence has in its pages, so far as it is settled.
#[derive(Debug, Default)]
pub struct Trail {
    key: BodyKey,
    len_tokens: usize,
    /// The tree's node of each full page.
    nodes: Vec<u64>,
}

impl Trail {
    pub fn new(key: BodyKey) -> Self {
        Trail { key, ..Trail::default() }
    }

    /// Tokens that are settled.
    pub fn len_tokens(&self) -> usize {
        self.len_tokens
    }

    /// What the page behind the last full one holds, once `ids` are in it.
    fn content(&self, ids: &[u32; PAGE_TOKENS]) -> Content {
        Content { parent: self.nodes.last().copied().unwrap_or(0), key: self.key, ids: *ids }
    }
}

impl PagePool {
    /// `reuse` is false for models whose keys and values are not all they remember: those with recurrent mixers, and
    /// encoders, where what a position sees comes after it too.
    pub fn new(total: usize, reuse: bool) -> Self {
        let mut pages = Vec::new();
        pages.resize_with(total, Page::default);
        PagePool {
            pages,
            free: (0..total as u32).rev().collect(),
            known: HashMap::new(),
            idle: BTreeMap::new(),
            clock: 0,
            last_node: 0,
            reuse,
        }
    }

    /// Whether pages can be begun with again.
    pub fn reuses(&self) -> bool {
        self.reuse
    }

    /// Gives an empty sequence the pages that hold the beginning of `ids`, but never that of the last id: at least one
    /// token has to run, or there would be no logits. The trail says how many tokens they are.
    pub fn adopt(&mut self, trail: &mut Trail, ids: &[u32]) -> Vec<u32> {
        let mut adopted = Vec::new();
        let whole = ids.len().saturating_sub(1) / PAGE_TOKENS;
        for ids in ids.as_chunks().0.iter().take(whole) {
            let Some(&at) = self.known.get(&trail.content(ids)) else { break };
            let page = &mut self.pages[at as usize];
            let Some(known) = &page.known else { break };
            if page.users == 0 {
                self.idle.remove(&known.idle_since);
            }
            page.users += 1;
            trail.len_tokens += PAGE_TOKENS;
            trail.nodes.push(known.node);
            adopted.push(at);
        }
        adopted
    }

    /// Makes room for `tokens` positions. Takes all or nothing.
    ///
    /// # Errors
    /// `CacheFull` where other sequences use too many pages.
    pub fn reserve(&mut self, pages: &mut Vec<u32>, tokens: usize) -> Result<(), Error> {
        let need = tokens.div_ceil(PAGE_TOKENS).saturating_sub(pages.len());
        if need > self.free.len() + self.idle.len() {
            return Err(Error::CacheFull { pages: self.pages.len() });
        }
        for _ in 0..need {
            let Some(at) = self.free.pop().or_else(|| self.overwrite()) else { break };
            self.pages[at as usize].users = 1;
            pages.push(at);
        }
        Ok(())
    }

    /// Takes the page that was not used for longest.
    fn overwrite(&mut self) -> Option<u32> {
        let (_, at) = self.idle.pop_first()?;
        self.forget(at);
        Some(at)
    }

    /// Takes a page out of the tree. What continued it cannot be found any more, until it is overwritten too.
    fn forget(&mut self, at: u32) {
        if let Some(known) = self.pages[at as usize].known.take() {
            self.known.remove(&known.content);
        }
    }

    /// Says that a sequence's pages hold `ids`, which begin with those that the trail has. Only of ids that are certain to stay:
    /// see [`Self::rewind`].
    pub fn settle(&mut self, pages: &[u32], trail: &mut Trail, ids: &[u32]) {
        trail.len_tokens = ids.len();
        if !self.reuse {
            return;
        }
        let full = ids.as_chunks().0;
        for index in trail.nodes.len()..full.len().min(pages.len()) {
            let node = self.learn(pages[index], trail.content(&full[index]));
            trail.nodes.push(node);
        }
    }

    /// Puts a full page into the tree. Returns its node.
    fn learn(&mut self, at: u32, content: Content) -> u64 {
        let content = Rc::new(content);
        let twin = self.known.get(&content).copied();
        let node = match twin.and_then(|twin| self.pages[twin as usize].known.as_ref()) {
            Some(known) => known.node,
            None => {
                self.last_node += 1;
                self.last_node
            }
        };
        // Of two pages with the same content one is enough: the one that is in use, so that a path to it stays.
        if let Some(twin) = twin {
            let Page { users, known } = &mut self.pages[twin as usize];
            if *users > 0 {
                return node;
            }
            if let Some(known) = known.take() {
                self.idle.remove(&known.idle_since);
            }
            self.free.push(twin);
        }
        self.known.insert(Rc::clone(&content), at);
        self.pages[at as usize].known = Some(Known { content, node, idle_since: 0 });
        node
    }

    /// Forgets all but the first `len_tokens` tokens, and gives settled pages behind them back. Returns how many tokens
    /// are left: fewer where the last page is another sequence's too by now and so must not be written to.
    pub fn rewind(&mut self, pages: &mut Vec<u32>, trail: &mut Trail, len_tokens: usize) -> usize {
        let full = len_tokens / PAGE_TOKENS;
        let mut left_tokens = len_tokens;
        if full < trail.nodes.len() {
            let mut keep = full;
            if len_tokens > full * PAGE_TOKENS {
                if self.pages[pages[full] as usize].users == 1 {
                    self.forget(pages[full]);
                    keep += 1;
                } else {
                    left_tokens = full * PAGE_TOKENS;
                }
            }
            self.release(pages.split_off(keep));
            trail.nodes.truncate(full);
        }
        trail.len_tokens = trail.len_tokens.min(left_tokens);
        left_tokens
    }

    /// Takes a sequence's pages back. Full ones stay as they are until they are needed, the last ones first.
    pub fn release(&mut self, pages: Vec<u32>) {
        for at in pages.into_iter().rev() {
            let page = &mut self.pages[at as usize];
            page.users = page.users.saturating_sub(1);
            if page.users > 0 {
                continue;
            }
            match &mut page.known {
                Some(known) => {
                    self.clock += 1;
                    known.idle_since = self.clock;
                    self.idle.insert(self.clock, at);
                }
                None => self.free.push(at),
            }
        }
    }
}

#[cfg(test)]
mod tests;
