//! Whether a line claims what its source claims: with its negations and reservations, of its time, by the same persons.

use super::flaw::Flaw;
use super::lexicon::{Hedge, Lexicon, nouns};
use super::path::{Candidates, Path, Place, Ways};
use super::reading::{Content, Reading, Run};
use super::voice::active;

/// Words behind a hedge that it may belong to.
const REACH: usize = 3;

/// A line, its source, and the language of both.
pub(super) struct Claims<'a> {
    line: &'a Reading,
    source: &'a Reading,
    lexicon: Option<&'static Lexicon>,
}

impl<'a> Claims<'a> {
    pub fn new(line: &'a Reading, source: &'a Reading, lexicon: Option<&'static Lexicon>) -> Self {
        Self { line, source, lexicon }
    }

    /// Reads the line as parts of its source, also as the active sentence of a passive one. `is_known` says whether a word may name
    /// what the line is about, at its beginning.
    ///
    /// # Errors
    /// What the line says otherwise.
    pub fn compare(&self, is_known: impl Fn(&str) -> bool) -> Result<(), Flaw> {
        self.read(&is_known).or_else(|flaw| {
            let line = active(self.line).ok_or(flaw.clone())?;
            let claims = Claims { line: &line, ..*self };
            claims.read(&is_known).map_err(|other| if flaw == Flaw::PartOfAClause { other } else { flaw })
        })
    }

    fn read(&self, is_known: impl Fn(&str) -> bool) -> Result<(), Flaw> {
        let mut words: Vec<Candidates> = Vec::with_capacity(self.line.contents.len());
        for (k, word) in self.line.contents.iter().enumerate() {
            let places = self.places(k);
            let named = is_known(&word.text);
            if places.is_empty() && !named {
                return Err(Flaw::TooFar);
            }
            words.push(Candidates { places, named });
        }
        let ways = Ways { line: self.line, source: self.source, lexicon: self.lexicon };
        let path = ways.find(&words).ok_or(Flaw::PartOfAClause)?;
        self.check(&path).map_or(Ok(()), Err)
    }

    /// Where the source has a word of the line.
    fn places(&self, k: usize) -> Vec<usize> {
        let word = &self.line.contents[k];
        let is_same = |other: &&Content| {
            other.text == word.text
                || (word.number.is_some() && other.number == word.number)
                || (word.number.is_none()
                    && other.number.is_none()
                    && self.lexicon.is_some_and(|lexicon| lexicon.are_forms(&other.text, &word.text)))
        };
        let all = self.source.contents.iter().enumerate().filter(|(_, other)| is_same(other));
        all.map(|(at, _)| at).collect()
    }

    fn check(&self, path: &Path) -> Option<Flaw> {
        let kept = self.kept(path);
        self.asks(path)
            .or_else(|| self.hedges(path, &kept))
            .or_else(|| path.iter().enumerate().find_map(|(k, place)| self.time(k, (*place)?)))
            .or_else(|| self.auxiliaries(path))
            .or_else(|| self.end(path))
            .or_else(|| self.denies_more(&kept).then_some(Flaw::Reservation))
            .or_else(|| self.conditions(&kept).then_some(Flaw::Reservation))
            .or_else(|| self.reports(&kept).then_some(Flaw::Reservation))
    }

    /// Whether the line has each word of the source.
    fn kept(&self, path: &Path) -> Vec<bool> {
        let mut kept = vec![false; self.source.contents.len()];
        path.iter().flatten().for_each(|place| kept[place.word] = true);
        kept
    }

    fn asks(&self, path: &Path) -> Option<Flaw> {
        let asked = |place: &Place| self.source.questions[self.source.contents[place.word].sentence];
        let line_asks = self.line.questions.iter().any(|asks| *asks);
        path.iter().flatten().any(|place| asked(place) != line_asks).then_some(Flaw::Question)
    }

