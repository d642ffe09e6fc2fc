//! Which sentences of a page support a line, whoever wrote it.

use super::closeness::{Closeness, folded};
use super::evidence::{Evidence, NUMBER_WORDS};
use super::judge::{Flaw, NEGATIONS, RESERVATIONS, check_form};
use unicode_segmentation::UnicodeSegmentation;

use crate::language::{function_words, is_stop_word};
use crate::page::DigestError;
use crate::stems::same_stem;
use crate::vectors::{Vectors, dot};
use crate::words::head;
use crate::{Digest, QUESTION_CHARS_MAX};

/// Sentences that a line is compared with, the closest by their words.
const CANDIDATES: usize = 8;
/// Sentences that a line may rest on.
const SOURCES_MAX: usize = 3;
/// The least score of a line that is supported. Chosen by ten folds over labeled lines: engine/tests/quality/README.md.
pub const SUPPORTED_MIN: f32 = 0.91;

/// What was found for a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Attribution {
    /// Indices into [`Digest::sentences`], the closest first; empty where the page has no word of the line.
    pub sources: Vec<usize>,
    /// How close the line is to its sources, 0 to 1.
    pub score: f32,
    /// Whether it is a sentence of the page, or an unbroken part of one.
    pub copied: bool,
    /// Why the page does not support it; `None` where it does.
    pub flaw: Option<Flaw>,
}

impl Attribution {
    /// Whether the page supports the line.
    #[must_use]
    pub fn is_supported(&self) -> bool {
        self.flaw.is_none()
    }
}

/// A line's embedding and those of the page's sentences, by the same model.
pub type LineVectors<'a> = (&'a [f32], &'a Vectors);

impl Digest {
    /// Finds the sentences that a line rests on, and judges it by them. Its numbers must stand in them; its names in them, their
    /// neighbors, the heading or the title. Nothing that the line says of its own sources counts. `turn` is as in [`Digest::new`].
    ///
    /// # Errors
    /// [`DigestError::Stopped`].
    pub async fn attribute(
        &self,
        line: &str,
        vectors: Option<LineVectors<'_>>,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Attribution, DigestError> {
        let question = self.question(head(line, QUESTION_CHARS_MAX), turn).await?;
        let mut order: Vec<usize> = (0..self.sentences.len()).filter(|&at| question.bm25[at] > 0.0).collect();
        order.sort_by(|&a, &b| question.bm25[b].total_cmp(&question.bm25[a]).then(a.cmp(&b)));
        order.truncate(CANDIDATES);
        Ok(self.judge_by(line, &order, vectors))
    }

    /// As [`Digest::attribute`], by these sentences only.
    #[must_use]
    pub fn judge_by(
        &self,
        line: &str,
        candidates: &[usize],
        vectors: Option<LineVectors<'_>>,
    ) -> Attribution {
        let words = folded(line);
        let mut sources: Vec<usize> = Vec::new();
        let mut score = 0.0;
        while sources.len() < SOURCES_MAX {
            let known = folded(&self.joined(&sources));
            let rated = candidates.iter().filter(|at| !sources.contains(at)).map(|&at| {
                let mut with = sources.clone();
                with.push(at);
                (at, self.closeness_score(&words, &with, vectors))
            });
            // The earlier one among equals.
            let best = rated.fold(None, |best: Option<(usize, f32)>, one| match best {
                Some(best) if best.1 >= one.1 => Some(best),
                _ => Some(one),
            });
            match best {
                Some((at, better))
                    if sources.is_empty()
                        || (better > score
                            && adds_a_part(&words, &known, &folded(self.sentences[at].meaning()))) =>
                {
                    sources.push(at);
                    score = better;
                }
                _ => break,
            }
        }
        let text = self.joined(&sources);
        let source_words = folded(&text);
        let copied = words.len() > 2 && source_words.windows(words.len()).any(|part| part == words);
        let flaw = check_form(line, &words, &text)
            .err()
            .or_else(|| self.special_flaw(line, &sources, &text))
            .or_else(|| changed_claim(&words, &source_words))
            .or_else(|| (but_not(&text) > but_not(line)).then_some(Flaw::Reservation))
            .or_else(|| {
                let far = score < SUPPORTED_MIN || self.has_new_words(&words, &source_words, &sources);
                (far && !copied).then_some(Flaw::TooFar)
            });
        Attribution { sources, score, copied, flaw }
    }

    /// Whether the line has a word that neither its sources have nor what they stand under or behind.
    fn has_new_words(&self, line: &[String], source: &[String], sources: &[usize]) -> bool {
        let mut context = folded(&self.title);
        for &at in sources {
            let before = at.checked_sub(1).map(|before| self.sentences[before].text.as_str());
            let heading = self.section(at).map(|section| section.text.as_str());
            context.extend(before.into_iter().chain(heading).flat_map(folded));
        }
        let has = |words: &[String], word: &String| {
            words.iter().any(|other| other == word || same_stem(other, word))
        };
        let content = line.iter().filter(|word| !is_stop_word(word));
        content.filter(|word| !has(source, word) && !has(&context, word)).count() > 0
    }

    fn closeness_score(&self, words: &[String], sources: &[usize], vectors: Option<LineVectors<'_>>) -> f32 {
        // What the page is about may stand in place of a pronoun.
        let close = Closeness::of_words(words, &folded(&format!("{} {}", self.title, self.joined(sources))));
        let by_words = 0.45 * close.coverage + 0.2 * close.bigrams + 0.35 * close.in_order;
        let cosine = vectors.and_then(|(line, page)| {
            let rows = sources.iter().filter_map(|&at| page.get(at));
            rows.filter(|row| row.len() == line.len()).map(|row| dot(line, row)).reduce(f32::max)
        });
        // Same meaning in other words: the model's cosine lifts a line that words alone would lose, a little.
        cosine.map_or(by_words, |cosine| by_words.max(0.7 * by_words + 0.3 * cosine.clamp(0.0, 1.0)))
    }

