//! A text as its words with a meaning, and what stands between them.

use unicode_segmentation::UnicodeSegmentation;

use super::evidence::number_value;
use super::lexicon::{Hedge, Lexicon, Role, Time, begins_a_clause};

/// Words that are looked at; what is longer is no sentence.
const WORDS_MAX: usize = 400;
/// Pronouns that stand behind prepositions and before verbs.
const SUBJECTS: [&str; 11] =
    ["it", "that", "this", "these", "those", "you", "elle", "elles", "nous", "vous", "lui"];
/// Auxiliaries that make no passive.
const HAVE: [&str; 15] = [
    "had", "did", "do", "has", "having", "hatte", "hat", "heeft", "avait", "a", "ayant", "había", "ha",
    "aveva", "tem",
];
/// Words between the two parts of a negation.
const FAR: usize = 4;
const MARKS: &[char] = &[
    ',', ';', ':', '–', '—', '(', ')', '.', '!', '?', '、', '，', '。', '；', '：', '！', '？', '（', '）',
    '،', '؛',
];
const ENDS: &[char] = &['.', '!', '?', ';', '。', '！', '？', '؟', '।'];

/// What stands before a word with a meaning: function words and marks.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Whether there is a mark.
    pub mark: bool,
    /// Whether a sentence begins.
    pub sentence: bool,
    /// Prepositions and conjunctions.
    pub starters: Vec<&'static str>,
    /// Prepositions with nothing behind them ("from above, and").
    pub adverbs: Vec<&'static str>,
    pub condition: bool,
    pub and: bool,
    /// A "but" without a mark: an exception.
    pub but: bool,
    pub or: bool,
    pub relative: bool,
    pub that: bool,
    /// "A", "an".
    pub indefinite: bool,
    /// An article of English.
    pub article: bool,
    /// An article of a noun that belongs to the one before it.
    pub genitive: bool,
    /// The source of a claim ("according to").
    pub source: bool,
    pub past: bool,
    pub present: bool,
    /// "be", "been", "have".
    pub any_time: bool,
    /// A form of "be", in any time.
    pub be: bool,
    /// Articles, pronouns, particles.
    pub plain: bool,
    pub hedges: Vec<Hedge>,
}

impl Run {
    /// Whether it has neither words nor marks.
    pub fn is_empty(&self) -> bool {
        !(self.plain || self.mark || self.is_boundary())
    }

    pub fn has_auxiliary(&self) -> bool {
        self.past || self.present || self.any_time || !self.hedges.is_empty()
    }

    /// Whether a part of a sentence may begin behind it that can be left out.
    pub fn opens(&self) -> bool {
        self.mark || !self.starters.is_empty() || self.and || self.or || self.relative || self.that
    }

    /// Whether nothing but a mark and articles stand there.
    pub fn only_marks(&self) -> bool {
        let words = !self.starters.is_empty() || self.and || self.or || self.relative || self.that;
        self.mark && !self.sentence && !words && !self.has_auxiliary()
    }

    /// Whether both do not join by "and" what the other one joins by "or".
    pub fn joins_alike(&self, other: &Run) -> bool {
        let is_other = |one: &Run, two: &Run| one.or && two.and && !two.or;
        !is_other(self, other) && !is_other(other, self)
    }

    pub fn is_boundary(&self) -> bool {
        self.opens() || self.has_auxiliary()
    }

    fn add(&mut self, role: Role, text: &'static str) {
        self.be |= matches!(role, Role::Auxiliary(_)) && !HAVE.contains(&text);
        match role {
            Role::Plain => self.plain = true,
            Role::Auxiliary(Time::Past) => self.past = true,
            Role::Auxiliary(Time::Present) => self.present = true,
            Role::Auxiliary(Time::Any) => self.any_time = true,
            Role::Starter => self.starters.push(text),
            Role::Condition => {
                self.starters.push(text);
                self.condition = true;
            }
            Role::Source => {
                self.starters.push(text);
                self.source = true;
            }
            Role::And => {
                self.but |= text == "but" && !self.mark;
                self.and = true;
            }
            Role::Or => self.or = true,
            Role::Relative => self.relative = true,
            Role::That => self.that = true,
            Role::Hedge(hedge) => self.hedges.push(hedge),
        }
        // "The hall is to be closed": it will be.
        if self.any_time && self.starters.last() == Some(&"to") {
            self.starters.pop();
            if self.past || self.present {
                self.hedges.push(Hedge::Will);
            }
        }
    }
}

