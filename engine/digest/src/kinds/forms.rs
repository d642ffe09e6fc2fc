//! Forms that several kinds share: the line that says what a page is about, steps, terms with their gloss, headings with what is under them.

use std::ops::Range;

use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::labels::{has_copula, is_numbered, is_question, is_step};
use crate::order::sorted;
use crate::outline::Section;
use crate::page::{BlockKind, ItemKind};
use crate::terms::contained;
use crate::words::{count_words, head};

/// Sentences from the beginning of the page among which the one that leads is looked for.
const LEAD_SENTENCES: usize = 14;
/// Blocks of a page that are searched for how often a term is mentioned.
const MENTION_BLOCKS_MAX: usize = 3_000;
const TERMS_MAX: usize = 300;
/// Words of a step that only says which one it is.
const STEP_LABEL_WORDS: usize = 2;

impl<'a> Composer<'a> {
    /// Adds the sentence that says what the page is about: the author's description where the text has it, the definition of the title's
    /// subject, or the one of the first that is nearest to title and description.
    pub(super) fn lead(&mut self) -> bool {
        let lead = self.find_lead(&(0..self.digest.outline.parts.len()));
        lead.is_some_and(|at| self.say(at))
    }

    /// As [`Composer::lead`], within some blocks.
    pub(super) fn find_lead(&self, range: &Range<usize>) -> Option<usize> {
        let sentences = self.sentences(range);
        let words = &self.digest.words;
        let described = sentences
            .iter()
            .copied()
            .find(|&at| self.digest.rank_of(at).is_some_and(|rank| words.is_described[rank]));
        if described.is_some() {
            return described;
        }
        let early = &sentences[..sentences.len().min(LEAD_SENTENCES)];
        let value = |(i, &at): (usize, &usize)| {
            let Some(rank) = self.digest.rank_of(at) else { return f32::MIN };
            let titled = words.features[rank][3];
            let text = format!(" {} ", head(&self.digest.sentences[at].text, 120).to_lowercase());
            let defines = titled > 0.0 && has_copula(&text);
            let length = if self.digest.sentences[at].words < 8 { 1.5 } else { 0.0 };
            1.0 * titled.min(1.0) + 0.4 * words.features[rank][2] + 0.8 * f32::from(u8::from(defines))
                - 0.06 * i as f32
                - length
                + 0.6 * self.scores[rank]
        };
        early
            .iter()
            .enumerate()
            .map(|one| (value(one), *one.1))
            .reduce(|a, b| if b.0 > a.0 { b } else { a })
            .map(|best| best.1)
    }

    /// The heading that is the page's title.
    pub(super) fn title_block(&self) -> Option<usize> {
        let title = self.digest.title().to_lowercase();
        let is_it = |section: &&Section| {
            let text = self.text(section.heading).trim().to_lowercase();
            section.level <= 2
                && text.len() >= 3
                && !title.is_empty()
                && (title.contains(&text) || text.contains(&title))
        };
        self.sections().iter().take(20).find(is_it).map(|section| section.heading)
    }

    /// Adds "title: short facts", each of them a short block with a number.
    pub(super) fn title_line(&mut self, facts: &[usize]) -> bool {
        let mut draft = Draft::default();
        let title = self.title_block();
        if let Some(title) = title {
            self.put_label(&mut draft, title);
        }
        for (i, &fact) in facts.iter().filter(|fact| Some(**fact) != title).enumerate() {
            let before = if i == 0 { " – " } else { ", " };
            self.put(&mut draft, before, fact, 12);
        }
        self.add(draft)
    }

    /// Short blocks that have one of these words, all lower case, and a number.
    pub(super) fn facts(&self, range: &Range<usize>, words: &str, count: usize) -> Vec<usize> {
        let is_fact = |block: &usize| {
            let part = &self.digest.outline.parts[*block];
            let text = self.text(*block);
            part.words <= 14
                && part.kind != BlockKind::Code
                && text.chars().any(char::is_numeric)
                && has_any_word(&text.to_lowercase(), words)
        };
        range.clone().take(MENTION_BLOCKS_MAX).filter(is_fact).take(count).collect()
    }

    /// The steps of a page: numbered headings, or the items of its longest numbered list; else what stands under a heading of these names.
    pub(super) fn steps(&self, names: &str) -> Vec<usize> {
        let counts = |block: &usize| {
            let part = &self.digest.outline.parts[*block];
            part.kind != BlockKind::Code && part.kind != BlockKind::Table && is_step(self.text(*block))
        };
        let mut numbered: Vec<usize> = self.all().take(MENTION_BLOCKS_MAX).filter(counts).collect();
        if numbered.len() < 3 {
            let headings = self.sections().iter().map(|section| section.heading);
            numbered = headings.filter(|&block| is_numbered(self.text(block))).collect();
        }
        let ordered = self.longest_run();
        if numbered.len() >= 3 && numbered.len() + 2 >= ordered.len().min(8) {
            return numbered.into_iter().map(|block| self.step_text(block)).collect();
        }
        if ordered.len() >= 3 {
            return ordered;
        }
        let Some(section) = self.section(names) else { return Vec::new() };
        let items = self.items(&section.whole);
        if items.len() >= 2 { items } else { self.blocks(&section.whole, BlockKind::Paragraph) }
    }

