import type { ChatCompletions } from "./chat.js";
import { invalid, unsupported } from "./errors.js";
import { check, flag, formatOf, textOf } from "./params.js";
import type {
  Numbered,
  Response,
  ResponseInputItem,
  ResponseOutputMessage,
  ResponseParams,
  ResponseStreamEvent,
} from "./response-types.js";
import { Stream } from "./stream.js";
import type { ChatCompletion, MessageParam, Usage } from "./types.js";
import { chunksOf, controllerOf, newId, now, type RequestOptions } from "./write.js";

type Maybe<T> = T | null | undefined;

type Unnumbered = ResponseStreamEvent extends infer E
  ? E extends Numbered
    ? Omit<E, "sequence_number">
    : never
  : never;

const KNOWN = ["model", "input", "instructions", "max_output_tokens", "temperature", "top_p", "text", "stream"];

/** `responses`: text in, text out. */
export class Responses {
  readonly #chat: ChatCompletions;

  constructor(chat: ChatCompletions) {
    this.#chat = chat;
  }

  /** An answer, or with `stream: true` the events that build it. */
  create(params: ResponseParams & { stream: true }, options?: RequestOptions): Promise<Stream<ResponseStreamEvent>>;
  create(params: ResponseParams & { stream?: false | null }, options?: RequestOptions): Promise<Response>;
  create(params: ResponseParams, options?: RequestOptions): Promise<Response | Stream<ResponseStreamEvent>>;
  async create(params: ResponseParams, options: RequestOptions = {}): Promise<Response | Stream<ResponseStreamEvent>> {
    check(params, KNOWN);
    const { model, temperature, top_p, max_output_tokens, text } = params;
    const format = text?.format;
    formatOf("text.format", format, null);
    const messages = readInput(params);
    const chat = {
      model,
      messages,
      temperature,
      top_p,
      max_completion_tokens: max_output_tokens,
      ...(format && { response_format: format }),
    };
    const empty = begin(params);
    if (!flag("stream", params.stream)) {
      const answer = await this.#chat.create(chat, options);
      const choice = answer.choices[0];
      return finish(empty, newId("msg_"), choice?.message.content ?? "", choice?.finish_reason, answer.usage);
    }
    const controller = controllerOf(options);
    const chunks = await this.#chat.create(
      { ...chat, stream: true, stream_options: { include_usage: true } },
      controller,
    );
    return new Stream(
      chunksOf<ResponseStreamEvent>(async (send) => {
        let sequence_number = 0;
        const say = (event: Unnumbered): void =>
          send({ ...event, sequence_number: sequence_number++ } as ResponseStreamEvent);
        const id = newId("msg_");
        const place = { item_id: id, output_index: 0, content_index: 0 };
        const message: ResponseOutputMessage = {
          id,
          type: "message",
          role: "assistant",
          status: "in_progress",
          content: [],
        };
        say({ type: "response.created", response: empty });
        say({ type: "response.in_progress", response: empty });
        say({ type: "response.output_item.added", output_index: 0, item: message });
        say({
          type: "response.content_part.added",
          ...place,
          part: { type: "output_text", text: "", annotations: [] },
        });
        let written = "";
        let end: Maybe<string>;
        let usage: Usage | undefined;
        for await (const { choices, usage: last } of chunks) {
          const delta = choices[0]?.delta.content ?? "";
          end = choices[0]?.finish_reason ?? end;
          usage = last ?? usage;
          if (!delta) continue;
          written += delta;
          say({ type: "response.output_text.delta", ...place, delta, logprobs: [] });
        }
        const response = finish(empty, id, written, end, usage);
        const item = response.output[0];
        const part = item?.content[0];
        if (!item || !part) return;
        say({ type: "response.output_text.done", ...place, text: written, logprobs: [] });
        say({ type: "response.content_part.done", ...place, part });
        say({ type: "response.output_item.done", output_index: 0, item });
        const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
        say({ type, response });
      }),
      controller,
    );
  }
}

function readInput({ input, instructions }: ResponseParams): MessageParam[] {
  const before: MessageParam[] = instructions ? [{ role: "system", content: instructions }] : [];
  if (typeof input === "string") return [...before, { role: "user", content: input }];
  if (!Array.isArray(input)) throw invalid("input", '"input" must be a text or a list of messages.');
  const turns = (input as ResponseInputItem[]).map(({ type, role, content }, at): MessageParam => {
    if (type !== undefined && type !== "message") throw unsupported(`input[${at}].type: ${String(type).slice(0, 40)}`);
    return { role: role as MessageParam["role"], content: textOf(content, `input[${at}].content`) };
  });
  return [...before, ...turns];
}

function begin({ model, instructions, max_output_tokens, temperature, top_p }: ResponseParams): Response {
  return {
    id: newId("resp_"),
    object: "response",
    access_programs: null,
    created_at: now(),
    model,
    status: "in_progress",
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: max_output_tokens ?? null,
    metadata: {},
    output: [],
    output_text: "",
    parallel_tool_calls: true,
    temperature: temperature ?? 1,
    tool_choice: "none",
    tools: [],
    top_p: top_p ?? 1,
  };
}

function finish(
  empty: Response,
  id: string,
  text: string,
  end: Maybe<string>,
  usage: ChatCompletion["usage"] | undefined,
): Response {
  const status = end === "length" ? "incomplete" : "completed";
  const item: ResponseOutputMessage = {
    id,
    type: "message",
    role: "assistant",
    status,
    content: [{ type: "output_text", text, annotations: [] }],
  };
  return {
    ...empty,
    status,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    output: [item],
    output_text: text,
    ...(usage && {
      usage: {
        input_tokens: usage.prompt_tokens,
        // What is read is kept for the next request: all of it was written to the cache that was not there.
        input_tokens_details: {
          cached_tokens: usage.prompt_tokens_details.cached_tokens,
          cache_write_tokens: usage.prompt_tokens - usage.prompt_tokens_details.cached_tokens,
        },
        output_tokens: usage.completion_tokens,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: usage.total_tokens,
      },
    }),
  };
}