/// A word with a meaning.
#[derive(Debug, Clone)]
pub(super) struct Content {
    /// In lower case.
    pub text: String,
    pub is_capital: bool,
    pub number: Option<String>,
    /// What stands before it.
    pub run: Run,
    /// Whether a hyphen joins it to the word before.
    pub is_joined: bool,
    /// Whether it says whose the next word is.
    pub owns: bool,
    /// The part of the text between marks and conjunctions that it is in.
    pub segment: usize,
    /// The sentence that it is in.
    pub sentence: usize,
    /// Auxiliaries behind it, before a mark.
    pub ends_past: bool,
    pub ends_present: bool,
}

/// A text.
#[derive(Debug)]
pub(super) struct Reading {
    pub contents: Vec<Content>,
    /// What stands behind the last word with a meaning.
    pub tail: Run,
    /// Whether each sentence is a question.
    pub questions: Vec<bool>,
    /// Whether it says nothing of who does it.
    pub leaves_subject: bool,
}

impl Reading {
    /// Reads a text in a language whose function words are known, or not.
    pub fn new(text: &str, lexicon: Option<&'static Lexicon>) -> Self {
        let words = words(text, lexicon);
        let (contents, tail, questions) = (Vec::new(), Run::default(), vec![false]);
        let mut reading = Reading { contents, tail, questions, leaves_subject: false };
        let (mut run, mut segment, mut at) = (Run { sentence: true, ..Run::default() }, 0, 0);
        while let Some(word) = words.get(at) {
            if !run.is_empty() && word.mark_before && word.ends_sentence {
                // What stood between the last word and the end belongs to the sentence that ends.
                reading.close(&mut run);
            }
            if word.mark_before {
                reading.end_clause(&mut run);
            }
            run.mark |= word.mark_before;
            // "From above, and": an adverb.
            if word.mark_before && !run.condition && !run.source {
                run.adverbs = std::mem::take(&mut run.starters);
            }
            if word.ends_sentence {
                run.sentence = true;
                if let Some(last) = reading.questions.last_mut() {
                    *last = word.after_question;
                }
                reading.questions.push(false);
            }
            let alone = lexicon.is_some_and(|lexicon| stands_alone(lexicon, &words, at));
            let found = lexicon.and_then(|lexicon| role(lexicon, &words, at));
            // "Under it" is another place than "over it"; "half of them" is half.
            let is_place = alone
                && run.hedges.is_empty()
                && matches!(found, None | Some((Role::Plain | Role::That, ..)));
            if let Some((role, stands_for, count)) = found.filter(|_| !is_place) {
                if alone && role != Role::Relative {
                    run.starters.pop();
                }
                run.add(role, stands_for);
                run.indefinite |= lexicon.is_some_and(|lexicon| lexicon.is_indefinite(&word.text));
                run.article |= ["the", "a", "an"].contains(&word.text.as_str());
                run.genitive |= lexicon.is_some_and(|lexicon| lexicon.is_genitive(&word.text));
                at += count;
                continue;
            }
            let splits =
                run.mark || run.and || run.or || run.relative || run.that || run.condition || run.sentence;
            let dated = number_value(&word.text).is_some();
            let clause = run.starters.iter().any(|starter| begins_a_clause(starter, dated));
            segment += usize::from((splits || clause) && !reading.contents.is_empty());
            reading.contents.push(Content {
                text: word.text.clone(),
                is_capital: word.is_capital,
                is_joined: word.is_joined,
                owns: word.owns,
                number: number_value(&word.text),
                run: std::mem::take(&mut run),
                segment,
                sentence: reading.questions.len() - 1,
                ends_past: false,
                ends_present: false,
            });
            at += 1;
        }
        if let Some(last) = reading.questions.last_mut() {
            *last = text.trim_end_matches(['"', '”', '’', '\'', ')', '»', ' ']).ends_with(['?', '？', '؟']);
        }
        reading.tail = run;
        reading
    }

    /// A run at the end of a sentence: its hedges belong to what they stand behind.
    fn close(&mut self, run: &mut Run) {
        if let Some(last) = self.contents.last_mut() {
            last.run.hedges.append(&mut run.hedges);
        }
        *run = Run::default();
    }

    /// A mark behind a clause with its verb at its end: the auxiliaries belong to the word before them.
    fn end_clause(&mut self, run: &mut Run) {
        if let Some(last) = self.contents.last_mut().filter(|_| run.past || run.present) {
            last.ends_past = run.past;
            last.ends_present = run.present;
            (run.past, run.present, run.any_time, run.be) = (false, false, false, false);
        }
    }

    /// What stands before the word at `at`, or behind the last one.
    pub fn run(&self, at: usize) -> &Run {
        self.contents.get(at).map_or(&self.tail, |content| &content.run)
    }

    /// Whether a part of the text begins with the word at `at`.
    pub fn opens_segment(&self, at: usize) -> bool {
        at == 0 || self.contents[at].segment != self.contents[at - 1].segment
    }
}

