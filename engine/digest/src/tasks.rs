//! What a model is asked to write of a page.

/// What is written of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SummaryTask {
    /// So many sentences, one for each main point.
    KeyPoints(usize),
    /// One or two sentences.
    Tldr,
    /// What the page offers a reader.
    Teaser,
    /// One line.
    Headline,
    /// So many sentences in simple words.
    Simple(usize),
}

impl SummaryTask {
    /// Lines that are wanted.
    #[must_use]
    pub fn lines_max(self) -> usize {
        match self {
            Self::KeyPoints(lines) | Self::Simple(lines) => lines,
            Self::Tldr => 2,
            Self::Teaser => 3,
            Self::Headline => 1,
        }
    }

    /// The task, of what is to be summarized.
    pub(super) fn words(self, what: &str) -> String {
        match self {
            Self::KeyPoints(lines) => {
                format!("Write the {lines} main points of {what}, one sentence per line.")
            }
            Self::Tldr => format!("Say in one or two sentences what {what} says."),
            Self::Teaser => format!("Say in two or three sentences what a reader will find in {what}."),
            Self::Headline => {
                format!("Write one headline for {what}, a short sentence that ends with a full stop.")
            }
            Self::Simple(lines) => {
                format!("Explain {what} to a child in {lines} short, simple sentences, one per line.")
            }
        }
    }
}