    /// The block that says what a step is: the one below where the step's own is "Step 2" and no more.
    fn step_text(&self, block: usize) -> usize {
        let parts = &self.digest.outline.parts;
        let is_bare = count_words(self.text(block)) <= STEP_LABEL_WORDS;
        let is_below =
            parts.get(block + 1).is_some_and(|part| part.kind.is_ranked() && part.words > STEP_LABEL_WORDS);
        if is_bare && is_below { block + 1 } else { block }
    }

    /// The longest numbered list.
    fn longest_run(&self) -> Vec<usize> {
        let (mut best, mut run) = (Vec::new(), Vec::new());
        for (block, part) in self.digest.outline.parts.iter().enumerate() {
            if part.item == Some(ItemKind::Ordered) {
                run.push(block);
            } else if part.kind == BlockKind::Heading || run.len() > 100 {
                if run.len() > best.len() {
                    best = std::mem::take(&mut run);
                }
                run.clear();
            }
        }
        if run.len() > best.len() { run } else { best }
    }

    /// Adds blocks as lines, several to a line, each by its beginning: all of them where the lines have the room.
    pub(super) fn join(&mut self, label: Option<usize>, blocks: &[usize], lines: usize, between: &str) {
        let lines = lines.min(self.room());
        if lines == 0 || blocks.is_empty() {
            return;
        }
        let per_line = blocks.len().div_ceil(lines).max(1);
        for (i, group) in blocks.chunks(per_line).enumerate() {
            let label = label.filter(|_| i == 0);
            let label_words = label.map_or(0, |block| count_words(self.text(block)).min(14));
            let each = ((LINE_WORDS_MAX - label_words) / group.len()).clamp(4, LINE_WORDS_MAX);
            if let Some(draft) = self.list(label, group, each, between) {
                self.add(draft);
            }
        }
    }

    /// Adds "heading: what stands under it": its items or rows, else its first sentence.
    pub(super) fn section_line(&mut self, section: &Section) -> bool {
        let items = self.items(&section.whole);
        let rows = self.blocks(&section.whole, BlockKind::Table);
        let first = self.first(&section.whole);
        let listed = if rows.len() >= 2 { rows } else { items };
        if listed.len() >= 2 {
            let each = ((LINE_WORDS_MAX - 4) / listed.len().min(4)).max(5);
            return self
                .list(Some(section.heading), &listed, each, "; ")
                .is_some_and(|draft| self.add(draft));
        }
        let Some(first) = first.filter(|&at| !self.is_said(at)) else { return false };
        let mut draft = Draft::default();
        self.put_label(&mut draft, section.heading);
        let before = if draft.is_empty() { "" } else { ": " };
        let room = LINE_WORDS_MAX.saturating_sub(draft.words());
        self.put_sentence(&mut draft, before, first, room) && self.add(draft)
    }

    /// Terms of a range with their explanation, the most mentioned first.
    pub(super) fn glossed(&self, is_term: &dyn Fn(&str) -> bool) -> Vec<(usize, usize)> {
        let sections =
            self.sections().iter().filter(|section| is_term(self.text(section.heading))).take(TERMS_MAX);
        let mut found: Vec<(usize, usize, usize)> = Vec::new();
        for section in sections {
            let Some(gloss) = self.gloss(section) else { continue };
            let name = name_of(self.text(section.heading));
            found.push((self.mentions(&name), section.heading, gloss));
        }
        sorted(&found, |&(mentions, _, _)| mentions as f32)
            .into_iter()
            .map(|(_, heading, gloss)| (heading, gloss))
            .collect()
    }

