//! Questions that a page answers, made from its own words.

use std::cmp::Reverse;

use unicode_segmentation::UnicodeSegmentation;

use crate::language::is_stop_word;
use crate::page::DigestError;
use crate::passages::Verdict;
use crate::{Digest, Sentence, SummaryLength};

/// Most questions that are offered.
pub const SUGGESTIONS_MAX: usize = 3;
/// Most questions that are tried.
const TRIED_MAX: usize = 16;
/// Words of a heading or a subject that make a question.
const SUBJECT_WORDS_MAX: usize = 6;

/// A question about a heading, by language: what stands before it and behind it. Elsewhere it is the heading with a question mark.
const ABOUT: [(&str, &str, &str); 13] = [
    ("en", "What does it say about “", "”?"),
    ("de", "Was steht hier über „", "“?"),
    ("fr", "Que dit ce texte sur « ", " » ?"),
    ("es", "¿Qué dice sobre «", "»?"),
    ("it", "Che cosa dice su «", "»?"),
    ("pt", "O que diz sobre “", "”?"),
    ("nl", "Wat staat er over ‘", "’?"),
    ("pl", "Co tu napisano o „", "”?"),
    ("ar", "ماذا يقول النص عن «", "»؟"),
    ("hi", "यहाँ “", "” के बारे में क्या लिखा है?"),
    ("ja", "「", "」について何と書かれていますか？"),
    ("ko", "“", "”에 대해 무엇이라고 쓰여 있나요?"),
    ("zh", "文中关于“", "”说了什么？"),
];
/// What a heading that is a question ends with.
const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];
/// Quotation marks around a heading: they would stand in others.
const QUOTES: [char; 12] = ['"', '“', '”', '„', '«', '»', '「', '」', '‘', '’', '‹', '›'];

impl Digest {
    /// Up to three questions that the page answers by its words, those of key sentences first. `turn` is as in [`Digest::new`].
    ///
    /// # Errors
    /// [`DigestError::Stopped`].
    pub async fn suggest_questions(&self, turn: &impl AsyncFn() -> bool) -> Result<Vec<String>, DigestError> {
        let mut found: Vec<String> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        for (place, question) in self.possible_questions() {
            if found.len() == SUGGESTIONS_MAX {
                break;
            }
            if places.contains(&place) || found.contains(&question) {
                continue;
            }
            let asked = self.question(&question, turn).await?;
            let answer = self.rank_question(&asked, None, 1, turn).await?;
            if answer.verdict == Verdict::Answered {
                found.push(question);
                places.push(place);
            }
        }
        Ok(found)
    }

    /// Questions and the blocks that they are about.
    fn possible_questions(&self) -> Vec<(usize, String)> {
        let key = self.key_sentences(None, SummaryLength::Long.lines_max());
        let mut lines: Vec<(Reverse<usize>, usize)> =
            key.iter().map(|line| (Reverse((line.score * 1e3) as usize), line.sentence)).collect();
        lines.sort_unstable();
        let sentences = lines.iter().map(|(_, at)| &self.sentences[*at]);
        let mut questions: Vec<(usize, String)> = Vec::new();
        if self.language == "en" {
            questions.extend(sentences.filter_map(|one| Some((one.block, ask_in_english(one)?))));
        }
        let about = ABOUT.iter().find(|(language, ..)| *language == self.language);
        // The page's own title names all of it.
        for section in self.sections.iter().filter(|section| section.text != self.title) {
            let heading = section.text.trim_end_matches(['.', ':', '…']);
            let words = heading.unicode_words().count();
            if heading.ends_with(QUESTION_MARKS) {
                questions.push((section.block, heading.to_owned()));
            } else if (1..=SUBJECT_WORDS_MAX).contains(&words) && heading.chars().any(char::is_alphabetic) {
                let heading = without_number(heading).trim_matches(QUOTES);
                questions.extend(
                    about.map(|(_, before, after)| (section.block, format!("{before}{heading}{after}"))),
                );
                // Where the words around it hide the heading from retrieval, this one is offered.
                questions.push((section.block, format!("{heading}{}", question_mark(&self.language))));
            }
        }
        questions.truncate(TRIED_MAX);
        questions
    }
}

/// The question mark of a language.
fn question_mark(language: &str) -> char {
    match language {
        "ar" | "fa" | "ur" | "ps" | "ug" | "sd" | "ckb" => '؟',
        "ja" | "zh" => '？',
        "el" => ';',
        _ => '?',
    }
}

/// "3.1 Tolls" without its number.
fn without_number(heading: &str) -> &str {
    match heading.split_once(char::is_whitespace) {
        Some((number, rest))
            if number.chars().all(|c| c.is_ascii_digit() || ".)".contains(c))
                && rest.contains(char::is_alphabetic) =>
        {
            rest.trim_start()
        }
        _ => heading,
    }
}

/// "The bridge was built in 1766" is asked for with "When was the bridge built?", "It has five arches" not at all.
fn ask_in_english(sentence: &Sentence) -> Option<String> {
    let words: Vec<&str> = sentence.text.split_whitespace().collect();
    let verb_at = words.iter().take(SUBJECT_WORDS_MAX + 1).position(|word| ["was", "were"].contains(word))?;
    let participle = words.get(verb_at + 1).filter(|word| word.ends_with("ed") || word.ends_with("t"))?;
    let subject = &words[..verb_at];
    let first = subject.first()?;
    let is_plain = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '\'');
    let stands_for =
        ["It", "They", "He", "She", "This", "That", "These", "There", "We", "I", "You", "Who", "What"];
    if !subject.iter().all(is_plain)
        || stands_for.contains(first)
        || !subject.iter().any(|word| !is_stop_word(&word.to_lowercase()))
        || !participle.chars().all(char::is_alphabetic)
    {
        return None;
    }
    let is_year = |word: &&&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit());
        bare.len() == 4 && (bare.starts_with("1") || bare.starts_with("20"))
    };
    words.iter().skip(verb_at).find(is_year)?;
    let name = match *first {
        "The" | "A" | "An" | "Its" | "Their" => {
            format!("{} {}", first.to_lowercase(), subject[1..].join(" "))
        }
        _ => subject.join(" "),
    };
    Some(format!("When {} {} {participle}?", words[verb_at], name.trim_end()))
}
