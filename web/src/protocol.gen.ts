// The messages between a page and the worker. Written from worker/src/protocol.rs; do not edit.
// To rewrite: UPDATE=1 cargo test -p pith-worker --test generated

export const PROTOCOL_VERSION = 11;

/** What a page posts. Local files travel beside it, as the property `files` of the same message, an array. */
export type RequestMessage = {
/** [`PROTOCOL_VERSION`]. */
version: number,
/** Chosen by the page, unique among its open requests. */
id: number,
/** What is asked. */
request: Request, };

/** What the worker can be asked. */
export type Request = { "type": "status", }
  | { "type": "load",
/** How later requests call it. The summarizer uses "embedding" and "language". */
name: string,
/** Where its bytes are. */
source: ModelSource,
/** Which executor; `auto` decides by measurement and says why. */
backend?: BackendChoice,
/** Positions to reserve; the model's own limit or a default where absent. */
contextTokens?: number | null,
/** How keys and values are stored. */
cacheType?: CacheType,
/** How exact products with quantized weights are. */
precision?: Precision,
/** Loads what `fit` says is too large, too. */
force?: boolean,
/** What it may write about pages, where that is known: then it is not tested. */
tier?: WriterTier | null, }
  | { "type": "fit", source: ModelSource, backend?: BackendChoice,
/** As of `load`. */
contextTokens?: number | null, cacheType?: CacheType, }
  | { "type": "download", source: ModelSource, }
  | { "type": "pause", target: number, }
  | { "type": "resume", target: number, }
  | { "type": "verify", name: string,
/** Fetches again what is damaged, and only that. */
repair?: boolean, }
  | { "type": "pin", name: string, pinned: boolean, }
  | { "type": "export", name: string, }
  | { "type": "memory", }
  | { "type": "configure", settings: Settings, }
  | { "type": "unload", name: string, }
  | { "type": "loadLora", model: string, name: string, source: ModelSource, }
  | { "type": "embed", model: string, texts: Array<string>,
/** None where absent. */
lora?: LoraUse | null, }
  | { "type": "tokenize", model: string, text: string,
/** Adds the beginning- and end-of-text tokens that the model asks for. */
addSpecial?: boolean,
/** Turns the names of control tokens in the text into these tokens. Never for text of unknown origin. */
parseSpecial?: boolean, }
  | { "type": "detokenize", model: string, ids: Array<number>,
/** Shows control tokens by their names. */
special?: boolean, }
  | { "type": "applyTemplate", template: Template,
/** Turns with `role`, `content` and what else the template knows. As in `generate` they go into the variables `messages`, with `add_generation_prompt` true unless it is given, and a system message that the template does not take into the first turn of the user. Where absent the template sees the variables alone. */
messages?: Record<string, unknown>[] | null,
/** What else the template is given, such as `tools`. */
variables?: Record<string, unknown>,
/** For templates that write the date; the time now where absent. */
now?: LocalTime | null, }
  | { "type": "generate", model: string, prompt: Prompt, sampling?: Sampling,
/** Stop after this many tokens. */
maxTokens: number,
/** Stop before any of these strings. */
stop?: Array<string>,
/** What happens when the context is full. */
overflow?: Overflow,
/** Prompt-lookup decoding, used while it saves time. It does not change the output. Only with greedy choice; true where absent. */
promptLookup?: boolean,
/** Returns log probabilities of each token and of so many of the most probable ones, at most 20. None where absent. */
logprobs?: number | null,
/** Keeps what the prompt is in the KV cache on this machine's disk, so that another one that begins alike need not be read again after a restart either. The prompt could be read from it. Of stored models without an adapter; see `Settings.promptBytes`. */
keepPrompt?: boolean,
/** What the text has to be; any text where absent. Excludes `stop`. */
format?: Format | null,
/** None where absent. */
lora?: LoraUse | null, }
  | { "type": "summarize", page: PageInput, options?: SummaryOptions, }
  | { "type": "ask", page: PageInput, question: string,
/** Most passages to return. */
limit?: number | null,
/** The name of a loaded language model that writes an answer from the passages; see `testWriter`. */
writer?: string | null,
/** The conversation so far, oldest first. The last 8 exchanges are read, 2,000 characters of each text. */
history?: Array<Exchange>, unsupported?: Unsupported,
/** 0 is the most probable answer. Any other number draws one that is the same for the same number. */
variant?: number,
/** As of `generate`, for the language model's prompt. */
keepPrompt?: boolean,
/** As of a summary. */
resume?: Resume | null, }
  | { "type": "suggestQuestions", page: PageInput, }
  | { "type": "preparePrompt", page: PageInput, task: PromptTask,
/** The longest prompt, in tokens, estimated from its letters. */
budgetTokens: number,
/** Which part of the page, from 0. */
part?: number, }
  | { "type": "attribute", page: PageInput,
/** At most 64 KiB are read. */
text: string, unsupported?: Unsupported, }
  | { "type": "testWriter", model: string, }
  | { "type": "tune", model: string, }
  | { "type": "evaluate", model: string, ids: Array<number>,
/** First position whose row is wanted. */
first: number,
/** Ids fed one by one after the prompt, each giving one more row (the decode path). */
decode?: Array<number>,
/** None where absent. */
lora?: LoraUse | null, }
  | { "type": "delete", name: string, }
  | { "type": "cancel", target: number, }
  | { "type": "detectLanguage", text: string, }
  | { "type": "ping", };

