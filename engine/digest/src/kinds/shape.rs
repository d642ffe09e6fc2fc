//! What kinds of pages are told apart by: counts over a page's blocks and a few words of its title and headings.

use crate::order::middle;
use crate::outline::Outline;
use crate::page::{BlockKind, DigestError, ItemKind, Page};
use crate::slices::Slices;
use crate::words::head;
use crate::{Sentence, count_words};

use super::looks::{defines, finds, is_clause, opens_with_title};
use super::names::{ABSTRACT, SPECS, STUDY};
use crate::headings as names;
use crate::labels::{is_member, is_numbered, is_question, is_version};

/// Headings whose text is looked at.
const HEADINGS_MAX: usize = 400;
const TITLE_CHARS_MAX: usize = 200;

/// Blocks that a page opens with, the description among them.
const OPENING_BLOCKS: usize = 4;
/// Lines before the text in which the name of a column is looked for, and words of one.
const KICKERS: usize = 8;
const KICKER_WORDS_MAX: usize = 5;
/// In a thread one block of so many is said by somebody.
const SAID_SHARE: usize = 5;
/// Blocks whose text is looked at; others are counted only.
const LOOKED_AT_MAX: usize = 2_000;
/// What is known of a page's form. Shares are 0 to 1.
#[derive(Debug, Default, Clone)]
pub(crate) struct Shape {
    /// Types that the page gives itself, lower case.
    pub(super) types: Vec<String>,
    /// The title and the first heading, lower case, and the title as it is.
    pub(super) title: String,
    pub(super) title_cased: String,
    /// Whether its writer speaks of himself in the title: "How we ...".
    pub(super) told_in_title: bool,
    /// Words of paragraphs, items and quotes.
    pub(super) words: usize,
    /// Headings, terms among them.
    pub(super) headings: usize,
    /// Headings that ask.
    pub(super) questions: usize,
    /// Headings that are a version, or a date.
    pub(super) versions: usize,
    /// Headings that are a year.
    pub(super) years: usize,
    /// Headings that count: "Step 2", "3. Tighten the screw".
    pub(super) numbered: usize,
    /// Items of numbered lists.
    pub(super) ordered: usize,
    pub(super) items: usize,
    pub(super) paragraphs: usize,
    pub(super) rows: usize,
    /// Rows of two cells.
    pub(super) pairs: usize,
    pub(super) codes: usize,
    pub(super) terms: usize,
    /// Terms and headings that begin with a dash: options.
    pub(super) options: usize,
    /// Headings and terms that look like code: "open(path)", "Vec::push".
    pub(super) members: usize,
    /// Different people who speak, and blocks that are said by one.
    pub(super) people: usize,
    pub(super) said: usize,
    /// Blocks with a price, and rows with one.
    pub(super) prices: usize,
    pub(super) priced_rows: usize,
    /// Short blocks that name the type of a field.
    pub(super) fields: usize,
    /// Whether the first paragraphs have the years of a life.
    pub(super) lifespan: bool,
    /// Short blocks of any kind that ask.
    pub(super) asks: usize,
    /// One of the posts is marked as the answer that helped.
    pub(super) accepted: bool,
    /// Words of a paragraph, in the middle.
    pub(super) paragraph_words: usize,
    /// Whether a price stands in the first blocks, whether a rating stands anywhere, whether something may be tried or fetched.
    pub(super) priced_first: bool,
    pub(super) rated: bool,
    pub(super) sells: bool,
    /// Items and paragraphs that begin with a measure: "500 g flour"; and measures of a kitchen anywhere.
    pub(super) measures: usize,
    pub(super) amounts: usize,
    /// Terms and items that look like members.
    pub(super) member_items: usize,
    /// Short blocks with a time of day, as beside posts.
    pub(super) stamps: usize,
    /// Whether a block names the writer of a post that is quoted.
    pub(super) quotes_posts: bool,
    /// Headings that name a clause.
    pub(super) clauses: usize,
    /// Headings of the parts of a study: introduction, methods, results, discussion.
    pub(super) study: usize,
    /// Blocks that begin as speech does.
    pub(super) spoken: usize,
    /// Paragraphs that begin with a quotation mark or a dash, as speech does: a share.
    pub(super) speech: f32,
    /// Words of an item, in the middle.
    pub(super) item_words: usize,
    /// Headings by what they are called.
    pub(super) has: Called,
    /// Share of sentences with a quotation, of those that speak of "I" or "we", of those that address the reader, with a number.
    pub(super) quoting: f32,
    pub(super) first_person: f32,
    /// The same of "I" alone, and of "we" alone.
    pub(super) singular: f32,
    pub(super) plural: f32,
    pub(super) second_person: f32,
    pub(super) numbers: f32,
    /// Share of sentences with "shall", "must", "may not".
    pub(super) binding: f32,
    /// Share of sentences that tell who said something.
    pub(super) reporting: f32,
    /// Share of sentences that judge a thing.
    pub(super) judging: f32,
    /// Share of sentences that say what ought to be, of those that begin as instructions do.
    pub(super) claims: f32,
    pub(super) commands: f32,
    /// Share of the first sentences with a day, as news have it.
    pub(super) days: f32,
    /// Whether the first sentences say what the title's subject is, and whether the first one begins with it.
    pub(super) defines: bool,
    pub(super) opens_with_title: bool,
    /// Share of items and paragraphs with fewer than 25 words.
    pub(super) short: f32,
    /// Words of a heading, in the middle.
    pub(super) heading_words: usize,
    /// Words under a heading, in the middle.
    pub(super) section_words: usize,
    /// Beginnings of the first blocks and all headings, lower case, a line each.
    pub(super) front: String,
    pub(super) headings_text: String,
}

