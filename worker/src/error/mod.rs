//! What can go wrong, typed, and how the page is told.

mod catalogue;

#[cfg(not(target_arch = "wasm32"))]
pub use catalogue::markdown;
pub use catalogue::{CATALOGUE, Code, Entry};

use crate::protocol::Failure;
use crate::store::Unreadable;

/// Why a request failed. The sentences for the user are in the catalogue; `Display` gives the technical detail.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The fields are named by what they hold.
pub enum WorkerError {
    /// The engine refused or failed; `code` is the engine's own, finer than the catalogue's.
    #[error("{code}: {detail}")]
    Engine { code: &'static str, detail: String },
    #[error("{url} answered with status {status}")]
    HttpStatus { url: String, status: u16 },
    #[error("{url}: {why}")]
    Network { url: String, why: String },
    /// It answered, and not with the file.
    #[error("{url}: {why}")]
    DownloadIncomplete { url: String, why: String },
    #[error("{url} does not begin with the bytes of a GGUF file")]
    NotGguf { url: String },
    #[error("{need_bytes} bytes are needed and {free_bytes} are free{}", proposal(could_delete))]
    NoRoom { need_bytes: u64, free_bytes: u64, could_delete: Vec<String> },
    #[error("{why}")]
    TooLarge { why: String },
    #[error(
        "{name} has the SHA-256 {found}, not {expected}; a request that names {found} takes it all the same"
    )]
    WrongHash { name: String, expected: String, found: String },
    #[error("{url}: {why}")]
    SourceChanged { url: String, why: String },
    #[error("{name}: {why}")]
    Damaged { name: String, why: String },
    #[error("{need_bytes} bytes of memory are needed and {have_bytes} are left")]
    OverMemory { need_bytes: u64, have_bytes: u64 },
    #[error("the browser's quota is used up: {why}{}", proposal(could_delete))]
    QuotaExceeded { why: String, could_delete: Vec<String> },
    #[error("no file storage: {why}")]
    StorageUnavailable { why: String },
    #[error("{name}: {why}")]
    Storage { name: String, why: String },
    #[error("{name}: another tab or request has it open")]
    InUse { name: String },
    #[error("\"{name}\" is not stored")]
    NotStored { name: String },
    #[error("\"{name}\": {why}")]
    UnknownFile { name: String, why: Unreadable },
    #[error("{why}")]
    FileUnreadable { why: String },
    #[error("the request was cancelled")]
    Cancelled,
    #[error("the page has no text blocks with words")]
    NoText,
    #[error("the worker has no page with the handle \"{handle}\"")]
    PageUnknown { handle: String },
    #[error("the page speaks version {found}, the worker {}", crate::protocol::PROTOCOL_VERSION)]
    ProtocolVersion { found: String },
    #[error("{why}")]
    BadMessage { why: String },
    #[error("a request with id {id} is open")]
    DuplicateId { id: u32 },
    #[error("no model called \"{name}\" is loaded")]
    ModelNotLoaded { name: String },
    #[error("the model \"{model}\" has no LoRA adapter called \"{name}\"")]
    LoraNotLoaded { model: String, name: String },
    /// Made for another model of the same architecture.
    #[error("{why}")]
    LoraMisfit { why: String },
    #[error("\"{name}\" is a LoRA adapter")]
    NotAModel { name: String },
    /// Of a split model.
    #[error("{why}")]
    PartsMissing { why: String },
    #[error("{why}")]
    WrongPart { why: String },
    #[error("\"{name}\" is not {needed}")]
    WrongModel { name: String, needed: &'static str },
    #[error("\"{name}\" carries no tokenizer")]
    NoTokenizer { name: String },
    #[error("\"{name}\" carries no chat template")]
    NoChatTemplate { name: String },
    #[error("{why}")]
    BadFormat { why: String },
    #[error("{why}")]
    FormatTooComplex { why: String },
    /// The module that compiles formats could not be fetched or started.
    #[error("{why}")]
    GrammarUnavailable { why: String },
    #[error("{len_tokens} tokens do not fit into a context of {context_tokens}")]
    ContextFull { len_tokens: usize, context_tokens: usize },
    #[error("{why}")]
    Internal { why: String },
}

