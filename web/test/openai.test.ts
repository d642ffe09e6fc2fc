import { afterEach, describe, expect, it } from "vitest";
import type { Pith } from "../src/index.js";
import { OpenAI, OpenAIError, type ChatCompletionChunk } from "../src/openai/index.js";
import { Stream } from "../src/openai/stream.js";
import type { Event, MessageDelta, ParsedMessage, RequestMessage, TokenLogprobs } from "../src/protocol.gen.js";
import { model, openScripted, stats, status } from "./endpoint.js";

let open: Pith | undefined;
afterEach(() => open?.close());

type Answer = (request: RequestMessage["request"], send: (event: Event) => void) => boolean | void;

/** A client whose worker has the model "language" loaded and answers as `answer` says. */
async function start(answer: Answer = () => false): Promise<{ client: OpenAI; seen: RequestMessage["request"][] }> {
  const { pith, script } = await openScripted({ ...status, models: [{ ...model, chat: true }] });
  open = pith;
  const seen: RequestMessage["request"][] = [];
  const push = script.seen.push.bind(script.seen);
  script.seen.push = (...messages): number => {
    for (const { id, request } of messages) {
      seen.push(request);
      const send = (event: Event): void => script.send(id, event);
      if (!answer(request, send) && request.type === "applyTemplate")
        send({ type: "done", result: { type: "plain", text: "<|assistant|>" } });
    }
    return push(...messages);
  };
  return { client: new OpenAI(pith), seen };
}

const token = (text: string, logprob = -0.5): TokenLogprobs => {
  const chosen = { id: 7, token: text, bytes: [...new TextEncoder().encode(text)], logprob };
  return { chosen, top: [chosen] };
};

/** Writes these pieces, and says that they were `finish`. */
const writes =
  (pieces: readonly string[], finishReason: "stop" | "length" | "context" = "stop"): Answer =>
  (request, send) => {
    if (request.type !== "generate") return false;
    const logprobs = request.logprobs === null || request.logprobs === undefined ? [] : undefined;
    const isChat = request.prompt.type === "chat";
    for (const text of pieces) {
      const deltas: MessageDelta[] = isChat ? [{ type: "content", text }] : [];
      send({ type: "token", text, logprobs: logprobs ?? [token(text)], deltas });
    }
    const text = pieces.join("");
    const message = isChat ? { content: text, reasoning: "", toolCalls: [] } : null;
    const all = logprobs ? null : pieces.map((piece) => token(piece));
    send({
      type: "done",
      result: { type: "text", text, message, ids: [7], logprobs: all, finishReason, stats: { ...stats, seed: 1 } },
    });
    return true;
  };

/** Writes an answer that the worker took apart. */
const parsed =
  (deltas: readonly MessageDelta[], message: ParsedMessage, finishReason: "stop" | "toolCalls"): Answer =>
  (request, send) => {
    if (request.type !== "generate") return false;
    for (const delta of deltas) send({ type: "token", text: "", deltas: [delta] });
    send({
      type: "done",
      result: { type: "text", text: "", message, ids: [7], logprobs: null, finishReason, stats: { ...stats, seed: 1 } },
    });
    return true;
  };

const hello = { model: "language", messages: [{ role: "user" as const, content: "Hello" }] };