/** Where the bytes of a model or an adapter come from. Of a split model (`NAME-00001-of-00003.gguf`) any one address is enough: those of its other files follow from the last part of its path. */
export type ModelSource = { "type": "packaged", url: string, }
  | { "type": "url", url: string,
/** SHA-256 in hexadecimal, of the file or of each of a split model's in order. What differs is refused. */
sha256?: Array<string>, }
  | { "type": "file" }
  | { "type": "stored", name: string, };

/** Which executor to use. */
export type BackendChoice = "auto" | "webgpu" | "webgl2" | "cpu";

/** How keys and values are stored. The smaller ones hold more context in the same memory, and are less exact. */
export type CacheType = "f32" | "f16" | "q8_0" | "q4_0";

/** Which adapter a request uses. */
export type LoraUse = {
/** As it was loaded. */
name: string,
/** How strongly it acts: 1, the default, as it was trained, 0 not at all. */
scale?: number, };

/** What a model is to continue. */
export type Prompt = { "type": "chat", messages: Array<ChatMessage>,
/** The last message is the beginning of the assistant's answer, which is continued. The result has what follows. */
continueLast?: boolean,
/** What the model may call; at most 128. Needs a template that writes tool calls. */
tools?: Array<ToolSpec>,
/** The answer is a call of one of these tools, by their names, with arguments that meet the tool's schema. Reasoning may come before it. Any answer where absent. Excludes `format` and `stop`. */
mustCall?: Array<string> | null,
/** The answer ends with its first tool call. */
singleToolCall?: boolean,
/** Separates reasoning, content and tool calls, in `token` events and in the result. Implied by tools. */
parse?: boolean,
/** Whether the model is to reason, where its template has a switch. */
thinking?: boolean | null, }
  | { "type": "text", text: string, }
  | { "type": "ids", ids: Array<number>, };

/** One turn of a conversation. */
export type ChatMessage = {
/** "system", "user", "assistant", or "tool" for the result of a call. */
role: string,
/** Plain text. */
content: string,
/** Of an assistant: what it thought. */
reasoning?: string | null,
/** Of an assistant: what it called. */
toolCalls?: Array<ToolCall>,
/** Of a result: the call's id. */
toolCallId?: string | null,
/** Of a result: the tool's name. */
name?: string | null, };

/** A tool that a model may call. */
export type ToolSpec = {
/** At most 128 letters, digits and `_ - . : /`. */
name: string, description?: string,
/** JSON schema of the arguments, as JSON text. All tools together have at most 256 KiB. */
parameters: string,
/** If the model calls this tool, the arguments meet the schema. */
strict?: boolean, };

/** A call of a tool. */
export type ToolCall = {
/** As the model wrote it, or made up. */
id: string, name: string,
/** A JSON object, as JSON text. */
arguments: string, };

/** More of an answer, taken apart. */
export type MessageDelta = { "type": "content", text: string, }
  | { "type": "reasoning", text: string, }
  | { "type": "toolCall", index: number, id: string, name: string, }
  | { "type": "arguments", index: number, text: string, }
  | { "type": "toolCallEnd", index: number, };

/** An answer, taken apart. */
export type ParsedMessage = { content: string, reasoning: string, toolCalls: Array<ToolCall>, };

/** A chat template. */
export type Template = { "type": "model", model: string, }
  | { "type": "text", text: string, bosToken?: string, eosToken?: string, };

/** A time on the clock of whoever reads it. */
export type LocalTime = { year: number,
/** 1 to 12. */
month: number, day: number, hour: number, minute: number, second: number, };

/** How the next token is chosen. The defaults are greedy and repeatable. */
export type Sampling = {
/** 0 is greedy. */
temperature?: number,
/** 0 keeps all. */
topK?: number,
/** 0 or 1 keeps all. */
topP?: number,
/** 0 keeps all. */
minP?: number,
/** 0 or 1 is none. */
repetitionPenalty?: number,
/** Subtracted from the logit of every token among the last 64, -100 to 100. */
presencePenalty?: number,
/** Subtracted as often as the token occurs among the last 64, -100 to 100. */
frequencyPenalty?: number,
/** Added to the logits of these tokens: pairs of a token id and a number; at most 1,024. */
logitBias?: Array<[number, number]>,
/** Same seed, same text on the same device. Drawn at random where absent; `stats.seed` has it. */
seed?: number | null, };

/** A token with the natural logarithm of its probability, before penalties and temperature. */
export type Logprob = { id: number,
/** As text, alone; bytes that are no character appear as U+FFFD. */
token: string,
/** Its bytes. */
bytes: Array<number>, logprob: number, };

/** A token that was chosen, and the most probable ones in its place, best first. */
export type TokenLogprobs = { chosen: Logprob, top: Array<Logprob>, };

