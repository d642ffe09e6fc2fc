//! Which sentences of a page support a line, whoever wrote it.

use super::claims::Claims;
use super::closeness::{Closeness, folded};
use super::evidence::{Evidence, number_value};
use super::flaw::Flaw;
use super::judge::{check_form, ranges};
use super::lexicon::Lexicon;
use super::reading::Reading;

use crate::labels::is_question;
use crate::language::{function_words, is_stop_word};
use crate::page::DigestError;
use crate::words::head;
use crate::{Digest, QUESTION_CHARS_MAX};

/// Sentences that a line is compared with, the closest by their words.
const CANDIDATES: usize = 8;
/// Sentences that a line may rest on.
const SOURCES_MAX: usize = 3;
/// Words of a line that a further source must add.
const NEW_WORDS_MIN: usize = 1;
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

impl Digest {
    /// Finds the sentences that a line rests on, and judges it by them. Its numbers must stand in them; its names in them, their
    /// neighbors, the heading or the title. Nothing that the line says of its own sources counts. `turn` is as in [`Digest::new`].
    ///
    /// # Errors
    /// [`DigestError::Stopped`].
    pub async fn attribute(
        &self,
        line: &str,
        turn: &impl AsyncFn() -> bool,
    ) -> Result<Attribution, DigestError> {
        let question = self.question(head(line, QUESTION_CHARS_MAX), turn).await?;
        let mut order: Vec<usize> = (0..self.sentences.len()).filter(|&at| question.bm25[at] > 0.0).collect();
        order.sort_by(|&a, &b| question.bm25[b].total_cmp(&question.bm25[a]).then(a.cmp(&b)));
        order.truncate(CANDIDATES);
        Ok(self.judge_by(line, &order))
    }

    /// As [`Digest::attribute`], by these sentences only.
    #[must_use]
    pub fn judge_by(&self, line: &str, candidates: &[usize]) -> Attribution {
        let words = folded(line);
        let mut sources: Vec<usize> = Vec::new();
        let mut score = 0.0;
        while sources.len() < SOURCES_MAX {
            let known = folded(&self.joined(&sources));
            let rated = candidates.iter().filter(|at| !sources.contains(at)).map(|&at| {
                let mut with = sources.clone();
                with.push(at);
                (at, self.closeness_score(&words, &with))
            });
            // The earlier one among equals.
            let best = rated.fold(None, |best: Option<(usize, f32)>, one| match best {
                Some(best) if best.1 >= one.1 => Some(best),
                _ => Some(one),
            });
            match best {
                Some((at, better))
                    if sources.is_empty()
                        || better > score && adds(&words, &known, &folded(self.sentences[at].meaning())) =>
                {
                    sources.push(at);
                    score = better;
                }
                _ => break,
            }
        }
        let (mut flaw, mut copied) = (Some(Flaw::TooFar), false);
        for count in 1..=sources.len() {
            (flaw, copied) = self.compared(line, &words, &sources[..count]);
            if flaw.is_none() {
                sources.truncate(count);
                break;
            }
        }
        Attribution { sources, score, copied, flaw }
    }

    /// What speaks against a line by these sentences, and whether it is an unbroken part of them.
    fn compared(&self, line: &str, words: &[String], sources: &[usize]) -> (Option<Flaw>, bool) {
        let text = self.joined(sources);
        let source_words = folded(&text);
        let copied = words.len() > 2 && source_words.windows(words.len()).any(|part| part == words);
        let one = sources.first().filter(|_| sources.len() == 1).and_then(|&at| self.sentences.get(at));
        let is_whole = one.is_some_and(|sentence| {
            let text = without_notes(sentence.meaning());
            words == folded(text) && is_question(line) == is_question(text)
        });
        let flaw = check_form(line, words, &text)
            .err()
            .or_else(|| self.special_flaw(line, sources, &text))
            .or_else(|| if is_whole { None } else { self.claims_flaw(line, sources, &text) })
            .or_else(|| {
                let has = |word: &String| words.contains(word);
                ranges(&source_words).any(|(from, to)| has(from) != has(to)).then_some(Flaw::HalfARange)
            });
        (flaw, copied)
    }

    /// What the line claims otherwise than its sources. At its beginning it may name what the sources are about.
    fn claims_flaw(&self, line: &str, sources: &[usize], text: &str) -> Option<Flaw> {
        let mut context = folded(&self.title);
        for &at in sources {
            let before = at.checked_sub(1).map(|before| self.sentences[before].text.as_str());
            let heading = self.section(at).map(|section| section.text.as_str());
            context.extend(before.into_iter().chain(heading).flat_map(folded));
        }
        let lexicon = Lexicon::of(&self.language);
        let (line, source) = (Reading::new(line, lexicon), Reading::new(text, lexicon));
        Claims::new(&line, &source, lexicon).compare(|word| context.iter().any(|other| other == word)).err()
    }

    fn closeness_score(&self, words: &[String], sources: &[usize]) -> f32 {
        // What the page is about may stand in place of a pronoun.
        let close = Closeness::of_words(words, &folded(&format!("{} {}", self.title, self.joined(sources))));
        0.45 * close.coverage + 0.2 * close.bigrams + 0.35 * close.in_order
    }

    /// The texts of some sentences in page order, each behind the name of who says it.
    fn joined(&self, sources: &[usize]) -> String {
        let mut ordered = sources.to_vec();
        ordered.sort_unstable();
        let said = |&at: &usize| {
            let text = without_notes(self.sentences[at].meaning());
            self.speaker(at).map_or_else(|| text.to_owned(), |name| format!("{name}: {text}"))
        };
        ordered.iter().map(said).collect::<Vec<String>>().join(" ")
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
        None
    }
}

/// A sentence without the numbers of notes behind it: "until 1871.[3]".
fn without_notes(text: &str) -> &str {
    let is_note = |note: &str| !note.is_empty() && note.chars().all(|c| c.is_ascii_digit());
    let mut text = text.trim_end();
    while let Some((before, _)) =
        text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')).filter(|(_, note)| is_note(note))
    {
        text = before.trim_end();
    }
    text
}

fn is_number(word: &str) -> bool {
    number_value(&word.to_lowercase()).is_some()
}

/// Whether a further source has words of the line that the others do not have: one of them alone would make a new claim of two.
fn adds(line: &[String], known: &[String], further: &[String]) -> bool {
    let missing = |word: &&String| !is_stop_word(word) && !known.contains(word) && further.contains(word);
    line.iter().filter(missing).count() >= NEW_WORDS_MIN
}
