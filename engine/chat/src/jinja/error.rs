/// Why an expression has no value. The interpreter adds the line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fault {
    /// What Python would raise, in its words.
    Error(String),
    /// `raise_exception` was called with this message.
    Raised(String),
    /// A limit on work, nesting or size was reached.
    Limit(&'static str),
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self::Error(message.into())
    }

    /// Of a name or value that is not there.
    pub(crate) fn undefined(name: &str) -> Self {
        Self::Error(format!("'{}' is undefined", excerpt(name)))
    }
}

/// As much of a text as a message needs.
pub(crate) fn excerpt(text: &str) -> &str {
    const LEN_MAX: usize = 1000;
    let len = (0..=text.len().min(LEN_MAX)).rev().find(|&at| text.is_char_boundary(at));
    &text[..len.unwrap_or(0)]
}