/** What happens when the context is full. */
export type Overflow = { "type": "stop" }
  | { "type": "slide",
/** The system message where absent; without one the model's own leading token. */
keep?: number | null, };

/** What a generated text has to be. It is cut short only where it reaches `maxTokens` or the end of the context. */
export type Format = { "type": "json" }
  | { "type": "jsonSchema", schema: unknown, }
  | { "type": "regex", pattern: string, }
  | { "type": "lark", grammar: string, };

/** A page, or the handle of one that was sent before. A worker knows the last pages only and refuses another handle with `page_unknown`; the page is then to be sent again. */
export type PageInput = { handle: string, } | Page;

/** A page after extraction. */
export type Page = {
/** Its title. */
title: string,
/** The author's own description, from its metadata. */
description?: string | null,
/** BCP 47 tag, where the page says one. */
language?: string | null,
/** What the page calls itself: types of schema.org ("Recipe") and `og:type`. */
types?: Array<string>,
/** Text blocks in page order. */
blocks: Array<Block>,
/** Where several pages are sent as one: the first block of each but the first. Questions are compared with each by itself. */
starts?: Array<number>, };

/** One block of a page's text. */
export type Block = {
/** What it is. */
kind: BlockKind,
/** Its text, white space collapsed. A block of kind "table" is one row of a table; TAB separates its cells. */
text: string,
/** The column header of each cell of a row, "" where a cell has none. Of other kinds it is not read. */
headers?: Array<string>,
/** Who wrote or says it, where a page has several people: a thread, a chat, an interview, captions. */
speaker?: string | null,
/** The level of a heading, 1 to 6; 0 where it has none. */
level?: number,
/** What the markup of a list says of an item. */
item?: ItemKind | null,
/** Votes of readers for the post that it is part of, those against it taken off, where the page counts them. */
votes?: number | null,
/** Whether the post is marked as the answer that helped. */
accepted?: boolean, };

/** Kinds of blocks. Paragraphs, list items and quotes are summarized; these, rows of tables and comments are searched for answers. A comment is what a reader wrote under an article. */
export type BlockKind = "heading" | "paragraph" | "listItem" | "quote" | "code" | "table" | "caption" | "comment";

/** Items of lists whose markup says more than that they are items: of a numbered list, a term, what explains a term. */
export type ItemKind = "ordered" | "term" | "definition";

/** How long a summary should be. */
export type SummaryLength = "short" | "medium" | "long";

/** Options of a summary. */
export type SummaryOptions = {
/** 3, 5 or 8 lines. */
length?: SummaryLength,
/** The name of a loaded language model that writes. What it may write is decided by its test, which is run where it was not run before: see `testWriter`. */
writer?: string | null,
/** What it writes. */
kind?: SummaryKind,
/** In which language, as a tag such as "de"; the page's where absent. */
targetLanguage?: string | null, unsupported?: Unsupported,
/** 0 is the most probable text. Any other number draws a text that is the same for the same number. */
variant?: number,
/** `written.resume` of the last draft of this request, which was not finished. */
resume?: Resume | null, };

/** What a language model writes of a page. */
export type SummaryKind = "keyPoints" | "tldr" | "teaser" | "headline" | "simple";

/** What becomes of a line that no passage supports, after a second draft. */
export type Unsupported = "replace" | "drop" | "mark";

/** A question of the same conversation, and its answer. */
export type Exchange = { question: string, answer: string, };

/** How exact products with quantized weights are. On GPUs only prompts have fast ones, and only where those were found to be faster; embedding models are always exact. */
export type Precision = "fast" | "exact";

/** What a text about a page is to be. */
export type PromptTask = { "type": "summarize", kind?: SummaryKind, length?: SummaryLength, }
  | { "type": "ask", question: string,
/** The conversation so far, oldest first. */
history?: Array<Exchange>, };

/** A prompt about a page, or a part of it. */
export type PreparedPrompt = {
/** Text of the page stands in a fence in them. Empty where the page does not answer the question. */
messages: Array<ChatMessage>,
/** Whether the page answers the question; true for a summary. */
answered: boolean,
/** In how many parts the page is read. */
parts: number,
/** The share of the page's words that is in this prompt, 0 to 1. */
shareRead: number,
/** The words of the page that are in this prompt. */
wordsRead: number, };

/** A text as far as it was written. With the same request, of the same page and by the same model, it goes on where it was: what it has is not written again. For another one it is not used. */
export type Resume = {
/** The model that writes. */
model: string,
/** What its prompts have around the text of the page. */
nonce: string, generations: Array<ResumedGeneration>, };

/** What a model wrote to one prompt. */
export type ResumedGeneration = {
/** A hash of the prompt. */
prompt: number,
/** Its tokens. */
ids: Array<number>, };

/** What of a page's prose lies beyond the limits of 4 MiB, 100,000 blocks and 12,000 sentences. All 0 for any ordinary page. */
export type LeftOut = {
/** UTF-16 code units at the end, which were not read. */
chars: number,
/** Blocks at the end, which were not read. */
blocks: number,
/** Sentences all over the page, which were read but not compared. */
sentences: number, };

