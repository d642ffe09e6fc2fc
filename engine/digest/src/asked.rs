//! The words of a question: terms that are looked for, the kind of answer, and names.

use super::Digest;
use super::confidence::languages;
use super::page::DigestError;
use super::slices::Slices;
use super::stems::{same_stem, stem_keys};
use super::wanted::{Wanted, is_counted, wanted};
use super::words::{head, lower};
use std::collections::{HashMap, HashSet};
use unicode_segmentation::UnicodeSegmentation;

/// A word of the same stem counts as this much of the word itself.
const VARIANT_SHARE: f32 = 0.7;
/// A word that only says which kind of answer is wanted ("cost") counts as this much of such an answer ("€5").
const KIND_WORD_SHARE: f32 = 0.5;
/// Characters of words that ask, in scripts without spaces: pairs with them are no words.
const ASKING: &[char] =
    &['何', '誰', '谁', '几', '幾', '哪', '什', '么', '麼', '吗', '嗎', '呢', '몇', '언', '얼'];

/// How sure the language of a question must be, and characters that are read of it.
const LANGUAGE_MIN: f64 = 0.7;
const QUESTION_CHARS: usize = 300;
/// Words that only make a sentence of a question.
const GENERIC: &str = "happen happens happened mean means meant called name named need needs needed use uses get gets passiert bedeutet heißt heissen brauche braucht nennt passe signifie appelle \
    faut pasa significa ocurre llama necesito succede chiama serve acontece chama preciso gebeurt betekent heet nodig dzieje znaczy oznacza nazywa potrzeba значит происходит называется нужно \
    означає називається يحدث يعني يسمى होता मतलब";

/// A term of the question that a term of the page means, and how much it counts.
pub(super) type Meant = (usize, f32);

/// What a question is judged by.
pub(super) struct Asked {
    /// Words that are looked for, each with the term that it counts for.
    words: Vec<(String, Meant)>,
    /// Terms: one for each word of substance, and the last for the kind of answer, where one is wanted.
    pub(super) terms: usize,
    /// Whether no word is of substance.
    pub(super) wordless: bool,
    pub(super) wanted: Option<Wanted>,
    /// "How many games": the word that is counted.
    counted: Option<String>,
    /// Whether a term is in the page's title: it tells nothing of which sentence is meant.
    pub(super) in_title: Vec<bool>,
}

/// "games" in "How many games did they test?".
fn counted_word(question: &str) -> Option<String> {
    const MANY: &str = "many viele vielen cuántos cuántas quanti quante quantos quantas hoeveel många mange kaç сколько скільки";
    let folded = lower(question);
    let mut words = folded.unicode_words();
    words.find(|word| MANY.split(' ').any(|many| many == *word))?;
    words.next().map(str::to_owned)
}

fn is_generic(term: &str) -> bool {
    GENERIC.split_ascii_whitespace().any(|word| word == term)
}

impl Asked {
    /// The term of the kind of answer.
    pub(super) fn kind_term(&self) -> Option<usize> {
        self.wanted.map(|_| self.terms - 1)
    }
}

impl Digest {
    /// The terms that a question must be judged by. Pairs of hiragana that the page does not know are endings of other words.
    pub(super) fn asked(&self, question: &str) -> Asked {
        let mut substance = self.terms.distinct(question);
        let is_ending = |term: &str| term.chars().all(|c| ('\u{3040}'..='\u{309F}').contains(&c));
        substance.retain(|term| !is_ending(term) || self.terms.get(term).is_some());
        let wordless = substance.is_empty();
        substance.retain(|term| !term.contains(ASKING));
        let (wanted, cues) = wanted(question).map_or((None, Vec::new()), |(kind, cues)| (Some(kind), cues));
        let cues = self.terms.distinct(&cues.join(" "));
        substance.retain(|term| !cues.contains(term));
        if substance.iter().any(|term| !is_generic(term)) {
            substance.retain(|term| !is_generic(term));
        }
        let kind = substance.len();
        let mut words: Vec<(String, Meant)> =
            substance.into_iter().enumerate().map(|(term, word)| (word, (term, 1.0))).collect();
        words.extend(cues.into_iter().map(|word| (word, (kind, KIND_WORD_SHARE))));
        let title = self.terms.distinct(&self.title);
        let mut in_title = vec![false; kind + usize::from(wanted.is_some())];
        for (word, (term, share)) in &words {
            in_title[*term] |=
                *share == 1.0 && title.iter().any(|known| known == word || same_stem(known, word));
        }
        let counted = (wanted == Some(Wanted::Number)).then(|| counted_word(question)).flatten();
        Asked { counted, in_title, words, terms: kind + usize::from(wanted.is_some()), wordless, wanted }
    }

