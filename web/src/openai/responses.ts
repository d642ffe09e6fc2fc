import type { ChatCompletions } from "./chat.js";
import { invalid, unsupported } from "./errors.js";
import { check, flag, formatOf, textOf } from "./params.js";
import { type Item, message, Output, toItem, type Unnumbered } from "./response-items.js";
import type {
  Response,
  ResponseFunctionTool,
  ResponseInputItem,
  ResponseParams,
  ResponseStreamEvent,
  ResponseToolChoice,
} from "./response-types.js";
import { Stream } from "./stream.js";
import type { ChatCompletion, FunctionCall, FunctionTool, MessageParam, Usage } from "./types.js";
import { chunksOf, controllerOf, newId, now, type RequestOptions } from "./write.js";

type Maybe<T> = T | null | undefined;

const KNOWN = [
  "model",
  "input",
  "instructions",
  "max_output_tokens",
  "temperature",
  "top_p",
  "text",
  "stream",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
];

/** `responses`: text and results of functions in, text and calls of functions out. */
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
    const { tool_choice, parallel_tool_calls } = params;
    const tools = readFunctions(params).map(toTool);
    const limits = { temperature, top_p, max_completion_tokens: max_output_tokens };
    const response_format = format && { response_format: format };
    const chat = { model, messages, ...limits, tools, tool_choice, parallel_tool_calls, ...response_format };
    const empty = begin(params);
    if (!flag("stream", params.stream)) {
      const answer = await this.#chat.create(chat, options);
      const choice = answer.choices[0];
      const { content, tool_calls: calls } = choice?.message ?? { content: null };
      const text = content ?? "";
      const output: Item[] = [
        ...(text || !calls ? [message(text, choice?.finish_reason === "length" ? "incomplete" : "completed")] : []),
        ...(calls ?? []).map(toItem),
      ];
      return finish(empty, output, choice?.finish_reason, answer.usage);
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
        say({ type: "response.created", response: empty });
        say({ type: "response.in_progress", response: empty });
        const output = new Output(say);
        let end: Maybe<string>;
        let usage: Usage | undefined;
        for await (const { choices, usage: last } of chunks) {
          end = choices[0]?.finish_reason ?? end;
          usage = last ?? usage;
          const { content, tool_calls = [] } = choices[0]?.delta ?? {};
          if (content) output.write(content);
          for (const { id, function: of } of tool_calls) {
            if (id) output.call(id, of.name ?? "");
            if (of.arguments) output.argue(of.arguments);
          }
        }
        const response = finish(empty, output.end(end === "length"), end, usage);
        const type = response.status === "incomplete" ? "response.incomplete" : "response.completed";
        say({ type, response });
      }),
      controller,
    );
  }
}

/** The functions of a request. */
const readFunctions = ({ tools }: ResponseParams): ResponseFunctionTool[] =>
  (tools ?? []).map((tool, at) => {
    if (tool?.type !== "function") throw unsupported(`tools[${at}].type: ${String(tool?.type).slice(0, 40)}`);
    return tool as ResponseFunctionTool;
  });

const toTool = ({ name, description, parameters, strict }: ResponseFunctionTool): FunctionTool => ({
  type: "function",
  function: { name, strict, ...(description && { description }), ...(parameters && { parameters }) },
});

function readInput({ input, instructions }: ResponseParams): MessageParam[] {
  const before: MessageParam[] = instructions ? [{ role: "system", content: instructions }] : [];
  if (typeof input === "string") return [...before, { role: "user", content: input }];
  if (!Array.isArray(input)) throw invalid("input", '"input" must be a text or a list of messages.');
  const turns = (input as ResponseInputItem[]).map((item, at): MessageParam => {
    const { type, role, content, call_id, name, arguments: text, output } = item;
    // What these are is checked with the other messages.
    if (type === "function_call") {
      const call = { id: call_id, type: "function", function: { name, arguments: text } } as FunctionCall;
      return { role: "assistant", tool_calls: [call] };
    }
    if (type === "function_call_output")
      return { role: "tool", tool_call_id: call_id as string, content: textOf(output, `input[${at}].output`) };
    if (type !== undefined && type !== "message") throw unsupported(`input[${at}].type: ${String(type).slice(0, 40)}`);
    return { role: role as MessageParam["role"], content: textOf(content, `input[${at}].content`) };
  });
  return [...before, ...turns];
}

function begin(params: ResponseParams): Response {
  const { model, instructions, max_output_tokens, temperature, top_p } = params;
  const tools = readFunctions(params);
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
    parallel_tool_calls: params.parallel_tool_calls ?? true,
    temperature: temperature ?? 1,
    tool_choice: tools.length > 0 ? ((params.tool_choice ?? "auto") as ResponseToolChoice) : "none",
    tools,
    top_p: top_p ?? 1,
  };
}

function finish(
  empty: Response,
  output: Item[],
  end: Maybe<string>,
  usage: ChatCompletion["usage"] | undefined,
): Response {
  const status = end === "length" ? "incomplete" : "completed";
  const texts = output.flatMap((item) => (item.type === "message" ? item.content.map(({ text }) => text) : []));
  return {
    ...empty,
    status,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    output,
    output_text: texts.join(""),
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