/** What the worker posts. */
export type EventMessage = {
/** [`PROTOCOL_VERSION`](super::PROTOCOL_VERSION). */
version: number,
/** The request that it belongs to. */
id: number,
/** What happened. */
event: Event, };

/** What can happen to a request. */
export type Event = { "type": "progress", stage: Stage, done: number, total: number,
/** Of a download: bytes a second, of late. */
bytesPerS?: number,
/** Of a download: until it is whole, or until the next attempt. */
leftMs?: number, }
  | { "type": "begun" }
  | { "type": "token", text: string, logprobs?: Array<TokenLogprobs>,
/** The text taken apart, where that was asked for. What may become a marker comes later. */
deltas?: Array<MessageDelta>, }
  | { "type": "draft", summary: Summary, }
  | { "type": "answerDraft", answer: Answer, }
  | { "type": "done", result: Outcome, }
  | { "type": "failed", error: Failure, }
  | { "type": "fatal", error: Failure, }
  | { "type": "alive", lock: string, };

/** What takes time. */
export type Stage = "queue" | "elsewhere" | "download" | "paused" | "retry" | "verify" | "recover" | "load" | "compile" | "embed" | "test" | "tune" | "prefill" | "decode";

/** Numbers that arrive as one `Float32Array` instead of an array of numbers. */
export type Floats = Float32Array;

/** Files that the browser keeps. They travel as an array of `Blob`s. */
export type Blobs = Blob[];

/** Results by request. */
export type Outcome = { "type": "status", models: Array<ModelInfo>, stored: Array<StoredModel>,
/** Files that are no model that is known: to be kept or deleted, as the user likes. */
unknown: Array<UnknownFile>, store: StoreInfo, wasmHeapBytes: number,
/** What `auto` chose; `null` until a model was loaded with it. */
backend: BackendInfo | null, }
  | { "type": "loaded", model: ModelInfo, }
  | { "type": "stored", model: StoredModel, }
  | { "type": "fit", fit: Fit, }
  | { "type": "verified", damaged: Array<Damage>, repairedBytes: number, }
  | { "type": "files", names: Array<string>, files: Blobs, }
  | { "type": "memory", report: MemoryReport, }
  | { "type": "ok" }
  | { "type": "vectors", vectors: Array<Floats>, }
  | { "type": "ids", ids: Array<number>, }
  | { "type": "plain", text: string, }
  | { "type": "text",
/** What the model wrote, with the names of control tokens where it was taken apart. */
text: string,
/** The text taken apart, where that was asked for. */
message: ParsedMessage | null, ids: Array<number>,
/** One per id, where they were asked for. */
logprobs: Array<TokenLogprobs> | null, finishReason: FinishReason, stats: GenerationStats, }
  | { "type": "summary", summary: Summary, handle: string, }
  | { "type": "answer", answer: Answer, handle: string, }
  | { "type": "questions", questions: Array<string>, handle: string, }
  | { "type": "prompt", prompt: PreparedPrompt, handle: string, }
  | { "type": "attributed", lines: Array<WrittenLine>, passages: Array<Passage>, handle: string, }
  | { "type": "writerTest", test: WriterTest, }
  | { "type": "languages", languages: Array<DetectedLanguage>, }
  | { "type": "tuned", report: TuningReport, }
  | { "type": "logits", rows: number, cols: number, values: Floats, };

/** A language that a text may be in. */
export type DetectedLanguage = {
/** A primary subtag, such as "de". */
language: string,
/** Estimated from the text's function words and script. */
confidence: number, };

/** A resident model. */
export type ModelInfo = { name: string,
/** `general.name` of the file, or its architecture. */
title: string, architecture: string,
/** True for a model that gives vectors, not text. */
encoder: boolean, vocab: number, contextTokens: number, backend: BackendInfo,
/** Bytes of weights where they live, adapters included. */
weightsBytes: number, kvBytes: number, loadMs: number,
/** How much the wasm heap grew while loading. */
heapGrowthBytes: number,
/** True where the model was made for conversations: its file has a chat template, or its vocabulary ChatML's tokens. */
chat: boolean,
/** Names of its adapters. */
loras: Array<string>,
/** What it may write about pages; `null` before its test. */
tier: WriterTier | null, };

/** Which executor runs, on what, and why. */
export type BackendInfo = {
/** "webgpu", "webgl2" or "cpu". */
kind: string,
/** The GPU's name as the browser tells it, or the instruction set. */
device: string,
/** Why this one, as a sentence. */
reason: string, };

/** A model or an adapter in the store, whole or on its way. */
export type StoredModel = {
/** What `delete` and the source `stored` take; of a split model the name of its first file. */
name: string,
/** Its own name, once its header was read. */
title: string | null,
/** Where it came from; `null` for a local file that was kept. */
url: string | null,
/** Of all its files that are there. */
bytes: number,
/** Of all its files; `null` while a server has not said it. */
totalBytes: number | null,
/** Files that it consists of. */
files: number,
/** True where every byte of every file is there. The next download continues what is not whole. */
whole: boolean,
/** SHA-256 of each file in hexadecimal; `null` for those that are not whole. */
sha256: Array<string | null>,
/** Never proposed for deletion. */
pinned: boolean,
/** When it was last used, in milliseconds since 1970. */
lastUsedMs: number, };

