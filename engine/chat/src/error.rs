/// Why a conversation could not be rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// The template is not one.
    #[error("the chat template cannot be read, line {line}: {message}")]
    Syntax {
        /// Line in the template, from 1.
        line: u32,
        /// What is wrong.
        message: String,
    },
    /// The template refuses this conversation, in its own words: roles that do not alternate, a role it does not know.
    #[error("the chat template refuses this conversation: {message}")]
    Refused {
        /// The template's message.
        message: String,
    },
    /// An operation of the template failed.
    #[error("the chat template failed, line {line}: {message}")]
    Failed {
        /// Line in the template, from 1.
        line: u32,
        /// What Python would say.
        message: String,
    },
    /// The template does too much work or makes too long a text.
    #[error("the chat template was stopped: {message}")]
    Limit {
        /// Which limit.
        message: &'static str,
    },
    /// The file has no template, and is not a model to chat with.
    #[error("the model has no chat template")]
    NoTemplate,
}

impl ChatError {
    /// A stable name of the case, for the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Syntax { .. } => "chat_template_syntax",
            Self::Refused { .. } => "chat_template_refused",
            Self::Failed { .. } => "chat_template_failed",
            Self::Limit { .. } => "chat_template_limit",
            Self::NoTemplate => "no_chat_template",
        }
    }
}
