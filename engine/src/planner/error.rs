use thiserror::Error;

/// Why a model cannot be laid out on a device.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PlanError {
    /// A buffer is larger than the device allows and cannot be split.
    #[error("{what} needs {need_bytes} bytes in one buffer, and the device allows {have_bytes}")]
    TooLarge {
        /// Which buffer.
        what: String,
        /// Its size.
        need_bytes: u64,
        /// The limit.
        have_bytes: u64,
    },
    /// One row of a tensor does not fit a transfer buffer.
    #[error(
        "a row of the tensor \"{tensor}\" has {row_bytes} bytes, more than the {max_bytes} of a transfer buffer"
    )]
    RowTooLong {
        /// Which tensor.
        tensor: String,
        /// Its row.
        row_bytes: usize,
        /// The buffer.
        max_bytes: usize,
    },
    /// Experts whose gate and up are stored differently.
    #[error(
        "the tensor \"{tensor}\" is stored differently from its gate, which is not supported for experts"
    )]
    MixedExperts {
        /// Which tensor.
        tensor: String,
    },
}

impl PlanError {
    /// Stable code of the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            PlanError::TooLarge { .. } => "over_device_limit",
            PlanError::RowTooLong { .. } => "row_too_long",
            PlanError::MixedExperts { .. } => "unsupported_type",
        }
    }
}
