//! Questions about what sentences state: when something happened, who did it, where it is, how many it has, what it is.

use super::subject::{ANSWER_WORDS_MAX, SUBJECT_WORDS_MAX, subject};
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

/// English passives and states: the words behind "is", and what is asked. `@` stands for the verb, `#` for the subject.
const STATES: &[(&str, &str)] = &[
    ("made of", "What @ # made of?"),
    ("made from", "What @ # made from?"),
    ("used for", "What @ # used for?"),
    ("used to", "What @ # used for?"),
    ("caused by", "What causes #?"),
    ("located", "Where @ #?"),
    ("situated", "Where @ #?"),
];
/// English verbs with what stands behind them, and what asks for that: "Where does it live?", "What does it consist of?".
const DEEDS: &[(&str, &str, &str)] = &[
    ("live", "in", "Where"),
    ("grow", "in", "Where"),
    ("grow", "on", "Where"),
    ("consist", "of", "What"),
    ("stand", "for", "What"),
    ("depend", "on", "What"),
    ("feed", "on", "What"),
];
/// English verbs with a time behind them.
const TIMED: &str = "open close start begin end depart leave";
/// What a date or a time of day follows.
const BEFORE_TIMES: &str = "on in at from by";

/// The question that a sentence answers.
pub(super) fn ask_for_fact(sentence: &Sentence, language: &str) -> Option<String> {
    if sentence.row.is_some() || openers::refers_back(&sentence.text, language) {
        return None;
    }
    let words: Vec<&str> = sentence.text.split_whitespace().take(SENTENCE_WORDS_MAX).collect();
    let stated = || (1..=SUBJECT_WORDS_MAX).find_map(|at| ask_for_statement(&words, at));
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

/// What a sentence states with the verb at a place: `#` stands for the subject in what the verbs' rules give.
fn ask_for_statement(words: &[&str], at: usize) -> Option<String> {
    let (verb, rest) = (*words.get(at)?, words.get(at + 1..)?);
    let asked = match verb {
        "is" | "are" | "was" | "were" => ask_for_state(verb, rest),
        "has" | "have" => ask_for_count(verb, rest),
        // "The pool will close on 3 May".
        "will" => rest
            .first()
            .filter(|next| has(TIMED, next) && is_timed(&rest[1..]))
            .map(|next| ["When will # ", next, "?"].concat()),
        _ => ask_for_deed(verb, rest),
    };
    Some(asked?.replace('#', &subject(&words[..at])?))
}

/// "Mortar is made of lime", "The bridge was designed by Anna Lund", "The bridge is closed because its arches crack".
fn ask_for_state(verb: &str, rest: &[&str]) -> Option<String> {
    const STATE_WORDS_MAX: usize = 4;
    let state = |words: &str| STATES.iter().find(|(state, _)| *state == words);
    let two = rest.get(..2)?.join(" ");
    if let Some((_, asked)) = state(&two).or_else(|| state(rest[0])) {
        return Some(asked.replace('@', verb));
    }
    let (first, by) = (rest[0], rest[1]);
    // The form of the past, too: "was written by" is none.
    let is_past = first.ends_with("ed") || has(SAME_PASTS, first);
    if is_past && by == "by" && rest.get(2).is_some_and(|word| word.starts_with(char::is_uppercase)) {
        return Some(["Who ", first, " #?"].concat());
    }
    let end =
        rest.iter().position(|word| *word == "because").filter(|end| (1..=STATE_WORDS_MAX).contains(end))?;
    let state = rest[..end].join(" ");
    let is_plain = bare(&state).chars().all(|c| c.is_lowercase() || matches!(c, '-' | ' '));
    let denies = rest[..end].iter().any(|word| has("not only just partly", word));
    (is_plain && !denies).then(|| ["Why ", verb, " # ", bare(&state), "?"].concat())
}

/// "The canal has twelve locks" is asked for with "How many locks does the canal have?".
fn ask_for_count(verb: &str, rest: &[&str]) -> Option<String> {
    const THINGS_WORDS_MAX: usize = 3;
    let number = rest.first()?;
    if !Wanted::Number.stands_in(number) || number.ends_with(['.', ',', '%']) {
        return None;
    }
    let last = rest.iter().skip(1).take(THINGS_WORDS_MAX).position(|word| bare(word).ends_with('s'))? + 1;
    let things = rest[1..=last].join(" ");
    let things = bare(&things);
    let are_plain = things.chars().all(|c| c.is_lowercase() || matches!(c, '-' | ' '));
    let is_amount = has("million billion thousand hundred dozen percent", rest[1])
        || rest.get(last + 1) == Some(&"of")
        || Wanted::Extent.stands_in(&["2 ", things].concat());
    let does = if verb == "has" { "does" } else { "do" };
    (are_plain && !is_amount).then(|| ["How many ", things, " ", does, " # have?"].concat())
}

/// "Puffins live in burrows", "The museum opens at 10".
fn ask_for_deed(verb: &str, rest: &[&str]) -> Option<String> {
    let (base, does) = verb.strip_suffix('s').map_or((verb, "do"), |base| (base, "does"));
    if has(TIMED, base) && is_timed(rest) {
        return Some(["When ", does, " # ", base, "?"].concat());
    }
    let (_, behind, asks) =
        DEEDS.iter().find(|(deed, behind, _)| *deed == base && rest.first() == Some(behind))?;
    let what = if *asks == "What" { [" ", *behind] } else { [""; 2] };
    Some([asks, " ", does, " # ", base, what[0], what[1], "?"].concat())
}

/// Whether words begin with a time of day, a date, a day or a year.
fn is_timed(words: &[&str]) -> bool {
    const DATE_WORDS: usize = 3;
    let [first, rest @ ..] = words else { return false };
    let text = rest[..rest.len().min(DATE_WORDS)].join(" ");
    let is_time = match text.chars().any(|c| c.is_ascii_digit()) {
        true => {
            let is_hour = *first == "at" && text.starts_with(|c: char| c.is_ascii_digit());
            is_hour || Values::Dates.stand_in(&text) || is_year(rest[0])
        }
        false => Wanted::Time.stands_in(&text),
    };
    has(BEFORE_TIMES, first) && is_time
}

/// Other participles that do not end in "ed".
const PARTICIPLES: &str = "born written given taken shown grown drawn begun worn thrown flown chosen frozen broken stolen driven sworn";
/// Participles that are the past as well, and do not end in "ed".
const SAME_PASTS: &str =
    "built made led won held sold bought taught caught found sent left lost paid cut put told brought";

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