struct Word {
    text: String,
    is_capital: bool,
    /// Whether a hyphen joins it to the word before.
    is_joined: bool,
    owns: bool,
    /// Whether a mark stands between the word before and it.
    mark_before: bool,
    /// Whether a sentence ends before it; whether that is a question.
    ends_sentence: bool,
    after_question: bool,
}

/// The words of a text; "%" is one.
fn words(text: &str, lexicon: Option<&Lexicon>) -> Vec<Word> {
    let text = text.replace('’', "'").replace('%', " percent ");
    let elides = lexicon.is_some_and(|lexicon| lexicon.elides);
    let mut words = Vec::new();
    let mut end = 0;
    for (at, word) in text.unicode_word_indices().take(WORDS_MAX) {
        // ".key" is a name.
        let between =
            text[end..at].strip_suffix('.').filter(|rest| !rest.is_empty()).unwrap_or(&text[end..at]);
        let first = words.is_empty();
        let spaced = between.contains(char::is_whitespace) || !between.is_ascii();
        let mut next = Word {
            text: word.to_lowercase(),
            is_capital: word.starts_with(char::is_uppercase),
            is_joined: between == "-",
            owns: false,
            mark_before: !first && between.contains(MARKS),
            ends_sentence: !first && spaced && between.contains(ENDS),
            after_question: between.contains(['?', '？', '؟']),
        };
        end = at + word.len();
        if elides
            && let Some((head, tail)) = next.text.clone().split_once('\'')
            && head.chars().count() <= 6
            && !tail.is_empty()
        {
            let rest = Word {
                text: tail.to_owned(),
                is_capital: word.split('\'').nth(1).is_some_and(|tail| tail.starts_with(char::is_uppercase)),
                is_joined: false,
                owns: false,
                mark_before: false,
                ends_sentence: false,
                after_question: false,
            };
            next.text = head.to_owned();
            words.push(next);
            words.push(rest);
            continue;
        }
        if let Some(owner) = next.text.strip_suffix("'s").or_else(|| next.text.strip_suffix('\'')) {
            next.text = owner.to_owned();
            next.owns = true;
        }
        words.push(next);
    }
    words
}

/// What the word at `at` does, or together with the next one, and how many these are.
fn role(lexicon: &Lexicon, words: &[Word], at: usize) -> Option<(Role, &'static str, usize)> {
    let first = &words[at].text;
    if let Some(second) = words.get(at + 1).filter(|second| !second.mark_before) {
        let found = lexicon.role(&format!("{first}_{}", second.text)).map(|(role, text)| (role, text, 2));
        let of_number = || lexicon.role(&format!("{first}_number")).map(|(role, text)| (role, text, 1));
        let found = found.or_else(|| number_value(&second.text).and_then(|_| of_number()));
        if found.is_some() {
            return found;
        }
    }
    if first.ends_with("n't") {
        return Some((Role::Hedge(Hedge::Not), "not", 1));
    }
    // "ne ... plus".
    let is_first = |word: &Word| lexicon.first_of_two.split(' ').any(|first| first == word.text);
    if !lexicon.first_of_two.is_empty()
        && words[at.saturating_sub(FAR)..at].iter().any(is_first)
        && let Some((role, text)) = lexicon.role(&format!("ne+{first}"))
    {
        return Some((role, text, 1));
    }
    let found = lexicon.role(first)?;
    // "in May".
    let is_name = words[at].is_capital && at > 0 && !words[at].ends_sentence && words[at - 1].text != "i";
    let named = is_name && matches!(found.0, Role::Hedge(Hedge::May | Hedge::Will));
    (!named).then_some((found.0, found.1, 1))
}

/// Whether the word at `at` is a pronoun behind a preposition, with no noun of its own ("of them are").
fn stands_alone(lexicon: &Lexicon, words: &[Word], at: usize) -> bool {
    let is_noun = |next: &Word| !next.mark_before && role(lexicon, words, at + 1).is_none();
    let preposition = |before: &Word| {
        !words[at].mark_before
            && lexicon
                .role(&before.text)
                .is_some_and(|(role, text)| role == Role::Starter && !begins_a_clause(text, true))
    };
    // "After it was closed": the subject of a clause.
    let is_subject = |next: &Word| {
        SUBJECTS.contains(&words[at].text.as_str())
            && !next.mark_before
            && matches!(lexicon.role(&next.text), Some((Role::Auxiliary(_) | Role::Hedge(_), _)))
    };
    lexicon.is_pronoun(&words[at].text)
        && at > 0
        && !words.get(at + 1).is_some_and(is_subject)
        && preposition(&words[at - 1])
        && !words.get(at + 1).is_some_and(is_noun)
}
