//! How a line can be read as parts of its source.
//!
//! Each word of the line with a meaning is a word of the source. From one to the next the line goes on in the source, leaves out a part
//! that a sentence can do without, or puts in a phrase from elsewhere in the same sentence. A way through the source that has only such
//! steps is a reading of the line in which everybody does what they do in the source.

use std::collections::BTreeMap;

use super::leave::Leaving;
use super::lexicon::{Lexicon, nouns};
use super::reading::{Content, Reading, Run};

/// Places in the source of each word of the line that are tried.
const PLACES_MAX: usize = 12;
/// Readings that are followed at a time, the simplest ones.
const STATES_MAX: usize = 48;
/// Words of a subject that a passive leaves out.
const SUBJECT_WORDS_MAX: usize = 6;
/// Words that may stand between an article and its noun.
const MODIFIERS_MAX: usize = 3;
/// Where a word of the line stands in the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// The word.
    pub word: usize,
    /// The word behind the run that stands before it, modifiers that are left out counted.
    pub from: usize,
}

/// Places of all words of the line; `None` for one that the context gives.
pub(super) type Path = Vec<Option<Place>>;

/// What a word of the line may be.
pub(super) struct Candidates {
    /// Words of the source.
    pub places: Vec<usize>,
    /// Whether the context may give it.
    pub named: bool,
}

/// The line and the source.
pub(super) struct Ways<'a> {
    pub line: &'a Reading,
    pub source: &'a Reading,
    pub lexicon: Option<&'static Lexicon>,
}

/// Where a reading is: at a word of the main clause, and in a phrase from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    main: Option<usize>,
    /// Where the phrase begins, and where in it the reading is.
    phrase: Option<(usize, usize)>,
    /// Whether the context names what the line is about.
    named: bool,
    /// The word whose other half comes next: in "the shipment number" of "the number of the shipment", or the verb before its subject.
    owed: Option<usize>,
}

/// What each state costs, and the last step to it.
type Found = BTreeMap<State, (u32, usize)>;

/// Steps that were taken: where to, and the step before.
type Steps = Vec<(Option<Place>, usize)>;

