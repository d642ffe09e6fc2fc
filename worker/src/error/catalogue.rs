//! The error catalogue: every code that a page can see, the sentence for the user, and what the user can do.
//! It is data: `docs/errors.md` and the table in `web/src/protocol.gen.ts` are written from it.

/// A stable error code with its two sentences.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// The code.
    pub code: Code,
    /// snake_case, never renamed.
    pub name: &'static str,
    /// What happened, for the user.
    pub message: &'static str,
    /// What the user can do.
    pub help: &'static str,
}

macro_rules! catalogue {
    ($($variant:ident $name:literal $message:literal $help:literal)*) => {
        /// Error codes. Their names and sentences are in [`CATALOGUE`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum Code { $($variant),* }

        /// All codes, in the order of the documentation.
        pub const CATALOGUE: &[Entry] = &[
            $(Entry { code: Code::$variant, name: $name, message: $message, help: $help }),*
        ];
    };
}

catalogue! {
    NotGguf "not_gguf"
        "This file is not a GGUF model."
        "Choose a file whose name ends in .gguf."
    Truncated "truncated"
        "The model file is truncated."
        "Download the file again; this copy is incomplete."
    BadFile "bad_file"
        "The model file is damaged."
        "Download the file again, or from another source."
    PartsMissing "parts_missing"
        "Some files of this model are missing."
        "Select all files together, from -00001-of-0000N.gguf to the last, or finish the download."
    WrongPart "wrong_part"
        "These files are not parts of one model."
        "Select each file of one model once: the same name, numbered from 00001."
    NotAModel "not_a_model"
        "This file is a LoRA adapter, not a model."
        "Load the model that it was trained for, then load this file as its LoRA adapter."
    NotALora "not_a_lora"
        "This file is not a LoRA adapter."
        "Choose a LoRA adapter in GGUF format, or load this file as a model."
    WrongBase "wrong_base"
        "The LoRA adapter does not fit this model."
        "Use the LoRA adapter with the model that it was trained on."
    TiedTarget "tied_target"
        "The LoRA adapter changes the token embedding, which this model shares with its output layer."
        "Choose a LoRA adapter that does not change the token embedding."
    UnsupportedVersion "unsupported_version"
        "This GGUF version is not supported."
        "Convert the model with a current version of llama.cpp."
    UnsupportedArchitecture "unsupported_architecture"
        "This model architecture is not supported yet."
        "Choose a model with a supported architecture; the README lists them."
    UnsupportedTensor "unsupported_tensor"
        "The model has a tensor that is not supported yet."
        "Choose another model; without this tensor the output would be wrong."
    UnsupportedType "unsupported_type"
        "The model's weight format is not supported yet."
        "Choose another quantization of the model; the README lists the supported formats."
    UnsupportedTokenizer "unsupported_tokenizer"
        "The model's tokenizer is not supported yet."
        "Choose another model."
    NoTokenizer "no_tokenizer"
        "The model file has no tokenizer."
        "Choose a file that contains the vocabulary, or send token ids."
    NoChatTemplate "no_chat_template"
        "The model has no chat template."
        "Send plain text, or choose a chat model."
    BadTemplate "bad_template"
        "The model's chat template rejected these messages."
        "Alternate user and assistant messages, or send plain text."
    DiskFull "disk_full"
        "There is not enough disk space to store the model."
        "Delete a stored model or free disk space, then try again."
    TooLarge "too_large"
        "This model does not fit into memory."
        "Choose a smaller model or a shorter context, or load it anyway (force: true)."
    WrongHash "wrong_hash"
        "SHA-256 mismatch: the file is damaged or not the expected one."
        "Download the file again, or from another source. To take it all the same, name the SHA-256 that it has."
    SourceChanged "source_changed"
        "The file on the server has changed since it was stored."
        "Delete the stored file, then download the new one."
    Damaged "damaged"
        "The stored model is damaged."
        "Repair it: only the damaged parts are downloaded again."
    StorageUnavailable "storage_unavailable"
        "The browser does not allow this page to store files."
        "Leave private browsing, or open the model from a local file; the page must be served by https."
    StorageFailed "storage_failed"
        "Reading or writing the stored model failed."
        "Try again; if it fails each time, delete the model and download it again."
    InUse "in_use"
        "Another tab or request uses the stored model."
        "Wait until it has finished, or close that tab, then try again."
    UnknownFile "unknown_file"
        "The record of this stored file cannot be read."
        "Delete the file and download it again, or use the version of Pith that stored it."
    FileUnreadable "file_unreadable"
        "The chosen file cannot be read."
        "Choose the file again; it may have been moved or changed."
    NoGpuAdapter "no_gpu_adapter"
        "The browser provides no GPU."
        "Turn on hardware acceleration in the browser's settings, or use the CPU."
    GpuAdapterUnfit "gpu_adapter_unfit"
        "The GPU cannot run this model."
        "Update the graphics driver, or use the CPU."
    DeviceLost "device_lost"
        "The connection to the GPU was lost."
        "Try again; if it happens often, use a smaller model or the CPU."
    OutOfMemory "out_of_memory"
        "There is not enough memory for this model."
        "Close other tabs, or choose a smaller model or a shorter context."
    Cancelled "cancelled"
        "Cancelled."
        "Start again at any time."
    NoText "no_text"
        "This page has no text to read."
        "Open a page with an article, or select some text."
    PageUnknown "page_unknown"
        "The worker does not have this page any more."
        "Send the page again."
    QuestionTooLong "question_too_long"
        "The question is too long."
        "Use at most 1,000 characters."
    NetworkError "network_error"
        "The download failed."
        "Check the connection and try again."
    DownloadIncomplete "download_incomplete"
        "The server did not send the whole file."
        "Try again: the download goes on where it stopped. If it fails each time, use another source."
    HttpStatus "http_status"
        "The server refused the download."
        "Check the address; the file may have moved or require sign-in, or the server is busy."
    ProtocolVersion "protocol_version"
        "The page and its worker have different versions."
        "Reload the page or the extension."
    BadMessage "bad_message"
        "The worker did not understand the request."
        "Reload the page; if it happens again, report it."
    DuplicateId "duplicate_id"
        "Two open requests have the same id."
        "Reload the page; if it happens again, report it."
    ModelNotLoaded "model_not_loaded"
        "The model is not loaded."
        "Load the model first."
    LoraNotLoaded "lora_not_loaded"
        "The model has no LoRA adapter with this name."
        "Load the LoRA adapter into the model first."
    NotStored "not_stored"
        "There is no stored model with this name."
        "Check the list of stored models."
    WrongModel "wrong_model"
        "This model does not support the request."
        "Use a language model to generate text and an embedding model to compare texts."
    ContextFull "context_full"
        "The text is longer than the model's context."
        "Shorten the text, or load the model with a longer context."
    BadFormat "bad_format"
        "The output format is not valid or not supported."
        "Correct the JSON schema, the regular expression or the grammar; the details name the cause."
    FormatTooComplex "format_too_complex"
        "The output format is too complex."
        "Simplify the JSON schema, the regular expression or the grammar."
    GrammarUnavailable "grammar_unavailable"
        "The module for output formats could not be loaded."
        "Check the connection and try again; the site must serve the package's grammar.wasm."
    Internal "internal"
        "Something went wrong inside Pith."
        "Reload the page; if it happens again, report it with the details."
}

impl Code {
    /// Its row of the catalogue.
    pub fn entry(self) -> &'static Entry {
        // The macro writes variants and rows in the same order.
        &CATALOGUE[self as usize]
    }

    /// Its stable name.
    pub fn name(self) -> &'static str {
        self.entry().name
    }

    /// The code called `name`.
    pub fn from_name(name: &str) -> Option<Code> {
        CATALOGUE.iter().find(|entry| entry.name == name).map(|entry| entry.code)
    }
}

/// The catalogue as a Markdown document.
#[cfg(not(target_arch = "wasm32"))]
pub fn markdown() -> String {
    let mut text = String::from(
        "# Errors\n\nEvery failure has one of these codes, in Rust, in TypeScript and on screen. \
         This file is written from `worker/src/error/catalogue.rs`.\n\n| code | what happened | what to do |\n|---|---|---|\n",
    );
    for entry in CATALOGUE {
        text += &format!("| `{}` | {} | {} |\n", entry.name, entry.message, entry.help);
    }
    text
}
