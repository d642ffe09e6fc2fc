//! Whether a line may stand.

use super::clauses::leaves_out_whole_clauses;
use super::closeness::{Closeness, folded};
use super::evidence::Evidence;

/// How close to its source a line must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Whole clauses are left out, and nothing but articles is new: for small models.
    Shortened,
    /// Other words where they mean the same: for models that have been shown to know what does.
    Reworded,
    /// Another language: numbers and names are compared, and the length.
    Translated,
}

/// Why a line may not stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// Fewer than four words, or no full stop at its end.
    Unfinished,
    /// It speaks of the text, the page or the task.
    AboutTheText,
    /// Five words come twice in it.
    Loop,
    /// It makes more sentences of one.
    Split,
    /// It is longer than its source.
    Longer,
    /// It has less than half of its source's words: what is left may be a fragment.
    Shorter,
    /// Numbers or names that the source does not have.
    NotInSource(Vec<String>),
    /// It says no where the source says yes, or the other way round.
    Negation,
    /// It leaves out, or adds, a reservation ("may", "almost", "if").
    Reservation,
    /// It has one end of a range ("1761 to 1766") without the other.
    HalfARange,
    /// Two numbers or names have changed places.
    Swapped,
    /// It leaves out a part of a clause, which may change what the rest says.
    PartOfAClause,
    /// Its words are too far from the source's.
    TooFar,
}

impl Flaw {
    /// A stable name, for counts.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Unfinished => "unfinished",
            Self::AboutTheText => "about_the_text",
            Self::Loop => "loop",
            Self::Split => "split",
            Self::Longer => "longer",
            Self::Shorter => "shorter",
            Self::NotInSource(_) => "not_in_source",
            Self::Negation => "negation",
            Self::Reservation => "reservation",
            Self::HalfARange => "half_a_range",
            Self::Swapped => "swapped",
            Self::PartOfAClause => "part_of_a_clause",
            Self::TooFar => "too_far",
        }
    }
}

const WORDS_MIN: usize = 4;
const LOOP_WORDS: usize = 5;
/// Words of a line for each word of its source.
const LENGTH_MIN: f32 = 0.5;
/// Of a reworded line: content words, pairs of neighbours.
const REWORDED_COVERAGE_MIN: f32 = 0.8;
const REWORDED_BIGRAMS_MIN: f32 = 0.4;

const ABOUT_THE_TEXT: [&str; 15] = [
    "the page",
    "this page",
    "the passage",
    "the text",
    "the article",
    "the sentence",
    "the author",
    "the summary",
    "in summary",
    "shortened",
    "rewritten",
    "here is",
    "here's",
    "begin page",
    "end page",
];
pub(super) const NEGATIONS: [&str; 20] = [
    "not", "no", "never", "none", "nobody", "nothing", "neither", "nor", "without", "cannot", "can't",
    "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "hardly",
];
/// Words that change what a sentence claims.
pub(super) const RESERVATIONS: [&str; 51] = [
    "may",
    "might",
    "could",
    "would",
    "should",
    "must",
    "if",
    "when",
    "whenever",
    "or",
    "unless",
    "except",
    "only",
    "almost",
    "nearly",
    "about",
    "around",
    "approximately",
    "roughly",
    "according",
    "reportedly",
    "allegedly",
    "apparently",
    "likely",
    "probably",
    "possibly",
    "perhaps",
    "least",
    "most",
    "some",
    "few",
    "more",
    "less",
    "than",
    "up",
    "over",
    "under",
    "before",
    "after",
    "until",
    "during",
    "while",
    "although",
    "though",
    "but",
    "however",
    "sometimes",
    "usually",
    "often",
    "rarely",
    "claimed",
];

/// Judges a line that was written from `source`. `Ok` where it may stand.
///
/// # Errors
/// The first flaw that was found.
pub fn judge(line: &str, source: &str, evidence: &Evidence, keep: Keep) -> Result<Closeness, Flaw> {
    let (words, source_words) = (folded(line), folded(source));
    check_form(line, &words, source)?;
    let closeness = Closeness::of_words(&words, &source_words);
    if breaks(line) > breaks(source) {
        return Err(Flaw::Split);
    }
    let missing = evidence.missing(line);
    if !missing.is_empty() {
        return Err(Flaw::NotInSource(missing));
    }
    if keep == Keep::Translated {
        return match closeness.length {
            ..0.4 => Err(Flaw::Shorter),
            2.5.. => Err(Flaw::Longer),
            _ => Ok(closeness),
        };
    }
    if closeness.length > 1.0 {
        return Err(Flaw::Longer);
    }
    let count =
        |words: &[String], of: &[&str]| words.iter().filter(|word| of.contains(&word.as_str())).count();
    if count(&words, &NEGATIONS) != count(&source_words, &NEGATIONS) {
        return Err(Flaw::Negation);
    }
    let of = |words: &[String], word: &str| words.iter().filter(|other| *other == word).count();
    if RESERVATIONS.iter().any(|word| of(&words, word) != of(&source_words, word)) {
        return Err(Flaw::Reservation);
    }
    let has = |word: &String| words.contains(word);
    if ranges(&source_words).any(|(from, to)| has(from) != has(to)) {
        return Err(Flaw::HalfARange);
    }
    if closeness.length < LENGTH_MIN {
        return Err(Flaw::Shorter);
    }
    let is_close = match keep {
        Keep::Shortened if closeness.in_order == 1.0 => {
            return if leaves_out_whole_clauses(line, source) {
                Ok(closeness)
            } else {
                Err(Flaw::PartOfAClause)
            };
        }
        Keep::Shortened => false,
        _ => closeness.coverage >= REWORDED_COVERAGE_MIN && closeness.bigrams >= REWORDED_BIGRAMS_MIN,
    };
    if is_close { Ok(closeness) } else { Err(Flaw::TooFar) }
}

