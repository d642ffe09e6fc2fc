//! Writes the protocol as TypeScript. Native only: `cargo test -p pith-worker protocol_is_fresh` compares the file
//! in `web/src` with it, and with UPDATE=1 in the environment rewrites it.

use ts_rs::{Config, TS};

use crate::error::CATALOGUE;
use crate::protocol::*;

/// One exported declaration with its comment. Comments on one line, a variant of a union per line.
fn declare<T: TS>(config: &Config, text: &mut String) {
    let declaration = format!("{}export {}\n", T::docs().unwrap_or_default(), T::decl(config));
    let compact = declaration.replace("/**\n * ", "/** ").replace("\n */\n", " */\n").replace("\n * ", " ");
    text.push('\n');
    text.push_str(
        &compact.replace(" | { \"type\"", "\n  | { \"type\"").replace("{ \n", "{\n").replace(", \n", ",\n"),
    );
}

/// The whole of `protocol.gen.ts`.
pub fn protocol() -> String {
    let config = Config::new().with_large_int("number");
    let mut text = String::from(
        "// The messages between a page and the worker. Written from worker/src/protocol.rs; do not edit.\n\
         // To rewrite: UPDATE=1 cargo test -p pith-worker --test generated\n",
    );
    text += &format!("\nexport const PROTOCOL_VERSION = {PROTOCOL_VERSION};\n");
    macro_rules! declare_all { ($($kind:ty),* $(,)?) => { $(declare::<$kind>(&config, &mut text);)* }; }
    declare_all!(
        RequestMessage,
        Request,
        ModelSource,
        BackendChoice,
        CacheType,
        LoraUse,
        Prompt,
        ChatMessage,
        ToolSpec,
        ToolCall,
        MessageDelta,
        ParsedMessage,
        Template,
        LocalTime,
        Sampling,
        Logprob,
        TokenLogprobs,
        Overflow,
        FormatShape,
        PageInput,
        Page,
        Block,
        BlockKind,
        ItemKind,
        SummaryLength,
        SummaryOptions,
        SummaryKind,
        Unsupported,
        Exchange,
        Precision,
        PromptTask,
        PreparedPrompt,
        Resume,
        ResumedGeneration,
        LeftOut,
        EventMessage,
        Event,
        Stage,
        Floats,
        Blobs,
        Outcome,
        DetectedLanguage,
        ModelInfo,
        BackendInfo,
        StoredModel,
        UnknownFile,
        StoreInfo,
        StoreKind,
        Settings,
        Fit,
        Verdict,
        Suggestion,
        MemoryUse,
        MemoryReport,
        ModelMemory,
        Damage,
        TuningReport,
        TunedChoice,
        TunedShape,
        TunedTime,
        FinishReason,
        GenerationStats,
        Comments,
        KindCandidate,
        KindSign,
        Summary,
        Answer,
        Passage,
        PassagePart,
        AnswerReason,
        WithoutEncoder,
        WrittenText,
        WrittenLine,
        Support,
        NotWritten,
        WriterTest,
        WriterTier,
        WriterTestLine,
        Failure,
    );
    text += "\n/** Every error code; docs/errors.md explains them. */\nexport type ErrorCode =";
    for entry in CATALOGUE {
        text += &format!("\n  | \"{}\"", entry.name);
    }
    text += ";\n\n/** The sentences that the worker sends with each code. */\n\
             export const ERRORS: Readonly<Record<ErrorCode, { message: string; help: string }>> = {\n";
    for entry in CATALOGUE {
        text += &format!("  {}: {{ message: {:?}, help: {:?} }},\n", entry.name, entry.message, entry.help);
    }
    text += "};\n";
    text
}