    /// The texts of some sentences in page order, each behind the name of who says it.
    fn joined(&self, sources: &[usize]) -> String {
        let mut ordered = sources.to_vec();
        ordered.sort_unstable();
        let said = |&at: &usize| [self.speaker(at), Some(self.sentences[at].meaning())];
        let texts: Vec<&str> = ordered.iter().flat_map(said).flatten().collect();
        texts.join(" ")
    }

    /// Numbers that the sources do not have, names that nothing around them has.
    fn special_flaw(&self, line: &str, sources: &[usize], text: &str) -> Option<Flaw> {
        let around = sources.iter().flat_map(|&at| {
            let near = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            let near = near.filter_map(|at| self.sentences.get(at)).map(|sentence| sentence.text.as_str());
            near.chain(self.section(at).map(|section| section.text.as_str()))
        });
        let named = Evidence::new(around.chain([text, self.title()]), function_words(&self.language));
        let own = Evidence::new([text], function_words(&self.language));
        let mut missing = named.missing(line);
        missing.extend(own.missing(line).into_iter().filter(|word| is_number(word)));
        missing.dedup();
        if !missing.is_empty() {
            return Some(Flaw::NotInSource(missing));
        }
        swaps(line, text).then_some(Flaw::Swapped)
    }
}

fn is_number(word: &str) -> bool {
    word.chars().any(char::is_numeric) || NUMBER_WORDS.iter().any(|(name, _)| word.eq_ignore_ascii_case(name))
}

/// Numbers and names of a text in order. The first word is none.
fn special(text: &str) -> Vec<&str> {
    let words = text.unicode_words().enumerate();
    let special = |at: usize, word: &str| is_number(word) || (at > 0 && word.starts_with(char::is_uppercase));
    words.filter(|(at, word)| special(*at, word)).map(|(_, word)| word).collect()
}

/// Whether two numbers or names that stand once in the source have changed places.
fn swaps(line: &str, source: &str) -> bool {
    let all = special(source);
    let place = |word: &&str| {
        let mut places = all.iter().enumerate().filter(|(_, other)| *other == word).map(|(at, _)| at);
        places.next().filter(|_| places.next().is_none())
    };
    !special(line).iter().filter_map(place).is_sorted()
}

/// Whether a further source has an unbroken part of the line that the others do not have: not a word here and there, which would make a
/// new claim of two.
fn adds_a_part(line: &[String], known: &[String], further: &[String]) -> bool {
    const PART_WORDS_MIN: usize = 4;
    let missing = |word: &String| !is_stop_word(word) && !known.contains(word);
    let Some(first) = line.iter().position(missing) else { return false };
    let last = line.iter().rposition(missing).unwrap_or(first);
    let part = &line[first..=last];
    let at_an_end = first <= 1 || last + 2 >= line.len();
    let content = part.iter().filter(|word| !is_stop_word(word));
    let kept = content.clone().filter(|word| further.contains(word)).count();
    at_an_end && part.len() >= PART_WORDS_MIN && kept * 5 >= content.count() * 4
}

/// Exceptions ("every day but Monday"): a "but" that no comma separates.
fn but_not(text: &str) -> usize {
    let lower = text.to_lowercase();
    lower.match_indices(" but ").filter(|(at, _)| !lower[..*at].ends_with([',', ';', '–', '—'])).count()
}

/// A negation or a reservation that came, or that went while what it belongs to stayed.
fn changed_claim(line: &[String], source: &[String]) -> Option<Flaw> {
    let lost = |marks: &[&str]| {
        source.iter().enumerate().any(|(at, word)| {
            let kept = line.iter().filter(|other| *other == word).count();
            let had = source.iter().filter(|other| *other == word).count();
            marks.contains(&word.as_str()) && kept < had && stays(line, source, at)
        })
    };
    let came =
        |marks: &[&str]| line.iter().any(|word| marks.contains(&word.as_str()) && !source.contains(word));
    let has = |words: &[String], marks: &[&str]| words.iter().any(|word| marks.contains(&word.as_str()));
    if came(&NEGATIONS) || lost(&NEGATIONS) {
        Some(Flaw::Negation)
    } else if came(&RESERVATIONS)
        || lost(&RESERVATIONS)
        || CONDITIONS.iter().any(|mark| has(source, &[mark]) && !has(line, &[mark]))
        || (has(source, &REPORTS) && !has(line, &REPORTS))
    {
        Some(Flaw::Reservation)
    } else {
        None
    }
}

/// Without these the rest claims more than it did.
const CONDITIONS: [&str; 4] = ["except", "unless", "if", "only"];
/// Somebody says it, which is not the same as that it is so.
const REPORTS: [&str; 20] = [
    "says",
    "said",
    "say",
    "claims",
    "claimed",
    "believes",
    "believe",
    "thinks",
    "think",
    "according",
    "reportedly",
    "estimates",
    "expects",
    "expect",
    "calculated",
    "hopes",
    "hope",
    "doubt",
    "doubts",
    "suggest",
];

/// Whether the line has the word that the mark at `at` belongs to: the next one that is no function word.
fn stays(line: &[String], source: &[String], at: usize) -> bool {
    let next = source[at + 1..].iter().take(6).find(|word| !is_stop_word(word));
    next.is_some_and(|next| line.iter().any(|word| word == next || same_stem(word, next)))
}
