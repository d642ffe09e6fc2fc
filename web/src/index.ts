export { Pith } from "./client.js";
export { type ErrorCode, type ErrorData, PithError } from "./errors.js";
export { Generation, type GenerationResult } from "./generation.js";
export type {
  Answer,
  AskOptions,
  EvaluateOptions,
  GenerateOptions,
  LoadOptions,
  ModelInput,
  OpenOptions,
  Progress,
  PromptInput,
  RequestOptions,
  Rows,
  Status,
  SummarizeOptions,
} from "./options.js";
export type {
  BackendChoice,
  BackendInfo,
  Block,
  BlockKind,
  ChatMessage,
  Finish,
  GenerationStats,
  ModelInfo,
  Page,
  Passage,
  Prompt,
  Sampling,
  Stage,
  StoredModel,
  Summary,
  SummaryLength,
} from "./protocol.gen.js";