    /// Negations and reservations that came, or that went while what they belong to stayed.
    fn hedges(&self, path: &Path, kept: &[bool]) -> Option<Flaw> {
        let all = |_: usize| true;
        let mut of_line = owned(self.line, all);
        let of_source = owned(self.source, |at| kept[at]);
        for (k, place) in path.iter().enumerate() {
            let Some(place) = place else { continue };
            let mut line = std::mem::take(&mut of_line[k]);
            let mut source = of_source[place.word].clone();
            line.sort_unstable();
            source.sort_unstable();
            let differs = |hedge: &Hedge| {
                let count = |all: &[Hedge]| all.iter().filter(|other| *other == hedge).count();
                let (line, source) = (count(&line), count(&source));
                if *hedge == Hedge::All { line > source } else { line != source }
            };
            let mut both = line.iter().chain(&source);
            if both.clone().any(|hedge| *hedge == Hedge::Not && differs(hedge)) {
                return Some(Flaw::Negation);
            }
            if both.any(differs) {
                return Some(Flaw::Reservation);
            }
        }
        // Those of words that the context gives.
        match of_line.iter().flatten().next() {
            Some(Hedge::Not) => Some(Flaw::Negation),
            Some(_) => Some(Flaw::Reservation),
            None => None,
        }
    }

    /// Whether the line puts a verb into another time.
    fn time(&self, k: usize, place: Place) -> Option<Flaw> {
        let (line, source) = (&self.line.contents[k], &self.source.contents[place.word]);
        let (run, own) = (&line.run, &self.source.contents[place.from].run);
        let moved = is_moved(run, own);
        let ends = (line.ends_past && source.ends_present) || (line.ends_present && source.ends_past);
        // "The board rejects" of "the board rejected".
        let finite = |run: &Run| run.has_auxiliary() || run.starters.last() == Some(&"to");
        let ending = self.lexicon.map_or("", |lexicon| lexicon.past_ending);
        let past = |text: &str| text.ends_with(ending);
        let inflected = !ending.is_empty() && line.text != source.text;
        let told = inflected && past(&line.text) && !past(&source.text) && !finite(run);
        let timeless = inflected
            && past(&source.text)
            && !past(&line.text)
            && !line.text.ends_with("ing")
            && !finite(own);
        (moved || ends || told || timeless).then_some(Flaw::Tense)
    }

    /// Whether the function words behind the last word say something else.
    fn end(&self, path: &Path) -> Option<Flaw> {
        let (line, last) = (&self.line.tail, path.last()?.as_ref()?);
        let own = self.source.run(last.word + 1);
        if is_moved(line, own) {
            return Some(Flaw::Tense);
        }
        let has = |starter: &&str| own.starters.contains(starter) || own.adverbs.contains(starter);
        let new = !line.starters.iter().all(has);
        // "How many people you want on": the preposition stays.
        let at_end = self.source.contents.get(last.word + 1).is_none();
        let cut = at_end && !own.starters.iter().all(|one| line.starters.contains(one));
        (new || cut || !line.joins_alike(own)).then_some(Flaw::PartOfAClause)
    }

    /// Whether the line has an auxiliary of another time than its sentences, where these stand far from their verbs.
    fn auxiliaries(&self, path: &Path) -> Option<Flaw> {
        self.lexicon.filter(|lexicon| lexicon.verb_second)?;
        let contents = &self.source.contents;
        let used = |word: &&Content| {
            path.iter().flatten().any(|place| contents[place.word].sentence == word.sentence)
        };
        let of_source: Vec<&Content> = contents.iter().filter(used).collect();
        let has = |past: bool| {
            let of_run = |run: &Run| if past { run.past } else { run.present };
            let ends = |word: &Content| if past { word.ends_past } else { word.ends_present };
            let of_line = self.line.contents.iter().any(|word| of_run(&word.run)) || of_run(&self.line.tail);
            let known = of_source.iter().any(|word| of_run(&word.run) || ends(word));
            !of_line || known || of_run(&self.source.tail)
        };
        (!has(true) || !has(false)).then_some(Flaw::Tense)
    }

    /// Whether less is denied of what a negation stands before: "does not stop" for "does not stop on Sundays".
    fn denies_more(&self, kept: &[bool]) -> bool {
        let contents = &self.source.contents;
        let ends = |run: &Run| run.mark || run.relative || run.condition || (run.and && run.has_auxiliary());
        let denies =
            |at: usize| contents[at].run.hedges.contains(&Hedge::Not) || nouns::is_denial(&contents[at].text);
        (0..contents.len()).filter(|at| kept[*at] && denies(*at)).any(|at| {
            let behind = (at + 1..contents.len()).take_while(|word| !ends(&contents[*word].run));
            behind.skip_while(|word| contents[*word].run.is_empty()).any(|word| !kept[word])
        })
    }

