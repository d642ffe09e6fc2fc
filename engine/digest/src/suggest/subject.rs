//! What a question is about.

use crate::language::is_stop_word;
use crate::words::lower;

/// Words of a subject that make a question.
pub(super) const SUBJECT_WORDS_MAX: usize = 5;
/// Words behind a verb in which the answer stands.
pub(super) const ANSWER_WORDS_MAX: usize = 8;
/// Words that a subject begins with, in small letters within a question.
const ARTICLES: &str = "the a an our your der die das ein eine unser unsere le la les un une el los las una il lo i gli o os as um uma de het een";
/// Words of a subject that no question can name.
const POINTING: &str = "above below following latter former same other next previous last good better best bad typical common simple new";

/// The words before a verb as a subject within a question, where they are one: an article with a name, one word, or words in capitals.
pub(super) fn subject(words: &[&str]) -> Option<String> {
    let first = words.first()?;
    let is_plain = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’'));
    let small = lower(first);
    let has_article = ARTICLES.split(' ').any(|article| article == small);
    let has_name = words.iter().any(|word| !is_stop_word(&lower(word)));
    let ends_in_name = words.last().is_some_and(|last| !is_stop_word(&lower(last)) && !last.ends_with("ly"));
    // "Marie Curie".
    let is_name = || words.iter().all(|word| word.starts_with(char::is_uppercase)) && !is_stop_word(&small);
    let points = words.iter().any(|word| POINTING.split(' ').any(|one| one == *word));
    if !words.iter().all(is_plain)
        || points
        || !has_name
        || !ends_in_name
        || !(has_article || words.len() == 1 || is_name())
    {
        return None;
    }
    Some(match has_article {
        true => [small]
            .into_iter()
            .chain(words[1..].iter().map(|word| (*word).to_owned()))
            .collect::<Vec<_>>()
            .join(" "),
        false => words.join(" "),
    })
}