describe("chat.completions", () => {
  it.each([
    [{ type: "text" }, undefined],
    [{ type: "json_object" }, { type: "json" }],
    [
      { type: "json_schema", json_schema: { name: "a", schema: { type: "array" }, strict: true } },
      { type: "jsonSchema", schema: { type: "array" } },
    ],
  ])("asks for the format %j", async (response_format, format) => {
    const { client, seen } = await start(writes(["[]"]));
    await client.chat.completions.create({ ...hello, response_format });
    const generate = seen.find(({ type }) => type === "generate");
    expect(generate).toMatchObject({ format: format ?? null });
  });

  it("asks for the format of a response", async () => {
    const { client, seen } = await start(writes(["[]"]));
    const schema = { type: "array" };
    const text = { format: { type: "json_schema", name: "a", schema } };
    expect((await client.responses.create({ model: "language", input: "Hello", text })).output_text).toBe("[]");
    expect(seen.find(({ type }) => type === "generate")).toMatchObject({ format: { type: "jsonSchema", schema } });
  });

  it("answers in OpenAI's shape", async () => {
    const { client, seen } = await start(writes(["Good ", "morning."]));
    const answer = await client.chat.completions.create({
      ...hello,
      temperature: 0,
      stop: "END",
      max_completion_tokens: 9,
    });
    expect(answer).toMatchObject({
      object: "chat.completion",
      model: "language",
      choices: [
        {
          index: 0,
          message: { role: "assistant", content: "Good morning.", refusal: null },
          finish_reason: "stop",
          logprobs: null,
        },
      ],
      usage: { prompt_tokens: 1, completion_tokens: 3, total_tokens: 4, prompt_tokens_details: { cached_tokens: 0 } },
    });
    expect(answer.id).toMatch(/^chatcmpl-[0-9a-z]{24}$/);
    expect(seen.find(({ type }) => type === "generate")).toMatchObject({
      prompt: { type: "chat", messages: [{ role: "user", content: "Hello" }] },
      sampling: { temperature: 0, topP: 1 },
      stop: ["END"],
      maxTokens: 9,
    });
  });

  it("streams chunks, and the usage where it is wanted", async () => {
    const { client } = await start(writes(["Good ", "morning."], "length"));
    const stream = await client.chat.completions.create({
      ...hello,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: ChatCompletionChunk[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: "assistant", content: "" },
      { content: "Good " },
      { content: "morning." },
      {},
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, null, "length", undefined]);
    expect(chunks.map(({ usage }) => usage?.total_tokens ?? usage)).toEqual([null, null, null, null, 4]);
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  });

  it("gives log probabilities, streamed or not", async () => {
    const { client } = await start(writes(["é"]));
    const asked = { ...hello, logprobs: true, top_logprobs: 1 };
    const found = { token: "é", bytes: [0xc3, 0xa9], logprob: -0.5 };
    const wanted = { content: [{ ...found, top_logprobs: [found] }], refusal: null };
    expect((await client.chat.completions.create(asked)).choices[0]?.logprobs).toEqual(wanted);
    const stream = await client.chat.completions.create({ ...asked, stream: true });
    const seen = [];
    for await (const { choices } of stream) if (choices[0]?.logprobs) seen.push(choices[0].logprobs);
    expect(seen).toEqual([wanted]);
  });

  it("says -9999 for a token that could not be drawn: JSON has no infinity", async () => {
    const found = token("a", -Infinity);
    const { client } = await start((request, send) => {
      if (request.type !== "generate") return false;
      const message = { content: "a", reasoning: "", toolCalls: [] };
      const result = { type: "text" as const, text: "a", message, ids: [7], logprobs: [found] };
      send({ type: "done", result: { ...result, finishReason: "stop", stats } });
      return true;
    });
    const { choices } = await client.chat.completions.create({ ...hello, logprobs: true, top_logprobs: 1 });
    const said = choices[0]?.logprobs?.content?.[0];
    expect([said?.logprob, said?.top_logprobs[0]?.logprob]).toEqual([-9999, -9999]);
  });

  it("writes several answers with seeds of their own, and counts the prompt once", async () => {
    const { client, seen } = await start(writes(["a"]));
    const answer = await client.chat.completions.create({ ...hello, n: 3, seed: 41 });
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 1, completion_tokens: 9, total_tokens: 10 });
    const seeds = seen.flatMap((request) => (request.type === "generate" ? [request.sampling?.seed] : []));
    expect(seeds).toEqual([41, 42, 43]);
  });

  it("writes several answers at once", async () => {
    const waiting: (() => void)[] = [];
    const write = writes(["a"]);
    const { client } = await start((request, send) => {
      if (request.type !== "generate") return false;
      // None comes before all were asked for.
      waiting.push(() => void write(request, send));
      if (waiting.length === 3) for (const go of waiting.toReversed()) go();
      return true;
    });
    const answer = await client.chat.completions.create({ ...hello, n: 3 });
    expect(answer.choices.map(({ index }) => index)).toEqual([0, 1, 2]);
  });

  it("keeps thoughts apart from the answer", async () => {
    const deltas: MessageDelta[] = [
      { type: "reasoning", text: "Hm" },
      { type: "reasoning", text: "m." },
      { type: "content", text: "Yes." },
    ];
    const { client } = await start(parsed(deltas, { content: "Yes.", reasoning: "Hmm.", toolCalls: [] }, "stop"));
    const { message } = (await client.chat.completions.create(hello)).choices[0]!;
    expect(message).toMatchObject({ content: "Yes.", reasoning_content: "Hmm." });
    const found = [];
    for await (const { choices } of await client.chat.completions.create({ ...hello, stream: true }))
      found.push(choices[0]?.delta);
    expect(found.map((delta) => delta?.reasoning_content ?? "").join("")).toBe("Hmm.");
    expect(found.map((delta) => delta?.content ?? "").join("")).toBe("Yes.");
  });

  it("offers functions, and reports calls whole and in pieces", async () => {
    const toolCalls = [{ id: "abc", name: "weather", arguments: '{"city": "Rome"}' }];
    const deltas: MessageDelta[] = [
      { type: "toolCall", index: 0, id: "abc", name: "weather" },
      { type: "arguments", index: 0, text: '{"city": ' },
      { type: "arguments", index: 0, text: '"Rome"}' },
      { type: "toolCallEnd", index: 0 },
    ];
    const { client, seen } = await start(parsed(deltas, { content: "", reasoning: "", toolCalls }, "toolCalls"));
    const parameters = { type: "object", properties: { city: { type: "string" } } };
    const tools = [{ type: "function" as const, function: { name: "weather", description: "Says it.", parameters } }];
    const call = { id: "abc", type: "function" as const, function: { name: "weather", arguments: '{"city": "Rome"}' } };
    const asked = { ...hello, tools, parallel_tool_calls: false };
    const { choices } = await client.chat.completions.create(asked);
    expect(choices[0]).toMatchObject({ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" });
    expect(seen.find(({ type }) => type === "generate")).toMatchObject({
      prompt: {
        tools: [{ name: "weather", description: "Says it.", parameters: JSON.stringify(parameters) }],
        singleToolCall: true,
        parse: true,
      },
    });

    const found = [];
    let end: string | null | undefined;
    for await (const { choices } of await client.chat.completions.create({ ...asked, stream: true })) {
      found.push(...(choices[0]?.delta.tool_calls ?? []));
      end = choices[0]?.finish_reason;
    }
    expect(found[0]).toEqual({ index: 0, id: "abc", type: "function", function: { name: "weather", arguments: "" } });
    expect(found.map((one) => one.function.arguments).join("")).toBe('{"city": "Rome"}');
    expect(end).toBe("tool_calls");

    const messages = [
      ...hello.messages,
      { role: "assistant" as const, content: null, tool_calls: [call] },
      { role: "tool" as const, tool_call_id: "abc", content: "Warm." },
    ];
    await client.chat.completions.create({ ...asked, messages, tool_choice: "none" });
    expect(seen.filter(({ type }) => type === "generate").at(-1)).toMatchObject({
      prompt: {
        tools: [],
        messages: [
          { role: "user" },
          { role: "assistant", content: "", toolCalls: [{ id: "abc", name: "weather" }] },
          { role: "tool", content: "Warm.", toolCallId: "abc" },
        ],
      },
    });
  });

  it.each([
    ["auto", ["f", "g"], null],
    ["none", [], null],
    ["required", ["f", "g"], ["f", "g"]],
    [{ type: "function", function: { name: "g" } }, ["f", "g"], ["g"]],
    [
      {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "g" } }] },
      },
      ["g"],
      null,
    ],
    [
      {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
      },
      ["f", "g"],
      ["g"],
    ],
  ])("tool_choice %j is what the worker is asked for", async (tool_choice, names, mustCall) => {
    const { client, seen } = await start(writes(["a"]));
    const tools = [
      { type: "function" as const, function: { name: "f", strict: true } },
      { type: "function" as const, function: { name: "g", strict: false } },
    ];
    await client.chat.completions.create({ ...hello, tools, tool_choice });
    const request = seen.find(({ type }) => type === "generate");
    if (request?.type !== "generate" || request.prompt.type !== "chat") throw new Error("no prompt");
    expect(request.prompt.tools?.map(({ name }) => name)).toEqual(names);
    expect(request.prompt.tools?.map(({ strict }) => strict ?? false)).toEqual(names.map((name) => name === "f"));
    expect(request.prompt.mustCall).toEqual(mustCall);
  });

  it("aborts the generation when the loop is left", async () => {
    const { client, seen } = await start((request, send) => {
      if (request.type !== "generate") return false;
      send({ type: "token", text: "a", deltas: [{ type: "content", text: "a" }] });
      return true;
    });
    for await (const { choices } of await client.chat.completions.create({ ...hello, stream: true }))
      if (choices[0]?.delta.content) break;
    await expect.poll(() => seen.some(({ type }) => type === "cancel")).toBe(true);
  });

  it.each([
    ["tools[0].type: custom", { tools: [{ type: "custom", custom: { name: "f" } }] }],
    ["tool_choice: required", { tool_choice: "required" }],
    ["tool_choice", { tool_choice: { type: "function", function: { name: "f" } } }],
    ["tool_choice: custom", { tool_choice: { type: "custom", custom: { name: "f" } } }],
    ["tool_choice: some", { tool_choice: { type: "allowed_tools", allowed_tools: { mode: "some", tools: [] } } }],
    ["tool_choice: always", { tool_choice: "always" }],
    [
      "tools with response_format",
      { tools: [{ type: "function", function: { name: "f" } }], response_format: { type: "json_object" } },
    ],
    ["response_format: xml", { response_format: { type: "xml" } }],
    ["response_format", { response_format: { type: "json_schema", json_schema: { name: "a" } } }],
    ["stop", { response_format: { type: "json_object" }, stop: "END" }],
    ["store", { store: true }],
    ["reasoning_effort", { reasoning_effort: "low" }],
    ["spelling_mistake", { spelling_mistake: 1 }],
    ["messages[0].content: image_url", { messages: [{ role: "user", content: [{ type: "image_url" }] }] }],
    ["messages[0].tool_call_id", { messages: [{ role: "tool", content: "" }] }],
    ["messages[0].role: function", { messages: [{ role: "function", content: "" }] }],
    ["temperature", { temperature: 3 }],
    ["top_logprobs", { top_logprobs: 2 }],
    ["logit_bias", { logit_bias: { a: 1 } }],
    ["n", { n: 0.5 }],
    ["model", { model: "" }],
    ["messages", { messages: [] }],
    ["stop", { stop: ["", "a"] }],
  ])("refuses %s by name", async (param, change) => {
    const { client, seen } = await start(writes(["a"]));
    const error = await client.chat.completions
      .create({ ...hello, ...(change as object) })
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(OpenAIError);
    expect(error).toMatchObject({ status: 400, type: "invalid_request_error", param });
    expect(seen.some(({ type }) => type === "generate")).toBe(false);
  });

  it("takes null and what asks for nothing", async () => {
    const { client } = await start(writes(["a"]));
    const nothing = { tools: [], tool_choice: "none", store: false, user: "u", temperature: null, stop: null };
    await expect(client.chat.completions.create({ ...hello, ...nothing })).resolves.toBeDefined();
  });

  it("names a model that is not there, and gives the worker's errors OpenAI's fields", async () => {
    const { client } = await start((request, send) => {
      if (request.type !== "generate") return false;
      send({ type: "failed", error: { code: "context_full", message: "Too long.", help: "", detail: "" } });
      return true;
    });
    await expect(client.chat.completions.create({ ...hello, model: "absent" })).rejects.toMatchObject({
      status: 404,
      code: "model_not_found",
      param: "model",
    });
    await expect(client.chat.completions.create(hello)).rejects.toMatchObject({
      status: 400,
      code: "context_length_exceeded",
      message: "Too long.",
    });
  });
});

