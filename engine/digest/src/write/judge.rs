//! Whether a line may stand.

use super::claims::Claims;
use super::closeness::{Closeness, folded};
use super::evidence::Evidence;
use super::flaw::Flaw;
use super::lexicon::Lexicon;
use super::reading::Reading;
use crate::labels::is_question;
use crate::seen::seen;
use crate::words::is_invisible;

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

const WORDS_MIN: usize = 4;
const LOOP_WORDS: usize = 5;
/// Words of a reworded line for each word of its source.
const LENGTH_MAX: f32 = 1.1;
/// Words that a passive has more than its active sentence.
const PASSIVE_WORDS: f32 = 2.0;

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
/// Judges a line that was written from `source`; `language` is that of both, given as a primary subtag. `Ok` where it may stand.
///
/// # Errors
/// The first flaw that was found.
pub fn judge(
    line: &str,
    source: &str,
    evidence: &Evidence,
    (keep, language): (Keep, &str),
) -> Result<Closeness, Flaw> {
    let (words, source_words) = (folded(line), folded(source));
    check_form(line, &words, source)?;
    let closeness = Closeness::of_words(&words, &source_words);
    if keep != Keep::Reworded && breaks(line) > breaks(source) {
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
    let words_max = match keep {
        Keep::Reworded => source_words.len() as f32 * LENGTH_MAX + PASSIVE_WORDS,
        _ => source_words.len() as f32,
    };
    if words.len() as f32 > words_max {
        return Err(Flaw::Longer);
    }
    let lexicon = Lexicon::of(language);
    let is_whole = words == source_words && is_question(line) == is_question(source);
    let (line, source) = (Reading::new(line, lexicon), Reading::new(source, lexicon));
    if !is_whole {
        Claims::new(&line, &source, lexicon).compare(|_| false)?;
    }
    let has = |word: &String| words.contains(word);
    if ranges(&source_words).any(|(from, to)| has(from) != has(to)) {
        return Err(Flaw::HalfARange);
    }
    if keep == Keep::Shortened && closeness.in_order < 1.0 { Err(Flaw::TooFar) } else { Ok(closeness) }
}

/// Whether a line is a sentence about the subject, not about the text or the task, and does not go in circles.
pub(super) fn check_form(line: &str, words: &[String], source: &str) -> Result<(), Flaw> {
    if words.len() < WORDS_MIN || !ends_a_sentence(line) {
        return Err(Flaw::Unfinished);
    }
    if seen(line) != line {
        return Err(Flaw::NotInSource(vec!["characters that nobody sees".into()]));
    }
    if let Some(hidden) = line.chars().find(|c| is_invisible(*c) && !source.contains(*c)) {
        return Err(Flaw::NotInSource(vec![format!("U+{:04X}", u32::from(hidden))]));
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
pub(super) fn ranges(words: &[String]) -> impl Iterator<Item = (&String, &String)> {
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

    fn name(line: &str, source: &str, keep: Keep) -> &'static str {
        let evidence = Evidence::new([source], ["the", "it"]);
        judge(line, source, &evidence, (keep, "en")).map_or_else(|flaw| flaw.name(), |_| "")
    }

    #[test]
    fn lines_with_a_flaw_do_not_stand() {
        for (line, want) in [
            ("The harbour board may close the old pier if the survey finds more than 40 cracks.", ""),
            ("The harbour board does not plan to sell it.", ""),
            ("The harbour board may close the old pier if the study finds more than 40 cracks.", "too_far"),
            ("The board closes", "unfinished"),
            ("In summary, the board may close the old pier if needed.", "about_the_text"),
            ("the pier may close if the pier may close if the pier may close.", "loop"),
            ("The harbour board may close the old pier in April if it does not sell it.", "not_in_source"),
            ("The harbour board may close the old pier.", "reservation"),
            (
                "The harbour board will close the old pier if the survey finds more than 40 cracks.",
                "reservation",
            ),
            ("The harbour board may close the old pier if the survey finds 40 cracks.", "reservation"),
            ("The harbour board does plan to sell it.", "negation"),
            (
                "The survey may close the harbour board if the old pier finds more than 40 cracks.",
                "part_of_a_clause",
            ),
            ("May the harbour board close the old pier?", "question"),
            ("", "unfinished"),
            (
                "The harbour board may close the pier. It does not plan to sell it if the survey finds.",
                "split",
            ),
        ] {
            assert_eq!(name(line, SOURCE, Keep::Shortened), want, "{line}");
        }
        let long = format!("{SOURCE} {SOURCE}");
        assert!(["loop", "longer", "split"].contains(&name(&long, SOURCE, Keep::Shortened)));
    }

    #[test]
    fn what_turns_a_number_round_does_not_stand_even_where_the_source_has_it() {
        let source = "The mill was built in \u{202E}1867\u{202C} by Elias Wray.";
        assert_eq!(name(source, source, Keep::Reworded), "not_in_source");
        assert_eq!(name(&seen(source), &seen(source), Keep::Reworded), "");
    }

    #[test]
    fn an_exception_stays() {
        let source = "The museum is open every day but Monday, from ten to six.";
        assert_eq!(
            name("The museum is open every day, from ten to six.", source, Keep::Shortened),
            "reservation"
        );
    }

    #[test]
    fn a_range_is_whole_or_gone() {
        let source = "The bridge, a work of stone, was built from 1761 to 1766 by Elias Wray.";
        for (line, want) in [
            ("The bridge was built from 1761 by Elias Wray.", "half_a_range"),
            ("The bridge was built by Elias Wray.", ""),
            ("The bridge was built from 1761 to 1766 by Elias Wray.", ""),
        ] {
            assert_eq!(name(line, source, Keep::Shortened), want, "{line}");
        }
    }

    #[test]
    fn rewording_may_move_phrases() {
        let source = "In the autumn of 1931, after a long dispute about its cost, the lighthouse was moved 40 metres inland.";
        let line = "The lighthouse was moved 40 metres inland in the autumn of 1931.";
        assert_eq!(name(line, source, Keep::Shortened), "too_far");
        assert_eq!(name(line, source, Keep::Reworded), "");
    }

    #[test]
    fn a_passive_says_what_its_active_sentence_says() {
        let source = "The flood of 1795 carried away the northern arch, but the piers stood.";
        for (line, want) in [
            ("The northern arch was carried away by the flood of 1795.", ""),
            ("The northern arch was carried away.", ""),
            ("The flood of 1795 was carried away by the northern arch.", "part_of_a_clause"),
            ("The northern arch was not carried away by the flood.", "negation"),
            ("The northern arch may be carried away by the flood.", "reservation"),
            ("The northern arch is carried away by the flood.", "part_of_a_clause"),
            ("The piers were carried away by the flood of 1795.", "part_of_a_clause"),
        ] {
            assert_eq!(name(line, source, Keep::Reworded), want, "{line}");
        }
    }

    #[test]
    fn what_limits_a_word_stays_with_it() {
        for (line, source) in [
            ("The museum resigned in May.", "The museum director resigned in May."),
            ("Sales of cars fell in May.", "Sales of diesel cars fell in May."),
            ("The attempt in May was careful.", "The third attempt in May was careful."),
            ("The train does not stop here.", "The train does not stop here on Sundays."),
            ("The mill works days without water.", "The mill works for 30 days without water."),
            ("The label is a PDF of one page.", "The label is a PDF, PNG or ZPL of one page."),
            ("Put the paper over it and wait.", "Put the paper under it and wait."),
            ("The stores can read old files.", "The stores can be read by old files."),
            ("The lake is cold in May.", "The lake is too cold in May."),
        ] {
            assert_ne!(name(line, source, Keep::Reworded), "", "{line}");
            assert_eq!(name(source, source, Keep::Reworded), "", "{source}");
        }
    }

    #[test]
    fn what_is_asked_and_what_is_planned_is_not_told_as_done() {
        for (line, source, want) in [
            ("The pier is safe for visitors.", "The pier is safe for visitors?", "question"),
            ("The hall was closed in March.", "The hall will be closed in March.", "reservation"),
            ("The hall is closed on Mondays.", "The hall was closed on Mondays.", "tense"),
            ("The board rejects the plan.", "The board rejected the plan.", "tense"),
        ] {
            assert_eq!(name(line, source, Keep::Reworded), want, "{line}");
        }
    }
}
