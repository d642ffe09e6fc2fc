//! The line that says what a page is about.

use std::ops::Range;

use crate::clip::{LINE_WORDS_MAX, clip};
use crate::compose::{Composer, Draft};
use crate::labels::has_copula;
use crate::outline::Section;
use crate::words::{count_words, head, lower};

/// Sentences from the beginning of the page among which the one that leads is looked for.
const LEAD_SENTENCES: usize = 14;
/// A sentence with this share of the title's words names what the page is about.
const NAMED_MIN: f32 = 0.4;
/// Words that a sentence behind a title needs.
const ABOUT_WORDS_MIN: usize = 12;
/// Words behind a title that say something.
const TAIL_WORDS_MIN: usize = 5;
/// Sentences from the beginning among which one that begins with the title's subject defines it.
const DEFINING_SENTENCES: usize = 8;
/// Characters of a sentence in which its pronoun is looked for.
const PRONOUN_CHARS: usize = 40;
/// Words of "In geometry,".
const FIELD_WORDS_MAX: usize = 5;
/// Blocks behind a definition that ends in a colon, words of each, and words that they need together.
const DEFINING_ITEMS: usize = 6;
const ITEM_WORDS_MAX: usize = 14;
const DEFINED_WORDS_MIN: usize = 8;
/// Words of a title that stands for a pronoun.
const NAME_WORDS_MAX: usize = 8;
/// Characters of a sentence in which it says what its subject is.
const DEFINITION_CHARS: usize = 120;