impl WorkerError {
    /// The row of the catalogue that the page is shown.
    pub fn code(&self) -> Code {
        match self {
            Self::Engine { code, .. } => code_of_engine(code),
            Self::HttpStatus { .. } => Code::HttpStatus,
            Self::Network { .. } => Code::NetworkError,
            Self::DownloadIncomplete { .. } => Code::DownloadIncomplete,
            Self::NotGguf { .. } => Code::NotGguf,
            Self::NoRoom { .. } | Self::QuotaExceeded { .. } => Code::DiskFull,
            Self::TooLarge { .. } => Code::TooLarge,
            Self::WrongHash { .. } => Code::WrongHash,
            Self::SourceChanged { .. } => Code::SourceChanged,
            Self::Damaged { .. } => Code::Damaged,
            Self::StorageUnavailable { .. } => Code::StorageUnavailable,
            Self::Storage { .. } => Code::StorageFailed,
            Self::InUse { .. } => Code::InUse,
            Self::OverMemory { .. } => Code::OutOfMemory,
            Self::NotStored { .. } => Code::NotStored,
            Self::UnknownFile { .. } => Code::UnknownFile,
            Self::FileUnreadable { .. } => Code::FileUnreadable,
            Self::Cancelled => Code::Cancelled,
            Self::NoText => Code::NoText,
            Self::PageUnknown { .. } => Code::PageUnknown,
            Self::ProtocolVersion { .. } => Code::ProtocolVersion,
            Self::BadMessage { .. } => Code::BadMessage,
            Self::DuplicateId { .. } => Code::DuplicateId,
            Self::ModelNotLoaded { .. } => Code::ModelNotLoaded,
            Self::LoraNotLoaded { .. } => Code::LoraNotLoaded,
            Self::LoraMisfit { .. } => Code::WrongBase,
            Self::NotAModel { .. } => Code::NotAModel,
            Self::PartsMissing { .. } => Code::PartsMissing,
            Self::WrongPart { .. } => Code::WrongPart,
            Self::WrongModel { .. } => Code::WrongModel,
            Self::NoTokenizer { .. } => Code::NoTokenizer,
            Self::NoChatTemplate { .. } => Code::NoChatTemplate,
            Self::BadFormat { .. } => Code::BadFormat,
            Self::FormatTooComplex { .. } => Code::FormatTooComplex,
            Self::GrammarUnavailable { .. } => Code::GrammarUnavailable,
            Self::ContextFull { .. } => Code::ContextFull,
            Self::Internal { .. } => Code::Internal,
        }
    }

    /// True for errors that a lost device may be behind.
    pub fn is_of_device(&self) -> bool {
        let words = ["device_lost", "gpu_error", "kernel_failed", "out_of_gpu_memory"];
        matches!(self, Self::Engine { code, .. } if words.contains(code))
    }

    /// As the page sees it.
    pub fn failure(&self) -> Failure {
        let entry = self.code().entry();
        Failure {
            code: entry.name.into(),
            message: entry.message.into(),
            help: entry.help.into(),
            detail: self.to_string(),
            status: match self {
                Self::HttpStatus { status, .. } => Some(*status),
                _ => None,
            },
        }
    }
}

fn proposal(could_delete: &[String]) -> String {
    match could_delete {
        [] => String::new(),
        names => format!("; deleting {} would make room", names.join(", ")),
    }
}