/// Which headings a page has.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Called {
    pub(super) ingredients: bool,
    pub(super) materials: bool,
    pub(super) method: bool,
    pub(super) pros: bool,
    pub(super) cons: bool,
    pub(super) verdict: bool,
    pub(super) summary: bool,
    pub(super) r#abstract: bool,
    pub(super) specs: bool,
    pub(super) name: bool,
    pub(super) synopsis: bool,
    pub(super) options: bool,
    pub(super) description: bool,
    pub(super) references: bool,
    pub(super) see_also: bool,
    pub(super) highlights: usize,
    pub(super) contents: bool,
}

impl Shape {
    pub(crate) async fn new<T: AsyncFn() -> bool>(
        page: &Page,
        outline: &Outline,
        sentences: &[Sentence],
        language: &str,
        slices: &mut Slices<'_, T>,
    ) -> Result<Self, DigestError> {
        let mut shape = Self {
            types: page.types.iter().take(16).map(|name| head(name, 60).to_lowercase()).collect(),
            title: head(&page.title, TITLE_CHARS_MAX).to_lowercase(),
            title_cased: head(&page.title, TITLE_CHARS_MAX).to_owned(),
            ..Self::default()
        };
        // A title may be that of the site.
        if let Some(first) =
            page.blocks.iter().take(3).find(|block| block.kind == BlockKind::Heading && block.level < 2)
        {
            shape.title.push('\n');
            shape.title.push_str(&head(&first.text, TITLE_CHARS_MAX).to_lowercase());
        }
        shape
            .front
            .push_str(&head(page.description.as_deref().unwrap_or_default(), TITLE_CHARS_MAX).to_lowercase());
        shape.front.push('\n');
        shape.count_blocks(page, outline, slices).await?;
        shape.read_headings(page, outline, slices).await?;
        shape.read_sentences(sentences, language, slices).await?;
        shape.defines = defines(&page.title, sentences);
        shape.opens_with_title = opens_with_title(&page.title, sentences);
        Ok(shape)
    }

    /// Whether a type of the page has one of these words.
    pub(super) fn is_typed(&self, names: &[&str]) -> bool {
        self.types.iter().any(|kind| names.iter().any(|name| kind.contains(name)))
    }

    /// Whether the page calls itself an article, of no particular sort.
    pub(super) fn is_article(&self) -> bool {
        self.types.iter().any(|kind| kind == "article")
    }

    /// Whether the title has one of these texts, separated by semicolons.
    pub(super) fn is_titled(&self, words: &str) -> bool {
        finds(&self.title, words)
    }

    /// Whether the first blocks have one of these.
    pub(super) fn begins(&self, words: &str) -> bool {
        finds(&self.front, words)
    }

    /// Whether one of the very first blocks has one of these.
    pub(super) fn opens(&self, words: &str) -> bool {
        let end = self.front.match_indices('\n').nth(OPENING_BLOCKS).map_or(self.front.len(), |(at, _)| at);
        finds(&self.front[..end], words)
    }

    /// Whether the title, or a short line before the text, has one of these, as the name of a column.
    pub(super) fn is_kicked(&self, words: &str) -> bool {
        let short =
            |line: &&str| line.split_whitespace().count() <= KICKER_WORDS_MAX && line.chars().count() <= 60;
        self.is_titled(words)
            || self.front.lines().skip(1).take(KICKERS).filter(short).any(|line| finds(line, words))
    }

    /// Whether a heading has one of these.
    pub(super) fn heads(&self, words: &str) -> bool {
        finds(&self.headings_text, words)
    }

    /// How many of a number, of all.
    pub(super) fn share(part: usize, all: usize) -> f32 {
        part as f32 / all.max(1) as f32
    }