    /// The first sentence that explains a heading.
    fn gloss(&self, section: &Section) -> Option<usize> {
        let parts = &self.digest.outline.parts;
        let sentences = section.body.clone().take(6).flat_map(|block| parts[block].sentences.clone());
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

    fn mentions(&self, name: &str) -> usize {
        if name.len() < 2 {
            return 0;
        }
        let texts = self.digest.texts.iter().take(MENTION_BLOCKS_MAX);
        texts.filter(|text| text.contains(name)).count()
    }

    /// Adds "term: gloss", several to a line.
    pub(super) fn gloss_lines(&mut self, glossed: &[(usize, usize)], lines: usize, each: usize) {
        let each_words = (LINE_WORDS_MAX / each).max(8);
        for group in glossed.chunks(each).take(lines) {
            let mut draft = Draft::default();
            for &(term, gloss) in group {
                let before = if draft.is_empty() { "" } else { "; " };
                let text = self.text(term);
                let range = crate::clip::clip(text, 0..text.len(), 6);
                let term_end = range.end - usize::from(text[range.clone()].ends_with(['¶', '#']));
                if self.put_range(&mut draft, before, term, range.start..term_end) {
                    self.put_sentence(&mut draft, ": ", gloss, each_words.saturating_sub(3));
                }
            }
            if draft.pieces.len() > 1 {
                self.add(draft);
            }
        }
    }

    /// Adds the best sentence of each of the largest parts of the page, in page order.
    pub(super) fn spread(&mut self, count: usize) {
        let total: usize = self.digest.outline.parts.iter().map(|part| part.words).sum();
        let top = self.top_level();
        let mut parts: Vec<(usize, &Section)> = self
            .sections()
            .iter()
            .filter(|section| section.level == top)
            .map(|section| (self.words_in(&section.whole), section))
            .filter(|(words, section)| *words * 30 >= total && !self.is_aside(section))
            .collect();
        parts = sorted(&parts, |(words, _)| *words as f32);
        parts.truncate(count.min(self.room()));
        parts = sorted(&parts, |(_, section)| -(section.heading as f32));
        for (_, section) in parts {
            let sentences = self.sentences(&section.whole);
            if let Some(best) = self.best_under(section, &sentences) {
                self.say(best);
            }
        }
    }

    /// The level of the main parts: the highest below the title.
    pub(super) fn top_level(&self) -> u8 {
        let levels = self.sections().iter().map(|section| section.level);
        levels.filter(|&level| level > 1).min().unwrap_or(2)
    }

    /// References, links and the like.
    fn is_aside(&self, section: &Section) -> bool {
        let text = self.text(section.heading);
        crate::headings::is_called(text, crate::headings::REFERENCES)
            || crate::headings::is_called(text, crate::headings::SEE_ALSO)
    }

    fn words_in(&self, range: &Range<usize>) -> usize {
        self.digest.outline.parts[range.clone()]
            .iter()
            .filter(|part| part.kind.is_ranked())
            .map(|part| part.words)
            .sum()
    }

    /// The best of the sentences under a heading: what shares words with it counts more.
    fn best_under(&self, section: &Section, sentences: &[usize]) -> Option<usize> {
        let counts = self.digest.terms.count(self.text(section.heading)).0;
        let value = |at: usize| {
            let shared = contained(&counts, &self.digest.terms.counts[at]);
            self.score(at) + 1.5 * shared
        };
        let open = sentences.iter().copied().filter(|&at| !self.is_said(at));
        open.map(|at| (value(at), at)).reduce(|a, b| if b.0 > a.0 { b } else { a }).map(|best| best.1)
    }

    /// Puts all lines but the first so many into page order.
    pub(super) fn in_page_order(&mut self, after: usize) {
        let after = after.min(self.lines.len());
        let rest = self.lines.split_off(after);
        self.lines.extend(sorted(&rest, |line| -(line.sentence as f32)));
    }

    /// The sentences of a range that have one of these words, best first.
    pub(super) fn cued(&self, range: &Range<usize>, words: &str) -> Vec<usize> {
        let has = |at: &usize| {
            let text = format!(" {} ", self.digest.sentences[*at].text.to_lowercase());
            !is_question(&self.digest.sentences[*at].text) && has_any_word(&text, words)
        };
        let found: Vec<usize> = self.sentences(range).into_iter().filter(has).collect();
        sorted(&found, |&at| self.score(at))
    }

    /// All blocks.
    pub(super) fn all(&self) -> Range<usize> {
        0..self.digest.outline.parts.len()
    }
}

/// Whether a lower-case text has one of these words, separated by semicolons.
pub(super) fn has_any_word(text: &str, words: &str) -> bool {
    words.split(';').map(str::trim).filter(|word| !word.is_empty()).any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let spaced = word.chars().next().is_some_and(|c| c.is_alphabetic() && c < '\u{2E80}');
            let before = text[..at].chars().next_back().is_some_and(char::is_alphabetic);
            let after = text[at + word.len()..].chars().next().is_some_and(char::is_alphabetic);
            !spaced || (!before && !after)
        })
    })
}

/// The name that a heading defines: "Vec::push(value)" is mentioned as "push", "-c, --create" as "--create".
fn name_of(heading: &str) -> String {
    let words = heading.split([',', ' ', '=', '(', '[', '<', '\u{a0}']).filter(|word| !word.is_empty());
    let word = words
        .take(3)
        .filter(|word| word.len() > 1)
        .max_by_key(|word| word.starts_with("--"))
        .unwrap_or_default();
    word.rsplit(['.', ':']).next().unwrap_or_default().trim_end_matches('¶').to_owned()
}
