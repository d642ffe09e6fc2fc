//! Why a format cannot be used.

/// What is wrong with a format. The text says where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// It is not valid, cannot be met by any text, or uses something that is not supported.
    #[error("bad_format: {0}")]
    Invalid(String),
    /// It is over a limit of size.
    #[error("format_too_complex: {0}")]
    TooComplex(String),
}

/// Longest text of a fault, in characters.
const CHARS_MAX: usize = 500;

/// Words in the messages of `llguidance` about its limits.
const LIMITS: [&str; 7] =
    ["too big", "too large", "too many", "too complex", "TooComplex", "max is", "limit"];

impl Fault {
    /// With the name of the tool whose parameters have it.
    pub(crate) fn of_tool(self, name: &str) -> Self {
        match self {
            Self::Invalid(why) => Self::Invalid(format!("the parameters of {name}: {why}")),
            Self::TooComplex(why) => Self::TooComplex(format!("the parameters of {name}: {why}")),
        }
    }

    /// From a message of `llguidance`.
    pub(crate) fn from_message(message: &str) -> Self {
        let first = message.lines().next().unwrap_or_default();
        // A wrong pattern is shown with what is wrong below it.
        let cause = message.lines().find(|line| first.ends_with(':') && line.starts_with("error: "));
        let text = format!("{first} {}", cause.unwrap_or_default());
        let text: String = text.trim_end().chars().take(CHARS_MAX).collect();
        if LIMITS.iter().any(|words| message.contains(words)) {
            Self::TooComplex(text)
        } else {
            Self::Invalid(text)
        }
    }
}