describe("completions", () => {
  it("continues texts and token ids", async () => {
    const { client, seen } = await start((request, send) => {
      if (request.type !== "detokenize") return writes([" b"])(request, send);
      send({ type: "done", result: { type: "plain", text: "a" } });
      return true;
    });
    const answer = await client.completions.create({ model: "language", prompt: ["a", "c"], n: 2, echo: true });
    expect(answer.choices.map(({ index, text }) => [index, text])).toEqual([
      [0, "a b"],
      [1, "a b"],
      [2, "c b"],
      [3, "c b"],
    ]);
    expect(answer.usage).toMatchObject({ prompt_tokens: 2, completion_tokens: 12 });
    const ids = await client.completions.create({ model: "language", prompt: [1, 2], logprobs: 1 });
    expect(ids.choices[0]).toMatchObject({
      text: " b",
      logprobs: { tokens: [" b"], token_logprobs: [-0.5], top_logprobs: [{ " b": -0.5 }], text_offset: [0] },
    });
    expect(seen.findLast(({ type }) => type === "generate")).toMatchObject({ prompt: { type: "ids", ids: [1, 2] } });
  });

  it("streams", async () => {
    const { client } = await start(writes(["a", "b"]));
    let text = "";
    for await (const { choices } of await client.completions.create({ model: "language", prompt: "x", stream: true }))
      text += choices[0]?.text ?? "";
    expect(text).toBe("ab");
  });
});

