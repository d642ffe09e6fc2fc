//! Forms that several kinds share: steps, headings with what is under them.

use std::ops::Range;

use crate::clip::LINE_WORDS_MAX;
use crate::compose::{Composer, Draft};
use crate::labels::{is_numbered, is_question, is_step};
use crate::order::sorted;
use crate::outline::Section;
use crate::page::{BlockKind, ItemKind};
use crate::terms::contained;
use crate::words::{count_words, lower};

/// Main parts that are named in a line of their own.
const OUTLINE_MIN: usize = 4;
/// Blocks and sections of a page that are looked at.
const BLOCKS_MAX: usize = 3_000;
const SECTIONS_MAX: usize = 300;
/// Words of each block that is joined with others: as many as let all of them in.
const EACH_WORDS: [usize; 5] = [LINE_WORDS_MAX, 16, 12, 9, 7];
/// Words that an item and a row have at least in a line, where there are many.
const ITEM_WORDS: usize = 5;
const ROW_WORDS: usize = 12;
/// What a section is called whose items are what a page has to say.
const RULES: &str = "rules; principles; key points; takeaways; in short; at a glance; checklist; regeln; grundsätze; règles; principes; reglas; principios; regole; principi; regras; zasady; правила; принципы; 规则; 原则; 規則; 원칙";
const RULES_HEADING_WORDS_MAX: usize = 5;
/// What boxes beside the text are called.
const BOXES: &str = "caution; warning; tip; note; important; about this; achtung; hinweis; warnung; tipp; attention; remarque; astuce; advertencia; nota; avviso; aviso; waarschuwing; uwaga; внимание; примечание; 注意; 警告; 提示";
/// Levels of headings, those of terms among them.
const LEVELS: usize = 9;
/// Words of a step that only says which one it is.
const STEP_LABEL_WORDS: usize = 2;

impl<'a> Composer<'a> {
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
        range.clone().take(BLOCKS_MAX).filter(is_fact).take(count).collect()
    }

    /// The steps of a page: numbered headings, or the items of its longest numbered list; else what stands under a heading of these names.
    pub(super) fn steps(&self, names: &str) -> Vec<usize> {
        let counts = |block: &usize| {
            let part = &self.digest.outline.parts[*block];
            part.kind != BlockKind::Code && part.kind != BlockKind::Table && is_step(self.text(*block))
        };
        let mut numbered: Vec<usize> = self.all().take(BLOCKS_MAX).filter(counts).collect();
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

    /// Adds blocks as lines, several to a line: whole where the lines have the room, else each by its beginning, and as many as fit.
    pub(super) fn join(&mut self, label: Option<usize>, blocks: &[usize], lines: usize, between: &str) {
        let lines = lines.min(self.room());
        if lines == 0 || blocks.is_empty() {
            return;
        }
        let packed = EACH_WORDS.iter().map(|&each| self.pack(label, blocks, lines, each, between));
        let (mut best, mut most) = (Vec::new(), 0);
        for (drafts, items) in packed {
            if items > most {
                (best, most) = (drafts, items);
            }
            if most == blocks.len() {
                break;
            }
        }
        for draft in best {
            self.add(draft);
        }
    }

    /// Blocks in as few drafts as hold them, each by at most so many words, and how many of them that are.
    fn pack(
        &self,
        label: Option<usize>,
        blocks: &[usize],
        lines: usize,
        each: usize,
        between: &str,
    ) -> (Vec<Draft>, usize) {
        let mut drafts = Vec::new();
        let (mut draft, mut items) = (Draft::default(), 0);
        if let Some(label) = label {
            self.put_label(&mut draft, label);
        }
        let mut before = if draft.is_empty() { between } else { self.after_label(label) };
        for &block in blocks {
            let is_put = self.put(&mut draft, before, block, each);
            if !is_put && !draft.is_empty() && drafts.len() + 1 < lines {
                drafts.push(std::mem::take(&mut draft));
                self.put(&mut draft, "", block, each);
            } else if !is_put {
                break;
            }
            items += 1;
            before = between;
        }
        if items > 0 {
            drafts.push(draft);
        }
        (drafts, items)
    }

    /// Adds "heading: what stands under it": its items or rows, else its first sentence.
    pub(super) fn section_line(&mut self, section: &Section) -> bool {
        let items = self.items(&section.whole);
        let rows = self.rows(&section.whole);
        let first = self.first(&section.whole);
        let (listed, least) = if rows.len() >= 2 { (rows, ROW_WORDS) } else { (items, ITEM_WORDS) };
        if listed.len() >= 2 {
            let each = ((LINE_WORDS_MAX - 4) / listed.len().min(4)).max(least);
            return self
                .list(Some(section.heading), &listed, each, "; ")
                .is_some_and(|draft| self.add(draft));
        }
        let Some(first) = first.filter(|&at| !self.is_said(at)) else { return false };
        let mut draft = Draft::default();
        self.put_label(&mut draft, section.heading);
        let before = if draft.is_empty() { "" } else { self.after_label(Some(section.heading)) };
        let room = LINE_WORDS_MAX.saturating_sub(draft.words());
        self.put_sentence(&mut draft, before, first, room) && self.add(draft)
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

    /// Adds "heading: its items" for the first section that is called rules or the like: it says what the page is about.
    pub(super) fn rules_line(&mut self) {
        let is_it = |section: &&Section| {
            let name = lower(self.text(section.heading));
            count_words(&name) <= RULES_HEADING_WORDS_MAX && has_any_word(&name, RULES)
        };
        let listed = self.sections().iter().filter(is_it).take(SECTIONS_MAX);
        let listed = listed.map(|section| (section.heading, self.items(&section.body)));
        if let Some((heading, items)) = listed.into_iter().find(|(_, items)| items.len() > 1) {
            self.join(Some(heading), &items, 1, "; ");
        }
    }

    /// Adds the headings of the main parts as one line, where there are at least so many that their names tell what is in them.
    pub(super) fn outline_line(&mut self) {
        let (top, title) = (self.top_level(), self.title_block());
        let headings: Vec<usize> = self
            .sections()
            .iter()
            .filter(|section| section.level == top && !self.is_aside(section))
            .map(|section| section.heading)
            .filter(|&heading| Some(heading) != title)
            .collect();
        if headings.len() >= OUTLINE_MIN {
            self.join(None, &headings, 1, "; ");
        }
    }

    /// The level of the main parts: the highest below the title that more than one heading has. A page may begin with its title on any level.
    pub(super) fn top_level(&self) -> u8 {
        let title = self.title_block();
        let mut counts = [0usize; LEVELS];
        let below = |section: &&Section| {
            section.level > 1 && Some(section.heading) != title && !self.is_aside(section)
        };
        for section in self.sections().iter().filter(below) {
            counts[usize::from(section.level).min(counts.len() - 1)] += 1;
        }
        let first = |least: usize| counts.iter().position(|&count| count >= least);
        first(2).or(first(1)).map_or(2, |level| level as u8)
    }

    /// References, links, boxes and the like.
    fn is_aside(&self, section: &Section) -> bool {
        let text = self.text(section.heading);
        crate::headings::is_called(text, BOXES)
            || crate::headings::is_called(text, crate::headings::REFERENCES)
            || crate::headings::is_called(text, crate::headings::SEE_ALSO)
    }

    pub(super) fn words_in(&self, range: &Range<usize>) -> usize {
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
