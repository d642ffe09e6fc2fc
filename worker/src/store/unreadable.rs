//! Records that cannot be read.

/// Why it is not known what a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// A newer version of the runtime wrote it.
    Newer,
    /// It is damaged.
    Damaged,
    /// There is none.
    Absent,
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Unreadable::Newer => "a newer version of Pith stored it",
            Unreadable::Damaged => "its record is damaged",
            Unreadable::Absent => "it has no record",
        })
    }
}