impl Ways<'_> {
    /// The reading with the fewest turns.
    pub fn find(&self, words: &[Candidates]) -> Option<Path> {
        let start = State { main: None, phrase: None, named: false, owed: None };
        // The first one is no step.
        let mut steps: Steps = vec![(None, 0)];
        let mut found = Found::from([(start, (0, 0))]);
        for (k, candidates) in words.iter().enumerate() {
            let mut next: BTreeMap<State, (u32, Option<Place>, usize)> = BTreeMap::new();
            let mut keep = |state: State, cost: u32, place: Option<Place>, before: usize| {
                if next.get(&state).is_none_or(|(known, ..)| cost < *known) {
                    next.insert(state, (cost, place, before));
                }
            };
            for (state, (cost, before)) in &found {
                let run = &self.line.contents[k].run;
                let plain = !run.has_auxiliary() && !run.that && run.starters.iter().all(|one| *one == "of");
                if candidates.named && state.main.is_none() && plain {
                    keep(State { named: true, ..*state }, *cost, None, *before);
                }
                for &word in candidates.places.iter().take(PLACES_MAX) {
                    for (to, more, place) in self.steps(k, *state, word) {
                        keep(to, cost + more, Some(place), *before);
                    }
                }
            }
            let mut best: Vec<_> = next.into_iter().collect();
            best.sort_by_key(|(_, (cost, ..))| *cost);
            best.truncate(STATES_MAX);
            let push = |(state, (cost, place, before))| {
                steps.push((place, before));
                (state, (cost, steps.len() - 1))
            };
            found = best.into_iter().map(push).collect();
        }
        let ends = found.into_iter().filter(|(state, _)| self.may_end(*state));
        let (_, (_, mut at)) = ends.min_by_key(|(_, (cost, _))| *cost)?;
        let mut path = Path::new();
        while at > 0 {
            path.push(steps[at].0);
            at = steps[at].1;
        }
        path.reverse();
        Some(path)
    }

    fn leaving(&self) -> Leaving<'_> {
        Leaving { source: self.source, lexicon: self.lexicon }
    }

    /// The steps from a state to a word.
    fn steps(&self, k: usize, state: State, word: usize) -> Vec<(State, u32, Place)> {
        let mut steps = Vec::new();
        let run = &self.line.contents[k].run;
        if let Some(owed) = state.owed {
            let pays = owed == word && (run.is_empty() || self.is_verb_second());
            let to = State { owed: None, ..state };
            return if pays { vec![(to, 1, Place { word, from: word })] } else { steps };
        }
        let main = |word: usize, owed: Option<usize>| State { main: Some(word), phrase: None, owed, ..state };
        if state.phrase.is_none_or(|(from, at)| self.leaving().ends_phrase(at) && self.belongs(from, word)) {
            if let Some((cost, from)) = self.step(run, state, word) {
                steps.push((main(word, None), cost, Place { word, from }));
            }
            if let Some((owed, from)) = self.turned(run, state, word) {
                steps.push((main(word, Some(owed)), 2, Place { word, from }));
            }
        }
        if let Some((begin, at)) = state.phrase {
            let same = self.source.contents[at].segment == self.source.contents[word].segment;
            let inside = State { main: Some(at), phrase: None, named: false, owed: None };
            if let Some((cost, from)) = self.step(run, inside, word).filter(|_| same && word > at) {
                steps.push((State { phrase: Some((begin, word)), ..state }, cost, Place { word, from }));
            }
        } else if let Some(from) = self.begins_phrase(run, state.main, word) {
            steps.push((State { phrase: Some((from, word)), ..state }, 3, Place { word, from }));
        }
        steps
    }

    fn is_verb_second(&self) -> bool {
        self.lexicon.is_some_and(|lexicon| lexicon.verb_second)
    }

    /// A phrase from elsewhere: the same preposition before it, in the same sentence, and of the same clause or between marks.
    fn begins_phrase(&self, run: &Run, main: Option<usize>, word: usize) -> Option<usize> {
        let from = self.blocks(word).into_iter().find(|&from| {
            let own = &self.source.contents[from].run;
            !own.starters.is_empty() && own.starters[0] != "of" && !own.relative && self.agrees(run, own)
        })?;
        let free = |main: usize| self.is_verb_second() || self.leaving().may_leave(main);
        let near = main.is_none_or(|main| self.belongs(from, main) && free(main));
        near.then_some(from)
    }

    /// Whether the phrase that begins at `phrase` says something of the clause with `main`.
    fn belongs(&self, phrase: usize, main: usize) -> bool {
        let (of, to) = (&self.source.contents[phrase], &self.source.contents[main]);
        of.sentence == to.sentence
            && if of.segment == to.segment {
                self.is_in_relative(phrase) == self.is_in_relative(main)
            } else {
                self.source.opens_segment(phrase)
            }
    }

    /// Whether a noun without an article begins at `at` that names all of a kind: "diesel cars" are not "cars".
    fn is_kind(&self, at: usize) -> bool {
        let contents = &self.source.contents;
        let drops = self.lexicon.is_some_and(|lexicon| lexicon.drops_articles);
        let is_bare = |at: usize| !contents[at].run.plain && contents[at].run.hedges.is_empty();
        let begin = || (0..at).rev().find(|word| !contents[*word].run.is_empty()).unwrap_or(0);
        let of_kind = || at > 0 && contents[at].run.starters == ["of"] && is_bare(begin());
        drops && is_bare(at) && !contents[at + 1].is_capital && (contents[at].run.sentence || of_kind())
    }

    /// Whether the word at `at` belongs to a relative clause with whose end the main clause goes on: "who checked the dam in May had warned".
    fn is_in_relative(&self, at: usize) -> bool {
        let contents = &self.source.contents;
        let first = (0..=at).rev().find(|&from| self.source.opens_segment(from)).unwrap_or(0);
        let begins = contents[first].run.relative || contents[first].run.that;
        begins && !contents[first + 1..=at].iter().any(|word| word.run.has_auxiliary())
    }

    /// Words from which the part of the sentence with `word` may begin: itself, or modifiers right before it.
    fn blocks(&self, word: usize) -> Vec<usize> {
        let mut blocks = vec![word];
        if self.lexicon.is_none() {
            return blocks;
        }
        for from in (word.saturating_sub(MODIFIERS_MAX)..word).rev() {
            let (head, next) = (&self.source.contents[from], &self.source.contents[from + 1]);
            // "The town of Aldmoor", "300 grams of flour".
            let named = next.is_capital && nouns::is_place(&head.text);
            let apposed = next.run.starters == ["of"] && (named || nouns::is_measure(&head.text));
            let cuts_name = head.is_capital && next.is_capital && !apposed && !nouns::is_title(&head.text);
            if !(next.run.is_empty() || apposed)
                || next.number.is_some()
                || cuts_name
                || nouns::is_limiting(&head.text)
            {
                break;
            }
            // "The museum director resigned" is not "the museum resigned".
            if (from == 0 || !head.run.is_empty()) && (apposed || !self.is_kind(from)) {
                blocks.push(from);
            }
        }
        blocks
    }

    /// "The shipment number" of "the number of the shipment"; the subject before its verb where the verb stood second.
    fn turned(&self, run: &Run, state: State, word: usize) -> Option<(usize, usize)> {
        let from = *self.blocks(word).last()?;
        let head = from.checked_sub(1)?;
        let own = &self.source.contents[from].run;
        let possessive = own.starters == ["of"] && !own.mark;
        let inverted =
            self.is_verb_second() && own.plain && !own.opens() && !self.source.contents[head].is_capital;
        if !(possessive || inverted) {
            return None;
        }
        let mut alike = run.clone();
        alike.plain |= inverted;
        let (_, begin) = self.step(&alike, state, head)?;
        Some((head, begin))
    }

    /// From a state to `word` of the source: what it costs, and where the part of the sentence with `word` begins.
    fn step(&self, run: &Run, state: State, word: usize) -> Option<(u32, usize)> {
        let at = state.main;
        let next = at.map_or(0, |at| at + 1);
        let blocks = self.blocks(word);
        let tried = blocks.iter().filter_map(|&from| {
            let cost = u32::from(from != word);
            let own = &self.source.contents[from].run;
            // "92 percent" is not that of "92 percent and 61 percent".
            let is_number = |at: usize| self.source.contents[at].number.is_some();
            if at.is_some_and(is_number) && (from..word).any(is_number) {
                return None;
            }
            if at.is_none() && state.named {
                let follows = self.follows_name(from) && (own.that || !run.that);
                return (follows && self.agrees(run, own)).then_some((cost, from));
            }
            if from >= next && at.is_some_and(|at| !self.joins(run, at, from)) {
                return None;
            }
            if from == next {
                return self.goes_on(run, at, own).then_some((cost, from));
            }
            if from > next {
                return self.lands(run, at, from).then_some((cost + 1, from));
            }
            // An earlier sentence of the source, from its beginning.
            let earlier = |at: usize| self.source.contents[at].sentence > self.source.contents[from].sentence;
            let begins = own.sentence && at.is_some_and(|at| earlier(at) && self.joins(run, at, from));
            (begins && self.agrees(run, own)).then_some((cost + 3, from))
        });
        tried.min_by_key(|(cost, _)| *cost)
    }

    /// Whether the clause at `from` is about what the context names: its sentence begins with a pronoun.
    fn follows_name(&self, from: usize) -> bool {
        let contents = &self.source.contents;
        let first = (0..=from).rev().find(|&at| contents[at].run.sentence).unwrap_or(0);
        let (begins, own) = (&contents[first].run, &contents[from].run);
        let about = begins.plain && begins.starters.is_empty() && (from == first || own.and);
        about || (own.plain && (self.source.opens_segment(from) || self.leaving().is_phrase(first, from)))
    }

    /// Whether the line may go on with the word at `from`: in another sentence only as one that is joined to it.
    fn joins(&self, run: &Run, at: usize, from: usize) -> bool {
        let other = self.source.contents[at].sentence != self.source.contents[from].sentence;
        let own = &self.source.contents[from].run;
        !other || ((run.and || run.sentence || run.relative) && (own.sentence || (own.mark && own.plain)))
    }

    /// Whether the line goes on as the source does.
    fn goes_on(&self, run: &Run, at: Option<usize>, own: &Run) -> bool {
        let or_alike = run.or == own.or;
        let joined = !run.and || own.and || own.mark || own.relative || at.is_none();
        // "By a lottery and by a toll".
        let mut once = own.clone();
        if own.and
            && run.and
            && run.starters.is_empty()
            && at.is_some_and(|at| self.begins_with(at, &own.starters))
        {
            once.starters.clear();
        }
        or_alike && joined && self.agrees(run, &once)
    }

    /// Whether the part of the sentence with the word at `at` begins with these prepositions.
    fn begins_with(&self, at: usize, starters: &[&str]) -> bool {
        self.blocks(at).iter().any(|from| self.source.contents[*from].run.starters == starters)
    }

    /// Whether everything between `at` and `from` can be left out.
    fn lands(&self, run: &Run, at: Option<usize>, from: usize) -> bool {
        let source = self.source;
        let leaving = self.leaving();
        let next = at.map_or(0, |at| at + 1);
        if source.contents[from].is_joined {
            return false;
        }
        let mut own = source.contents[from].run.clone();
        // The line may begin with what was so although or because of something else.
        let factual = |starters: &[&str]| {
            matches!(starters, ["because" | "since" | "so" | "although" | "while" | "weil" | "obwohl"])
        };
        if at.is_none() && factual(&own.starters) && run.starters.is_empty() {
            own.starters.clear();
        }
        // An auxiliary before what is left out stands before what follows.
        if leaving.is_phrase(next, from) {
            let before = source.run(next);
            own.past |= before.past;
            own.present |= before.present;
        }
        if !self.agrees(run, &own) || (run.or && !own.or) {
            return false;
        }
        // "4.1 You may not": the number of a section.
        let before = &source.contents[from - 1];
        let is_section = before.run.sentence && before.text.contains('.') && before.number.is_some();
        if at.is_none() && is_section && !own.is_empty() {
            return true;
        }
        if at.is_none() && self.line.leaves_subject {
            let sentence = source.contents[from].sentence;
            let first = source.contents.iter().position(|word| word.sentence == sentence).unwrap_or(from);
            let subject = &source.contents[first..from];
            let is_part = |word: &Content| word.segment == source.contents[from].segment;
            let is_subject = subject.iter().all(|word| is_part(word) && !word.run.has_auxiliary());
            return is_subject && (1..=SUBJECT_WORDS_MAX).contains(&subject.len());
        }
        if leaving.are_adverbs(next, from) {
            return true;
        }
        let segment = at.map_or(source.contents[0].segment, |at| source.contents[at].segment);
        let leaves = at.is_none_or(|at| leaving.may_leave(at));
        if source.opens_segment(from) && source.contents[from].segment != segment {
            // Only what stands right before a relative pronoun goes on with it.
            let says =
                |at: usize| self.lexicon.is_some_and(|lexicon| lexicon.is_report(&source.contents[at].text));
            // "On joining that they pay" may go, but not "of the key that signs".
            let that = !own.that || (run.that && (own.plain || at.is_none_or(says)));
            let stays = !own.relative && that && (!own.or || run.or);
            // Another name for what was named before another mark.
            let capital = source.contents[from].is_capital;
            let renames = at.is_some() && own.only_marks() && (own.plain || capital) && !run.and;
            // The subject goes on with the second of two verbs.
            let predicate = own.and && !run.and && (!(capital || own.article) || own.has_auxiliary());
            let whole = at.is_none_or(|at| leaving.leaves_whole(at)) || predicate;
            return stays && !renames && whole && (leaves || at.is_some_and(|at| leaving.is_subject(at)));
        }
        if leaving.is_relative_clause(next, from) {
            return true;
        }
        if source.contents[from].segment != segment {
            return false;
        }
        let opens = source.run(next).opens() || at.is_none() || leaving.is_genitive(next);
        (leaves && opens && !own.starters.is_empty())
            || !leaving.is_cut(next, from)
                && (leaving.is_phrase(next, from) || leaving.is_participle(next, from))
    }

    fn may_end(&self, state: State) -> bool {
        let Some(last) = state.main.filter(|_| state.owed.is_none()) else { return false };
        let leaving = self.leaving();
        leaving.may_end(last) && state.phrase.is_none_or(|(_, at)| leaving.ends_phrase(at))
    }

    /// Whether two runs give the word behind them the same part in the sentence.
    fn agrees(&self, line: &Run, source: &Run) -> bool {
        let relative = !line.relative || source.relative || source.mark;
        // "The board closed" is not "the board was closed"; a participle behind a mark may become a clause.
        let finite = |run: &Run| run.past || run.present;
        let free = |run: &Run| run.opens() || run.has_auxiliary();
        let voice = finite(line) == finite(source)
            || self.is_verb_second()
            || if finite(line) { free(source) } else { free(line) || source.relative || source.that };
        // "They can read" is not "they can be read".
        let both = line.has_auxiliary() && source.has_auxiliary();
        let be = !both || line.be == source.be || self.is_verb_second();
        let adverbs = line.adverbs == source.adverbs || line.adverbs.is_empty() || source.adverbs.is_empty();
        line.starters == source.starters && relative && voice && be && adverbs && line.joins_alike(source)
    }
}
