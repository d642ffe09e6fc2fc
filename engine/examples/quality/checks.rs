//! What is wrong with a line of a summary, judged apart from the engine's own rules.

use std::collections::HashSet;

use crate::docs::folded;

/// Words that refer to a sentence before, by language. "This page" and its like refer to the page.
const REFERRING: &[(&str, &str)] = &[
    (
        "en",
        "this that these those it its he she they his her their them such thus hence therefore however moreover furthermore also but and \
         so then instead otherwise nevertheless nonetheless meanwhile consequently additionally similarly likewise besides still yet \
         accordingly afterwards finally both neither",
    ),
    (
        "de",
        "dies diese dieser dieses er sie es ihr ihre sein seine aber und doch jedoch daher deshalb deswegen außerdem zudem dann danach dazu \
         dabei damit dadurch dafür trotzdem allerdings auch so also denn sondern",
    ),
    (
        "fr",
        "ce cela ceci cette ces celui celle il elle ils elles son sa ses leur leurs mais et donc ainsi cependant toutefois pourtant aussi \
         ensuite puis alors enfin néanmoins or",
    ),
    (
        "es",
        "este esta esto estos estas ese esa eso él ella ellos ellas su sus pero y así además también entonces luego después por sin aunque \
         finalmente",
    ),
];
const REFERRING_PAIRS: &[&str] = &[
    "in addition",
    "for example",
    "for instance",
    "as a result",
    "on the",
    "in contrast",
    "in this",
    "because of",
    "at the same",
    "par exemple",
    "en outre",
    "de plus",
    "zum beispiel",
    "sin embargo",
    "por eso",
    "por lo",
    "por ejemplo",
    "en cambio",
];
/// Pairs of them that are no more than a beginning.
const PAIR_ENDS: &[(&str, &str)] = &[
    ("on the", "other contrary"),
    ("at the same", "time"),
    ("because of", "this that"),
    ("por lo", "tanto"),
];
const PAGE_WORDS: &str = "page document article guide manual chapter section paper report policy course lesson tutorial book release site recipe faq seite \
    dokument artikel anleitung kapitel handbuch leitfaden abschnitt kurs document guide chapitre manuel cours recette página documento artículo \
    guía capítulo curso manual política receta";

/// Whether a line refers to a sentence before it. `por` and `sin` of Spanish do so only in a pair.
pub fn refers_back(line: &str, language: &str) -> bool {
    let lower = line.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    let Some(first) = words.first() else { return false };
    let head = words.iter().take(4).copied().collect::<Vec<_>>().join(" ");
    let paired = REFERRING_PAIRS.iter().any(|pair| {
        head.strip_prefix(pair).is_some_and(|rest| {
            let next = rest.split_whitespace().next().unwrap_or_default();
            match PAIR_ENDS.iter().find(|(known, _)| known == pair) {
                Some((_, ends)) => ends.split(' ').any(|end| end == next),
                None => true,
            }
        })
    });
    let about_page =
        words.get(1).is_some_and(|word| PAGE_WORDS.split_whitespace().any(|entry| entry == *word));
    let known = REFERRING.iter().find(|(name, _)| *name == language).map_or("", |(_, words)| words);
    let alone = !matches!(*first, "por" | "sin") && known.split_whitespace().any(|word| word == *first);
    (alone || paired) && !about_page
}

/// Whether nothing but marks follows a colon: `:\W*$`.
pub fn ends_in_colon(line: &str) -> bool {
    let tail = line.rsplit(|c: char| c.is_alphanumeric() || c == '_').next().unwrap_or_default();
    tail.contains([':', '：'])
}

/// Numbers of a line that are not on the page.
pub fn foreign_numbers(line: &str, page: &HashSet<String>) -> usize {
    words(line).filter(|word| word.starts_with(|c: char| c.is_numeric()) && !page.contains(word)).count()
}

/// Names of a line that are not on the page: capitalized words but the first.
pub fn foreign_names(line: &str, page: &HashSet<String>) -> usize {
    words(line).skip(1).filter(|word| word.starts_with(char::is_uppercase) && !page.contains(word)).count()
}

/// The words of a text as they are written.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_string)
}

/// Whether a line stands on the page word for word.
pub fn is_supported(line: &str, texts: &[String]) -> bool {
    let line = folded(line);
    texts.iter().any(|text| text.contains(&line))
}
