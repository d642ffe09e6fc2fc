//! Questions about what sentences state: when something happened, who did it, where it is, how many it has, what it is.

use super::{ANSWER_WORDS_MAX, SUBJECT_WORDS_MAX, subject};
use crate::intents::Values;
use crate::wanted::Wanted;
use crate::{Sentence, openers};

/// Definitions: language, verb, what stands behind it, and what stands before and behind the subject in a question.
const DEFINED: &[(&str, &str, &str, &str, &str)] = &[
    ("en", "is", "a an", "What is ", "?"),
    ("de", "ist", "ein eine", "Was ist ", "?"),
    ("es", "es", "un una", "¿Qué es ", "?"),
    ("it", "è", "un una uno", "Che cos'è ", "?"),
    ("pt", "é", "um uma", "O que é ", "?"),
    ("nl", "is", "een", "Wat is ", "?"),
];
/// Passives with a year, and how the question for it begins: language, what stands before the participle ("a été"), how a participle
/// ends, whether it ends its sentence, and what the question begins with. English says "When was the bridge built?", the others
/// "¿Cuándo fue construido el puente?" and "Wann wurde die Brücke gebaut?".
const DATED: &[(&str, &str, &str, bool, &str, &str)] = &[
    ("en", "was; were", "ed", false, "When ", "?"),
    ("de", "wurde; wurden", "t en", true, "Wann ", "?"),
    ("nl", "werd; werden", "d t en", true, "Wanneer ", "?"),
    ("fr", "a été; ont été; fut; furent", "é ée és ées it ite its ites", false, "Quand ", " ?"),
    ("es", "fue; fueron", "do da dos das to ta tos tas", false, "¿Cuándo ", "?"),
    ("it", "fu; furono", "to ta ti te so sa si se", false, "Quando ", "?"),
    ("pt", "foi; foram", "do da dos das to ta tos tas", false, "Quando ", "?"),
];
/// Participles that are no deeds: "was not", "were that".
const NO_PARTICIPLES: &str = "not just that what it at but must most least left";

/// What must stand behind the words of a rule.
#[derive(Clone, Copy)]
enum Rest {
    /// A name.
    Name,
    /// A date or a time of day.
    Time,
    /// Anything.
    Words,
}

/// English sentences with a subject, these words and the rest, and what is asked then: `{}` is the subject. Of several forms with ";"
/// the first is for one, the second for many: "The pool opens", "The pools open".
const STATED: &[(&str, Rest, &str)] = &[
    ("is made of; are made of", Rest::Words, "What is {} made of?; What are {} made of?"),
    ("is made from; are made from", Rest::Words, "What is {} made from?; What are {} made from?"),
    ("is caused by; are caused by", Rest::Words, "What causes {}?; What causes {}?"),
    ("is used for; are used for", Rest::Words, "What is {} used for?; What are {} used for?"),
    ("is used to; are used to", Rest::Words, "What is {} used for?; What are {} used for?"),
    ("is located in; are located in", Rest::Words, "Where is {}?; Where are {}?"),
    ("is located on; are located on", Rest::Words, "Where is {}?; Where are {}?"),
    ("is located at; are located at", Rest::Words, "Where is {}?; Where are {}?"),
    ("is situated in; are situated in", Rest::Words, "Where is {}?; Where are {}?"),
    ("is based in; are based in", Rest::Name, "Where is {} based?; Where are {} based?"),
    ("lies in; lie in", Rest::Name, "Where does {} lie?; Where do {} lie?"),
    ("lives in; live in", Rest::Words, "Where does {} live?; Where do {} live?"),
    ("grows in; grow in", Rest::Words, "Where does {} grow?; Where do {} grow?"),
    ("grows on; grow on", Rest::Words, "Where does {} grow?; Where do {} grow?"),
    ("consists of; consist of", Rest::Words, "What does {} consist of?; What do {} consist of?"),
    ("stands for; stand for", Rest::Words, "What does {} stand for?; What do {} stand for?"),
    ("depends on; depend on", Rest::Words, "What does {} depend on?; What do {} depend on?"),
    ("feeds on; feed on", Rest::Words, "What does {} feed on?; What do {} feed on?"),
    ("opens; open", Rest::Time, "When does {} open?; When do {} open?"),
    ("closes; close", Rest::Time, "When does {} close?; When do {} close?"),
    ("starts; start", Rest::Time, "When does {} start?; When do {} start?"),
    ("begins; begin", Rest::Time, "When does {} begin?; When do {} begin?"),
    ("ends; end", Rest::Time, "When does {} end?; When do {} end?"),
    ("departs; depart", Rest::Time, "When does {} depart?; When do {} depart?"),
    ("leaves; leave", Rest::Time, "When does {} leave?; When do {} leave?"),
];
/// What a date or a time of day follows.
const BEFORE_TIMES: &str = "on in at from by";

