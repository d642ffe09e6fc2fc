//! Questions that a person would ask and that a page answers: those of its headings, and those that a plain sentence or a row of it answers.

mod amounts;
mod facts;
mod subject;

use std::cmp::Reverse;

use self::amounts::{ask_for_amount, ask_for_label};
use self::facts::ask_for_fact;
use crate::openers;
use crate::page::DigestError;
use crate::passages::Verdict;
use crate::words::lower;
use crate::{Digest, Sentence, SummaryLength};

/// Most questions that are offered.
pub const SUGGESTIONS_MAX: usize = 3;
/// Most questions that are tried.
const TRIED_MAX: usize = 16;
/// Words of a heading that is a question.
const HEADING_WORDS: (usize, usize) = (3, 14);
/// Sentences at the beginning of a page that are read for rows, labels and amounts.
const SENTENCES_MAX: usize = 400;

/// Headings that name a way: language, how they begin, how the verb behind that ends, and how the way is asked for.
const WAYS: &[(&str, &str, &str, &str, &str)] = &[
    ("en", "How to ", "", "How do I ", "?"),
    ("fr", "Comment ", "er ir re", "Comment ", " ?"),
    ("es", "Cómo ", "ar er ir", "¿Cómo ", "?"),
    ("it", "Come ", "are ere ire", "Come ", "?"),
    ("pt", "Como ", "ar er ir", "Como ", "?"),
    ("pl", "Jak ", "ć", "Jak ", "?"),
];
/// Beginnings of English headings that are questions but for their mark.
const ASKED: &str = "What is ; What are ; What does ; What do ; How do ; How does ; How can ; How much is ; How much does ; How long is ; How long does ; Why is ; Why are ; Why does ; Why do ; \
    When is ; When are ; When does ; When do ; When can ; Where is ; Where are ; Where does ; Where do ; Where can ; Who can ; Who is ; Can I ; Do I ";
/// What an English heading with a mark begins with where it is a question: "A change in guidelines?" is none.
const ASKING: &str = "what why how who whom whose when where which can could do does did is are was were will would should may must has have am if isn't aren't don't \
    doesn't what's who's how's where's";
/// What a heading that is a question ends with.
const QUESTION_MARKS: [char; 3] = ['?', '？', '؟'];

impl Digest {
    /// Up to three questions that the page answers by its words, those of its headings first; none where no good one can be made. `turn` is
    /// as in [`Digest::new`].
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
            if places.contains(&place) || found.iter().any(|other| lower(other) == lower(&question)) {
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
        let mut questions: Vec<(usize, String)> = Vec::new();
        // The page's own title names all of it.
        for section in self.sections.iter().filter(|section| section.text != self.title) {
            questions
                .extend(asked_by(&section.text, &self.language).map(|question| (section.block, question)));
        }
        questions.truncate(TRIED_MAX / 2);
        let key = self.key_sentences(SummaryLength::Long.lines_max());
        let mut lines: Vec<(Reverse<usize>, usize)> =
            key.iter().map(|line| (Reverse((line.score * 1e3) as usize), line.sentence)).collect();
        lines.sort_unstable();
        let key = lines.iter().map(|(_, at)| &self.sentences[*at]);
        let ask = |one: &Sentence| {
            let question = ask_for_amount(one, &self.language)
                .or_else(|| ask_for_label(one, &self.language))
                .or_else(|| ask_for_fact(one, &self.language));
            question.map(|question| (one.block, self.with_common_noun(one, question)))
        };
        questions.extend(key.filter_map(ask));
        questions.extend(self.sentences.iter().take(SENTENCES_MAX).filter_map(ask).take(TRIED_MAX));
        questions.truncate(TRIED_MAX);
        questions
    }

    /// "Peat is a soil" asks for "peat" where the page has that word in small letters, and for a name otherwise.
    fn with_common_noun(&self, sentence: &Sentence, question: String) -> String {
        let first = sentence.text.split_whitespace().next().unwrap_or_default();
        let second = sentence.text.split_whitespace().nth(1).unwrap_or_default();
        let small = lower(first);
        let is_one_word = question.split(' ').any(|word| word.trim_end_matches('?') == first)
            && !(second.starts_with(char::is_uppercase) && question.contains(&format!("{first} {second}")));
        if small == first || !is_one_word {
            return question;
        }
        let mut words = self.sentences.iter().take(SENTENCES_MAX).flat_map(|one| one.text.split_whitespace());
        match words.any(|word| word.trim_matches(|c: char| !c.is_alphanumeric()) == small) {
            true => question.replacen(first, &small, 1),
            false => question,
        }
    }
}

/// A heading that is a question, without its number and what a site puts behind it ("[edit]").
fn asked_by(heading: &str, language: &str) -> Option<String> {
    let bare = match heading.rfind('[') {
        Some(at) if heading.ends_with(']') => heading[..at].trim_end(),
        _ => heading,
    };
    let bare = without_label(without_number(bare));
    let words = crate::count_words(bare);
    let (least, most) = HEADING_WORDS;
    if openers::refers_back(bare, language) || !(least..=most).contains(&words) {
        return None;
    }
    match bare.ends_with(QUESTION_MARKS) {
        true => (language != "en" || asks(bare)).then(|| bare.to_owned()),
        false => asked_without_mark(bare, language),
    }
}

fn asks(heading: &str) -> bool {
    let first = lower(heading.split([' ', ',']).next().unwrap_or_default()).replace('’', "'");
    ASKING.split_ascii_whitespace().any(|word| word == first)
}

/// "Background: What is a tendon?" without its label.
fn without_label(heading: &str) -> &str {
    match heading.split_once(": ") {
        Some((label, rest))
            if label.split(' ').count() <= HEADING_WORDS.0
                && rest.starts_with(char::is_uppercase)
                && rest.ends_with(QUESTION_MARKS) =>
        {
            rest
        }
        _ => heading,
    }
}

/// "How to clean the filter" and "What is peat", which are asked with a mark.
fn asked_without_mark(heading: &str, language: &str) -> Option<String> {
    if heading.ends_with(|c: char| !c.is_alphanumeric()) {
        return None;
    }
    let ways = WAYS.iter().filter(|(name, ..)| *name == language);
    let way = ways.into_iter().find_map(|(_, opening, endings, asked, mark)| {
        let rest = heading.strip_prefix(opening)?;
        let verb = rest.split(' ').next()?;
        let is_verb = verb.len() > 2 && endings.split(' ').any(|ending| verb.ends_with(ending));
        is_verb.then(|| format!("{asked}{rest}{mark}"))
    });
    let is_asked = || language == "en" && ASKED.split("; ").any(|opening| heading.starts_with(opening));
    way.or_else(|| is_asked().then(|| format!("{heading}?")))
}

/// "3.1 Tolls" without its number, "(11) How ..." and "Q: How ..." without theirs.
fn without_number(heading: &str) -> &str {
    match heading.split_once(char::is_whitespace) {
        Some((number, rest))
            if rest.contains(char::is_alphabetic)
                && (number.chars().all(|c| c.is_ascii_digit() || ".():".contains(c))
                    || ["Q:", "Q.", "F:"].contains(&number)) =>
        {
            rest.trim_start()
        }
        _ => heading,
    }
}