/** A stored file of which nobody knows what it is: its record is damaged, or of a newer version. It stays until `delete` is asked to remove it by its name. */
export type UnknownFile = { name: string,
/** What it takes, at most. */
bytes: number,
/** Why nobody knows. */
why: string, };

/** Where files are stored, and how much more can be. */
export type StoreInfo = { kind: StoreKind,
/** What the site has stored; `null` where the browser does not tell. */
usedBytes: number | null,
/** What it may still store, as the browser estimates. */
freeBytes: number | null,
/** True where the browser promised not to delete it by itself. */
persisted: boolean,
/** What kept prompts take. */
promptBytes: number, };

/** A place for files. */
export type StoreKind = "auto" | "opfs" | "indexedDb" | "memory";

/** What `configure` changes; what is absent stays as it is. */
export type Settings = {
/** Where files are stored from now on. */
store?: StoreKind | null,
/** Models leave the memory when none was used for so long, and come back with the next request; 0 keeps them. */
idleMs?: number | null,
/** What all models together may take; 0 leaves it to what the device and the browser say. */
memoryBytes?: number | null,
/** A connection that is silent for so long is taken for dead. */
stallMs?: number | null,
/** Threads that the CPU computes with, of models that are loaded from now on, up to 8; 0, the default, takes as many as help. More than one needs a page that is cross-origin isolated. */
threads?: number | null,
/** What kept prompts may take on the disk, 512 MiB unless it is said. Those that were not used for longest go first; 0 deletes all and keeps none. */
promptBytes?: number | null,
/** Whether shapes of kernels are tried on models that are loaded from now on, when nothing else is to be done. Where absent, on GPUs that are not emulated. */
tune?: boolean | null, };

/** Whether a model fits, before its weights are downloaded. */
export type Fit = { verdict: Verdict,
/** Why, as a sentence for the user. */
reason: string, title: string, architecture: string,
/** Whether it gives vectors, not text. */
encoder: boolean,
/** As it was asked for. */
contextTokens: number, cacheType: CacheType,
/** What it would take so. */
need: MemoryUse,
/** What it may take. */
budgetBytes: number,
/** Where that figure comes from, as a sentence. */
budgetReason: string,
/** The largest that fits, where less than what was asked for does. */
suggestion: Suggestion | null,
/** Where it would run. */
backend: BackendInfo,
/** Of all files. */
fileBytes: number,
/** Still to be fetched. */
downloadBytes: number,
/** What may still be stored; `null` where the browser does not tell, or nothing has to be stored. */
freeBytes: number | null,
/** Stored models whose deletion would make room, those first that were not used for longest. Empty where there is room, or none can be made. */
couldDelete: Array<string>, };

/** An answer to "does it fit?". */
export type Verdict = "fits" | "fitsSmaller" | "tooLarge" | "noRoom";

/** A context that fits. */
export type Suggestion = { contextTokens: number, cacheType: CacheType, need: MemoryUse, };

/** What a model takes in memory. */
export type MemoryUse = { weightsBytes: number,
/** Keys, values, and states of recurrent layers. */
kvBytes: number,
/** Activations, tables, what is read back. */
scratchBytes: number, };

/** What is resident where. */
export type MemoryReport = { models: Array<ModelMemory>,
/** Buffers through which weights pass. */
stagingBytes: number,
/** The wasm memory, with the models that run on the CPU in it. It never shrinks. */
wasmHeapBytes: number,
/** Models that left the memory and come back with the next request for them. */
idle: Array<string>, };

/** A resident model's part of the memory. */
export type ModelMemory = { name: string,
/** "webgpu", "webgl2" or "cpu". */
kind: string,
/** As counted where it was allocated. */
memory: MemoryUse, };

/** What is wrong with a stored file. */
export type Damage = {
/** The file's name in the store. */
file: string, offsetBytes: number, lenBytes: number, };

/** Shapes of kernels that were tried on a model's matrices. */
export type TuningReport = {
/** The GPU. */
device: string,
/** What it copies from buffer to buffer, each byte counted for reading and for writing; `null` where kernels have one shape. */
copyBytesPerS: number | null,
/** Empty where kernels have one shape. */
choices: Array<TunedChoice>, };

/** Shapes that differ in one respect. */
export type TunedChoice = {
/** The kernel: "linear" or "attend". */
kernel: string,
/** The first one is that of the model as it is loaded. */
shapes: Array<TunedShape>,
/** Index of the shape that later loads use. */
fastest: number, };

/** A shape and what it took. */
export type TunedShape = { name: string,
/** Empty where it does not compile on this GPU. */
times: Array<TunedTime>, };

/** What a part of the model's steps took. */
export type TunedTime = {
/** In one run: a slice of a prompt, or 1. */
tokens: number,
/** The least of several measurements. */
ms: number,
/** Of weights that were read. */
weightBytes: number,
/** Multiplications and additions. */
operations: number, };