describe("embeddings", () => {
  const answer: Answer = (request, send) => {
    if (request.type === "embed")
      send({
        type: "done",
        result: { type: "vectors", vectors: request.texts.map(() => new Float32Array([0.6, 0.8])) },
      });
    else if (request.type === "tokenize") send({ type: "done", result: { type: "ids", ids: [1, 2, 3] } });
    else return false;
    return true;
  };

  it("gives floats or bytes, and counts tokens", async () => {
    const { client } = await start(answer);
    const floats = await client.embeddings.create({ model: "language", input: ["a", "b"] });
    expect(floats.data.map(({ index }) => index)).toEqual([0, 1]);
    expect(floats.data[0]?.embedding[1]).toBeCloseTo(0.8);
    expect(floats.usage).toEqual({ prompt_tokens: 6, total_tokens: 6 });
    const bytes = await client.embeddings.create({ model: "language", input: "a", encoding_format: "base64" });
    const read = Uint8Array.from(atob(bytes.data[0]?.embedding as unknown as string), (char) => char.charCodeAt(0));
    expect([...new Float32Array(read.buffer)][0]).toBeCloseTo(0.6);
  });

  it("refuses token ids and dimensions", async () => {
    const { client } = await start(answer);
    await expect(client.embeddings.create({ model: "language", input: [1, 2] })).rejects.toMatchObject({
      param: "input",
    });
    const params = { model: "language", input: "a", dimensions: 2 };
    await expect(client.embeddings.create(params)).rejects.toMatchObject({ param: "dimensions" });
  });
});

