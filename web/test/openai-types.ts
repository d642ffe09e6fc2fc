// Compiled, never run: code that was written for the npm package `openai` compiles with our client, and what it returns has that package's types.
import type OpenAISdk from "openai";
import type { ChatCompletionCreateParamsNonStreaming } from "openai/resources/chat/completions";
import type {
  ChatCompletion,
  ChatCompletionChunk,
  ChatCompletionParams,
  Completion,
  CompletionParams,
  EmbeddingParams,
  EmbeddingResponse,
  Model,
  OpenAI,
  Response,
  ResponseParams,
  ResponseStreamEvent,
} from "../src/openai/index.js";

/** Compiles where `From` can stand where `To` is wanted. */
type Fits<From extends To, To> = From;

/** `usage` of a chunk, and of a completion, is a promise of fewer details than OpenAI's. */
export type Results = [
  Fits<ChatCompletion, OpenAISdk.Chat.ChatCompletion>,
  Fits<ChatCompletionChunk, OpenAISdk.Chat.ChatCompletionChunk>,
  Fits<Completion, OpenAISdk.Completion>,
  Fits<EmbeddingResponse, OpenAISdk.CreateEmbeddingResponse>,
  Fits<Model, OpenAISdk.Model>,
  Fits<Response, OpenAISdk.Responses.Response>,
  Fits<ResponseStreamEvent, OpenAISdk.Responses.ResponseStreamEvent>,
];

/** Every request of the package can be given to ours; what it asks for beyond our parameters is refused when it runs. */
export type Requests = [
  Fits<OpenAISdk.Chat.ChatCompletionCreateParams, ChatCompletionParams>,
  Fits<OpenAISdk.CompletionCreateParams, CompletionParams>,
  Fits<OpenAISdk.EmbeddingCreateParams, EmbeddingParams>,
  Fits<OpenAISdk.Responses.ResponseCreateParams & { model: string; input: string }, ResponseParams>,
];

/** A page's code, with either client. */
export async function chat(client: OpenAI | OpenAISdk): Promise<string> {
  const params: ChatCompletionCreateParamsNonStreaming = {
    model: "smollm2-135m-instruct",
    messages: [
      { role: "developer", content: "Answer in one word." },
      { role: "user", content: [{ type: "text", text: "Which color is the sky?" }] },
    ],
    temperature: 0,
  };
  // Both are called in turn: methods of a union cannot be overloaded.
  const answer =
    "pith" in client ? await client.chat.completions.create(params) : await client.chat.completions.create(params);
  return answer.choices[0]?.message.content ?? "";
}

export async function stream(client: OpenAI): Promise<string> {
  const chunks = await client.chat.completions.create({
    model: "smollm2-135m-instruct",
    messages: [{ role: "user", content: "Hello" }],
    stream: true,
    stream_options: { include_usage: true },
  });
  let text = "";
  for await (const chunk of chunks) text += chunk.choices[0]?.delta.content ?? "";
  return text;
}
