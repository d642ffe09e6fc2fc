//! What the list of a language holds.

/// What a word qualifies a claim by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) enum Hedge {
    Not,
    May,
    Can,
    Would,
    Should,
    Must,
    Will,
    Likely,
    Reported,
    Often,
    Sometimes,
    Rarely,
    Approximately,
    Almost,
    AtLeast,
    AtMost,
    Some,
    Most,
    Few,
    Half,
    Only,
    /// "Too cold" is no degree of cold.
    Too,
    /// Dropping it claims less.
    All,
}

/// The function words of a language. Words that are written with `_` are two words of a text, `_number` is any number, and `ne+` stands
/// for a word before it. Words that mean the same are joined by `=`; the first one stands for all.
pub(in super::super) struct Data {
    pub language: &'static str,
    pub past: &'static str,
    pub present: &'static str,
    pub any_time: &'static str,
    pub starters: &'static str,
    pub conditions: &'static str,
    pub sources: &'static str,
    pub ands: &'static str,
    pub ors: &'static str,
    pub relatives: &'static str,
    pub thats: &'static str,
    pub hedges: &'static [(Hedge, &'static str)],
    /// Function words for a search that mean something here.
    pub contents: &'static str,
    /// Verbs that say who claims something.
    pub reports: &'static str,
    /// Verbs and adjectives whose infinitive cannot be left out.
    pub controls: &'static str,
    /// Endings by which forms of a word differ.
    pub endings: &'static str,
    /// The ending of adverbs.
    pub adverb: &'static str,
    /// Whether a short word with an apostrophe is a word of its own ("l'eau").
    pub elides: bool,
    /// The ending of verbs in the past; empty where there is none.
    pub past_ending: &'static str,
    /// Words of time that need no preposition, and adverbs of other endings.
    pub adverbs: &'static str,
    /// Pronouns that may stand behind a preposition.
    pub pronouns: &'static str,
    /// Articles of a noun that belongs to the one before it.
    pub genitives: &'static str,
    /// Articles of any one of a kind.
    pub indefinites: &'static str,
    /// Words before a hedge that make it one ("ne ... plus").
    pub first_of_two: &'static str,
    /// Whether a noun without an article stands for all or some of its kind.
    pub drops_articles: bool,
    /// Whether the verb stands second, so that it and its subject change places.
    pub verb_second: bool,
}
