//! Why a line may not stand.

/// Why a line may not stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Flaw {
    /// Fewer than four words, or no full stop at its end.
    Unfinished,
    /// It speaks of the text, the page or the task.
    AboutTheText,
    /// Five words come twice in it.
    Loop,
    /// It makes more sentences of one, though it is to keep the words.
    Split,
    /// It is longer than its source.
    Longer,
    /// A translation with less than 0.4 times its source's words.
    Shorter,
    /// Numbers or names that the source does not have.
    NotInSource(Vec<String>),
    /// It says no where the source says yes, or the other way round.
    Negation,
    /// It leaves out, or adds, a reservation ("may", "almost", "if").
    Reservation,
    /// It has one end of a range ("1761 to 1766") without the other.
    HalfARange,
    /// It asks what the source says, or says what the source asks.
    Question,
    /// It tells what is planned as done, or what was as what is.
    Tense,
    /// It cannot be read as parts of its source: a part of a clause is missing, or its words do something else there.
    PartOfAClause,
    /// It has words that its source does not have.
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
            Self::Question => "question",
            Self::Tense => "tense",
            Self::PartOfAClause => "part_of_a_clause",
            Self::TooFar => "too_far",
        }
    }
}
