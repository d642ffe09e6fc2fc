//! Who wrote or says the blocks of a page: the people of a thread, a chat, an interview or captions.

use super::page::{Block, DigestError};
use super::slices::Slices;
use super::terms::{Counts, Terms};
use super::{Sentence, tidy};
use std::collections::BTreeMap;

/// Longest name kept, in characters.
const NAME_CHARS_MAX: usize = 100;

/// The people of a page, and who says which block.
#[derive(Default)]
pub(super) struct Speakers {
    people: Vec<Speaker>,
    /// Blocks with sentences, ascending, each with an index into `people`.
    by_block: Vec<(usize, usize)>,
}

pub(super) struct Speaker {
    pub(super) name: String,
    /// The terms of the name.
    pub(super) counts: Counts,
    /// Sentences of theirs.
    pub(super) sentences: u32,
}

impl Speakers {
    /// Those of the sentences; their names go into the vocabulary.
    pub(super) async fn new<T: AsyncFn() -> bool>(
        blocks: &[Block],
        sentences: &[Sentence],
        terms: &mut Terms,
        slices: &mut Slices<'_, T>,
    ) -> Result<Self, DigestError> {
        let mut speakers = Self::default();
        let mut known: BTreeMap<String, u32> = BTreeMap::new();
        for sentence in sentences {
            let Some(speaker) = &blocks[sentence.block].speaker else { continue };
            let person = match speakers.by_block.last() {
                Some(&(block, person)) if block == sentence.block => person,
                _ => {
                    let name = tidy(speaker, NAME_CHARS_MAX);
                    slices.charge(name.len() + 16).await?;
                    if name.is_empty() {
                        continue;
                    }
                    let person = match known.get(&name) {
                        Some(&person) => person as usize,
                        None => {
                            known.insert(name.clone(), speakers.people.len() as u32);
                            let counts = terms.learn(&name);
                            speakers.people.push(Speaker { name, counts, sentences: 0 });
                            speakers.people.len() - 1
                        }
                    };
                    speakers.by_block.push((sentence.block, person));
                    person
                }
            };
            speakers.people[person].sentences += 1;
        }
        Ok(speakers)
    }

    pub(super) fn people(&self) -> &[Speaker] {
        &self.people
    }

    /// Who says a block: an index into the people.
    pub(super) fn of(&self, block: usize) -> Option<usize> {
        let at = self.by_block.binary_search_by_key(&block, |(block, _)| *block).ok()?;
        Some(self.by_block[at].1)
    }

    /// The name of who says a block.
    pub(super) fn name(&self, block: usize) -> Option<&str> {
        self.of(block).map(|person| self.people[person].name.as_str())
    }
}