    /// Whether a condition is gone of which the rest stands, or one of two alternatives.
    fn conditions(&self, kept: &[bool]) -> bool {
        let contents = &self.source.contents;
        let segment_kept =
            |segment: usize| contents.iter().zip(kept).any(|(word, kept)| *kept && word.segment == segment);
        contents.iter().enumerate().any(|(at, word)| {
            let or = word.run.or && at > 0 && !word.run.mark && kept[at] != self.list_kept(at, kept);
            let but = word.run.but && at > 0 && kept[at - 1] && !kept[at];
            or || but || (word.run.condition && !segment_kept(word.segment) && self.main_kept(at, kept))
        })
    }

    /// Whether the line has one of the alternatives before the last one.
    fn list_kept(&self, at: usize, kept: &[bool]) -> bool {
        let goes_on = |word: usize| {
            let run = &self.source.contents[word].run;
            !kept[word] && run.only_marks()
        };
        (0..at).rev().find(|word| !goes_on(*word)).is_some_and(|word| kept[word])
    }

    /// Whether the line has something of what a condition belongs to.
    fn main_kept(&self, at: usize, kept: &[bool]) -> bool {
        let contents = &self.source.contents;
        let (own, sentence) = (contents[at].segment, contents[at].sentence);
        let opens = at == 0 || contents[at - 1].sentence != sentence || contents[at].run.and;
        let in_sentence = |other: &usize| contents[*other].sentence == sentence;
        let ends = |other: &usize| contents[*other].run.and && contents[*other].run.mark;
        if opens {
            let behind = (at..contents.len()).filter(|other| contents[*other].segment != own);
            let first = behind.clone().next();
            return behind
                .take_while(in_sentence)
                .take_while(|other| Some(*other) == first || !ends(other))
                .any(|other| kept[other]);
        }
        let mut before = (0..at).rev().take_while(in_sentence);
        let mut found = false;
        before.by_ref().any(|other| {
            found |= kept[other];
            (contents[other].run.and && contents[other].run.mark) || contents[other].run.relative
        });
        found
    }

    /// Whether it is gone that somebody only says it.
    fn reports(&self, kept: &[bool]) -> bool {
        let contents = &self.source.contents;
        contents.iter().enumerate().any(|(at, word)| {
            let reports = self.lexicon.is_some_and(|lexicon| lexicon.is_report(&word.text));
            if !(reports || word.run.source) || kept[at] {
                return false;
            }
            let in_segment = |other: &&Content| other.segment == word.segment;
            let Some(first) = contents.iter().find(in_segment) else { return false };
            let aside =
                (first.run.relative || first.run.that || first.run.and || !first.run.starters.is_empty())
                    && !first.run.source;
            let stands = |(other, kept): (&Content, &bool)| *kept && other.sentence == word.sentence;
            !aside && contents.iter().zip(kept).any(stands)
        })
    }
}

/// Whether a line puts what is into the past, or what was into the present.
fn is_moved(line: &Run, source: &Run) -> bool {
    (line.past && !source.past && source.present) || (line.present && !source.present && source.past)
}

/// The hedges of each word: those before it, and those before words that are not kept.
fn owned(reading: &Reading, kept: impl Fn(usize) -> bool) -> Vec<Vec<Hedge>> {
    let contents = &reading.contents;
    let mut owned = vec![Vec::new(); contents.len()];
    for (at, word) in contents.iter().enumerate() {
        let target = (at..contents.len())
            .take(REACH)
            .take_while(|other| contents[*other].segment == word.segment)
            .take_while(|other| *other == at || !contents[*other].run.has_auxiliary())
            .find(|other| kept(*other));
        if let Some(target) = target {
            owned[target].extend(&word.run.hedges);
        }
    }
    if let Some(last) = contents.len().checked_sub(1).filter(|last| kept(*last)) {
        owned[last].extend(&reading.tail.hedges);
    }
    owned
}
