//! Questions that a person would ask and that a page answers: those of its headings, and those that a plain sentence or a row of it answers.

use std::cmp::Reverse;

use unicode_segmentation::UnicodeSegmentation;

use crate::language::is_stop_word;
use crate::openers;
use crate::page::DigestError;
use crate::passages::Verdict;
use crate::wanted::{Wanted, wanted};
use crate::words::lower;
use crate::{Digest, Sentence, SummaryLength};

/// Most questions that are offered.
pub const SUGGESTIONS_MAX: usize = 3;
/// Most questions that are tried.
const TRIED_MAX: usize = 16;
/// Words of a subject that make a question, and of a heading that is one.
const SUBJECT_WORDS_MAX: usize = 5;
const HEADING_WORDS: (usize, usize) = (3, 14);
/// Words behind a verb in which the answer stands.
const ANSWER_WORDS_MAX: usize = 8;
/// Sentences at the beginning of a page that are read for rows, labels and amounts.
const SENTENCES_MAX: usize = 400;
/// Words of a label: "Total time".
const LABEL_WORDS_MAX: usize = 3;

/// Sentences with a subject and one of these verbs answer a question about it, in languages whose words keep their form then: language, kind of
/// answer, verbs, and what stands before and behind the subject.
const VERBS: &[(&str, Wanted, &str, &str, &str)] = &[
    ("en", Wanted::Price, "costs", "How much does ", " cost?"),
    ("en", Wanted::Extent, "takes", "How long does ", " take?"),
    ("en", Wanted::Extent, "lasts", "How long does ", " last?"),
    ("en", Wanted::Weight, "weighs", "How heavy is ", "?"),
    ("de", Wanted::Price, "kostet kosten", "Was {} ", "?"),
    ("de", Wanted::Extent, "dauert dauern", "Wie lange {} ", "?"),
    ("de", Wanted::Weight, "wiegt wiegen", "Wie viel {} ", "?"),
    ("fr", Wanted::Price, "coûte coûtent", "Combien {} ", " ?"),
    ("fr", Wanted::Extent, "dure durent", "Combien de temps {} ", " ?"),
    ("fr", Wanted::Weight, "pèse pèsent", "Combien {} ", " ?"),
    ("es", Wanted::Price, "cuesta cuestan", "¿Cuánto {} ", "?"),
    ("es", Wanted::Extent, "dura duran", "¿Cuánto {} ", "?"),
    ("es", Wanted::Weight, "pesa pesan", "¿Cuánto {} ", "?"),
    ("it", Wanted::Price, "costa costano", "Quanto {} ", "?"),
    ("it", Wanted::Extent, "dura durano", "Quanto {} ", "?"),
    ("it", Wanted::Weight, "pesa pesano", "Quanto {} ", "?"),
    ("pt", Wanted::Price, "custa custam", "Quanto {} ", "?"),
    ("pt", Wanted::Extent, "dura duram", "Quanto {} ", "?"),
    ("pt", Wanted::Weight, "pesa pesam", "Quanto {} ", "?"),
    ("nl", Wanted::Price, "kost kosten", "Wat {} ", "?"),
    ("nl", Wanted::Extent, "duurt duren", "Hoe lang {} ", "?"),
    ("nl", Wanted::Weight, "weegt wegen", "Hoeveel {} ", "?"),
];
/// Definitions: language, verb, what stands behind it, and what stands before and behind the subject in a question.
const DEFINED: &[(&str, &str, &str, &str, &str)] = &[
    ("en", "is", "a an", "What is ", "?"),
    ("de", "ist", "ein eine", "Was ist ", "?"),
    ("es", "es", "un una", "¿Qué es ", "?"),
    ("it", "è", "un una uno", "Che cos'è ", "?"),
    ("pt", "é", "um uma", "O que é ", "?"),
    ("nl", "is", "een", "Wat is ", "?"),
];
/// Words that a subject begins with, in small letters within a question.
const ARTICLES: &str = "the a an our your der die das ein eine unser unsere le la les un une el los las una il lo i gli o os as um uma de het een";
/// What a row or a label of a kind is asked for with, by language.
const LABELED: &[(&str, Wanted, &str)] = &[
    ("en", Wanted::Price, "How much does it cost?"),
    ("en", Wanted::Weight, "How heavy is it?"),
    ("en", Wanted::Extent, "How long does it take?"),
    ("de", Wanted::Price, "Was kostet das?"),
    ("de", Wanted::Weight, "Wie schwer ist es?"),
    ("de", Wanted::Extent, "Wie lange dauert es?"),
    ("fr", Wanted::Price, "Combien ça coûte ?"),
    ("fr", Wanted::Weight, "Combien ça pèse ?"),
    ("fr", Wanted::Extent, "Combien de temps faut-il ?"),
    ("es", Wanted::Price, "¿Cuánto cuesta?"),
    ("es", Wanted::Weight, "¿Cuánto pesa?"),
    ("es", Wanted::Extent, "¿Cuánto tiempo se tarda?"),
    ("it", Wanted::Price, "Quanto costa?"),
    ("it", Wanted::Weight, "Quanto pesa?"),
    ("it", Wanted::Extent, "Quanto tempo ci vuole?"),
    ("pt", Wanted::Price, "Quanto custa?"),
    ("pt", Wanted::Weight, "Quanto pesa?"),
    ("pt", Wanted::Extent, "Quanto tempo leva?"),
    ("nl", Wanted::Price, "Wat kost het?"),
    ("nl", Wanted::Weight, "Hoe zwaar is het?"),
    ("nl", Wanted::Extent, "Hoe lang duurt het?"),
    ("pl", Wanted::Price, "Ile to kosztuje?"),
    ("pl", Wanted::Weight, "Ile to waży?"),
    ("pl", Wanted::Extent, "Ile czasu to zajmuje?"),
    ("ja", Wanted::Price, "価格はいくらですか？"),
    ("ja", Wanted::Weight, "重さはどのくらいですか？"),
    ("ko", Wanted::Price, "가격은 얼마인가요?"),
    ("ko", Wanted::Weight, "무게는 얼마인가요?"),
    ("zh", Wanted::Price, "价格是多少？"),
    ("zh", Wanted::Weight, "重量是多少？"),
    ("hi", Wanted::Price, "इसकी कीमत क्या है?"),
    ("hi", Wanted::Weight, "इसका वज़न कितना है?"),
    ("ar", Wanted::Price, "كم السعر؟"),
    ("ar", Wanted::Weight, "كم الوزن؟"),
];
/// Labels of times that something takes.
const TIMED: &str = "time duration dauer zeit gesamtzeit arbeitszeit durée temps duración tiempo durata tempo duração duur tijd czas";
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
            let dated = if self.language == "en" { ask_for_year(one) } else { None };
            let amount =
                || ask_for_amount(one, &self.language).or_else(|| ask_for_meaning(one, &self.language));
            dated.or_else(amount).map(|question| (one.block, question))
        };
        questions.extend(key.filter_map(ask));
        questions.extend(self.sentences.iter().take(SENTENCES_MAX).filter_map(|one| {
            let labeled = ask_for_label(one, &self.language).map(|question| (one.block, question));
            labeled.or_else(|| ask_for_amount(one, &self.language).map(|question| (one.block, question)))
        }));
        questions.truncate(TRIED_MAX);
        questions
    }
}