    async fn count_blocks<T: AsyncFn() -> bool>(
        &mut self,
        page: &Page,
        outline: &Outline,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let (mut short, mut items, mut paragraphs) = (0, Vec::new(), Vec::new());
        let mut people: Vec<&str> = Vec::new();
        for (at, (block, part)) in page.blocks.iter().zip(&outline.parts).enumerate() {
            slices.charge(64).await?;
            // They are about the page, and not of its kind.
            if part.kind == BlockKind::Comment {
                continue;
            }
            if at < LOOKED_AT_MAX {
                self.look_at(block, part);
                slices.charge(1 << 10).await?;
            }
            match part.kind {
                BlockKind::Paragraph | BlockKind::Quote => paragraphs.push(part.words),
                BlockKind::ListItem => items.push(part.words),
                BlockKind::Table => {
                    self.rows += 1;
                    self.pairs +=
                        usize::from(block.text.split('\t').filter(|cell| !cell.is_empty()).count() == 2);
                }
                BlockKind::Code => self.codes += 1,
                BlockKind::Heading | BlockKind::Caption | BlockKind::Comment => {}
            }
            if part.kind.is_ranked() {
                self.words += part.words;
                short += usize::from(part.words < 25);
            }
            self.ordered += usize::from(part.item == Some(ItemKind::Ordered));
            self.terms += usize::from(part.item == Some(ItemKind::Term));
            // What stands beside an entry of a changelog looks like a name.
            if block.speaker.as_deref().is_some_and(is_version) {
                self.versions += 1;
            } else if let Some(name) = &block.speaker {
                self.said += 1;
                if people.len() < 64 && !people.contains(&name.as_str()) {
                    people.push(name);
                }
            }
        }
        (self.items, self.paragraphs, self.people) = (items.len(), paragraphs.len(), people.len());
        (self.item_words, self.paragraph_words) = (middle(&items), middle(&paragraphs));
        let pieces = self.paragraphs + self.items;
        // Where few blocks have a name beside them, as on a front page, these are writers of articles and nobody talks.
        if self.said * SAID_SHARE < pieces {
            self.people = 0;
        }
        self.speech = Self::share(self.spoken, pieces.min(LOOKED_AT_MAX));
        self.short = Self::share(short, pieces);
        self.read_front(page);
        Ok(())
    }

    async fn read_headings<T: AsyncFn() -> bool>(
        &mut self,
        page: &Page,
        outline: &Outline,
        slices: &mut Slices<'_, T>,
    ) -> Result<(), DigestError> {
        let mut lengths: Vec<usize> = Vec::new();
        let mut headings: Vec<usize> = Vec::new();
        for section in outline.sections.iter().take(HEADINGS_MAX) {
            let text = head(&page.blocks[section.heading].text, 160).trim();
            slices.charge(1 << 10).await?;
            self.headings += 1;
            headings.push(count_words(text));
            self.questions += usize::from(is_question(text));
            self.versions += usize::from(is_version(text));
            self.years += usize::from(text.len() == 4 && text.chars().all(|c| c.is_ascii_digit()));
            self.numbered += usize::from(is_numbered(text));
            self.options += usize::from(text.starts_with('-'));
            self.members += usize::from(is_member(text));
            self.clauses += usize::from(is_clause(text));
            let words = outline.parts[section.body.clone()].iter().filter(|part| part.kind.is_searched());
            lengths.push(words.map(|part| part.words).sum());
            self.name(text);
            if self.headings_text.len() < 8_000 {
                self.headings_text.push_str(&names::fold(text));
                self.headings_text.push('\n');
            }
        }
        self.heading_words = middle(&headings);
        self.section_words = middle(&lengths);
        Ok(())
    }

    fn name(&mut self, heading: &str) {
        let called = |names| names::is_called(heading, names);
        let has = &mut self.has;
        has.ingredients |= called(names::INGREDIENTS);
        has.materials |= called(names::MATERIALS);
        has.method |= called(names::METHOD);
        has.pros |= called(names::PROS);
        has.cons |= called(names::CONS);
        has.verdict |= called(names::VERDICT);
        has.summary |= called(names::ABSTRACT);
        has.r#abstract |= called(ABSTRACT);
        has.specs |= called(SPECS);
        self.study += usize::from(called(STUDY));
        let has = &mut self.has;
        has.name |= called(names::MAN_NAME);
        has.synopsis |= called(names::SYNOPSIS);
        has.options |= called(names::OPTIONS);
        has.description |= called(names::DESCRIPTION);
        has.references |= called(names::REFERENCES);
        has.see_also |= called(names::SEE_ALSO);
        has.highlights += usize::from(called(names::HIGHLIGHTS));
        has.contents |= called(names::CONTENTS);
    }
}
