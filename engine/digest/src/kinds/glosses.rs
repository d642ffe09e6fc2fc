//! Terms with their gloss: members of programming interfaces, options of commands.

use std::ops::Range;

use super::looks::is_field;
use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::labels::is_member;
use crate::order::sorted;
use crate::outline::Section;
use crate::page::BlockKind;
use crate::words::head;

/// Blocks of a page that are searched for how often a term is mentioned.
const MENTION_BLOCKS_MAX: usize = 3_000;
const TERMS_MAX: usize = 300;
/// Words of a term that stand before its gloss.
const TERM_WORDS: usize = 6;

impl Composer<'_> {
    /// Terms of a range with their explanation, the most mentioned first.
    pub(super) fn glossed(&self, is_term: &dyn Fn(&str) -> bool) -> Vec<(usize, usize)> {
        let sections =
            self.sections().iter().filter(|section| is_term(self.text(section.heading))).take(TERMS_MAX);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        let (title, mut names) = (self.title_block(), Vec::new());
        for section in sections {
            let Some(gloss) = self.gloss(section).filter(|_| Some(section.heading) != title) else {
                continue;
            };
            let heading = self.text(section.heading);
            let name = name_of(heading);
            // Of several with one name, as those of traits are, the first.
            if !self.is_said(gloss) && !names.contains(&name) {
                names.push(name);
                found.push((self.mentions(name, is_member(heading)), section.heading, gloss));
            }
        }
        sorted(&found, |&(mentions, _, _)| mentions as f32)
            .into_iter()
            .map(|(_, heading, gloss)| (heading, gloss))
            .collect()
    }

    /// The first sentence that explains a heading.
    fn gloss(&self, section: &Section) -> Option<usize> {
        let parts = &self.digest.outline.parts;
        // "target {string|URL}", "Returns: <Promise>": what the term takes and gives says nothing of it.
        let is_given = |block: &usize| {
            let text = self.text(*block);
            let is_typed = text.split_whitespace().nth(1).is_some_and(|word| word.starts_with(['{', '<']));
            parts[*block].kind == BlockKind::ListItem && (is_typed || is_field(head(text, 60)))
        };
        let blocks = section.body.clone().filter(|block| !is_given(block)).take(6);
        let sentences = blocks.flat_map(|block| parts[block].sentences.clone());
        let explains = |at: &usize| {
            let one = &self.digest.sentences[*at];
            let text = head(&one.text, 40).to_lowercase();
            one.words >= 3
                && one.row.is_none()
                && !["changed in", "new in", "added in", "deprecated", "since "]
                    .iter()
                    .any(|start| text.starts_with(start))
        };
        sentences.take(12).find(explains)
    }

    /// Blocks that mention a name; what is called or belongs to something is mentioned so.
    fn mentions(&self, name: &str, is_member: bool) -> usize {
        if name.len() < 2 {
            return 0;
        }
        let texts = self.digest.texts.iter().take(MENTION_BLOCKS_MAX);
        texts.filter(|text| mentions(text, name, is_member)).count()
    }

    /// Adds "term: gloss", several to a line.
    pub(super) fn gloss_lines(&mut self, glossed: &[(usize, usize)], lines: usize, each: usize) {
        let each_words = (LINE_WORDS_MAX / each).max(8);
        for group in glossed.chunks(each).take(lines) {
            let mut draft = Draft::default();
            for &(term, gloss) in group {
                let before = if draft.is_empty() { "" } else { "; " };
                let mut longer = draft.clone();
                if self.put_range(&mut longer, before, term, term_range(self.text(term)))
                    && self.put_sentence(&mut longer, ": ", gloss, each_words.saturating_sub(3))
                {
                    draft = longer;
                }
            }
            if draft.pieces.len() > 1 {
                self.add(draft);
            }
        }
    }
}

/// A term in a line. What is given to a function is left out, and what it is declared with.
fn term_range(text: &str) -> Range<usize> {
    if is_member(text)
        && let Some(end) = text.find('(').filter(|&at| at > 0)
    {
        let start = text[..end].rfind(char::is_whitespace).map_or(0, |at| at + 1);
        return start..end;
    }
    let len = crate::clip::clip(text, 0..text.len(), TERM_WORDS).end;
    let kept = text[..len].trim_end_matches(['¶', '#']);
    let is_cut = len < text.trim_end().len();
    match kept.find('(') {
        Some(at) if is_cut && at > 0 => 0..at,
        _ => 0..kept.len(),
    }
}

/// Whether a text has a name, and not as a part of a longer one: "read" is not mentioned by "readFile", nor "from" by a sentence.
fn mentions(text: &str, name: &str, is_member: bool) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    text.match_indices(name).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + name.len()..]);
        let is_whole = !before.ends_with(goes_on) && !after.starts_with(goes_on);
        is_whole && (!is_member || before.ends_with(['.', ':']) || after.starts_with('('))
    })
}

/// The name that a heading defines: "pub fn Vec::push(value)" is mentioned as "push", "-c, --create" as "--create".
fn name_of(heading: &str) -> &str {
    let is_option = heading.trim_start().starts_with('-');
    let end = heading.find(['(', '<', '[', '{', '=']).filter(|&at| at > 0 && !is_option);
    let mut words = heading[..end.unwrap_or(heading.len())]
        .split([',', ' ', '=', '[', '<', '\u{a0}'])
        .filter(|word| word.len() > 1);
    let word = match is_option {
        true => words.clone().find(|word| word.starts_with("--")).or(words.next()),
        false => words.next_back(),
    };
    let word = word.unwrap_or_default().trim_end_matches(['¶', '#', ')']);
    word.rsplit(['.', ':']).next().unwrap_or_default()
}