describe("models and responses", () => {
  it("lists what is loaded", async () => {
    const { client } = await start();
    const ids = [];
    for await (const { id } of await client.models.list()) ids.push(id);
    expect(ids).toEqual(["language"]);
    await expect(client.models.retrieve("absent")).rejects.toMatchObject({ status: 404 });
  });

  it("answers a response, whole or as events", async () => {
    const { client, seen } = await start(writes(["Good ", "morning."]));
    const params = { model: "language", instructions: "Be kind.", input: "Hello" };
    expect(await client.responses.create(params)).toMatchObject({
      object: "response",
      status: "completed",
      output_text: "Good morning.",
      output: [{ type: "message", content: [{ type: "output_text", text: "Good morning." }] }],
      usage: { input_tokens: 1, output_tokens: 3, total_tokens: 4 },
    });
    expect(seen.find(({ type }) => type === "generate")).toMatchObject({
      prompt: { messages: [{ role: "system" }, { role: "user", content: "Hello" }] },
    });
    const events = [];
    for await (const event of await client.responses.create({ ...params, stream: true })) events.push(event);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()]);
    const stored = { ...params, previous_response_id: "resp_1" };
    await expect(client.responses.create(stored)).rejects.toMatchObject({ param: "previous_response_id" });
  });
});

