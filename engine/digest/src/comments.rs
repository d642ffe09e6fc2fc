//! What readers wrote under an article: how many comments there are, and the words that several of them share.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::Sentence;
use super::language::folded_function_words;
use super::noise::Noise;
use super::page::{Block, BlockKind, DigestError};
use super::slices::Slices;
use super::stems::same_stem;
use super::words::{each_term, lower};

/// Words that are named.
const ABOUT_MAX: usize = 4;
/// A word is in so many comments, where there are more than a few.
const SHARED_MIN: usize = 2;
const FEW: usize = 2;
/// Bounds of the work: words that are counted, and characters of a word.
const WORDS_MAX: usize = 4_000;
const WORD_CHARS_MIN: usize = 4;
const WORD_CHARS_MAX: usize = 30;
/// How much more a word counts that the article has, too, or its title.
const IN_TEXT: usize = 2;
const IN_TITLE: usize = 3;

/// The comments under an article.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Comments {
    /// How many there are: blocks in a row by one person are one.
    pub count: usize,
    /// Words that most of them share, the most frequent first; at most four. Empty where none stands out.
    pub about: Vec<String>,
}

/// A word of comments.
#[derive(Default)]
struct Word {
    /// Comments that have it, and the last of those.
    comments: usize,
    last: usize,
    /// As it is written first, and how many words come before it.
    shown: String,
    order: usize,
    /// Where else it stands.
    weight: usize,
}

impl Comments {
    /// Those of a page; None where it has none.
    pub(super) async fn new<T: AsyncFn() -> bool>(
        blocks: &[Block],
        sentences: &[Sentence],
        title: &str,
        language: &str,
        slices: &mut Slices<'_, T>,
    ) -> Result<Option<Self>, DigestError> {
        let mut count = 0;
        let mut number_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut last: Option<&str> = None;
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.kind == BlockKind::Comment) {
            let speaker = block.speaker.as_deref();
            count += usize::from(speaker.is_none() || speaker != last);
            last = speaker;
            number_of.insert(at, count);
            slices.charge(16).await?;
        }
        if count == 0 {
            return Ok(None);
        }
        let mut words = BTreeMap::new();
        for sentence in sentences.iter().filter(|sentence| sentence.noise == Some(Noise::Comment)) {
            slices.charge(sentence.text.len() * 4).await?;
            if let Some(&number) = number_of.get(&sentence.block) {
                learn(&mut words, &sentence.text, number, language);
            }
        }
        for sentence in sentences.iter().filter(|sentence| sentence.noise.is_none()) {
            slices.charge(sentence.text.len()).await?;
            weigh(&mut words, &sentence.text, IN_TEXT);
        }
        weigh(&mut words, title, IN_TITLE);
        Ok(Some(Self { count, about: shared(&words, if count > FEW { SHARED_MIN } else { 1 }) }))
    }
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic() && c != '-').filter(|word| {
        (WORD_CHARS_MIN..=WORD_CHARS_MAX).contains(&word.chars().take(WORD_CHARS_MAX + 1).count())
    })
}

/// Counts the words of a sentence of the comment `number`, from 1.
fn learn(words: &mut BTreeMap<String, Word>, text: &str, number: usize, language: &str) {
    let function_words = folded_function_words(language);
    for shown in words_of(text) {
        let mut is_function_word = false;
        each_term(shown, language == "en", &mut |term| is_function_word |= function_words.contains(term));
        let order = words.len();
        if is_function_word || order >= WORDS_MAX {
            continue;
        }
        let word = words.entry(lower(shown)).or_insert_with(|| Word {
            shown: shown.to_string(),
            order,
            weight: 1,
            ..Word::default()
        });
        if word.last != number {
            (word.comments, word.last) = (word.comments + 1, number);
        }
    }
}

/// Words that stand in `text` weigh so much.
fn weigh(words: &mut BTreeMap<String, Word>, text: &str, weight: usize) {
    for name in words_of(text) {
        if let Some(word) = words.get_mut(&lower(name)) {
            word.weight = weight;
        }
    }
}

/// Words of `least` comments and more, the weightiest first.
fn shared(words: &BTreeMap<String, Word>, least: usize) -> Vec<String> {
    let mut found: Vec<(&String, &Word)> = words.iter().filter(|(_, word)| word.comments >= least).collect();
    found.sort_by_key(|(_, word)| (Reverse(word.comments * word.weight), word.order));
    let mut about: Vec<(&String, &Word)> = Vec::new();
    for (name, word) in found {
        if about.len() < ABOUT_MAX && !about.iter().any(|(other, _)| same_stem(other, name)) {
            about.push((name, word));
        }
    }
    about.into_iter().map(|(_, word)| word.shown.clone()).collect()
}