/** Why generation ended. */
export type FinishReason = "stop" | "length" | "context" | "toolCalls";

/** What a generation cost. */
export type GenerationStats = { promptTokens: number, tokens: number, prefillMs: number, decodeMs: number,
/** Buffers, pipelines and bind groups created while generating. The plan makes it 0. */
objectsCreated: number, dispatchesPerToken: number, submitsPerToken: number, queueWritesPerToken: number, readbackBytesPerToken: number, heapGrowthBytes: number,
/** Prompt tokens whose KV cache was reused from an earlier prompt (prefix caching). */
reusedTokens: number,
/** Of these, tokens that came from the disk. */
restoredTokens: number,
/** Slices in which the rest was read, also after the context was full. */
slices: number,
/** Tokens proposed by prompt-lookup decoding. */
drafted: number,
/** Proposed tokens that were accepted. */
accepted: number,
/** How often the context was full and the window slid on. */
slides: number,
/** Tokens that were decoded in steps that other requests shared. */
sharedTokens: number,
/** Devices that were lost meanwhile. Figures per token, and of objects, are those since the last of them. */
recoveries: number,
/** The seed that was used; null for greedy choice. */
seed: number | null, };

/** Comments of readers under an article. */
export type Comments = { count: number,
/** Words that most of them share, at most four; empty where none stands out. */
about: Array<string>, };

/** A kind that a page may be of. */
export type KindCandidate = { kind: string,
/** 0 to 1; over all kinds 1. */
confidence: number,
/** What spoke for it and against it, the weightiest first. */
signs: Array<KindSign>, };

/** What speaks for a kind, or against it where `weight` is below 0: about 1 for a weak sign, 2 for a strong one. */
export type KindSign = { name: string, weight: number, };

/** A summary whose every line knows its source. */
export type Summary = { title: string,
/** The author's own description, shown first. */
description: string | null,
/** Whether the first line says what the description says. */
isDescribed: boolean,
/** The kind of page: "recipe", "man-page"; "prose" where it is of no particular kind. See `docs/kinds.md`. */
kind: string,
/** How sure the kind is, 0 to 1. */
kindConfidence: number,
/** For inspection: the likeliest kinds, the first one first, with what spoke for them. */
kinds: Array<KindCandidate>,
/** What matters of the page, in the form that its kind needs: key sentences, and lines that are put together. */
lines: Array<Passage>,
/** The language of the page's text as a primary subtag ("en"), "und" where unknown. */
language: string, sentences: number, words: number,
/** What readers wrote under the article, which the lines leave out. */
comments: Comments | null, leftOut: LeftOut,
/** What the language model wrote, where one was asked for. */
written: WrittenText | null,
/** Why it wrote nothing, where one was asked for. */
notWritten: NotWritten | null, timeMs: number, };

/** The passages of a page that are closest to a question, best first; in page order where they are listed. */
export type Answer = { passages: Array<Passage>,
/** Whether the passages answer the question. */
answered: boolean,
/** Why these passages. */
reason: AnswerReason, leftOut: LeftOut,
/** The language of the page's text as a primary subtag ("en"), "und" where unknown. */
language: string,
/** The executor of the embedding model, where one took part. */
backend: BackendInfo | null,
/** Why no embedding model took part; null also where the question needs none. */
withoutEncoder: WithoutEncoder | null,
/** The language of a question that nothing answers, where the page is in another one that the model does not compare with it. */
askedIn?: string,
/** The answer in a language model's words, where one was asked for. */
written: WrittenText | null,
/** Why it wrote nothing, where one was asked for. */
notWritten: NotWritten | null, timeMs: number, };

/** A piece of the page's text. `page.blocks[block].text.slice(start, end)` in JavaScript is its text, unless it has `parts`: then its text is put together from these, and its place is that of the first one. */
export type Passage = { text: string,
/** Index into the page's blocks. */
block: number,
/** Start in the block's text, in UTF-16 code units. */
start: number,
/** End in the block's text, in UTF-16 code units. */
end: number, score: number,
/** Where it is a row of a table: the column header of each cell, "" where a cell has none. TAB separates the cells of `text`. */
headers: Array<string>,
/** The code that the passage announces ("Run this command:"): its first 1,000 characters. */
code: string | null,
/** Who wrote or says it; null where nobody is known, and where the text begins with the name. */
speaker: string | null,
/** The heading above a passage that answers a question, where it has much of that question. */
heading?: string,
/** What a line of a summary is put together from; empty for a piece of the page as it is. */
parts?: Array<PassagePart>, };

/** A part of a line that is put together. `page.blocks[block].text.slice(start, end)` in JavaScript is its text. */
export type PassagePart = { text: string,
/** Index into the page's blocks. */
block: number,
/** Start in the block's text, in UTF-16 code units. */
start: number,
/** End in the block's text, in UTF-16 code units. */
end: number, };

/** Why an answer has the passages that it has. */
export type AnswerReason = "answered" | "keySentences" | "listed" | "nothingToList" | "tooVague" | "notOnPage";