/// Whether a line is a sentence about the subject, not about the text or the task, and does not go in circles.
pub(super) fn check_form(line: &str, words: &[String], source: &str) -> Result<(), Flaw> {
    if words.len() < WORDS_MIN || !ends_a_sentence(line) {
        return Err(Flaw::Unfinished);
    }
    let (lower, source_lower) = (line.to_lowercase(), source.to_lowercase());
    if ABOUT_THE_TEXT.iter().any(|phrase| lower.contains(phrase) && !source_lower.contains(phrase)) {
        return Err(Flaw::AboutTheText);
    }
    let runs: Vec<&[String]> = words.windows(LOOP_WORDS).collect();
    if runs.iter().enumerate().any(|(at, run)| runs[..at].contains(run)) {
        return Err(Flaw::Loop);
    }
    Ok(())
}

/// Numbers that belong together: those on both sides of "to", "and" or "or", or side by side ("1761-1766").
fn ranges(words: &[String]) -> impl Iterator<Item = (&String, &String)> {
    let is_number = |word: &&String| word.starts_with(|c: char| c.is_ascii_digit());
    let joins = |word: &String| ["to", "and", "or", "until", "through"].contains(&word.as_str());
    words.iter().enumerate().filter(move |(_, word)| is_number(word)).filter_map(move |(at, from)| {
        let next = words.get(at + 1)?;
        let to = if joins(next) { words.get(at + 2)? } else { next };
        is_number(&to).then_some((from, to))
    })
}

/// Ends of sentences that something follows.
fn breaks(text: &str) -> usize {
    let marks = text.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?'));
    marks
        .filter(|(at, _)| text[at + 1..].starts_with(char::is_whitespace) && text[at + 1..].trim() != "")
        .count()
}

fn ends_a_sentence(line: &str) -> bool {
    let line = line.trim_end().trim_end_matches(['"', '”', '’', '\'', ')', '»']);
    line.ends_with(['.', '!', '?', '。', '！', '？', '।', '؟'])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const SOURCE: &str = "The harbour board, which met on Tuesday, may close the old pier in March 2021 if the \
                          survey finds more than 40 cracks, but it does not plan to sell it.";

    #[test]
    fn lines_with_a_flaw_do_not_stand() {
        let evidence = Evidence::new([SOURCE], ["the", "it"]);
        let rows: [(&str, Result<(), &str>); 13] = [
            (
                "The harbour board may close the old pier in March 2021 if a survey finds more than 40 cracks, but it does \
                 not plan to sell it.",
                Ok(()),
            ),
            (
                "The harbour board may close the old pier in March 2021 if the study finds more than 40 cracks, but does \
                 not plan to sell it.",
                Err("too_far"),
            ),
            ("The board closes", Err("unfinished")),
            ("In summary, the board may close the old pier if needed.", Err("about_the_text")),
            ("the pier may close if the pier may close if the pier may close.", Err("loop")),
            (
                "The harbour board may close the old pier in April if it does not sell it.",
                Err("not_in_source"),
            ),
            ("The harbour board may close the old pier if the survey finds cracks.", Err("negation")),
            ("The board does not plan to close the old pier in March 2021.", Err("reservation")),
            ("If it may not sell it, harbour pier cracks close the board.", Err("reservation")),
            ("The harbour board may close 41 piers if it does not sell them.", Err("not_in_source")),
            ("The harbour board will close the old pier and not sell it.", Err("reservation")),
            ("", Err("unfinished")),
            (
                "The harbour board may close the pier. It does not plan to sell it if the survey finds.",
                Err("split"),
            ),
        ];
        for (line, want) in rows {
            let got = judge(line, SOURCE, &evidence, Keep::Shortened).map(|_| ()).map_err(|flaw| flaw.name());
            assert_eq!(got, want, "{line}");
        }
        let long = format!("{SOURCE} {SOURCE}");
        let flaw = judge(&long, SOURCE, &evidence, Keep::Shortened).unwrap_err();
        assert!(matches!(flaw, Flaw::Loop | Flaw::Longer));
    }

    #[test]
    fn an_exception_stays() {
        let source = "The museum is open every day but Monday, from ten to six.";
        let evidence = Evidence::new([source], []);
        let judged =
            judge("The museum is open every day, from ten to six.", source, &evidence, Keep::Shortened);
        assert_eq!(judged, Err(Flaw::Reservation));
    }

    #[test]
    fn a_range_is_whole_or_gone() {
        let source = "The bridge, a work of stone, was built from 1761 to 1766 by Elias Wray.";
        let evidence = Evidence::new([source], []);
        let judged = |line: &str| judge(line, source, &evidence, Keep::Shortened).map(|_| ());
        assert_eq!(judged("The bridge was built from 1761 by Elias Wray."), Err(Flaw::HalfARange));
        assert_eq!(judged("The bridge was built by Wray."), Err(Flaw::Shorter));
        assert_eq!(judged("The bridge, a work of stone, was built by Wray."), Err(Flaw::PartOfAClause));
        assert_eq!(judged("The bridge was built from 1761 to 1766 by Elias Wray."), Ok(()));
    }

    #[test]
    fn rewording_may_turn_words_around() {
        let source = "The survey of 2020 found 40 cracks in the walls of the old pier.";
        let evidence = Evidence::new([source], []);
        let line = "In the walls of the old pier 40 cracks were found.";
        assert_eq!(judge(line, source, &evidence, Keep::Shortened), Err(Flaw::TooFar));
        assert!(judge(line, source, &evidence, Keep::Reworded).is_ok());
    }
}