/// The engine's codes that differ from the catalogue's. The engine tells apart forty ways in which a header can be
/// damaged; the user can do the same about all of them.
fn code_of_engine(code: &str) -> Code {
    if let Some(code) = Code::from_name(code) {
        return code;
    }
    match code {
        "gguf_unsupported_version" | "gguf_big_endian" => Code::UnsupportedVersion,
        "gguf_truncated" | "gguf_tensor_outside_file" => Code::Truncated,
        "gguf_parts_missing" => Code::PartsMissing,
        "gguf_wrong_part" | "gguf_wrong_tensor_count" => Code::WrongPart,
        "unknown_lora" => Code::LoraNotLoaded,
        "missing_key" | "bad_key" | "missing_tensor" | "wrong_shape" => Code::BadFile,
        "cache_full" => Code::ContextFull,
        "not_this_model" => Code::WrongModel,
        "unsupported_pre_tokenizer" => Code::UnsupportedTokenizer,

        "text_too_long" => Code::ContextFull,
        "sampler_bad_option" => Code::BadMessage,
        "unknown_token" => Code::BadMessage,
        "out_of_gpu_memory" | "over_device_limit" => Code::OutOfMemory,
        "kernel_failed" | "gpu_wrong" | "gpu_error" | "row_too_long" => Code::GpuAdapterUnfit,
        _ if code.starts_with("chat_template_") => Code::BadTemplate,
        _ if code.starts_with("gguf_") || code.starts_with("tokenizer_") => Code::BadFile,
        _ => Code::Internal,
    }
}

/// Lets `?` turn an engine error, which knows its code, into a [`WorkerError`].
macro_rules! from_engine {
    ($($error:ty),* $(,)?) => {
        $(impl From<$error> for WorkerError {
            fn from(error: $error) -> Self {
                Self::Engine { code: error.code(), detail: error.to_string() }
            }
        })*
    };
}

from_engine!(
    pith_engine::backend::DeviceError,
    pith_engine::chat::ChatError,
    pith_engine::digest::DigestError,
    pith_engine::gguf::GgufError,
    pith_engine::sampler::SamplerError,
    pith_engine::runtime::Error,
    pith_engine::tokenizer::TokenizerError,
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engine_codes_have_a_place_in_the_catalogue() {
        let rows = [
            ("not_gguf", "not_gguf"),
            ("gguf_truncated", "truncated"),
            ("gguf_tensor_outside_file", "truncated"),
            ("gguf_big_endian", "unsupported_version"),
            ("gguf_bad_bool", "bad_file"),
            ("gguf_duplicate_tensor", "bad_file"),
            ("gguf_parts_missing", "parts_missing"),
            ("parts_missing", "parts_missing"),
            ("gguf_wrong_part", "wrong_part"),
            ("gguf_wrong_tensor_count", "wrong_part"),
            ("not_a_lora", "not_a_lora"),
            ("wrong_base", "wrong_base"),
            ("tied_target", "tied_target"),
            ("unknown_lora", "lora_not_loaded"),
            ("tokenizer_bad_score", "bad_file"),
            ("missing_tensor", "bad_file"),
            ("unsupported_architecture", "unsupported_architecture"),
            ("unsupported_tensor", "unsupported_tensor"),
            ("unsupported_type", "unsupported_type"),
            ("unsupported_pre_tokenizer", "unsupported_tokenizer"),
            ("chat_template_refused", "bad_template"),
            ("no_gpu_adapter", "no_gpu_adapter"),
            ("device_lost", "device_lost"),
            ("out_of_gpu_memory", "out_of_memory"),
            ("over_device_limit", "out_of_memory"),
            ("kernel_failed", "gpu_adapter_unfit"),
            ("context_full", "context_full"),
            ("sampler_bad_option", "bad_message"),
            ("no_text", "no_text"),
            ("bad_slice", "internal"),
        ];
        for (code, name) in rows {
            let error = WorkerError::Engine { code, detail: "a detail".into() };
            assert_eq!(error.code().name(), name, "{code}");
            assert_eq!(error.failure().detail, format!("{code}: a detail"));
        }
    }
}
