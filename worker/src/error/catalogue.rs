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
        "The model file ends too early."
        "Download the file again; the copy is incomplete."
    BadFile "bad_file"
        "The model file is damaged."
        "Download the file again, or get it from another place."
    PartsMissing "parts_missing"
        "Some files of this model are missing."
        "Choose all its files together, from -00001-of-0000N.gguf to the last, or complete them where they are stored."
    WrongPart "wrong_part"
        "These files do not belong together."
        "Choose every file of one model once: the same name, with each number from 00001 on."
    NotAModel "not_a_model"
        "This file is a LoRA adapter, not a model."
        "Load the model that it was made for, then load this file as its LoRA adapter."
    NotALora "not_a_lora"
        "This file is not a LoRA adapter."
        "Choose a LoRA adapter that was converted to GGUF; load a model as a model."
    WrongBase "wrong_base"
        "The LoRA adapter does not fit this model."
        "Use the LoRA adapter with the model that it was trained on."
    TiedTarget "tied_target"
        "The LoRA adapter changes the embedding, which this model also uses for its output."
        "Choose a LoRA adapter that leaves the embedding as it is."
    UnsupportedVersion "unsupported_version"
        "This GGUF version is not supported."
        "Convert the model with a current version of llama.cpp."
    UnsupportedArchitecture "unsupported_architecture"
        "This kind of model is not supported yet."
        "Choose a model of a supported architecture; the README lists them."
    UnsupportedTensor "unsupported_tensor"
        "The model has a part that is not supported yet."
        "Choose another model; this one would give wrong answers."
    UnsupportedType "unsupported_type"
        "The model's number format is not supported yet."
        "Choose the same model in another quantisation; the README lists those that work."
    UnsupportedTokenizer "unsupported_tokenizer"
        "The model's tokenizer is not supported yet."
        "Choose another model."
    NoTokenizer "no_tokenizer"
        "The model file has no tokenizer."
        "Choose a file that carries its vocabulary, or send token ids."
    NoChatTemplate "no_chat_template"
        "The model has no chat template."
        "Send plain text, or choose a model made for conversations."
    BadTemplate "bad_template"
        "The model's chat template refused these messages."
        "Let user and assistant take turns, or send plain text."
    DiskFull "disk_full"
        "There is no room left to store the model."
        "Delete a stored model or free disk space, then try again."
    TooLarge "too_large"
        "This model does not fit into memory."
        "Choose a smaller one, or a shorter context; or insist, and it is tried."
    WrongHash "wrong_hash"
        "The file is not the one that was expected."
        "Download it again, or get it from another place; its checksum says that bytes of it are wrong."
    SourceChanged "source_changed"
        "The file on the server is no longer the one that is stored."
        "Delete the stored one, then download the new one."
    Damaged "damaged"
        "The stored model is damaged."
        "Repair it: only what is damaged is fetched again."
    StorageUnavailable "storage_unavailable"
        "The browser does not let this page store files."
        "Leave private browsing, or open the model from a local file."
    StorageFailed "storage_failed"
        "Reading or writing the stored model failed."
        "Try again; if it fails each time, delete the model and download it again."
    InUse "in_use"
        "Another tab or request uses the stored model."
        "Wait until it has finished, or close that tab, then try again."
    UnknownFile "unknown_file"
        "It is not known what this stored file is."
        "Delete it and download it again, or open it with the version of Pith that stored it."
    FileUnreadable "file_unreadable"
        "The chosen file cannot be read."
        "Choose the file again; it may have been moved or changed."
    NoGpuAdapter "no_gpu_adapter"
        "The browser offers no GPU."
        "Turn on hardware acceleration in the browser's settings, or use the CPU."
    GpuAdapterUnfit "gpu_adapter_unfit"
        "The GPU cannot run this model."
        "Update the graphics driver, or use the CPU."
    DeviceLost "device_lost"
        "The graphics device stopped working."
        "Try again; if it happens often, use a smaller model or the CPU."
    OutOfMemory "out_of_memory"
        "There is not enough memory for this model."
        "Close other tabs, or choose a smaller model or a shorter context."
    Cancelled "cancelled"
        "Cancelled."
        "Ask again when you like."
    NoText "no_text"
        "There is no text on this page to work with."
        "Open a page with an article, or select some text."
    QuestionTooLong "question_too_long"
        "The question is too long."
        "Ask in at most 1,000 characters."
    NetworkError "network_error"
        "The download failed."
        "Check the connection and try again."
    HttpStatus "http_status"
        "The server refused the download."
        "Check the address; the file may have moved or need a sign-in."
    ProtocolVersion "protocol_version"
        "The page and its worker are of different versions."
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
        "The model has no LoRA adapter of this name."
        "Load the LoRA adapter into the model first."
    NotStored "not_stored"
        "There is no stored model of this name."
        "Look at the list of stored models."
    WrongModel "wrong_model"
        "This model cannot do what was asked of it."
        "Use a language model to write and an embedding model to compare texts."
    ContextFull "context_full"
        "The text is longer than the model can hold."
        "Shorten the text, or load the model with a longer context."
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
