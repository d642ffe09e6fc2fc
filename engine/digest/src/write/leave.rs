//! What a sentence can do without.

use super::lexicon::{Hedge, Lexicon, nouns};
use super::reading::{Content, Reading};

/// Words of a phrase that is left out in the middle of a clause.
const PHRASE_WORDS_MAX: usize = 6;
/// Words of a clause's subject.
const SUBJECT_WORDS_MAX: usize = 4;
/// Words before an infinitive in which the verb that it belongs to is looked for.
const CONTROL_REACH: usize = 2;

/// A source, word by word; indices are those of its contents.
pub(super) struct Leaving<'a> {
    pub source: &'a Reading,
    pub lexicon: Option<&'static Lexicon>,
}

impl Leaving<'_> {
    /// Whether these words are adverbs.
    pub fn are_adverbs(&self, from: usize, to: usize) -> bool {
        let adverb = |word: &Content| self.lexicon.is_some_and(|lexicon| lexicon.is_adverb(&word.text));
        let words = &self.source.contents[from..to];
        !words.is_empty() && words.iter().all(adverb) && words.iter().skip(1).all(|word| word.run.is_empty())
    }

    /// Whether these words are a phrase with a preposition, or nouns that belong to the one before them.
    pub fn is_phrase(&self, from: usize, to: usize) -> bool {
        let Some(inside) = self.source.contents.get(from..to).filter(|inside| !inside.is_empty()) else {
            return false;
        };
        let opens = !inside[0].run.starters.is_empty() || self.is_genitive(from);
        // "In 209 of those the new one": not a part of the phrase.
        let is_noun = |word: &Content| word.run.plain && !word.run.opens() && !word.run.genitive;
        inside.len() <= PHRASE_WORDS_MAX
            && opens
            && !inside[0].run.relative
            && !inside.iter().skip(1).any(|word| word.run.has_auxiliary() || is_noun(word))
            && from.checked_sub(1).is_none_or(|before| self.may_leave(before))
    }

    /// Whether the word at `at` belongs to the noun before it: "der Tür" in "die Dichtung der Tür".
    pub fn is_genitive(&self, at: usize) -> bool {
        let contents = &self.source.contents;
        at > 0
            && at < contents.len()
            && contents[at].run.genitive
            && !contents[at].run.opens()
            && contents[at - 1].is_capital
            && contents[at].is_capital
    }

    /// Whether these words are a participle and what belongs to it: "made by nurses".
    pub fn is_participle(&self, from: usize, to: usize) -> bool {
        let contents = &self.source.contents;
        let Some(first) = contents[..to].get(from).filter(|_| from > 0 && from + 1 < to) else {
            return false;
        };
        let participle = nouns::is_participle(&first.text)
            || self.lexicon.is_some_and(|lexicon| {
                !lexicon.past_ending.is_empty() && first.text.ends_with(lexicon.past_ending)
            });
        let inside = &contents[from + 1..to];
        participle
            && first.run.is_empty()
            && !inside[0].run.starters.is_empty()
            && !inside.iter().any(|word| word.run.has_auxiliary())
    }

    /// Whether these words are a relative clause, behind which the verb of the main clause stands.
    pub fn is_relative_clause(&self, from: usize, to: usize) -> bool {
        let contents = &self.source.contents;
        let Some(first) = contents[..to].get(from).filter(|_| from > 0) else { return false };
        let begins = (first.run.relative || first.run.that) && !first.run.mark && self.may_leave(from - 1);
        let one = contents[from + 1..to].iter().all(|word| word.segment == first.segment);
        begins && one && contents[to].segment == first.segment && contents[to].run.has_auxiliary()
    }

    /// Whether the word at `at` ends the subject with which its part of the sentence begins.
    pub fn is_subject(&self, at: usize) -> bool {
        let contents = &self.source.contents;
        let first = (0..=at).rev().find(|&from| self.source.opens_segment(from)).unwrap_or(0);
        let alone = |word: &Content| word.run.starters.iter().all(|starter| *starter == "of");
        at - first < SUBJECT_WORDS_MAX
            && contents[first..=at].iter().all(alone)
            && contents[first + 1..=at].iter().all(|word| !word.run.has_auxiliary())
    }

    /// Whether a phrase may end with the word at `at`.
    pub fn ends_phrase(&self, at: usize) -> bool {
        let contents = &self.source.contents;
        let Some(next) = contents.get(at + 1) else { return true };
        let before_verb = self.lexicon.is_some_and(|lexicon| lexicon.verb_second)
            && contents[at].is_capital
            && !next.is_capital;
        (!next.run.is_empty() || before_verb) && !self.is_restricted(at)
    }

    /// Whether what follows `at` begins a part of the sentence that it can do without.
    pub fn may_leave(&self, at: usize) -> bool {
        let run = self.source.run(at + 1);
        let is_last = at + 1 >= self.source.contents.len();
        let begins =
            is_last || run.is_boundary() || self.are_adverbs(at + 1, at + 2) || self.is_genitive(at + 1);
        begins && (is_last || !(self.has_infinitive(at) || self.is_restricted(at)))
    }

    /// Whether what stands up to the word at `at` is more than the subject of a verb.
    pub fn leaves_whole(&self, at: usize) -> bool {
        let is_last = at + 1 >= self.source.contents.len();
        is_last
            || self.source.run(at + 1).opens()
            || self.are_adverbs(at + 1, at + 2)
            || self.is_genitive(at + 1)
    }

    /// Whether the line may end with the word at `at`.
    pub fn may_end(&self, at: usize) -> bool {
        let is_last = at + 1 >= self.source.contents.len();
        let opens = || {
            self.source.run(at + 1).opens() || self.are_adverbs(at + 1, at + 2) || self.is_genitive(at + 1)
        };
        is_last || (self.may_leave(at) && opens())
    }

    /// "Refused to close it": the infinitive stays.
    fn has_infinitive(&self, at: usize) -> bool {
        let run = self.source.run(at + 1);
        let to = run.starters.last().is_some_and(|last| ["to", "zu", "a", "de", "di", "te"].contains(last))
            && !run.mark;
        let control = |word: usize| {
            self.lexicon.is_some_and(|lexicon| lexicon.is_control(&self.source.contents[word].text))
        };
        to && (at.saturating_sub(CONTROL_REACH)..=at).any(control)
    }

    /// "All employees who", "the oldest bridge that": without the relative clause more is claimed.
    fn is_restricted(&self, at: usize) -> bool {
        let contents = &self.source.contents;
        let run = self.source.run(at + 1);
        if !(run.relative || run.that) || run.mark {
            return false;
        }
        let limits =
            |hedge: &Hedge| matches!(hedge, Hedge::All | Hedge::Not | Hedge::Only | Hedge::Most | Hedge::Few);
        let near = (at.saturating_sub(3)..=at).filter(|word| contents[*word].segment == contents[at].segment);
        let mut limited = near.map(|word| {
            contents[word].run.hedges.iter().any(limits) || nouns::is_superlative(&contents[word].text)
        });
        // "Nurses who work at night": not all nurses. "A bicycle that is not returned": not any one.
        let head = (0..=at).rev().find(|&word| !contents[word].run.is_empty()).unwrap_or(0);
        let own = &contents[head].run;
        let is_name = contents[at].is_capital && !contents[at].run.sentence;
        let bare = self.lexicon.is_some_and(|lexicon| lexicon.drops_articles) && !own.plain && !is_name;
        let any = own.indefinite && !self.is_told(contents[at].sentence);
        bare || any || limited.any(|limited| limited)
    }

    /// Whether the phrase that begins at `from` goes on with the word at `at`: "for 30 days" ends with the days. Behind a plural stands a
    /// verb without an ending.
    pub fn is_cut(&self, from: usize, at: usize) -> bool {
        let Some([last, next]) = at.checked_sub(1).and_then(|last| self.source.contents.get(last..=at))
        else {
            return false;
        };
        let is_year = last.text.len() == 4;
        let ending = self.lexicon.map_or("", |lexicon| lexicon.past_ending);
        let is_plural = |word: &Content| !word.owns && (word.text.ends_with('s') || word.text == "people");
        let subject = from.checked_sub(1).and_then(|at| self.source.contents.get(at));
        let is_verb = ending.is_empty()
            || subject.is_some_and(is_plural)
            || next.text.ends_with(ending)
            || next.text.ends_with('s')
            || nouns::is_participle(&next.text);
        next.run.is_empty()
            && (last.owns || (last.number.is_some() && !is_year) || !(is_verb || is_plural(last)))
    }

    /// Whether a sentence tells what happened.
    fn is_told(&self, sentence: usize) -> bool {
        let ending = self.lexicon.map_or("", |lexicon| lexicon.past_ending);
        let past = |word: &Content| {
            let run = &word.run;
            run.past
                || run.any_time
                || (!ending.is_empty() && word.text.ends_with(ending) && !run.has_auxiliary())
        };
        self.source.contents.iter().any(|word| word.sentence == sentence && past(word))
    }
}
