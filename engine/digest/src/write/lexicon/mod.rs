//! What function words do in a sentence, by language.

mod entry;
mod germanic;
pub(super) mod nouns;
mod romance;

use std::collections::HashMap;
use std::ops::Deref;
use std::sync::LazyLock;

use self::entry::Data;
pub(super) use self::entry::Hedge;
use crate::language::function_words;

/// What a word does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Article, pronoun, particle: may come and go.
    Plain,
    /// A form of "be" or "have" in the present or the past.
    Auxiliary(Time),
    /// A preposition or conjunction: what stands behind it has its part in the sentence by it.
    Starter,
    /// A conjunction that the claim depends on.
    Condition,
    And,
    Or,
    /// It stands for the word right before it.
    Relative,
    /// "that": of a relative clause or of what somebody says.
    That,
    Hedge(Hedge),
    /// The source of a claim ("according to").
    Source,
}

/// The time of an auxiliary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Time {
    Past,
    Present,
    Any,
}

/// The function words of a language.
pub(super) struct Lexicon {
    roles: HashMap<&'static str, (Role, &'static str)>,
    data: &'static Data,
}

impl Deref for Lexicon {
    type Target = Data;

    fn deref(&self) -> &Data {
        self.data
    }
}

impl Lexicon {
    /// That of a language, given as a primary subtag.
    pub fn of(language: &str) -> Option<&'static Lexicon> {
        LEXICONS.get(language)
    }

    /// What a word does, and the word that stands for all that mean the same. `None` for a word with a meaning of its own.
    pub fn role(&self, word: &str) -> Option<(Role, &'static str)> {
        self.roles.get(word).copied()
    }

    pub fn is_report(&self, word: &str) -> bool {
        has(self.reports, word)
    }

    pub fn is_control(&self, word: &str) -> bool {
        has(self.controls, word)
    }

    pub fn is_adverb(&self, word: &str) -> bool {
        let ends =
            !self.adverb.is_empty() && word.len() > self.adverb.len() + 2 && word.ends_with(self.adverb);
        (ends && !has(NO_ADVERBS, word)) || has(self.adverbs, word)
    }

    pub fn is_pronoun(&self, word: &str) -> bool {
        has(self.pronouns, word)
    }

    pub fn is_genitive(&self, word: &str) -> bool {
        has(self.genitives, word)
    }

    pub fn is_indefinite(&self, word: &str) -> bool {
        has(self.indefinites, word)
    }

    /// Whether two words are forms of one.
    pub fn are_forms(&self, a: &str, b: &str) -> bool {
        let common = a.char_indices().zip(b.chars()).take_while(|((_, x), y)| x == y);
        let bytes = common.last().map_or(0, |((at, c), _)| at + c.len_utf8());
        let chars = a[..bytes].chars().count();
        let ends = |end: &str| end.is_empty() || has(self.endings, end);
        (chars >= 3 && ends(&a[bytes..]) && ends(&b[bytes..])) || is_spelled_alike(a, b)
    }
}

/// Words with an adverb's ending that are none.
const NO_ADVERBS: &str = "family supply reply rely apply comply imply multiply ally rally tally assembly anomaly monopoly butterfly july italy \
    daily weekly monthly yearly hourly friendly elderly lonely lovely likely unlikely costly deadly belly jelly lily bully \
    firmament moment element segment cement document parliament département appartement gouvernement médicament traitement \
    document bâtiment paiement règlement logement monument instrument argument supplément équipement changement";

/// Conjunctions that a clause begins with.
const CLAUSES: &str = "because so although while when whenever once why how weil obwohl während nachdem bevor damit sodass sobald \
    warum parce car lors lorsque afin porque aunque cuando mientras perché mentre quando embora enquanto omdat hoewel \
    nadat voordat terwijl toen";

/// Conjunctions that are prepositions before a date or a number.
const CLAUSES_OR_DATES: &str = "after before since until as than nach vor seit bis als avant après depuis hasta desde antes después dopo prima \
    desde até depois na voor sinds tot dan";

/// Whether a starter begins a clause; `dated` where it stands before a number.
pub(super) fn begins_a_clause(starter: &str, dated: bool) -> bool {
    has(CLAUSES, starter) || (!dated && has(CLAUSES_OR_DATES, starter))
}

/// British and American spellings of a word.
fn is_spelled_alike(a: &str, b: &str) -> bool {
    let same = a.len().abs_diff(b.len()) <= 1 && a.chars().take(2).eq(b.chars().take(2));
    let fold = |word: &str| {
        word.replace("our", "or").replace("is", "iz").replace("tre", "ter").replace("bre", "ber")
    };
    same && a != b && fold(a) == fold(b)
}

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|entry| entry == word)
}

static LEXICONS: LazyLock<HashMap<&'static str, Lexicon>> = LazyLock::new(|| {
    germanic::DATA.iter().chain(&romance::DATA).map(|data| (data.language, lexicon(data))).collect()
});

fn lexicon(data: &'static Data) -> Lexicon {
    let plain = function_words(data.language).chain(data.pronouns.split_ascii_whitespace());
    let mut roles: HashMap<&'static str, (Role, &'static str)> =
        plain.map(|word| (word, (Role::Plain, word))).collect();
    let means = |word: &&str| has(data.contents, word) || has(data.reports, word) || has(data.controls, word);
    roles.retain(|word, _| !means(word));
    let mut add = |words: &'static str, role: Role| {
        for group in words.split_ascii_whitespace() {
            let first = group.split('=').next().unwrap_or(group);
            roles.extend(group.split('=').map(|word| (word, (role, first))));
        }
    };
    add(data.ands, Role::And);
    add(data.ors, Role::Or);
    add(data.relatives, Role::Relative);
    add(data.thats, Role::That);
    add(data.past, Role::Auxiliary(Time::Past));
    add(data.present, Role::Auxiliary(Time::Present));
    add(data.any_time, Role::Auxiliary(Time::Any));
    add(data.starters, Role::Starter);
    add(data.conditions, Role::Condition);
    add(data.sources, Role::Source);
    for (hedge, words) in data.hedges {
        add(words, Role::Hedge(*hedge));
    }
    Lexicon { roles, data }
}