    /// Terms of the page that mean some of the question's.
    pub(super) async fn expand<T: AsyncFn() -> bool>(
        &self,
        asked: &Asked,
        slices: &mut Slices<'_, T>,
    ) -> Result<HashMap<u32, Vec<Meant>>, DigestError> {
        let mut matching: HashMap<u32, Vec<Meant>> = HashMap::new();
        // Words of one stem have a key in common, so that a page's words are compared with few of the question's.
        let mut by_key: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, (word, meant)) in asked.words.iter().enumerate() {
            if let Some(id) = self.terms.get(word) {
                matching.entry(id).or_default().push(*meant);
            }
            stem_keys(word, &mut |key| by_key.entry(key).or_default().push(index));
        }
        for (known, id) in self.terms.vocabulary() {
            let mut related: Vec<usize> = Vec::new();
            stem_keys(known, &mut |key| related.extend(by_key.get(key).into_iter().flatten()));
            slices.charge(1 + related.len()).await?;
            related.sort_unstable();
            related.dedup();
            related.retain(|&index| {
                let word = &asked.words[index].0;
                known != word && same_stem(known, word)
            });
            if !related.is_empty() {
                let related = related.into_iter().map(|index| {
                    let (term, share) = asked.words[index].1;
                    (term, VARIANT_SHARE * share)
                });
                matching.entry(id).or_default().extend(related);
            }
        }
        Ok(matching)
    }

    /// The language of a question, where that is known and not the page's.
    #[must_use]
    pub fn other_language(&self, question: &str) -> Option<String> {
        let (language, confidence) = languages(head(question, QUESTION_CHARS)).into_iter().next()?;
        let is_other = language != "und" && self.language != "und" && language != self.language;
        (is_other && confidence >= LANGUAGE_MIN).then(|| language.to_owned())
    }

    /// Whether a sentence has an answer of the kind that is asked for; `None` where that cannot be told.
    pub(super) fn has_kind(&self, asked: &Asked, text: &str) -> Option<bool> {
        let stands_in = asked.wanted?.stands_in(text);
        let Some(word) = &asked.counted else { return Some(stands_in) };
        let is_word =
            |other: &str| other == word || same_stem(other, word) || other.strip_suffix('s') == Some(word);
        match is_counted(text, is_word) {
            Some(is) => Some(is),
            None => (!stands_in).then_some(false),
        }
    }

    /// Whether a question has a name that the page does not have: a word with a capital that does not begin the question. In German every
    /// noun has one.
    pub(super) fn has_foreign_name(
        &self,
        question: &str,
        asked: &Asked,
        matching: &HashMap<u32, Vec<Meant>>,
    ) -> bool {
        if self.language == "de" {
            return false;
        }
        let known: HashSet<usize> = matching.values().flatten().map(|(term, _)| *term).collect();
        let missing: Vec<&str> = asked
            .words
            .iter()
            .filter(|(_, (term, share))| *share == 1.0 && !asked.in_title[*term] && !known.contains(term))
            .map(|(word, _)| word.as_str())
            .collect();
        let capital = |word: &&str| word.starts_with(char::is_uppercase) && word.chars().count() > 1;
        question
            .unicode_words()
            .skip(1)
            .filter(capital)
            .any(|word| self.terms.distinct(word).iter().any(|term| missing.contains(&term.as_str())))
    }
}
