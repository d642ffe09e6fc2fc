// Shapes of OpenAI's Responses API, as far as this one has them.

import type { ResponseFormat } from "./types.js";

type Maybe<T> = T | null | undefined;

/** A message of the input, a call of a function or its result. Contents are text. */
export interface ResponseInputItem {
  type?: string;
  role?: string;
  content?: unknown;
  call_id?: unknown;
  name?: unknown;
  arguments?: unknown;
  output?: unknown;
}

/** A function that the model may call. */
export interface ResponseFunctionTool {
  type: "function";
  name: string;
  description?: string | null;
  parameters: Record<string, unknown> | null;
  strict: boolean | null;
}

export type ResponseToolChoice =
  | "none"
  | "auto"
  | "required"
  | { type: "function"; name: string }
  | { type: "allowed_tools"; mode: "auto" | "required"; tools: { [key: string]: unknown }[] };

export interface ResponseParams {
  model: string;
  input: string | readonly ResponseInputItem[];
  instructions?: Maybe<string>;
  max_output_tokens?: Maybe<number>;
  temperature?: Maybe<number>;
  top_p?: Maybe<number>;
  text?: Maybe<{ format?: Maybe<ResponseFormat>; verbosity?: unknown }>;
  stream?: Maybe<boolean>;
  /** Functions. */
  tools?: readonly (ResponseFunctionTool | { type: string })[];
  /** `auto`, `none`, `required`, a function, or `allowed_tools`. */
  tool_choice?: unknown;
  parallel_tool_calls?: Maybe<boolean>;
}

export interface ResponseOutputText {
  type: "output_text";
  text: string;
  annotations: never[];
}

export interface ResponseOutputMessage {
  id: string;
  type: "message";
  role: "assistant";
  status: "in_progress" | "completed" | "incomplete";
  content: ResponseOutputText[];
}

/** A call of a function; the arguments are JSON text. */
export interface ResponseFunctionCall {
  id: string;
  type: "function_call";
  call_id: string;
  name: string;
  arguments: string;
  status: "in_progress" | "completed";
}

export interface ResponseUsage {
  input_tokens: number;
  input_tokens_details: { cached_tokens: number; cache_write_tokens: number };
  output_tokens: number;
  output_tokens_details: { reasoning_tokens: number };
  total_tokens: number;
}

/** The answer of `responses`. Nothing is stored: `previous_response_id` is refused. */
export interface Response {
  id: string;
  object: "response";
  access_programs: null;
  created_at: number;
  model: string;
  status: "in_progress" | "completed" | "incomplete";
  error: null;
  incomplete_details: { reason: "max_output_tokens" } | null;
  instructions: string | null;
  max_output_tokens: number | null;
  metadata: Record<string, string>;
  output: (ResponseOutputMessage | ResponseFunctionCall)[];
  /** The text of all of `output`. */
  output_text: string;
  parallel_tool_calls: boolean;
  temperature: number;
  tool_choice: ResponseToolChoice;
  tools: ResponseFunctionTool[];
  top_p: number;
  usage?: ResponseUsage;
}

export interface Numbered {
  sequence_number: number;
}

interface InOutput extends Numbered {
  item_id: string;
  output_index: number;
}

export type ResponseStreamEvent =
  | (Numbered & {
      type: "response.created" | "response.in_progress" | "response.completed" | "response.incomplete";
      response: Response;
    })
  | (Numbered & {
      type: "response.output_item.added" | "response.output_item.done";
      output_index: number;
      item: ResponseOutputMessage | ResponseFunctionCall;
    })
  | (InOutput & { type: "response.function_call_arguments.delta"; delta: string })
  | (InOutput & { type: "response.function_call_arguments.done"; name: string; arguments: string })
  | (InOutput & {
      type: "response.content_part.added" | "response.content_part.done";
      content_index: number;
      part: ResponseOutputText;
    })
  | (InOutput & { type: "response.output_text.delta"; content_index: number; delta: string; logprobs: never[] })
  | (InOutput & { type: "response.output_text.done"; content_index: number; text: string; logprobs: never[] });