impl Composer<'_> {
    /// Adds the sentence that says what the page is about: the author's description where the text has it, the definition of the title's
    /// subject, or the one of the first that is nearest to title and description.
    pub(super) fn lead(&mut self) -> bool {
        self.lead_within(&self.all())
    }

    /// As [`Composer::lead`], within some blocks.
    pub(super) fn lead_within(&mut self, range: &Range<usize>) -> bool {
        if let Some(definition) = self.definition_list(range) {
            return self.add(definition);
        }
        self.find_lead(range).is_some_and(|at| self.say(at))
    }

    /// A definition that ends in a colon, with the items of the list behind it: "A ladder is a set such that: a; b".
    fn definition_list(&self, range: &Range<usize>) -> Option<Draft> {
        let parts = &self.digest.outline.parts;
        let subject = subject(self.digest.title());
        let defines = |block: &usize| {
            let last = parts[*block].sentences.clone().last().map(|at| &self.digest.sentences[at]);
            last.is_some_and(|one| {
                let text = format!(" {} ", lower(head(&one.text, DEFINITION_CHARS)));
                one.text.ends_with([':', '：']) && has_copula(&text) && opens_with(&text, &subject)
            })
        };
        let block = range.clone().take(DEFINING_SENTENCES).find(defines)?;
        let items = self.items(&(block + 1..range.end.min(block + 1 + DEFINING_ITEMS)));
        let last = parts[block].sentences.clone().last()?;
        let mut draft = Draft::default();
        self.put_sentence(&mut draft, "", last, LINE_WORDS_MAX - DEFINED_WORDS_MIN);
        for (i, &item) in items.iter().enumerate() {
            let room = LINE_WORDS_MAX.saturating_sub(draft.words());
            self.put(&mut draft, if i == 0 { ": " } else { "; " }, item, room.min(ITEM_WORDS_MAX));
        }
        (draft.pieces.len() > 1).then_some(draft)
    }

    /// Adds what the page is about, with its title before it where the sentence does not name it: "title: sentence".
    pub(super) fn about(&mut self) -> bool {
        self.about_within(&self.all())
    }

    /// As [`Composer::about`], with a sentence from some blocks.
    pub(super) fn about_within(&mut self, range: &Range<usize>) -> bool {
        if let Some(definition) = self.definition_list(range) {
            return self.add(definition);
        }
        let Some(lead) = self.find_lead(range) else { return self.title_line(&[]) };
        self.about_sentence(lead)
    }

    /// As [`Composer::about`] in prose: a sentence that shares no word with title and description is often the scene that a text opens with.
    pub(super) fn about_unless_scene(&mut self) -> bool {
        let leads = |at: &usize| {
            let described =
                self.digest.rank_of(*at).is_some_and(|rank| self.digest.words.features[rank][2] > 0.0);
            self.titled_share(*at) > 0.0 || described
        };
        self.find_lead(&self.all()).filter(leads).is_some_and(|lead| self.about_sentence(lead))
    }

    /// Adds a sentence, with the title before it where it does not name what the page is about.
    pub(super) fn about_sentence(&mut self, lead: usize) -> bool {
        if self.titled_share(lead) >= NAMED_MIN { self.say(lead) } else { self.titled(lead) }
    }

    /// The share of the title's words that a sentence has.
    pub(super) fn titled_share(&self, sentence: usize) -> f32 {
        self.digest.rank_of(sentence).map_or(0.0, |rank| self.digest.words.features[rank][3])
    }

    /// Adds "title: sentence", or the sentence alone where both are too long for a line.
    pub(super) fn titled(&mut self, sentence: usize) -> bool {
        let Some(title) = self.title_block() else { return self.say(sentence) };
        let mut draft = Draft::default();
        self.put_label(&mut draft, title);
        let room = LINE_WORDS_MAX.saturating_sub(draft.words());
        let before = self.after_label(Some(title));
        let labelled = draft.words();
        if room < ABOUT_WORDS_MIN || !self.put_sentence(&mut draft, before, sentence, room) {
            return self.say(sentence);
        }
        // Of a sentence that cannot be cut but at its beginning, nothing stands behind the title.
        if draft.words() < labelled + TAIL_WORDS_MIN {
            return self.title_line(&[]);
        }
        self.add(draft)
    }

    /// Adds a sentence; where it begins with a pronoun for the page's subject, that stands in brackets in its place. `None`: it does not.
    pub(super) fn named(&self, sentence: usize) -> Option<Draft> {
        let one = &self.digest.sentences[sentence];
        let text = &self.text(one.block)[..one.end_bytes];
        let len = pronoun_bytes(&text[one.start_bytes..], self.digest.language())?;
        let title = self.digest.title();
        let name = &title[..subject_end(title)];
        let before =
            self.digest.sentences.get(sentence.checked_sub(1)?).filter(|before| before.block == one.block)?;
        let begins = lower(head(&before.text, DEFINITION_CHARS));
        let is_about = opens_with(&begins, &subject(title))
            || pronoun_bytes(&before.text, self.digest.language()).is_some();
        if !is_about || name.is_empty() || count_words(name) > NAME_WORDS_MAX {
            return None;
        }
        let room = LINE_WORDS_MAX.saturating_sub(count_words(name));
        let mut draft = Draft::default();
        let bytes = clip(text, one.start_bytes + len..one.end_bytes, room);
        if bytes.end < one.end_bytes {
            draft.after = "…".into();
        }
        self.put_range(&mut draft, "", one.block, bytes);
        draft.pieces.first_mut()?.before = format!("[{}]", name.trim());
        Some(draft)
    }

    /// As [`Composer::lead`], within some blocks.
    pub(super) fn find_lead(&self, range: &Range<usize>) -> Option<usize> {
        let sentences = self.sentences(range);
        let words = &self.digest.words;
        let described = sentences
            .iter()
            .copied()
            .find(|&at| self.digest.rank_of(at).is_some_and(|rank| words.is_described[rank]));
        if described.is_some() && words.is_written {
            return described;
        }
        let early = &sentences[..sentences.len().min(LEAD_SENTENCES)];
        let subject = subject(self.digest.title());
        let defines = |at: &usize| {
            let text = format!(" {} ", lower(head(&self.digest.sentences[*at].text, DEFINITION_CHARS)));
            has_copula(&text) && opens_with(&text, &subject)
        };
        if let Some(definition) = early.iter().copied().take(DEFINING_SENTENCES).find(defines) {
            return Some(definition);
        }
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
        let title = letters(self.digest.title());
        let is_it = |section: &&Section| {
            let text = letters(self.text(section.heading));
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
}

/// Pronouns that stand for the subject of the sentence before, by language, and what follows where they stand for nothing.
const PRONOUNS: &[(&str, &str, &str)] = &[
    (
        "en",
        "it; he; she; they",
        "is possible; is likely; is known; is said; is believed; is thought; is not known; is unclear; was not until; takes; took; seems; appears; rains",
    ),
    ("de", "er; sie", "sind sich; haben sich"),
    ("fr", "il; elle", "y a; faut; est possible; existe; s'agit; est connu; semble"),
    ("pt", "ele; ela", ""),
    ("nl", "hij; zij; ze", ""),
    ("ru", "он; она; оно", ""),
    ("uk", "він; вона; воно", ""),
    ("pl", "on; ona; ono", ""),
    ("sv", "han; hon; den; det", "finns; är möjligt"),
    ("da", "han; hun; den; det", "er muligt"),
];

/// The length of the pronoun that a sentence begins with, where it stands for what the page is about.
fn pronoun_bytes(sentence: &str, language: &str) -> Option<usize> {
    let (_, words, nothing) = PRONOUNS.iter().find(|(name, ..)| *name == language)?;
    let folded = lower(head(sentence, PRONOUN_CHARS));
    let of = |word: &str| {
        folded.strip_prefix(word).filter(|rest| rest.starts_with(' ')).map(|rest| (word.len(), rest))
    };
    let (len, rest) = words.split("; ").find_map(of)?;
    let is_nothing = nothing.split("; ").any(|next| !next.is_empty() && rest.trim_start().starts_with(next));
    (!is_nothing && sentence.is_char_boundary(len)).then_some(len)
}

/// A heading in lower case, without its marks.
fn letters(text: &str) -> String {
    lower(text)
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

/// What a title is about, in lower case: "Hermitian matrix - Encyclopedia" is about "hermitian matrix", "tar(1)" about "tar".
fn subject(title: &str) -> String {
    lower(title[..subject_end(title)].trim())
}

fn subject_end(title: &str) -> usize {
    let ends = [" - ", " – ", " — ", " | ", ": ", " · ", "(", "（"];
    ends.iter().filter_map(|mark| title.find(mark)).filter(|&at| at > 0).min().unwrap_or(title.len())
}

/// Whether a lower-case text begins with a subject, or has it behind where that holds: "In geometry, a ladder is".
fn opens_with(text: &str, subject: &str) -> bool {
    let behind = text.split_once(", ").filter(|(field, _)| count_words(field) <= FIELD_WORDS_MAX);
    begins_with(text, subject) || behind.is_some_and(|(_, rest)| begins_with(rest, subject))
}

/// Whether a lower-case text begins with a subject, behind an article and marks.
fn begins_with(text: &str, subject: &str) -> bool {
    let bare = |text: &str| text.trim_start_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let text = bare(text);
    let article = text
        .split_once([' ', '\''])
        .filter(|(first, _)| first.chars().count() <= 3)
        .map(|(_, rest)| bare(rest));
    !subject.is_empty()
        && (text.starts_with(subject) || article.is_some_and(|rest| rest.starts_with(subject)))
}