describe("functions of responses", () => {
  const toolCalls = [{ id: "abc", name: "weather", arguments: '{"city": "Rome"}' }];
  const deltas: MessageDelta[] = [
    { type: "content", text: "Wait." },
    { type: "toolCall", index: 0, id: "abc", name: "weather" },
    { type: "arguments", index: 0, text: '{"city": "Rome"}' },
    { type: "toolCallEnd", index: 0 },
  ];
  const parameters = { type: "object", properties: {} };
  const tools = [{ type: "function" as const, name: "weather", parameters, strict: false }];
  const params = { model: "language", input: "Rome?", tools };
  const item = { type: "function_call", call_id: "abc", name: "weather", arguments: '{"city": "Rome"}' };

  it("are items, whole or as events", async () => {
    const answer = parsed(deltas, { content: "Wait.", reasoning: "", toolCalls }, "toolCalls");
    const { client, seen } = await start(answer);
    const response = await client.responses.create(params);
    expect(response).toMatchObject({ output: [{ type: "message" }, item], output_text: "Wait.", tool_choice: "auto" });
    const types = [];
    let last;
    for await (const event of await client.responses.create({ ...params, stream: true })) {
      types.push(event.type.replace("response.", ""));
      if (event.type === "response.completed") last = event.response;
    }
    expect(last).toMatchObject({ output: [{ type: "message" }, item], output_text: "Wait." });
    expect(types).toEqual([
      "created",
      "in_progress",
      "output_item.added",
      "content_part.added",
      "output_text.delta",
      "output_text.done",
      "content_part.done",
      "output_item.done",
      "output_item.added",
      "function_call_arguments.delta",
      "function_call_arguments.done",
      "output_item.done",
      "completed",
    ]);
    const input = [
      { role: "user", content: "Rome?" },
      item,
      { type: "function_call_output", call_id: "abc", output: "Warm." },
    ];
    await client.responses.create({ ...params, input });
    expect(seen.filter(({ type }) => type === "generate").at(-1)).toMatchObject({
      prompt: {
        tools: [{ name: "weather", parameters: JSON.stringify(parameters) }],
        messages: [
          { role: "user" },
          { role: "assistant", toolCalls },
          { role: "tool", content: "Warm.", toolCallId: "abc" },
        ],
      },
    });
  });

  it.each([
    ["tools[0].type: web_search", { tools: [{ type: "web_search" }] }],
    ["tool_choice", { tool_choice: { type: "function", name: "absent" } }],
    ["tool_choice: file_search", { tool_choice: { type: "file_search" } }],
  ])("refuses %s by name", async (param, change) => {
    const { client } = await start();
    await expect(client.responses.create({ ...params, ...change })).rejects.toMatchObject({ param });
  });
});

describe("tool_choice of responses", () => {
  const parameters = { type: "object", properties: {} };
  const tools = ["f", "g"].map((name) => ({ type: "function" as const, name, parameters, strict: name === "f" }));

  it.each([
    ["required", ["f", "g"]],
    [{ type: "function", name: "g" }, ["g"]],
    [{ type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "g" }] }, ["g"]],
  ])("%j is what the worker is asked for", async (tool_choice, mustCall) => {
    const { client, seen } = await start(writes(["a"]));
    const response = await client.responses.create({ model: "language", input: "a", tools, tool_choice });
    expect(response.tool_choice).toEqual(tool_choice);
    const request = seen.find(({ type }) => type === "generate");
    expect(request).toMatchObject({ prompt: { mustCall, tools: [{ name: "f", strict: true }, { name: "g" }] } });
  });
});

describe("streams", () => {
  const numbers = async function* (): AsyncGenerator<number, void, void> {
    yield* [1, 2, 3];
  };
  const all = async (stream: AsyncIterable<number>): Promise<number[]> => {
    const found = [];
    for await (const one of stream) found.push(one);
    return found;
  };

  it("can be read twice by tee, once otherwise", async () => {
    const [a, b] = new Stream(numbers(), new AbortController()).tee();
    expect([await all(a), await all(b)]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
    const stream = new Stream(numbers(), new AbortController());
    await all(stream);
    await expect(all(stream)).rejects.toThrow("tee");
  });

  it("can be sent as lines of JSON", async () => {
    const bytes = new Stream(numbers(), new AbortController()).toReadableStream();
    expect(await new globalThis.Response(bytes).text()).toBe("1\n2\n3\n");
  });
});