/** Why no embedding model took part. */
export type WithoutEncoder = "notLoaded" | "unknownLanguage";

/** A language model's text, with the passages that support it. */
export type WrittenText = { lines: Array<WrittenLine>,
/** What `sources` of the lines refer to. */
passages: Array<Passage>,
/** The title of the model. */
by: string, backend: BackendInfo,
/** In how many parts the model read the page. */
parts: number,
/** The share of the page's words that the model read, 0 to 1. */
shareRead: number,
/** The words of the page that the model read. */
wordsRead: number,
/** Tokens of all prompts. */
promptTokens: number,
/** Of these, tokens that an earlier prompt had in the context. */
reusedTokens: number,
/** Tokens that the model wrote, in all drafts. */
tokens: number,
/** Positions of the model's context. */
contextTokens: number,
/** From the request to the first line that stands. */
firstLineMs: number, timeMs: number,
/** Tokens of the model's thinking, which is not shown. */
thinkingTokens: number,
/** Why the last draft ended. */
finishReason: FinishReason,
/** Of a draft: what the same request is given as `resume` to go on with this text. */
resume?: Resume, };

/** A line that a language model wrote, or the page's sentence in its place. */
export type WrittenLine = { text: string,
/** Indices into `passages` of the text, the closest first. They are found by comparing the line with the page; what the model says about its sources is not used. */
sources: Array<number>, support: Support, };

/** Whether the page supports a line. */
export type Support = "copied" | "supported" | "unsupported" | "replaced" | "translated";

/** Why a language model was asked for and wrote nothing. */
export type NotWritten = "modelTooWeak" | "noTemplate" | "languageNotKnown" | "contextTooSmall" | "nothingSupported" | "notOnPage";

/** The result of `testWriter`. */
export type WriterTest = { tier: WriterTier,
/** Why, as a sentence. */
reason: string,
/** Tokens written per second. */
tokensPerS: number,
/** From the first request to its first token. */
firstTokenMs: number, lines: Array<WriterTestLine>, timeMs: number, };

/** What a model may write, by its test. */
export type WriterTier = "none" | "chat" | "shorten" | "write";

/** One task of a model's test. */
export type WriterTestLine = {
/** The sentence that it was given. */
source: string, written: string,
/** Whether what it wrote may stand. */
ok: boolean,
/** What speaks against it; empty where nothing does. */
why: string, };

/** An error as the page sees it. */
export type Failure = {
/** Stable, snake_case. One of the error catalogue. */
code: ErrorCode,
/** A sentence for the user. */
message: string,
/** What the user can do. */
help: string,
/** Technical details for a report. */
detail: string,
/** The HTTP status of a server's answer, if that answer is the error. */
status?: number, };

/** Every error code; docs/errors.md explains them. */
export type ErrorCode =
  | "not_gguf"
  | "truncated"
  | "bad_file"
  | "parts_missing"
  | "wrong_part"
  | "not_a_model"
  | "not_a_lora"
  | "wrong_base"
  | "tied_target"
  | "unsupported_version"
  | "unsupported_architecture"
  | "unsupported_tensor"
  | "unsupported_type"
  | "unsupported_tokenizer"
  | "no_tokenizer"
  | "no_chat_template"
  | "bad_template"
  | "disk_full"
  | "too_large"
  | "wrong_hash"
  | "source_changed"
  | "damaged"
  | "storage_unavailable"
  | "storage_failed"
  | "in_use"
  | "unknown_file"
  | "file_unreadable"
  | "no_gpu_adapter"
  | "gpu_adapter_unfit"
  | "device_lost"
  | "out_of_memory"
  | "cancelled"
  | "no_text"
  | "page_unknown"
  | "question_too_long"
  | "network_error"
  | "download_incomplete"
  | "http_status"
  | "protocol_version"
  | "bad_message"
  | "duplicate_id"
  | "model_not_loaded"
  | "lora_not_loaded"
  | "not_stored"
  | "wrong_model"
  | "context_full"
  | "bad_format"
  | "format_too_complex"
  | "grammar_unavailable"
  | "internal";

