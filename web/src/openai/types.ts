// Shapes of OpenAI's API, as far as this one has them. A test compares them with the types of the npm package `openai`.
type Maybe<T> = T | null | undefined;

export interface TextPart {
  type: "text";
  text: string;
}

/** A message of a request. Contents are text. */
export interface MessageParam {
  role: "developer" | "system" | "user" | "assistant" | "tool" | "function";
  content?: Maybe<string | readonly ({ type: string } | TextPart)[]>;
  /** Of an assistant's message. */
  tool_calls?: readonly ({ type: string } | FunctionCall)[];
  reasoning_content?: string;
  /** The call of which a message of the role `tool` has the result. */
  tool_call_id?: string;
  name?: string;
}

/** A function that the model may call. */
export interface FunctionTool {
  type: "function";
  function: { name: string; description?: string; parameters?: Record<string, unknown>; strict?: Maybe<boolean> };
}

/** What requests for text have in common. */
export interface SamplingParams {
  /** The name of a loaded model, or the id of a known one. */
  model: string;
  /** 1 by default, as in OpenAI's API. */
  temperature?: Maybe<number>;
  top_p?: Maybe<number>;
  presence_penalty?: Maybe<number>;
  frequency_penalty?: Maybe<number>;
  logit_bias?: Maybe<Record<string, number>>;
  seed?: Maybe<number>;
  stop?: Maybe<string | string[]>;
  /** How many answers, at most 128. They are written one after the other. */
  n?: Maybe<number>;
  stream?: Maybe<boolean>;
  stream_options?: Maybe<{ include_usage?: boolean; include_obfuscation?: boolean }>;
}

/** `text`, `json_object` or `json_schema`. */
export interface ResponseFormat {
  type: string;
  json_schema?: { schema?: Record<string, unknown> };
  /** In `responses`. */
  schema?: Record<string, unknown>;
}

export interface ChatCompletionParams extends SamplingParams {
  messages: readonly MessageParam[];
  max_completion_tokens?: Maybe<number>;
  /** Older name of `max_completion_tokens`. */
  max_tokens?: Maybe<number>;
  logprobs?: Maybe<boolean>;
  top_logprobs?: Maybe<number>;
  response_format?: Maybe<ResponseFormat>;
  /** Functions, at most 128. */
  tools?: readonly (FunctionTool | { type: string })[];
  /** `auto`, `none`, `required`, a function, or `allowed_tools`. */
  tool_choice?: unknown;
  /** False: the answer ends with its first call. */
  parallel_tool_calls?: Maybe<boolean>;
}

export interface CompletionParams extends SamplingParams {
  prompt: string | readonly string[] | readonly number[] | readonly (readonly number[])[] | null;
  /** 16 by default, as in OpenAI's API. */
  max_tokens?: Maybe<number>;
  logprobs?: Maybe<number>;
  echo?: Maybe<boolean>;
}

export interface EmbeddingParams {
  model: string;
  input: string | readonly string[] | readonly number[] | readonly (readonly number[])[];
  encoding_format?: Maybe<"float" | "base64">;
}

export interface Usage {
  prompt_tokens: number;
  completion_tokens: number;
  total_tokens: number;
  /** Of the prompt, what an earlier request had read. */
  prompt_tokens_details: { cached_tokens: number };
}

export interface TopLogprob {
  token: string;
  bytes: number[] | null;
  logprob: number;
}

export interface TokenLogprob extends TopLogprob {
  top_logprobs: TopLogprob[];
}

export interface ChoiceLogprobs {
  content: TokenLogprob[] | null;
  refusal: null;
}

export type ChatFinishReason = "stop" | "length" | "tool_calls";

/** A call of a function; the arguments are JSON text. */
export interface FunctionCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

/** More of a call: id, type and name come first, once. */
export interface FunctionCallDelta {
  index: number;
  id?: string;
  type?: "function";
  function: { name?: string; arguments?: string };
}

export interface AssistantMessage {
  role: "assistant";
  content: string | null;
  refusal: null;
  /** What a reasoning model thought before its answer. */
  reasoning_content?: string;
  tool_calls?: FunctionCall[];
}

export interface ChatCompletion {
  id: string;
  object: "chat.completion";
  /** Seconds since 1970. */
  created: number;
  model: string;
  choices: {
    index: number;
    message: AssistantMessage;
    finish_reason: ChatFinishReason;
    logprobs: ChoiceLogprobs | null;
  }[];
  usage: Usage;
}

export interface ChatCompletionDelta {
  role?: "assistant";
  content?: string | null;
  reasoning_content?: string;
  tool_calls?: FunctionCallDelta[];
}

export interface ChatCompletionChunk {
  id: string;
  object: "chat.completion.chunk";
  created: number;
  model: string;
  choices: {
    index: number;
    delta: ChatCompletionDelta;
    finish_reason: ChatFinishReason | null;
    logprobs: ChoiceLogprobs | null;
  }[];
  /** In the last chunk, with `include_usage`; null in the others then. */
  usage?: Usage | null;
}

export interface CompletionLogprobs {
  tokens: string[];
  token_logprobs: number[];
  top_logprobs: Record<string, number>[];
  /** Where each token begins in the text, in UTF-16 units. */
  text_offset: number[];
}

/** The answer of `completions`; with `stream` each chunk is one, with the text since the last. */
export interface Completion {
  id: string;
  object: "text_completion";
  created: number;
  model: string;
  choices: { index: number; text: string; finish_reason: "stop" | "length"; logprobs: CompletionLogprobs | null }[];
  usage?: Usage;
}

export interface EmbeddingResponse {
  object: "list";
  data: { object: "embedding"; index: number; embedding: number[] }[];
  model: string;
  usage: { prompt_tokens: number; total_tokens: number };
}

export interface Model {
  id: string;
  object: "model";
  created: number;
  owned_by: string;
}
