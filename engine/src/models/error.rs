use thiserror::Error;

/// Why a file is refused as a model. Every variant names what is wrong.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// `general.architecture` is absent or names something unknown.
    #[error("the architecture \"{name}\" is not supported; supported are {known}")]
    UnknownArchitecture {
        /// As the file has it; empty when absent.
        name: String,
        /// All known names.
        known: String,
    },
    /// The header is of one file of a split model.
    #[error("{have} of the {count} files of this split model are here; open them together")]
    MissingParts {
        /// Files that the header describes.
        have: usize,
        /// Files of the model.
        count: usize,
    },
    /// A file that was to be a LoRA adapter is something else.
    #[error("the file is no LoRA adapter: it says that it is \"{kind}\" of type \"{adapter_type}\"")]
    NotALora {
        /// `general.type`.
        kind: String,
        /// `adapter.type`.
        adapter_type: String,
    },
    /// An adapter for another model.
    #[error("the LoRA adapter was made for \"{base}\", not for \"{model}\"")]
    WrongBase {
        /// The adapter's architecture.
        base: String,
        /// The model's.
        model: String,
    },
    /// An adapter of an embedding that is the output matrix as well.
    #[error(
        "the LoRA adapter changes \"{name}\", which is also the model's output matrix; such an adapter is not supported"
    )]
    TiedTarget {
        /// The tensor.
        name: String,
    },
    /// A key that the architecture needs is absent.
    #[error("the file has no key \"{key}\"")]
    MissingKey {
        /// Its full name.
        key: String,
    },
    /// A key has the wrong type or an impossible value.
    #[error("the key \"{key}\" {why}")]
    BadKey {
        /// Its full name.
        key: String,
        /// What is wrong with it.
        why: String,
    },
    /// A tensor that the architecture needs is absent.
    #[error("the file has no tensor \"{name}\"")]
    MissingTensor {
        /// Its name.
        name: String,
    },
    /// A tensor that nothing would read: running without it would give wrong output silently.
    #[error("the tensor \"{name}\" is not known for this architecture")]
    UnknownTensor {
        /// Its name.
        name: String,
    },
    /// A tensor's shape does not follow from the keys.
    #[error("the tensor \"{name}\" is {found}, where {expected} was expected")]
    WrongShape {
        /// Its name.
        name: String,
        /// Columns and rows that follow from the keys.
        expected: String,
        /// What the file has.
        found: String,
    },
    /// A tensor is stored in a type without kernels.
    #[error("the tensor \"{tensor}\" is stored as {type_name}, which is not supported")]
    UnsupportedType {
        /// The tensor.
        tensor: String,
        /// ggml's name or number.
        type_name: String,
    },
}

impl ModelError {
    /// Stable code of the error catalogue.
    pub fn code(&self) -> &'static str {
        match self {
            ModelError::UnknownArchitecture { .. } => "unsupported_architecture",
            ModelError::MissingParts { .. } => "parts_missing",
            ModelError::NotALora { .. } => "not_a_lora",
            ModelError::WrongBase { .. } => "wrong_base",
            ModelError::TiedTarget { .. } => "tied_target",
            ModelError::MissingKey { .. } => "missing_key",
            ModelError::BadKey { .. } => "bad_key",
            ModelError::MissingTensor { .. } => "missing_tensor",
            ModelError::UnknownTensor { .. } => "unsupported_tensor",
            ModelError::WrongShape { .. } => "wrong_shape",
            ModelError::UnsupportedType { .. } => "unsupported_type",
        }
    }
}