/// The question that a sentence answers.
pub(super) fn ask_for_fact(sentence: &Sentence, language: &str) -> Option<String> {
    if sentence.row.is_some() || openers::refers_back(&sentence.text, language) {
        return None;
    }
    let words: Vec<&str> = sentence.text.split_whitespace().take(SENTENCE_WORDS_MAX).collect();
    let stated = || {
        let rules = [ask_for_reason, ask_for_maker, ask_for_count, ask_for_statement, ask_for_plan];
        rules.iter().find_map(|ask| ask(&words))
    };
    ask_for_year(&words, language)
        .or_else(|| (language == "en").then(stated).flatten())
        .or_else(|| ask_for_meaning(sentence, language))
}

/// Words of a sentence that are looked at.
const SENTENCE_WORDS_MAX: usize = 24;

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

/// Where some words stand next to each other, behind a subject.
fn find(words: &[&str], wanted: &str) -> Option<usize> {
    let count = wanted.split(' ').count();
    (1..=SUBJECT_WORDS_MAX).find(|&at| {
        words.get(at..at + count).is_some_and(|found| found.iter().copied().eq(wanted.split(' ')))
    })
}

fn bare(word: &str) -> &str {
    word.trim_end_matches([',', '.', ';', ':', ')'])
}

fn is_year(word: &str) -> bool {
    let digits = word.trim_matches(|c: char| !c.is_ascii_digit());
    digits.len() == 4 && (digits.starts_with('1') || digits.starts_with("20"))
}

/// Whether words begin with a date, a day or a year.
fn is_date(words: &[&str]) -> bool {
    const DATE_WORDS: usize = 3;
    let text = words.iter().take(DATE_WORDS).copied().collect::<Vec<_>>().join(" ");
    match text.chars().any(|c| c.is_ascii_digit()) {
        true => Values::Dates.stand_in(&text) || words.first().is_some_and(|word| is_year(word)),
        false => Wanted::Time.stands_in(&text),
    }
}

/// "The bridge was built in 1766" is asked for with "When was the bridge built?".
fn ask_for_year(words: &[&str], language: &str) -> Option<String> {
    let (_, verbs, endings, is_last, before, behind) = DATED.iter().find(|(name, ..)| *name == language)?;
    let (at, verb) = verbs.split("; ").find_map(|verb| Some((find(words, verb)?, verb)))?;
    let name = subject(&words[..at])?;
    let rest = &words[at + verb.split(' ').count()..];
    let clause = rest.iter().take(ANSWER_WORDS_MAX + 2);
    let year_at = clause.clone().position(|word| is_year(word))?;
    let ends = |at: usize| {
        rest[at].ends_with(['.', ',', ';']) || rest.get(at + 1).is_some_and(|next| has("und en", next))
    };
    let end = (0..rest.len()).find(|&at| ends(at)).unwrap_or(rest.len() - 1);
    let participle_at = if *is_last { end } else { 0 };
    if (*is_last && year_at >= end) || (!*is_last && year_at == 0) {
        return None;
    }
    let participle = bare(rest.get(participle_at)?);
    let is_one = participle.chars().all(char::is_alphabetic)
        && !has(NO_PARTICIPLES, participle)
        && participle.chars().count() > 3
        && participle.chars().next().is_some_and(char::is_lowercase)
        && (endings.split(' ').any(|ending| participle.ends_with(ending))
            || language == "en" && (has(SAME_PASTS, participle) || has(PARTICIPLES, participle)));
    is_one.then(|| match language {
        "en" | "de" | "nl" => format!("{before}{verb} {name} {participle}{behind}"),
        _ => format!("{before}{verb} {participle} {name}{behind}"),
    })
}

/// "The bridge is closed because its arches crack" is asked for with "Why is the bridge closed?".
fn ask_for_reason(words: &[&str]) -> Option<String> {
    const STATE_WORDS_MAX: usize = 4;
    let (at, verb) = ["is", "are", "was", "were"].iter().find_map(|verb| Some((find(words, verb)?, verb)))?;
    let name = subject(&words[..at])?;
    let end = words.iter().position(|word| *word == "because")?;
    let state = words.get(at + 1..end)?;
    let is_plain = |word: &&str| bare(word).chars().all(|c| c.is_lowercase() || c == '-');
    let is_whole = state[..state.len().saturating_sub(1)].iter().all(|word| bare(word) == *word);
    let denies = ["not", "only", "just", "partly"].iter().any(|word| state.contains(word));
    let is_state =
        (1..=STATE_WORDS_MAX).contains(&state.len()) && state.iter().all(is_plain) && is_whole && !denies;
    is_state.then(|| format!("Why {verb} {name} {}?", bare_joined(state)))
}

fn bare_joined(words: &[&str]) -> String {
    words.iter().map(|word| bare(word)).collect::<Vec<_>>().join(" ")
}