/** The sentences that the worker sends with each code. */
export const ERRORS: Readonly<Record<ErrorCode, { message: string; help: string }>> = {
  not_gguf: { message: "This file is not a GGUF model.", help: "Choose a file whose name ends in .gguf." },
  truncated: { message: "The model file is truncated.", help: "Download the file again; this copy is incomplete." },
  bad_file: { message: "The model file is damaged.", help: "Download the file again, or from another source." },
  parts_missing: { message: "Some files of this model are missing.", help: "Select all files together, from -00001-of-0000N.gguf to the last, or finish the download." },
  wrong_part: { message: "These files are not parts of one model.", help: "Select each file of one model once: the same name, numbered from 00001." },
  not_a_model: { message: "This file is a LoRA adapter, not a model.", help: "Load the model that it was trained for, then load this file as its LoRA adapter." },
  not_a_lora: { message: "This file is not a LoRA adapter.", help: "Choose a LoRA adapter in GGUF format, or load this file as a model." },
  wrong_base: { message: "The LoRA adapter does not fit this model.", help: "Use the LoRA adapter with the model that it was trained on." },
  tied_target: { message: "The LoRA adapter changes the token embedding, which this model shares with its output layer.", help: "Choose a LoRA adapter that does not change the token embedding." },
  unsupported_version: { message: "This GGUF version is not supported.", help: "Convert the model with a current version of llama.cpp." },
  unsupported_architecture: { message: "This model architecture is not supported yet.", help: "Choose a model with a supported architecture; the README lists them." },
  unsupported_tensor: { message: "The model has a tensor that is not supported yet.", help: "Choose another model; without this tensor the output would be wrong." },
  unsupported_type: { message: "The model's weight format is not supported yet.", help: "Choose another quantization of the model; the README lists the supported formats." },
  unsupported_tokenizer: { message: "The model's tokenizer is not supported yet.", help: "Choose another model." },
  no_tokenizer: { message: "The model file has no tokenizer.", help: "Choose a file that contains the vocabulary, or send token ids." },
  no_chat_template: { message: "The model has no chat template.", help: "Send plain text, or choose a chat model." },
  bad_template: { message: "The model's chat template rejected these messages.", help: "Alternate user and assistant messages, or send plain text." },
  disk_full: { message: "There is not enough disk space to store the model.", help: "Delete a stored model or free disk space, then try again." },
  too_large: { message: "This model does not fit into memory.", help: "Choose a smaller model or a shorter context, or load it anyway (force: true)." },
  wrong_hash: { message: "SHA-256 mismatch: the file is damaged or not the expected one.", help: "Download the file again, or from another source. To take it all the same, name the SHA-256 that it has." },
  source_changed: { message: "The file on the server has changed since it was stored.", help: "Delete the stored file, then download the new one." },
  damaged: { message: "The stored model is damaged.", help: "Repair it: only the damaged parts are downloaded again." },
  storage_unavailable: { message: "The browser does not allow this page to store files.", help: "Leave private browsing, or open the model from a local file; the page must be served by https." },
  storage_failed: { message: "Reading or writing the stored model failed.", help: "Try again; if it fails each time, delete the model and download it again." },
  in_use: { message: "Another tab or request uses the stored model.", help: "Wait until it has finished, or close that tab, then try again." },
  unknown_file: { message: "The record of this stored file cannot be read.", help: "Delete the file and download it again, or use the version of Pith that stored it." },
  file_unreadable: { message: "The chosen file cannot be read.", help: "Choose the file again; it may have been moved or changed." },
  no_gpu_adapter: { message: "The browser provides no GPU.", help: "Turn on hardware acceleration in the browser's settings, or use the CPU." },
  gpu_adapter_unfit: { message: "The GPU cannot run this model.", help: "Update the graphics driver, or use the CPU." },
  device_lost: { message: "The connection to the GPU was lost.", help: "Try again; if it happens often, use a smaller model or the CPU." },
  out_of_memory: { message: "There is not enough memory for this model.", help: "Close other tabs, or choose a smaller model or a shorter context." },
  cancelled: { message: "Cancelled.", help: "Start again at any time." },
  no_text: { message: "This page has no text to read.", help: "Open a page with an article, or select some text." },
  page_unknown: { message: "The worker does not have this page any more.", help: "Send the page again." },
  question_too_long: { message: "The question is too long.", help: "Use at most 1,000 characters." },
  network_error: { message: "The download failed.", help: "Check the connection and try again." },
  download_incomplete: { message: "The server did not send the whole file.", help: "Try again: the download goes on where it stopped. If it fails each time, use another source." },
  http_status: { message: "The server refused the download.", help: "Check the address; the file may have moved or require sign-in, or the server is busy." },
  protocol_version: { message: "The page and its worker have different versions.", help: "Reload the page or the extension." },
  bad_message: { message: "The worker did not understand the request.", help: "Reload the page; if it happens again, report it." },
  duplicate_id: { message: "Two open requests have the same id.", help: "Reload the page; if it happens again, report it." },
  model_not_loaded: { message: "The model is not loaded.", help: "Load the model first." },
  lora_not_loaded: { message: "The model has no LoRA adapter with this name.", help: "Load the LoRA adapter into the model first." },
  not_stored: { message: "There is no stored model with this name.", help: "Check the list of stored models." },
  wrong_model: { message: "This model does not support the request.", help: "Use a language model to generate text and an embedding model to compare texts." },
  context_full: { message: "The text is longer than the model's context.", help: "Shorten the text, or load the model with a longer context." },
  bad_format: { message: "The output format is not valid or not supported.", help: "Correct the JSON schema, the regular expression or the grammar; the details name the cause." },
  format_too_complex: { message: "The output format is too complex.", help: "Simplify the JSON schema, the regular expression or the grammar." },
  grammar_unavailable: { message: "The module for output formats could not be loaded.", help: "Check the connection and try again; the site must serve the package's grammar.wasm." },
  internal: { message: "Something went wrong inside Pith.", help: "Reload the page; if it happens again, report it with the details." },
};
