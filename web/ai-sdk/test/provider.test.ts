// The AI SDK's own functions, on a client whose worker is a script.
import { embedMany, generateObject, generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { afterEach, describe, expect, it } from "vitest";
import type { Pith } from "../../src/index.js";
import type { Event, MessageDelta, RequestMessage, ToolCall } from "../../src/protocol.gen.js";
import { openScripted, stats } from "../../test/endpoint.js";
import { createPith } from "../src/index.js";

let open: Pith | undefined;
afterEach(() => open?.close());

type Seen = RequestMessage["request"][];

/** A provider whose worker writes these pieces; `null` never ends. */
async function start(
  pieces: readonly (string | MessageDelta)[] | null,
): Promise<{ pith: ReturnType<typeof createPith>; seen: Seen }> {
  const { pith, script } = await openScripted();
  open = pith;
  const seen: Seen = [];
  const push = script.seen.push.bind(script.seen);
  script.seen.push = (...messages): number => {
    for (const { id, request } of messages) {
      seen.push(request);
      answer(request, (event) => script.send(id, event));
    }
    return push(...messages);
  };
  const answer = (request: Seen[number], send: (event: Event) => void): void => {
    if (request.type === "applyTemplate") send({ type: "done", result: { type: "plain", text: "<|assistant|>" } });
    if (request.type === "tokenize") send({ type: "done", result: { type: "ids", ids: [1, 2] } });
    if (request.type === "embed")
      send({ type: "done", result: { type: "vectors", vectors: request.texts.map(() => new Float32Array([0, 1])) } });
    if (request.type !== "generate") return;
    const message = { content: "", reasoning: "", toolCalls: [] as ToolCall[] };
    for (const piece of pieces ?? ["a"]) {
      const delta: MessageDelta = typeof piece === "string" ? { type: "content", text: piece } : piece;
      send({ type: "token", text: "", deltas: [delta] });
      const last = message.toolCalls.at(-1);
      if (delta.type === "content") message.content += delta.text;
      if (delta.type === "reasoning") message.reasoning += delta.text;
      if (delta.type === "toolCall") message.toolCalls.push({ id: delta.id, name: delta.name, arguments: "" });
      if (delta.type === "arguments" && last) last.arguments += delta.text;
    }
    if (!pieces) return;
    const result = { type: "text" as const, text: "", message, ids: [1], logprobs: null };
    const finishReason = message.toolCalls.length > 0 ? "toolCalls" : "length";
    send({
      type: "done",
      result: { ...result, finishReason, stats: { ...stats, promptTokens: 9, reusedTokens: 4 } },
    });
  };
  return { pith: createPith(pith), seen };
}

describe("generateText", () => {
  it("sends messages and settings, and reports text, thoughts and usage", async () => {
    const { pith, seen } = await start([{ type: "reasoning", text: "Hm." }, "Apples."]);
    const result = await generateText({
      model: pith("language"),
      system: "Be brief.",
      messages: [
        { role: "user", content: "Fruits?" },
        { role: "assistant", content: "Which?" },
        { role: "user", content: [{ type: "text", text: "Any." }] },
      ],
      temperature: 0.5,
      topK: 7,
      maxOutputTokens: 11,
      stopSequences: ["END"],
      seed: 3,
    });
    expect(result.text).toBe("Apples.");
    expect(result.reasoningText).toBe("Hm.");
    expect(result.finishReason).toBe("length");
    expect(result.usage).toMatchObject({ inputTokens: 9, outputTokens: 3 });
    expect(seen.find(({ type }) => type === "generate")).toMatchObject({
      prompt: {
        type: "chat",
        messages: [
          { role: "system", content: "Be brief." },
          { role: "user", content: "Fruits?" },
          { role: "assistant", content: "Which?" },
          { role: "user", content: "Any." },
        ],
      },
      sampling: { temperature: 0.5, topK: 7, seed: 3 },
      maxTokens: 11,
      stop: ["END"],
    });
  });

  it("runs tools and gives their results back", async () => {
    const call: MessageDelta[] = [
      { type: "toolCall", index: 0, id: "abc", name: "f" },
      { type: "arguments", index: 0, text: '{"a": ' },
      { type: "arguments", index: 0, text: '"b"}' },
      { type: "toolCallEnd", index: 0 },
    ];
    const { pith, seen } = await start(call);
    const model = pith("language");
    const inputSchema = jsonSchema<{ a: string }>({ type: "object", properties: { a: { type: "string" } } });
    const tools = { f: tool({ description: "f", inputSchema, execute: ({ a }) => `${a}!` }) };
    const settings = { model, prompt: "a", tools, maxRetries: 0, stopWhen: stepCountIs(2) };
    const { steps } = await generateText(settings);
    expect(steps[0]?.toolCalls[0]).toMatchObject({ toolCallId: "abc", toolName: "f", input: { a: "b" } });
    expect(steps[0]?.finishReason).toBe("tool-calls");
    const prompts = seen.flatMap((request) => (request.type === "generate" ? [request.prompt] : []));
    expect(prompts[0]).toMatchObject({ parse: true, tools: [{ name: "f", description: "f" }] });
    expect(prompts[1]).toMatchObject({
      messages: [
        { role: "user" },
        { role: "assistant", toolCalls: [{ id: "abc", name: "f", arguments: '{"a":"b"}' }] },
        { role: "tool", content: "b!", toolCallId: "abc", name: "f" },
      ],
    });

    const parts = [];
    for await (const part of streamText({ model, prompt: "a", tools, stopWhen: stepCountIs(1) }).fullStream)
      parts.push(part.type);
    const inputs = ["tool-input-start", "tool-input-delta", "tool-input-delta", "tool-input-end", "tool-call"];
    expect(parts.filter((type) => inputs.includes(type))).toEqual(inputs);
  });

  it("asks for calls that must be made, and for strict ones", async () => {
    const call: MessageDelta[] = [
      { type: "toolCall", index: 0, id: "abc", name: "g" },
      { type: "arguments", index: 0, text: '{"a": "b"}' },
      { type: "toolCallEnd", index: 0 },
    ];
    const { pith, seen } = await start(call);
    const inputSchema = jsonSchema<{ a: string }>({ type: "object", properties: { a: { type: "string" } } });
    const execute = (): string => "x";
    const tools = {
      f: tool({ description: "f", inputSchema, strict: true, execute }),
      g: tool({ description: "g", inputSchema, execute }),
    };
    const asked = { model: pith("language"), prompt: "a", tools, maxRetries: 0 };
    await generateText({ ...asked, toolChoice: "required" });
    await generateText({ ...asked, toolChoice: { type: "tool", toolName: "g" } });
    await generateText({ ...asked, toolChoice: "auto" });
    const prompts = seen.flatMap((request) => (request.type === "generate" ? [request.prompt] : []));
    expect(prompts.map((prompt) => prompt.type === "chat" && prompt.mustCall)).toEqual([["f", "g"], ["g"], null]);
    expect(prompts[0]).toMatchObject({
      tools: [
        { name: "f", strict: true },
        { name: "g", strict: false },
      ],
    });
    await expect(generateText({ ...asked, stopSequences: ["END"] })).rejects.toThrow(/strict tool/);
  });

  it("refuses pictures", async () => {
    const { pith, seen } = await start(["a"]);
    const model = pith("language");
    const picture = { type: "image" as const, image: new Uint8Array([1]), mediaType: "image/png" };
    const messages = [{ role: "user" as const, content: [picture] }];
    await expect(generateText({ model, messages, maxRetries: 0 })).rejects.toThrow();
    expect(seen.some(({ type }) => type === "generate")).toBe(false);
  });

  it("aborts", async () => {
    const { pith, seen } = await start(null);
    const stop = new AbortController();
    const result = generateText({ model: pith("language"), prompt: "a", abortSignal: stop.signal, maxRetries: 0 });
    await expect.poll(() => seen.some(({ type }) => type === "generate")).toBe(true);
    stop.abort();
    await expect(result).rejects.toThrow();
    await expect.poll(() => seen.some(({ type }) => type === "cancel")).toBe(true);
  });
});

describe("streamText", () => {
  it("streams thoughts and text", async () => {
    const { pith } = await start([{ type: "reasoning", text: "H" }, { type: "reasoning", text: "m." }, "App", "les."]);
    const result = streamText({ model: pith("language"), prompt: "Fruits?" });
    const pieces = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.join("")).toBe("Apples.");
    expect(await result.reasoningText).toBe("Hm.");
    expect(await result.finishReason).toBe("length");
  });

  it("ends the generation when the stream is cancelled", async () => {
    const { pith, seen } = await start(null);
    const { stream } = await pith("language").doStream({ prompt: [{ role: "user", content: [] }] });
    await stream.cancel();
    await expect.poll(() => seen.some(({ type }) => type === "cancel")).toBe(true);
  });
});

it("writes JSON under a schema", async () => {
  const { pith, seen } = await start(['{"a":', "1}"]);
  const schema = { type: "object", properties: { a: { type: "integer" } } } as const;
  const options = { model: pith("language"), prompt: "a", maxRetries: 0 };
  const { object } = await generateObject({ ...options, schema: jsonSchema<object>(schema) });
  expect(object).toEqual({ a: 1 });
  await generateObject({ ...options, output: "no-schema" });
  const formats = seen.flatMap((request) => (request.type === "generate" ? [request.format] : []));
  expect(formats).toEqual([{ type: "jsonSchema", schema }, { type: "json" }]);
});

it("embeds", async () => {
  const { pith } = await start([]);
  const { embeddings, usage } = await embedMany({ model: pith.embeddingModel("embedding"), values: ["a", "b"] });
  expect(embeddings).toEqual([
    [0, 1],
    [0, 1],
  ]);
  expect(usage).toEqual({ tokens: 4 });
});
