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
}
