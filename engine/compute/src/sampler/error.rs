/// Why a sampler could not be made, or a token not chosen.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SamplerError {
    /// An option is NaN or outside its range.
    #[error("the option {name} cannot be {value}")]
    BadOption {
        /// The field of [`super::SamplerOptions`].
        name: &'static str,
        /// Its value.
        value: f32,
    },
    /// There is nothing to choose from.
    #[error("there are no logits")]
    NoLogits,
    /// The model computed a NaN or an infinity: whatever were chosen would be noise.
    #[error("the logit of token {id} is not finite")]
    NonFiniteLogit {
        /// The first such token.
        id: u32,
    },
}

impl SamplerError {
    /// A stable name of the case, for the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadOption { .. } => "sampler_bad_option",
            Self::NoLogits => "sampler_no_logits",
            Self::NonFiniteLogit { .. } => "non_finite_logits",
        }
    }
}