/// "The bridge was designed by Anna Lund" is asked for with "Who designed the bridge?".
fn ask_for_maker(words: &[&str]) -> Option<String> {
    let at = find(words, "was").or_else(|| find(words, "were"))?;
    let name = subject(&words[..at])?;
    let participle = words.get(at + 1)?;
    // The form of the past, too: "was written by" is none.
    let is_past = participle.ends_with("ed") || has(SAME_PASTS, participle);
    (is_past && words.get(at + 2) == Some(&"by") && Rest::Name.follows(&words[at + 3..]))
        .then(|| format!("Who {participle} {name}?"))
}

/// Other participles that do not end in "ed".
const PARTICIPLES: &str = "born written given taken shown grown drawn begun worn thrown flown chosen frozen broken stolen driven sworn";
/// Participles that are the past as well, and do not end in "ed".
const SAME_PASTS: &str =
    "built made led won held sold bought taught caught found sent left lost paid cut put told brought";

/// "The canal has twelve locks" is asked for with "How many locks does the canal have?".
fn ask_for_count(words: &[&str]) -> Option<String> {
    const THINGS_WORDS_MAX: usize = 3;
    let (at, does) =
        find(words, "has").map(|at| (at, "does")).or_else(|| Some((find(words, "have")?, "do")))?;
    let name = subject(&words[..at])?;
    let number = words.get(at + 1)?;
    if !Wanted::Number.stands_in(number) || number.ends_with(['.', ',', '%']) {
        return None;
    }
    let rest = &words[at + 2..];
    let last = rest.iter().take(THINGS_WORDS_MAX).position(|word| bare(word).ends_with('s'))?;
    let things = bare_joined(&rest[..=last]);
    let are_plain = !has("million billion thousand hundred dozen percent", rest[0])
        && things.chars().all(|c| c.is_lowercase() || matches!(c, '-' | ' '))
        && rest[..last].iter().all(|word| bare(word) == *word);
    let is_amount = rest.get(last + 1).is_some_and(|word| *word == "of")
        || Wanted::Extent.stands_in(&format!("2 {things}"));
    (are_plain && !is_amount).then(|| format!("How many {things} {does} {name} have?"))
}

/// "Mortar is made of lime and sand" is asked for with "What is mortar made of?".
fn ask_for_statement(words: &[&str]) -> Option<String> {
    STATED.iter().find_map(|(forms, rest, questions)| {
        let both = forms.split("; ").zip(questions.split("; "));
        both.into_iter().find_map(|(form, question)| {
            let at = find(words, form)?;
            let name = subject(&words[..at])?;
            let behind = &words[at + form.split(' ').count()..];
            rest.follows(behind).then(|| question.replace("{}", &name))
        })
    })
}

/// "The pool will close on 3 May" is asked for with "When will the pool close?".
fn ask_for_plan(words: &[&str]) -> Option<String> {
    let at = find(words, "will")?;
    let name = subject(&words[..at])?;
    let verb = words.get(at + 1)?;
    let is_plain = verb.chars().all(char::is_lowercase) && !has("be have not also only", verb);
    (is_plain && Rest::Time.follows(&words[at + 2..])).then(|| format!("When will {name} {verb}?"))
}

impl Rest {
    fn follows(self, words: &[&str]) -> bool {
        let Some(first) = words.first() else { return false };
        match self {
            Self::Words => bare(first).chars().all(char::is_alphanumeric),
            Self::Name => {
                let word = if *first == "the" { words.get(1).unwrap_or(first) } else { first };
                word.chars().next().is_some_and(char::is_uppercase)
            }
            Self::Time => {
                let is_hour =
                    || words.get(1).is_some_and(|word| word.starts_with(|c: char| c.is_ascii_digit()));
                *first == "at" && is_hour() || has(BEFORE_TIMES, first) && is_date(&words[1..])
            }
        }
    }
}

/// "Peat is a soil of dead moss" is asked for with "What is peat?".
fn ask_for_meaning(sentence: &Sentence, language: &str) -> Option<String> {
    if !sentence.opens_block {
        return None;
    }
    let (_, verb, articles, before, behind) = DEFINED.iter().find(|(name, ..)| *name == language)?;
    let words: Vec<&str> = sentence.text.split_whitespace().take(SUBJECT_WORDS_MAX + 2).collect();
    let at = words.iter().position(|word| word == verb)?;
    let next = words.get(at + 1)?;
    articles.split(' ').find(|article| article == next)?;
    let name = subject(&words[..at])?;
    let is_large = |word: &&str| word.starts_with(char::is_uppercase);
    // "The delicate case" is one of this page, and who or what "Ada Lund" is nobody knows here.
    let is_of_page = words[0] == "The" && !is_large(&words[at - 1]);
    let is_somebody = at > 1 && words[..at].iter().all(is_large) && words[0] != "The";
    (!is_of_page && !is_somebody).then(|| format!("{before}{name}{behind}"))
}