/// A heading that is a question, without its number and what a site puts behind it ("[edit]").
fn asked_by(heading: &str, language: &str) -> Option<String> {
    let bare = match heading.rfind('[') {
        Some(at) if heading.ends_with(']') => heading[..at].trim_end(),
        _ => heading,
    };
    let bare = without_number(bare);
    let words = crate::count_words(bare);
    let (least, most) = HEADING_WORDS;
    let hangs = openers::refers_back(bare, language);
    (bare.ends_with(QUESTION_MARKS) && !hangs && (least..=most).contains(&words)).then(|| bare.to_owned())
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

/// "The crossing takes forty minutes" is asked for with "How long does the crossing take?".
fn ask_for_amount(sentence: &Sentence, language: &str) -> Option<String> {
    if sentence.row.is_some() || openers::refers_back(&sentence.text, language) {
        return None;
    }
    let words: Vec<&str> =
        sentence.text.split_whitespace().take(SUBJECT_WORDS_MAX + 1 + ANSWER_WORDS_MAX).collect();
    let rules = VERBS.iter().filter(|(name, ..)| *name == language);
    rules.into_iter().find_map(|(_, kind, verbs, before, behind)| {
        let at = words
            .iter()
            .take(SUBJECT_WORDS_MAX + 1)
            .position(|word| verbs.split(' ').any(|verb| verb == *word))?;
        let name = subject(&words[..at])?;
        let rest = words[at + 1..].iter().take(ANSWER_WORDS_MAX).copied().collect::<Vec<_>>().join(" ");
        kind.stands_in(&rest).then(|| format!("{}{name}{behind}", before.replace("{}", words[at])))
    })
}

/// "Peat is a soil of dead moss" is asked for with "What is peat?".
fn ask_for_meaning(sentence: &Sentence, language: &str) -> Option<String> {
    if sentence.row.is_some() || !sentence.opens_block || openers::refers_back(&sentence.text, language) {
        return None;
    }
    let (_, verb, articles, before, behind) = DEFINED.iter().find(|(name, ..)| *name == language)?;
    let words: Vec<&str> = sentence.text.split_whitespace().take(SUBJECT_WORDS_MAX + 2).collect();
    let at = words.iter().position(|word| word == verb)?;
    let next = words.get(at + 1)?;
    articles.split(' ').find(|article| article == next)?;
    Some(format!("{before}{}{behind}", subject(&words[..at])?))
}

/// The words before a verb as a subject within a question, where they are one: an article with a name, or one word.
fn subject(words: &[&str]) -> Option<String> {
    let first = words.first()?;
    let is_plain = |word: &&str| word.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '\'' | '’'));
    let small = lower(first);
    let has_article = ARTICLES.split(' ').any(|article| article == small);
    let has_name = words.iter().any(|word| !is_stop_word(&lower(word)));
    let ends_in_name = words.last().is_some_and(|last| !is_stop_word(&lower(last)) && !last.ends_with("ly"));
    if !words.iter().all(is_plain) || !has_name || !ends_in_name || (!has_article && words.len() > 1) {
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

/// "Weight: 2.4 kg" is asked for with "How heavy is it?".
fn ask_for_label(sentence: &Sentence, language: &str) -> Option<String> {
    let text = &sentence.text;
    let (label, value) = text.split_once(['\t', ':', '：'])?;
    if value.contains('\t')
        || label.unicode_words().count() > LABEL_WORDS_MAX
        || sentence.words > SUBJECT_WORDS_MAX + ANSWER_WORDS_MAX
    {
        return None;
    }
    let is_timed = lower(label).unicode_words().any(|word| TIMED.split(' ').any(|time| time == word));
    let kind = if is_timed { Wanted::Extent } else { wanted(label)?.0 };
    let (_, _, question) = LABELED.iter().find(|(name, asked, _)| *name == language && *asked == kind)?;
    kind.stands_in(value).then(|| (*question).to_owned())
}

/// "The bridge was built in 1766" is asked for with "When was the bridge built?".
fn ask_for_year(sentence: &Sentence) -> Option<String> {
    let words: Vec<&str> = sentence.text.split_whitespace().collect();
    let verb_at = words.iter().take(SUBJECT_WORDS_MAX + 1).position(|word| ["was", "were"].contains(word))?;
    let participle = words.get(verb_at + 1).filter(|word| word.ends_with("ed") || word.ends_with('t'))?;
    if !participle.chars().all(char::is_alphabetic) || ["not", "just", "that", "what"].contains(participle) {
        return None;
    }
    let name = subject(&words[..verb_at])?;
    let is_year = |word: &&&str| {
        let bare = word.trim_matches(|c: char| !c.is_ascii_digit());
        bare.len() == 4 && (bare.starts_with('1') || bare.starts_with("20"))
    };
    words.iter().skip(verb_at).take(ANSWER_WORDS_MAX + 2).find(is_year)?;
    Some(format!("When {} {name} {participle}?", words[verb_at]))
}
